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
