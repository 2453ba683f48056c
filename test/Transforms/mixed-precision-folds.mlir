// What rounds a value is kept by the passes that clean up.
// RUN: nova-opt %s --nova-mixed-precision --canonicalize --cse | FileCheck %s
// CHECK: [[NARROW:%.+]] = nova.cast %{{.+}} : tensor<4x4xf32> -> tensor<4x4xbf16>
// CHECK: [[WIDE:%.+]] = nova.cast [[NARROW]] : tensor<4x4xbf16> -> tensor<4x4xf32>
// CHECK: nova.matmul [[WIDE]], [[WIDE]]
func.func @square(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = nova.matmul %x, %x : tensor<4x4xf32>, tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
