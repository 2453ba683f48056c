//===- FuseSoftmax.cpp - Softmax spelled out ------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// e / sum(e) becomes softmax(x), where e is exp(x) or exp(x - max(x)): softmax does not change when the same number is
// added to a whole row. Where e is masked, by a product with zeros and ones or by a select with 0, x is masked by minus
// infinity instead, so that attention finds its mask in one place.
//
//===----------------------------------------------------------------------===//

#include "FuseSoftmax.h"
#include "KnownValue.h"
#include "Matchers.h"

using namespace mlir;
using namespace mlir::nova;

static constexpr Remarks kRemarks("nova-fuse-attention", "softmax");

namespace {
/// exp(x), possibly with zeros where a mask says so.
struct Exponentials {
  ExpOp exp;
  /// The op that masks, if any: `exp * factor`, or `condition ? exp : 0` (`keep`), or `condition ? 0 : exp`.
  Operation *mask = nullptr;
  Value factor, condition;
  bool keep = true;
};
} // namespace

static std::optional<Exponentials> matchExponentials(Value value) {
  Exponentials e;
  e.exp = value.getDefiningOp<ExpOp>();
  if (e.exp)
    return e;
  e.mask = value.getDefiningOp();
  auto isExp = [&](Value x) {
    e.exp = x.getDefiningOp<ExpOp>();
    return e.exp && x.getType() == value.getType();
  };
  if (auto mul = dyn_cast_or_null<MulOp>(e.mask)) {
    for (auto [x, other] : bothOrders(mul)) {
      e.factor = other;
      if (isExp(x))
        return e;
    }
  }
  if (auto select = dyn_cast_or_null<SelectOp>(e.mask)) {
    e.condition = select.getCondition();
    for (auto [x, other] :
         {std::pair(select.getOnTrue(), select.getOnFalse()), std::pair(select.getOnFalse(), select.getOnTrue())}) {
      e.keep = x == select.getOnTrue();
      if (getUniformValue(other) == 0.0 && isExp(x))
        return e;
    }
  }
  return std::nullopt;
}

/// The operands of a quotient, written as a division or as a product with a reciprocal.
static std::optional<std::pair<Value, Value>> matchQuotient(Operation *op) {
  if (auto div = dyn_cast<DivOp>(op))
    return std::pair<Value, Value>(div.getLhs(), div.getRhs());
  if (auto mul = dyn_cast<MulOp>(op))
    for (auto [x, other] : bothOrders(mul))
      if (auto reciprocal = other.getDefiningOp<ReciprocalOp>())
        return std::pair<Value, Value>(x, reciprocal.getX());
  return std::nullopt;
}

/// Whether a mask that multiplies holds nothing but zeros and ones.
static bool isZeroOrOne(Value factor) {
  std::optional<KnownValue> known = getKnownValue(factor);
  auto isBit = [](double x) { return x == 0.0 || x == 1.0; };
  return known && known->kind != KnownValue::Linear && isBit(known->inside) &&
         (known->kind == KnownValue::Uniform || isBit(known->outside));
}

/// x of exp(x - max(x)), where the largest element is that along the axis; otherwise the operand of exp.
static Value stripLargest(Value x, int64_t axis) {
  auto sub = x.getDefiningOp<SubOp>();
  if (!sub || sub.getType() != sub.getLhs().getType())
    return x;
  std::optional<Statistic> largest = matchStatistic(sub.getRhs(), sub.getType());
  bool matches = largest && largest->reduce.getKind() == ReduceKind::Max && largest->factor == 1.0 &&
                 largest->reduce.getX() == sub.getLhs() && largest->reduce.getAxes() == ArrayRef<int64_t>(axis);
  return matches ? sub.getLhs() : x;
}

/// x with minus infinity where the exponentials are masked.
static Value maskedOperand(OpBuilder &builder, Location location, const Exponentials &e, Value x) {
  Type element = tensorType(x).getElementType();
  Value condition = e.condition;
  if (e.factor) {
    if (auto cast = e.factor.getDefiningOp<CastOp>(); cast && cast.getX().getType().getElementType().isInteger(1)) {
      condition = cast.getX();
    } else {
      auto zero = DenseElementsAttr::get(RankedTensorType::get({}, element), builder.getZeroAttr(element));
      condition =
          CompareOp::create(builder, location, CompareKind::NE, e.factor, ConstantOp::create(builder, location, zero));
    }
  }
  auto infinity = APFloat::getInf(cast<FloatType>(element).getFloatSemantics(), /*Negative=*/true);
  Value hidden = ConstantOp::create(
      builder, location, DenseElementsAttr::get(RankedTensorType::get({}, element), ArrayRef<APFloat>(infinity)));
  return e.keep ? SelectOp::create(builder, location, condition, x, hidden)
                : SelectOp::create(builder, location, condition, hidden, x);
}

namespace {
template <typename Root> struct FuseSoftmax : OpRewritePattern<Root> {
  using OpRewritePattern<Root>::OpRewritePattern;

  LogicalResult matchAndRewrite(Root root, PatternRewriter &rewriter) const override {
    auto quotient = matchQuotient(root);
    std::optional<Exponentials> e = quotient ? matchExponentials(quotient->first) : std::nullopt;
    if (!e || quotient->first.getType() != root.getType())
      return rewriter.notifyMatchFailure(root, "not a quotient of exponentials");
    std::optional<Statistic> sum = matchStatistic(quotient->second, root.getType());
    if (!sum || sum->reduce.getKind() != ReduceKind::Sum)
      return rewriter.notifyMatchFailure(root, "the divisor is no sum");

    if (sum->reduce.getX() != quotient->first)
      return kRemarks.miss(rewriter, root, "the divisor is the sum of another tensor than the dividend");
    if (sum->factor != 1.0)
      return kRemarks.miss(rewriter, root, "the sum of the exponentials is scaled");
    if (sum->reduce.getAxes().size() != 1)
      return kRemarks.miss(rewriter, root, "the sum runs over several axes, softmax over one");
    if (e->factor && !isZeroOrOne(e->factor))
      return kRemarks.miss(rewriter, root, "the exponentials are multiplied by what is no mask of zeros and ones");
    llvm::SetVector<Operation *> inner;
    inner.insert(e->exp);
    if (e->mask)
      inner.insert(e->mask);
    auto isPart = [&](Operation *user) { return user == root || user == sum->reduce || inner.contains(user); };
    for (Operation *op : inner)
      if (!llvm::all_of(op->getUsers(), isPart))
        return kRemarks.miss(rewriter, root, "the exponentials are used elsewhere");

    int64_t axis = sum->reduce.getAxes().front();
    Value x = stripLargest(e->exp.getX(), axis);
    if (e->mask)
      x = maskedOperand(rewriter, root.getLoc(), *e, x);
    kRemarks.hit(root, "softmax over axis " + Twine(axis));
    bool last = axis == root.getType().getRank() - 1;
    rewriter.replaceOpWithNewOp<SoftmaxOp>(root, x, last ? IntegerAttr() : rewriter.getI64IntegerAttr(axis));
    return success();
  }
};
} // namespace

void nova::populateFuseSoftmaxPatterns(RewritePatternSet &patterns) {
  patterns.add<FuseSoftmax<DivOp>, FuseSoftmax<MulOp>>(patterns.getContext());
}
