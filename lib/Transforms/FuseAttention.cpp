//===- FuseAttention.cpp - Attention spelled out becomes one op -----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMatcher.h"
#include "FuseSoftmax.h"

#include "Nova/Transforms/Passes.h"

#include <cmath>

namespace mlir::nova {
#define GEN_PASS_DEF_FUSEATTENTIONPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

static constexpr Remarks kRemarks("nova-fuse-attention", "attention");

/// A reshape to `shape`, where x has another.
static Value reshapeTo(ImplicitLocOpBuilder &builder, Value x, ArrayRef<int64_t> shape) {
  RankedTensorType type = tensorType(x).clone(shape);
  return x.getType() == type ? x : ReshapeOp::create(builder, type, x);
}

/// The last two axes exchanged; a transpose that x comes from is taken into account.
static Value transposeLast(ImplicitLocOpBuilder &builder, Value x) {
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, tensorType(x).getRank()));
  if (auto transpose = x.getDefiningOp<TransposeOp>()) {
    permutation = llvm::to_vector(transpose.getPermutation());
    x = transpose.getX();
  }
  std::swap(permutation.end()[-1], permutation.end()[-2]);
  return TransposeOp::create(builder, x, permutation);
}

/// The operand as the op takes it: [batch, head, position, head size].
static Value buildOperand(ImplicitLocOpBuilder &builder, const AttentionOperand &operand, ArrayRef<int64_t> lead) {
  Value x = operand.transposed ? transposeLast(builder, operand.value) : operand.value;
  SmallVector<int64_t> shape(lead);
  llvm::append_range(shape, shapeOf(x).take_back(2));
  return reshapeTo(builder, x, shape);
}

/// The scale, or none where it is the op's default but for the rounding of literals.
static FloatAttr buildScale(OpBuilder &builder, double scale, Value q) {
  double headSize = double(shapeOf(q).back());
  bool isDefault = isNear(scale, 1.0 / std::sqrt(headSize), tensorType(q).getElementType());
  return isDefault ? FloatAttr() : builder.getF64FloatAttr(scale);
}

namespace {
struct FuseAttention : OpRewritePattern<MatmulOp> {
  FuseAttention(MLIRContext *context, double hiddenBelow) : OpRewritePattern(context), hiddenBelow(hiddenBelow) {}

  LogicalResult matchAndRewrite(MatmulOp root, PatternRewriter &rewriter) const override {
    AttentionMatcher matcher(root, hiddenBelow);
    if (failed(matcher.match())) {
      if (matcher.why.empty())
        return rewriter.notifyMatchFailure(root, "not a product of a softmax and values");
      return kRemarks.miss(rewriter, root, matcher.why);
    }
    ImplicitLocOpBuilder builder(root.getLoc(), rewriter);
    Value q = buildOperand(builder, matcher.q, matcher.lead);
    Value k = buildOperand(builder, matcher.k, matcher.lead);
    Value v = buildOperand(builder, matcher.v, matcher.lead);
    FloatAttr maskedValue = matcher.maskedValue ? rewriter.getF64FloatAttr(*matcher.maskedValue) : FloatAttr();
    auto attention = AttentionOp::create(builder, q, k, v, buildMask(builder, matcher), matcher.causal,
                                         buildScale(builder, matcher.scale, q), maskedValue, /*origin=*/ValueRange());
    kRemarks.hit(root, describe(matcher, attention.getScaleOrDefault()));
    rewriter.replaceOp(root, reshapeTo(builder, attention.getResult(), root.getType().getShape()));
    return success();
  }

private:
  /// What is added to the scores, with the axes that tell batches and heads apart where it has some.
  static Value buildMask(ImplicitLocOpBuilder &builder, const AttentionMatcher &matcher) {
    if (!matcher.bias)
      return {};
    // It follows the diagonal alone, so that its first rows and columns are all of it.
    RankedTensorType type = tensorType(matcher.bias);
    SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getRank(), 1), shape(type.getShape().take_back(2));
    llvm::copy(shape, limits.end() - 2);
    Value mask = SliceOp::create(builder, builder.getLoc(), matcher.bias, starts, limits);
    mask = reshapeTo(builder, mask, shape);
    if (matcher.biasScale == 1.0)
      return mask;
    auto factor = DenseElementsAttr::get(RankedTensorType::get({}, type.getElementType()),
                                         builder.getFloatAttr(type.getElementType(), matcher.biasScale));
    return MulOp::create(builder, mask, ConstantOp::create(builder, factor));
  }

  static std::string describe(const AttentionMatcher &matcher, double scale) {
    std::string text = matcher.causal ? "causal attention" : "attention";
    text += " with scale " + toText(scale);
    if (matcher.bias)
      text += " and an added mask of finite numbers";
    if (matcher.maskedValue)
      text += ", hidden scores being " + toText(*matcher.maskedValue);
    if (matcher.causal && !matcher.maskedValue)
      text += ", hidden positions taking no part even where they hold NaN or infinity";
    return text + matcher.note;
  }

  const double hiddenBelow;
};

struct FuseAttentionPass : nova::impl::FuseAttentionPassBase<FuseAttentionPass> {
  using FuseAttentionPassBase::FuseAttentionPassBase;
  void runOnOperation() override {
    // Attention is found around softmax, whatever its spelling was.
    RewritePatternSet softmax(&getContext()), attention(&getContext());
    populateFuseSoftmaxPatterns(softmax);
    attention.add<FuseAttention>(&getContext(), hiddenBelow);
    if (failed(applyRaising(getOperation(), std::move(softmax))) ||
        failed(applyRaising(getOperation(), std::move(attention))))
      signalPassFailure();
  }
};
} // namespace
