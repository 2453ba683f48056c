// Functions of f64, roundings to narrow types, sums of nothing, and AdamW over types that differ: the evaluator judges
// the code.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 1e-6 --atol 1e-7 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --threads=1 --expect %t.safetensors --rtol 1e-6 --atol 1e-7 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 1e-6 --atol 1e-7 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --mode=eager --expect %t.safetensors --rtol 1e-6 --atol 1e-7 --quiet

func.func @types(%x: tensor<37xf64>, %g: tensor<37xbf16>, %lr: tensor<f32>, %step: tensor<i64> {nova.bound = 9 : i64},
                 %a: tensor<7x0x2xf32>, %b: tensor<1x5x0xf32>, %none: tensor<1000x0xf32>)
    -> (tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xbf16>, tensor<37xf16>, tensor<37xf64>,
        tensor<37xf64>, tensor<37xf64>, tensor<7x2x5xf32>, tensor<1000xf32>) {
  %erf = nova.erf %x : tensor<37xf64>
  %gelu = nova.gelu exact %x : tensor<37xf64>
  %exp = nova.exp %x : tensor<37xf64>
  %positive = nova.square %x : tensor<37xf64>
  %pow = nova.pow %positive, %x : tensor<37xf64>, tensor<37xf64>
  %bf16 = nova.cast %x : tensor<37xf64> -> tensor<37xbf16>
  %f16 = nova.cast %x : tensor<37xf64> -> tensor<37xf16>
  %p1, %m1, %v1 = nova.adamw %x, %g, %x, %positive, lr %lr, step %step, scale %lr
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-3, weight_decay = 0.1} : tensor<37xf64>, tensor<37xbf16>
  %product = nova.matmul %a, %b {transpose_lhs, transpose_rhs} : tensor<7x0x2xf32>, tensor<1x5x0xf32>
  %sum = nova.reduce sum %none over [1] : tensor<1000x0xf32>
  return %erf, %gelu, %exp, %pow, %bf16, %f16, %p1, %m1, %v1, %product, %sum
    : tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xbf16>, tensor<37xf16>, tensor<37xf64>,
      tensor<37xf64>, tensor<37xf64>, tensor<7x2x5xf32>, tensor<1000xf32>
}
