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
