//===- NovaTransformerOps.td - Attention, norms, losses ----*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRANSFORMER_OPS_TD
#define NOVA_TRANSFORMER_OPS_TD

include "Nova/Dialect/NovaBase.td"

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

def Nova_AttentionOp : Nova_PositionalOp<"attention", [Differentiable, Nova_InferTypes,
    AllElementTypesMatch<["q", "k", "v"]>]> {
  let summary = "computes softmax(scale * q k^T) v for every batch and head, and the log-sum-exp of its rows";
  let description = [{
    q is [B, H, T, D], k is [B, H, S, D], v is [B, H, S, E]; the results are [B, H, T, E] and, in f32 (f64 for f64),
    [B, H, T]. The scale is 1 / sqrt(D) unless given. With `causal`, query t sees the keys s <= t, as in PyTorch. A row that sees
    no key gives zeros and a log-sum-exp of minus infinity, and zero gradients (PyTorch gives NaN). No T x S tensor is
    ever made.

    ```mlir
    %o, %lse = nova.attention %q, %k, %v {causal} : tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$q, Nova_FloatTensor:$k, Nova_FloatTensor:$v, UnitAttr:$causal,
                       OptionalAttr<F64Attr>:$scale, Variadic<Index>:$origin);
  let results = (outs Nova_FloatTensor:$result, Nova_FloatTensor:$lse);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`at` $origin^)? attr-dict `:` type($q) `,` type($k) `,` type($v)
  }];
  let extraClassDeclaration = [{
    double getScaleOrDefault();
  }];
  let hasVerifier = 1;
}

def Nova_AttentionGradOp : Nova_Op<"attention_grad", [Pure, Nova_NotDifferentiableTrait, Nova_InferTypes,
    AllElementTypesMatch<["result_grad", "q", "k", "v", "y"]>]> {
  let summary = "gradients of attention for q, k and v";
  let description = [{
    From the gradient of the result, the operands, the result y and the log-sum-exp; probabilities are computed again,
    block by block. `--nova-split-launches` turns it into `attention_grad_query` and `attention_grad_key_value`.

    ```mlir
    %dq, %dk, %dv = nova.attention_grad %dy, %q, %k, %v, %y, %lse {causal}
      : tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>,
        tensor<8x2x64x32xf32>, tensor<8x2x64xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$result_grad, Nova_FloatTensor:$q, Nova_FloatTensor:$k, Nova_FloatTensor:$v,
                       Nova_FloatTensor:$y, Nova_FloatTensor:$lse, UnitAttr:$causal, OptionalAttr<F64Attr>:$scale);
  let results = (outs Nova_FloatTensor:$dq, Nova_FloatTensor:$dk, Nova_FloatTensor:$dv);
  let assemblyFormat = "operands attr-dict `:` type(operands)";
  let extraClassDeclaration = NotDifferentiable<"second derivatives of attention are not supported">.declaration # [{
    double getScaleOrDefault();
  }];
  let hasVerifier = 1;
}

class Nova_AttentionGradPartOp<string mnemonic, string part> : Nova_PositionalOp<mnemonic,
    [Nova_NotDifferentiableTrait, Nova_InferTypes, AllElementTypesMatch<["result_grad", "q", "k", "v"]>]> {
  let summary = "the part of attention_grad that gives " # part;
  let arguments = (ins Nova_FloatTensor:$result_grad, Nova_FloatTensor:$q, Nova_FloatTensor:$k, Nova_FloatTensor:$v,
                       Nova_FloatTensor:$lse, Nova_FloatTensor:$delta, UnitAttr:$causal, OptionalAttr<F64Attr>:$scale,
                       Variadic<Index>:$origin);
  let assemblyFormat = [{
    $result_grad `,` $q `,` $k `,` $v `,` $lse `,` $delta (`at` $origin^)? attr-dict `:` type($result_grad) `,` type($q)
    `,` type($k) `,` type($v) `,` type($lse) `,` type($delta)
  }];
  let extraClassDeclaration = NotDifferentiable<"second derivatives of attention are not supported">.declaration # [{
    double getScaleOrDefault();
  }];
  let hasVerifier = 1;
}
def Nova_AttentionGradQueryOp : Nova_AttentionGradPartOp<"attention_grad_query", "dq"> {
  let description = [{
    `delta` is the sum of dy * y over the last axis, [B, H, T]. Blocks run over queries.

    ```mlir
    %dq = nova.attention_grad_query %dy, %q, %k, %v, %lse, %delta {causal}
      : tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>,
        tensor<8x2x64xf32>, tensor<8x2x64xf32>
    ```
  }];
  let results = (outs Nova_FloatTensor:$dq);
}
def Nova_AttentionGradKeyValueOp : Nova_AttentionGradPartOp<"attention_grad_key_value", "dk and dv"> {
  let description = [{
    As `attention_grad_query`, with blocks over keys.

    ```mlir
    %dk, %dv = nova.attention_grad_key_value %dy, %q, %k, %v, %lse, %delta {causal}
      : tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>,
        tensor<8x2x64xf32>, tensor<8x2x64xf32>
    ```
  }];
  let results = (outs Nova_FloatTensor:$dk, Nova_FloatTensor:$dv);
}

