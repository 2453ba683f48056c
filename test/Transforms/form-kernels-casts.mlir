// RUN: nova-opt %s --nova-form-kernels --split-input-file | FileCheck %s
// RUN: nova-opt %s --nova-form-kernels=fuse=false --split-input-file | FileCheck %s

// A cast that widens is in every kernel that reads it, one that narrows in the kernel that makes its operand: between them
// memory holds bf16, whatever the family. Results of the anchor's shape come first.
// CHECK: nova.kernel @layer_norm_4x8(%{{.+}}: tensor<4x8xbf16>, %{{.+}}: tensor<8xf32>) -> tensor<4x8xbf16> family row
// CHECK-NEXT: nova.cast %{{.+}} : tensor<4x8xbf16> -> tensor<4x8xf32>
// CHECK-NEXT: nova.layer_norm
// CHECK-NEXT: nova.cast %{{.+}} : tensor<4x8xf32> -> tensor<4x8xbf16>
// CHECK: nova.kernel @matmul_4x4x8(%{{.+}}: tensor<4x8xbf16>, %{{.+}}: tensor<8x4xbf16>) -> (tensor<4x4xf32>, tensor<4x4xbf16>)
// CHECK: nova.kernel @sum_1x4x8(%{{.+}}: tensor<1x4x8xbf16>) -> tensor<1x8xf32> family column
// CHECK-LABEL: func.func @families
// CHECK-NOT: @cast
// CHECK: return
func.func @families(%x: tensor<4x8xbf16>, %w: tensor<8xf32>) -> (tensor<4x4xf32>, tensor<4x4xbf16>, tensor<8xf32>) {
  %0 = nova.cast %x : tensor<4x8xbf16> -> tensor<4x8xf32>
  %1 = nova.layer_norm %0, %w, %w : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>
  %2 = nova.cast %1 : tensor<4x8xf32> -> tensor<4x8xbf16>
  %3 = nova.cast %2 : tensor<4x8xbf16> -> tensor<4x8xf32>
  %4 = nova.reshape %3 : tensor<4x8xf32> -> tensor<8x4xf32>
  %5 = nova.matmul %3, %4 : tensor<4x8xf32>, tensor<8x4xf32>
  %6 = nova.cast %5 : tensor<4x4xf32> -> tensor<4x4xbf16>
  %7 = nova.reduce sum %3 over [0] : tensor<4x8xf32>
  return %5, %6, %7 : tensor<4x4xf32>, tensor<4x4xbf16>, tensor<8xf32>
}

// -----

// Statistics come after what has the shape of the anchor, also where that is only needed narrow.
// CHECK: nova.kernel @attention_2x4x8x8x16x16({{.*}}) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>) family attention
// CHECK-LABEL: func.func @statistics
!q = tensor<2x4x8x16xf32>
func.func @statistics(%q: !q, %k: !q, %v: !q) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>) {
  %y, %lse = nova.attention %q, %k, %v : !q, !q, !q
  %0 = nova.cast %y : !q -> tensor<2x4x8x16xbf16>
  return %0, %lse : tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>
}

// -----

// A cast that comes after other readers joins too; those of arguments and of results are kernels of their own.
// CHECK: nova.kernel @softmax_4x8({{.*}}) -> (tensor<4x8xf32>, tensor<4x8xbf16>)
// CHECK: nova.kernel @cast_32(%{{.+}}: tensor<32xf32>) -> tensor<32xbf16>
// CHECK: nova.kernel @cast_32_1(%{{.+}}: tensor<32xbf16>) -> tensor<32xf32>
// CHECK-LABEL: func.func @late
func.func @late(%x: tensor<4x8xf32>, %b: tensor<4x8xbf16>)
    -> (tensor<4x8xf32>, tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4x8xf32>) {
  %0 = nova.softmax %x : tensor<4x8xf32>
  %1 = nova.softmax %0 : tensor<4x8xf32>
  %2 = nova.cast %0 : tensor<4x8xf32> -> tensor<4x8xbf16>
  %3 = nova.cast %x : tensor<4x8xf32> -> tensor<4x8xbf16>
  %4 = nova.cast %b : tensor<4x8xbf16> -> tensor<4x8xf32>
  return %1, %2, %3, %4 : tensor<4x8xf32>, tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4x8xf32>
}

// -----

// Narrow elements are moved, not wide ones, between constants that are numbers of both types.
// CHECK: nova.kernel @pad{{.*}}(%{{.+}}: tensor<{{.+}}xbf16>) -> tensor<{{.+}}xbf16> family index
// CHECK: nova.kernel @concat{{.*}}(%{{.+}}: tensor<{{.+}}xbf16>, %{{.+}}: tensor<{{.+}}xbf16>) -> tensor<{{.+}}xbf16> family index
// CHECK: nova.kernel @pad{{.*}}(%{{.+}}: tensor<{{.+}}xbf16>) -> tensor<{{.+}}xf32> family
// CHECK-LABEL: func.func @moved
func.func @moved(%x: tensor<4x8xbf16>) -> (tensor<8x8xf32>, tensor<6x8xf32>) {
  %zero = nova.constant dense<0.0> : tensor<f32>
  %tenth = nova.constant dense<0.1> : tensor<f32>
  %0 = nova.cast %x : tensor<4x8xbf16> -> tensor<4x8xf32>
  %1 = nova.pad %0, %zero low = [1, 0] high = [1, 0] interior = [0, 0] : tensor<4x8xf32>, tensor<f32> -> tensor<6x8xf32>
  %2 = nova.slice %1 starts = [2, 0] limits = [6, 8] strides = [1, 1] : tensor<6x8xf32> -> tensor<4x8xf32>
  %3 = nova.concat %2, %0 axis = 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %4 = nova.softmax %3 : tensor<4x16xf32>
  %5 = nova.reshape %4 : tensor<4x16xf32> -> tensor<8x8xf32>
  %6 = nova.pad %0, %tenth low = [1, 0] high = [1, 0] interior = [0, 0] : tensor<4x8xf32>, tensor<f32> -> tensor<6x8xf32>
  return %5, %6 : tensor<8x8xf32>, tensor<6x8xf32>
}
