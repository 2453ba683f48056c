// RUN: nova-opt %s --nova-mixed-precision --split-input-file | FileCheck %s

!x = tensor<8x16xf32>
!w = tensor<16x16xf32>

// A weight is rounded once, and both products read it; what only moves is moved narrow.
// CHECK-LABEL: func.func @shared
// CHECK-SAME: ([[X:%[^ :,]+]]: {{[^,]+}}, [[W:%[^ :,]+]]:
// CHECK: [[NARROW:%.+]] = nova.cast [[W]] : tensor<16x16xf32> -> tensor<16x16xbf16>
// CHECK-NOT: nova.cast [[W]]
// CHECK: [[WIDE:%.+]] = nova.cast [[NARROW]] : tensor<16x16xbf16> -> tensor<16x16xf32>
// CHECK: nova.matmul {{%.+}}, [[WIDE]] :
// CHECK: nova.matmul {{%.+}}, [[WIDE]] {transpose_rhs}
// CHECK: [[T:%.+]] = nova.transpose [[NARROW]] [1, 0] : tensor<16x16xbf16>
// CHECK: [[TWIDE:%.+]] = nova.cast [[T]]
// CHECK: nova.matmul {{%.+}}, [[TWIDE]] :
func.func @shared(%x: !x, %w: !w) -> (!x, !x, !x) {
  %0 = nova.matmul %x, %w : !x, !w
  %1 = nova.matmul %x, %w {transpose_rhs} : !x, !w
  %t = nova.transpose %w [1, 0] : !w
  %2 = nova.matmul %x, %t : !x, !w
  return %0, %1, %2 : !x, !x, !x
}

// -----

!x = tensor<8x16xf32>
!w = tensor<16x16xf32>

// The next op reads the value before rounding, a later one after it.
// CHECK-LABEL: func.func @kept
// CHECK: [[P:%.+]] = nova.matmul
// CHECK-NEXT: [[NARROW:%.+]] = nova.cast [[P]] : tensor<8x16xf32> -> tensor<8x16xbf16>
// CHECK-NEXT: [[GELU:%.+]] = nova.gelu tanh [[P]]
// CHECK: [[Q:%.+]] = nova.matmul
// CHECK-NEXT: [[WIDE:%.+]] = nova.cast [[NARROW]] : tensor<8x16xbf16> -> tensor<8x16xf32>
// CHECK-NEXT: nova.gelu_grad tanh [[Q]], [[WIDE]]
func.func @kept(%x: !x, %w: !w) -> !x {
  %0 = nova.matmul %x, %w : !x, !w
  %1 = nova.gelu tanh %0 : !x
  %2 = nova.matmul %1, %w : !x, !w
  %3 = nova.gelu_grad tanh %2, %0 : !x, !x
  return %3 : !x
}

// -----

!x = tensor<8x16xf32>
!w = tensor<16x16xf32>
!b = tensor<16xf32>

// The residual stream stays f32, terms and sums, but where a product reads it; a bias is no such term.
// CHECK-LABEL: func.func @residual
// CHECK: [[SUM:%.+]] = nova.add {{%.+}}, {{%.+}} : tensor<8x16xf32>, tensor<8x16xf32>
// CHECK-NOT: nova.cast [[SUM]]
// CHECK: [[NORM:%.+]] = nova.layer_norm [[SUM]],
// CHECK-NEXT: [[NARROW:%.+]] = nova.cast [[NORM]] : tensor<8x16xf32> -> tensor<8x16xbf16>
// CHECK: [[INNER:%.+]] = nova.matmul
// CHECK-NOT: nova.cast [[INNER]]
// CHECK: [[BIASED:%.+]] = nova.add [[INNER]], {{%.+}} : tensor<8x16xf32>, tensor<16xf32>
// CHECK-NOT: nova.cast [[BIASED]]
// CHECK: [[NEXT:%.+]] = nova.add [[SUM]], [[BIASED]]
// CHECK-NEXT: nova.cast [[NEXT]] : tensor<8x16xf32> -> tensor<8x16xbf16>
// CHECK: [[ONE:%.+]] = nova.layer_norm [[NEXT]]
func.func @residual(%x: !x, %y: !x, %w: !w, %b: !b) -> (!x, !x) {
  %0 = nova.add %x, %y : !x, !x
  %1 = nova.layer_norm %0, %b, %b : !x, !b, !b
  %2 = nova.matmul %1, %w : !x, !w
  %3 = nova.add %2, %b : !x, !b
  %4 = nova.add %0, %3 : !x, !x
  %5 = nova.layer_norm %4, %b, %b : !x, !b, !b
  %6 = nova.matmul %4, %w : !x, !w
  return %5, %6 : !x, !x
}

