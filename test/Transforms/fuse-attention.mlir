// RUN: nova-opt %s --nova-fuse-attention | FileCheck %s
//
// Where the scale stands, how k reaches the first product and how leading axes are folded. Masks: fuse-attention-masks.

// CHECK-LABEL: func @plain(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x4x8x16xf32>, %[[K:.*]]: tensor<2x4x12x16xf32>, %[[V:.*]]: tensor<2x4x12x5xf32>)
// CHECK-NEXT:    %[[Y:.*]], %{{.*}} = nova.attention %[[Q]], %[[K]], %[[V]] : tensor
// CHECK-NEXT:    return %[[Y]]
func.func @plain(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x12x16xf32>, %v: tensor<2x4x12x5xf32>) -> tensor<2x4x8x5xf32> {
  %c = nova.constant dense<0.25> : tensor<f32>
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<2x4x8x16xf32>, tensor<2x4x12x16xf32>
  %x = nova.mul %s, %c : tensor<2x4x8x12xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<2x4x8x12xf32>
  %y = nova.matmul %p, %v : tensor<2x4x8x12xf32>, tensor<2x4x12x5xf32>
  return %y : tensor<2x4x8x5xf32>
}

// A factor on the left, a divisor, one on q, one on k and a transposed k: 2 / 4 * 0.5 * 3 = 0.75.
// CHECK-LABEL: func @factors_everywhere(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x4x8x16xf32>, %[[K:.*]]: tensor<2x4x8x16xf32>, %[[V:.*]]: tensor<2x4x8x16xf32>)
// CHECK-NEXT:    nova.attention %[[Q]], %[[K]], %[[V]] {scale = 7.500000e-01 : f64}
func.func @factors_everywhere(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>)
    -> tensor<2x4x8x16xf32> {
  %two = nova.constant dense<2.0> : tensor<1x1xf32>
  %four = nova.constant dense<4.0> : tensor<f32>
  %half = nova.constant dense<0.5> : tensor<2x4x8x16xf32>
  %three = nova.constant dense<3.0> : tensor<f32>
  %qs = nova.mul %half, %q : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>
  %ks = nova.mul %k, %three : tensor<2x4x8x16xf32>, tensor<f32>
  %kt = nova.transpose %ks [0, 1, 3, 2] : tensor<2x4x8x16xf32>
  %s = nova.matmul %qs, %kt : tensor<2x4x8x16xf32>, tensor<2x4x16x8xf32>
  %a = nova.mul %two, %s : tensor<1x1xf32>, tensor<2x4x8x8xf32>
  %x = nova.div %a, %four : tensor<2x4x8x8xf32>, tensor<f32>
  %p = nova.softmax %x {axis = 3} : tensor<2x4x8x8xf32>
  %y = nova.matmul %p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>
  return %y : tensor<2x4x8x16xf32>
}

// 1 / sqrt(16), computed by ops on constants, is the default.
// CHECK-LABEL: func @computed_scale(
// CHECK-NEXT:    nova.attention %{{.*}}, %{{.*}}, %{{.*}} : tensor
func.func @computed_scale(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>)
    -> tensor<2x4x8x16xf32> {
  %d = nova.constant dense<16> : tensor<i32>
  %df = nova.cast %d : tensor<i32> -> tensor<f32>
  %c = nova.rsqrt %df : tensor<f32>
  %cs = nova.broadcast_in_dim %c dims = [] : tensor<f32> -> tensor<2x4x8x8xf32>
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>
  %x = nova.mul %s, %cs : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>
  %p = nova.softmax %x : tensor<2x4x8x8xf32>
  %y = nova.matmul %p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>
  return %y : tensor<2x4x8x16xf32>
}

