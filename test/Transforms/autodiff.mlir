// RUN: nova-opt %s --nova-autodiff | FileCheck %s

!v = tensor<4xf32>
!s = tensor<f32>

// The example of the pass description.
func.func @dot(%w: !v, %x: !v) -> !s {
  %y = nova.mul %w, %x : !v, !v
  %l = nova.reduce sum %y over [0] : !v
  return %l : !s
}
// CHECK-LABEL: func.func @dot_gradient
// CHECK-SAME: ([[W:%.+]]: tensor<4xf32>, [[X:%.+]]: tensor<4xf32>)
// CHECK-NEXT: [[Y:%.+]] = nova.mul [[W]], [[X]] : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: [[L:%.+]] = nova.reduce sum [[Y]] over [0] : tensor<4xf32>
// CHECK-NEXT: [[ONE:%.+]] = nova.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: [[DY:%.+]] = nova.broadcast_in_dim [[ONE]] dims = [] : tensor<f32> -> tensor<4xf32>
// CHECK-NEXT: [[DW:%.+]] = nova.mul [[DY]], [[X]] : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: return [[L]], [[DW]] : tensor<f32>, tensor<4xf32>
func.func @dot_gradient(%w: !v, %x: !v) -> (!s, !v) {
  %l, %g = nova.value_and_grad @dot(%w, %x) wrt [0] : (!v, !v) -> (!s, !v)
  return %l, %g : !s, !v
}

// A value used several times adds up its gradients, the last use first; dead forward ops go.
func.func private @uses(%x: !v, %t: !v) -> !s {
  %e = nova.exp %x : !v
  %p = nova.add %e, %x : !v, !v
  %q = nova.add %p, %t : !v, !v
  %l = nova.reduce sum %q over [0] : !v
  return %l : !s
}
// CHECK-LABEL: func.func @uses_gradient
// CHECK-SAME: ([[X:%.+]]: tensor<4xf32>, {{%.+}}: tensor<4xf32>)
// CHECK-NEXT: [[E:%.+]] = nova.exp [[X]]
// CHECK-NEXT: [[ONE:%.+]] = nova.constant
// CHECK-NEXT: [[DP:%.+]] = nova.broadcast_in_dim [[ONE]]
// CHECK-NEXT: [[DE:%.+]] = nova.mul [[DP]], [[E]]
// CHECK-NEXT: [[DX:%.+]] = nova.add [[DP]], [[DE]]
// CHECK-NEXT: return [[DX]]
func.func @uses_gradient(%x: !v, %t: !v) -> !v {
  %l, %g = nova.value_and_grad @uses(%x, %t) wrt [0] : (!v, !v) -> (!s, !v)
  return %g : !v
}

// A tied embedding: the product with it as classifier and the lookup in it both contribute.
func.func private @tied(%table: tensor<9x4xf32>, %tokens: tensor<3xi32>) -> !s {
  %x = nova.gather %table[%tokens] : tensor<9x4xf32>, tensor<3xi32>
  %z = nova.matmul %x, %table {transpose_rhs} : tensor<3x4xf32>, tensor<9x4xf32>
  %l = nova.cross_entropy %z, %tokens : tensor<3x9xf32>, tensor<3xi32>
  return %l : !s
}
// CHECK-LABEL: func.func @tied_gradient
// CHECK-SAME: ([[TABLE:%.+]]: tensor<9x4xf32>, [[TOKENS:%.+]]: tensor<3xi32>)
// CHECK-NEXT: [[X:%.+]] = nova.gather [[TABLE]]{{\[}}[[TOKENS]]]
// CHECK-NEXT: [[Z:%.+]] = nova.matmul [[X]], [[TABLE]] {transpose_rhs}
// CHECK-NEXT: [[ONE:%.+]] = nova.constant
// CHECK-NEXT: [[DZ:%.+]] = nova.cross_entropy_grad [[ONE]], [[Z]], [[TOKENS]]
// CHECK-NEXT: [[DX:%.+]] = nova.matmul [[DZ]], [[TABLE]]
// CHECK-NEXT: [[HEAD:%.+]] = nova.matmul [[DZ]], [[X]] {transpose_lhs}
// CHECK-NEXT: [[ZEROS:%.+]] = nova.constant dense<0.000000e+00> : tensor<9x4xf32>
// CHECK-NEXT: [[LOOKUP:%.+]] = nova.scatter_add [[ZEROS]]{{\[}}[[TOKENS]]], [[DX]]
// CHECK-NEXT: [[DTABLE:%.+]] = nova.add [[HEAD]], [[LOOKUP]]
// CHECK-NEXT: return [[DTABLE]]
func.func @tied_gradient(%table: tensor<9x4xf32>, %tokens: tensor<3xi32>) -> tensor<9x4xf32> {
  %l, %g = nova.value_and_grad @tied(%table, %tokens) wrt [0]
    : (tensor<9x4xf32>, tensor<3xi32>) -> (!s, tensor<9x4xf32>)
  return %g : tensor<9x4xf32>
}

