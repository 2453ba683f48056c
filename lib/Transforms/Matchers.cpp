//===- Matchers.cpp - What the raising passes recognise -------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Matchers.h"
#include "KnownElements.h"
#include "VerifyLevel.h"

#include "mlir/IR/Iterators.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nova;

bool nova::isNear(double found, double expected, Type element, int literals) {
  auto type = cast<FloatType>(element);
  // Literals of f32 and f64 are often written with fewer digits than the type holds.
  double rounding = std::ldexp(literals, -int(type.getFPMantissaWidth()));
  double tolerance = type.isF64() ? 1e-12 : type.isF32() ? 1e-6 : rounding;
  return std::abs(found - expected) <= tolerance * std::abs(expected);
}

double nova::asWritten(double value, Type element) {
  auto round = [&](double x) {
    APFloat rounded(x);
    bool exact;
    rounded.convert(cast<FloatType>(element).getFloatSemantics(), APFloat::rmNearestTiesToEven, &exact);
    rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
    return rounded.convertToDouble();
  };
  for (unsigned digits = 1; digits < 17; ++digits) {
    SmallString<32> text;
    llvm::raw_svector_ostream(text) << llvm::format("%.*g", digits, value);
    double written;
    if (!text.str().getAsDouble(written) && round(written) == value)
      return written;
  }
  return value;
}

std::optional<Scaled> nova::matchScaled(Operation *op) {
  auto keepsType = [&](Value x) { return x.getType() == op->getResult(0).getType(); };
  if (auto mul = dyn_cast_or_null<MulOp>(op)) {
    for (auto [x, other] : bothOrders(mul))
      if (std::optional<double> factor = getUniformValue(other); factor && keepsType(x))
        return Scaled{x, *factor};
  }
  if (auto div = dyn_cast_or_null<DivOp>(op))
    if (std::optional<double> divisor = getUniformValue(div.getRhs()); divisor && keepsType(div.getLhs()))
      return Scaled{div.getLhs(), 1.0 / *divisor};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

bool Statistic::isMean() {
  if (reduce.getKind() == ReduceKind::Mean)
    return factor == 1.0;
  double count = 1;
  for (int64_t axis : reduce.getAxes())
    count *= double(reduce.getX().getType().getDimSize(axis));
  return reduce.getKind() == ReduceKind::Sum && isNear(factor * count, 1.0, reduce.getType().getElementType());
}

/// Follows axes backward through an op that only adds axes: `axes` holds, for each axis of the op's result, which axis
/// of the statistic's tensor it lies on; -1 for one of size 1. Gives the operand and brings `axes` to its rank.
static Value throughAddedAxes(Operation *op, SmallVector<int64_t> &axes) {
  SmallVector<int64_t> inner;
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op)) {
    for (auto [size, axis] : llvm::zip_equal(broadcast.getX().getType().getShape(), broadcast.getDims()))
      inner.push_back(size == 1 ? -1 : axes[axis]);
    axes = inner;
    return broadcast.getX();
  }
  auto reshape = dyn_cast<ReshapeOp>(op);
  if (!reshape)
    return {};
  auto moved = getUnitReshapeAxes(reshape.getX().getType().getShape(), reshape.getType().getShape());
  if (!moved)
    return {};
  for (int64_t axis : *moved)
    inner.push_back(axis < 0 ? -1 : axes[axis]);
  axes = inner;
  return reshape.getX();
}

/// Whether axis i of the reduction's result, as `axes` places it, is the axis that it comes from.
static bool isAligned(ReduceOp reduce, ArrayRef<int64_t> axes) {
  unsigned next = 0;
  for (int64_t axis = 0; axis < reduce.getX().getType().getRank(); ++axis) {
    bool reduced = llvm::is_contained(reduce.getAxes(), axis);
    if (reduced && !reduce.getKeepDims())
      continue;
    int64_t placed = axes[next++];
    if (!reduced && placed != axis && placed != -1)
      return false;
  }
  return true;
}

StatisticMatcher::StatisticMatcher(Value value, RankedTensorType type) : value(value), type(type) {
  RankedTensorType from = tensorType(value);
  for (auto [i, size] : llvm::enumerate(from.getShape()))
    axes.push_back(size == 1 ? -1 : type.getRank() - from.getRank() + int64_t(i));
}

void StatisticMatcher::enter(Value operand) {
  value = operand;
  // Broadcasting aligns the last axes.
  axes.erase(axes.begin(), axes.end() - tensorType(operand).getRank());
  for (auto [axis, size] : llvm::zip_equal(axes, shapeOf(operand)))
    axis = size == 1 ? -1 : axis;
}

Operation *StatisticMatcher::getOp() {
  Operation *op = value.getDefiningOp();
  while (Value inner = op ? throughAddedAxes(op, axes) : Value()) {
    value = inner;
    op = value.getDefiningOp();
  }
  return op;
}

std::optional<Statistic> StatisticMatcher::finish() {
  double factor = 1.0;
  while (Operation *op = getOp()) {
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      if (reduce.getX().getType() != type || !type.hasStaticShape() || !isAligned(reduce, axes))
        return std::nullopt;
      return Statistic{reduce, factor};
    }
    std::optional<Scaled> scaled = matchScaled(op);
    if (!scaled)
      return std::nullopt;
    factor *= scaled->factor;
    enter(scaled->x);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

LogicalResult nova::applyRaising(Operation *root, RewritePatternSet patterns) {
  if (auto module = dyn_cast<ModuleOp>(root); module && failed(verifyOneProgram(module)))
    return failure();
  walkAndApplyPatterns(root, std::move(patterns));
  root->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (op != root && isOpTriviallyDead(op))
      op->erase();
  });
  return success();
}

Operation *nova::findOutsideUse(const llvm::SetVector<Operation *> &inner, Operation *root) {
  for (Operation *op : inner)
    for (Operation *user : op->getUsers())
      if (user != root && !inner.contains(user))
        return op;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

std::string nova::toText(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.7g", number);
  return text;
}

static remark::RemarkOpts optionsFor(Operation *root, StringRef pass, StringRef name) {
  auto options = remark::RemarkOpts::name(name).category(pass);
  auto function = root->getParentOfType<FunctionOpInterface>();
  return function ? options.function(function.getName()) : options;
}

void Remarks::hit(Operation *root, const Twine &what) const {
  remark::passed(root->getLoc(), optionsFor(root, pass, name)) << what.str();
}

LogicalResult Remarks::miss(PatternRewriter &rewriter, Operation *root, const Twine &reason) const {
  remark::missed(root->getLoc(), optionsFor(root, pass, name)) << remark::reason("{0}", reason.str());
  return rewriter.notifyMatchFailure(root, reason);
}
