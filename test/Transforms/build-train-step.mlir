// RUN: nova-opt %s --nova-build-train-step --split-input-file | FileCheck %s
// RUN: nova-opt %s --nova-build-train-step="beta1=0.8 beta2=0.7 eps=1e-4 weight-decay=0.5 clip=0" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=OPTIONS

// The parameter table stays; reads become arguments, also those in functions that the loss calls.

// CHECK: nova.parameter @w : tensor<6x4xf32>
// CHECK: nova.parameter @b : tensor<4xf32>
// CHECK: nova.parameter @fixed : tensor<4x4xf32> = #nova.constant<1.0> {decay = false}
nova.parameter @w : tensor<6x4xf32> = #nova.normal<mean = 0.0, std = 0.02>
nova.parameter @b : tensor<4xf32> = #nova.constant<0.0>
nova.parameter @fixed : tensor<4x4xf32> = #nova.constant<1.0> {decay = false}

// CHECK: func.func @bias
func.func @bias(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %b = nova.read @b : tensor<4xf32>
  %y = nova.add %x, %b : tensor<3x4xf32>, tensor<4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @loss(
// CHECK-SAME: [[W:%[^:]+]]: tensor<6x4xf32> {nova.name = "w", nova.role = "parameter"},
// CHECK-SAME: [[B:%[^:]+]]: tensor<4xf32> {nova.name = "b", nova.role = "parameter"},
// CHECK-SAME: %{{[^:]+}}: tensor<4x4xf32> {nova.name = "fixed", nova.role = "parameter"},
// CHECK-SAME: [[X:%[^:]+]]: tensor<3x6xf32> {nova.name = "x", nova.role = "data"},
// CHECK-SAME: [[T:%[^:]+]]: tensor<3xi32> {nova.name = "arg1", nova.role = "data"})
// CHECK-SAME: -> (tensor<f32> {nova.name = "loss", nova.role = "loss"})
// CHECK-NEXT: [[H:%.+]] = nova.matmul [[X]], [[W]]
// CHECK-NEXT: [[Z:%.+]] = nova.add [[H]], [[B]]
// CHECK-NEXT: [[L:%.+]] = nova.cross_entropy [[Z]], [[T]]
// CHECK-NEXT: return [[L]]
func.func @loss(%x: tensor<3x6xf32> {nova.name = "x"}, %t: tensor<3xi32>) -> tensor<f32> {
  %w = nova.read @w : tensor<6x4xf32>
  %h = nova.matmul %x, %w : tensor<3x6xf32>, tensor<6x4xf32>
  %z = call @bias(%h) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %l = nova.cross_entropy %z, %t : tensor<3x4xf32>, tensor<3xi32>
  return %l : tensor<f32>
}

// CHECK-LABEL: func.func @train_step(
// CHECK-SAME: [[W:%[^:]+]]: tensor<6x4xf32> {nova.donated = 0 : i64, nova.name = "w", nova.role = "parameter"},
// CHECK-SAME: [[B:%[^:]+]]: tensor<4xf32> {nova.donated = 1 : i64, nova.name = "b", nova.role = "parameter"},
// CHECK-SAME: [[F:%[^:]+]]: tensor<4x4xf32> {nova.donated = 2 : i64, nova.name = "fixed", nova.role = "parameter"},
// CHECK-SAME: [[WM:%[^:]+]]: tensor<6x4xf32> {nova.donated = 3 : i64, nova.name = "w", nova.role = "m"},
// CHECK-SAME: [[BM:%[^:]+]]: tensor<4xf32> {nova.donated = 4 : i64, nova.name = "b", nova.role = "m"},
// CHECK-SAME: [[FM:%[^:]+]]: tensor<4x4xf32> {nova.donated = 5 : i64, nova.name = "fixed", nova.role = "m"},
// CHECK-SAME: [[WV:%[^:]+]]: tensor<6x4xf32> {nova.donated = 6 : i64, nova.name = "w", nova.role = "v"},
// CHECK-SAME: [[BV:%[^:]+]]: tensor<4xf32> {nova.donated = 7 : i64, nova.name = "b", nova.role = "v"},
// CHECK-SAME: [[FV:%[^:]+]]: tensor<4x4xf32> {nova.donated = 8 : i64, nova.name = "fixed", nova.role = "v"},
// CHECK-SAME: [[X:%[^:]+]]: tensor<3x6xf32> {nova.name = "x", nova.role = "data"},
// CHECK-SAME: [[T:%[^:]+]]: tensor<3xi32> {nova.name = "arg1", nova.role = "data"},
// CHECK-SAME: [[LR:%[^:]+]]: tensor<f32> {nova.name = "lr", nova.role = "lr"},
// CHECK-SAME: [[STEP:%[^:]+]]: tensor<i64> {nova.name = "step", nova.role = "step"},
// CHECK-SAME: {{%[^:]+}}: tensor<i64> {nova.name = "seed", nova.role = "seed"})
// CHECK-SAME: -> (tensor<6x4xf32> {nova.name = "w", nova.role = "parameter"},
// CHECK-SAME: tensor<4xf32> {nova.name = "b", nova.role = "parameter"},
// CHECK-SAME: tensor<4x4xf32> {nova.name = "fixed", nova.role = "parameter"},
// CHECK-SAME: tensor<6x4xf32> {nova.name = "w", nova.role = "m"},
// CHECK-SAME: tensor<4xf32> {nova.name = "b", nova.role = "m"},
// CHECK-SAME: tensor<4x4xf32> {nova.name = "fixed", nova.role = "m"},
// CHECK-SAME: tensor<6x4xf32> {nova.name = "w", nova.role = "v"},
// CHECK-SAME: tensor<4xf32> {nova.name = "b", nova.role = "v"},
// CHECK-SAME: tensor<4x4xf32> {nova.name = "fixed", nova.role = "v"},
// CHECK-SAME: tensor<f32> {nova.name = "loss", nova.role = "loss"},
// CHECK-SAME: tensor<f32> {nova.name = "grad_norm", nova.role = "grad_norm"})
// CHECK-NEXT: [[VG:%.+]]:4 = nova.value_and_grad @loss([[W]], [[B]], [[F]], [[X]], [[T]]) wrt [0, 1, 2]
// CHECK-NEXT: [[NORM:%.+]] = nova.global_norm [[VG]]#1, [[VG]]#2, [[VG]]#3
// CHECK: [[TINY:%.+]] = nova.constant dense<9.99999997E-7>
// CHECK: [[SUM:%.+]] = nova.add [[NORM]], [[TINY]]
// CHECK: [[RATIO:%.+]] = nova.div {{%.+}}, [[SUM]]
// CHECK: [[SCALE:%.+]] = nova.min {{%.+}}, [[RATIO]]
// CHECK: nova.adamw [[W]], [[VG]]#1, [[WM]], [[WV]], lr [[LR]], step [[STEP]], scale [[SCALE]]
// CHECK-SAME: weight_decay = 1.000000e-01
// CHECK: nova.adamw [[B]], [[VG]]#2, [[BM]], [[BV]],
// CHECK-SAME: weight_decay = 0.000000e+00
// CHECK: nova.adamw [[F]], [[VG]]#3, [[FM]], [[FV]],
// CHECK-SAME: weight_decay = 0.000000e+00
// CHECK: return {{.*}}, [[VG]]#0, [[NORM]]

// OPTIONS-LABEL: func.func @train_step(
// OPTIONS: nova.global_norm
// OPTIONS-NEXT: [[ONE:%.+]] = nova.constant dense<1.000000e+00>
// OPTIONS-NEXT: nova.adamw {{.*}} scale [[ONE]] {beta1 = 8.000000e-01 : f64, beta2 = 0.69999999999999996 : f64, eps = 1.000000e-04 : f64, weight_decay = 5.000000e-01 : f64}

// -----

// The loss that is reported is f32, whatever it is computed in.

nova.parameter @w : tensor<f64> = #nova.constant<1.0>
func.func @loss() -> tensor<f64> {
  %w = nova.read @w : tensor<f64>
  return %w : tensor<f64>
}
// CHECK-LABEL: func.func @loss(
// CHECK: [[LOSS:%.+]] = nova.cast {{%.+}} : tensor<f64> -> tensor<f32>
// CHECK: return [[LOSS]]
// CHECK-LABEL: func.func @train_step(
// CHECK: [[VG:%.+]]:2 = nova.value_and_grad @loss
// CHECK: return {{.*}}, [[VG]]#0, {{%.+}} : tensor<f64>, tensor<f64>, tensor<f64>, tensor<f32>, tensor<f32>
