//===- NovaElementwiseOps.td - One scalar function each ----*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_ELEMENTWISE_OPS_TD
#define NOVA_ELEMENTWISE_OPS_TD

include "Nova/Dialect/NovaBase.td"

// The result's type follows from the operands: their shapes broadcast, and the element type of `element`.
class Nova_ElementwiseOp<string mnemonic, string element, list<Trait> traits = []>
  : Nova_TensorOp<mnemonic, !listconcat([Nova_ElementwiseTrait, InferTypeOpAdaptor], traits)> {
  let extraClassDefinition = [{
    ::llvm::SmallVector<::mlir::AffineMap> $cppClass::getIndexingMaps() {
      return ::mlir::nova::detail::broadcastMaps(*this);
    }
    ::llvm::SmallVector<::mlir::utils::IteratorType> $cppClass::getLoopKinds() {
      return ::mlir::nova::detail::parallelLoops(*this);
    }
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *context,
        ::std::optional<::mlir::Location> location, $cppClass::Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::mlir::nova::detail::inferElementwise(location, adaptor.getOperands(), }] # element # [{, types);
    }
  }];
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

class Nova_UnaryOp<string mnemonic, Type operand, list<Trait> traits = [Differentiable]>
  : Nova_ElementwiseOp<mnemonic, "::mlir::getElementTypeOrSelf(adaptor.getX())", traits> {
  let arguments = (ins operand:$x);
  let results = (outs operand:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

class Nova_DocumentedUnaryOp<string mnemonic, Type operand, string formula, string note = "">
  : Nova_UnaryOp<mnemonic, operand> {
  let summary = "computes " # formula # ", element by element";
  let description = "    " # note # [{

    ```mlir
    %y = nova.}] # mnemonic # [{ %x : tensor<4x8xf32>
    ```
  }];
}

def Nova_AbsOp : Nova_DocumentedUnaryOp<"abs", Nova_NumberTensor, "|x|",
  "The smallest integer is its own absolute value. The gradient at 0 is 0."> { let hasFolder = 1; }
def Nova_NegOp : Nova_DocumentedUnaryOp<"neg", Nova_NumberTensor, "-x", "The smallest integer is its own negation."> {
  let hasFolder = 1;
}
def Nova_SignOp : Nova_DocumentedUnaryOp<"sign", Nova_NumberTensor, "-1, 0 or 1 by the sign of x",
  "The sign of NaN and of -0.0 is 0. The gradient is 0.">;
def Nova_SquareOp : Nova_DocumentedUnaryOp<"square", Nova_NumberTensor, "x * x">;
def Nova_SqrtOp : Nova_DocumentedUnaryOp<"sqrt", Nova_FloatTensor, "the square root of x", "NaN for x < 0.">;
def Nova_RsqrtOp : Nova_DocumentedUnaryOp<"rsqrt", Nova_FloatTensor, "1 / sqrt(x)", "Infinity at 0, NaN for x < 0.">;
def Nova_ReciprocalOp : Nova_DocumentedUnaryOp<"reciprocal", Nova_FloatTensor, "1 / x">;
def Nova_ExpOp : Nova_DocumentedUnaryOp<"exp", Nova_FloatTensor, "e to the power x",
  "In kernels, results of f32 below the smallest normal number are 0.">;
def Nova_Exp2Op : Nova_DocumentedUnaryOp<"exp2", Nova_FloatTensor, "2 to the power x">;
def Nova_Expm1Op : Nova_DocumentedUnaryOp<"expm1", Nova_FloatTensor, "e to the power x, minus 1",
  "Accurate for x near 0, where `exp` and a difference are not.">;
def Nova_LogOp : Nova_DocumentedUnaryOp<"log", Nova_FloatTensor, "the natural logarithm of x",
  "Minus infinity at 0, NaN for x < 0.">;
def Nova_Log2Op : Nova_DocumentedUnaryOp<"log2", Nova_FloatTensor, "the logarithm of x to base 2",
  "Minus infinity at 0, NaN for x < 0.">;
def Nova_Log10Op : Nova_DocumentedUnaryOp<"log10", Nova_FloatTensor, "the logarithm of x to base 10",
  "Minus infinity at 0, NaN for x < 0.">;
def Nova_Log1pOp : Nova_DocumentedUnaryOp<"log1p", Nova_FloatTensor, "the natural logarithm of 1 + x",
  "Accurate for x near 0. Minus infinity at -1, NaN for x < -1.">;
