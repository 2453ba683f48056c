// RUN: nova-opt %s --nova-sink-movement --cse | FileCheck %s
// RUN: nova-opt %s --nova-sink-movement --nova-form-kernels | FileCheck %s --check-prefix=KERNELS

// The example of the pass description: one kernel, which reads the projection where it lies.
// CHECK-LABEL: func.func @heads
// CHECK-SAME: ([[QKV:%[^ :,]+]]: tensor<2x16x96xf32>)
// CHECK-NEXT: [[VIEW:%[^ :,]+]] = nova.reshape [[QKV]] : tensor<2x16x96xf32> -> tensor<2x16x12x8xf32>
// CHECK-NEXT: [[S0:%[^ :,]+]] = nova.slice [[VIEW]] starts = [0, 0, 0, 0] limits = [2, 16, 4, 8]
// CHECK-NEXT: [[Q:%[^ :,]+]] = nova.transpose [[S0]] [0, 2, 1, 3]
// CHECK-NEXT: [[S1:%[^ :,]+]] = nova.slice [[VIEW]] starts = [0, 0, 4, 0] limits = [2, 16, 8, 8]
// CHECK-NEXT: [[K:%[^ :,]+]] = nova.transpose [[S1]] [0, 2, 1, 3]
// CHECK-NEXT: [[S2:%[^ :,]+]] = nova.slice [[VIEW]] starts = [0, 0, 8, 0] limits = [2, 16, 12, 8]
// CHECK-NEXT: [[V:%[^ :,]+]] = nova.transpose [[S2]] [0, 2, 1, 3]
// CHECK-NEXT: [[Y:%[^ :,]+]], %{{.*}} = nova.attention [[Q]], [[K]], [[V]] {causal}
// CHECK-NEXT: [[BACK:%[^ :,]+]] = nova.transpose [[Y]] [0, 2, 1, 3]
// CHECK-NEXT: [[R:%[^ :,]+]] = nova.reshape [[BACK]]
// CHECK-NEXT: return [[R]]
// KERNELS-LABEL: nova.kernel @attention_2x4x16x16x8x8(%{{[^ ]+}}: tensor<2x16x12x8xf32>) -> tensor<2x16x4x8xf32>
func.func @heads(%qkv: tensor<2x16x96xf32>) -> tensor<2x16x32xf32> {
  %0 = nova.slice %qkv starts = [0, 0, 0] limits = [2, 16, 32] strides = [1, 1, 1]
    : tensor<2x16x96xf32> -> tensor<2x16x32xf32>
  %1 = nova.reshape %0 : tensor<2x16x32xf32> -> tensor<2x16x4x8xf32>
  %q = nova.transpose %1 [0, 2, 1, 3] : tensor<2x16x4x8xf32>
  %2 = nova.slice %qkv starts = [0, 0, 32] limits = [2, 16, 64] strides = [1, 1, 1]
    : tensor<2x16x96xf32> -> tensor<2x16x32xf32>
  %3 = nova.reshape %2 : tensor<2x16x32xf32> -> tensor<2x16x4x8xf32>
  %k = nova.transpose %3 [0, 2, 1, 3] : tensor<2x16x4x8xf32>
  %4 = nova.slice %qkv starts = [0, 0, 64] limits = [2, 16, 96] strides = [1, 1, 1]
    : tensor<2x16x96xf32> -> tensor<2x16x32xf32>
  %5 = nova.reshape %4 : tensor<2x16x32xf32> -> tensor<2x16x4x8xf32>
  %v = nova.transpose %5 [0, 2, 1, 3] : tensor<2x16x4x8xf32>
  %y, %lse = nova.attention %q, %k, %v {causal}
    : tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>
  %6 = nova.transpose %y [0, 2, 1, 3] : tensor<2x4x16x8xf32>
  %7 = nova.reshape %6 : tensor<2x16x4x8xf32> -> tensor<2x16x32xf32>
  return %7 : tensor<2x16x32xf32>
}

