//===- NovaTransformerOps.td - Attention, norms, positions -*- tablegen -*-===//
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

// What may be added to the scores.
def Nova_AttentionMask : Nova_TensorOf<AnyTypeOf<[Nova_Float, Nova_Bool], "f64, f32, f16, bf16 or i1">>;

def Nova_AttentionOp : Nova_PositionalOp<"attention", [Differentiable, Product, Nova_InferTypes, AttrSizedOperandSegments,
    AllElementTypesMatch<["q", "k", "v"]>]> {
  let summary = "computes softmax(scale * q k^T) v for every batch and head, and the log-sum-exp of its rows";
  let description = [{
    q is [B, H, T, D], k is [B, G, S, D], v is [B, G, S, E]; the results are [B, H, T, E] and, in f32 (f64 for f64),
    [B, H, T]. G divides H: each head of k and v serves H / G neighbouring heads of q. The scale is 1 / sqrt(D) unless given.
    With `causal`, query t sees the keys s <= t, as in PyTorch. A mask broadcasts to [B, H, T, S]: one of i1 says which keys
    a query sees, one of floats is added to the scores. A position that is hidden, by causality, by false or by an added
    minus infinity, takes no part, whatever q, k and v hold there: NaN and infinities of what nobody sees reach neither
    results nor gradients (PyTorch multiplies them by 0, which gives NaN). So does one whose score is minus infinity by
    itself. A row that sees no key gives zeros and a log-sum-exp of minus infinity, and zero gradients (PyTorch gives NaN).
    No T x S tensor is made, but for the gradient of a mask.

    With `masked_value`, what causality hides is not left out: its score is that number, which is what a program says that
    selects -1e4 in its place. Where visible scores are not far above it, hidden values count; elsewhere their part is 0.

    ```mlir
    %o, %lse = nova.attention %q, %k, %v {causal} : tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>
    %p, %lse_p = nova.attention %r, %k, %v mask %m
      : tensor<8x4x64x32xf32>, tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>, tensor<8x1x1x64xi1>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$q, Nova_FloatTensor:$k, Nova_FloatTensor:$v, Optional<Nova_AttentionMask>:$mask,
                       UnitAttr:$causal, OptionalAttr<F64Attr>:$scale, OptionalAttr<F64Attr>:$masked_value,
                       Variadic<Index>:$origin);
  let results = (outs Nova_FloatTensor:$result, Nova_FloatTensor:$lse);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`mask` $mask^)? (`at` $origin^)? attr-dict
    `:` type($q) `,` type($k) `,` type($v) (`,` type($mask)^)?
  }];
  let extraClassDeclaration = [{
    double getScaleOrDefault();
  }];
  let hasVerifier = 1;
}

def Nova_AttentionGradOp : Nova_Op<"attention_grad", [Pure, Nova_NotDifferentiableTrait, ProductOfMany,
    Nova_InferTypes, AllElementTypesMatch<["result_grad", "q", "k", "v", "y"]>]> {
  let summary = "gradients of attention for q, k and v";
  let description = [{
    From the gradient of the result, the operands, the result y and the log-sum-exp, then the mask if there is one;
    probabilities are computed again, block by block. `--nova-split-launches` turns it into `attention_grad_query` and `attention_grad_key_value`.

    ```mlir
    %dq, %dk, %dv = nova.attention_grad %dy, %q, %k, %v, %y, %lse {causal}
      : tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>,
        tensor<8x2x64x32xf32>, tensor<8x2x64xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$result_grad, Nova_FloatTensor:$q, Nova_FloatTensor:$k, Nova_FloatTensor:$v,
                       Nova_FloatTensor:$y, Nova_FloatTensor:$lse, Optional<Nova_AttentionMask>:$mask,
                       UnitAttr:$causal, OptionalAttr<F64Attr>:$scale, OptionalAttr<F64Attr>:$masked_value);
  let results = (outs Nova_FloatTensor:$dq, Nova_FloatTensor:$dk, Nova_FloatTensor:$dv);
  let assemblyFormat = [{
    $result_grad `,` $q `,` $k `,` $v `,` $y `,` $lse (`,` $mask^)? attr-dict
    `:` type($result_grad) `,` type($q) `,` type($k) `,` type($v) `,` type($y) `,` type($lse) (`,` type($mask)^)?
  }];
  let extraClassDeclaration = NotDifferentiable<"it keeps no probabilities, which its derivative needs all at once; spell attention out where second derivatives are needed">.declaration # [{
    double getScaleOrDefault();
  }];
  let hasVerifier = 1;
}