def Nova_SinOp : Nova_DocumentedUnaryOp<"sin", Nova_FloatTensor, "the sine of x, an angle in radians",
  "NaN for infinities. Arguments are reduced exactly, however large they are.">;
def Nova_CosOp : Nova_DocumentedUnaryOp<"cos", Nova_FloatTensor, "the cosine of x, an angle in radians",
  "NaN for infinities. Arguments are reduced exactly, however large they are.">;
def Nova_TanOp : Nova_DocumentedUnaryOp<"tan", Nova_FloatTensor, "the tangent of x, an angle in radians",
  "NaN for infinities.">;
def Nova_AsinOp : Nova_DocumentedUnaryOp<"asin", Nova_FloatTensor, "the inverse sine of x",
  "Between -pi/2 and pi/2; NaN for |x| > 1. The gradient at -1 and 1 is infinite.">;
def Nova_AcosOp : Nova_DocumentedUnaryOp<"acos", Nova_FloatTensor, "the inverse cosine of x",
  "Between 0 and pi; NaN for |x| > 1. The gradient at -1 and 1 is infinite.">;
def Nova_AtanOp : Nova_DocumentedUnaryOp<"atan", Nova_FloatTensor, "the inverse tangent of x",
  "Between -pi/2 and pi/2, which are the values at infinities.">;
def Nova_SinhOp : Nova_DocumentedUnaryOp<"sinh", Nova_FloatTensor, "the hyperbolic sine of x">;
def Nova_CoshOp : Nova_DocumentedUnaryOp<"cosh", Nova_FloatTensor, "the hyperbolic cosine of x">;
def Nova_TanhOp : Nova_DocumentedUnaryOp<"tanh", Nova_FloatTensor, "the hyperbolic tangent of x">;
def Nova_AsinhOp : Nova_DocumentedUnaryOp<"asinh", Nova_FloatTensor, "the inverse hyperbolic sine of x">;
def Nova_AcoshOp : Nova_DocumentedUnaryOp<"acosh", Nova_FloatTensor, "the inverse hyperbolic cosine of x",
  "NaN for x < 1.">;
def Nova_AtanhOp : Nova_DocumentedUnaryOp<"atanh", Nova_FloatTensor, "the inverse hyperbolic tangent of x",
  "Infinities at -1 and 1, NaN for |x| > 1.">;
def Nova_ErfOp : Nova_DocumentedUnaryOp<"erf", Nova_FloatTensor, "the error function of x">;
def Nova_ReluOp : Nova_DocumentedUnaryOp<"relu", Nova_NumberTensor, "max(x, 0)",
  "NaN stays NaN. The gradient at 0 is 0.">;
def Nova_SigmoidOp : Nova_DocumentedUnaryOp<"sigmoid", Nova_FloatTensor, "1 / (1 + exp(-x))">;
def Nova_SiluOp : Nova_DocumentedUnaryOp<"silu", Nova_FloatTensor, "x * sigmoid(x)">;

// Steps: the gradient is 0 everywhere, as in PyTorch.
class Nova_RoundingOp<string mnemonic, string formula, string note = "">
  : Nova_DocumentedUnaryOp<mnemonic, Nova_FloatTensor, formula, note # "The gradient is 0."> { let hasFolder = 1; }
def Nova_FloorOp : Nova_RoundingOp<"floor", "the largest whole number that is not above x">;
def Nova_CeilOp : Nova_RoundingOp<"ceil", "the smallest whole number that is not below x">;
def Nova_RoundOp : Nova_RoundingOp<"round", "the whole number nearest to x", "Halfway cases go to the even one. ">;

def Nova_StopGradientOp : Nova_DocumentedUnaryOp<"stop_gradient", Nova_NumberTensor, "x itself",
  "The gradient is 0, whatever x is: what is behind it counts as a constant for the gradients of the rest.">;

def Nova_NotOp : Nova_UnaryOp<"not", Nova_IntOrBoolTensor, [Nova_NotDifferentiableTrait]> {
  let summary = "all bits inverted; logical not for i1";
  let description = [{
    ```mlir
    %y = nova.not %x : tensor<4xi1>
    ```
  }];
  let extraClassDeclaration = NotDifferentiable<"it computes on bits">.declaration;
  let hasFolder = 1;
}

