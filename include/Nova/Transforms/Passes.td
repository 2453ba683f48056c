//===- Passes.td - Passes from nova to nova ----------------*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order in which a pipeline runs them. The IR before and after that a description shows is run by a test.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRANSFORMS_PASSES_TD
#define NOVA_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

class Nova_Pass<string flag, string operation> : Pass<flag, operation> {
  let dependentDialects = ["::mlir::nova::NovaDialect"];
}

//===----------------------------------------------------------------------===//
// Program to train step
//===----------------------------------------------------------------------===//

def BuildTrainStepPass : Nova_Pass<"nova-build-train-step", "::mlir::ModuleOp"> {
  let summary = "Makes the function of one training step from a loss and parameters";
  let description = [{
    The loss function takes the parameters as arguments instead of reading them, and `@train_step` joins it: the loss and
    its gradients, their global norm, clipping, and one optimizer op per parameter. Arguments and results say what they
    are by `nova.role` and `nova.name`; `nova.donated` is the number of the result that replaces an argument of the state.
    The `nova.parameter` ops stay: they are the table of initial values. Calls inside the loss function are inlined, as the
    functions that they call may read parameters too.

    Before:

    ```mlir
    nova.parameter @w : tensor<4xf32> = #nova.normal<mean = 0.0, std = 0.02>
    func.func @loss(%x: tensor<4xf32> {nova.name = "x"}) -> tensor<f32> {
      %w = nova.read @w : tensor<4xf32>
      %y = nova.mul %w, %x : tensor<4xf32>, tensor<4xf32>
      %l = nova.reduce sum %y over [0] : tensor<4xf32>
      return %l : tensor<f32>
    }
    ```

    After, with `clip=0` (the scale is then the constant 1), and with most attributes of arguments left out:

    ```mlir
    nova.parameter @w : tensor<4xf32> = #nova.normal<mean = 0.0, std = 0.02>
    func.func @loss(%w: tensor<4xf32> {nova.name = "w", nova.role = "parameter"}, %x: tensor<4xf32>) -> tensor<f32> {
      %y = nova.mul %w, %x : tensor<4xf32>, tensor<4xf32>
      %l = nova.reduce sum %y over [0] : tensor<4xf32>
      return %l : tensor<f32>
    }
    func.func @train_step(%w: tensor<4xf32> {nova.donated = 0 : i64}, %m: tensor<4xf32> {nova.donated = 1 : i64},
                          %v: tensor<4xf32> {nova.donated = 2 : i64}, %x: tensor<4xf32>, %lr: tensor<f32>,
                          %step: tensor<i64>, %seed: tensor<i64>)
        -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) {
      %l, %g = nova.value_and_grad @loss(%w, %x) wrt [0]
        : (tensor<4xf32>, tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
      %norm = nova.global_norm %g : tensor<4xf32>
      %scale = nova.constant dense<1.0> : tensor<f32>
      %w1, %m1, %v1 = nova.adamw %w, %g, %m, %v, lr %lr, step %step, scale %scale
        {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : tensor<4xf32>, tensor<4xf32>
      return %w1, %m1, %v1, %l, %norm
        : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>
    }
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", "\"loss\"", "Name of the loss function">,
    Option<"optimizer", "optimizer", "std::string", "\"adamw\"", "Optimizer: adamw">,
    Option<"beta1", "beta1", "double", "0.9", "Decay of the first moment">,
    Option<"beta2", "beta2", "double", "0.95", "Decay of the second moment">,
    Option<"eps", "eps", "double", "1e-8", "Added to the root of the second moment">,
    Option<"weightDecay", "weight-decay", "double", "0.1", "Decoupled weight decay of the parameters that decay">,
    Option<"clip", "clip", "double", "1.0", "Largest global norm of the gradients; 0: no clipping">,
    Option<"gradients", "gradients", "bool", "false",
           "Make @gradients too: the loss and the gradient of every parameter, named gradient.NAME">,
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::nova::NovaDialect"];
}

def AutodiffPass : Nova_Pass<"nova-autodiff", "::mlir::ModuleOp"> {
  let summary = "Replaces nova.value_and_grad by the function's body and its backward";
  let description = [{
    Reverse mode over the function's straight line of ops, by `DifferentiableOp`: a value that is used several times adds
    up its gradients, an argument without influence on the loss gets zeros, and forward ops that nothing needs any more are
    removed. Calls inside the function are inlined. It is an error when an op through which the loss depends on an
    argument has no gradient.

    Before:

    ```mlir
    func.func @loss(%w: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<f32> {
      %y = nova.mul %w, %x : tensor<4xf32>, tensor<4xf32>
      %l = nova.reduce sum %y over [0] : tensor<4xf32>
      return %l : tensor<f32>
    }
    func.func @step(%w: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
      %l, %g = nova.value_and_grad @loss(%w, %x) wrt [0]
        : (tensor<4xf32>, tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
      return %l, %g : tensor<f32>, tensor<4xf32>
    }
    ```

    After (`@loss` stays as it is):

    ```mlir
    func.func @step(%w: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
      %y = nova.mul %w, %x : tensor<4xf32>, tensor<4xf32>
      %l = nova.reduce sum %y over [0] : tensor<4xf32>
      %one = nova.constant dense<1.0> : tensor<f32>
      %dy = nova.broadcast_in_dim %one dims = [] : tensor<f32> -> tensor<4xf32>
      %dw = nova.mul %dy, %x : tensor<4xf32>, tensor<4xf32>
      return %l, %dw : tensor<f32>, tensor<4xf32>
    }
    ```
  }];
}

def InferBoundsPass : Nova_Pass<"nova-infer-bounds", "::mlir::func::FuncOp"> {
  let summary = "Notes which values an integer argument may have";
  let description = [{
    An argument whose elements index a table, or are classes of a cross entropy, gets `nova.bound`: its values are at least
    0 and below it, the least where there are several. Random data is drawn from that range.

    Before:

    ```mlir
    func.func @f(%table: tensor<256x64xf32>, %tokens: tensor<8xi32>) -> tensor<8x64xf32> {
      %x = nova.gather %table[%tokens] : tensor<256x64xf32>, tensor<8xi32>
      return %x : tensor<8x64xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%table: tensor<256x64xf32>, %tokens: tensor<8xi32> {nova.bound = 256 : i64}) -> tensor<8x64xf32> {
      %x = nova.gather %table[%tokens] : tensor<256x64xf32>, tensor<8xi32>
      return %x : tensor<8x64xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::nova::NovaDialect"];
}

//===----------------------------------------------------------------------===//
// Kernels to tiles
//===----------------------------------------------------------------------===//

def SelectKernelConfigPass : Nova_Pass<"nova-select-kernel-config", "::mlir::nova::KernelOp"> {
  let summary = "Chooses how a kernel is cut into blocks and vectors";
  let description = [{
    The choice depends on the kernel and the target table alone, never on the number of threads. A configuration that is
    there already, such as one written by hand, is kept. Either is verified: a configuration that the kernel or the target
    cannot take is an error.

    Before:

    ```mlir
    nova.kernel @double(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise {
      %y = nova.add %x, %x : tensor<64xf32>, tensor<64xf32>
      nova.return %y : tensor<64xf32>
    }
    ```

    After, with `target=avx512`:

    ```mlir
    nova.kernel @double(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise
        config #nova.kernel_config<tile = [64], lanes = 16> {
      %y = nova.add %x, %x : tensor<64xf32>, tensor<64xf32>
      nova.return %y : tensor<64xf32>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"avx512\"", "avx512, avx2, sm_80, sm_86, sm_89 or sm_90">];
}

def TilePass : Nova_Pass<"nova-tile", "::mlir::nova::KernelOp"> {
  let summary = "Turns a kernel into a grid of blocks";
  let description = [{
    The body becomes one `scf.forall` over tiles of the first result, sized by the kernel's configuration. What a tile
    needs of each operand follows from the ops' indexing maps; loops of kind `reduction` are whole. Ops that depend on their
    position get the tile's origin as operands after `at`.

    Before:

    ```mlir
    nova.kernel @double(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise
        config #nova.kernel_config<tile = [32], lanes = 16> {
      %y = nova.add %x, %x : tensor<64xf32>, tensor<64xf32>
      nova.return %y : tensor<64xf32>
    }
    ```

    After:

    ```mlir
    nova.kernel @double(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise
        config #nova.kernel_config<tile = [32], lanes = 16> {
      %init = tensor.empty() : tensor<64xf32>
      %r = scf.forall (%i) = (0) to (64) step (32) shared_outs(%out = %init) -> (tensor<64xf32>) {
        %t = tensor.extract_slice %x[%i] [32] [1] : tensor<64xf32> to tensor<32xf32>
        %y = nova.add %t, %t : tensor<32xf32>, tensor<32xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %y into %out[%i] [32] [1] : tensor<32xf32> into tensor<64xf32>
        }
      }
      nova.return %r : tensor<64xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::nova::NovaDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

#endif // NOVA_TRANSFORMS_PASSES_TD