// -----

!q = tensor<2x4x8x16xf32>

// Statistics are f32: an attention's log-sum-exp, reductions and what is made of them alone.
// CHECK-LABEL: func.func @statistics
// CHECK: [[Y:%.+]], [[LSE:%.+]] = nova.attention
// CHECK-NOT: nova.cast [[LSE]]
// CHECK: [[SUM:%.+]] = nova.reduce sum
// CHECK-NOT: nova.cast [[SUM]]
// CHECK: [[INVERSE:%.+]] = nova.reciprocal [[SUM]]
// CHECK-NOT: nova.cast [[INVERSE]]
// CHECK: nova.attention_grad {{%.+}}, {{%.+}}, {{%.+}}, {{%.+}}, {{%.+}}, [[LSE]]
func.func @statistics(%q: !q, %k: !q, %v: !q, %dy: !q) -> (!q, !q, !q, !q, !q) {
  %y, %lse = nova.attention %q, %k, %v : !q, !q, !q
  %sum = nova.reduce sum %y over [3] {keep_dims} : !q
  %inverse = nova.reciprocal %sum : tensor<2x4x8x1xf32>
  %a = nova.mul %y, %inverse : !q, tensor<2x4x8x1xf32>
  %b = nova.mul %dy, %inverse : !q, tensor<2x4x8x1xf32>
  %dq, %dk, %dv = nova.attention_grad %dy, %q, %k, %v, %y, %lse : !q, !q, !q, !q, !q, tensor<2x4x8xf32>
  return %a, %b, %dq, %dk, %dv : !q, !q, !q, !q, !q
}

// -----

!x = tensor<8x16xf32>
!w = tensor<16x16xf32>

// Gradients of parameters reach the optimizer as they are, and what is returned is f32; scalars too.
// CHECK-LABEL: func.func @update
// CHECK: [[DW:%.+]] = nova.matmul {{%.+}}, {{%.+}} {transpose_lhs}
// CHECK-NEXT: [[T:%.+]] = nova.transpose [[DW]] [1, 0] : tensor<16x16xf32>
// CHECK-NEXT: [[NORM:%.+]] = nova.global_norm [[T]] : tensor<16x16xf32>
// CHECK-NEXT: nova.adamw {{%.+}}, [[T]], {{.*}} scale [[NORM]]
// CHECK-NOT: nova.cast
// CHECK: return
func.func @update(%w: !w, %m: !w, %v: !w, %x: !x, %dy: !x, %lr: tensor<f32>, %step: tensor<i64>) -> (!w, !w, !w) {
  %dw = nova.matmul %x, %dy {transpose_lhs} : !x, !x
  %t = nova.transpose %dw [1, 0] : !w
  %norm = nova.global_norm %t : !w
  %w1, %m1, %v1 = nova.adamw %w, %t, %m, %v, lr %lr, step %step, scale %norm
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : !w, !w
  return %w1, %m1, %v1 : !w, !w, !w
}

// -----

!x = tensor<8x16xf32>

// A concat of narrow values is one, and so is what else reads it; one with a wide part is not.
// CHECK-LABEL: func.func @moved
// CHECK: [[BOTH:%.+]] = nova.concat {{.*}} -> tensor<16x16xbf16>
// CHECK: [[WIDE:%.+]] = nova.cast [[BOTH]] : tensor<16x16xbf16> -> tensor<16x16xf32>
// CHECK: nova.reduce sum [[WIDE]]
// CHECK: [[MIXED:%.+]] = nova.concat {{.*}} -> tensor<16x16xf32>
// CHECK: nova.reduce sum [[MIXED]]
func.func @moved(%x: !x, %w: tensor<16x16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %0 = nova.matmul %x, %w : !x, tensor<16x16xf32>
  %1 = nova.softmax %x : !x
  %2 = nova.concat %0, %1 axis = 0 : (!x, !x) -> tensor<16x16xf32>
  %3 = nova.reduce sum %2 over [0] : tensor<16x16xf32>
  %4 = nova.concat %0, %x axis = 0 : (!x, !x) -> tensor<16x16xf32>
  %5 = nova.reduce sum %4 over [0] : tensor<16x16xf32>
  return %3, %5 : tensor<16xf32>, tensor<16xf32>
}

