// RUN: nova-opt %s --nova-build-train-step --nova-autodiff --split-input-file --verify-diagnostics | FileCheck %s

// Parameters that a region reads, or captures, are arguments of the step; no gradient goes through the region, which is
// an error and no zero.
nova.parameter @w : tensor<4xf32> = #nova.constant<1.0>
func.func @loss(%x: tensor<4xf32> {nova.name = "x"}, %b: tensor<i1> {nova.name = "b"}) -> tensor<f32> {
  %c = tensor.extract %b[] : tensor<i1>
  %y = scf.if %c -> tensor<4xf32> { // expected-error {{'scf.if' op has a region, through which no gradient goes, but the loss depends on it; write branches as nova.select}}
    %w = nova.read @w : tensor<4xf32>
    %m = nova.mul %w, %x : tensor<4xf32>, tensor<4xf32>
    scf.yield %m : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %l = nova.reduce sum %y over [0] : tensor<4xf32>
  return %l : tensor<f32>
}

// -----

nova.parameter @w : tensor<4xf32> = #nova.constant<1.0>
func.func @loss(%x: tensor<4xf32> {nova.name = "x"}) -> tensor<f32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = scf.forall (%i) in (1) shared_outs(%o = %e) -> tensor<4xf32> { // expected-error {{'scf.forall' op has a region, through which no gradient goes}}
    %w = nova.read @w : tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
    }
  }
  %l = nova.reduce sum %y over [0] : tensor<4xf32>
  return %l : tensor<f32>
}

// -----

// What was dropped out on the way depends on a parameter too.
nova.parameter @w : tensor<4xf32> = #nova.constant<1.0>
func.func @loss(%x: tensor<4xf32> {nova.name = "x"}, %b: tensor<i1> {nova.name = "b"},
                %seed: tensor<i64> {nova.role = "seed", nova.name = "seed"},
                %step: tensor<i64> {nova.role = "step", nova.name = "step"}) -> tensor<f32> {
  %w = nova.read @w : tensor<4xf32>
  %c = tensor.extract %b[] : tensor<i1>
  %y = scf.if %c -> tensor<4xf32> { // expected-error {{'scf.if' op has a region, through which no gradient goes}}
    %m = nova.dropout %w, %seed, %step {p = 0.5, stream = 0} : tensor<4xf32>
    scf.yield %m : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %l = nova.reduce sum %y over [0] : tensor<4xf32>
  return %l : tensor<f32>
}

// -----

// A region that the parameters do not reach is computed, with the dropout of the step; evaluation has none. The gradient
// of the product is what the region made.
// CHECK-LABEL: func.func @loss(
// CHECK: scf.if
// CHECK-NOT: nova.dropout
// CHECK-LABEL: func.func @train_step(
// CHECK-SAME: [[X:%[^:]+]]: tensor<4xf32> {nova.name = "x", nova.role = "data"}
// CHECK-SAME: [[STEP:%[^:]+]]: tensor<i64> {nova.name = "step", nova.role = "step"}
// CHECK-SAME: [[SEED:%[^:]+]]: tensor<i64> {nova.name = "seed", nova.role = "seed"}
// CHECK: [[FROZEN:%[^:]+]] = scf.if
// CHECK: nova.dropout [[X]], [[SEED]], [[STEP]] {p = 5.000000e-01 : f64, stream = 0 : i64}
// CHECK: [[ONES:%[^:]+]] = nova.broadcast_in_dim
// CHECK: nova.mul [[ONES]], [[FROZEN]]
nova.parameter @w : tensor<4xf32> = #nova.constant<1.0>
func.func @loss(%x: tensor<4xf32> {nova.name = "x"}, %b: tensor<i1> {nova.name = "b"},
                %seed: tensor<i64> {nova.role = "seed", nova.name = "seed"},
                %step: tensor<i64> {nova.role = "step", nova.name = "step"}) -> tensor<f32> {
  %w = nova.read @w : tensor<4xf32>
  %c = tensor.extract %b[] : tensor<i1>
  %y = scf.if %c -> tensor<4xf32> {
    %m = nova.dropout %x, %seed, %step {p = 0.5, stream = 0} : tensor<4xf32>
    scf.yield %m : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %q = nova.mul %w, %y : tensor<4xf32>, tensor<4xf32>
  %l = nova.reduce sum %q over [0] : tensor<4xf32>
  return %l : tensor<f32>
}
