//===- FuseActivation.cpp - Activations spelled out become single ops -----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeluMatcher.h"
#include "KnownValue.h"

#include "Nova/Transforms/Passes.h"

namespace mlir::nova {
#define GEN_PASS_DEF_FUSEACTIVATIONPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

static constexpr StringLiteral kPass = "nova-fuse-activation";
static constexpr Remarks kGelu(kPass, "gelu"), kSigmoid(kPass, "sigmoid"), kSilu(kPass, "silu");

//===----------------------------------------------------------------------===//
// Gelu
//===----------------------------------------------------------------------===//

/// Whether the op is a part of a larger product, where the match belongs.
static bool isScaledAgain(Operation *op) {
  return op->hasOneUse() && isa<MulOp, DivOp>(*op->user_begin()) && matchScaled(*op->user_begin());
}

namespace {
/// The product may end in a division by 2.
template <typename Root> struct FuseGelu : OpRewritePattern<Root> {
  using OpRewritePattern<Root>::OpRewritePattern;

  LogicalResult matchAndRewrite(Root root, PatternRewriter &rewriter) const override {
    if (isScaledAgain(root))
      return rewriter.notifyMatchFailure(root, "not the whole product");
    GeluMatcher matcher;
    if (failed(matcher.match(root))) {
      if (matcher.why.empty())
        return rewriter.notifyMatchFailure(root, "not a product with 1 + tanh or 1 + erf of its factors");
      return kGelu.miss(rewriter, root, matcher.why);
    }
    kGelu.hit(root, Twine("gelu ") + stringifyGeluForm(matcher.form));
    rewriter.replaceOpWithNewOp<GeluOp>(root, matcher.form, matcher.x);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Sigmoid and silu
//===----------------------------------------------------------------------===//

/// x of 1 + exp(-x).
static Value matchLogistic(Value value) {
  auto add = value.getDefiningOp<AddOp>();
  if (!add)
    return {};
  for (auto [exponential, other] : bothOrders(add)) {
    auto exp = exponential.getDefiningOp<ExpOp>();
    auto neg = exp ? exp.getX().getDefiningOp<NegOp>() : NegOp();
    if (neg && exp.getType() == add.getType() && getUniformValue(other) == 1.0)
      return neg.getX();
  }
  return {};
}

namespace {
/// 1 / (1 + exp(-x)), and x / (1 + exp(-x)) at once.
struct FuseLogisticQuotient : OpRewritePattern<DivOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DivOp div, PatternRewriter &rewriter) const override {
    Value x = matchLogistic(div.getRhs());
    if (!x || x.getType() != div.getType())
      return rewriter.notifyMatchFailure(div, "the divisor is not 1 + exp(-x)");
    if (getUniformValue(div.getLhs()) == 1.0) {
      kSigmoid.hit(div, "sigmoid");
      rewriter.replaceOpWithNewOp<SigmoidOp>(div, x);
      return success();
    }
    if (div.getLhs() != x)
      return rewriter.notifyMatchFailure(div, "the dividend is neither 1 nor x");
    kSilu.hit(div, "silu");
    rewriter.replaceOpWithNewOp<SiluOp>(div, x);
    return success();
  }
};

struct FuseLogisticReciprocal : OpRewritePattern<ReciprocalOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReciprocalOp reciprocal, PatternRewriter &rewriter) const override {
    Value x = matchLogistic(reciprocal.getX());
    if (!x)
      return rewriter.notifyMatchFailure(reciprocal, "the operand is not 1 + exp(-x)");
    kSigmoid.hit(reciprocal, "sigmoid");
    rewriter.replaceOpWithNewOp<SigmoidOp>(reciprocal, x);
    return success();
  }
};

/// x * sigmoid(x).
struct FuseSilu : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MulOp mul, PatternRewriter &rewriter) const override {
    for (auto [x, other] : bothOrders(mul)) {
      auto sigmoid = other.getDefiningOp<SigmoidOp>();
      if (!sigmoid)
        continue;
      std::optional<Scaled> scaled = matchScaled(sigmoid.getX().getDefiningOp());
      if (sigmoid.getX() != x && scaled && scaled->x == x)
        return kSilu.miss(rewriter, mul,
                          "the sigmoid is that of x * " + toText(scaled->factor) + ", silu's is that of x");
      if (sigmoid.getX() != x)
        continue;
      if (!sigmoid->hasOneUse())
        return kSilu.miss(rewriter, mul, "the result of nova.sigmoid is used elsewhere too");
      kSilu.hit(mul, "silu");
      rewriter.replaceOpWithNewOp<SiluOp>(mul, x);
      return success();
    }
    return rewriter.notifyMatchFailure(mul, "not a product of x and its sigmoid");
  }
};

struct FuseActivationPass : nova::impl::FuseActivationPassBase<FuseActivationPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseGelu<MulOp>, FuseGelu<DivOp>, FuseLogisticQuotient, FuseLogisticReciprocal, FuseSilu>(
        &getContext());
    if (failed(applyRaising(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
