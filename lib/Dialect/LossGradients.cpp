//===- LossGradients.cpp - Gradients of losses ----------------------------===//
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

LogicalResult CrossEntropyOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  dxs[0] = CrossEntropyGradOp::create(b, b.getLoc(), dys[0], getLogits(), getTargets(), getReductionAttr(),
                                      getIgnoreIndexAttr(), getLabelSmoothingAttr());
  return success();
}

// The gradients of x and the target from formulas over dy, the gradient of each loss, and both operands in the loss's
// type. `losses` is the shape of the losses before they are reduced, with size 1 along an axis that each of them spans.
template <typename Op, typename Formula>
static LogicalResult pairLoss(Op op, ImplicitLocOpBuilder &b, Value dy, MutableArrayRef<Value> dxs,
                              ArrayRef<int64_t> losses, Formula formula) {
  if (failed(requireStaticShapes(op)))
    return failure();
  RankedTensorType type = op.getX().getType();
  auto wide = [&](Value value) { return Term(b, value).asType(statisticsType(type)); };
  Term each(b, dy);
  if (op.getReduction() == LossReduction::None)
    each = Term(b, reshapeTo(b, dy, each.getType().clone(losses)));
  else if (op.getReduction() == LossReduction::Mean)
    each = each * (1.0 / ShapedType::getNumElements(losses));
  auto [dx, dtarget] = formula(each, wide(op.getX()), wide(op.getTarget()));
  dxs[0] = dx.asType(type.getElementType());
  dxs[1] = dtarget.asType(type.getElementType());
  return success();
}

LogicalResult MseOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return pairLoss(*this, b, dys[0], dxs, getX().getType().getShape(), [](Term dy, Term x, Term target) {
    Term dx = dy * ((x - target) * 2.0);
    return std::pair(dx, -dx);
  });
}

LogicalResult MaeOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return pairLoss(*this, b, dys[0], dxs, getX().getType().getShape(), [](Term dy, Term x, Term target) {
    Term dx = dy * (x - target).apply<SignOp>();
    return std::pair(dx, -dx);
  });
}

LogicalResult BceOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return pairLoss(*this, b, dys[0], dxs, getX().getType().getShape(), [](Term dy, Term x, Term target) {
    Term spread = x * (1.0 - x);
    Term dx = dy * (x - target) / spread.apply<MaxOp>(Value(spread.scalar(1e-12)));
    return std::pair(dx, dy * ((-x).apply<Log1pOp>() - x.apply<LogOp>()));
  });
}

LogicalResult CceOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  RankedTensorType type = getX().getType();
  SmallVector<int64_t> rows(type.getShape());
  rows.back() = 1;
  return pairLoss(*this, b, dys[0], dxs, rows, [&](Term dy, Term x, Term target) {
    Term weight = target.reduce(ReduceKind::Sum, type.getRank() - 1);
    IntegerAttr last; // The default axis.
    return std::pair(dy * (x.apply<SoftmaxOp>(last) * weight - target), -dy * x.apply<LogSoftmaxOp>(last));
  });
}
