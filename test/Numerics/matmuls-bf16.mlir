// Matmuls of bf16 with sums in f32: layouts, batches, edges, one row, an odd depth, a depth longer than a block, what
// follows them, as this CPU and as Haswell, which has no AVX-512, multiply them. Pairs are in matmuls-bf16-pairs.test.
// RUN: nova-run %s --random-inputs=1 --dtype=bf16 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --dtype=bf16 --device=cpu --expect %t.safetensors --rtol 1e-5 --atol 5e-4 --quiet
// RUN: nova-run %s --random-inputs=1 --dtype=bf16 --device=emulator --expect %t.safetensors --rtol 1e-5 --atol 5e-4 --quiet
// RUN: nova-run %s --random-inputs=1 --dtype=bf16 --mode=eager --threads=1 --expect %t.safetensors --rtol 1e-5 --atol 5e-4 --quiet
// RUN: nova-translate %s --dtype=bf16 --cpu=haswell --nova-to-bundle -o %t.nova
// RUN: nova-run %t.nova --random-inputs=1 --expect %t.safetensors --rtol 1e-5 --atol 5e-4 --quiet

func.func @matmuls(%a: tensor<37x53xf32>, %b: tensor<53x130xf32>, %at: tensor<53x37xf32>, %bt: tensor<130x53xf32>,
                   %bias: tensor<130xf32>, %residual: tensor<37x130xf32>, %row: tensor<1x53xf32>,
                   %batch: tensor<3x20x53xf32>, %heads: tensor<2x3x53x7xf32>, %deep: tensor<70x4500xf32>,
                   %deeper: tensor<4500x75xf32>, %long: tensor<300x53xf32>, %even: tensor<64x96xf32>,
                   %even_t: tensor<96x64xf32>, %w: tensor<96x128xf32>, %wt: tensor<128x96xf32>,
                   %deep_t: tensor<4501x18xf32>, %deeper_t: tensor<75x4501xf32>)
    -> (tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>,
        tensor<37x130xf32>, tensor<1x130xf32>, tensor<3x20x130xf32>, tensor<2x3x20x7xf32>, tensor<70x75xf32>,
        tensor<300x130xf32>, tensor<3x20x130xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>,
        tensor<64x128xf32>, tensor<18x75xf32>, tensor<2x3x53x53xf32>) {
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
  %blocks = nova.matmul %deep, %deeper : tensor<70x4500xf32>, tensor<4500x75xf32>
  %tall = nova.matmul %long, %b : tensor<300x53xf32>, tensor<53x130xf32>
  %m1 = nova.matmul %batch, %bt {transpose_rhs} : tensor<3x20x53xf32>, tensor<130x53xf32>
  %scalar = nova.constant dense<0.5> : tensor<f32>
  %scaled = nova.mul %m1, %scalar : tensor<3x20x130xf32>, tensor<f32>
  %even_nn = nova.matmul %even, %w : tensor<64x96xf32>, tensor<96x128xf32>
  %even_nt = nova.matmul %even, %wt {transpose_rhs} : tensor<64x96xf32>, tensor<128x96xf32>
  %even_tn = nova.matmul %even_t, %w {transpose_lhs} : tensor<96x64xf32>, tensor<96x128xf32>
  %even_tt = nova.matmul %even_t, %wt {transpose_lhs, transpose_rhs} : tensor<96x64xf32>, tensor<128x96xf32>
  %odd_blocks = nova.matmul %deep_t, %deeper_t {transpose_lhs, transpose_rhs} : tensor<4501x18xf32>, tensor<75x4501xf32>
  %scores = nova.matmul %heads, %heads {transpose_rhs} : tensor<2x3x53x7xf32>, tensor<2x3x53x7xf32>
  return %nn, %nt, %tn, %tt, %biased, %added, %one, %batched, %broadcast, %blocks, %tall, %scaled, %even_nn, %even_nt,
         %even_tn, %even_tt, %odd_blocks, %scores
    : tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>,
      tensor<37x130xf32>, tensor<1x130xf32>, tensor<3x20x130xf32>, tensor<2x3x20x7xf32>, tensor<70x75xf32>,
      tensor<300x130xf32>, tensor<3x20x130xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>,
      tensor<64x128xf32>, tensor<18x75xf32>, tensor<2x3x53x53xf32>
}
