//===- Compositions.cpp - What composite ops are made of ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"
#include "Shapes.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::detail;

using Results = SmallVectorImpl<Value>;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The smallest index at which the extremum stands. NaN is one, and equals nothing, itself included.
template <typename Op>
static void decomposeArgExtremum(Op op, ReduceKind extremum, ImplicitLocOpBuilder &b, Results &results) {
  Term x(b, op.getX());
  RankedTensorType type = x.getType();
  int64_t axis = op.getNormalizedAxis(), extent = type.getDimSize(axis);
  Value hit = x.compare(CompareKind::EQ, x.reduce(extremum, axis));
  if (isa<FloatType>(type.getElementType()))
    hit = OrOp::create(b, b.getLoc(), hit, x.compare(CompareKind::NE, x));
  SmallVector<int64_t> shape(type.getRank(), 1);
  shape[axis] = extent;
  auto line = RankedTensorType::get(shape, b.getI64Type());
  Value indices = IotaOp::create(b, b.getLoc(), line, axis, /*origin=*/ValueRange());
  auto scalar = RankedTensorType::get({}, b.getI64Type());
  Value none = ConstantOp::create(b, b.getLoc(), DenseElementsAttr::get(scalar, extent));
  Value candidates = SelectOp::create(b, b.getLoc(), hit, indices, none);
  results.push_back(ReduceOp::create(b, b.getLoc(), ReduceKind::Min, candidates, axis, op.getKeepDims()));
}
void ArgMaxOp::decompose(ImplicitLocOpBuilder &b, Results &results) {
  decomposeArgExtremum(*this, ReduceKind::Max, b, results);
}
void ArgMinOp::decompose(ImplicitLocOpBuilder &b, Results &results) {
  decomposeArgExtremum(*this, ReduceKind::Min, b, results);
}

