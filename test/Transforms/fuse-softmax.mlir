// RUN: nova-opt %s --nova-fuse-attention | FileCheck %s
//
// Softmax spelled out, which --nova-fuse-attention raises first.

// CHECK-LABEL: func @largest_subtracted(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:    %[[P:.*]] = nova.softmax %[[X]] : tensor<4x8xf32>
// CHECK-NEXT:    return %[[P]]
func.func @largest_subtracted(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %m = nova.reduce max %x over [1] {keep_dims} : tensor<4x8xf32>
  %d = nova.sub %x, %m : tensor<4x8xf32>, tensor<4x1xf32>
  %e = nova.exp %d : tensor<4x8xf32>
  %s = nova.reduce sum %e over [1] {keep_dims} : tensor<4x8xf32>
  %p = nova.div %e, %s : tensor<4x8xf32>, tensor<4x1xf32>
  return %p : tensor<4x8xf32>
}

// CHECK-LABEL: func @nothing_subtracted(
// CHECK-NEXT:    nova.softmax %arg0 : tensor<4x8xf32>
func.func @nothing_subtracted(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = nova.exp %x : tensor<4x8xf32>
  %s = nova.reduce sum %e over [1] {keep_dims} : tensor<4x8xf32>
  %r = nova.reciprocal %s : tensor<4x1xf32>
  %p = nova.mul %r, %e : tensor<4x1xf32>, tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

// Reductions that drop the axis, brought back by reshape and broadcast; another axis than the last.
// CHECK-LABEL: func @middle_axis(
// CHECK-NEXT:    nova.softmax %arg0 {axis = 1 : i64} : tensor<4x8x3xf32>
func.func @middle_axis(%x: tensor<4x8x3xf32>) -> tensor<4x8x3xf32> {
  %m = nova.reduce max %x over [1] : tensor<4x8x3xf32>
  %mb = nova.broadcast_in_dim %m dims = [0, 2] : tensor<4x3xf32> -> tensor<4x8x3xf32>
  %d = nova.sub %x, %mb : tensor<4x8x3xf32>, tensor<4x8x3xf32>
  %e = nova.exp %d : tensor<4x8x3xf32>
  %s = nova.reduce sum %e over [1] : tensor<4x8x3xf32>
  %sr = nova.reshape %s : tensor<4x3xf32> -> tensor<4x1x3xf32>
  %p = nova.div %e, %sr : tensor<4x8x3xf32>, tensor<4x1x3xf32>
  return %p : tensor<4x8x3xf32>
}

// Something else than the row's largest element is subtracted: that stays.
// CHECK-LABEL: func @other_shift(
// CHECK:         %[[D:.*]] = nova.sub
// CHECK-NEXT:    nova.softmax %[[D]]
func.func @other_shift(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %m = nova.reduce max %x over [0] {keep_dims} : tensor<4x8xf32>
  %d = nova.sub %x, %m : tensor<4x8xf32>, tensor<1x8xf32>
  %e = nova.exp %d : tensor<4x8xf32>
  %s = nova.reduce sum %e over [1] {keep_dims} : tensor<4x8xf32>
  %p = nova.div %e, %s : tensor<4x8xf32>, tensor<4x1xf32>
  return %p : tensor<4x8xf32>
}

// A mask after exp: zeros and ones from a cast, from floats, and a select.
// CHECK-LABEL: func @masked_after_exp(
// CHECK-SAME:    %[[X:.*]]: tensor<4x4xf32>)
// CHECK:         %[[M:.*]] = nova.compare
// CHECK:         %[[I:.*]] = nova.constant dense<0xFF800000> : tensor<f32>
// CHECK:         %[[S:.*]] = nova.select %[[M]], %[[X]], %[[I]]
// CHECK:         nova.softmax %[[S]]
func.func @masked_after_exp(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %i = nova.iota 0 : tensor<4x4xi32>
  %j = nova.iota 1 : tensor<4x4xi32>
  %m = nova.compare le %j, %i : tensor<4x4xi32>, tensor<4x4xi32>
  %f = nova.cast %m : tensor<4x4xi1> -> tensor<4x4xf32>
  %e = nova.exp %x : tensor<4x4xf32>
  %k = nova.mul %e, %f : tensor<4x4xf32>, tensor<4x4xf32>
  %s = nova.reduce sum %k over [1] {keep_dims} : tensor<4x4xf32>
  %p = nova.div %k, %s : tensor<4x4xf32>, tensor<4x1xf32>
  return %p : tensor<4x4xf32>
}

// CHECK-LABEL: func @masked_by_floats(
// CHECK:         %[[F:.*]] = nova.constant dense<{{\[\[}}1.0
// CHECK:         %[[Z:.*]] = nova.constant dense<0.0
// CHECK:         %[[M:.*]] = nova.compare ne %[[F]], %[[Z]]
// CHECK:         %[[S:.*]] = nova.select %[[M]], %arg0, %{{.*}}
// CHECK:         nova.softmax %[[S]]
func.func @masked_by_floats(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %f = nova.constant dense<[[1.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %e = nova.exp %x : tensor<2x2xf32>
  %k = nova.mul %f, %e : tensor<2x2xf32>, tensor<2x2xf32>
  %s = nova.reduce sum %k over [1] {keep_dims} : tensor<2x2xf32>
  %p = nova.div %k, %s : tensor<2x2xf32>, tensor<2x1xf32>
  return %p : tensor<2x2xf32>
}

// A select needs no known mask.
// CHECK-LABEL: func @masked_by_select(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[M:.*]]: tensor<8xi1>)
// CHECK:         %[[S:.*]] = nova.select %[[M]], %{{.*}}, %[[X]]
// CHECK:         nova.softmax %[[S]]
func.func @masked_by_select(%x: tensor<4x8xf32>, %m: tensor<8xi1>) -> tensor<4x8xf32> {
  %z = nova.constant dense<0.0> : tensor<f32>
  %e = nova.exp %x : tensor<4x8xf32>
  %k = nova.select %m, %z, %e : tensor<8xi1>, tensor<f32>, tensor<4x8xf32>
  %s = nova.reduce sum %k over [1] {keep_dims} : tensor<4x8xf32>
  %p = nova.div %k, %s : tensor<4x8xf32>, tensor<4x1xf32>
  return %p : tensor<4x8xf32>
}

// The exp-sum form of attention: its mask is found after all.
// CHECK-LABEL: func @attention_masked_after_exp(
// CHECK-NEXT:    nova.attention %arg0, %arg0, %arg0 {causal} : tensor<1x2x4x4xf32>
func.func @attention_masked_after_exp(%q: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %two = nova.constant dense<2.0> : tensor<f32>
  %tril = nova.constant dense<[[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]]>
    : tensor<4x4xf32>
  %s = nova.matmul %q, %q {transpose_rhs} : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
  %x = nova.div %s, %two : tensor<1x2x4x4xf32>, tensor<f32>
  %e = nova.exp %x : tensor<1x2x4x4xf32>
  %k = nova.mul %e, %tril : tensor<1x2x4x4xf32>, tensor<4x4xf32>
  %sum = nova.reduce sum %k over [3] {keep_dims} : tensor<1x2x4x4xf32>
  %p = nova.div %k, %sum : tensor<1x2x4x4xf32>, tensor<1x2x4x1xf32>
  %y = nova.matmul %p, %q : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}
