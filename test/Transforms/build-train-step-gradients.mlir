// RUN: nova-opt %s --nova-build-train-step=gradients=true | FileCheck %s
// RUN: sed s/@loss/@gradients/ %s | not nova-opt --nova-build-train-step="function=gradients gradients=true" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TAKEN

// CHECK-LABEL: func.func @gradients(
// CHECK-SAME: [[W:%[^:]+]]: tensor<4xf32> {nova.name = "w", nova.role = "parameter"},
// CHECK-SAME: [[X:%[^:]+]]: tensor<4xf32> {nova.name = "x", nova.role = "data"})
// CHECK-SAME: -> (tensor<f32> {nova.name = "loss", nova.role = "loss"},
// CHECK-SAME: tensor<4xf32> {nova.name = "gradient.w", nova.role = "gradient"}) {
// CHECK-NEXT: [[VG:%.+]]:2 = nova.value_and_grad @loss([[W]], [[X]]) wrt [0]
// CHECK-NEXT: return [[VG]]#0, [[VG]]#1

// TAKEN: error: expected no @gradients yet: it is the name of a function to be made

nova.parameter @w : tensor<4xf32> = #nova.normal<mean = 0.0, std = 0.02>
func.func @loss(%x: tensor<4xf32> {nova.name = "x"}) -> tensor<f32> {
  %w = nova.read @w : tensor<4xf32>
  %y = nova.mul %w, %x : tensor<4xf32>, tensor<4xf32>
  %l = nova.reduce sum %y over [0] : tensor<4xf32>
  return %l : tensor<f32>
}