// One value passed as two arguments: each has its own gradient.
// CHECK-LABEL: func.func @same_value_twice
// CHECK-SAME: ([[X:%.+]]: tensor<4xf32>, [[S:%.+]]: tensor<4xf32>)
// CHECK: [[DY:%.+]] = nova.broadcast_in_dim
// CHECK: [[DX:%.+]] = nova.mul [[DY]], [[X]]
// CHECK: [[DW:%.+]] = nova.mul [[DY]], [[X]]
// CHECK: return [[DX]], [[DW]]
func.func @same_value_twice(%x: !v, %s: !v) -> (!v, !v) {
  %l, %g:2 = nova.value_and_grad @dot(%x, %x) wrt [0, 1] : (!v, !v) -> (!s, !v, !v)
  return %g#0, %g#1 : !v, !v
}

// Without influence on the loss: zeros, also where the way leads through integers.
func.func private @no_influence(%x: !v, %unused: !v, %counted: !v) -> !s {
  %c = nova.cast %counted : !v -> tensor<4xi32>
  %f = nova.cast %c : tensor<4xi32> -> !v
  %y = nova.mul %x, %f : !v, !v
  %l = nova.reduce sum %y over [0] : !v
  return %l : !s
}
// CHECK-LABEL: func.func @no_influence_gradient
// CHECK: [[UNUSED:%.+]] = nova.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: [[COUNTED:%.+]] = nova.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: return [[UNUSED]], [[COUNTED]]
func.func @no_influence_gradient(%x: !v, %unused: !v, %counted: !v) -> (!v, !v) {
  %l, %g:2 = nova.value_and_grad @no_influence(%x, %unused, %counted) wrt [1, 2] : (!v, !v, !v) -> (!s, !v, !v)
  return %g#0, %g#1 : !v, !v
}

// Ops without a gradient are no obstacle beside the way from the argument to the loss.
func.func private @mask(%x: !v) -> !s {
  %zero = nova.constant dense<0.0> : !s
  %c = nova.compare gt %x, %zero : !v, !s
  %y = nova.select %c, %x, %zero : tensor<4xi1>, !v, !s
  %l = nova.reduce sum %y over [0] : !v
  return %l : !s
}
// CHECK-LABEL: func.func @mask_gradient
// CHECK: [[C:%.+]] = nova.compare gt
// CHECK: [[DX:%.+]] = nova.select [[C]]
// CHECK: return [[DX]]
func.func @mask_gradient(%x: !v) -> !v {
  %l, %g = nova.value_and_grad @mask(%x) wrt [0] : (!v) -> (!s, !v)
  return %g : !v
}

// Calls are inlined, also in a row.
func.func private @helper(%x: !v) -> (!v, !v) {
  %e = nova.exp %x : !v
  return %e, %x : !v, !v
}
func.func private @outer_helper(%x: !v) -> !v {
  %e, %same = call @helper(%x) : (!v) -> (!v, !v)
  %y = nova.mul %e, %same : !v, !v
  return %y : !v
}
func.func private @calls(%x: !v) -> !s {
  %y = call @outer_helper(%x) : (!v) -> !v
  %l = nova.reduce sum %y over [0] : !v
  return %l : !s
}
// CHECK-LABEL: func.func @calls_gradient
// CHECK-SAME: ([[X:%.+]]: tensor<4xf32>)
// CHECK-NEXT: [[E:%.+]] = nova.exp [[X]]
// CHECK-NEXT: [[ONE:%.+]] = nova.constant
// CHECK-NEXT: [[DY:%.+]] = nova.broadcast_in_dim [[ONE]]
// CHECK-NEXT: [[DE:%.+]] = nova.mul [[DY]], [[X]]
// CHECK-NEXT: [[DX0:%.+]] = nova.mul [[DY]], [[E]]
// CHECK-NEXT: [[DX1:%.+]] = nova.mul [[DE]], [[E]]
// CHECK-NEXT: [[DX:%.+]] = nova.add [[DX0]], [[DX1]]
// CHECK-NEXT: return [[DX]]
func.func @calls_gradient(%x: !v) -> !v {
  %l, %g = nova.value_and_grad @calls(%x) wrt [0] : (!v) -> (!s, !v)
  return %g : !v
}

// The loss may be an argument itself; further results of the function are no losses.
func.func private @trivial(%x: !s, %y: !v) -> (!s, !v) {
  return %x, %y : !s, !v
}
// CHECK-LABEL: func.func @trivial_gradient
// CHECK-SAME: ([[X:%.+]]: tensor<f32>, [[Y:%.+]]: tensor<4xf32>)
// CHECK-NEXT: [[ONE:%.+]] = nova.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: [[ZEROS:%.+]] = nova.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: return [[X]], [[Y]], [[ONE]], [[ZEROS]]
func.func @trivial_gradient(%x: !s, %y: !v) -> (!s, !v, !s, !v) {
  %l, %z, %g:2 = nova.value_and_grad @trivial(%x, %y) wrt [0, 1] : (!s, !v) -> (!s, !v, !s, !v)
  return %l, %z, %g#0, %g#1 : !s, !v, !s, !v
}
