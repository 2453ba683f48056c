// Norms of rows far from 0. Neighbouring floats near 100 are 7.6e-6 apart, which the mean cannot resolve further: the
// variance is taken from differences to it, and no digit more is lost.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet

func.func @far(%rows: tensor<5x1000xf32>, %w: tensor<1000xf32>) -> tensor<5x1000xf32> {
  %far = nova.constant dense<100.0> : tensor<f32>
  %moved = nova.add %rows, %far : tensor<5x1000xf32>, tensor<f32>
  %norm = nova.layer_norm %moved, %w, %w : tensor<5x1000xf32>, tensor<1000xf32>, tensor<1000xf32>
  return %norm : tensor<5x1000xf32>
}
