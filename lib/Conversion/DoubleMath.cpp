//===- DoubleMath.cpp - Functions that become f64 arithmetic --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DoubleMath.h"
#include "DoubleFunctions.h"

using namespace mlir;
using namespace mlir::nova;

/// The value in f64.
static Float widened(ImplicitLocOpBuilder &b, Value x) {
  Type type = withElement(x, b.getF64Type());
  return {b, x.getType() == type ? x : Value(arith::ExtFOp::create(b, type, x))};
}
/// The value in a type of f32 or f64.
static Value narrowed(Float x, Type type) {
  return x.v.getType() == type ? x.v : Value(arith::TruncFOp::create(x.b, type, x.v));
}

/// exp of f32, to 1.01 units in the last place, results below the normal numbers included.
static Float exponential(Float x) {
  // Beyond these the result is 0 or infinity in any case; NaN passes both.
  Float high = x.constant(89), low = x.constant(-104);
  x = select(high.less(x), high, x), x = select(x.less(low), low, x);
  // x = n ln 2 + r. In a number as large as `round` the last bit stands for 1: n is in its last bits.
  Float round = x.constant(0x1.8p23), shifted = fma(x, x.constant(1.44269504), round), n = shifted - round;
  Float r = fma(n, x.constant(0x1.05c61p-29), fma(n, x.constant(-0x1.62e43p-1), x));
  Float series = x.constant(1.9875691500e-4);
  for (double c : {1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1})
    series = fma(series, r, x.constant(c));
  Float y = fma(r * r, series, r) + 1.0;
  // The scaling takes two steps: 2^n may not exist where the product does.
  Integer exponent = Integer::bitsOf(shifted) - 0x4b400000, half = exponent.arithmeticShift(1);
  auto powerOfTwo = [](Integer i) { return ((i + 127) << 23).asBits(); };
  return (y * powerOfTwo(half)) * powerOfTwo(exponent - half);
}

namespace {
/// A function of f32, by way of f64, or of f64.
template <typename Op, Float (*function)(Float)> struct Expand : OpRewritePattern<Op> {
  Expand(MLIRContext *context, bool isDouble) : OpRewritePattern<Op>(context), isDouble(isDouble) {}
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (isDouble ? !element.isF64() : !element.isF32())
      return rewriter.notifyMatchFailure(op, "its type is another one");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, narrowed(function(widened(b, op.getOperand())), op.getType()));
    return success();
  }
  bool isDouble;
};

/// exp of f32 stays in f32: kernels of attention and softmax live on it.
struct ExpandExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ExpOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "its type is another one");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, exponential({b, op.getOperand()}).v);
    return success();
  }
};

/// pow of f32 goes through f64, where exp(y log x) has bits to spare.
struct ExpandPower : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::PowFOp op, PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isF64() && !element.isF32())
      return rewriter.notifyMatchFailure(op, "only powers of f32 and f64 are expanded");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Float z = doubles::power(widened(b, op.getLhs()), widened(b, op.getRhs()));
    rewriter.replaceOp(op, narrowed(z, op.getType()));
    return success();
  }
};

/// What LLVM makes of a remainder for a GPU is x - trunc(x / y) y: wrong for large quotients, and of infinity.
struct ExpandRemainder : OpRewritePattern<arith::RemFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::RemFOp op, PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isF64() && !element.isF32())
      return rewriter.notifyMatchFailure(op, "only remainders of f32 and f64 are expanded");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Float rest = doubles::remainder(widened(b, op.getLhs()), widened(b, op.getRhs()), element.isF64() ? 2098 : 277);
    rewriter.replaceOp(op, narrowed(rest, op.getType()));
    return success();
  }
};
} // namespace

/// What f32 and f64 have in common: all functions but exp, log, tanh, erf, sin, cos and tan.
static void addFunctions(RewritePatternSet &patterns, bool isDouble) {
  patterns.add<
      Expand<math::Exp2Op, doubles::exp2>, Expand<math::ExpM1Op, doubles::expm1>, Expand<math::Log2Op, doubles::log2>,
      Expand<math::Log10Op, doubles::log10>, Expand<math::Log1pOp, doubles::log1p>, Expand<math::AsinOp, doubles::asin>,
      Expand<math::AcosOp, doubles::acos>, Expand<math::AtanOp, doubles::atan>, Expand<math::SinhOp, doubles::sinh>,
      Expand<math::CoshOp, doubles::cosh>, Expand<math::AsinhOp, doubles::asinh>, Expand<math::AcoshOp, doubles::acosh>,
      Expand<math::AtanhOp, doubles::atanh>>(patterns.getContext(), isDouble);
}

void nova::populateSingleMathPatterns(RewritePatternSet &patterns) {
  addFunctions(patterns, /*isDouble=*/false);
  // Upstream's polynomial gives 0 for results below the normal numbers.
  patterns.add<ExpandExp>(patterns.getContext());
  // Upstream's polynomial takes no denormal numbers.
  patterns.add<Expand<math::LogOp, doubles::log>>(patterns.getContext(), /*isDouble=*/false);
  patterns.add<Expand<math::SinOp, doubles::sinOfSingle>, Expand<math::CosOp, doubles::cosOfSingle>,
               Expand<math::TanOp, doubles::tanOfSingle>>(patterns.getContext(), /*isDouble=*/false);
  // LLVM's lowering would take the difference from 1, which cancels near 0.
  patterns.add<Expand<math::ExpM1Op, doubles::expm1>, Expand<math::Log1pOp, doubles::log1p>>(patterns.getContext(),
                                                                                             /*isDouble=*/true);
}

void nova::populateDoubleMathPatterns(RewritePatternSet &patterns) {
  addFunctions(patterns, /*isDouble=*/true);
  patterns.add<Expand<math::ExpOp, doubles::exp>, Expand<math::LogOp, doubles::log>,
               Expand<math::TanhOp, doubles::tanh>, Expand<math::ErfOp, doubles::erf>,
               Expand<math::SinOp, doubles::sin>, Expand<math::CosOp, doubles::cos>, Expand<math::TanOp, doubles::tan>>(
      patterns.getContext(), /*isDouble=*/true);
  patterns.add<ExpandPower, ExpandRemainder>(patterns.getContext());
}
