// RUN: nova-opt %s --nova-autodiff --canonicalize | FileCheck %s

// What the gradient of each Transformer op is. %w is the gradient of the result.

!matrix = tensor<2x3xf32>
!row = tensor<3xf32>
!scalar = tensor<f32>
!heads = tensor<2x2x8x4xf32>

func.func private @attention(%q: !heads, %k: !heads, %v: !heads, %w: !heads) -> !scalar {
  %y, %lse = nova.attention %q, %k, %v {causal, scale = 0.5} : !heads, !heads, !heads
  %z = nova.mul %y, %w : !heads, !heads
  %l = nova.reduce sum %z over [0, 1, 2, 3] : !heads
  return %l : !scalar
}
// CHECK-LABEL: func.func @attention_gradient(
// CHECK-SAME: [[Q:%[^:]+]]: {{[^,]+}}, [[K:%[^:]+]]: {{[^,]+}}, [[V:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]], [[B:%.+]] = nova.attention [[Q]], [[K]], [[V]] {causal, scale = 5.000000e-01 : f64}
// CHECK-NEXT: [[C:%.+]], [[D:%.+]], [[E:%.+]] = nova.attention_grad [[DY]], [[Q]], [[K]], [[V]], [[A]], [[B]] {causal, scale = 5.000000e-01 : f64}
// CHECK-NEXT: return [[C]], [[D]], [[E]]
func.func @attention_gradient(%q: !heads, %k: !heads, %v: !heads, %w: !heads) -> (!heads, !heads, !heads) {
  %l, %dq, %dk, %dv = nova.value_and_grad @attention(%q, %k, %v, %w) wrt [0, 1, 2]
    : (!heads, !heads, !heads, !heads) -> (!scalar, !heads, !heads, !heads)
  return %dq, %dk, %dv : !heads, !heads, !heads
}

func.func private @layer_norm(%x: !matrix, %g: !row, %b: !row, %w: !matrix) -> !scalar {
  %y = nova.layer_norm %x, %g, %b {eps = 1.0e-6} : !matrix, !row, !row
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @layer_norm_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[G:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]], [[C:%.+]], [[D:%.+]] = nova.layer_norm_grad [[DY]], [[X]], [[G]] {eps = 9.9999999999999995E-7 : f64}
// CHECK-NEXT: return [[A]], [[C]], [[D]]
func.func @layer_norm_gradient(%x: !matrix, %g: !row, %b: !row, %w: !matrix) -> (!matrix, !row, !row) {
  %l, %dx, %dg, %db = nova.value_and_grad @layer_norm(%x, %g, %b, %w) wrt [0, 1, 2]
    : (!matrix, !row, !row, !matrix) -> (!scalar, !matrix, !row, !row)
  return %dx, %dg, %db : !matrix, !row, !row
}

func.func private @cross_entropy(%x: tensor<4x9xf32>, %t: tensor<4xi32>, %w: !scalar) -> !scalar {
  %y = nova.cross_entropy %x, %t {ignore_index = 0} : tensor<4x9xf32>, tensor<4xi32>
  %l = nova.mul %y, %w : !scalar, !scalar
  return %l : !scalar
}
// CHECK-LABEL: func.func @cross_entropy_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[T:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.cross_entropy_grad [[DY]], [[X]], [[T]] {ignore_index = 0 : i64}
// CHECK-NEXT: return [[A]]
func.func @cross_entropy_gradient(%x: tensor<4x9xf32>, %t: tensor<4xi32>, %w: !scalar) -> tensor<4x9xf32> {
  %l, %dx = nova.value_and_grad @cross_entropy(%x, %t, %w) wrt [0]
    : (tensor<4x9xf32>, tensor<4xi32>, !scalar) -> (!scalar, tensor<4x9xf32>)
  return %dx : tensor<4x9xf32>
}

func.func private @cross_entropy_rows(%x: tensor<4x9xf32>, %t: tensor<4xi32>, %w: tensor<4xf32>) -> !scalar {
  %y = nova.cross_entropy %x, %t {reduction = #nova.reduction<none>} : tensor<4x9xf32>, tensor<4xi32>
  %z = nova.mul %y, %w : tensor<4xf32>, tensor<4xf32>
  %l = nova.reduce sum %z over [0] : tensor<4xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @cross_entropy_rows_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[T:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.cross_entropy_grad [[DY]], [[X]], [[T]] {reduction = #nova.reduction<none>}
// CHECK-NEXT: return [[A]]
func.func @cross_entropy_rows_gradient(%x: tensor<4x9xf32>, %t: tensor<4xi32>, %w: tensor<4xf32>) -> tensor<4x9xf32> {
  %l, %dx = nova.value_and_grad @cross_entropy_rows(%x, %t, %w) wrt [0]
    : (tensor<4x9xf32>, tensor<4xi32>, tensor<4xf32>) -> (!scalar, tensor<4x9xf32>)
  return %dx : tensor<4x9xf32>
}
