// RUN: nova-opt %s --nova-build-train-step=function=objective | FileCheck %s

// The example of the pass description, under another name. Arguments are printed with the names of what they are.

nova.parameter @w : tensor<4xf32> = #nova.normal<mean = 0.0, std = 0.02>
func.func @objective(%x: tensor<4xf32> {nova.name = "x"}) -> tensor<f32> {
  %w = nova.read @w : tensor<4xf32>
  %y = nova.mul %w, %x : tensor<4xf32>, tensor<4xf32>
  %l = nova.reduce sum %y over [0] : tensor<4xf32>
  return %l : tensor<f32>
}
// CHECK-LABEL: func.func @objective(
// CHECK-SAME: %w: tensor<4xf32> {nova.name = "w", nova.role = "parameter"}, %x: tensor<4xf32>
// CHECK-NEXT: [[Y:%.+]] = nova.mul %w, %x
// CHECK-NEXT: [[L:%.+]] = nova.reduce sum [[Y]]
// CHECK-NEXT: return [[L]]
// CHECK-LABEL: func.func @train_step(
// CHECK-SAME: %w: {{.*}}, %m.w: {{.*}}, %v.w: {{.*}}, %x: {{.*}}, %lr: {{.*}}, %step: {{.*}}, %seed: {{.*}})
// CHECK: nova.value_and_grad @objective
