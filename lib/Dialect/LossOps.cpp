//===- LossOps.cpp - Verifiers and inference of losses -----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "Shapes.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::detail;

//===----------------------------------------------------------------------===//
// Cross entropy
//===----------------------------------------------------------------------===//

static LogicalResult verifyTargets(std::optional<Location> location, RankedTensorType logits,
                                   RankedTensorType targets) {
  if (logits.getRank() < 1 || failed(verifyCompatibleShape(logits.getShape().drop_back(), targets.getShape())))
    return emitOptionalError(location, "expected targets of the shape of the logits without the last axis, found ",
                             logits, " and ", targets);
  return success();
}

static RankedTensorType lossType(RankedTensorType logits, RankedTensorType targets, LossReduction reduction) {
  auto shape = reduction == LossReduction::None ? targets.getShape() : ArrayRef<int64_t>();
  return RankedTensorType::get(shape, statisticsType(logits));
}

LogicalResult CrossEntropyOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  RankedTensorType logits = tensorType(adaptor.getLogits()), targets = tensorType(adaptor.getTargets());
  if (failed(verifyTargets(location, logits, targets)))
    return failure();
  types.push_back(lossType(logits, targets, adaptor.getReduction()));
  return success();
}

LogicalResult CrossEntropyGradOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                                   SmallVectorImpl<Type> &types) {
  RankedTensorType logits = tensorType(adaptor.getLogits()), targets = tensorType(adaptor.getTargets());
  if (failed(verifyTargets(location, logits, targets)))
    return failure();
  RankedTensorType expected = lossType(logits, targets, adaptor.getReduction());
  if (tensorType(adaptor.getResultGrad()) != expected)
    return emitOptionalError(location, "expected the gradient of the loss to have its type ", expected, ", found ",
                             adaptor.getResultGrad().getType());
  types.push_back(logits);
  return success();
}

static LogicalResult verifyLabelSmoothing(Operation *op, APFloat smoothing) {
  double value = smoothing.convertToDouble();
  if (!(value >= 0 && value <= 1))
    return op->emitOpError("expected a label_smoothing between 0 and 1, found ") << value;
  return success();
}
LogicalResult CrossEntropyOp::verify() { return verifyLabelSmoothing(*this, getLabelSmoothing()); }
LogicalResult CrossEntropyGradOp::verify() { return verifyLabelSmoothing(*this, getLabelSmoothing()); }

//===----------------------------------------------------------------------===//
// Losses of predictions beside targets
//===----------------------------------------------------------------------===//

static void inferPairLoss(RankedTensorType x, ArrayRef<int64_t> losses, LossReduction reduction,
                          SmallVectorImpl<Type> &types) {
  auto shape = reduction == LossReduction::None ? losses : ArrayRef<int64_t>();
  types.push_back(RankedTensorType::get(shape, statisticsType(x)));
}

LogicalResult MseOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  RankedTensorType x = tensorType(adaptor.getX());
  return inferPairLoss(x, x.getShape(), adaptor.getReduction(), types), success();
}
LogicalResult MaeOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  RankedTensorType x = tensorType(adaptor.getX());
  return inferPairLoss(x, x.getShape(), adaptor.getReduction(), types), success();
}
LogicalResult BceOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  RankedTensorType x = tensorType(adaptor.getX());
  return inferPairLoss(x, x.getShape(), adaptor.getReduction(), types), success();
}
LogicalResult CceOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  RankedTensorType x = tensorType(adaptor.getX());
  if (x.getRank() < 1)
    return emitOptionalError(location, "expected classes along the last axis, found ", x);
  return inferPairLoss(x, x.getShape().drop_back(), adaptor.getReduction(), types), success();
}
