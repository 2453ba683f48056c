// RUN: nova-opt %s --nova-autodiff --split-input-file --verify-diagnostics | FileCheck %s

// What a region captures has no gradient through it: an error, and no zero.
func.func private @loss(%x: tensor<f32>, %b: tensor<i1>) -> tensor<f32> {
  %c = tensor.extract %b[] : tensor<i1>
  %y = scf.if %c -> tensor<f32> { // expected-error {{'scf.if' op has a region, through which no gradient goes, but the loss depends on it; write branches as nova.select}}
    %z = nova.mul %x, %x : tensor<f32>, tensor<f32>
    scf.yield %z : tensor<f32>
  } else {
    scf.yield %x : tensor<f32>
  }
  return %y : tensor<f32>
}
func.func @step(%x: tensor<f32>, %b: tensor<i1>) -> tensor<f32> {
  %l, %g = nova.value_and_grad @loss(%x, %b) wrt [0] : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>)
  return %g : tensor<f32>
}

// -----

func.func private @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = nova.square %x : tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func private @loss(%x: tensor<4xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = nova.constant dense<0.0> : tensor<4xf32>
  %y = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %e) -> tensor<4xf32> { // expected-error {{'scf.for' op has a region}}
    %z = func.call @square(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  }
  %l = nova.reduce sum %y over [0] : tensor<4xf32>
  return %l : tensor<f32>
}
func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l, %g = nova.value_and_grad @loss(%x) wrt [0] : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return %g : tensor<4xf32>
}

// -----

func.func private @loss(%x: tensor<4xf32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = scf.forall (%i) in (1) shared_outs(%o = %e) -> tensor<4xf32> { // expected-error {{'scf.forall' op has a region}}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
    }
  }
  %l = nova.reduce sum %y over [0] : tensor<4xf32>
  return %l : tensor<f32>
}
func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l, %g = nova.value_and_grad @loss(%x) wrt [0] : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return %g : tensor<4xf32>
}

// -----

// A bitcast to integers keeps all of a number.
func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %i = arith.bitcast %x : tensor<f32> to tensor<i32>
  %y = arith.bitcast %i : tensor<i32> to tensor<f32> // expected-error {{'arith.bitcast' op has no gradient, but the loss depends on it; expected ops of the nova dialect}}
  return %y : tensor<f32>
}
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  %l, %g = nova.value_and_grad @loss(%x) wrt [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %g : tensor<f32>
}

// -----

func.func private @loss(%x: tensor<f32>, %m: tensor<f32>) -> tensor<f32> {
  %a = memref.alloca() : memref<f32>
  %e = tensor.extract %x[] : tensor<f32>
  memref.store %e, %a[] : memref<f32> // expected-error {{'memref.store' op has effects on memory, through which no gradient goes}}
  %v = memref.load %a[] : memref<f32>
  %y = tensor.from_elements %v : tensor<f32>
  return %y : tensor<f32>
}
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  %l, %g = nova.value_and_grad @loss(%x, %x) wrt [0] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %g : tensor<f32>
}

// -----

// What doesn't reach the loss needs no gradient.
// CHECK-LABEL: func.func @unused_region
// CHECK: nova.constant dense<1.0
func.func private @loss(%x: tensor<f32>, %b: tensor<i1>) -> tensor<f32> {
  %c = tensor.extract %b[] : tensor<i1>
  %y = scf.if %c -> tensor<f32> {
    scf.yield %x : tensor<f32>
  } else {
    %z = nova.square %x : tensor<f32>
    scf.yield %z : tensor<f32>
  }
  return %x : tensor<f32>
}
func.func @unused_region(%x: tensor<f32>, %b: tensor<i1>) -> tensor<f32> {
  %l, %g = nova.value_and_grad @loss(%x, %b) wrt [0] : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>)
  return %g : tensor<f32>
}
