// RUN: nova-opt %s --nova-pack-parameters --cse | FileCheck %s

// The example of the pass description, with a norm.
// CHECK-LABEL: func.func @step
// CHECK-SAME: ([[W:%[^ :,]+]]: tensor<2x8xf32>, [[B:%[^ :,]+]]: tensor<8xf32>, [[DW:%[^ :,]+]]: tensor<2x8xf32>, [[DB:%[^ :,]+]]: tensor<8xf32>
// CHECK-DAG: [[FLAT:%[^ :,]+]] = nova.reshape [[W]] : tensor<2x8xf32> -> tensor<16xf32>
// CHECK-DAG: [[P:%[^ :,]+]] = nova.concat [[FLAT]], [[B]] axis = 0 : (tensor<16xf32>, tensor<8xf32>) -> tensor<24xf32>
// CHECK-DAG: [[FLAT_G:%[^ :,]+]] = nova.reshape [[DW]]
// CHECK-DAG: [[G:%[^ :,]+]] = nova.concat [[FLAT_G]], [[DB]] axis = 0
// CHECK: nova.global_norm [[G]] : tensor<24xf32>
// CHECK: [[P1:%[^ :,]+]], {{%.+}}, {{%.+}} = nova.adamw [[P]], [[G]], {{.*}} : tensor<24xf32>, tensor<24xf32>
// CHECK-NOT: nova.adamw
// CHECK: [[PART:%[^ :,]+]] = nova.slice [[P1]] starts = [0] limits = [16] strides = [1]
// CHECK: [[W1:%[^ :,]+]] = nova.reshape [[PART]] : tensor<16xf32> -> tensor<2x8xf32>
// CHECK: [[B1:%[^ :,]+]] = nova.slice [[P1]] starts = [16] limits = [24] strides = [1]
// CHECK: return [[W1]], [[B1]], {{%.+}}
func.func @step(%w: tensor<2x8xf32>, %b: tensor<8xf32>, %dw: tensor<2x8xf32>, %db: tensor<8xf32>, %mw: tensor<2x8xf32>,
                %mb: tensor<8xf32>, %vw: tensor<2x8xf32>, %vb: tensor<8xf32>, %lr: tensor<f32>, %step: tensor<i64>,
                %s: tensor<f32>) -> (tensor<2x8xf32>, tensor<8xf32>, tensor<f32>) {
  %norm = nova.global_norm %dw, %db : tensor<2x8xf32>, tensor<8xf32>
  %w1, %mw1, %vw1 = nova.adamw %w, %dw, %mw, %vw, lr %lr, step %step, scale %s
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : tensor<2x8xf32>, tensor<2x8xf32>
  %b1, %mb1, %vb1 = nova.adamw %b, %db, %mb, %vb, lr %lr, step %step, scale %s
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : tensor<8xf32>, tensor<8xf32>
  return %w1, %b1, %norm : tensor<2x8xf32>, tensor<8xf32>, tensor<f32>
}

!a = tensor<3xf32>
!b = tensor<16xf32>
!h = tensor<4xf64>
// Classes by decay and type; in a class the tensors that keep others aligned come first. A norm over what is no pack takes
// the rest as it is.
// CHECK-LABEL: func.func @classes
// CHECK-SAME: ([[A:%[^ :,]+]]: tensor<3xf32>, [[B:%[^ :,]+]]: tensor<16xf32>, [[C:%[^ :,]+]]: tensor<3xf32>, [[D:%[^ :,]+]]: tensor<4xf64>
// CHECK-DAG: [[AB:%[^ :,]+]] = nova.concat [[B]], [[A]] axis = 0 : (tensor<16xf32>, tensor<3xf32>) -> tensor<19xf32>
// CHECK-DAG: nova.global_norm [[AB]], [[C]], [[C]] : tensor<19xf32>, tensor<3xf32>, tensor<3xf32>
// CHECK-DAG: nova.adamw [[AB]], [[AB]], [[AB]], [[AB]], {{.*}}weight_decay = 1.000000e-01
// CHECK-DAG: nova.adamw [[C]], [[C]], [[C]], [[C]], {{.*}}weight_decay = 0.000000e+00 : f64} : tensor<3xf32>
// CHECK-DAG: nova.adamw [[D]], [[D]], [[D]], [[D]], {{.*}} : tensor<4xf64>
func.func @classes(%a: !a, %b: !b, %c: !a, %d: !h, %lr: tensor<f32>, %step: tensor<i64>, %s: tensor<f32>)
    -> (!a, !b, !a, !h, tensor<f32>) {
  %norm = nova.global_norm %a, %c, %b, %c : !a, !a, !b, !a
  %a1, %am, %av = nova.adamw %a, %a, %a, %a, lr %lr, step %step, scale %s
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.1} : !a, !a
  %b1, %bm, %bv = nova.adamw %b, %b, %b, %b, lr %lr, step %step, scale %s
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.1} : !b, !b
  %c1, %cm, %cv = nova.adamw %c, %c, %c, %c, lr %lr, step %step, scale %s
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : !a, !a
  %d1, %dm, %dv = nova.adamw %d, %d, %d, %d, lr %lr, step %step, scale %s
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : !h, !h
  return %a1, %b1, %c1, %d1, %norm : !a, !b, !a, !h, tensor<f32>
}

// A result that the next op of the class needs: they can't be one.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-2: nova.adamw {{.*}} : tensor<3xf32>, tensor<3xf32>
func.func @chain(%a: !a, %g: !a, %m: !a, %v: !a, %lr: tensor<f32>, %step: tensor<i64>, %s: tensor<f32>) -> !a {
  %a1, %m1, %v1 = nova.adamw %a, %g, %m, %v, lr %lr, step %step, scale %s
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.1} : !a, !a
  %a2, %m2, %v2 = nova.adamw %a1, %g, %m1, %v1, lr %lr, step %step, scale %s
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.1} : !a, !a
  return %a2 : !a
}

// Every optimizer packs; different ones stay apart.
// CHECK-LABEL: func.func @kinds
// CHECK-DAG: nova.sgd {{.*}} : tensor<7xf32>, tensor<7xf32>
// CHECK-DAG: nova.adam {{.*}} : tensor<3xf32>, tensor<3xf32>
func.func @kinds(%a: tensor<3xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>, %lr: tensor<f32>, %step: tensor<i64>)
    -> (tensor<3xf32>, tensor<4xf32>, tensor<3xf32>) {
  %a1, %ma = nova.sgd %a, %a, %a, lr %lr, scale %lr {momentum = 0.9, weight_decay = 0.0} : tensor<3xf32>, tensor<3xf32>
  %b1, %mb = nova.sgd %b, %b, %b, lr %lr, scale %lr {momentum = 0.9, weight_decay = 0.0} : tensor<4xf32>, tensor<4xf32>
  %c1, %mc, %vc = nova.adam %c, %c, %c, %c, lr %lr, step %step, scale %lr
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : tensor<3xf32>, tensor<3xf32>
  return %a1, %b1, %c1 : tensor<3xf32>, tensor<4xf32>, tensor<3xf32>
}
