// RUN: nova-opt %s --nova-autodiff --split-input-file --verify-diagnostics

func.func private @loss(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{'nova.rms_norm_grad' op has no gradient, but the loss depends on it: it keeps no statistics, through which its derivative goes; spell the norm out where second derivatives are needed}}
  %g, %dw = nova.rms_norm_grad %x, %x, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %l = nova.reduce sum %g over [0] : tensor<4xf32>
  return %l : tensor<f32>
}
func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l, %g = nova.value_and_grad @loss(%x) wrt [0] : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return %g : tensor<4xf32>
}

// -----

func.func private @loss(%x: tensor<4xf32>) -> tensor<f32> {
  %y = tensor.cast %x : tensor<4xf32> to tensor<4xf32> // expected-error {{'tensor.cast' op has no gradient, but the loss depends on it; expected ops of the nova dialect}}
  %l = nova.reduce sum %y over [0] : tensor<4xf32>
  return %l : tensor<f32>
}
func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l, %g = nova.value_and_grad @loss(%x) wrt [0] : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return %g : tensor<4xf32>
}

// -----

func.func private @loss(%x: tensor<?xf32>) -> tensor<f32> {
  %y = nova.mul %x, %x : tensor<?xf32>, tensor<?xf32>
  %l = nova.reduce sum %y over [0] : tensor<?xf32> // expected-error {{'nova.reduce' op expected static shapes to be differentiated, found 'tensor<?xf32>'; nova-specialize-shapes gives arguments static ones}}
  return %l : tensor<f32>
}
func.func @step(%x: tensor<?xf32>) -> tensor<?xf32> {
  %l, %g = nova.value_and_grad @loss(%x) wrt [0] : (tensor<?xf32>) -> (tensor<f32>, tensor<?xf32>)
  return %g : tensor<?xf32>
}

// -----

func.func private @loss(%x: tensor<f32>, %unused: tensor<?xf32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @step(%x: tensor<f32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a static shape for the zero gradient of an argument that the loss does not depend on, found 'tensor<?xf32>'}}
  %l, %g = nova.value_and_grad @loss(%x, %y) wrt [1] : (tensor<f32>, tensor<?xf32>) -> (tensor<f32>, tensor<?xf32>)
  return %g : tensor<?xf32>
}

// -----

func.func private @loss(%x: tensor<f32>, %n: tensor<4xi32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @step(%x: tensor<f32>, %n: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'nova.value_and_grad' op expected wrt to name floating-point arguments, found number 1, a 'tensor<4xi32>'}}
  %l, %g = nova.value_and_grad @loss(%x, %n) wrt [1] : (tensor<f32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xi32>)
  return %g : tensor<4xi32>
}

// -----

func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %l, %g = nova.value_and_grad @square(%x) wrt [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>) // expected-error {{'nova.value_and_grad' op is differentiated itself: there are no second derivatives}}
  return %g : tensor<f32>
}
func.func private @square(%x: tensor<f32>) -> tensor<f32> {
  %l = nova.square %x : tensor<f32>
  return %l : tensor<f32>
}
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  %l, %g = nova.value_and_grad @loss(%x) wrt [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %g : tensor<f32>
}

// -----

// expected-error @+1 {{expected function @loss to have a body of one block, found 0; write branches as nova.select}}
func.func private @loss(%x: tensor<f32>) -> tensor<f32>
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  %l, %g = nova.value_and_grad @loss(%x) wrt [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %g : tensor<f32>
}

// -----

func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %y = call @other(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
func.func private @other(%x: tensor<f32>) -> tensor<f32> {
  %y = call @loss(%x) : (tensor<f32>) -> tensor<f32> // expected-error {{function @loss calls itself, so that its calls have no end}}
  return %y : tensor<f32>
}
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  %l, %g = nova.value_and_grad @loss(%x) wrt [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %g : tensor<f32>
}
