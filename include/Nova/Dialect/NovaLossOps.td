//===- NovaLossOps.td - Losses -------------------------------- -*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LOSS_OPS_TD
#define NOVA_LOSS_OPS_TD

include "Nova/Dialect/NovaBase.td"

//===----------------------------------------------------------------------===//
// Cross entropy
//===----------------------------------------------------------------------===//

def Nova_CrossEntropyOp : Nova_TensorOp<"cross_entropy", [Differentiable, Nova_InferTypes]> {
  let summary = "-log(softmax(logits)[target]) over the last axis";
  let description = [{
    Logits are [..., V], targets [...]. Rows whose target is `ignore_index` count for nothing; another target that is
    negative or not below V is an error that names its position. `mean` (the default) divides by the number of rows that
    count and is NaN if there is none; `sum` and `mean` give a scalar, `none` the shape of the targets. The result is f32
    (f64 for f64). With `label_smoothing` s the target has the probability 1 - s + s / V and the other classes s / V, as
    in PyTorch.

    ```mlir
    %loss = nova.cross_entropy %logits, %targets : tensor<8x64x256xf32>, tensor<8x64xi32>      // tensor<f32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$logits, Nova_IndexTensor:$targets,
                       DefaultValuedOptionalAttr<Nova_LossReductionAttr, "::mlir::nova::LossReduction::Mean">:$reduction,
                       DefaultValuedOptionalAttr<I64Attr, "-100">:$ignore_index,
                       DefaultValuedOptionalAttr<F64Attr, "0.0">:$label_smoothing);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = "$logits `,` $targets attr-dict `:` type($logits) `,` type($targets)";
  let hasVerifier = 1;
}

def Nova_CrossEntropyGradOp : Nova_TensorOp<"cross_entropy_grad", [Nova_NotDifferentiableTrait, Roundable,
    Nova_InferTypes]> {
  let summary = "gradient of cross_entropy for the logits";
  let description = [{
    softmax(logits) minus the (smoothed) one-hot target, times the gradient of the row's loss, 0 for ignored rows. `result_grad` has the
    shape of the result of `cross_entropy` with the same reduction.

    ```mlir
    %d = nova.cross_entropy_grad %dloss, %logits, %targets : tensor<f32>, tensor<512x256xf32>, tensor<512xi32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$result_grad, Nova_FloatTensor:$logits, Nova_IndexTensor:$targets,
                       DefaultValuedOptionalAttr<Nova_LossReductionAttr, "::mlir::nova::LossReduction::Mean">:$reduction,
                       DefaultValuedOptionalAttr<I64Attr, "-100">:$ignore_index,
                       DefaultValuedOptionalAttr<F64Attr, "0.0">:$label_smoothing);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = [{
    $result_grad `,` $logits `,` $targets attr-dict `:` type($result_grad) `,` type($logits) `,` type($targets)
  }];
  let extraClassDeclaration = NotDifferentiable<"it keeps no probabilities, through which its derivative goes; spell the loss out by log_softmax where second derivatives are needed">.declaration;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Losses of predictions beside targets
//===----------------------------------------------------------------------===//

class Nova_PairLossOp<string mnemonic, string formula, string note> : Nova_CompositeTensorOp<mnemonic, [Differentiable,
    Nova_InferTypes, AllTypesMatch<["x", "target"]>]> {
  let summary = formula;
  let description = "    " # note # [{ `mean` (the default) is NaN over no element; `sum` and `mean` give a scalar, `none` a
    loss for each. The result is f32 (f64 for f64).

    ```mlir
    %loss = nova.}] # mnemonic # [{ %x, %target : tensor<8x64xf32>, tensor<8x64xf32>      // tensor<f32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$x, Nova_FloatTensor:$target,
                       DefaultValuedOptionalAttr<Nova_LossReductionAttr, "::mlir::nova::LossReduction::Mean">:$reduction);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = "$x `,` $target attr-dict `:` type($x) `,` type($target)";
}

def Nova_MseOp : Nova_PairLossOp<"mse", "mean squared error: (x - target)^2", "Over all elements.">;
def Nova_MaeOp : Nova_PairLossOp<"mae", "mean absolute error: |x - target|",
  "Over all elements. The gradient where both are equal is 0.">;
def Nova_BceOp : Nova_PairLossOp<"bce", "binary cross entropy: -(target log(x) + (1 - target) log(1 - x))", [{
    x is a probability; the logarithms are at least -100, and the gradient divides by x (1 - x) or at least 1e-12, as in
    PyTorch. x outside 0 to 1 gives NaN (PyTorch reports an error).}]>;
def Nova_CceOp : Nova_PairLossOp<"cce", "categorical cross entropy: -sum(target * log_softmax(x)) over the last axis", [{
    The targets are probabilities of classes (PyTorch's cross_entropy takes such targets too). A loss for each is one for
    each row.}]>;

#endif // NOVA_LOSS_OPS_TD