def Nova_GeluOp : Nova_UnaryOp<"gelu", Nova_FloatTensor> {
  let summary = "Gaussian error linear unit, exact or in its tanh form";
  let description = [{
    `exact`: x * (1 + erf(x / sqrt(2))) / 2. `tanh`: x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))) / 2, the form of
    GPT-2 (`approximate="tanh"` in PyTorch, `gelu_new` in Hugging Face's configurations).

    ```mlir
    %y = nova.gelu tanh %x : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Nova_GeluFormAttr:$form, Nova_FloatTensor:$x);
  let assemblyFormat = "`` $form $x attr-dict `:` type($x)";
}

//===----------------------------------------------------------------------===//
// Two operands, broadcast
//===----------------------------------------------------------------------===//

class Nova_BinaryOp<string mnemonic, Type operand, list<Trait> traits = [Differentiable]>
  : Nova_ElementwiseOp<mnemonic, "::mlir::getElementTypeOrSelf(adaptor.getLhs())",
      !listconcat([AllElementTypesMatch<["lhs", "rhs"]>], traits)> {
  let arguments = (ins operand:$lhs, operand:$rhs);
  let results = (outs operand:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
}

class Nova_DocumentedBinaryOp<string mnemonic, Type operand, string formula, string note = "">
  : Nova_BinaryOp<mnemonic, operand> {
  let summary = "computes " # formula # ", element by element, with NumPy broadcasting";
  let description = "    " # note # [{

    ```mlir
    %z = nova.}] # mnemonic # [{ %x, %y : tensor<4x8xf32>, tensor<8xf32>
    ```
  }];
}

def Nova_AddOp : Nova_DocumentedBinaryOp<"add", Nova_NumberTensor, "x + y", "Integers wrap."> {
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}
def Nova_SubOp : Nova_DocumentedBinaryOp<"sub", Nova_NumberTensor, "x - y", "Integers wrap."> { let hasFolder = 1; }
def Nova_MulOp : Nova_DocumentedBinaryOp<"mul", Nova_NumberTensor, "x * y", "Integers wrap."> { let hasFolder = 1; }
def Nova_DivOp : Nova_DocumentedBinaryOp<"div", Nova_NumberTensor, "x / y",
  "Integers are divided towards zero; x / 0 is 0, and the smallest integer over -1 is itself."> { let hasFolder = 1; }
def Nova_ModOp : Nova_DocumentedBinaryOp<"mod", Nova_NumberTensor, "x - y * floor(x / y)", [{
    The remainder has the sign of y, as in PyTorch and Python. Of floats it is exact up to one rounding; NaN where y is 0
    or x infinite. Of integers x mod 0 is x (PyTorch reports an error). The gradient of x is that of the result, the
    gradient of y its product with -floor(x / y).
  }]>;
def Nova_PowOp : Nova_DocumentedBinaryOp<"pow", Nova_FloatTensor, "x to the power y", [{
    pow(x, 0) is 1 for every x, NaN included; a negative base with a y that is no integer gives NaN. The gradient of x is
    0 where y is 0, the gradient of y is 0 where x is 0 and y >= 0.
  }]> { let hasFolder = 1; }
def Nova_MaxOp : Nova_DocumentedBinaryOp<"max", Nova_NumberTensor, "the larger of x and y",
  "NaN if either is NaN. Where they are equal, each gets half of the gradient.">;
def Nova_MinOp : Nova_DocumentedBinaryOp<"min", Nova_NumberTensor, "the smaller of x and y",
  "NaN if either is NaN. Where they are equal, each gets half of the gradient.">;

class Nova_BitwiseOp<string mnemonic, string formula>
  : Nova_BinaryOp<mnemonic, Nova_IntOrBoolTensor, [Nova_NotDifferentiableTrait]> {
  let summary = "bitwise " # formula # " (logical for i1), with NumPy broadcasting";
  let description = [{
    ```mlir
    %z = nova.}] # mnemonic # [{ %x, %y : tensor<4x8xi1>, tensor<8xi1>
    ```
  }];
  let extraClassDeclaration = NotDifferentiable<"it computes on bits">.declaration;
}
def Nova_AndOp : Nova_BitwiseOp<"and", "and">;
def Nova_OrOp : Nova_BitwiseOp<"or", "or">;
def Nova_XorOp : Nova_BitwiseOp<"xor", "exclusive or">;

def Nova_GeluGradOp : Nova_BinaryOp<"gelu_grad", Nova_FloatTensor, [Differentiable]> {
  let summary = "gradient of gelu: lhs, the gradient of the result, times the derivative of gelu at rhs";
  let description = [{
    ```mlir
    %dx = nova.gelu_grad tanh %dy, %x : tensor<4x8xf32>, tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Nova_GeluFormAttr:$form, Nova_FloatTensor:$lhs, Nova_FloatTensor:$rhs);
  let assemblyFormat = "`` $form $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
}