// Without any factor the scale is 1, which is not the default.
// CHECK-LABEL: func @no_scale(
// CHECK-NEXT:    nova.attention {{.*}} {scale = 1.000000e+00 : f64}
func.func @no_scale(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>)
    -> tensor<2x4x8x16xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>
  %p = nova.softmax %s : tensor<2x4x8x8xf32>
  %y = nova.matmul %p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>
  return %y : tensor<2x4x8x16xf32>
}

// A scaled q that something else uses too stays; attention takes what it was made from.
// CHECK-LABEL: func @scaled_q_used_elsewhere(
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: tensor<2x4x8x16xf32>
// CHECK:         %[[QS:.*]] = nova.mul %[[Q]]
// CHECK:         nova.attention %[[Q]], {{.*}} {scale = 5.000000e-01 : f64}
// CHECK:         return %{{.*}}, %[[QS]]
func.func @scaled_q_used_elsewhere(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>)
    -> (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) {
  %c = nova.constant dense<0.5> : tensor<f32>
  %qs = nova.mul %q, %c : tensor<2x4x8x16xf32>, tensor<f32>
  %s = nova.matmul %qs, %k {transpose_rhs} : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>
  %p = nova.softmax %s : tensor<2x4x8x8xf32>
  %y = nova.matmul %p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>
  return %y, %qs : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>
}

// What PyTorch's graphs look like: batch and head folded for each product, apart for scale and softmax.
// CHECK-LABEL: func @folded_heads(
// CHECK-SAME:    %[[X:.*]]: tensor<2x8x4x16xf32>, %[[K:.*]]: tensor<2x8x4x16xf32>, %[[V:.*]]: tensor<2x8x4x16xf32>)
// CHECK-DAG:     %[[QT:.*]] = nova.transpose %[[X]] [0, 2, 1, 3]
// CHECK-DAG:     %[[KT:.*]] = nova.transpose %[[K]] [0, 2, 1, 3]
// CHECK-DAG:     %[[VT:.*]] = nova.transpose %[[V]] [0, 2, 1, 3]
// CHECK:         %[[Y:.*]], %{{.*}} = nova.attention %[[QT]], %[[KT]], %[[VT]] : tensor<2x4x8x16xf32>
// CHECK-NEXT:    %[[F:.*]] = nova.reshape %[[Y]] : tensor<2x4x8x16xf32> -> tensor<8x8x16xf32>
// CHECK-NEXT:    return %[[F]]
func.func @folded_heads(%qh: tensor<2x8x4x16xf32>, %kh: tensor<2x8x4x16xf32>, %vh: tensor<2x8x4x16xf32>)
    -> tensor<8x8x16xf32> {
  %c = nova.constant dense<0.25> : tensor<f32>
  %q = nova.transpose %qh [0, 2, 1, 3] : tensor<2x8x4x16xf32>
  %kt = nova.transpose %kh [0, 2, 3, 1] : tensor<2x8x4x16xf32>
  %v = nova.transpose %vh [0, 2, 1, 3] : tensor<2x8x4x16xf32>
  %qf = nova.reshape %q : tensor<2x4x8x16xf32> -> tensor<8x8x16xf32>
  %kf = nova.reshape %kt : tensor<2x4x16x8xf32> -> tensor<8x16x8xf32>
  %vf = nova.reshape %v : tensor<2x4x8x16xf32> -> tensor<8x8x16xf32>
  %sf = nova.matmul %qf, %kf : tensor<8x8x16xf32>, tensor<8x16x8xf32>
  %s = nova.reshape %sf : tensor<8x8x8xf32> -> tensor<2x4x8x8xf32>
  %x = nova.mul %s, %c : tensor<2x4x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<2x4x8x8xf32>
  %pf = nova.reshape %p : tensor<2x4x8x8xf32> -> tensor<8x8x8xf32>
  %y = nova.matmul %pf, %vf : tensor<8x8x8xf32>, tensor<8x8x16xf32>
  return %y : tensor<8x8x16xf32>
}

