// RUN: split-file %s %t
// RUN: nova-opt %t/program.mlir --nova-verify-level --nova-verify-level=level=program
// RUN: nova-opt %t/tiled.mlir --nova-verify-level=level=kernels --nova-select-kernel-config --nova-tile --nova-verify-level=level=tiled
// RUN: not nova-opt %t/program.mlir --nova-verify-level=level=train-step 2>&1 | FileCheck %s --check-prefix=GRAD
// RUN: not nova-opt %t/program.mlir --nova-verify-level=level=kernels 2>&1 | FileCheck %s --check-prefix=LAUNCHES
// RUN: not nova-opt %t/foreign.mlir --nova-verify-level 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not nova-opt %t/origin.mlir --nova-verify-level 2>&1 | FileCheck %s --check-prefix=ORIGIN
// RUN: not nova-opt %t/module.mlir --nova-verify-level 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: not nova-opt %t/tiled.mlir --nova-verify-level=level=program 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not nova-opt %t/tiled.mlir --nova-verify-level=level=tiled 2>&1 | FileCheck %s --check-prefix=CONFIG
// RUN: not nova-opt %t/tiled.mlir --nova-select-kernel-config --nova-verify-level=level=tiled 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not nova-opt %t/tiled.mlir --nova-select-kernel-config --nova-tile --nova-verify-level=level=kernels 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not nova-opt %t/rank.mlir --nova-verify-level=level=kernels 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not nova-opt %t/block.mlir --nova-verify-level=level=tiled 2>&1 | FileCheck %s --check-prefix=BLOCK

// GRAD: program.mlir:6:{{.*}} error: 'nova.value_and_grad' op may not remain at the level train-step; --nova-autodiff replaces it by forward and backward
// LAUNCHES: program.mlir:2:{{.*}} error: 'nova.square' op may not remain at the level kernels; expected launches and views; --nova-form-kernels puts it into a kernel
// FOREIGN: error: 'tensor.cast' op may not remain at the level program; expected ops of the dialects nova and func
// ORIGIN: error: 'nova.iota' op may not remain at the level program; only tiles have an origin, after --nova-tile
// MODULE: error: 'ml_program.global' op may not remain at the level program; expected functions, parameters and, once they are formed, kernels
// EARLY: error: 'nova.kernel' op may not remain at the level program; expected functions, parameters and, once they are formed, kernels
// CONFIG: error: 'nova.kernel' op may not remain at the level tiled; expected a configuration; --nova-select-kernel-config chooses one
// GRID: error: 'nova.kernel' op may not remain at the level tiled; expected one scf.forall over blocks; --nova-tile makes it
// WHOLE: op may not remain at the level kernels; expected computations in a kernel; --nova-form-kernels puts nothing else there
// RANK: error: 'nova.slice' op may not remain at the level kernels; expected slices and concats of rank 1; --nova-form-kernels flattens them
// BLOCK: error: 'tensor.empty' op may not remain at the level tiled; expected slices and computations on tiles; --nova-tile puts nothing else into a block

//--- program.mlir
func.func @loss(%x: tensor<f32>) -> tensor<f32> {
  %0 = nova.square %x : tensor<f32>
  return %0 : tensor<f32>
}
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  %l, %g = nova.value_and_grad @loss(%x) wrt [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %g : tensor<f32>
}

//--- foreign.mlir
func.func @f(%x: tensor<4xf32>) -> tensor<?xf32> {
  %0 = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

//--- origin.mlir
func.func @f(%i: index) -> tensor<4xf32> {
  %0 = nova.iota 0 at %i : tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- module.mlir
ml_program.global private @g(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

//--- tiled.mlir
nova.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> family elementwise {
  %0 = nova.exp %x : tensor<4xf32>
  nova.return %0 : tensor<4xf32>
}
func.func @f(%x: tensor<4x2xf32>) -> tensor<4xf32> {
  %flat = nova.reshape %x : tensor<4x2xf32> -> tensor<8xf32>
  %part = nova.slice %flat starts = [4] limits = [8] strides = [1] : tensor<8xf32> -> tensor<4xf32>
  %0 = nova.launch @k(%part) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- rank.mlir
func.func @f(%x: tensor<4x2xf32>) -> tensor<2x2xf32> {
  %0 = nova.slice %x starts = [2, 0] limits = [4, 2] strides = [1, 1] : tensor<4x2xf32> -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

//--- block.mlir
nova.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> family elementwise config #nova.kernel_config<tile = [2], lanes = 16> {
  %init = tensor.empty() : tensor<4xf32>
  %r = scf.forall (%i) = (0) to (4) step (2) shared_outs(%out = %init) -> (tensor<4xf32>) {
    %t = tensor.empty() : tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %out[%i] [2] [1] : tensor<2xf32> into tensor<4xf32>
    }
  }
  nova.return %r : tensor<4xf32>
}
