// Matmuls of f16 with sums in f32, in every layout: pairs of them on a GPU's tensor cores. Those of bf16 are in
// matmuls-bf16.mlir.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 1e-5 --atol 5e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 1e-5 --atol 5e-5 --quiet

func.func @matmuls(%a: tensor<37x53xf16>, %b: tensor<53x130xf16>, %at: tensor<53x37xf16>, %bt: tensor<130x53xf16>,
                   %bias: tensor<130xf32>, %row: tensor<1x53xf16>, %deep: tensor<20x301xf16>, %deeper: tensor<301x9xf16>,
                   %heads: tensor<2x3x53x7xf16>)
    -> (tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<1x130xf32>,
        tensor<20x9xf32>, tensor<2x3x53x53xf32>) {
  %0 = nova.cast %a : tensor<37x53xf16> -> tensor<37x53xf32>
  %1 = nova.cast %b : tensor<53x130xf16> -> tensor<53x130xf32>
  %2 = nova.cast %at : tensor<53x37xf16> -> tensor<53x37xf32>
  %3 = nova.cast %bt : tensor<130x53xf16> -> tensor<130x53xf32>
  %4 = nova.cast %row : tensor<1x53xf16> -> tensor<1x53xf32>
  %5 = nova.cast %deep : tensor<20x301xf16> -> tensor<20x301xf32>
  %6 = nova.cast %deeper : tensor<301x9xf16> -> tensor<301x9xf32>
  %7 = nova.cast %heads : tensor<2x3x53x7xf16> -> tensor<2x3x53x7xf32>
  %nn = nova.matmul %0, %1 : tensor<37x53xf32>, tensor<53x130xf32>
  %nt = nova.matmul %0, %3 {transpose_rhs} : tensor<37x53xf32>, tensor<130x53xf32>
  %tn = nova.matmul %2, %1 {transpose_lhs} : tensor<53x37xf32>, tensor<53x130xf32>
  %tt = nova.matmul %2, %3 {transpose_lhs, transpose_rhs} : tensor<53x37xf32>, tensor<130x53xf32>
  %biased = nova.add %tt, %bias : tensor<37x130xf32>, tensor<130xf32>
  %one_row = nova.matmul %4, %1 : tensor<1x53xf32>, tensor<53x130xf32>
  %steps = nova.matmul %5, %6 : tensor<20x301xf32>, tensor<301x9xf32>
  %scores = nova.matmul %7, %7 {transpose_rhs} : tensor<2x3x53x7xf32>, tensor<2x3x53x7xf32>
  return %nn, %nt, %tn, %biased, %one_row, %steps, %scores
    : tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<1x130xf32>,
      tensor<20x9xf32>, tensor<2x3x53x53xf32>
}
