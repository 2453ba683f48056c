// RUN: nova-opt %s --nova-build-train-step --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a function @loss that returns the loss; name another one by function=NAME}}
module {
  nova.parameter @w : tensor<4xf32> = #nova.constant<1.0>
}

// -----

// expected-error @+1 {{'func.func' op expected the module to have a nova.parameter that can be trained, found none}}
func.func @loss(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

nova.parameter @w : tensor<4xf32> = #nova.constant<1.0>
// expected-error @+1 {{'func.func' op expected the loss to be a scalar float such as tensor<f32>, found 'tensor<4xf32>'; reduce it, for example with nova.reduce mean}}
func.func @loss() -> tensor<4xf32> {
  %w = nova.read @w : tensor<4xf32>
  return %w : tensor<4xf32>
}

// -----

nova.parameter @w : tensor<4xf32> = #nova.constant<1.0>
// expected-error @+1 {{'func.func' op expected the loss to be a scalar float such as tensor<f32>, found 'tensor<i32>'; reduce it, for example with nova.reduce mean}}
func.func @loss(%x: tensor<i32>) -> tensor<i32> {
  return %x : tensor<i32>
}

// -----

nova.parameter @w : tensor<f32> = #nova.constant<1.0>
// expected-error @+1 {{'func.func' op expected the loss function to have one result, the loss, found 2}}
func.func @loss() -> (tensor<f32>, tensor<f32>) {
  %w = nova.read @w : tensor<f32>
  return %w, %w : tensor<f32>, tensor<f32>
}

// -----

nova.parameter @w : tensor<f32> = #nova.constant<1.0>
func.func @loss() -> tensor<f32> {
  %w = nova.read @w : tensor<f32>
  return %w : tensor<f32>
}
// expected-error @+1 {{expected no @train_step yet: it is the name of a function to be made}}
func.func @train_step(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

nova.parameter @w : tensor<f32> = #nova.constant<1.0>
// expected-error @+1 {{'func.func' op is used elsewhere, but takes its parameters as arguments from here on; give the other user a copy of it}}
func.func @loss() -> tensor<f32> {
  %w = nova.read @w : tensor<f32>
  return %w : tensor<f32>
}
func.func @evaluate() -> tensor<f32> {
  %l = call @loss() : () -> tensor<f32> // expected-note {{used here}}
  return %l : tensor<f32>
}

// -----

nova.parameter @w : tensor<f32> = #nova.constant<1.0>
// expected-error @+1 {{expected function @loss to have a body of one block, found 2; write branches as nova.select}}
func.func @loss() -> tensor<f32> {
  %w = nova.read @w : tensor<f32>
  cf.br ^end
^end:
  return %w : tensor<f32>
}

// -----

nova.parameter @w : tensor<f32> = #nova.constant<1.0>
func.func @loss() -> tensor<f32> {
  %w = nova.read @w : tensor<f32>
  %y = call @other(%w) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
func.func @other(%x: tensor<f32>) -> tensor<f32> {
  %y = call @other(%x) : (tensor<f32>) -> tensor<f32> // expected-error {{function @other calls itself, so that its calls have no end}}
  return %y : tensor<f32>
}

// -----

nova.parameter @w : tensor<f32> = #nova.constant<1.0>
// expected-error @+1 {{'func.func' op expected argument 0 to have the nova.role data, seed or step, found lr}}
func.func @loss(%x: tensor<f32> {nova.role = "lr"}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

nova.parameter @w : tensor<f32> = #nova.constant<1.0>
// expected-error @+1 {{'func.func' op expected the seed to be a tensor<i64>, found 'tensor<i32>'}}
func.func @loss(%x: tensor<f32>, %seed: tensor<i32> {nova.role = "seed"}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

nova.parameter @w : tensor<f32> = #nova.constant<1.0>
// expected-error @+1 {{'func.func' op expected one argument of the nova.role step, found several}}
func.func @loss(%x: tensor<f32>, %s: tensor<i64> {nova.role = "step"}, %t: tensor<i64> {nova.role = "step"}) -> tensor<f32> {
  return %x : tensor<f32>
}