class Nova_AttentionGradPartOp<string mnemonic, string part> : Nova_PositionalOp<mnemonic,
    [Nova_NotDifferentiableTrait, ProductOfMany, Nova_InferTypes, AttrSizedOperandSegments,
     AllElementTypesMatch<["result_grad", "q", "k", "v"]>]> {
  let summary = "the part of attention_grad that gives " # part;
  let arguments = (ins Nova_FloatTensor:$result_grad, Nova_FloatTensor:$q, Nova_FloatTensor:$k, Nova_FloatTensor:$v,
                       Nova_FloatTensor:$lse, Nova_FloatTensor:$delta, Optional<Nova_AttentionMask>:$mask,
                       UnitAttr:$causal, OptionalAttr<F64Attr>:$scale, OptionalAttr<F64Attr>:$masked_value,
                       Variadic<Index>:$origin);
  let assemblyFormat = [{
    $result_grad `,` $q `,` $k `,` $v `,` $lse `,` $delta (`mask` $mask^)? (`at` $origin^)? attr-dict
    `:` type($result_grad) `,` type($q) `,` type($k) `,` type($v) `,` type($lse) `,` type($delta) (`,` type($mask)^)?
  }];
  let extraClassDeclaration = NotDifferentiable<"it keeps no probabilities, which its derivative needs all at once; spell attention out where second derivatives are needed">.declaration # [{
    double getScaleOrDefault();
  }];
  let hasVerifier = 1;
}
def Nova_AttentionGradQueryOp : Nova_AttentionGradPartOp<"attention_grad_query", "dq"> {
  let description = [{
    `delta` is the sum of dy * y over the last axis, [B, H, T]. Blocks run over queries. Heads are not grouped.

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

def Nova_LayerNormOp : Nova_TensorOp<"layer_norm", [Differentiable, Roundable, Nova_InferTypes,
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

def Nova_LayerNormGradOp : Nova_TensorOp<"layer_norm_grad", [Nova_NotDifferentiableTrait, Roundable, Nova_InferTypes,
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
  let assemblyFormat = [{
    $result_grad `,` $x `,` $weight attr-dict `:` type($result_grad) `,` type($x) `,` type($weight)
  }];
  let extraClassDeclaration = NotDifferentiable<"it keeps no statistics, through which its derivative goes; spell the norm out where second derivatives are needed">.declaration;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// RMS norm
//===----------------------------------------------------------------------===//

def Nova_RmsNormOp : Nova_TensorOp<"rms_norm", [Differentiable, Roundable, Nova_InferTypes,
    AllElementTypesMatch<["x", "weight"]>]> {
  let summary = "x / sqrt(mean(x^2) + eps) * weight over the last axis";
  let description = [{
    Statistics of f16 and bf16 are f32. PyTorch's eps, unless given, is the element type's epsilon; here it is 1e-5.

    ```mlir
    %y = nova.rms_norm %x, %w {eps = 1.0e-6} : tensor<8x64xf32>, tensor<64xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$x, Nova_FloatTensor:$weight, DefaultValuedOptionalAttr<F64Attr, "1e-5">:$eps);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = "$x `,` $weight attr-dict `:` type($x) `,` type($weight)";
  let hasVerifier = 1;
}

def Nova_RmsNormGradOp : Nova_TensorOp<"rms_norm_grad", [Nova_NotDifferentiableTrait, Roundable, Nova_InferTypes,
    AllElementTypesMatch<["result_grad", "x", "weight"]>]> {
  let summary = "gradients of rms_norm for x and weight";
  let description = [{
    Statistics are computed again from x; `partials` as for `layer_norm_grad`.

    ```mlir
    %dx, %dw = nova.rms_norm_grad %dy, %x, %w : tensor<8x64xf32>, tensor<8x64xf32>, tensor<64xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$result_grad, Nova_FloatTensor:$x, Nova_FloatTensor:$weight,
                       DefaultValuedOptionalAttr<F64Attr, "1e-5">:$eps,
                       DefaultValuedOptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$partials);
  let results = (outs Nova_FloatTensor:$dx, Nova_FloatTensor:$dweight);
  let assemblyFormat = [{
    $result_grad `,` $x `,` $weight attr-dict `:` type($result_grad) `,` type($x) `,` type($weight)
  }];
  let extraClassDeclaration = NotDifferentiable<"it keeps no statistics, through which its derivative goes; spell the norm out where second derivatives are needed">.declaration;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

def Nova_RotaryEmbeddingOp : Nova_CompositeTensorOp<"rotary_embedding", [Differentiable, Roundable, Nova_InferTypes,
    AllElementTypesMatch<["x", "cos", "sin"]>]> {
  let summary = "pairs of elements of the last axis turned by angles that depend on the position";
  let description = [{
    x is [..., T, D]; cos and sin, of one shape, are [T, R / 2] or broadcast over the leading axes of x, with R even and
    at most D. Elements i and i + R / 2 of the last axis, or with `interleaved` 2 i and 2 i + 1, become
    x1 cos - x2 sin and x2 cos + x1 sin. Elements from R on stay as they are.

    ```mlir
    %y = nova.rotary_embedding %x, %cos, %sin : tensor<8x2x64x32xf32>, tensor<64x16xf32>, tensor<64x16xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$x, Nova_FloatTensor:$cos, Nova_FloatTensor:$sin, UnitAttr:$interleaved);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = "$x `,` $cos `,` $sin attr-dict `:` type($x) `,` type($cos) `,` type($sin)";
}

#endif // NOVA_TRANSFORMER_OPS_TD
