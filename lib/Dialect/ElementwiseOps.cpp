//===- ElementwiseOps.cpp - Inference and folds of elementwise ops ----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "mlir/Dialect/CommonFolders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::nova;

LogicalResult nova::detail::inferElementwise(std::optional<Location> location, ValueRange operands, Type element,
                                             SmallVectorImpl<Type> &types) {
  int64_t rank = 0;
  for (Value v : operands)
    rank = std::max(rank, tensorType(v).getRank());
  SmallVector<int64_t> shape(rank, 1);
  for (Value v : operands) {
    auto type = tensorType(v);
    for (auto [i, size] : llvm::enumerate(type.getShape())) {
      int64_t &extent = shape[rank - type.getRank() + i];
      // An unknown size yields to a known one that is not 1; `?` with 1 stays unknown.
      if (extent == 1 || (ShapedType::isDynamic(extent) && size != 1))
        extent = size;
      else if (size != 1 && !ShapedType::isDynamic(size) && size != extent)
        return emitOptionalError(location, "operands do not broadcast: axis ", rank - type.getRank() + i, " has sizes ",
                                 extent, " and ", size, "; sizes must be equal or 1");
    }
  }
  // A tile's layout is that of the operands that are not broadcast.
  Attribute layout;
  for (Value v : operands)
    if (!layout && shapeOf(v) == ArrayRef(shape))
      layout = tensorType(v).getEncoding();
  types.push_back(RankedTensorType::get(shape, element, layout));
  return success();
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// Whether the constant is the float `value` (exactly, with its sign) or the integer `value` everywhere.
static bool isSplat(Attribute attribute, double value) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attribute);
  if (!elements || !elements.isSplat())
    return false;
  if (isa<FloatType>(elements.getElementType())) {
    APFloat expected(value), found = elements.getSplatValue<APFloat>();
    bool exact;
    expected.convert(found.getSemantics(), APFloat::rmNearestTiesToEven, &exact);
    return found.bitwiseIsEqual(expected);
  }
  return elements.getSplatValue<APInt>().getSExtValue() == int64_t(value) && !std::signbit(value);
}

/// Whether the operand alone decides the result's type, so that it may take the result's place.
template <typename Op> static bool keepsType(Op op, Value operand) { return operand.getType() == op.getType(); }

/// A constant of the result's type from two splats.
template <typename Op>
static OpFoldResult foldSplats(Op op, Attribute lhs, Attribute rhs,
                               function_ref<APFloat(const APFloat &, const APFloat &)> onFloats,
                               function_ref<APInt(const APInt &, const APInt &)> onInts) {
  auto x = dyn_cast_or_null<DenseElementsAttr>(lhs), y = dyn_cast_or_null<DenseElementsAttr>(rhs);
  if (!x || !y || !x.isSplat() || !y.isSplat() || !op.getType().hasStaticShape())
    return {};
  if (isa<FloatType>(x.getElementType()))
    return DenseElementsAttr::get(op.getType(), onFloats(x.getSplatValue<APFloat>(), y.getSplatValue<APFloat>()));
  return DenseElementsAttr::get(op.getType(), onInts(x.getSplatValue<APInt>(), y.getSplatValue<APInt>()));
}

template <typename Fn> static Attribute foldUnary(Attribute x, Fn onFloat, function_ref<APInt(const APInt &)> onInt) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(x);
  if (!elements || !elements.isSplat())
    return {};
  if (isa<FloatType>(elements.getElementType()))
    return DenseElementsAttr::get(elements.getType(), APFloat(onFloat(elements.getSplatValue<APFloat>())));
  return DenseElementsAttr::get(elements.getType(), onInt(elements.getSplatValue<APInt>()));
}

OpFoldResult AbsOp::fold(FoldAdaptor adaptor) {
  if (getX().getDefiningOp<AbsOp>())
    return getX();
  return foldUnary(adaptor.getX(), [](APFloat x) { return llvm::abs(x); }, [](const APInt &x) { return x.abs(); });
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getX().getDefiningOp<NegOp>())
    return inner.getX();
  return foldUnary(adaptor.getX(), [](APFloat x) { return llvm::neg(x); }, [](const APInt &x) { return -x; });
}