// -----

// Other types are left alone, and what was narrow before needs no cast of its own. Rounding is no change of type: the
// casts that do it stay.
// CHECK-LABEL: func.func @other_types
// CHECK-NEXT: nova.matmul %{{.+}}, %{{.+}} : tensor<4x4xf64>, tensor<4x4xf64>
// CHECK-NEXT: [[WIDE:%.+]] = nova.cast [[B:%.+]] : tensor<4x4xbf16> -> tensor<4x4xf32>
// CHECK-NEXT: nova.matmul [[WIDE]], [[WIDE]]
// CHECK-NEXT: return
func.func @other_types(%a: tensor<4x4xf64>, %b: tensor<4x4xbf16>) -> (tensor<4x4xf64>, tensor<4x4xf32>) {
  %0 = nova.matmul %a, %a : tensor<4x4xf64>, tensor<4x4xf64>
  %1 = nova.cast %b : tensor<4x4xbf16> -> tensor<4x4xf32>
  %2 = nova.matmul %1, %1 : tensor<4x4xf32>, tensor<4x4xf32>
  return %0, %2 : tensor<4x4xf64>, tensor<4x4xf32>
}

// -----

// Angles are products of positions and frequencies, and read to the last bit; what they turn is rounded.
// CHECK-LABEL: func.func @angles
// CHECK: [[ANGLE:%.+]] = nova.matmul
// CHECK-SAME: tensor<8x1xf32>, tensor<1x4xf32>
// CHECK-NEXT: nova.cos [[ANGLE]]
// CHECK-NEXT: nova.sin [[ANGLE]]
// CHECK: [[TURNED:%.+]] = nova.rotary_embedding
// CHECK: nova.cast [[TURNED]] : tensor<2x8x8xf32> -> tensor<2x8x8xbf16>
func.func @angles(%x: tensor<2x8x8xf32>) -> tensor<2x8x8xf32> {
  %frequencies = nova.constant dense<[[1.0, 0.1, 0.01, 0.001]]> : tensor<1x4xf32>
  %positions = nova.iota 0 : tensor<8x1xi64>
  %0 = nova.cast %positions : tensor<8x1xi64> -> tensor<8x1xf32>
  %1 = nova.matmul %0, %frequencies : tensor<8x1xf32>, tensor<1x4xf32>
  %2 = nova.cos %1 : tensor<8x4xf32>
  %3 = nova.sin %1 : tensor<8x4xf32>
  %4 = nova.rotary_embedding %x, %2, %3 : tensor<2x8x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  %5 = nova.matmul %4, %4 {transpose_rhs} : tensor<2x8x8xf32>, tensor<2x8x8xf32>
  return %5 : tensor<2x8x8xf32>
}

// -----

!x = tensor<2x3x8x8xf32>

