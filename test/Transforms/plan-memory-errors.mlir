// RUN: nova-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(nova.kernel(nova-select-kernel-config,nova-tile,cse),nova-plan-memory)"

nova.kernel @exp_4(%x: tensor<4xf32>) -> tensor<4xf32> family elementwise {
  %0 = nova.exp %x : tensor<4xf32>
  nova.return %0 : tensor<4xf32>
}
// The argument is read after the result has taken its place.
func.func @late(%p: tensor<4xf32> {nova.role = "parameter", nova.name = "p", nova.donated = 0 : i64})
    -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = nova.launch @exp_4(%p) : (tensor<4xf32>) -> tensor<4xf32> // expected-error {{'nova.launch' op writes over a tensor that a later launch reads; run --nova-form-kernels, which copies what must stay}}
  %1 = nova.launch @exp_4(%p) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

nova.kernel @transpose(%x: tensor<4x4xf32>) -> tensor<4x4xf32> family index {
  %0 = nova.transpose %x [1, 0] : tensor<4x4xf32>
  nova.return %0 : tensor<4x4xf32>
}
// The argument is not read where the result is written.
func.func @elsewhere(%p: tensor<4x4xf32> {nova.role = "parameter", nova.name = "p", nova.donated = 0 : i64})
    -> tensor<4x4xf32> {
  %0 = nova.launch @transpose(%p) : (tensor<4x4xf32>) -> tensor<4x4xf32> // expected-error {{'nova.launch' op writes over a tensor that it reads}}
  return %0 : tensor<4x4xf32>
}

// -----

// Two places for one result.
// expected-error @below {{result 0 cannot lie where argument 1 lies, which it replaces; run --nova-form-kernels, which copies it}}
func.func @two_places(%p: tensor<4xf32> {nova.role = "parameter", nova.name = "p", nova.donated = 0 : i64},
                      %q: tensor<4xf32> {nova.role = "parameter", nova.name = "q", nova.donated = 0 : i64},
                      %r: tensor<4xf32> {nova.role = "parameter", nova.name = "r"}) -> tensor<4xf32> {
  %0 = nova.concat %p, %q, %r axis = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>
  return %p : tensor<4xf32>
}

// -----

func.func @twice(%p: tensor<4xf32>) -> tensor<8xf32> {
  %0 = nova.concat %p, %p axis = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32> // expected-error {{'nova.concat' op cannot lie where its operand 1 lies: the operand has a place already; run --nova-form-kernels, which copies it}}
  return %0 : tensor<8xf32>
}

// -----

func.func @computes(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nova.exp %x : tensor<4xf32> // expected-error {{'nova.exp' op has no place between launches; run --nova-form-kernels first}}
  return %0 : tensor<4xf32>
}

// -----

nova.parameter @p : tensor<8xf32> = #nova.constant<0.0>
// expected-error @below {{expected argument 0 to have the 32 bytes of the "parameter" "p" elsewhere, found 16}}
func.func @sizes(%p: tensor<4xf32> {nova.role = "parameter", nova.name = "p"}) {
  return
}

// -----

// expected-error @below {{expected argument 0 of the state to have a nova.name}}
func.func @nameless(%p: tensor<4xf32> {nova.role = "parameter"}) {
  return
}
