// The gradient of a mean over a matrix product multiplies by a splat: one scalar in the kernel, which packing took for a
// vector. Wrong numbers or a crash, found by random programs 16, 53 and 56 of seed 1 and seven of seed 2.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 1e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --expect %t.safetensors --rtol 1e-5 --atol 1e-5 --quiet

func.func @splats(%a: tensor<1x64xf32>, %b: tensor<21x16x7xf32>, %c: tensor<5x33xf32>, %d: tensor<f32>)
    -> (tensor<1x1xf32>, tensor<21x16x8xf32>, tensor<21x7x8xf32>, tensor<1x33xf32>, tensor<33x1xf32>, tensor<4x33xf32>) {
  %s = nova.constant dense<0.5> : tensor<64x1xf32>
  %0 = nova.matmul %s, %a {transpose_lhs, transpose_rhs} : tensor<64x1xf32>, tensor<1x64xf32>
  %t = nova.constant dense<0.25> : tensor<7x8xf32>
  %1 = nova.matmul %b, %t : tensor<21x16x7xf32>, tensor<7x8xf32>
  %u = nova.constant dense<0.125> : tensor<21x16x8xf32>
  %2 = nova.matmul %b, %u {transpose_lhs} : tensor<21x16x7xf32>, tensor<21x16x8xf32>
  %v = nova.constant dense<2.0> : tensor<1x5xf32>
  %3 = nova.matmul %v, %c : tensor<1x5xf32>, tensor<5x33xf32>
  %4 = nova.matmul %c, %v {transpose_lhs, transpose_rhs} : tensor<5x33xf32>, tensor<1x5xf32>
  %w = nova.broadcast_in_dim %d dims = [] : tensor<f32> -> tensor<5x4xf32>
  %5 = nova.matmul %w, %c {transpose_lhs} : tensor<5x4xf32>, tensor<5x33xf32>
  return %0, %1, %2, %3, %4, %5
    : tensor<1x1xf32>, tensor<21x16x8xf32>, tensor<21x7x8xf32>, tensor<1x33xf32>, tensor<33x1xf32>, tensor<4x33xf32>
}
