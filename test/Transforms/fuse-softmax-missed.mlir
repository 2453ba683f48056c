// RUN: nova-opt %s --nova-fuse-attention --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=nova-fuse-attention --remark-format=emitRemark | FileCheck %s

// CHECK-NOT: nova.softmax

func.func @other_sum(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = nova.exp %x : tensor<4x8xf32>
  %s = nova.reduce sum %y over [1] {keep_dims} : tensor<4x8xf32>
  // expected-remark @below {{Reason="the divisor is the sum of another tensor than the dividend"}}
  %p = nova.div %e, %s : tensor<4x8xf32>, tensor<4x1xf32>
  return %p : tensor<4x8xf32>
}

// -----

func.func @scaled_sum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %two = nova.constant dense<2.0> : tensor<f32>
  %e = nova.exp %x : tensor<4x8xf32>
  %s = nova.reduce sum %e over [1] {keep_dims} : tensor<4x8xf32>
  %s2 = nova.mul %s, %two : tensor<4x1xf32>, tensor<f32>
  // expected-remark @below {{Reason="the sum of the exponentials is scaled"}}
  %p = nova.div %e, %s2 : tensor<4x8xf32>, tensor<4x1xf32>
  return %p : tensor<4x8xf32>
}

// -----

func.func @two_axes(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = nova.exp %x : tensor<4x8xf32>
  %s = nova.reduce sum %e over [0, 1] {keep_dims} : tensor<4x8xf32>
  // expected-remark @below {{Reason="the sum runs over several axes, softmax over one"}}
  %p = nova.div %e, %s : tensor<4x8xf32>, tensor<1x1xf32>
  return %p : tensor<4x8xf32>
}

// -----

func.func @weights(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = nova.exp %x : tensor<4x8xf32>
  %k = nova.mul %e, %w : tensor<4x8xf32>, tensor<4x8xf32>
  %s = nova.reduce sum %k over [1] {keep_dims} : tensor<4x8xf32>
  // expected-remark @below {{Reason="the exponentials are multiplied by what is no mask of zeros and ones"}}
  %p = nova.div %k, %s : tensor<4x8xf32>, tensor<4x1xf32>
  return %p : tensor<4x8xf32>
}

// -----

func.func @used_elsewhere(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = nova.exp %x : tensor<4x8xf32>
  %s = nova.reduce sum %e over [1] {keep_dims} : tensor<4x8xf32>
  // expected-remark @below {{Reason="the exponentials are used elsewhere"}}
  %p = nova.div %e, %s : tensor<4x8xf32>, tensor<4x1xf32>
  return %p, %e : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// A square tensor whose row sums divide its columns: not a near miss, just something else.
func.func @sums_along_the_other_axis(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = nova.exp %x : tensor<8x8xf32>
  %s = nova.reduce sum %e over [1] : tensor<8x8xf32>
  %p = nova.div %e, %s : tensor<8x8xf32>, tensor<8xf32>
  return %p : tensor<8x8xf32>
}
