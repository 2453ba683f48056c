// Rows at lengths that are no multiple of a vector: the evaluator judges the code.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --threads=1 --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --dtype=bf16 --device=reference --outputs %t-bf16.safetensors
// RUN: nova-run %s --random-inputs=1 --dtype=bf16 --expect %t-bf16.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --dtype=bf16 --device=emulator --expect %t-bf16.safetensors --rtol 2e-5 --atol 1e-5 --quiet

func.func @rows(%x: tensor<3x25x70xf32>, %dy: tensor<3x25x70xf32>, %w: tensor<70xf32>, %b: tensor<70xf32>,
                %targets: tensor<3x25xi32>, %one: tensor<5x1xf32>, %wide: tensor<2x5003xf32>)
    -> (tensor<3x25x70xf32>, tensor<3x25x70xf32>, tensor<3x25x70xf32>, tensor<3x25x70xf32>, tensor<70xf32>,
        tensor<70xf32>, tensor<f32>, tensor<3x25xf32>, tensor<3x25x70xf32>, tensor<3x25xf32>, tensor<3x25x1xf32>,
        tensor<5x1xf32>, tensor<2x5003xf32>, tensor<2xf32>, tensor<3x25x70xf32>) {
  %softmax = nova.softmax %x : tensor<3x25x70xf32>
  %middle = nova.softmax %x {axis = 1} : tensor<3x25x70xf32>
  %dsoftmax = nova.softmax_grad %dy, %softmax : tensor<3x25x70xf32>, tensor<3x25x70xf32>
  %norm = nova.layer_norm %x, %w, %b : tensor<3x25x70xf32>, tensor<70xf32>, tensor<70xf32>
  %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w : tensor<3x25x70xf32>, tensor<3x25x70xf32>, tensor<70xf32>
  %loss = nova.cross_entropy %x, %targets : tensor<3x25x70xf32>, tensor<3x25xi32>
  %losses = nova.cross_entropy %x, %targets {reduction = #nova.reduction<none>} : tensor<3x25x70xf32>, tensor<3x25xi32>
  %dlogits = nova.cross_entropy_grad %loss, %x, %targets : tensor<f32>, tensor<3x25x70xf32>, tensor<3x25xi32>
  %largest = nova.reduce max %x over [2] : tensor<3x25x70xf32>
  %mean = nova.reduce mean %x over [2] {keep_dims} : tensor<3x25x70xf32>
  %single = nova.softmax %one : tensor<5x1xf32>
  %long = nova.softmax %wide : tensor<2x5003xf32>
  %sum = nova.reduce sum %wide over [1] : tensor<2x5003xf32>
  return %softmax, %dsoftmax, %norm, %dx, %dw, %db, %loss, %losses, %dlogits, %largest, %mean, %single, %long, %sum,
         %middle
    : tensor<3x25x70xf32>, tensor<3x25x70xf32>, tensor<3x25x70xf32>, tensor<3x25x70xf32>, tensor<70xf32>,
      tensor<70xf32>, tensor<f32>, tensor<3x25xf32>, tensor<3x25x70xf32>, tensor<3x25xf32>, tensor<3x25x1xf32>,
      tensor<5x1xf32>, tensor<2x5003xf32>, tensor<2xf32>, tensor<3x25x70xf32>
}