//===----------------------------------------------------------------------===//
// Layer norm
//===----------------------------------------------------------------------===//

def Nova_LayerNormOp : Nova_TensorOp<"layer_norm", [Differentiable, Nova_InferTypes,
    AllElementTypesMatch<["x", "weight", "bias"]>]> {
  let summary = "(x - mean) / sqrt(variance + eps) * weight + bias over the last axis";
  let description = [{
    The variance is that of the whole population, computed from differences to the mean. Statistics of f16 and bf16 are f32.

    ```mlir
    %y = nova.layer_norm %x, %w, %b : tensor<8x64xf32>, tensor<64xf32>, tensor<64xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$x, Nova_FloatTensor:$weight, Nova_FloatTensor:$bias,
                       DefaultValuedOptionalAttr<F64Attr, "1e-5">:$eps);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = "$x `,` $weight `,` $bias attr-dict `:` type($x) `,` type($weight) `,` type($bias)";
  let hasVerifier = 1;
}

def Nova_LayerNormGradOp : Nova_TensorOp<"layer_norm_grad", [Nova_NotDifferentiableTrait, Nova_InferTypes,
    AllElementTypesMatch<["result_grad", "x", "weight"]>]> {
  let summary = "gradients of layer_norm for x, weight and bias";
  let description = [{
    Statistics are computed again from x. The gradients of weight and bias are sums over all axes but the last and the
    first `partials`: with `partials = 1` each slice along axis 0 gives a row of its own, which is how
    `--nova-split-launches` lets blocks work side by side.

    ```mlir
    %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w : tensor<8x64xf32>, tensor<8x64xf32>, tensor<64xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$result_grad, Nova_FloatTensor:$x, Nova_FloatTensor:$weight,
                       DefaultValuedOptionalAttr<F64Attr, "1e-5">:$eps,
                       DefaultValuedOptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$partials);
  let results = (outs Nova_FloatTensor:$dx, Nova_FloatTensor:$dweight, Nova_FloatTensor:$dbias);
  let assemblyFormat = "operands attr-dict `:` type(operands)";
  let extraClassDeclaration = NotDifferentiable<"second derivatives of layer_norm are not supported">.declaration;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Cross entropy
//===----------------------------------------------------------------------===//

def Nova_CrossEntropyOp : Nova_TensorOp<"cross_entropy", [Differentiable, Nova_InferTypes]> {
  let summary = "-log(softmax(logits)[target]) over the last axis";
  let description = [{
    Logits are [..., V], targets [...]. Rows whose target is `ignore_index` count for nothing; another target that is
    negative or not below V is an error that names its position. `mean` (the default) divides by the number of rows that
    count and is NaN if there is none; `sum` and `mean` give a scalar, `none` the shape of the targets. The result is f32
    (f64 for f64).

    ```mlir
    %loss = nova.cross_entropy %logits, %targets : tensor<8x64x256xf32>, tensor<8x64xi32>      // tensor<f32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$logits, Nova_IndexTensor:$targets,
                       DefaultValuedOptionalAttr<Nova_LossReductionAttr, "::mlir::nova::LossReduction::Mean">:$reduction,
                       DefaultValuedOptionalAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = "$logits `,` $targets attr-dict `:` type($logits) `,` type($targets)";
}

def Nova_CrossEntropyGradOp : Nova_TensorOp<"cross_entropy_grad", [Nova_NotDifferentiableTrait, Nova_InferTypes]> {
  let summary = "gradient of cross_entropy for the logits";
  let description = [{
    (softmax(logits) - one_hot(target)) times the gradient of the row's loss, 0 for ignored rows. `result_grad` has the
    shape of the result of `cross_entropy` with the same reduction.

    ```mlir
    %d = nova.cross_entropy_grad %dloss, %logits, %targets : tensor<f32>, tensor<512x256xf32>, tensor<512xi32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$result_grad, Nova_FloatTensor:$logits, Nova_IndexTensor:$targets,
                       DefaultValuedOptionalAttr<Nova_LossReductionAttr, "::mlir::nova::LossReduction::Mean">:$reduction,
                       DefaultValuedOptionalAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = [{
    $result_grad `,` $logits `,` $targets attr-dict `:` type($result_grad) `,` type($logits) `,` type($targets)
  }];
  let extraClassDeclaration = NotDifferentiable<"second derivatives of cross_entropy are not supported">.declaration;
}

#endif // NOVA_TRANSFORMER_OPS_TD