OpFoldResult NotOp::fold(FoldAdaptor) {
  if (auto inner = getX().getDefiningOp<NotOp>())
    return inner.getX();
  return {};
}

/// A whole number stays what it is.
template <typename Op> static OpFoldResult foldRounding(Op op, Attribute x, APFloat::roundingMode mode) {
  if (isa_and_nonnull<FloorOp, CeilOp, RoundOp>(op.getX().getDefiningOp()))
    return op.getX();
  auto rounded = [mode](APFloat value) {
    value.roundToIntegral(mode);
    return value;
  };
  return foldUnary(x, rounded, [](const APInt &value) { return value; });
}
OpFoldResult FloorOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getX(), APFloat::rmTowardNegative);
}
OpFoldResult CeilOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getX(), APFloat::rmTowardPositive);
}
OpFoldResult RoundOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getX(), APFloat::rmNearestTiesToEven);
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  // x + 0.0 would turn -0.0 into 0.0: only -0.0 is neutral for floats.
  auto isZero = [](Attribute a) {
    return isSplat(a, -0.0) || (a && isSplat(a, 0) && !isa<FloatType>(cast<DenseElementsAttr>(a).getElementType()));
  };
  if (isZero(adaptor.getRhs()) && keepsType(*this, getLhs()))
    return getLhs();
  if (isZero(adaptor.getLhs()) && keepsType(*this, getRhs()))
    return getRhs();
  return foldSplats(*this, adaptor.getLhs(), adaptor.getRhs(), std::plus<APFloat>(), std::plus<APInt>());
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  if (isSplat(adaptor.getRhs(), 0.0) && keepsType(*this, getLhs()))
    return getLhs();
  return foldSplats(*this, adaptor.getLhs(), adaptor.getRhs(), std::minus<APFloat>(), std::minus<APInt>());
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isSplat(adaptor.getRhs(), 1.0) && keepsType(*this, getLhs()))
    return getLhs();
  if (isSplat(adaptor.getLhs(), 1.0) && keepsType(*this, getRhs()))
    return getRhs();
  return foldSplats(*this, adaptor.getLhs(), adaptor.getRhs(), std::multiplies<APFloat>(), std::multiplies<APInt>());
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isSplat(adaptor.getRhs(), 1.0) && keepsType(*this, getLhs()))
    return getLhs();
  return foldSplats(*this, adaptor.getLhs(), adaptor.getRhs(), std::divides<APFloat>(),
                    [](const APInt &x, const APInt &y) { return y.isZero() ? y : x.sdiv(y); });
}

OpFoldResult PowOp::fold(FoldAdaptor adaptor) {
  if (isSplat(adaptor.getRhs(), 1.0) && keepsType(*this, getLhs()))
    return getLhs();
  return {};
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse() && keepsType(*this, getOnTrue()))
    return getOnTrue();
  auto condition = dyn_cast_or_null<DenseElementsAttr>(adaptor.getCondition());
  if (!condition || !condition.isSplat())
    return {};
  Value taken = condition.getSplatValue<bool>() ? getOnTrue() : getOnFalse();
  return keepsType(*this, taken) ? OpFoldResult(taken) : OpFoldResult();
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  auto elements = dyn_cast_or_null<DenseElementsAttr>(adaptor.getX());
  auto from = dyn_cast<FloatType>(getX().getType().getElementType());
  auto to = dyn_cast<FloatType>(getType().getElementType());
  if (!elements || !elements.isSplat() || !from || !to)
    return {};
  APFloat value = elements.getSplatValue<APFloat>();
  bool exact;
  value.convert(to.getFloatSemantics(), APFloat::rmNearestTiesToEven, &exact);
  return DenseElementsAttr::get(getType(), value);
}

//===----------------------------------------------------------------------===//
// Canonicalisation
//===----------------------------------------------------------------------===//

