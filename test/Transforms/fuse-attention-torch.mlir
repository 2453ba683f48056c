// RUN: nova-opt %s --canonicalize --cse --nova-fuse-attention --canonicalize | FileCheck %s
//
// Attention as torch.export writes it, for a small GPT in three spellings: [batch, position, head, depth] views, products
// over folded batch and head, and for einsum axes of size 1 that come and go.

// masked_fill(mask == 0, -inf) with a buffer of 8 positions, of which 5 are used.
// CHECK-LABEL: func @masked_fill(
// CHECK:         nova.attention %{{.*}}, %{{.*}}, %{{.*}} {causal} : tensor<2x4x5x16xf32>
// CHECK-NEXT:    nova.transpose
// CHECK-NEXT:    nova.reshape
// CHECK-NEXT:    return
func.func @masked_fill(%qkv: tensor<2x5x192xf32>) -> tensor<2x5x64xf32> {
  %i = nova.iota 2 : tensor<1x1x8x8xi64>
  %j = nova.iota 3 : tensor<1x1x8x8xi64>
  %tril = nova.compare le %j, %i : tensor<1x1x8x8xi64>, tensor<1x1x8x8xi64>
  %buffer = nova.cast %tril : tensor<1x1x8x8xi1> -> tensor<1x1x8x8xf32>
  %qc = nova.slice %qkv starts = [0, 0, 0] limits = [2, 5, 64] strides = [1, 1, 1] : tensor<2x5x192xf32> -> tensor<2x5x64xf32>
  %kc = nova.slice %qkv starts = [0, 0, 64] limits = [2, 5, 128] strides = [1, 1, 1] : tensor<2x5x192xf32> -> tensor<2x5x64xf32>
  %vc = nova.slice %qkv starts = [0, 0, 128] limits = [2, 5, 192] strides = [1, 1, 1] : tensor<2x5x192xf32> -> tensor<2x5x64xf32>
  %qv = nova.reshape %qc : tensor<2x5x64xf32> -> tensor<2x5x4x16xf32>
  %kv = nova.reshape %kc : tensor<2x5x64xf32> -> tensor<2x5x4x16xf32>
  %vv = nova.reshape %vc : tensor<2x5x64xf32> -> tensor<2x5x4x16xf32>
  %q = nova.transpose %qv [0, 2, 1, 3] : tensor<2x5x4x16xf32>
  %k = nova.transpose %kv [0, 2, 1, 3] : tensor<2x5x4x16xf32>
  %v = nova.transpose %vv [0, 2, 1, 3] : tensor<2x5x4x16xf32>
  %kt = nova.transpose %k [0, 1, 3, 2] : tensor<2x4x5x16xf32>
  %qf = nova.reshape %q : tensor<2x4x5x16xf32> -> tensor<8x5x16xf32>
  %kf = nova.reshape %kt : tensor<2x4x16x5xf32> -> tensor<8x16x5xf32>
  %sf = nova.matmul %qf, %kf : tensor<8x5x16xf32>, tensor<8x16x5xf32>
  %s = nova.reshape %sf : tensor<8x5x5xf32> -> tensor<2x4x5x5xf32>
  %scale = nova.constant dense<0.25> : tensor<f32>
  %x = nova.mul %s, %scale : tensor<2x4x5x5xf32>, tensor<f32>
  %rows = nova.slice %buffer starts = [0, 0, 0, 0] limits = [1, 1, 5, 8] strides = [1, 1, 1, 1]
    : tensor<1x1x8x8xf32> -> tensor<1x1x5x8xf32>
  %mask = nova.slice %rows starts = [0, 0, 0, 0] limits = [1, 1, 5, 5] strides = [1, 1, 1, 1]
    : tensor<1x1x5x8xf32> -> tensor<1x1x5x5xf32>
  %zero = nova.constant dense<0.0> : tensor<f32>
  %hidden = nova.compare eq %mask, %zero : tensor<1x1x5x5xf32>, tensor<f32>
  %infinity = nova.constant dense<0xFF800000> : tensor<f32>
  %m = nova.select %hidden, %infinity, %x : tensor<1x1x5x5xi1>, tensor<f32>, tensor<2x4x5x5xf32>
  %p = nova.softmax %m : tensor<2x4x5x5xf32>
  %pf = nova.reshape %p : tensor<2x4x5x5xf32> -> tensor<8x5x5xf32>
  %vf = nova.reshape %v : tensor<2x4x5x16xf32> -> tensor<8x5x16xf32>
  %of = nova.matmul %pf, %vf : tensor<8x5x5xf32>, tensor<8x5x16xf32>
  %o = nova.reshape %of : tensor<8x5x16xf32> -> tensor<2x4x5x16xf32>
  %ot = nova.transpose %o [0, 2, 1, 3] : tensor<2x4x5x16xf32>
  %y = nova.reshape %ot : tensor<2x5x4x16xf32> -> tensor<2x5x64xf32>
  return %y : tensor<2x5x64xf32>
}

