// Splats as operands of anchors: one scalar in the kernel, for all lanes of its vectors.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet

func.func @splats(%x: tensor<7x37xf32>, %dy: tensor<7x37xf32>, %ids: tensor<4x5xi32> {nova.bound = 50 : i64})
    -> (tensor<7x37xf32>, tensor<7x37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<7x37xf32>, tensor<50x1xi32>,
        tensor<50xf32>) {
  %w = nova.constant dense<1.5> : tensor<37xf32>
  %b = nova.constant dense<0.5> : tensor<37xf32>
  %y = nova.layer_norm %x, %w, %b : tensor<7x37xf32>, tensor<37xf32>, tensor<37xf32>
  %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w : tensor<7x37xf32>, tensor<7x37xf32>, tensor<37xf32>
  %ones = nova.constant dense<1.0> : tensor<7x37xf32>
  %ex, %ew, %eb = nova.layer_norm_grad %ones, %x, %w : tensor<7x37xf32>, tensor<7x37xf32>, tensor<37xf32>
  %one = nova.constant dense<1> : tensor<4x5x1xi32>
  %none = nova.constant dense<0> : tensor<50x1xi32>
  %counts = nova.scatter_add %none[%ids], %one : tensor<50x1xi32>, tensor<4x5xi32>, tensor<4x5x1xi32>
  %half = nova.constant dense<0.5> : tensor<4x5xf32>
  %zero = nova.constant dense<0.0> : tensor<50xf32>
  %halves = nova.scatter_add %zero[%ids], %half : tensor<50xf32>, tensor<4x5xi32>, tensor<4x5xf32>
  return %y, %dx, %dw, %eb, %ex, %counts, %halves
    : tensor<7x37xf32>, tensor<7x37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<7x37xf32>, tensor<50x1xi32>,
      tensor<50xf32>
}