// A slice that does not begin with a head stays before the reshape; a strided one too.
// CHECK-LABEL: func.func @within_heads
// CHECK-NEXT: nova.slice {{.*}} starts = [0, 0, 3]
// CHECK-NEXT: nova.reshape
// CHECK-NEXT: nova.slice {{.*}} strides = [1, 1, 2]
// CHECK-NEXT: nova.reshape
// CHECK-NEXT: nova.transpose
// CHECK-NEXT: nova.transpose
// CHECK-NEXT: nova.attention
func.func @within_heads(%qkv: tensor<2x6x24xf32>) -> tensor<2x2x6x4xf32> {
  %0 = nova.slice %qkv starts = [0, 0, 3] limits = [2, 6, 11] strides = [1, 1, 1]
    : tensor<2x6x24xf32> -> tensor<2x6x8xf32>
  %1 = nova.reshape %0 : tensor<2x6x8xf32> -> tensor<2x6x2x4xf32>
  %q = nova.transpose %1 [0, 2, 1, 3] : tensor<2x6x2x4xf32>
  %2 = nova.slice %qkv starts = [0, 0, 8] limits = [2, 6, 23] strides = [1, 1, 2]
    : tensor<2x6x24xf32> -> tensor<2x6x8xf32>
  %3 = nova.reshape %2 : tensor<2x6x8xf32> -> tensor<2x6x2x4xf32>
  %k = nova.transpose %3 [0, 2, 1, 3] : tensor<2x6x2x4xf32>
  %y, %lse = nova.attention %q, %k, %k : tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>
  return %y : tensor<2x2x6x4xf32>
}

// Every reader has movement of its own, until --cse, and what is read as it was is the transpose of the transpose, behind the sums.
// CHECK-LABEL: func.func @gradient
// CHECK-SAME: ([[DY:%[^ :,]+]]: tensor<2x6x2x4xf32>, [[X:%[^ :,]+]]: tensor<2x6x2x4xf32>)
// CHECK-NEXT: [[Q:%[^ :,]+]] = nova.transpose [[X]] [0, 2, 1, 3]
// CHECK-NEXT: [[Y:%[^ :,]+]], [[LSE:%[^ :,]+]] = nova.attention [[Q]], [[Q]], [[Q]]
// CHECK-NEXT: [[BACK:%[^ :,]+]] = nova.transpose [[Y]] [0, 2, 1, 3] : tensor<2x2x6x4xf32>
// CHECK-NEXT: [[MUL:%[^ :,]+]] = nova.mul [[DY]], [[BACK]] : tensor<2x6x2x4xf32>
// CHECK-NEXT: [[ROWS:%[^ :,]+]] = nova.reshape [[MUL]] : tensor<2x6x2x4xf32> -> tensor<24x4xf32>
// CHECK-NEXT: [[SUM:%[^ :,]+]] = nova.reduce sum [[ROWS]] over [1]
// CHECK-NEXT: [[SUMS:%[^ :,]+]] = nova.reshape [[SUM]] : tensor<24xf32> -> tensor<2x6x2xf32>
// CHECK-NEXT: [[MOVED:%[^ :,]+]] = nova.transpose [[DY]] [0, 2, 1, 3]
// CHECK-NEXT: [[DELTA:%[^ :,]+]] = nova.transpose [[SUMS]] [0, 2, 1]
// CHECK-NEXT: nova.attention_grad_query [[MOVED]], [[Q]], [[Q]], [[Q]], [[LSE]], [[DELTA]]
// KERNELS-LABEL: nova.kernel @attention_grad_query_2x2x6x6x4x4
// KERNELS-SAME: tensor<2x6x2x4xf32>, %{{[^ ]+}}: tensor<2x6x2x4xf32>, %{{[^ ]+}}: tensor<2x6x2xf32>, %{{[^ ]+}}: tensor<2x2x6xf32>
func.func @gradient(%dy: tensor<2x6x2x4xf32>, %x: tensor<2x6x2x4xf32>) -> (tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) {
  %q = nova.transpose %x [0, 2, 1, 3] : tensor<2x6x2x4xf32>
  %y, %lse = nova.attention %q, %q, %q : tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>
  %0 = nova.transpose %y [0, 2, 1, 3] : tensor<2x2x6x4xf32>
  %d = nova.transpose %dy [0, 2, 1, 3] : tensor<2x6x2x4xf32>
  %1 = nova.mul %d, %y : tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>
  %rows = nova.reshape %1 : tensor<2x2x6x4xf32> -> tensor<24x4xf32>
  %sums = nova.reduce sum %rows over [1] : tensor<24x4xf32>
  %delta = nova.reshape %sums : tensor<24xf32> -> tensor<2x2x6xf32>
  %dq = nova.attention_grad_query %d, %q, %q, %q, %lse, %delta
    : tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>, tensor<2x2x6xf32>,
      tensor<2x2x6xf32>
  %2 = nova.transpose %dq [0, 2, 1, 3] : tensor<2x2x6x4xf32>
  return %0, %2 : tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>
}