void LogSumExpOp::decompose(ImplicitLocOpBuilder &b, Results &results) {
  const double infinity = std::numeric_limits<double>::infinity();
  RankedTensorType type = getX().getType();
  if (llvm::any_of(getAxes(), [&](int64_t axis) { return type.getDimSize(axis) == 0; })) {
    Attribute element = b.getFloatAttr(type.getElementType(), -infinity);
    results.push_back(ConstantOp::create(b, b.getLoc(), DenseElementsAttr::get(getType(), element)));
    return;
  }
  Term x = Term(b, getX()).asType(statisticsType(type)), largest = x.reduce(ReduceKind::Max, getAxes());
  // No difference of infinities: they come out of exp and log as they are.
  Term shift = largest.except(largest.apply<AbsOp>().compare(CompareKind::EQ, infinity), 0.0);
  Term sum = (x - shift).apply<ExpOp>().reduce(ReduceKind::Sum, getAxes());
  Term y = (sum.apply<LogOp>() + shift).asType(type.getElementType());
  results.push_back(reshapeTo(b, y, getType()));
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

/// The losses reduced to the type of the op's result.
template <typename Op> static void reduceLosses(Op op, ImplicitLocOpBuilder &b, Term losses, Results &results) {
  if (op.getReduction() == LossReduction::None)
    return results.push_back(reshapeTo(b, losses, op.getType()));
  ReduceKind kind = op.getReduction() == LossReduction::Mean ? ReduceKind::Mean : ReduceKind::Sum;
  results.push_back(reshapeTo(b, losses.reduce(kind, axesBetween(0, losses.getType().getRank())), op.getType()));
}

/// x and the target in the type of the loss.
template <typename Op> static std::pair<Term, Term> widened(Op op, ImplicitLocOpBuilder &b) {
  Type type = statisticsType(op.getX().getType());
  return {Term(b, op.getX()).asType(type), Term(b, op.getTarget()).asType(type)};
}

void MseOp::decompose(ImplicitLocOpBuilder &b, Results &results) {
  auto [x, target] = widened(*this, b);
  reduceLosses(*this, b, (x - target).apply<SquareOp>(), results);
}

void MaeOp::decompose(ImplicitLocOpBuilder &b, Results &results) {
  auto [x, target] = widened(*this, b);
  reduceLosses(*this, b, (x - target).apply<AbsOp>(), results);
}

void BceOp::decompose(ImplicitLocOpBuilder &b, Results &results) {
  auto [x, target] = widened(*this, b);
  auto atLeast = [](Term log) { return log.apply<MaxOp>(Value(log.scalar(-100.0))); };
  Term loss = target * atLeast(x.apply<LogOp>()) + (1.0 - target) * atLeast((-x).apply<Log1pOp>());
  reduceLosses(*this, b, -loss, results);
}

void CceOp::decompose(ImplicitLocOpBuilder &b, Results &results) {
  auto [x, target] = widened(*this, b);
  Term products = target * x.apply<LogSoftmaxOp>(/*axis=*/IntegerAttr());
  reduceLosses(*this, b, -products.reduce(ReduceKind::Sum, x.getType().getRank() - 1), results);
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

void DropoutOp::decompose(ImplicitLocOpBuilder &b, Results &results) {
  double p = getP().convertToDouble();
  auto type = RankedTensorType::get(getType().getShape(), b.getF32Type());
  Term random(b, RandomUniformOp::create(b, b.getLoc(), type, getSeed(), getStep(), getStreamAttr(),
                                         /*origin=*/ValueRange()));
  Term scaled = Term(b, getX()) * (p < 1 ? 1 / (1 - p) : 0.0);
  results.push_back(scaled.except(random.compare(CompareKind::LT, p), 0.0));
}

LogicalResult DropoutOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  dxs[0] = DropoutOp::create(b, b.getLoc(), dys[0], getSeed(), getStep(), getPAttr(), getStreamAttr());
  return success();
}

//===----------------------------------------------------------------------===//
// Rotary embedding
//===----------------------------------------------------------------------===//

namespace {
/// The elements of the last axis that are turned, first and second ones of all pairs, and those that are not.
class Pairs {
public:
  Pairs(RotaryEmbeddingOp op, ImplicitLocOpBuilder &b)
      : b(b), width(op.getX().getType().getShape().back()), count(op.getCos().getType().getShape().back()),
        interleaved(op.getInterleaved()) {}

  std::pair<Term, Term> split(Value x) {
    if (!interleaved)
      return {Term(b, columns(x, 0, count)), Term(b, columns(x, count, 2 * count))};
    SmallVector<int64_t> shape(shapeOf(x).drop_back());
    shape.append({count, 2});
    Value pairs = reshapeTo(b, columns(x, 0, 2 * count), tensorType(x).clone(shape));
    shape.pop_back();
    auto half = [&](int64_t part) {
      return Term(b, reshapeTo(b, columns(pairs, part, part + 1), tensorType(x).clone(shape)));
    };
    return {half(0), half(1)};
  }

  /// The inverse of `split`, with the other elements from `rest`.
  Value join(Term first, Term second, Value rest) {
    SmallVector<Value> parts = {first, second};
    if (interleaved) {
      SmallVector<int64_t> shape(first.getType().getShape());
      shape.push_back(1);
      for (Value &part : parts)
        part = reshapeTo(b, part, first.getType().clone(shape));
      shape[shape.size() - 2] = 2 * count;
      shape.pop_back();
      parts = {reshapeTo(b, concat(parts), first.getType().clone(shape))};
    }
    if (2 * count < width)
      parts.push_back(columns(rest, 2 * count, width));
    return concat(parts);
  }

private:
  Value columns(Value x, int64_t from, int64_t to) {
    SmallVector<int64_t> starts(tensorType(x).getRank(), 0), limits(shapeOf(x));
    starts.back() = from;
    limits.back() = to;
    return SliceOp::create(b, b.getLoc(), x, starts, limits);
  }
  Value concat(ArrayRef<Value> parts) {
    SmallVector<int64_t> shape(tensorType(parts[0]).getShape());
    shape.back() = 0;
    for (Value part : parts)
      shape.back() += shapeOf(part).back();
    RankedTensorType type = tensorType(parts[0]).clone(shape);
    return ConcatOp::create(b, b.getLoc(), type, parts, type.getRank() - 1, /*origin=*/ValueRange());
  }

  ImplicitLocOpBuilder &b;
  int64_t width, count;
  bool interleaved;
};
} // namespace

void RotaryEmbeddingOp::decompose(ImplicitLocOpBuilder &b, Results &results) {
  Pairs pairs(*this, b);
  auto [first, second] = pairs.split(getX());
  Term cos(b, getCos()), sin(b, getSin());
  results.push_back(pairs.join(first * cos - second * sin, second * cos + first * sin, getX()));
}

LogicalResult RotaryEmbeddingOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  // Turned back: the angles' sines change sign.
  dxs[0] = RotaryEmbeddingOp::create(b, b.getLoc(), dys[0], getCos(), -Term(b, getSin()), getInterleavedAttr());
  Pairs pairs(*this, b);
  auto [first, second] = pairs.split(getX());
  auto [dFirst, dSecond] = pairs.split(dys[0]);
  dxs[1] = reduceToShape(b, dFirst * first + dSecond * second, getCos().getType());
  dxs[2] = reduceToShape(b, dSecond * first - dFirst * second, getSin().getType());
  return success();
}
