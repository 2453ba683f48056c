//===- KernelShapes.cpp - The shapes in which kernels see tensors ---------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelShapes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nova;

static int64_t product(ArrayRef<int64_t> shape) { return ShapedType::getNumElements(shape); }

//===----------------------------------------------------------------------===//
// Folding of axes that broadcasting treats alike
//===----------------------------------------------------------------------===//

/// `shape` with axes of size 1 in front, up to `rank` axes.
static Shape padded(ArrayRef<int64_t> shape, size_t rank) {
  Shape result(rank - shape.size(), 1);
  llvm::append_range(result, shape);
  return result;
}

/// The axes of `whole`, folded so that along each of them every part, which broadcasts to `whole`, is whole or repeats.
static Shape foldAxes(ArrayRef<int64_t> whole, ArrayRef<ArrayRef<int64_t>> parts) {
  SmallVector<Shape> all = llvm::map_to_vector(parts, [&](auto part) { return padded(part, whole.size()); });
  Shape folded;
  size_t previous = 0;
  for (size_t axis = 0; axis < whole.size(); ++axis) {
    if (whole[axis] == 1)
      continue;
    auto isAlike = [&](const Shape &part) { return (part[previous] == 1) == (part[axis] == 1); };
    if (!folded.empty() && llvm::all_of(all, isAlike))
      folded.back() *= whole[axis];
    else
      folded.push_back(whole[axis]);
    previous = axis;
  }
  return folded;
}

