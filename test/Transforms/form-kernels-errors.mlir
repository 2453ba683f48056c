// RUN: nova-opt %s --nova-form-kernels --split-input-file --verify-diagnostics

func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> { // expected-error {{expected tensors of static shape, found 'tensor<?xf32>'; nova-specialize-shapes gives arguments static ones}}
  %0 = nova.exp %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @several_launches(%x: tensor<4x8xf32>, %t: tensor<4xi32>) -> tensor<f32> {
  %0 = nova.cross_entropy %x, %t : tensor<4x8xf32>, tensor<4xi32> // expected-error {{'nova.cross_entropy' op takes more than one launch; run --nova-split-launches first}}
  return %0 : tensor<f32>
}

// -----

func.func @no_loops(%x: tensor<4xf32>) -> tensor<f32> {
  %0 = nova.global_norm %x : tensor<4xf32> // expected-error {{'nova.global_norm' op can be in no kernel; run --nova-autodiff and --nova-split-launches first}}
  return %0 : tensor<f32>
}

// -----

func.func @branches(%x: tensor<4xf32>) -> tensor<4xf32> { // expected-error {{expected a function without branches}}
  cf.br ^bb1
^bb1:
  return %x : tensor<4xf32>
}
