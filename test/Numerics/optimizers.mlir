// Optimizers over odd sizes and types that differ, with and without weight decay: the evaluator judges the code.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 1e-6 --atol 1e-7 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --threads=1 --expect %t.safetensors --rtol 1e-6 --atol 1e-7 --quiet

func.func @optimizers(%x: tensor<3x37xf32>, %g: tensor<3x37xbf16>, %d: tensor<5xf64>, %lr: tensor<f32>,
                      %step: tensor<i64> {nova.bound = 9 : i64})
    -> (tensor<3x37xf32>, tensor<3x37xf32>, tensor<3x37xf32>, tensor<3x37xf32>, tensor<3x37xf32>, tensor<5xf64>,
        tensor<5xf64>, tensor<5xf64>) {
  %squares = nova.square %x : tensor<3x37xf32>
  %p1, %m1, %v1 = nova.adam %x, %g, %x, %squares, lr %lr, step %step, scale %lr
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-3, weight_decay = 0.3} : tensor<3x37xf32>, tensor<3x37xbf16>
  %p2, %m2 = nova.sgd %x, %g, %squares, lr %lr, scale %lr {momentum = 0.9, weight_decay = 0.3}
    : tensor<3x37xf32>, tensor<3x37xbf16>
  %p3, %m3 = nova.sgd %d, %d, %d, lr %lr, scale %lr {momentum = 0.0, weight_decay = 0.0} : tensor<5xf64>, tensor<5xf64>
  %more = nova.square %d : tensor<5xf64>
  %p4, %m4, %v4 = nova.adam %d, %d, %d, %more, lr %lr, step %step, scale %lr
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-3, weight_decay = 0.0} : tensor<5xf64>, tensor<5xf64>
  return %p1, %m1, %v1, %p2, %m2, %p3, %m3, %p4
    : tensor<3x37xf32>, tensor<3x37xf32>, tensor<3x37xf32>, tensor<3x37xf32>, tensor<3x37xf32>, tensor<5xf64>,
      tensor<5xf64>, tensor<5xf64>
}
