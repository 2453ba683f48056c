//===- FuseNorm.cpp - Layer norm spelled out becomes one op ---------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two steps: d / sqrt(mean(d^2) + eps) with d = x - mean(x) becomes a layer norm with weight 1 and bias 0; then a
// product with a vector becomes its weight and a sum with one its bias. Norms without weight or bias stay after the
// first step.
//
//===----------------------------------------------------------------------===//

#include "KnownValue.h"
#include "Matchers.h"

#include "Nova/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

namespace mlir::nova {
#define GEN_PASS_DEF_FUSENORMPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

static constexpr Remarks kRemarks("nova-fuse-norm", "layer_norm");

//===----------------------------------------------------------------------===//
// The normalisation
//===----------------------------------------------------------------------===//

/// x of x - statistic(x), with the statistic.
static std::optional<std::pair<Value, Statistic>> matchCentered(Value value) {
  auto sub = value.getDefiningOp<SubOp>();
  if (!sub || sub.getType() != sub.getLhs().getType())
    return std::nullopt;
  std::optional<Statistic> mean = matchStatistic(sub.getRhs(), sub.getType());
  if (!mean || mean->reduce.getX() != sub.getLhs())
    return std::nullopt;
  return std::pair<Value, Statistic>(sub.getLhs(), *mean);
}

/// d of d * d, square(d) or pow(d, 2).
static Value matchSquare(Value value) {
  if (auto square = value.getDefiningOp<SquareOp>())
    return square.getX();
  if (auto mul = value.getDefiningOp<MulOp>())
    return mul.getLhs() == mul.getRhs() ? mul.getLhs() : Value();
  if (auto pow = value.getDefiningOp<PowOp>(); pow && pow.getType() == pow.getLhs().getType())
    return getUniformValue(pow.getRhs()) == 2.0 ? pow.getLhs() : Value();
  return {};
}

/// Steps from a number's reciprocal square root to the number. With `inverse` false: from its square root.
static bool stepOverRoot(StatisticMatcher &matcher, bool inverse) {
  Operation *op = matcher.getOp();
  if (inverse) {
    if (auto rsqrt = dyn_cast_or_null<RsqrtOp>(op)) {
      matcher.enter(rsqrt.getX());
      return true;
    }
    if (auto reciprocal = dyn_cast_or_null<ReciprocalOp>(op))
      matcher.enter(reciprocal.getX());
    else if (auto div = dyn_cast_or_null<DivOp>(op); div && getUniformValue(div.getLhs()) == 1.0)
      matcher.enter(div.getRhs());
    else
      return false;
    op = matcher.getOp();
  }
  auto sqrt = dyn_cast_or_null<SqrtOp>(op);
  if (sqrt)
    matcher.enter(sqrt.getX());
  return bool(sqrt);
}

namespace {
/// A match of the normalisation. Before `isNear` holds it is something else, after that `why` tells what is wrong.
struct Normalization {
  Value x;
  double eps = 0;
  bool isNear = false;
  std::string why;

