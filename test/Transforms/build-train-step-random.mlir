// RUN: nova-opt %s --nova-build-train-step="gradients" | FileCheck %s
// RUN: nova-opt %s --nova-build-train-step --nova-autodiff | FileCheck %s --check-prefix=DIFFERENTIATED

// The loss that evaluation calls has no dropout; other random numbers stay.
// CHECK-LABEL: func.func @loss(
// CHECK-SAME: [[W:%[^:]+]]: tensor<8xf32> {nova.name = "w", nova.role = "parameter"},
// CHECK-SAME: [[STEP:%[^:]+]]: tensor<i64> {nova.name = "step", nova.role = "step"},
// CHECK-SAME: %{{[^:]+}}: tensor<8xf32> {nova.name = "x", nova.role = "data"},
// CHECK-SAME: [[SEED:%[^:]+]]: tensor<i64> {nova.name = "run", nova.role = "seed"})
// CHECK-NOT: nova.dropout
// CHECK: nova.random_uniform [[SEED]], [[STEP]]
// CHECK-NOT: nova.dropout
// CHECK: return

// CHECK-LABEL: func.func private @loss_with_dropout(
// CHECK: nova.dropout {{%.+}}, [[SEED:%.+]], [[STEP:%[^ ]+]] {
// CHECK: nova.random_uniform [[SEED]], [[STEP]]

// The step's own scalars are passed on.
// CHECK-LABEL: func.func @train_step(
// CHECK-SAME: [[W:%[^:]+]]: tensor<8xf32> {nova.donated = 0 : i64
// CHECK-SAME: [[X:%[^:]+]]: tensor<8xf32> {nova.name = "x", nova.role = "data"},
// CHECK-SAME: [[STEP:%[^:]+]]: tensor<i64> {nova.name = "step", nova.role = "step"},
// CHECK-SAME: [[SEED:%[^:]+]]: tensor<i64> {nova.name = "seed", nova.role = "seed"})
// CHECK: nova.value_and_grad @loss_with_dropout([[W]], [[STEP]], [[X]], [[SEED]]) wrt [0]

// CHECK-LABEL: func.func @gradients(
// CHECK-SAME: [[W:%[^:]+]]: tensor<8xf32> {nova.name = "w", nova.role = "parameter"},
// CHECK-SAME: [[STEP:%[^:]+]]: tensor<i64> {nova.name = "step", nova.role = "step"},
// CHECK-SAME: [[X:%[^:]+]]: tensor<8xf32> {nova.name = "x", nova.role = "data"},
// CHECK-SAME: [[SEED:%[^:]+]]: tensor<i64> {nova.name = "run", nova.role = "seed"})
// CHECK: nova.value_and_grad @loss_with_dropout([[W]], [[STEP]], [[X]], [[SEED]]) wrt [0]

// Once it is differentiated, the copy is gone.
// DIFFERENTIATED-NOT: private
nova.parameter @w : tensor<8xf32> = #nova.constant<1.0>
func.func @loss(%step: tensor<i64> {nova.role = "step"}, %x: tensor<8xf32> {nova.name = "x"},
                %run: tensor<i64> {nova.name = "run", nova.role = "seed"}) -> tensor<f32> {
  %w = nova.read @w : tensor<8xf32>
  %d = nova.dropout %w, %run, %step {p = 0.5, stream = 1} : tensor<8xf32>
  %noise = nova.random_uniform %run, %step {stream = 2} : tensor<8xf32>
  %y = nova.add %d, %noise : tensor<8xf32>, tensor<8xf32>
  %z = nova.mul %y, %x : tensor<8xf32>, tensor<8xf32>
  %l = nova.reduce sum %z over [0] : tensor<8xf32>
  return %l : tensor<f32>
}