// A convolution is a product; random numbers, sums along an axis and logarithms of probabilities stay f32.
// CHECK-LABEL: func.func @others
// CHECK-SAME: ([[X:%[^ :,]+]]: {{[^,]+}}, [[W:%[^ :,]+]]:
// CHECK-DAG: [[XN:%.+]] = nova.cast [[X]] : tensor<2x3x8x8xf32> -> tensor<2x3x8x8xbf16>
// CHECK-DAG: [[WN:%.+]] = nova.cast [[W]] : tensor<3x3x1x1xf32> -> tensor<3x3x1x1xbf16>
// CHECK-DAG: [[XW:%.+]] = nova.cast [[XN]] : tensor<2x3x8x8xbf16> -> tensor<2x3x8x8xf32>
// CHECK-DAG: [[WW:%.+]] = nova.cast [[WN]] : tensor<3x3x1x1xbf16> -> tensor<3x3x1x1xf32>
// CHECK: [[Y:%.+]] = nova.conv2d [[XW]], [[WW]]
// CHECK-NEXT: [[YN:%.+]] = nova.cast [[Y]]
// CHECK-NEXT: [[YW:%.+]] = nova.cast [[YN]]
// CHECK-NEXT: nova.dropout [[YW]]
// CHECK-NEXT: [[DN:%.+]] = nova.cast
// CHECK-NEXT: [[NOISE:%.+]] = nova.random_normal
// CHECK-NEXT: [[DW:%.+]] = nova.cast [[DN]]
// CHECK-NEXT: [[LOG:%.+]] = nova.log_softmax [[DW]]
// CHECK-NEXT: [[SUM:%.+]] = nova.cumsum [[NOISE]]
// CHECK-NEXT: nova.mul [[LOG]], [[SUM]]
func.func @others(%x: !x, %w: tensor<3x3x1x1xf32>, %seed: tensor<i64>, %step: tensor<i64>) -> !x {
  %0 = nova.conv2d %x, %w strides = [1, 1] padding = [0, 0] : !x, tensor<3x3x1x1xf32>
  %1 = nova.dropout %0, %seed, %step {p = 0.1, stream = 1} : !x
  %2 = nova.random_normal %seed, %step {stream = 2} : !x
  %3 = nova.log_softmax %1 : !x
  %4 = nova.cumsum %2 : !x
  %5 = nova.mul %3, %4 : !x, !x
  return %5 : !x
}

// -----

!x = tensor<2x16x8xf32>

// A norm's gradient of x is rounded, that of its weight is for the optimizer; a mask is added to scores, not multiplied.
// CHECK-LABEL: func.func @norm
// CHECK: [[DX:%.+]], [[DW:%.+]] = nova.rms_norm_grad
// CHECK-NEXT: nova.cast [[DX]]
// CHECK-NOT: nova.cast [[DW]]
// CHECK: nova.sgd %{{.+}}, [[DW]]
// CHECK-LABEL: func.func @mask
// CHECK-SAME: [[MASK:%[^ :,]+]]: tensor<1x1x8x8xf32>
// CHECK-NOT: nova.cast [[MASK]]
// CHECK: nova.attention {{.*}} mask [[MASK]]
func.func @norm(%x: !x, %dy: !x, %w: tensor<8xf32>, %m: tensor<8xf32>, %k: tensor<8x8xf32>, %lr: tensor<f32>)
    -> (!x, tensor<8xf32>, tensor<8xf32>) {
  %one = nova.constant dense<1.0> : tensor<f32>
  %dx, %dw = nova.rms_norm_grad %dy, %x, %w : !x, !x, tensor<8xf32>
  %0 = nova.matmul %dx, %k : !x, tensor<8x8xf32>
  %w1, %m1 = nova.sgd %w, %dw, %m, lr %lr, scale %one {momentum = 0.9, weight_decay = 0.0} : tensor<8xf32>, tensor<8xf32>
  return %0, %w1, %m1 : !x, tensor<8xf32>, tensor<8xf32>
}
func.func @mask(%q: tensor<2x2x8x8xf32>, %mask: tensor<1x1x8x8xf32>) -> tensor<2x2x8x8xf32> {
  %y, %lse = nova.attention %q, %q, %q mask %mask
    : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>, tensor<1x1x8x8xf32>
  return %y : tensor<2x2x8x8xf32>
}

// -----

!w = tensor<16x16xf32>

// Gradients that are added to those of other batches stay f32.
// CHECK-LABEL: func.func @accumulate
// CHECK: [[DW:%.+]] = nova.matmul
// CHECK-NOT: nova.cast [[DW]]
// CHECK: [[SUM:%.+]] = nova.add [[DW]], %{{.+}} : tensor<16x16xf32>
// CHECK-NEXT: return [[SUM]]
func.func @accumulate(%x: !w, %dy: !w, %sum: !w, %isLater: tensor<i1>) -> !w {
  %zero = nova.constant dense<0.0> : tensor<f32>
  %dw = nova.matmul %x, %dy {transpose_lhs} : !w, !w
  %before = nova.select %isLater, %sum, %zero : tensor<i1>, !w, tensor<f32>
  %after = nova.add %dw, %before : !w, !w
  return %after : !w
}
