// Elementwise ops: broadcasting in both directions, rank 0, empty tensors, every element type.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --threads=1 --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet

func.func @elementwise(%x: tensor<5x7x33xf32>, %y: tensor<7x1xf32>, %z: tensor<5x1x33xf32>, %s: tensor<f32>,
                       %d: tensor<19xf64>, %h: tensor<19xf16>, %b: tensor<19xbf16>, %i: tensor<19xi32>,
                       %j: tensor<19xi64>, %k: tensor<19xi8>, %c: tensor<7x1xi1>, %none: tensor<0x3xf32>)
    -> (tensor<5x7x33xf32>, tensor<5x7x33xf32>, tensor<f32>, tensor<5x7x33xf32>, tensor<5x7x33xf32>, tensor<19xf64>,
        tensor<19xf16>, tensor<19xbf16>, tensor<19xi32>, tensor<19xi64>, tensor<19xi8>, tensor<19xi1>, tensor<0x3xf32>,
        tensor<19xi8>, tensor<19xf16>, tensor<5x7x33xf32>, tensor<5x7x33xf32>, tensor<5x7x33xf32>, tensor<19xf64>) {
  %0 = nova.add %x, %y : tensor<5x7x33xf32>, tensor<7x1xf32>
  %1 = nova.mul %z, %x : tensor<5x1x33xf32>, tensor<5x7x33xf32>
  %2 = nova.exp %s : tensor<f32>
  %3 = nova.sub %s, %x : tensor<f32>, tensor<5x7x33xf32>
  %4 = nova.select %c, %x, %z : tensor<7x1xi1>, tensor<5x7x33xf32>, tensor<5x1x33xf32>
  %5 = nova.tanh %d : tensor<19xf64>
  %6 = nova.sigmoid %h : tensor<19xf16>
  %7 = nova.gelu exact %b : tensor<19xbf16>
  %8 = nova.div %i, %i : tensor<19xi32>, tensor<19xi32>
  %9 = nova.abs %j : tensor<19xi64>
  %10 = nova.cast %i : tensor<19xi32> -> tensor<19xi8>
  %11 = nova.compare ge %i, %i : tensor<19xi32>, tensor<19xi32>
  %12 = nova.neg %none : tensor<0x3xf32>
  %13 = nova.max %k, %k : tensor<19xi8>, tensor<19xi8>
  %14 = nova.cast %d : tensor<19xf64> -> tensor<19xf16>
  %15 = nova.erf %x : tensor<5x7x33xf32>
  %16 = nova.silu %x : tensor<5x7x33xf32>
  %17 = nova.gelu_grad tanh %x, %1 : tensor<5x7x33xf32>, tensor<5x7x33xf32>
  %18 = nova.square %d : tensor<19xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18
    : tensor<5x7x33xf32>, tensor<5x7x33xf32>, tensor<f32>, tensor<5x7x33xf32>, tensor<5x7x33xf32>, tensor<19xf64>,
      tensor<19xf16>, tensor<19xbf16>, tensor<19xi32>, tensor<19xi64>, tensor<19xi8>, tensor<19xi1>, tensor<0x3xf32>,
      tensor<19xi8>, tensor<19xf16>, tensor<5x7x33xf32>, tensor<5x7x33xf32>, tensor<5x7x33xf32>, tensor<19xf64>
}