namespace {
/// x + scatter_add(zeros, i, u) is scatter_add(x, i, u): the sum of a tied embedding's two gradients needs no tensor of
/// its own.
struct AddOfScatterAdd : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp add, PatternRewriter &rewriter) const override {
    for (auto [from, other] : {std::pair(add.getLhs(), add.getRhs()), std::pair(add.getRhs(), add.getLhs())}) {
      auto scatter = from.getDefiningOp<ScatterAddOp>();
      if (!scatter || !scatter->hasOneUse() || !scatter.getOrigin().empty())
        continue;
      DenseElementsAttr into;
      if (!matchPattern(scatter.getInto(), m_Constant(&into)) || !(isSplat(into, 0.0) || isSplat(into, -0.0)) ||
          other.getType() != scatter.getType() || add.getType() != scatter.getType())
        continue;
      rewriter.replaceOpWithNewOp<ScatterAddOp>(add, other, scatter.getIndices(), scatter.getUpdates(), ValueRange());
      return success();
    }
    return rewriter.notifyMatchFailure(add, "no operand is a scatter_add into zeros with this use alone");
  }
};

/// The sum of neighbours, each padded with zeros to the whole, is their concatenation: so the gradients of the slices
/// of one tensor (queries, keys and values) come together again. A sum with 0 differs only in the sign of zeros.
struct AddOfPads : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp add, PatternRewriter &rewriter) const override {
    auto first = add.getLhs().getDefiningOp<PadOp>(), second = add.getRhs().getDefiningOp<PadOp>();
    if (!first || !second || !isPlaced(first, add.getType()) || !isPlaced(second, add.getType()))
      return rewriter.notifyMatchFailure(add, "no sum of two tensors padded with zeros for this use alone");
    std::optional<int64_t> axis = getOnlyPaddedAxis(first, second);
    if (!axis)
      return rewriter.notifyMatchFailure(add, "the tensors do not lie side by side along one axis");
    if (second.getLow()[*axis] < first.getLow()[*axis])
      std::swap(first, second);
    if (first.getLow()[*axis] + first.getX().getType().getDimSize(*axis) != second.getLow()[*axis])
      return rewriter.notifyMatchFailure(add, "the tensors overlap or leave a gap");

    SmallVector<Value> parts;
    for (PadOp pad : {first, second}) {
      auto concat = pad.getX().getDefiningOp<ConcatOp>();
      if (concat && concat.getAxis() == uint64_t(*axis) && concat.getOrigin().empty())
        llvm::append_range(parts, concat.getInputs());
      else
        parts.push_back(pad.getX());
    }
    SmallVector<int64_t> low(first.getLow()), high(second.getHigh()), shape(add.getType().getShape());
    shape[*axis] -= low[*axis] + high[*axis];
    auto joined = ConcatOp::create(rewriter, add.getLoc(), add.getType().clone(shape), parts, *axis, ValueRange());
    rewriter.replaceOpWithNewOp<PadOp>(add, add.getType(), joined, first.getValue(), low, high, first.getInterior(),
                                       ValueRange());
    return success();
  }

private:
  static bool isPlaced(PadOp pad, Type whole) {
    DenseElementsAttr value;
    return pad->hasOneUse() && pad.getOrigin().empty() && pad.getType() == whole && pad.getType().hasStaticShape() &&
           llvm::all_of(pad.getInterior(), [](int64_t gap) { return gap == 0; }) &&
           matchPattern(pad.getValue(), m_Constant(&value)) && (isSplat(value, 0.0) || isSplat(value, -0.0));
  }

  static std::optional<int64_t> getOnlyPaddedAxis(PadOp first, PadOp second) {
    std::optional<int64_t> only;
    for (int64_t axis = 0; axis < first.getType().getRank(); ++axis) {
      bool padded = llvm::any_of(ArrayRef<PadOp>{first, second},
                                 [&](PadOp pad) { return pad.getLow()[axis] != 0 || pad.getHigh()[axis] != 0; });
      if (padded && only)
        return std::nullopt;
      if (padded)
        only = axis;
    }
    return only;
  }
};
} // namespace

void AddOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AddOfPads, AddOfScatterAdd>(context);
}
