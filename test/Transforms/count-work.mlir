// RUN: nova-opt %s --pass-pipeline="builtin.module(nova.kernel(nova-count-work))" | FileCheck %s

// 2 * 8 * 4 * 64 for the product, 8 * 4 for the bias.
// CHECK: nova.kernel @product
// CHECK-SAME: nova.flops = 4.128000e+03 : f64
nova.kernel @product(%x: tensor<8x64xf32>, %w: tensor<64x4xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32> family matmul {
  %y = nova.matmul %x, %w : tensor<8x64xf32>, tensor<64x4xf32>
  %z = nova.add %y, %b : tensor<8x4xf32>, tensor<4xf32>
  nova.return %z : tensor<8x4xf32>
}

// 2 * (2 * 3 * 16 * 16 pairs) * (8 + 4).
// CHECK: nova.kernel @attention
// CHECK-SAME: nova.flops = 3.686400e+04 : f64
nova.kernel @attention(%q: tensor<2x3x16x8xf32>, %k: tensor<2x3x16x8xf32>, %v: tensor<2x3x16x4xf32>)
    -> (tensor<2x3x16x4xf32>, tensor<2x3x16xf32>) family attention {
  %y, %lse = nova.attention %q, %k, %v : tensor<2x3x16x8xf32>, tensor<2x3x16x8xf32>, tensor<2x3x16x4xf32>
  nova.return %y, %lse : tensor<2x3x16x4xf32>, tensor<2x3x16xf32>
}

// A causal mask leaves half of the pairs.
// CHECK: nova.kernel @causal
// CHECK-SAME: nova.flops = 1.843200e+04 : f64
nova.kernel @causal(%q: tensor<2x3x16x8xf32>, %k: tensor<2x3x16x8xf32>, %v: tensor<2x3x16x4xf32>)
    -> (tensor<2x3x16x4xf32>, tensor<2x3x16xf32>) family attention {
  %y, %lse = nova.attention %q, %k, %v {causal} : tensor<2x3x16x8xf32>, tensor<2x3x16x8xf32>, tensor<2x3x16x4xf32>
  nova.return %y, %lse : tensor<2x3x16x4xf32>, tensor<2x3x16xf32>
}

// CHECK: nova.kernel @softmax
// CHECK-SAME: nova.flops = 1.280000e+02 : f64
nova.kernel @softmax(%x: tensor<8x16xf32>) -> tensor<8x16xf32> family row {
  %y = nova.softmax %x : tensor<8x16xf32>
  nova.return %y : tensor<8x16xf32>
}

// CHECK: nova.kernel @moved
// CHECK-SAME: nova.flops = 0.000000e+00 : f64
nova.kernel @moved(%x: tensor<8x16xf32>) -> tensor<16x8xf32> family index {
  %y = nova.transpose %x [1, 0] : tensor<8x16xf32>
  nova.return %y : tensor<16x8xf32>
}

// An addition for each update, whatever the table's rows: 6 * 8. All of it is read and written:
// 4 * (100 * 8 + 6 + 6 * 8 + 100 * 8).
// CHECK: nova.kernel @scattered
// CHECK-SAME: nova.bytes = 6.616000e+03 : f64, nova.flops = 4.800000e+01 : f64
nova.kernel @scattered(%into: tensor<100x8xf32>, %ids: tensor<6xi32>, %updates: tensor<6x8xf32>) -> tensor<100x8xf32> family index {
  %y = nova.scatter_add %into[%ids], %updates : tensor<100x8xf32>, tensor<6xi32>, tensor<6x8xf32>
  nova.return %y : tensor<100x8xf32>
}

// Six rows of the table are read: 4 * (6 * 8 + 6 + 6 * 8).
// CHECK: nova.kernel @gathered
// CHECK-SAME: nova.bytes = 4.080000e+02 : f64, nova.flops = 0.000000e+00 : f64
nova.kernel @gathered(%table: tensor<100x8xf32>, %ids: tensor<6xi32>) -> tensor<6x8xf32> family index {
  %y = nova.gather %table[%ids] : tensor<100x8xf32>, tensor<6xi32>
  nova.return %y : tensor<6x8xf32>
}

// Never more than the table has: 4 * (2 * 8 + 6 + 6 * 8).
// CHECK: nova.kernel @small_table
// CHECK-SAME: nova.bytes = 2.800000e+02 : f64
nova.kernel @small_table(%table: tensor<2x8xf32>, %ids: tensor<6xi32>) -> tensor<6x8xf32> family index {
  %y = nova.gather %table[%ids] : tensor<2x8xf32>, tensor<6xi32>
  nova.return %y : tensor<6x8xf32>
}

// A table of bf16 that is widened where it is read: 2 * 6 * 8 + 4 * (6 + 6 * 8).
// CHECK: nova.kernel @narrow_table
// CHECK-SAME: nova.bytes = 3.120000e+02 : f64, nova.flops = 0.000000e+00 : f64
nova.kernel @narrow_table(%table: tensor<100x8xbf16>, %ids: tensor<6xi32>) -> tensor<6x8xf32> family index {
  %wide = nova.cast %table : tensor<100x8xbf16> -> tensor<100x8xf32>
  %y = nova.gather %wide[%ids] : tensor<100x8xf32>, tensor<6xi32>
  nova.return %y : tensor<6x8xf32>
}

// CHECK: nova.kernel @sliced
// CHECK-SAME: nova.bytes = 1.280000e+02 : f64, nova.flops = 0.000000e+00 : f64
nova.kernel @sliced(%x: tensor<64x8xf32>) -> tensor<2x8xf32> family index {
  %y = nova.slice %x starts = [4, 0] limits = [6, 8] strides = [1, 1] : tensor<64x8xf32> -> tensor<2x8xf32>
  nova.return %y : tensor<2x8xf32>
}

// 64 + 2 * 8 + 64 bytes.
// CHECK: nova.kernel @sliced_somewhere
// CHECK-SAME: nova.bytes = 1.440000e+02 : f64, nova.flops = 0.000000e+00 : f64
nova.kernel @sliced_somewhere(%x: tensor<64x8xf32>, %at: tensor<2xi64>) -> tensor<2x8xf32> family index {
  %y = nova.dynamic_slice %x[%at] sizes = [2, 8] : tensor<64x8xf32>, tensor<2xi64> -> tensor<2x8xf32>
  nova.return %y : tensor<2x8xf32>
}

// An operand that something else reads in full is read in full: 4 * (64 * 8 + 2 * 8 + 64 * 8).
// CHECK: nova.kernel @sliced_and_read
// CHECK-SAME: nova.bytes = 4.160000e+03 : f64, nova.flops = 5.120000e+02 : f64
nova.kernel @sliced_and_read(%x: tensor<64x8xf32>) -> (tensor<2x8xf32>, tensor<64x8xf32>) family generic {
  %y = nova.slice %x starts = [4, 0] limits = [6, 8] strides = [1, 1] : tensor<64x8xf32> -> tensor<2x8xf32>
  %z = nova.exp %x : tensor<64x8xf32>
  nova.return %y, %z : tensor<2x8xf32>, tensor<64x8xf32>
}

// A step for each element that a reduction takes: 64 * 8.
// CHECK: nova.kernel @reduced
// CHECK-SAME: nova.bytes = 2.080000e+03 : f64, nova.flops = 5.120000e+02 : f64
nova.kernel @reduced(%x: tensor<64x8xf32>) -> tensor<8xf32> family column {
  %y = nova.reduce sum %x over [0] : tensor<64x8xf32>
  nova.return %y : tensor<8xf32>
}

// CHECK: nova.kernel @cumulative
// CHECK-SAME: nova.flops = 5.120000e+02 : f64
nova.kernel @cumulative(%x: tensor<64x8xf32>) -> tensor<64x8xf32> family row {
  %y = nova.cumsum %x : tensor<64x8xf32>
  nova.return %y : tensor<64x8xf32>
}

// CHECK: nova.kernel @largest
// CHECK-SAME: nova.flops = 5.120000e+02 : f64
nova.kernel @largest(%x: tensor<64x8xf32>) -> tensor<64xi64> family row {
  %y = nova.argmax %x {axis = 1} : tensor<64x8xf32>
  nova.return %y : tensor<64xi64>
}

// A step for each logit: 2 * 16.
// CHECK: nova.kernel @normalized
// CHECK-SAME: nova.flops = 3.200000e+01 : f64
nova.kernel @normalized(%x: tensor<2x16xf32>) -> tensor<2x16xf32> family row {
  %y = nova.log_softmax %x : tensor<2x16xf32>
  nova.return %y : tensor<2x16xf32>
}

// 2 * (1 * 2 * 8 * 8 pairs) * (2 * 4 + 4): scores again, the gradients of the weights, and the sum for queries.
// CHECK: nova.kernel @query
// CHECK-SAME: nova.flops = 3.072000e+03 : f64
nova.kernel @query(%q: tensor<1x2x8x4xf32>, %r: tensor<1x2x8xf32>) -> tensor<1x2x8x4xf32> family attention {
  %y = nova.attention_grad_query %q, %q, %q, %q, %r, %r : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>
  nova.return %y : tensor<1x2x8x4xf32>
}

// 2 * (1 * 2 * 8 * 8 pairs) * (2 * 4 + 2 * 4).
// CHECK: nova.kernel @key_value
// CHECK-SAME: nova.flops = 4.096000e+03 : f64
nova.kernel @key_value(%q: tensor<1x2x8x4xf32>, %r: tensor<1x2x8xf32>) -> (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) family attention {
  %y:2 = nova.attention_grad_key_value %q, %q, %q, %q, %r, %r : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>
  nova.return %y#0, %y#1 : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
}
