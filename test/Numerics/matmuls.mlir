// Matmuls: layouts, batches, edges, one row, K longer than a block, what follows them, and other types.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 2e-5 --atol 5e-4 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --threads=1 --expect %t.safetensors --rtol 2e-5 --atol 5e-4 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 2e-5 --atol 5e-4 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 5e-4 --quiet

func.func @matmuls(%a: tensor<37x53xf32>, %b: tensor<53x130xf32>, %at: tensor<53x37xf32>, %bt: tensor<130x53xf32>,
                   %bias: tensor<130xf32>, %residual: tensor<37x130xf32>, %row: tensor<1x53xf32>,
                   %batch: tensor<3x20x53xf32>, %heads: tensor<2x3x53x7xf32>, %deep: tensor<70x2500xf32>,
                   %deeper: tensor<2500x75xf32>, %long: tensor<300x53xf32>, %d: tensor<9x5xf64>, %e: tensor<5x11xf64>,
                   %h: tensor<9x5xbf16>, %i: tensor<5x11xbf16>)
    -> (tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>,
        tensor<37x130xf32>, tensor<1x130xf32>, tensor<3x20x130xf32>, tensor<2x3x20x7xf32>, tensor<70x75xf32>,
        tensor<300x130xf32>, tensor<9x11xf64>, tensor<9x11xbf16>, tensor<3x20x130xf32>) {
  %nn = nova.matmul %a, %b : tensor<37x53xf32>, tensor<53x130xf32>
  %nt = nova.matmul %a, %bt {transpose_rhs} : tensor<37x53xf32>, tensor<130x53xf32>
  %tn = nova.matmul %at, %b {transpose_lhs} : tensor<53x37xf32>, tensor<53x130xf32>
  %tt = nova.matmul %at, %bt {transpose_lhs, transpose_rhs} : tensor<53x37xf32>, tensor<130x53xf32>
  %m0 = nova.matmul %a, %b : tensor<37x53xf32>, tensor<53x130xf32>
  %biased = nova.add %m0, %bias : tensor<37x130xf32>, tensor<130xf32>
  %active = nova.gelu tanh %biased : tensor<37x130xf32>
  %added = nova.add %residual, %active : tensor<37x130xf32>, tensor<37x130xf32>
  %one = nova.matmul %row, %b : tensor<1x53xf32>, tensor<53x130xf32>
  %batched = nova.matmul %batch, %b : tensor<3x20x53xf32>, tensor<53x130xf32>
  %broadcast = nova.matmul %batch, %heads : tensor<3x20x53xf32>, tensor<2x3x53x7xf32>
  %blocks = nova.matmul %deep, %deeper : tensor<70x2500xf32>, tensor<2500x75xf32>
  %tall = nova.matmul %long, %b : tensor<300x53xf32>, tensor<53x130xf32>
  %wide = nova.matmul %d, %e : tensor<9x5xf64>, tensor<5x11xf64>
  %narrow = nova.matmul %h, %i : tensor<9x5xbf16>, tensor<5x11xbf16>
  %m1 = nova.matmul %batch, %bt {transpose_rhs} : tensor<3x20x53xf32>, tensor<130x53xf32>
  %scalar = nova.constant dense<0.5> : tensor<f32>
  %scaled = nova.mul %m1, %scalar : tensor<3x20x130xf32>, tensor<f32>
  return %nn, %nt, %tn, %tt, %biased, %added, %one, %batched, %broadcast, %blocks, %tall, %wide, %narrow, %scaled
    : tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>,
      tensor<37x130xf32>, tensor<1x130xf32>, tensor<3x20x130xf32>, tensor<2x3x20x7xf32>, tensor<70x75xf32>,
      tensor<300x130xf32>, tensor<9x11xf64>, tensor<9x11xbf16>, tensor<3x20x130xf32>
}
