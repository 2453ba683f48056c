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

class Nova_ArgExtremumOp<string mnemonic, string extremum> : Nova_CompositeTensorOp<mnemonic,
    [Nova_NotDifferentiableTrait, Nova_InferTypes]> {
  let summary = "the index of the " # extremum # " element along an axis";
  let description = [{
    The first one where several are equal; that of the first NaN if there is one. A negative axis counts from the end;
    the default is the last one. With `keep_dims` the axis stays with size 1; it may not be empty.

    ```mlir
    %i = nova.}] # mnemonic # [{ %x {axis = 1} : tensor<8x64xf32>      // tensor<8xi64>
    ```
  }];
  let arguments = (ins Nova_NumberTensor:$x, DefaultValuedOptionalAttr<I64Attr, "-1">:$axis, UnitAttr:$keep_dims);
  let results = (outs Nova_TensorOf<I64>:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let extraClassDeclaration = NotDifferentiable<"its result is an index">.declaration # [{
    /// The axis counted from the front.
    int64_t getNormalizedAxis() { int64_t a = getAxis(); return a < 0 ? a + getX().getType().getRank() : a; }
  }];
}
def Nova_ArgMaxOp : Nova_ArgExtremumOp<"argmax", "largest">;
def Nova_ArgMinOp : Nova_ArgExtremumOp<"argmin", "smallest">;

def Nova_CumsumOp : Nova_TensorOp<"cumsum", [Differentiable, Nova_InferTypes]> {
  let summary = "sums of the elements up to each one along an axis";
  let description = [{
    Element i is the sum of the elements 0 to i, or with `reverse` that of i to the last. A negative axis counts from the
    end; the default is the last one. Integers wrap; f16 and bf16 are accumulated in f32.

    ```mlir
    %y = nova.cumsum %x {axis = 1} : tensor<8x64xf32>
    ```
  }];
  let arguments = (ins Nova_NumberTensor:$x, DefaultValuedOptionalAttr<I64Attr, "-1">:$axis, UnitAttr:$reverse);
  let results = (outs Nova_NumberTensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let extraClassDeclaration = [{
    /// The axis counted from the front.
    int64_t getNormalizedAxis() { int64_t a = getAxis(); return a < 0 ? a + getX().getType().getRank() : a; }
  }];
}

def Nova_LogSumExpOp : Nova_CompositeTensorOp<"logsumexp", [Differentiable, Nova_InferTypes]> {
  let summary = "the logarithm of the sum of exponentials over some axes";
  let description = [{
    Computed as m + log(sum(exp(x - m))) with m the largest element, so that nothing overflows. Minus infinity over no
    element and where all are minus infinity. Axes and `keep_dims` are those of `reduce`.

    ```mlir
    %y = nova.logsumexp %x over [1] : tensor<8x64xf32>      // tensor<8xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$x, DenseI64ArrayAttr:$axes, UnitAttr:$keep_dims);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = "$x `over` $axes attr-dict `:` type($x)";
}

def Nova_LogSoftmaxOp : Nova_TensorOp<"log_softmax", [Differentiable, Nova_InferTypes]> {
  let summary = "the logarithm of softmax, x - max - log(sum(exp(x - max))), along one axis";
  let description = [{
    A negative axis counts from the end; the default is the last one. A row of minus infinities gives NaN, as in PyTorch.

    ```mlir
    %y = nova.log_softmax %x : tensor<8x64xf32>
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

def Nova_SoftmaxOp : Nova_TensorOp<"softmax", [Differentiable, Roundable, Nova_InferTypes]> {
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

def Nova_SoftmaxGradOp : Nova_TensorOp<"softmax_grad", [Differentiable, Roundable, Nova_InferTypes,
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
  let extraClassDeclaration = [{
    int64_t getNormalizedAxis() { int64_t a = getAxis(); return a < 0 ? a + getY().getType().getRank() : a; }
  }];
}

def Nova_MatmulOp : Nova_TensorOp<"matmul", [Differentiable, Product, Nova_InferTypes,
    AllElementTypesMatch<["lhs", "rhs"]>]> {
  let summary = "matrix product over the last two axes; leading axes broadcast";
  let description = [{
    Operands have rank 2 or more: lhs is [..., M, K], or [..., K, M] with `transpose_lhs`; rhs is [..., K, N], or
    [..., N, K] with `transpose_rhs`. The leading axes broadcast as NumPy's do. K = 0 gives zeros.

    Products are summed in the type `accumulate`, f32 or f64: by default f64 for f64 and f32 for all others, of which f64
    is slower and exact to the last rounding. The products of its gradient are summed in the same type.

    ```mlir
    %y = nova.matmul %x, %w : tensor<8x64x32xf32>, tensor<32x16xf32>                      // tensor<8x64x16xf32>
    %z = nova.matmul %y, %w {transpose_rhs} : tensor<8x64x16xf32>, tensor<32x16xf32>      // tensor<8x64x32xf32>
    %s = nova.matmul %x, %w {accumulate = f64} : tensor<8x64x32xf32>, tensor<32x16xf32>   // tensor<8x64x16xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$lhs, Nova_FloatTensor:$rhs, UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs,
                       OptionalAttr<TypeAttrOf<AnyTypeOf<[F32, F64]>>>:$accumulate);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type that products are summed in where `accumulate` says nothing.
    static ::mlir::Type getDefaultAccumulate(::mlir::Type element);
    /// Whether its sums are wider than that.
    bool hasWideSums();
    /// bf16 or f16, if both factors are read as that and widened to f32: instructions can multiply pairs of them.
    ::mlir::Type getPairedElement();
  }];
}

def Nova_Conv2DOp : Nova_CompositeTensorOp<"conv2d", [Differentiable, Product, Nova_InferTypes,
    AllElementTypesMatch<["x", "weight"]>]> {
  let summary = "two-dimensional convolution (cross-correlation, as PyTorch's) of images with filters";
  let description = [{
    x is [N, C, H, W], the weight [O, C / groups, KH, KW], the result [N, O, H', W'] with
    H' = (H + 2 padding - dilation (KH - 1) - 1) / strides + 1, rounded down, and likewise W'. Both dimensions are padded
    with zeros on both sides. With `groups`, filters of group g see the channels of group g alone. Compiled as a matrix
    product with the patches of the image.

    ```mlir
    %y = nova.conv2d %x, %w strides = [2, 2] padding = [1, 1] : tensor<8x3x32x32xf32>, tensor<16x3x3x3xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$x, Nova_FloatTensor:$weight, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$padding,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "::llvm::ArrayRef<int64_t>({1, 1})">:$dilation,
                       DefaultValuedOptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$groups);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $weight `strides` `=` $strides `padding` `=` $padding attr-dict `:` type($x) `,` type($weight)
  }];
}

#endif // NOVA_REDUCTION_OPS_TD
