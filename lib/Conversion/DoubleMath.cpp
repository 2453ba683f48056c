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
} // namespace

/// All functions whose arguments may be any f64, but exp, log, tanh and erf.
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
  // Upstream's polynomial takes no denormal numbers.
  patterns.add<Expand<math::LogOp, doubles::log>>(patterns.getContext(), /*isDouble=*/false);
  patterns.add<Expand<math::SinOp, doubles::sin>, Expand<math::CosOp, doubles::cos>, Expand<math::TanOp, doubles::tan>>(
      patterns.getContext(), /*isDouble=*/false);
  // LLVM's lowering would take the difference from 1, which cancels near 0.
  patterns.add<Expand<math::ExpM1Op, doubles::expm1>, Expand<math::Log1pOp, doubles::log1p>>(patterns.getContext(),
                                                                                             /*isDouble=*/true);
}

void nova::populateDoubleMathPatterns(RewritePatternSet &patterns) {
  addFunctions(patterns, /*isDouble=*/true);
  patterns.add<Expand<math::ExpOp, doubles::exp>, Expand<math::LogOp, doubles::log>,
               Expand<math::TanhOp, doubles::tanh>, Expand<math::ErfOp, doubles::erf>>(patterns.getContext(),
                                                                                       /*isDouble=*/true);
  patterns.add<ExpandPower>(patterns.getContext());
}
