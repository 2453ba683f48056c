//===- NovaReductionOps.td - Reductions and contractions ---*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_REDUCTION_OPS_TD
#define NOVA_REDUCTION_OPS_TD

include "Nova/Dialect/NovaBase.td"

def Nova_ReduceOp : Nova_TensorOp<"reduce", [Differentiable, Nova_InferTypes]> {
  let summary = "sum, mean, max, min, product, any or all over some axes";
  let description = [{
    The axes are distinct, in rising order; with `keep_dims` they stay with size 1. Over no element the sum is 0, the
    product 1, any false, all true, the mean NaN; max and min are an error. max and min give NaN if an element is NaN; their
    gradient is shared evenly by equal elements. any and all take and give i1. f16 and bf16 are accumulated in f32.

    ```mlir
    %s = nova.reduce sum %x over [0, 2] : tensor<2x3x4xf32>                  // tensor<3xf32>
    %m = nova.reduce mean %x over [2] {keep_dims} : tensor<2x3x4xf32>        // tensor<2x3x1xf32>
    ```
  }];
  let arguments = (ins Nova_ReduceKindAttr:$kind, Nova_Tensor:$x, DenseI64ArrayAttr:$axes, UnitAttr:$keep_dims);
  let results = (outs Nova_Tensor:$result);
  let assemblyFormat = "`` $kind $x `over` $axes attr-dict `:` type($x)";
  let hasFolder = 1;
}

def Nova_SoftmaxOp : Nova_TensorOp<"softmax", [Differentiable, Nova_InferTypes]> {
  let summary = "the exponential of x - max over its sum, along one axis";
  let description = [{
    A negative axis counts from the end; the default is the last one. A row of minus infinities gives NaN, as in PyTorch.

    ```mlir
    %p = nova.softmax %x : tensor<8x64xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$x, DefaultValuedOptionalAttr<I64Attr, "-1">:$axis);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let extraClassDeclaration = [{
    /// The axis counted from the front.
    int64_t getNormalizedAxis() { int64_t a = getAxis(); return a < 0 ? a + getX().getType().getRank() : a; }
  }];
}

def Nova_SoftmaxGradOp : Nova_TensorOp<"softmax_grad", [Nova_NotDifferentiableTrait, Nova_InferTypes,
    AllTypesMatch<["result_grad", "y"]>]> {
  let summary = "gradient of softmax from its result: y * (dy - sum(dy * y))";
  let description = [{
    ```mlir
    %dx = nova.softmax_grad %dy, %y : tensor<8x64xf32>, tensor<8x64xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$result_grad, Nova_FloatTensor:$y, DefaultValuedOptionalAttr<I64Attr, "-1">:$axis);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = "$result_grad `,` $y attr-dict `:` type($result_grad) `,` type($y)";
  let extraClassDeclaration = NotDifferentiable<"second derivatives of softmax are not supported">.declaration # [{
    int64_t getNormalizedAxis() { int64_t a = getAxis(); return a < 0 ? a + getY().getType().getRank() : a; }
  }];
}

def Nova_MatmulOp : Nova_TensorOp<"matmul", [Differentiable, Nova_InferTypes, AllElementTypesMatch<["lhs", "rhs"]>]> {
  let summary = "matrix product over the last two axes; leading axes broadcast";
  let description = [{
    Operands have rank 2 or more: lhs is [..., M, K], or [..., K, M] with `transpose_lhs`; rhs is [..., K, N], or
    [..., N, K] with `transpose_rhs`. The leading axes broadcast as NumPy's do. f16 and bf16 accumulate in f32. K = 0 gives
    zeros.

    ```mlir
    %y = nova.matmul %x, %w : tensor<8x64x32xf32>, tensor<32x16xf32>                      // tensor<8x64x16xf32>
    %z = nova.matmul %y, %w {transpose_rhs} : tensor<8x64x16xf32>, tensor<32x16xf32>      // tensor<8x64x32xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$lhs, Nova_FloatTensor:$rhs, UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

#endif // NOVA_REDUCTION_OPS_TD
