// RUN: nova-opt %s --nova-build-train-step | FileCheck %s
// RUN: nova-opt %s --nova-build-train-step="optimizer=sgd momentum=0.5 clip=0" | FileCheck %s --check-prefix=SGD
// RUN: nova-opt %s --nova-build-train-step="optimizer=adam accumulate=4" | FileCheck %s --check-prefix=MICRO

// What parameters say about their training.

nova.parameter @w : tensor<4x4xf32> = #nova.constant<1.0> {decay = 2.0, lr_factor = 0.5}
nova.parameter @table : tensor<4x4xf32> = #nova.constant<1.0> {frozen}
nova.parameter @b : tensor<4xf32> = #nova.constant<0.0> {decay = true}
func.func @loss(%x: tensor<4x4xf32> {nova.name = "x"}) -> tensor<f32> {
  %w = nova.read @w : tensor<4x4xf32>
  %table = nova.read @table : tensor<4x4xf32>
  %b = nova.read @b : tensor<4xf32>
  %y = nova.mul %x, %w : tensor<4x4xf32>, tensor<4x4xf32>
  %z = nova.mul %y, %table : tensor<4x4xf32>, tensor<4x4xf32>
  %s = nova.add %z, %b : tensor<4x4xf32>, tensor<4xf32>
  %l = nova.reduce sum %s over [0, 1] : tensor<4x4xf32>
  return %l : tensor<f32>
}

// A frozen parameter is read, and nothing else: it has no gradient, no moments and no place among the results.
// CHECK-LABEL: func.func @train_step(
// CHECK-SAME: [[W:%[^:]+]]: tensor<4x4xf32> {nova.donated = 0 : i64, nova.name = "w", nova.role = "parameter"},
// CHECK-SAME: [[TABLE:%[^:]+]]: tensor<4x4xf32> {nova.name = "table", nova.role = "parameter"},
// CHECK-SAME: [[B:%[^:]+]]: tensor<4xf32> {nova.donated = 1 : i64, nova.name = "b", nova.role = "parameter"},
// CHECK-SAME: {{%[^:]+}}: tensor<4x4xf32> {nova.donated = 2 : i64, nova.name = "w", nova.role = "m"},
// CHECK-SAME: {{%[^:]+}}: tensor<4xf32> {nova.donated = 3 : i64, nova.name = "b", nova.role = "m"},
// CHECK-SAME: {{%[^:]+}}: tensor<4x4xf32> {nova.donated = 4 : i64, nova.name = "w", nova.role = "v"},
// CHECK-SAME: {{%[^:]+}}: tensor<4xf32> {nova.donated = 5 : i64, nova.name = "b", nova.role = "v"},
// CHECK-SAME: [[LR:%[^:]+]]: tensor<f32> {nova.name = "lr", nova.role = "lr"},
// CHECK-NEXT: [[VG:%.+]]:3 = nova.value_and_grad @loss([[W]], [[TABLE]], [[B]], {{%.+}}) wrt [0, 2]
// CHECK: [[HALF:%.+]] = nova.constant dense<5.000000e-01>
// CHECK: [[LOW:%.+]] = nova.mul [[LR]], [[HALF]]
// CHECK: nova.adamw [[W]], [[VG]]#1, {{.*}} lr [[LOW]], {{.*}} weight_decay = 2.000000e-01
// CHECK: nova.adamw [[B]], [[VG]]#2, {{.*}} lr [[LR]], {{.*}} weight_decay = 1.000000e-01

// SGD-LABEL: func.func @train_step(
// SGD-NOT: nova.role = "v"
// SGD: [[W:%[^,]+]], [[WM:%[^ ]+]] = nova.sgd {{.*}} scale {{%.+}} {momentum = 5.000000e-01 : f64, weight_decay = 2.000000e-01 : f64}
// SGD: [[B:%[^,]+]], [[BM:%[^ ]+]] = nova.sgd
// SGD: return [[W]], [[B]], [[WM]], [[BM]]

// Accumulation: the gradients of micro-batches are added up, and their mean is clipped and used.
// MICRO-NOT: func.func @train_step
// MICRO-LABEL: func.func @gradient_step(
// MICRO-SAME: [[SUM:%[^:]+]]: tensor<4x4xf32> {nova.donated = 0 : i64, nova.name = "w", nova.role = "accumulator"},
// MICRO-SAME: {{%[^:]+}}: tensor<4xf32> {nova.donated = 1 : i64, nova.name = "b", nova.role = "accumulator"},
// MICRO-SAME: {{%[^:]+}}: tensor<4x4xf32> {nova.name = "x", nova.role = "data"},
// MICRO-SAME: [[MICRO:%[^:]+]]: tensor<i64> {nova.name = "micro", nova.role = "micro"},
// MICRO-SAME: attributes {nova.micro_batches = 4 : i64}
// MICRO: [[LATER:%.+]] = nova.compare gt [[MICRO]], {{%.+}}
// MICRO: [[BEFORE:%.+]] = nova.select [[LATER]], [[SUM]], {{%.+}}
// MICRO: nova.add {{%.+}}#1, [[BEFORE]]
// MICRO-LABEL: func.func @update_step(
// MICRO: [[ALL:%.+]] = nova.global_norm
// MICRO: [[QUARTER:%.+]] = nova.constant dense<2.500000e-01>
// MICRO: [[NORM:%.+]] = nova.mul [[ALL]], [[QUARTER]]
// MICRO: [[CLIP:%.+]] = nova.min
// MICRO: [[SCALE:%.+]] = nova.mul [[CLIP]], {{%.+}}
// MICRO: nova.adam {{.*}} scale [[SCALE]]
// MICRO: return {{.*}}, [[NORM]]
