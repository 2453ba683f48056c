// Sums in f64 of narrower elements keep what f32 loses.
// RUN: nova-run %s --device=reference --outputs %t.safetensors
// RUN: nova-run %s --device=cpu --expect %t.safetensors --rtol 0 --atol 0 --quiet
// RUN: nova-run %s --device=cpu --mode=eager --threads=1 --expect %t.safetensors --rtol 0 --atol 0 --quiet
// RUN: nova-run %s --device=emulator --expect %t.safetensors --rtol 0 --atol 0 --quiet
// RUN: nova-run %s --device=emulator --mode=eager --expect %t.safetensors --rtol 0 --atol 0 --quiet

func.func @wide() -> (tensor<2x1xf32> {nova.name = "a"}, tensor<1x2xbf16> {nova.name = "b"}) {
  %x = nova.constant dense<[[1.0e8, 1.0, -1.0e8], [3.0, 16777216.0, 1.0]]> : tensor<2x3xf32>
  %w = nova.constant dense<1.0> : tensor<3x1xf32>
  %a = nova.matmul %x, %w {accumulate = f64} : tensor<2x3xf32>, tensor<3x1xf32>
  %y = nova.constant dense<[[1.0e30, 1.0, -1.0e30], [65536.0, 1.5, -65536.0]]> : tensor<2x3xbf16>
  %v = nova.constant dense<1.0> : tensor<1x3xbf16>
  %b = nova.matmul %v, %y {accumulate = f64, transpose_rhs} : tensor<1x3xbf16>, tensor<2x3xbf16>
  return %a, %b : tensor<2x1xf32>, tensor<1x2xbf16>
}
