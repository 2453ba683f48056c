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

#endif // NOVA_TRANSFORMS_PASSES_TD