  LogicalResult match(Value centered, Value root, bool inverse);

private:
  LogicalResult matchVariance(StatisticMatcher &matcher, RankedTensorType type);
  LogicalResult fail(const Twine &reason) {
    why = reason.str();
    return failure();
  }
};
} // namespace

LogicalResult Normalization::match(Value centered, Value root, bool inverse) {
  if (auto cast = centered.getDefiningOp<CastOp>(); cast && matchCentered(cast.getX())) {
    isNear = true;
    return fail("the element type changes between the mean and the division");
  }
  auto found = matchCentered(centered);
  RankedTensorType type = tensorType(centered);
  StatisticMatcher matcher(root, type);
  if (!found || !stepOverRoot(matcher, inverse))
    return failure();
  isNear = true;
  x = found->first;
  Statistic mean = found->second;
  if (!mean.isMean())
    return fail("what is subtracted is not the mean");
  int64_t last = type.getRank() - 1;
  if (mean.reduce.getAxes() != ArrayRef<int64_t>(last))
    return fail(llvm::formatv("the mean runs over the axes [{0}], layer_norm over the last one, {1}",
                              llvm::make_range(mean.reduce.getAxes().begin(), mean.reduce.getAxes().end()), last));
  return matchVariance(matcher, type);
}

LogicalResult Normalization::matchVariance(StatisticMatcher &matcher, RankedTensorType type) {
  if (auto add = dyn_cast_or_null<AddOp>(matcher.getOp())) {
    std::optional<double> onLeft = getUniformValue(add.getLhs()), onRight = getUniformValue(add.getRhs());
    if (!onLeft && !onRight)
      return fail("eps is not known when the program is compiled");
    eps = asWritten(onRight ? *onRight : *onLeft, type.getElementType());
    if (std::signbit(eps) || !std::isfinite(eps)) // The op takes no -0 either.
      return fail("eps is " + toText(eps) + ", layer_norm takes a finite one of at least 0");
    matcher.enter(onRight ? add.getLhs() : add.getRhs());
  }
  std::optional<Statistic> variance = matcher.finish();
  if (!variance)
    return fail("what is under the root is not a mean of squares plus eps");
  Value deviation = matchSquare(variance->reduce.getX());
  auto found = deviation ? matchCentered(deviation) : std::nullopt;
  if (!found || found->first != x || !found->second.isMean() ||
      found->second.reduce.getAxes() != ArrayRef<int64_t>(type.getRank() - 1))
    return fail("what is under the root is not the variance of the same tensor");
  if (variance->reduce.getAxes() != ArrayRef<int64_t>(type.getRank() - 1))
    return fail("the variance runs over other axes than the mean");
  if (variance->reduce.getKind() != ReduceKind::Sum && variance->reduce.getKind() != ReduceKind::Mean)
    return fail("what is under the root is not a mean of squares plus eps");
  if (!variance->isMean())
    return fail(llvm::formatv("the variance is divided by {0}, layer_norm divides by the {1} elements of a row",
                              toText(1.0 / variance->factor), type.getShape().back()));
  return success();
}

static ConstantOp buildVector(ImplicitLocOpBuilder &builder, RankedTensorType type, double value) {
  RankedTensorType vector = type.clone({type.getShape().back()});
  return ConstantOp::create(builder,
                            DenseElementsAttr::get(vector, builder.getFloatAttr(type.getElementType(), value)));
}

//===----------------------------------------------------------------------===//
// Weight and bias
//===----------------------------------------------------------------------===//

/// The vector along the last axis that an operand of an elementwise op of type `type` repeats along all others, or
/// null. Broadcasting aligns the last axes: all others of the operand must have size 1, whatever sizes coincide. The
/// builder may reshape it.
static Value matchVector(OpBuilder &builder, Value value, RankedTensorType type) {
  RankedTensorType vector = type.clone({type.getShape().back()});
  if (value.getType() == vector)
    return value;
  int64_t last = type.getRank() - 1;
  if (auto broadcast = value.getDefiningOp<BroadcastInDimOp>(); broadcast && broadcast.getX().getType() == vector &&
                                                                broadcast.getDims() == ArrayRef<int64_t>(last) &&
                                                                broadcast.getType().getRank() == type.getRank())
    return broadcast.getX();
  ArrayRef<int64_t> shape = shapeOf(value);
  if (shape.empty() || shape.back() != type.getShape().back() ||
      llvm::any_of(shape.drop_back(), [](int64_t size) { return size != 1; }))
    return {};
  return ReshapeOp::create(builder, value.getLoc(), vector, value);
}

namespace {
/// `mul` by a reciprocal root or `div` by a root. The weight may come in before, as in d * (rsqrt(...) * weight).
template <typename Root> struct FuseNormalization : OpRewritePattern<Root> {
  using OpRewritePattern<Root>::OpRewritePattern;
  static constexpr bool kInverse = std::is_same_v<Root, MulOp>;

  LogicalResult matchAndRewrite(Root root, PatternRewriter &rewriter) const override {
    for (auto [centered, deviation] : bothOrders(root)) {
      Normalization norm;
      if (centered.getType() == root.getType() && succeeded(norm.match(centered, deviation, kInverse))) {
        replace(root, norm, Value(), rewriter);
        return success();
      }
      auto weighted = kInverse ? deviation.template getDefiningOp<MulOp>() : MulOp();
      if (weighted && centered.getType() == root.getType())
        for (auto [inner, weight] : bothOrders(weighted))
          if (Normalization norm; succeeded(norm.match(centered, inner, kInverse)))
            if (Value vector = matchVector(rewriter, weight, root.getType())) {
              replace(root, norm, vector, rewriter);
              return success();
            }
      if (norm.isNear)
        return kRemarks.miss(rewriter, root, norm.why);
      if (!kInverse)
        break;
    }
    return rewriter.notifyMatchFailure(root, "not a difference to a mean over a standard deviation");
  }

private:
  static void replace(Root root, const Normalization &norm, Value weight, PatternRewriter &rewriter) {
    ImplicitLocOpBuilder builder(root.getLoc(), rewriter);
    if (!weight)
      weight = buildVector(builder, root.getType(), 1.0);
    Value bias = buildVector(builder, root.getType(), 0.0);
    kRemarks.hit(root, "layer_norm with eps " + toText(norm.eps));
    rewriter.replaceOpWithNewOp<LayerNormOp>(root, norm.x, weight, bias, rewriter.getF64FloatAttr(norm.eps));
  }
};
} // namespace

namespace {
/// A product (`MulOp`) or sum (`AddOp`) with a norm whose weight, or bias, is still that of the first step.
template <typename Root> struct FoldVector : OpRewritePattern<Root> {
  using OpRewritePattern<Root>::OpRewritePattern;

  LogicalResult matchAndRewrite(Root root, PatternRewriter &rewriter) const override {
    constexpr bool isWeight = std::is_same_v<Root, MulOp>;
    for (auto [value, other] : bothOrders(root)) {
      auto norm = value.template getDefiningOp<LayerNormOp>();
      if (!norm || norm.getType() != root.getType() || getUniformValue(norm.getBias()) != 0.0 ||
          (isWeight && getUniformValue(norm.getWeight()) != 1.0))
        continue;
      if (!norm->hasOneUse())
        return kRemarks.miss(rewriter, root, "the norm without this factor or summand is used elsewhere too");
      Value vector = matchVector(rewriter, other, norm.getType());
      if (!vector)
        return rewriter.notifyMatchFailure(root, "the other operand is no vector along the last axis");
      rewriter.replaceOpWithNewOp<LayerNormOp>(root, norm.getX(), isWeight ? vector : norm.getWeight(),
                                               isWeight ? norm.getBias() : vector, norm.getEpsAttr());
      return success();
    }
    return rewriter.notifyMatchFailure(root, "no operand is a norm without weight or bias");
  }
};

struct FuseNormPass : nova::impl::FuseNormPassBase<FuseNormPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseNormalization<MulOp>, FuseNormalization<DivOp>, FoldVector<MulOp>, FoldVector<AddOp>>(
        &getContext());
    if (failed(applyRaising(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