/// The shape of `part`, which broadcasts to `whole`, when the axes of `whole` are folded to `folded`.
static std::optional<Shape> foldPart(ArrayRef<int64_t> part, ArrayRef<int64_t> whole, ArrayRef<int64_t> folded) {
  if (product(part) == product(whole))
    return Shape(folded);
  if (product(part) == 1)
    return Shape();
  Shape from = padded(part, whole.size()), result;
  size_t axis = 0;
  for (int64_t size : folded) {
    int64_t wholeSize = 1, partSize = 1;
    for (; axis < whole.size() && wholeSize != size; ++axis) {
      wholeSize *= whole[axis];
      partSize *= from[axis];
    }
    if (wholeSize != size || (partSize != size && partSize != 1))
      return std::nullopt;
    if (partSize != 1 || !result.empty()) // Leading axes of size 1 are implied.
      result.push_back(partSize);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

bool nova::isFusible(Operation *op) {
  return op->hasTrait<NovaElementwise>() && op->getNumResults() == 1 && op->getNumOperands() != 0;
}

/// Bits of the elements before and after a cast between floats, 0 for other ops.
static std::pair<unsigned, unsigned> getFloatBits(Operation *op) {
  auto cast = dyn_cast_or_null<CastOp>(op);
  if (!cast)
    return {0, 0};
  Type from = cast.getX().getType().getElementType(), to = cast.getType().getElementType();
  if (!isa<FloatType>(from) || !isa<FloatType>(to))
    return {0, 0};
  return {from.getIntOrFloatBitWidth(), to.getIntOrFloatBitWidth()};
}

bool nova::isNarrowing(Operation *op) {
  auto [from, to] = getFloatBits(op);
  return to < from;
}

bool nova::isWidening(Operation *op) {
  auto [from, to] = getFloatBits(op);
  return from == 16 && to > from;
}

static bool isSplat(Value value) {
  DenseElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat();
}

/// A splat is a scalar to a kernel, as long as another operand has the result's shape.
static bool isScalarOperand(Operation *op, Value operand) {
  return isSplat(operand) && llvm::any_of(op->getOperands(), [&](Value other) {
           return !isSplat(other) && product(shapeOf(other)) == product(shapeOf(op->getResult(0)));
         });
}

std::optional<KernelShape> nova::getFusedShape(Operation *op, ArrayRef<int64_t> folded) {
  ArrayRef<int64_t> whole = shapeOf(op->getResult(0));
  if (product(whole) != product(folded))
    return std::nullopt;
  KernelShape shape;
  shape.family = Family::Elementwise;
  for (Value operand : op->getOperands()) {
    if (isScalarOperand(op, operand)) {
      shape.operands.emplace_back();
      continue;
    }
    std::optional<Shape> part = foldPart(shapeOf(operand), whole, folded);
    if (!part)
      return std::nullopt;
    shape.operands.push_back(*part);
  }
  shape.results.emplace_back(folded);
  return shape;
}

/// As few axes as broadcasting allows, at least one.
static KernelShape elementwiseShape(Operation *op) {
  ArrayRef<int64_t> whole = shapeOf(op->getResult(0));
  SmallVector<ArrayRef<int64_t>> parts;
  for (Value operand : op->getOperands())
    if (!isScalarOperand(op, operand))
      parts.push_back(shapeOf(operand));
  Shape folded = foldAxes(whole, parts);
  if (folded.empty())
    folded.push_back(1);
  std::optional<KernelShape> shape = getFusedShape(op, folded);
  assert(shape && "the axes were folded for these operands");
  return *shape;
}

/// State and gradient flat, numbers of the step as they are.
static KernelShape optimizerShape(Operation *op) {
  KernelShape shape;
  shape.family = Family::Elementwise;
  Shape flat = {product(shapeOf(op->getResult(0)))};
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    shape.operands.push_back(number <= op->getNumResults() ? flat : Shape());
  shape.results.assign(op->getNumResults(), flat);
  return shape;
}

//===----------------------------------------------------------------------===//
// Contractions and reductions
//===----------------------------------------------------------------------===//

/// One product of [M, K] and [K, N] where the right operand has no batch axis and the rows of all batches can be the
/// rows of one matrix; else one batch axis, or several where the operands repeat along some of them.
static KernelShape matmulShape(MatmulOp op) {
  auto batchOf = [](ArrayRef<int64_t> shape) { return shape.drop_back(2); };
  auto matrixOf = [](ArrayRef<int64_t> shape) { return shape.take_back(2); };
  ArrayRef<int64_t> lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs()), result = shapeOf(op.getResult());
  if (product(batchOf(rhs)) == 1 && !op.getTransposeLhs()) {
    int64_t rows = product(lhs.drop_back()), k = lhs.back();
    return {Family::Matmul, {{rows, k}, Shape(matrixOf(rhs))}, {{rows, result.back()}}, {}};
  }
  Shape batch = foldAxes(batchOf(result), {batchOf(lhs), batchOf(rhs)});
  auto withBatch = [&](ArrayRef<int64_t> shape) {
    std::optional<Shape> folded = foldPart(batchOf(shape), batchOf(result), batch);
    assert(folded && "the axes were folded for these operands");
    llvm::append_range(*folded, matrixOf(shape));
    return *folded;
  };
  KernelShape shape;
  shape.family = batch.size() <= 1 ? Family::Matmul : Family::Generic;
  shape.operands = {withBatch(lhs), withBatch(rhs)};
  shape.results = {withBatch(result)};
  return shape;
}

/// [M, N] over the last axis, [P, R, N] over the middle one. `--nova-split-launches` leaves nothing else; scattered
/// axes stay as they are.
static KernelShape reduceShape(ReduceOp op) {
  MLIRContext *context = op.getContext();
  ArrayRef<int64_t> x = shapeOf(op.getX()), axes = op.getAxes();
  if (axes.empty() || axes.back() - axes.front() + 1 != int64_t(axes.size()))
    return {Family::Generic, {Shape(x)}, {Shape(shapeOf(op.getResult()))}, {}};
  int64_t outer = product(x.take_front(axes.front())), inner = product(x.drop_front(axes.back() + 1));
  int64_t extent = product(x.slice(axes.front(), axes.size()));
  KernelShape shape;
  shape.family = inner == 1 ? Family::Row : Family::Column;
  shape.operands = {inner == 1 ? Shape{outer, extent} : Shape{outer, extent, inner}};
  shape.results = {inner == 1 ? Shape{outer} : Shape{outer, inner}};
  shape.attributes.emplace_back(op.getAxesAttrName(), DenseI64ArrayAttr::get(context, {1}));
  shape.attributes.emplace_back(op.getKeepDimsAttrName(), Attribute());
  return shape;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// All axes but the last as one.
static Shape rowsOf(ArrayRef<int64_t> shape) { return {product(shape.drop_back()), shape.back()}; }

template <typename Op> static KernelShape softmaxShape(Op op) {
  ArrayRef<int64_t> shape = shapeOf(op.getResult());
  int64_t axis = op.getNormalizedAxis(), last = int64_t(shape.size()) - 1;
  Shape folded = rowsOf(shape);
  if (axis != last)
    folded = {product(shape.take_front(axis)), shape[axis], product(shape.drop_front(axis + 1))};
  Attribute attribute = axis == last ? Attribute() : IntegerAttr::get(IntegerType::get(op.getContext(), 64), 1);
  return {axis == last ? Family::Row : Family::Generic,
          SmallVector<Shape>(op->getNumOperands(), folded),
          {folded},
          {{op.getAxisAttrName(), attribute}}};
}

/// Rows of x, beside the weight and perhaps a bias.
template <typename Op> static KernelShape normShape(Op op) {
  KernelShape shape;
  shape.family = Family::Row;
  Shape rows = rowsOf(shapeOf(op.getX()));
  shape.operands.assign(op->getNumOperands(), {rows.back()});
  shape.operands.front() = rows;
  shape.results.push_back(rows);
  return shape;
}

/// [P, R, N] with one row of each parameter's gradients for each of P.
template <typename Op> static KernelShape normGradShape(Op op) {
  ArrayRef<int64_t> x = shapeOf(op.getX());
  size_t partials = op.getPartials();
  Shape parts = {product(x.take_front(partials)), product(x.drop_front(partials).drop_back()), x.back()};
  Shape sums = {parts.front(), parts.back()};
  Attribute one = IntegerAttr::get(IntegerType::get(op.getContext(), 64), 1);
  SmallVector<Shape> results(op->getNumResults(), sums);
  results.front() = parts;
  return {Family::Row, {parts, parts, {x.back()}}, results, {{op.getPartialsAttrName(), one}}};
}

static KernelShape crossEntropyShape(CrossEntropyOp op) {
  Shape logits = rowsOf(shapeOf(op.getLogits())), rows = {logits.front()};
  return {Family::Row, {logits, rows}, {rows}, {}};
}
static KernelShape crossEntropyGradShape(CrossEntropyGradOp op) {
  Shape logits = rowsOf(shapeOf(op.getLogits())), rows = {logits.front()};
  return {Family::Row, {rows, logits, rows}, {logits}, {}};
}

//===----------------------------------------------------------------------===//
// Any op
//===----------------------------------------------------------------------===//

KernelShape nova::getUnchangedShape(IndexedOp op, Family family) {
  KernelShape shape;
  shape.family = family;
  for (Value operand : op.getTensorOperands())
    shape.operands.emplace_back(shapeOf(operand));
  for (Value result : op->getResults())
    shape.results.emplace_back(shapeOf(result));
  return shape;
}

static FailureOr<KernelShape> takesSeveralLaunches(Operation *op) {
  return op->emitOpError("takes more than one launch; run --nova-split-launches first");
}

FailureOr<KernelShape> nova::getKernelShape(IndexedOp op) {
  using Result = FailureOr<KernelShape>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<AdamWOp, AdamOp, SgdOp>([](auto op) { return Result(optimizerShape(op)); })
      .Case<MatmulOp>([](auto op) { return Result(matmulShape(op)); })
      .Case<ReduceOp>([](auto op) { return Result(reduceShape(op)); })
      .Case<SoftmaxOp, SoftmaxGradOp, LogSoftmaxOp, CumsumOp>([](auto op) { return Result(softmaxShape(op)); })
      .Case<LayerNormOp, RmsNormOp>([](auto op) { return Result(normShape(op)); })
      .Case<LayerNormGradOp, RmsNormGradOp>([](auto op) { return Result(normGradShape(op)); })
      .Case<CrossEntropyOp>([](auto op) {
        return op.getReduction() == LossReduction::None ? Result(crossEntropyShape(op)) : takesSeveralLaunches(op);
      })
      .Case<CrossEntropyGradOp>([](auto op) {
        return op.getReduction() == LossReduction::None ? Result(crossEntropyGradShape(op)) : takesSeveralLaunches(op);
      })
      .Case<AttentionOp, AttentionGradQueryOp, AttentionGradKeyValueOp>(
          [](auto op) { return Result(getUnchangedShape(op, Family::Attention)); })
      .Default([](Operation *op) {
        if (std::optional<KernelShape> shape = getMovementShape(op))
          return Result(*shape);
        return Result(isFusible(op) ? elementwiseShape(op) : getUnchangedShape(cast<IndexedOp>(op), Family::Generic));
      });
}