// einsum, exp, a product with a mask of zeros and ones, and the sum: no softmax is there.
// CHECK-LABEL: func @einsum_and_exp(
// CHECK-NOT:     nova.exp
// CHECK:         nova.attention %{{.*}}, %{{.*}}, %{{.*}} {causal} : tensor<2x4x5x16xf32>
// CHECK-NOT:     nova.reduce
func.func @einsum_and_exp(%qv: tensor<2x5x4x16xf32>, %kv: tensor<2x5x4x16xf32>, %vv: tensor<2x5x4x16xf32>)
    -> tensor<2x5x4x16xf32> {
  %i = nova.iota 2 : tensor<1x1x5x5xi64>
  %j = nova.iota 3 : tensor<1x1x5x5xi64>
  %tril = nova.compare ge %i, %j : tensor<1x1x5x5xi64>, tensor<1x1x5x5xi64>
  %mask = nova.cast %tril : tensor<1x1x5x5xi1> -> tensor<1x1x5x5xf32>
  %q5 = nova.reshape %qv : tensor<2x5x4x16xf32> -> tensor<2x5x4x16x1xf32>
  %qa = nova.transpose %q5 [0, 2, 1, 4, 3] : tensor<2x5x4x16x1xf32>
  %qb = nova.transpose %qa [0, 1, 2, 4, 3] : tensor<2x4x5x1x16xf32>
  %qf = nova.reshape %qb : tensor<2x4x5x16x1xf32> -> tensor<8x5x16xf32>
  %k5 = nova.reshape %kv : tensor<2x5x4x16xf32> -> tensor<2x5x4x16x1xf32>
  %ka = nova.transpose %k5 [0, 2, 4, 1, 3] : tensor<2x5x4x16x1xf32>
  %kb = nova.transpose %ka [0, 1, 4, 3, 2] : tensor<2x4x1x5x16xf32>
  %kf = nova.reshape %kb : tensor<2x4x16x5x1xf32> -> tensor<8x16x5xf32>
  %sf = nova.matmul %qf, %kf : tensor<8x5x16xf32>, tensor<8x16x5xf32>
  %s5 = nova.reshape %sf : tensor<8x5x5xf32> -> tensor<2x4x5x1x5xf32>
  %st = nova.transpose %s5 [0, 1, 2, 4, 3] : tensor<2x4x5x1x5xf32>
  %s = nova.reshape %st : tensor<2x4x5x5x1xf32> -> tensor<2x4x5x5xf32>
  %root = nova.constant dense<4.0> : tensor<f32>
  %x = nova.div %s, %root : tensor<2x4x5x5xf32>, tensor<f32>
  %e = nova.exp %x : tensor<2x4x5x5xf32>
  %m = nova.mul %e, %mask : tensor<2x4x5x5xf32>, tensor<1x1x5x5xf32>
  %sum = nova.reduce sum %m over [3] {keep_dims} : tensor<2x4x5x5xf32>
  %p = nova.div %m, %sum : tensor<2x4x5x5xf32>, tensor<2x4x5x1xf32>
  %p5 = nova.reshape %p : tensor<2x4x5x5xf32> -> tensor<2x4x5x5x1xf32>
  %pa = nova.transpose %p5 [0, 2, 1, 4, 3] : tensor<2x4x5x5x1xf32>
  %pb = nova.transpose %pa [0, 2, 1, 4, 3] : tensor<2x5x4x1x5xf32>
  %pf = nova.reshape %pb : tensor<2x4x5x5x1xf32> -> tensor<8x5x5xf32>
  %v5 = nova.reshape %vv : tensor<2x5x4x16xf32> -> tensor<2x5x4x16x1xf32>
  %va = nova.transpose %v5 [0, 4, 2, 3, 1] : tensor<2x5x4x16x1xf32>
  %vb = nova.transpose %va [0, 2, 4, 3, 1] : tensor<2x1x4x16x5xf32>
  %vf = nova.reshape %vb : tensor<2x4x5x16x1xf32> -> tensor<8x5x16xf32>
  %of = nova.matmul %pf, %vf : tensor<8x5x5xf32>, tensor<8x5x16xf32>
  %o5 = nova.reshape %of : tensor<8x5x16xf32> -> tensor<2x4x5x1x16xf32>
  %oa = nova.transpose %o5 [0, 2, 1, 4, 3] : tensor<2x4x5x1x16xf32>
  %y = nova.reshape %oa : tensor<2x5x4x16x1xf32> -> tensor<2x5x4x16xf32>
  return %y : tensor<2x5x4x16xf32>
}
