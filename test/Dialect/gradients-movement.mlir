// RUN: nova-opt %s --nova-autodiff --canonicalize | FileCheck %s

// What the gradient of each op that makes or moves tensors is. %w is the gradient of the result.

!matrix = tensor<2x3xf32>
!scalar = tensor<f32>
!integers = tensor<2x3xi32>
!cube = tensor<2x3x4xf32>

func.func private @broadcast_in_dim(%x: tensor<4x1xf32>, %w: tensor<4x3x8xf32>) -> !scalar {
  %y = nova.broadcast_in_dim %x dims = [0, 2] : tensor<4x1xf32> -> tensor<4x3x8xf32>
  %z = nova.mul %y, %w : tensor<4x3x8xf32>, tensor<4x3x8xf32>
  %l = nova.reduce sum %z over [0, 1, 2] : tensor<4x3x8xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @broadcast_in_dim_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.reduce sum [[DY]] over [1, 2]
// CHECK-NEXT: [[B:%.+]] = nova.reshape [[A]] : tensor<4xf32> -> tensor<4x1xf32>
// CHECK-NEXT: return [[B]]
func.func @broadcast_in_dim_gradient(%x: tensor<4x1xf32>, %w: tensor<4x3x8xf32>) -> tensor<4x1xf32> {
  %l, %dx = nova.value_and_grad @broadcast_in_dim(%x, %w) wrt [0]
    : (tensor<4x1xf32>, tensor<4x3x8xf32>) -> (!scalar, tensor<4x1xf32>)
  return %dx : tensor<4x1xf32>
}

func.func private @reshape(%x: tensor<4x8xf32>, %w: tensor<2x16xf32>) -> !scalar {
  %y = nova.reshape %x : tensor<4x8xf32> -> tensor<2x16xf32>
  %z = nova.mul %y, %w : tensor<2x16xf32>, tensor<2x16xf32>
  %l = nova.reduce sum %z over [0, 1] : tensor<2x16xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @reshape_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.reshape [[DY]] : tensor<2x16xf32> -> tensor<4x8xf32>
// CHECK-NEXT: return [[A]]
func.func @reshape_gradient(%x: tensor<4x8xf32>, %w: tensor<2x16xf32>) -> tensor<4x8xf32> {
  %l, %dx = nova.value_and_grad @reshape(%x, %w) wrt [0]
    : (tensor<4x8xf32>, tensor<2x16xf32>) -> (!scalar, tensor<4x8xf32>)
  return %dx : tensor<4x8xf32>
}

// The inverse permutation.
func.func private @transpose(%x: !cube, %w: tensor<4x2x3xf32>) -> !scalar {
  %y = nova.transpose %x [2, 0, 1] : !cube
  %z = nova.mul %y, %w : tensor<4x2x3xf32>, tensor<4x2x3xf32>
  %l = nova.reduce sum %z over [0, 1, 2] : tensor<4x2x3xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @transpose_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.transpose [[DY]] [1, 2, 0]
// CHECK-NEXT: return [[A]]
func.func @transpose_gradient(%x: !cube, %w: tensor<4x2x3xf32>) -> !cube {
  %l, %dx = nova.value_and_grad @transpose(%x, %w) wrt [0]
    : (!cube, tensor<4x2x3xf32>) -> (!scalar, !cube)
  return %dx : !cube
}

// Strides become interior padding; what the slice left out gets zeros.
func.func private @slice(%x: tensor<8x10xf32>, %w: tensor<8x3xf32>) -> !scalar {
  %y = nova.slice %x starts = [0, 1] limits = [8, 9] strides = [1, 3] : tensor<8x10xf32> -> tensor<8x3xf32>
  %z = nova.mul %y, %w : tensor<8x3xf32>, tensor<8x3xf32>
  %l = nova.reduce sum %z over [0, 1] : tensor<8x3xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @slice_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: [[B:%.+]] = nova.pad [[DY]], [[A]] low = [0, 1] high = [0, 2] interior = [0, 2]
// CHECK-NEXT: return [[B]]
func.func @slice_gradient(%x: tensor<8x10xf32>, %w: tensor<8x3xf32>) -> tensor<8x10xf32> {
  %l, %dx = nova.value_and_grad @slice(%x, %w) wrt [0]
    : (tensor<8x10xf32>, tensor<8x3xf32>) -> (!scalar, tensor<8x10xf32>)
  return %dx : tensor<8x10xf32>
}

// The value's gradient is the sum over its copies.
func.func private @pad(%x: tensor<3x4xf32>, %v: !scalar, %w: tensor<4x9xf32>) -> !scalar {
  %y = nova.pad %x, %v low = [1, 0] high = [0, 2] interior = [0, 1] : tensor<3x4xf32>, !scalar -> tensor<4x9xf32>
  %z = nova.mul %y, %w : tensor<4x9xf32>, tensor<4x9xf32>
  %l = nova.reduce sum %z over [0, 1] : tensor<4x9xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @pad_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[V:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.constant dense<0.000000e+00> : tensor<3x4xf32>
// CHECK-NEXT: [[B:%.+]] = nova.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: [[C:%.+]] = nova.slice [[DY]] starts = [1, 0] limits = [4, 7] strides = [1, 2]
// CHECK-NEXT: [[D:%.+]] = nova.pad [[A]], [[B]] low = [1, 0] high = [0, 2] interior = [0, 1]
// CHECK-NEXT: [[E:%.+]] = nova.mul [[DY]], [[D]]
// CHECK-NEXT: [[F:%.+]] = nova.reduce sum [[E]] over [0, 1]
// CHECK-NEXT: return [[C]], [[F]]
func.func @pad_gradient(%x: tensor<3x4xf32>, %v: !scalar, %w: tensor<4x9xf32>) -> (tensor<3x4xf32>, !scalar) {
  %l, %dx, %dv = nova.value_and_grad @pad(%x, %v, %w) wrt [0, 1]
    : (tensor<3x4xf32>, !scalar, tensor<4x9xf32>) -> (!scalar, tensor<3x4xf32>, !scalar)
  return %dx, %dv : tensor<3x4xf32>, !scalar
}

func.func private @concat(%a: !matrix, %b: tensor<2x5xf32>, %w: tensor<2x8xf32>) -> !scalar {
  %y = nova.concat %a, %b axis = 1 : (!matrix, tensor<2x5xf32>) -> tensor<2x8xf32>
  %z = nova.mul %y, %w : tensor<2x8xf32>, tensor<2x8xf32>
  %l = nova.reduce sum %z over [0, 1] : tensor<2x8xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @concat_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.slice [[DY]] starts = [0, 0] limits = [2, 3] strides = [1, 1]
// CHECK-NEXT: [[D:%.+]] = nova.slice [[DY]] starts = [0, 3] limits = [2, 8] strides = [1, 1]
// CHECK-NEXT: return [[C]], [[D]]
func.func @concat_gradient(%a: !matrix, %b: tensor<2x5xf32>, %w: tensor<2x8xf32>) -> (!matrix, tensor<2x5xf32>) {
  %l, %da, %db = nova.value_and_grad @concat(%a, %b, %w) wrt [0, 1]
    : (!matrix, tensor<2x5xf32>, tensor<2x8xf32>) -> (!scalar, !matrix, tensor<2x5xf32>)
  return %da, %db : !matrix, tensor<2x5xf32>
}

func.func private @gather(%t: tensor<256x64xf32>, %i: tensor<8x32xi32>, %w: tensor<8x32x64xf32>) -> !scalar {
  %y = nova.gather %t[%i] : tensor<256x64xf32>, tensor<8x32xi32>
  %z = nova.mul %y, %w : tensor<8x32x64xf32>, tensor<8x32x64xf32>
  %l = nova.reduce sum %z over [0, 1, 2] : tensor<8x32x64xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @gather_gradient(
// CHECK-SAME: [[T:%[^:]+]]: {{[^,]+}}, [[I:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.constant dense<0.000000e+00> : tensor<256x64xf32>
// CHECK-NEXT: [[B:%.+]] = nova.scatter_add [[A]]{{\[}}[[I]]], [[DY]]
// CHECK-NEXT: return [[B]]
func.func @gather_gradient(%t: tensor<256x64xf32>, %i: tensor<8x32xi32>, %w: tensor<8x32x64xf32>)
    -> tensor<256x64xf32> {
  %l, %dt = nova.value_and_grad @gather(%t, %i, %w) wrt [0]
    : (tensor<256x64xf32>, tensor<8x32xi32>, tensor<8x32x64xf32>) -> (!scalar, tensor<256x64xf32>)
  return %dt : tensor<256x64xf32>
}

// scatter_add works along axis 0: transposed to it and back.
func.func private @gather_axis_1(%t: tensor<4x9x5xf32>, %i: !integers, %w: tensor<4x2x3x5xf32>) -> !scalar {
  %y = nova.gather %t[%i] {axis = 1} : tensor<4x9x5xf32>, !integers
  %z = nova.mul %y, %w : tensor<4x2x3x5xf32>, tensor<4x2x3x5xf32>
  %l = nova.reduce sum %z over [0, 1, 2, 3] : tensor<4x2x3x5xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @gather_axis_1_gradient(
// CHECK-SAME: [[T:%[^:]+]]: {{[^,]+}}, [[I:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.constant dense<0.000000e+00> : tensor<9x4x5xf32>
// CHECK-NEXT: [[B:%.+]] = nova.transpose [[DY]] [1, 2, 0, 3]
// CHECK-NEXT: [[C:%.+]] = nova.scatter_add [[A]]{{\[}}[[I]]], [[B]]
// CHECK-NEXT: [[D:%.+]] = nova.transpose [[C]] [1, 0, 2]
// CHECK-NEXT: return [[D]]
func.func @gather_axis_1_gradient(%t: tensor<4x9x5xf32>, %i: !integers, %w: tensor<4x2x3x5xf32>) -> tensor<4x9x5xf32> {
  %l, %dt = nova.value_and_grad @gather_axis_1(%t, %i, %w) wrt [0]
    : (tensor<4x9x5xf32>, !integers, tensor<4x2x3x5xf32>) -> (!scalar, tensor<4x9x5xf32>)
  return %dt : tensor<4x9x5xf32>
}

func.func private @scatter_add(%x: tensor<9x4xf32>, %i: tensor<3xi32>, %u: tensor<3x4xf32>, %w: tensor<9x4xf32>)
    -> !scalar {
  %y = nova.scatter_add %x[%i], %u : tensor<9x4xf32>, tensor<3xi32>, tensor<3x4xf32>
  %z = nova.mul %y, %w : tensor<9x4xf32>, tensor<9x4xf32>
  %l = nova.reduce sum %z over [0, 1] : tensor<9x4xf32>
  return %l : !scalar
}
// CHECK-LABEL: func.func @scatter_add_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[I:%[^:]+]]: {{[^,]+}}, [[U:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.gather [[DY]]{{\[}}[[I]]]
// CHECK-NEXT: return [[DY]], [[A]]
func.func @scatter_add_gradient(%x: tensor<9x4xf32>, %i: tensor<3xi32>, %u: tensor<3x4xf32>, %w: tensor<9x4xf32>)
    -> (tensor<9x4xf32>, tensor<3x4xf32>) {
  %l, %dx, %du = nova.value_and_grad @scatter_add(%x, %i, %u, %w) wrt [0, 2]
    : (tensor<9x4xf32>, tensor<3xi32>, tensor<3x4xf32>, tensor<9x4xf32>) -> (!scalar, tensor<9x4xf32>, tensor<3x4xf32>)
  return %dx, %du : tensor<9x4xf32>, tensor<3x4xf32>
}

// Slices that share out a tensor give their gradients back as one concat, without padding.
func.func private @slices(%x: tensor<2x9xf32>, %w: !matrix) -> !scalar {
  %q = nova.slice %x starts = [0, 0] limits = [2, 3] strides = [1, 1] : tensor<2x9xf32> -> !matrix
  %k = nova.slice %x starts = [0, 3] limits = [2, 6] strides = [1, 1] : tensor<2x9xf32> -> !matrix
  %v = nova.slice %x starts = [0, 6] limits = [2, 9] strides = [1, 1] : tensor<2x9xf32> -> !matrix
  %e = nova.exp %v : !matrix
  %qk = nova.mul %q, %k : !matrix, !matrix
  %y = nova.mul %qk, %e : !matrix, !matrix
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @slices_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.slice [[X]] starts = [0, 0] limits = [2, 3] strides = [1, 1]
// CHECK-NEXT: [[B:%.+]] = nova.slice [[X]] starts = [0, 3] limits = [2, 6] strides = [1, 1]
// CHECK-NEXT: [[C:%.+]] = nova.slice [[X]] starts = [0, 6] limits = [2, 9] strides = [1, 1]
// CHECK-NEXT: [[D:%.+]] = nova.exp [[C]]
// CHECK-NEXT: [[E:%.+]] = nova.mul [[A]], [[B]]
// CHECK-NEXT: [[F:%.+]] = nova.mul [[DY]], [[D]]
// CHECK-NEXT: [[G:%.+]] = nova.mul [[DY]], [[E]]
// CHECK-NEXT: [[H:%.+]] = nova.mul [[F]], [[B]]
// CHECK-NEXT: [[I:%.+]] = nova.mul [[F]], [[A]]
// CHECK-NEXT: [[J:%.+]] = nova.mul [[G]], [[D]]
// CHECK-NEXT: [[K:%.+]] = nova.concat [[H]], [[I]], [[J]] axis = 1
// CHECK-NEXT: return [[K]]
func.func @slices_gradient(%x: tensor<2x9xf32>, %w: !matrix) -> tensor<2x9xf32> {
  %l, %dx = nova.value_and_grad @slices(%x, %w) wrt [0]
    : (tensor<2x9xf32>, !matrix) -> (!scalar, tensor<2x9xf32>)
  return %dx : tensor<2x9xf32>
}
