// RUN: nova-opt %s --nova-form-kernels=fuse=false | FileCheck %s
// RUN: nova-opt %s --nova-form-kernels --remarks-filter=nova-form-kernels --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// One op per kernel.
// CHECK: nova.kernel @matmul_4x8x8
// CHECK: nova.kernel @add_4x8
// CHECK: nova.kernel @relu_32
// CHECK: nova.kernel @add_4x4x8
// CHECK: nova.kernel @square_32
// CHECK: nova.kernel @sum_4x8

// REMARK: Remark="nova.square joins the reduction after it"
// REMARK: Remark="nova.add joins the product before it"
// REMARK: Remark="nova.relu joins the product before it"
// REMARK: Reason="an operand or the result has no place on the axes of the product", Remark="nova.add does not join the product before it"
func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> (tensor<4xf32>, tensor<4x4x8xf32>) {
  %0 = nova.matmul %x, %w : tensor<4x8xf32>, tensor<8x8xf32>
  %1 = nova.add %0, %b : tensor<4x8xf32>, tensor<8xf32>
  %2 = nova.relu %1 : tensor<4x8xf32>
  %3 = nova.reshape %2 : tensor<4x8xf32> -> tensor<4x1x8xf32>
  %4 = nova.add %2, %3 : tensor<4x8xf32>, tensor<4x1x8xf32>
  %5 = nova.square %x : tensor<4x8xf32>
  %6 = nova.reduce sum %5 over [1] : tensor<4x8xf32>
  return %6, %4 : tensor<4xf32>, tensor<4x4x8xf32>
}
