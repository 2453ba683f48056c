// RUN: nova-opt %s --nova-autodiff --canonicalize | FileCheck %s

// What the gradient of each reduction and of matmul is. %w is the gradient of the result.

!matrix = tensor<2x3xf32>
!row = tensor<3xf32>
!scalar = tensor<f32>
!cube = tensor<2x3x4xf32>

func.func private @sum(%x: !cube, %w: !row) -> !scalar {
  %y = nova.reduce sum %x over [0, 2] : !cube
  %z = nova.mul %y, %w : !row, !row
  %l = nova.reduce sum %z over [0] : !row
  return %l : !scalar
}
// CHECK-LABEL: func.func @sum_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.broadcast_in_dim [[DY]] dims = [1] : tensor<3xf32> -> tensor<2x3x4xf32>
// CHECK-NEXT: return [[A]]
func.func @sum_gradient(%x: !cube, %w: !row) -> !cube {
  %l, %dx = nova.value_and_grad @sum(%x, %w) wrt [0]
    : (!cube, !row) -> (!scalar, !cube)
  return %dx : !cube
}

func.func private @sum_keep_dims(%x: !cube, %w: tensor<2x1x4xf32>) -> !scalar {
  %y = nova.reduce sum %x over [1] {keep_dims} : !cube
  %z = nova.mul %y, %w : tensor<2x1x4xf32>, tensor<2x1x4xf32>
  %l = nova.reduce sum %z over [0, 1, 2] : tensor<2x1x4xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @sum_keep_dims_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.broadcast_in_dim [[DY]] dims = [0, 1, 2] : tensor<2x1x4xf32> -> tensor<2x3x4xf32>
// CHECK-NEXT: return [[A]]
func.func @sum_keep_dims_gradient(%x: !cube, %w: tensor<2x1x4xf32>) -> !cube {
  %l, %dx = nova.value_and_grad @sum_keep_dims(%x, %w) wrt [0]
    : (!cube, tensor<2x1x4xf32>) -> (!scalar, !cube)
  return %dx : !cube
}

func.func private @mean(%x: !cube, %w: !row) -> !scalar {
  %y = nova.reduce mean %x over [0, 2] : !cube
  %z = nova.mul %y, %w : !row, !row
  %l = nova.reduce sum %z over [0] : !row
  return %l : !scalar
}
// CHECK-LABEL: func.func @mean_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.constant dense<1.250000e-01> : tensor<f32>
// CHECK-NEXT: [[B:%.+]] = nova.mul [[DY]], [[A]]
// CHECK-NEXT: [[C:%.+]] = nova.broadcast_in_dim [[B]] dims = [1] : tensor<3xf32> -> tensor<2x3x4xf32>
// CHECK-NEXT: return [[C]]
func.func @mean_gradient(%x: !cube, %w: !row) -> !cube {
  %l, %dx = nova.value_and_grad @mean(%x, %w) wrt [0]
    : (!cube, !row) -> (!scalar, !cube)
  return %dx : !cube
}

// Equal elements share the gradient evenly.
func.func private @max(%x: !cube, %w: !matrix) -> !scalar {
  %y = nova.reduce max %x over [2] : !cube
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @max_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.reduce max [[X]] over [2]
// CHECK-NEXT: [[B:%.+]] = nova.reshape [[A]] : tensor<2x3xf32> -> tensor<2x3x1xf32>
// CHECK-NEXT: [[C:%.+]] = nova.compare eq [[X]], [[B]]
// CHECK-NEXT: [[D:%.+]] = nova.cast [[C]] : tensor<2x3x4xi1> -> tensor<2x3x4xf32>
// CHECK-NEXT: [[E:%.+]] = nova.reshape [[DY]] : tensor<2x3xf32> -> tensor<2x3x1xf32>
// CHECK-NEXT: [[F:%.+]] = nova.reduce sum [[D]] over [2] {keep_dims}
// CHECK-NEXT: [[G:%.+]] = nova.div [[E]], [[F]]
// CHECK-NEXT: [[H:%.+]] = nova.mul [[D]], [[G]]
// CHECK-NEXT: return [[H]]
func.func @max_gradient(%x: !cube, %w: !matrix) -> !cube {
  %l, %dx = nova.value_and_grad @max(%x, %w) wrt [0]
    : (!cube, !matrix) -> (!scalar, !cube)
  return %dx : !cube
}

func.func private @min(%x: !cube, %w: tensor<2x3x1xf32>) -> !scalar {
  %y = nova.reduce min %x over [2] {keep_dims} : !cube
  %z = nova.mul %y, %w : tensor<2x3x1xf32>, tensor<2x3x1xf32>
  %l = nova.reduce sum %z over [0, 1, 2] : tensor<2x3x1xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @min_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.reduce min [[X]] over [2] {keep_dims}
// CHECK-NEXT: [[B:%.+]] = nova.compare eq [[X]], [[A]]
// CHECK-NEXT: [[C:%.+]] = nova.cast [[B]] : tensor<2x3x4xi1> -> tensor<2x3x4xf32>
// CHECK-NEXT: [[D:%.+]] = nova.reduce sum [[C]] over [2] {keep_dims}
// CHECK-NEXT: [[E:%.+]] = nova.div [[DY]], [[D]]
// CHECK-NEXT: [[F:%.+]] = nova.mul [[C]], [[E]]
// CHECK-NEXT: return [[F]]
func.func @min_gradient(%x: !cube, %w: tensor<2x3x1xf32>) -> !cube {
  %l, %dx = nova.value_and_grad @min(%x, %w) wrt [0]
    : (!cube, tensor<2x3x1xf32>) -> (!scalar, !cube)
  return %dx : !cube
}

// Correct with zeros: the product of the other elements is computed without a division by zero.
func.func private @product(%x: !cube, %w: !matrix) -> !scalar {
  %y = nova.reduce product %x over [2] : !cube
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @product_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: [[B:%.+]] = nova.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: [[C:%.+]] = nova.compare eq [[X]], [[A]]
// CHECK-NEXT: [[D:%.+]] = nova.select [[C]], [[B]], [[X]]
// CHECK-NEXT: [[E:%.+]] = nova.cast [[C]] : tensor<2x3x4xi1> -> tensor<2x3x4xf32>
// CHECK-NEXT: [[F:%.+]] = nova.reduce sum [[E]] over [2] {keep_dims}
// CHECK-NEXT: [[G:%.+]] = nova.sub [[F]], [[E]]
// CHECK-NEXT: [[H:%.+]] = nova.reduce product [[D]] over [2] {keep_dims}
// CHECK-NEXT: [[I:%.+]] = nova.div [[H]], [[D]]
// CHECK-NEXT: [[J:%.+]] = nova.reshape [[DY]] : tensor<2x3xf32> -> tensor<2x3x1xf32>
// CHECK-NEXT: [[K:%.+]] = nova.compare gt [[G]], [[A]]
// CHECK-NEXT: [[L:%.+]] = nova.select [[K]], [[A]], [[I]]
// CHECK-NEXT: [[M:%.+]] = nova.mul [[J]], [[L]]
// CHECK-NEXT: return [[M]]
func.func @product_gradient(%x: !cube, %w: !matrix) -> !cube {
  %l, %dx = nova.value_and_grad @product(%x, %w) wrt [0]
    : (!cube, !matrix) -> (!scalar, !cube)
  return %dx : !cube
}

func.func private @softmax(%x: !matrix, %w: !matrix) -> !scalar {
  %y = nova.softmax %x {axis = 0} : !matrix
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @softmax_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.softmax [[X]] {axis = 0 : i64}
// CHECK-NEXT: [[B:%.+]] = nova.softmax_grad [[DY]], [[A]] {axis = 0 : i64}
// CHECK-NEXT: return [[B]]
func.func @softmax_gradient(%x: !matrix, %w: !matrix) -> !matrix {
  %l, %dx = nova.value_and_grad @softmax(%x, %w) wrt [0]
    : (!matrix, !matrix) -> (!scalar, !matrix)
  return %dx : !matrix
}

// Transposes are flags, whatever the flags of the op.
func.func private @matmul_nn(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %w: tensor<4x6xf32>) -> !scalar {
  %y = nova.matmul %a, %b : tensor<4x5xf32>, tensor<5x6xf32>
  %z = nova.mul %y, %w : tensor<4x6xf32>, tensor<4x6xf32>
  %l = nova.reduce sum %z over [0, 1] : tensor<4x6xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @matmul_nn_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.matmul [[DY]], [[B]] {transpose_rhs}
// CHECK-NEXT: [[D:%.+]] = nova.matmul [[A]], [[DY]] {transpose_lhs}
// CHECK-NEXT: return [[C]], [[D]]
func.func @matmul_nn_gradient(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %w: tensor<4x6xf32>)
    -> (tensor<4x5xf32>, tensor<5x6xf32>) {
  %l, %da, %db = nova.value_and_grad @matmul_nn(%a, %b, %w) wrt [0, 1]
    : (tensor<4x5xf32>, tensor<5x6xf32>, tensor<4x6xf32>) -> (!scalar, tensor<4x5xf32>, tensor<5x6xf32>)
  return %da, %db : tensor<4x5xf32>, tensor<5x6xf32>
}

func.func private @matmul_nt(%a: tensor<4x5xf32>, %b: tensor<6x5xf32>, %w: tensor<4x6xf32>) -> !scalar {
  %y = nova.matmul %a, %b {transpose_rhs} : tensor<4x5xf32>, tensor<6x5xf32>
  %z = nova.mul %y, %w : tensor<4x6xf32>, tensor<4x6xf32>
  %l = nova.reduce sum %z over [0, 1] : tensor<4x6xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @matmul_nt_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.matmul [[DY]], [[B]]
// CHECK-NEXT: [[D:%.+]] = nova.matmul [[DY]], [[A]] {transpose_lhs}
// CHECK-NEXT: return [[C]], [[D]]
func.func @matmul_nt_gradient(%a: tensor<4x5xf32>, %b: tensor<6x5xf32>, %w: tensor<4x6xf32>)
    -> (tensor<4x5xf32>, tensor<6x5xf32>) {
  %l, %da, %db = nova.value_and_grad @matmul_nt(%a, %b, %w) wrt [0, 1]
    : (tensor<4x5xf32>, tensor<6x5xf32>, tensor<4x6xf32>) -> (!scalar, tensor<4x5xf32>, tensor<6x5xf32>)
  return %da, %db : tensor<4x5xf32>, tensor<6x5xf32>
}

func.func private @matmul_tn(%a: tensor<5x4xf32>, %b: tensor<5x6xf32>, %w: tensor<4x6xf32>) -> !scalar {
  %y = nova.matmul %a, %b {transpose_lhs} : tensor<5x4xf32>, tensor<5x6xf32>
  %z = nova.mul %y, %w : tensor<4x6xf32>, tensor<4x6xf32>
  %l = nova.reduce sum %z over [0, 1] : tensor<4x6xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @matmul_tn_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.matmul [[B]], [[DY]] {transpose_rhs}
// CHECK-NEXT: [[D:%.+]] = nova.matmul [[A]], [[DY]]
// CHECK-NEXT: return [[C]], [[D]]
func.func @matmul_tn_gradient(%a: tensor<5x4xf32>, %b: tensor<5x6xf32>, %w: tensor<4x6xf32>)
    -> (tensor<5x4xf32>, tensor<5x6xf32>) {
  %l, %da, %db = nova.value_and_grad @matmul_tn(%a, %b, %w) wrt [0, 1]
    : (tensor<5x4xf32>, tensor<5x6xf32>, tensor<4x6xf32>) -> (!scalar, tensor<5x4xf32>, tensor<5x6xf32>)
  return %da, %db : tensor<5x4xf32>, tensor<5x6xf32>
}

func.func private @matmul_tt(%a: tensor<5x4xf32>, %b: tensor<6x5xf32>, %w: tensor<4x6xf32>) -> !scalar {
  %y = nova.matmul %a, %b {transpose_lhs, transpose_rhs} : tensor<5x4xf32>, tensor<6x5xf32>
  %z = nova.mul %y, %w : tensor<4x6xf32>, tensor<4x6xf32>
  %l = nova.reduce sum %z over [0, 1] : tensor<4x6xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @matmul_tt_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.matmul [[B]], [[DY]] {transpose_lhs, transpose_rhs}
// CHECK-NEXT: [[D:%.+]] = nova.matmul [[DY]], [[A]] {transpose_lhs, transpose_rhs}
// CHECK-NEXT: return [[C]], [[D]]
func.func @matmul_tt_gradient(%a: tensor<5x4xf32>, %b: tensor<6x5xf32>, %w: tensor<4x6xf32>)
    -> (tensor<5x4xf32>, tensor<6x5xf32>) {
  %l, %da, %db = nova.value_and_grad @matmul_tt(%a, %b, %w) wrt [0, 1]
    : (tensor<5x4xf32>, tensor<6x5xf32>, tensor<4x6xf32>) -> (!scalar, tensor<5x4xf32>, tensor<6x5xf32>)
  return %da, %db : tensor<5x4xf32>, tensor<6x5xf32>
}

// A weight's gradient is one product over the rows of all batches.
func.func private @matmul_weight(%a: tensor<2x7x4x5xf32>, %b: tensor<5x6xf32>, %w: tensor<2x7x4x6xf32>) -> !scalar {
  %y = nova.matmul %a, %b : tensor<2x7x4x5xf32>, tensor<5x6xf32>
  %z = nova.mul %y, %w : tensor<2x7x4x6xf32>, tensor<2x7x4x6xf32>
  %l = nova.reduce sum %z over [0, 1, 2, 3] : tensor<2x7x4x6xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @matmul_weight_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.matmul [[DY]], [[B]] {transpose_rhs}
// CHECK-NEXT: [[D:%.+]] = nova.reshape [[A]] : tensor<2x7x4x5xf32> -> tensor<56x5xf32>
// CHECK-NEXT: [[E:%.+]] = nova.reshape [[DY]] : tensor<2x7x4x6xf32> -> tensor<56x6xf32>
// CHECK-NEXT: [[F:%.+]] = nova.matmul [[D]], [[E]] {transpose_lhs}
// CHECK-NEXT: return [[C]], [[F]]
func.func @matmul_weight_gradient(%a: tensor<2x7x4x5xf32>, %b: tensor<5x6xf32>, %w: tensor<2x7x4x6xf32>)
    -> (tensor<2x7x4x5xf32>, tensor<5x6xf32>) {
  %l, %da, %db = nova.value_and_grad @matmul_weight(%a, %b, %w) wrt [0, 1]
    : (tensor<2x7x4x5xf32>, tensor<5x6xf32>, tensor<2x7x4x6xf32>) -> (!scalar, tensor<2x7x4x5xf32>, tensor<5x6xf32>)
  return %da, %db : tensor<2x7x4x5xf32>, tensor<5x6xf32>
}

func.func private @matmul_weight_transposed(%a: tensor<2x4x5xf32>, %b: tensor<6x5xf32>, %w: tensor<2x4x6xf32>)
    -> !scalar {
  %y = nova.matmul %a, %b {transpose_rhs} : tensor<2x4x5xf32>, tensor<6x5xf32>
  %z = nova.mul %y, %w : tensor<2x4x6xf32>, tensor<2x4x6xf32>
  %l = nova.reduce sum %z over [0, 1, 2] : tensor<2x4x6xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @matmul_weight_transposed_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.matmul [[DY]], [[B]]
// CHECK-NEXT: [[D:%.+]] = nova.reshape [[A]] : tensor<2x4x5xf32> -> tensor<8x5xf32>
// CHECK-NEXT: [[E:%.+]] = nova.reshape [[DY]] : tensor<2x4x6xf32> -> tensor<8x6xf32>
// CHECK-NEXT: [[F:%.+]] = nova.matmul [[E]], [[D]] {transpose_lhs}
// CHECK-NEXT: return [[C]], [[F]]
func.func @matmul_weight_transposed_gradient(%a: tensor<2x4x5xf32>, %b: tensor<6x5xf32>, %w: tensor<2x4x6xf32>)
    -> (tensor<2x4x5xf32>, tensor<6x5xf32>) {
  %l, %da, %db = nova.value_and_grad @matmul_weight_transposed(%a, %b, %w) wrt [0, 1]
    : (tensor<2x4x5xf32>, tensor<6x5xf32>, tensor<2x4x6xf32>) -> (!scalar, tensor<2x4x5xf32>, tensor<6x5xf32>)
  return %da, %db : tensor<2x4x5xf32>, tensor<6x5xf32>
}

// An axis of size 1 is no batch.
func.func private @matmul_weight_kept_axis(%a: tensor<2x4x5xf32>, %b: tensor<1x5x6xf32>, %w: tensor<2x4x6xf32>)
    -> !scalar {
  %y = nova.matmul %a, %b : tensor<2x4x5xf32>, tensor<1x5x6xf32>
  %z = nova.mul %y, %w : tensor<2x4x6xf32>, tensor<2x4x6xf32>
  %l = nova.reduce sum %z over [0, 1, 2] : tensor<2x4x6xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @matmul_weight_kept_axis_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.matmul [[DY]], [[B]] {transpose_rhs}
// CHECK-NEXT: [[D:%.+]] = nova.reshape [[A]] : tensor<2x4x5xf32> -> tensor<8x5xf32>
// CHECK-NEXT: [[E:%.+]] = nova.reshape [[DY]] : tensor<2x4x6xf32> -> tensor<8x6xf32>
// CHECK-NEXT: [[F:%.+]] = nova.matmul [[D]], [[E]] {transpose_lhs}
// CHECK-NEXT: [[G:%.+]] = nova.reshape [[F]] : tensor<5x6xf32> -> tensor<1x5x6xf32>
// CHECK-NEXT: return [[C]], [[G]]
func.func @matmul_weight_kept_axis_gradient(%a: tensor<2x4x5xf32>, %b: tensor<1x5x6xf32>, %w: tensor<2x4x6xf32>)
    -> (tensor<2x4x5xf32>, tensor<1x5x6xf32>) {
  %l, %da, %db = nova.value_and_grad @matmul_weight_kept_axis(%a, %b, %w) wrt [0, 1]
    : (tensor<2x4x5xf32>, tensor<1x5x6xf32>, tensor<2x4x6xf32>) -> (!scalar, tensor<2x4x5xf32>, tensor<1x5x6xf32>)
  return %da, %db : tensor<2x4x5xf32>, tensor<1x5x6xf32>
}

func.func private @matmul_batched(%a: tensor<2x4x5xf32>, %b: tensor<2x5x6xf32>, %w: tensor<2x4x6xf32>) -> !scalar {
  %y = nova.matmul %a, %b : tensor<2x4x5xf32>, tensor<2x5x6xf32>
  %z = nova.mul %y, %w : tensor<2x4x6xf32>, tensor<2x4x6xf32>
  %l = nova.reduce sum %z over [0, 1, 2] : tensor<2x4x6xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @matmul_batched_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.matmul [[DY]], [[B]] {transpose_rhs}
// CHECK-NEXT: [[D:%.+]] = nova.matmul [[A]], [[DY]] {transpose_lhs}
// CHECK-NEXT: return [[C]], [[D]]
func.func @matmul_batched_gradient(%a: tensor<2x4x5xf32>, %b: tensor<2x5x6xf32>, %w: tensor<2x4x6xf32>)
    -> (tensor<2x4x5xf32>, tensor<2x5x6xf32>) {
  %l, %da, %db = nova.value_and_grad @matmul_batched(%a, %b, %w) wrt [0, 1]
    : (tensor<2x4x5xf32>, tensor<2x5x6xf32>, tensor<2x4x6xf32>) -> (!scalar, tensor<2x4x5xf32>, tensor<2x5x6xf32>)
  return %da, %db : tensor<2x4x5xf32>, tensor<2x5x6xf32>
}

// Broadcast batch axes are summed.
func.func private @matmul_shared_lhs(%a: tensor<4x5xf32>, %b: tensor<2x5x6xf32>, %w: tensor<2x4x6xf32>) -> !scalar {
  %y = nova.matmul %a, %b : tensor<4x5xf32>, tensor<2x5x6xf32>
  %z = nova.mul %y, %w : tensor<2x4x6xf32>, tensor<2x4x6xf32>
  %l = nova.reduce sum %z over [0, 1, 2] : tensor<2x4x6xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @matmul_shared_lhs_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.matmul [[DY]], [[B]] {transpose_rhs}
// CHECK-NEXT: [[D:%.+]] = nova.reduce sum [[C]] over [0]
// CHECK-NEXT: [[E:%.+]] = nova.matmul [[A]], [[DY]] {transpose_lhs}
// CHECK-NEXT: return [[D]], [[E]]
func.func @matmul_shared_lhs_gradient(%a: tensor<4x5xf32>, %b: tensor<2x5x6xf32>, %w: tensor<2x4x6xf32>)
    -> (tensor<4x5xf32>, tensor<2x5x6xf32>) {
  %l, %da, %db = nova.value_and_grad @matmul_shared_lhs(%a, %b, %w) wrt [0, 1]
    : (tensor<4x5xf32>, tensor<2x5x6xf32>, tensor<2x4x6xf32>) -> (!scalar, tensor<4x5xf32>, tensor<2x5x6xf32>)
  return %da, %db : tensor<4x5xf32>, tensor<2x5x6xf32>
}

func.func private @matmul_outer_batches(%a: tensor<3x1x4x5xf32>, %b: tensor<2x5x6xf32>, %w: tensor<3x2x4x6xf32>)
    -> !scalar {
  %y = nova.matmul %a, %b : tensor<3x1x4x5xf32>, tensor<2x5x6xf32>
  %z = nova.mul %y, %w : tensor<3x2x4x6xf32>, tensor<3x2x4x6xf32>
  %l = nova.reduce sum %z over [0, 1, 2, 3] : tensor<3x2x4x6xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @matmul_outer_batches_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.matmul [[DY]], [[B]] {transpose_rhs}
// CHECK-NEXT: [[D:%.+]] = nova.reduce sum [[C]] over [1]
// CHECK-NEXT: [[E:%.+]] = nova.reshape [[D]] : tensor<3x4x5xf32> -> tensor<3x1x4x5xf32>
// CHECK-NEXT: [[F:%.+]] = nova.matmul [[A]], [[DY]] {transpose_lhs}
// CHECK-NEXT: [[G:%.+]] = nova.reduce sum [[F]] over [0]
// CHECK-NEXT: return [[E]], [[G]]
func.func @matmul_outer_batches_gradient(%a: tensor<3x1x4x5xf32>, %b: tensor<2x5x6xf32>, %w: tensor<3x2x4x6xf32>)
    -> (tensor<3x1x4x5xf32>, tensor<2x5x6xf32>) {
  %l, %da, %db = nova.value_and_grad @matmul_outer_batches(%a, %b, %w) wrt [0, 1]
    : (tensor<3x1x4x5xf32>, tensor<2x5x6xf32>, tensor<3x2x4x6xf32>) -> (!scalar, tensor<3x1x4x5xf32>, tensor<2x5x6xf32>)
  return %da, %db : tensor<3x1x4x5xf32>, tensor<2x5x6xf32>
}

// Sums of the gradients are of the same type.
func.func private @wide_sums(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>) -> tensor<f32> {
  %y = nova.matmul %x, %w {accumulate = f64} : tensor<2x3xf32>, tensor<3x4xf32>
  %loss = nova.reduce sum %y over [0, 1] : tensor<2x4xf32>
  return %loss : tensor<f32>
}
// CHECK-LABEL: func.func @wide_sums_gradients
// CHECK: nova.matmul {{.*}} {accumulate = f64, transpose_rhs}
// CHECK: nova.matmul {{.*}} {accumulate = f64, transpose_lhs}
func.func @wide_sums_gradients(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>) -> (tensor<2x3xf32>, tensor<3x4xf32>) {
  %l, %dx, %dw = nova.value_and_grad @wide_sums(%x, %w) wrt [0, 1]
    : (tensor<2x3xf32>, tensor<3x4xf32>) -> (tensor<f32>, tensor<2x3xf32>, tensor<3x4xf32>)
  return %dx, %dw : tensor<2x3xf32>, tensor<3x4xf32>
}
