// RUN: nova-opt %s --nova-split-launches --cse | FileCheck %s

// Ops that are names for others become these, and what kernels of attention have not is made before them.

// CHECK-LABEL: func.func @argmax
// CHECK-NOT: nova.argmax
// CHECK: nova.reduce max
// CHECK: nova.compare eq
// CHECK: nova.compare ne
// CHECK: nova.iota
// CHECK: nova.select
// CHECK: nova.reduce min
func.func @argmax(%x: tensor<4x8xf32>) -> tensor<4xi64> {
  %y = nova.argmax %x : tensor<4x8xf32>
  return %y : tensor<4xi64>
}

// Integers have no NaN.
// CHECK-LABEL: func.func @argmin_of_integers
// CHECK-NOT: nova.compare ne
// CHECK: return
func.func @argmin_of_integers(%x: tensor<4x8xi32>) -> tensor<4xi64> {
  %y = nova.argmin %x : tensor<4x8xi32>
  return %y : tensor<4xi64>
}

// CHECK-LABEL: func.func @dropout
// CHECK: [[RANDOM:%.+]] = nova.random_uniform {{%.+}}, {{%.+}} {stream = 7 : i64} : tensor<4x8xf32>
// CHECK: nova.compare lt [[RANDOM]]
// CHECK: nova.select
func.func @dropout(%x: tensor<4x8xbf16>, %seed: tensor<i64>, %step: tensor<i64>) -> tensor<4x8xbf16> {
  %y = nova.dropout %x, %seed, %step {p = 0.1, stream = 7} : tensor<4x8xbf16>
  return %y : tensor<4x8xbf16>
}

// A product with the patches of the image.
// CHECK-LABEL: func.func @convolution
// CHECK: nova.pad
// CHECK-COUNT-4: nova.slice
// CHECK: nova.concat
// CHECK: nova.matmul
func.func @convolution(%x: tensor<2x3x8x8xf32>, %w: tensor<6x3x2x2xf32>) -> tensor<2x6x9x9xf32> {
  %y = nova.conv2d %x, %w strides = [1, 1] padding = [1, 1] : tensor<2x3x8x8xf32>, tensor<6x3x2x2xf32>
  return %y : tensor<2x6x9x9xf32>
}

// Heads of keys are repeated, masks of truth values become numbers.
// CHECK-LABEL: func.func @attention
// CHECK: nova.broadcast_in_dim
// CHECK: nova.select {{.*}} : tensor<2x1x1x6xi1>, tensor<f32>, tensor<f32>
// CHECK: nova.attention {{.*}} mask {{.*}} : tensor<2x4x5x8xf32>, tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>, tensor<2x1x1x6xf32>
func.func @attention(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x6x8xf32>, %m: tensor<2x1x1x6xi1>) -> tensor<2x4x5x8xf32> {
  %y, %lse = nova.attention %q, %k, %k mask %m
    : tensor<2x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x1x1x6xi1>
  return %y : tensor<2x4x5x8xf32>
}

// Shapes that are not known yet are left for when they are.
// CHECK-LABEL: func.func @dynamic
// CHECK: nova.argmax
// CHECK: nova.mse
func.func @dynamic(%x: tensor<?x8xf32>) -> (tensor<?xi64>, tensor<f32>) {
  %y = nova.argmax %x : tensor<?x8xf32>
  %z = nova.mse %x, %x : tensor<?x8xf32>, tensor<?x8xf32>
  return %y, %z : tensor<?xi64>, tensor<f32>
}