// Two orders of one result, where all sizes are equal: the kernel stores the last of them, which the other is made of.
// CHECK-LABEL: func.func @two_orders
// CHECK: [[Y:%[^ :,]+]], %{{.*}} = nova.attention
// CHECK-NEXT: [[MOVED:%[^ :,]+]] = nova.transpose [[Y]] {{.*}}
// CHECK-NEXT: nova.transpose [[MOVED]]
// CHECK-NEXT: return
// KERNELS-LABEL: func.func @two_orders
// KERNELS-COUNT-2: nova.launch
// KERNELS-NOT: nova.launch
// KERNELS: return
func.func @two_orders(%x: tensor<4x4x4x4xf32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) {
  %y, %lse = nova.attention %x, %x, %x : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>
  %0 = nova.transpose %y [0, 2, 1, 3] : tensor<4x4x4x4xf32>
  %1 = nova.transpose %y [2, 0, 1, 3] : tensor<4x4x4x4xf32>
  return %0, %1 : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>
}

// Readers that read a value twice, or two transposes of it, one of which makes way for the other.
// CHECK-LABEL: func.func @twice
// CHECK: [[Y:%[^ :,]+]], %{{.*}} = nova.attention
// CHECK-NEXT: [[MOVED:%[^ :,]+]] = nova.transpose [[Y]] [0, 2, 1, 3]
// CHECK-NEXT: [[MUL:%[^ :,]+]] = nova.mul [[MOVED]], [[MOVED]]
// CHECK-NEXT: [[NEG:%[^ :,]+]] = nova.neg [[MOVED]]
// CHECK-NEXT: [[ADD:%[^ :,]+]] = nova.add [[NEG]], [[MOVED]]
// CHECK-NEXT: [[SUM:%[^ :,]+]] = nova.add [[MUL]], [[ADD]]
// CHECK-NEXT: [[BACK:%[^ :,]+]] = nova.transpose [[SUM]] [0, 2, 1, 3]
// CHECK-NEXT: return [[MOVED]], [[BACK]]
func.func @twice(%x: tensor<2x6x2x4xf32>) -> (tensor<2x6x2x4xf32>, tensor<2x2x6x4xf32>) {
  %q = nova.transpose %x [0, 2, 1, 3] : tensor<2x6x2x4xf32>
  %y, %lse = nova.attention %q, %q, %q : tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>
  %0 = nova.transpose %y [0, 2, 1, 3] : tensor<2x2x6x4xf32>
  %1 = nova.mul %y, %y : tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>
  %2 = nova.neg %y : tensor<2x2x6x4xf32>
  %3 = nova.add %2, %y : tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>
  %4 = nova.add %1, %3 : tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>
  return %0, %4 : tensor<2x6x2x4xf32>, tensor<2x2x6x4xf32>
}
