// RUN: nova-opt %s --nova-plan-memory --verify-diagnostics

// expected-error @below {{'nova.kernel' op is not tiled; run --nova-tile first}}
nova.kernel @exp_4(%x: tensor<4xf32>) -> tensor<4xf32> family elementwise {
  %0 = nova.exp %x : tensor<4xf32>
  nova.return %0 : tensor<4xf32>
}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nova.launch @exp_4(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