def Nova_CompareOp : Nova_ElementwiseOp<"compare", "::mlir::IntegerType::get(context, 1)",
    [Nova_NotDifferentiableTrait, AllElementTypesMatch<["lhs", "rhs"]>]> {
  let summary = "compares by eq, ne, lt, le, gt or ge, element by element, with NumPy broadcasting";
  let description = [{
    Comparisons with NaN are false, `ne` is true. Integers are signed, i1 is 0 or 1.

    ```mlir
    %z = nova.compare lt %x, %y : tensor<4x8xf32>, tensor<8xf32>
    ```
  }];
  let arguments = (ins Nova_CompareKindAttr:$kind, Nova_Tensor:$lhs, Nova_Tensor:$rhs);
  let results = (outs Nova_BoolTensor:$result);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
  let extraClassDeclaration = NotDifferentiable<"its result is a truth value">.declaration;
}

//===----------------------------------------------------------------------===//
// Three operands, casts
//===----------------------------------------------------------------------===//

def Nova_SelectOp : Nova_ElementwiseOp<"select", "::mlir::getElementTypeOrSelf(adaptor.getOnTrue())",
    [Differentiable, AllElementTypesMatch<["onTrue", "onFalse"]>]> {
  let summary = "takes on_true where the condition holds, else on_false, with NumPy broadcasting";
  let description = [{
    The element that is not taken has no influence, NaN included, and a gradient of 0.

    ```mlir
    %z = nova.select %c, %x, %y : tensor<4x8xi1>, tensor<4x8xf32>, tensor<f32>
    ```
  }];
  let arguments = (ins Nova_BoolTensor:$condition, Nova_Tensor:$onTrue, Nova_Tensor:$onFalse);
  let results = (outs Nova_Tensor:$result);
  let assemblyFormat = [{
    $condition `,` $onTrue `,` $onFalse attr-dict `:` type($condition) `,` type($onTrue) `,` type($onFalse)
  }];
  let hasFolder = 1;
}

def Nova_ClampOp : Nova_ElementwiseOp<"clamp", "::mlir::getElementTypeOrSelf(adaptor.getX())",
    [Differentiable, AllElementTypesMatch<["x", "low", "high"]>]> {
  let summary = "computes min(max(x, low), high), element by element, with NumPy broadcasting";
  let description = [{
    NaN if any of the three is NaN; `high` where low > high. The gradient goes to x where low <= x <= high, the bounds
    included, else to the bound that the result takes (PyTorch shares it at a bound that is a tensor).

    ```mlir
    %y = nova.clamp %x, %low, %high : tensor<4x8xf32>, tensor<f32>, tensor<f32>
    ```
  }];
  let arguments = (ins Nova_NumberTensor:$x, Nova_NumberTensor:$low, Nova_NumberTensor:$high);
  let results = (outs Nova_NumberTensor:$result);
  let assemblyFormat = "$x `,` $low `,` $high attr-dict `:` type($x) `,` type($low) `,` type($high)";
}

def Nova_CastOp : Nova_TensorOp<"cast", [Nova_ElementwiseTrait, Differentiable, SameOperandsAndResultShape]> {
  let summary = "elements converted to another type";
  let description = [{
    Between floats: rounded to nearest, ties to even. Float to integer: towards zero; NaN gives 0 and what is out of
    range the nearest integer (PyTorch leaves both undefined). Integer to a narrower one wraps. To i1: whether the element is
    not zero. The gradient is cast back; there is none through integers.

    ```mlir
    %y = nova.cast %x : tensor<4xf32> -> tensor<4xbf16>
    ```
  }];
  let arguments = (ins Nova_Tensor:$x);
  let results = (outs Nova_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let extraClassDefinition = [{
    ::llvm::SmallVector<::mlir::AffineMap> $cppClass::getIndexingMaps() {
      return ::mlir::nova::detail::broadcastMaps(*this);
    }
    ::llvm::SmallVector<::mlir::utils::IteratorType> $cppClass::getLoopKinds() {
      return ::mlir::nova::detail::parallelLoops(*this);
    }
  }];
  let hasFolder = 1;
}

#endif // NOVA_ELEMENTWISE_OPS_TD
