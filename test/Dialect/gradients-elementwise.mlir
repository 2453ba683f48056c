// RUN: nova-opt %s --nova-autodiff --canonicalize | FileCheck %s

// What the gradients of elementwise ops look like. The loss is the sum of the result times %w, so that %w is the gradient
// of the result.

!matrix = tensor<2x3xf32>
!row = tensor<3xf32>
!column = tensor<2x1xf32>
!scalar = tensor<f32>
!truth = tensor<2x3xi1>
!integers = tensor<2x3xi32>
!half = tensor<2x3xbf16>

// Zero, so that no op is left.
func.func private @sign(%x: !matrix, %w: !matrix) -> !scalar {
  %y = nova.sign %x : !matrix
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @sign_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.constant dense<0.000000e+00> : tensor<2x3xf32>
// CHECK-NEXT: return [[A]]
func.func @sign_gradient(%x: !matrix, %w: !matrix) -> !matrix {
  %l, %dx = nova.value_and_grad @sign(%x, %w) wrt [0]
    : (!matrix, !matrix) -> (!scalar, !matrix)
  return %dx : !matrix
}

// The result is used again.
func.func private @exp(%x: !matrix, %w: !matrix) -> !scalar {
  %y = nova.exp %x : !matrix
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @exp_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.exp [[X]]
// CHECK-NEXT: [[B:%.+]] = nova.mul [[DY]], [[A]]
// CHECK-NEXT: return [[B]]
func.func @exp_gradient(%x: !matrix, %w: !matrix) -> !matrix {
  %l, %dx = nova.value_and_grad @exp(%x, %w) wrt [0]
    : (!matrix, !matrix) -> (!scalar, !matrix)
  return %dx : !matrix
}

// Not "where x > 0": NaN lets the gradient through, as in PyTorch.
func.func private @relu(%x: !matrix, %w: !matrix) -> !scalar {
  %y = nova.relu %x : !matrix
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @relu_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: [[B:%.+]] = nova.compare le [[X]], [[A]]
// CHECK-NEXT: [[C:%.+]] = nova.select [[B]], [[A]], [[DY]]
// CHECK-NEXT: return [[C]]
func.func @relu_gradient(%x: !matrix, %w: !matrix) -> !matrix {
  %l, %dx = nova.value_and_grad @relu(%x, %w) wrt [0]
    : (!matrix, !matrix) -> (!scalar, !matrix)
  return %dx : !matrix
}

func.func private @gelu(%x: !matrix, %w: !matrix) -> !scalar {
  %y = nova.gelu tanh %x : !matrix
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @gelu_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.gelu_grad tanh [[DY]], [[X]]
// CHECK-NEXT: return [[A]]
func.func @gelu_gradient(%x: !matrix, %w: !matrix) -> !matrix {
  %l, %dx = nova.value_and_grad @gelu(%x, %w) wrt [0]
    : (!matrix, !matrix) -> (!scalar, !matrix)
  return %dx : !matrix
}

// Cast back.
func.func private @cast(%x: !half, %w: !matrix) -> !scalar {
  %y = nova.cast %x : !half -> !matrix
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @cast_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.cast [[DY]] : tensor<2x3xf32> -> tensor<2x3xbf16>
// CHECK-NEXT: return [[A]]
func.func @cast_gradient(%x: !half, %w: !matrix) -> !half {
  %l, %dx = nova.value_and_grad @cast(%x, %w) wrt [0]
    : (!half, !matrix) -> (!scalar, !half)
  return %dx : !half
}

// No gradient leads through integers.
func.func private @cast_of_integer(%x: !integers, %v: !matrix, %w: !matrix) -> !scalar {
  %c = nova.cast %x : !integers -> !matrix
  %y = nova.mul %c, %v : !matrix, !matrix
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @cast_of_integer_gradient(
// CHECK-SAME: [[X:%[^:]+]]: {{[^,]+}}, [[V:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[A:%.+]] = nova.cast [[X]] : tensor<2x3xi32> -> tensor<2x3xf32>
// CHECK-NEXT: [[B:%.+]] = nova.mul [[DY]], [[A]]
// CHECK-NEXT: return [[B]]
func.func @cast_of_integer_gradient(%x: !integers, %v: !matrix, %w: !matrix) -> !matrix {
  %l, %dv = nova.value_and_grad @cast_of_integer(%x, %v, %w) wrt [1]
    : (!integers, !matrix, !matrix) -> (!scalar, !matrix)
  return %dv : !matrix
}

// The exceptions keep 0 * infinity out: where the exponent is 0, and where the base is 0 and the exponent is not
// negative.
func.func private @pow(%a: !matrix, %b: !matrix, %w: !matrix) -> !scalar {
  %y = nova.pow %a, %b : !matrix, !matrix
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @pow_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: [[D:%.+]] = nova.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: [[E:%.+]] = nova.pow [[A]], [[B]]
// CHECK-NEXT: [[F:%.+]] = nova.sub [[B]], [[D]]
// CHECK-NEXT: [[G:%.+]] = nova.pow [[A]], [[F]]
// CHECK-NEXT: [[H:%.+]] = nova.mul [[B]], [[G]]
// CHECK-NEXT: [[I:%.+]] = nova.compare eq [[B]], [[C]]
// CHECK-NEXT: [[J:%.+]] = nova.select [[I]], [[C]], [[H]]
// CHECK-NEXT: [[K:%.+]] = nova.mul [[DY]], [[J]]
// CHECK-NEXT: [[L:%.+]] = nova.log [[A]]
// CHECK-NEXT: [[M:%.+]] = nova.mul [[E]], [[L]]
// CHECK-NEXT: [[N:%.+]] = nova.compare eq [[A]], [[C]]
// CHECK-NEXT: [[O:%.+]] = nova.compare ge [[B]], [[C]]
// CHECK-NEXT: [[P:%.+]] = nova.and [[N]], [[O]]
// CHECK-NEXT: [[Q:%.+]] = nova.select [[P]], [[C]], [[M]]
// CHECK-NEXT: [[R:%.+]] = nova.mul [[DY]], [[Q]]
// CHECK-NEXT: return [[K]], [[R]]
func.func @pow_gradient(%a: !matrix, %b: !matrix, %w: !matrix) -> (!matrix, !matrix) {
  %l, %da, %db = nova.value_and_grad @pow(%a, %b, %w) wrt [0, 1]
    : (!matrix, !matrix, !matrix) -> (!scalar, !matrix, !matrix)
  return %da, %db : !matrix, !matrix
}

// Half of the gradient each where both are equal; where NaN makes neither larger, both get all of it.
func.func private @max(%a: !matrix, %b: !matrix, %w: !matrix) -> !scalar {
  %y = nova.max %a, %b : !matrix, !matrix
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @max_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: [[D:%.+]] = nova.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: [[E:%.+]] = nova.mul [[DY]], [[D]]
// CHECK-NEXT: [[F:%.+]] = nova.compare eq [[A]], [[B]]
// CHECK-NEXT: [[G:%.+]] = nova.select [[F]], [[E]], [[DY]]
// CHECK-NEXT: [[H:%.+]] = nova.compare lt [[A]], [[B]]
// CHECK-NEXT: [[I:%.+]] = nova.select [[H]], [[C]], [[G]]
// CHECK-NEXT: [[J:%.+]] = nova.mul [[DY]], [[D]]
// CHECK-NEXT: [[K:%.+]] = nova.compare eq [[B]], [[A]]
// CHECK-NEXT: [[L:%.+]] = nova.select [[K]], [[J]], [[DY]]
// CHECK-NEXT: [[M:%.+]] = nova.compare lt [[B]], [[A]]
// CHECK-NEXT: [[N:%.+]] = nova.select [[M]], [[C]], [[L]]
// CHECK-NEXT: return [[I]], [[N]]
func.func @max_gradient(%a: !matrix, %b: !matrix, %w: !matrix) -> (!matrix, !matrix) {
  %l, %da, %db = nova.value_and_grad @max(%a, %b, %w) wrt [0, 1]
    : (!matrix, !matrix, !matrix) -> (!scalar, !matrix, !matrix)
  return %da, %db : !matrix, !matrix
}

// Broadcasting: added axes are summed.
func.func private @add_row(%a: !matrix, %b: !row, %w: !matrix) -> !scalar {
  %y = nova.add %a, %b : !matrix, !row
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @add_row_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.reduce sum [[DY]] over [0]
// CHECK-NEXT: return [[DY]], [[C]]
func.func @add_row_gradient(%a: !matrix, %b: !row, %w: !matrix) -> (!matrix, !row) {
  %l, %da, %db = nova.value_and_grad @add_row(%a, %b, %w) wrt [0, 1]
    : (!matrix, !row, !matrix) -> (!scalar, !matrix, !row)
  return %da, %db : !matrix, !row
}

// Broadcasting: axes of size 1 are summed and stay.
func.func private @mul_column(%a: !matrix, %b: !column, %w: !matrix) -> !scalar {
  %y = nova.mul %a, %b : !matrix, !column
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @mul_column_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.mul [[DY]], [[B]]
// CHECK-NEXT: [[D:%.+]] = nova.mul [[DY]], [[A]]
// CHECK-NEXT: [[E:%.+]] = nova.reduce sum [[D]] over [1]
// CHECK-NEXT: [[F:%.+]] = nova.reshape [[E]] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT: return [[C]], [[F]]
func.func @mul_column_gradient(%a: !matrix, %b: !column, %w: !matrix) -> (!matrix, !column) {
  %l, %da, %db = nova.value_and_grad @mul_column(%a, %b, %w) wrt [0, 1]
    : (!matrix, !column, !matrix) -> (!scalar, !matrix, !column)
  return %da, %db : !matrix, !column
}

// Broadcasting of both operands.
func.func private @add_outer(%a: !column, %b: !row, %w: !matrix) -> !scalar {
  %y = nova.add %a, %b : !column, !row
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @add_outer_gradient(
// CHECK-SAME: [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[C:%.+]] = nova.reduce sum [[DY]] over [1]
// CHECK-NEXT: [[D:%.+]] = nova.reshape [[C]] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT: [[E:%.+]] = nova.reduce sum [[DY]] over [0]
// CHECK-NEXT: return [[D]], [[E]]
func.func @add_outer_gradient(%a: !column, %b: !row, %w: !matrix) -> (!column, !row) {
  %l, %da, %db = nova.value_and_grad @add_outer(%a, %b, %w) wrt [0, 1]
    : (!column, !row, !matrix) -> (!scalar, !column, !row)
  return %da, %db : !column, !row
}

// 0, not a product with 0: an infinite gradient elsewhere must not leave NaN here.
func.func private @select(%c: !truth, %a: !matrix, %b: !scalar, %w: !matrix) -> !scalar {
  %y = nova.select %c, %a, %b : !truth, !matrix, !scalar
  %z = nova.mul %y, %w : !matrix, !matrix
  %l = nova.reduce sum %z over [0, 1] : !matrix
  return %l : !scalar
}
// CHECK-LABEL: func.func @select_gradient(
// CHECK-SAME: [[C:%[^:]+]]: {{[^,]+}}, [[A:%[^:]+]]: {{[^,]+}}, [[B:%[^:]+]]: {{[^,]+}}, [[DY:%[^:]+]]: {{[^,]+}})
// CHECK-NEXT: [[D:%.+]] = nova.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: [[E:%.+]] = nova.select [[C]], [[DY]], [[D]]
// CHECK-NEXT: [[F:%.+]] = nova.select [[C]], [[D]], [[DY]]
// CHECK-NEXT: [[G:%.+]] = nova.reduce sum [[F]] over [0, 1]
// CHECK-NEXT: return [[E]], [[G]]
func.func @select_gradient(%c: !truth, %a: !matrix, %b: !scalar, %w: !matrix) -> (!matrix, !scalar) {
  %l, %da, %db = nova.value_and_grad @select(%c, %a, %b, %w) wrt [1, 2]
    : (!truth, !matrix, !scalar, !matrix) -> (!scalar, !matrix, !scalar)
  return %da, %db : !matrix, !scalar
}
