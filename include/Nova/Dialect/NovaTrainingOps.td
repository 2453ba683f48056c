//===- NovaTrainingOps.td - Parameters and optimizers ------*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_OPS_TD
#define NOVA_TRAINING_OPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "Nova/Dialect/NovaBase.td"

def Nova_ParameterOp : Nova_Op<"parameter", [Symbol, Nova_StructureTrait, HasParent<"::mlir::ModuleOp">]> {
  let summary = "a tensor that training changes";
  let description = [{
    Its name is the one in checkpoints. Weight decay applies to parameters of rank 2 and more unless `decay` says
    otherwise: false, true, or a factor. `lr_factor` scales the learning rate; a `frozen` parameter keeps its value and
    costs no gradient. `aliases` are further names that checkpoints have for the same tensor, as for weights that two
    layers share: `--init` takes any of them, `--save` writes all.

    ```mlir
    nova.parameter @w : tensor<64x10xf32> = #nova.normal<mean = 0.0, std = 0.02>
    nova.parameter @b : tensor<10xf32> = #nova.constant<0.0> {decay = false, lr_factor = 2.0}
    nova.parameter @table : tensor<8x64xf32> = #nova.constant<1.0> {frozen}
    nova.parameter @e : tensor<9x64xf32> = #nova.normal<mean = 0.0, std = 0.02> {aliases = ["head.weight"]}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Nova_FloatTensor>:$type, Nova_InitialValue:$init,
                       OptionalAttr<AnyAttrOf<[BoolAttr, F64Attr], "a bool or a float">>:$decay,
                       OptionalAttr<F64Attr>:$lr_factor, UnitAttr:$frozen, OptionalAttr<StrArrayAttr>:$aliases);
  let assemblyFormat = "$sym_name `:` $type `=` $init attr-dict";
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() { return ::llvm::cast<::mlir::RankedTensorType>(getType()); }
    /// The share of the weight decay that applies.
    double getDecayFactor();
    /// The learning rate of this parameter over that of the step.
    double getLrFactorOrOne() { return getLrFactor() ? getLrFactor()->convertToDouble() : 1.0; }
  }];
  let hasVerifier = 1;
}

def Nova_ReadOp : Nova_Op<"read", [Pure, Differentiable, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the value of a parameter";
  let description = [{
    ```mlir
    %w = nova.read @w : tensor<64x10xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$parameter);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = "$parameter attr-dict `:` type($result)";
}

def Nova_ValueAndGradOp : Nova_Op<"value_and_grad", [Nova_StructureTrait, Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a function's scalar result and its gradients for some of its arguments";
  let description = [{
    The results are those of the function, whose first must be a scalar float, then the gradients of the first result
    for the arguments in `wrt`. `--nova-autodiff` replaces it by the function's body and its backward.

    ```mlir
    %loss, %dw = nova.value_and_grad @loss(%w, %x) wrt [0] : (tensor<4x4xf32>, tensor<2x4xf32>) -> (tensor<f32>, tensor<4x4xf32>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Nova_Tensor>:$arguments, DenseI64ArrayAttr:$wrt);
  let results = (outs Variadic<Nova_Tensor>:$values);
  let assemblyFormat = "$callee `(` $arguments `)` `wrt` $wrt attr-dict `:` functional-type($arguments, $values)";
}

// An optimizer's first operands are the parameter, its gradient and the state that goes with it, all of one shape; then come
// scalars. The results take the place of the parameter and of the state.
class Nova_OptimizerOp<string mnemonic, list<Trait> traits> : Nova_TensorOp<mnemonic, !listconcat(
    [Nova_ElementwiseTrait, Nova_OptimizerTrait, Nova_NotDifferentiableTrait, InferTypeOpAdaptor], traits)> {
  let extraClassDeclaration = NotDifferentiable<"optimizers are not differentiated">.declaration;
  let hasVerifier = 1;
}

// What Adam and AdamW have in common: two moments, and bias corrections by the number of the step.
class Nova_AdamLikeOp<string mnemonic> : Nova_OptimizerOp<mnemonic, [AllTypesMatch<["parameter", "m", "v"]>]> {
  let arguments = (ins Nova_FloatTensor:$parameter, Nova_FloatTensor:$gradient, Nova_FloatTensor:$m,
                       Nova_FloatTensor:$v, Nova_ScalarF32:$lr, Nova_ScalarI64:$step, Nova_ScalarF32:$grad_scale,
                       F64Attr:$beta1, F64Attr:$beta2, F64Attr:$eps, F64Attr:$weight_decay);
  let results = (outs Nova_FloatTensor:$new_parameter, Nova_FloatTensor:$new_m, Nova_FloatTensor:$new_v);
  let assemblyFormat = [{
    $parameter `,` $gradient `,` $m `,` $v `,` `lr` $lr `,` `step` $step `,` `scale` $grad_scale attr-dict
    `:` type($parameter) `,` type($gradient)
  }];
}

def Nova_AdamWOp : Nova_AdamLikeOp<"adamw"> {
  let summary = "one step of AdamW for one tensor";
  let description = [{
    With g = gradient * grad_scale and t = step + 1: m' = beta1 m + (1 - beta1) g; v' = beta2 v + (1 - beta2) g^2;
    p' = p (1 - lr weight_decay) - lr (m' / (1 - beta1^t)) / (sqrt(v' / (1 - beta2^t)) + eps), as PyTorch's AdamW with
    decoupled weight decay. The gradient has the parameter's shape.

    ```mlir
    %p1, %m1, %v1 = nova.adamw %p, %g, %m, %v, lr %lr, step %step, scale %s
      {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.1} : tensor<64x10xf32>, tensor<64x10xf32>
    ```
  }];
}

def Nova_AdamOp : Nova_AdamLikeOp<"adam"> {
  let summary = "one step of Adam for one tensor";
  let description = [{
    As `adamw`, but the decay is a part of the gradient: g = gradient * grad_scale + weight_decay p, and
    p' = p - lr (m' / (1 - beta1^t)) / (sqrt(v' / (1 - beta2^t)) + eps), as PyTorch's Adam.

    ```mlir
    %p1, %m1, %v1 = nova.adam %p, %g, %m, %v, lr %lr, step %step, scale %s
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0} : tensor<64x10xf32>, tensor<64x10xf32>
    ```
  }];
}

def Nova_SgdOp : Nova_OptimizerOp<"sgd", [AllTypesMatch<["parameter", "m"]>]> {
  let summary = "one step of gradient descent with momentum for one tensor";
  let description = [{
    With g = gradient * grad_scale + weight_decay p: m' = momentum m + g, and p' = p - lr m'; with `nesterov`
    p' = p - lr (g + momentum m'). As PyTorch's SGD without dampening, whose momentum starts at 0. The gradient has the
    parameter's shape.

    ```mlir
    %p1, %m1 = nova.sgd %p, %g, %m, lr %lr, scale %s {momentum = 0.9, weight_decay = 0.0}
      : tensor<64x10xf32>, tensor<64x10xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$parameter, Nova_FloatTensor:$gradient, Nova_FloatTensor:$m,
                       Nova_ScalarF32:$lr, Nova_ScalarF32:$grad_scale, F64Attr:$momentum, F64Attr:$weight_decay,
                       UnitAttr:$nesterov);
  let results = (outs Nova_FloatTensor:$new_parameter, Nova_FloatTensor:$new_m);
  let assemblyFormat = [{
    $parameter `,` $gradient `,` $m `,` `lr` $lr `,` `scale` $grad_scale attr-dict
    `:` type($parameter) `,` type($gradient)
  }];
}

def Nova_GlobalNormOp : Nova_Op<"global_norm", [Pure, Nova_NotDifferentiableTrait]> {
  let summary = "square root of the sum of all squares of all operands";
  let description = [{
    ```mlir
    %norm = nova.global_norm %g0, %g1 : tensor<64x10xf32>, tensor<10xf32>      // tensor<f32>
    ```
  }];
  let arguments = (ins Variadic<Nova_FloatTensor>:$inputs);
  let results = (outs Nova_ScalarF32:$result);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
  let extraClassDeclaration = NotDifferentiable<"optimizers are not differentiated">.declaration;
}

#endif // NOVA_TRAINING_OPS_TD