// One head without a batch, and five leading axes.
// CHECK-LABEL: func @other_ranks(
// CHECK:         nova.attention {{.*}} : tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>
// CHECK-NEXT:    nova.reshape %{{.*}} : tensor<1x1x8x16xf32> -> tensor<8x16xf32>
// CHECK:         nova.attention {{.*}} : tensor<6x5x8x16xf32>, tensor<6x5x8x16xf32>, tensor<6x5x8x16xf32>
// CHECK-NEXT:    nova.reshape %{{.*}} : tensor<6x5x8x16xf32> -> tensor<2x3x5x8x16xf32>
func.func @other_ranks(%a: tensor<8x16xf32>, %b: tensor<2x3x5x8x16xf32>) -> (tensor<8x16xf32>, tensor<2x3x5x8x16xf32>) {
  %s = nova.matmul %a, %a {transpose_rhs} : tensor<8x16xf32>, tensor<8x16xf32>
  %p = nova.softmax %s : tensor<8x8xf32>
  %y = nova.matmul %p, %a : tensor<8x8xf32>, tensor<8x16xf32>
  %s5 = nova.matmul %b, %b {transpose_rhs} : tensor<2x3x5x8x16xf32>, tensor<2x3x5x8x16xf32>
  %p5 = nova.softmax %s5 : tensor<2x3x5x8x8xf32>
  %y5 = nova.matmul %p5, %b : tensor<2x3x5x8x8xf32>, tensor<2x3x5x8x16xf32>
  return %y, %y5 : tensor<8x16xf32>, tensor<2x3x5x8x16xf32>
}

// Operands that lie the other way round are transposed for the op: q and k [head size, position], v [head size, position].
// CHECK-LABEL: func @transposed_operands(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x4x16x8xf32>, %[[K:.*]]: tensor<2x4x16x8xf32>, %[[V:.*]]: tensor<2x4x16x8xf32>)
// CHECK-DAG:     %[[QT:.*]] = nova.transpose %[[Q]] [0, 1, 3, 2]
// CHECK-DAG:     %[[KT:.*]] = nova.transpose %[[K]] [0, 1, 3, 2]
// CHECK-DAG:     %[[VT:.*]] = nova.transpose %[[V]] [0, 1, 3, 2]
// CHECK:         nova.attention %[[QT]], %[[KT]], %[[VT]]
func.func @transposed_operands(%q: tensor<2x4x16x8xf32>, %k: tensor<2x4x16x8xf32>, %v: tensor<2x4x16x8xf32>)
    -> tensor<2x4x8x16xf32> {
  %s = nova.matmul %q, %k {transpose_lhs} : tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>
  %p = nova.softmax %s : tensor<2x4x8x8xf32>
  %y = nova.matmul %p, %v {transpose_rhs} : tensor<2x4x8x8xf32>, tensor<2x4x16x8xf32>
  return %y : tensor<2x4x8x16xf32>
}

// bf16 literals carry the rounding of bf16: 0.17675781 is as near to 1 / sqrt(32) as it comes.
// CHECK-LABEL: func @bf16(
// CHECK-NEXT:    nova.attention %{{.*}}, %{{.*}}, %{{.*}} : tensor<1x2x8x32xbf16>
func.func @bf16(%q: tensor<1x2x8x32xbf16>, %k: tensor<1x2x8x32xbf16>, %v: tensor<1x2x8x32xbf16>)
    -> tensor<1x2x8x32xbf16> {
  %c = nova.constant dense<0.1767> : tensor<bf16>
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x32xbf16>, tensor<1x2x8x32xbf16>
  %x = nova.mul %s, %c : tensor<1x2x8x8xbf16>, tensor<bf16>
  %p = nova.softmax %x : tensor<1x2x8x8xbf16>
  %y = nova.matmul %p, %v : tensor<1x2x8x8xbf16>, tensor<1x2x8x32xbf16>
  return %y : tensor<1x2x8x32xbf16>
}
