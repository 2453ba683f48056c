//===- TransformerOps.cpp - Verifiers and inference of transformer ops -===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"

using namespace mlir;
using namespace mlir::nova;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Statistics and losses are f32, f64 for f64.
static Type statisticsType(RankedTensorType type) {
  return type.getElementType().isF64() ? type.getElementType() : Float32Type::get(type.getContext());
}

static bool agree(int64_t a, int64_t b) { return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b); }

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

static LogicalResult verifyAttentionShapes(std::optional<Location> location, RankedTensorType q, RankedTensorType k,
                                           RankedTensorType v) {
  for (RankedTensorType type : {q, k, v})
    if (type.getRank() != 4)
      return emitOptionalError(location, "expected q, k and v of rank 4 [batch, head, position, depth], found ", type);
  for (unsigned axis : {0, 1})
    if (!agree(q.getDimSize(axis), k.getDimSize(axis)) || !agree(k.getDimSize(axis), v.getDimSize(axis)) ||
        !agree(q.getDimSize(axis), v.getDimSize(axis)))
      return emitOptionalError(location, "expected q, k and v to agree on axis ", axis, ", found ", q, ", ", k, " and ",
                               v);
  if (!agree(q.getDimSize(3), k.getDimSize(3)))
    return emitOptionalError(location, "expected q and k of one depth, found ", q.getDimSize(3), " and ",
                             k.getDimSize(3));
  if (!agree(k.getDimSize(2), v.getDimSize(2)))
    return emitOptionalError(location, "expected as many keys as values, found ", k.getDimSize(2), " and ",
                             v.getDimSize(2));
  return success();
}

/// The result of attention, and its log-sum-exp.
static std::pair<RankedTensorType, RankedTensorType> attentionResults(RankedTensorType q, RankedTensorType v) {
  return {q.clone({q.getDimSize(0), q.getDimSize(1), q.getDimSize(2), v.getDimSize(3)}),
          RankedTensorType::get(q.getShape().drop_back(), statisticsType(q))};
}

/// Checks what a gradient of attention takes beside q, k and v: `results` have the shape of the result, `rows`, of
/// which the first is the log-sum-exp, a number for each query.
static LogicalResult verifyAttentionGrad(std::optional<Location> location, RankedTensorType q, RankedTensorType k,
                                         RankedTensorType v, ArrayRef<Value> results, ArrayRef<Value> rows) {
  if (failed(verifyAttentionShapes(location, q, k, v)))
    return failure();
  auto [result, lse] = attentionResults(q, v);
  for (Value value : results)
    if (failed(verifyCompatibleShape(typeOf(value), result)))
      return emitOptionalError(location, "expected the shape of attention's result, ", result, ", found ",
                               value.getType());
  for (Value value : rows)
    if (failed(verifyCompatibleShape(typeOf(value), lse)))
      return emitOptionalError(location, "expected a number for each query, ", lse, ", found ", value.getType());
  if (typeOf(rows[0]).getElementType() != lse.getElementType())
    return emitOptionalError(location, "expected a log-sum-exp of type ", lse, ", found ", rows[0].getType());
  return success();
}

static LogicalResult verifyScale(Operation *op, std::optional<APFloat> scale) {
  if (scale && !scale->isFinite())
    return op->emitOpError("expected a finite scale");
  return success();
}
static double scaleOrDefault(std::optional<APFloat> scale, RankedTensorType q) {
  return scale ? scale->convertToDouble() : 1.0 / std::sqrt(double(q.getDimSize(3)));
}

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  RankedTensorType q = typeOf(adaptor.getQ()), v = typeOf(adaptor.getV());
  if (failed(verifyAttentionShapes(location, q, typeOf(adaptor.getK()), v)))
    return failure();
  auto [result, lse] = attentionResults(q, v);
  types.append({result, lse});
  return success();
}
LogicalResult AttentionOp::verify() { return verifyScale(*this, getScale()); }
double AttentionOp::getScaleOrDefault() { return scaleOrDefault(getScale(), getQ().getType()); }

LogicalResult AttentionGradOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                                SmallVectorImpl<Type> &types) {
  RankedTensorType q = typeOf(adaptor.getQ()), k = typeOf(adaptor.getK()), v = typeOf(adaptor.getV());
  if (failed(verifyAttentionGrad(location, q, k, v, {adaptor.getResultGrad(), adaptor.getY()}, {adaptor.getLse()})))
    return failure();
  types.append({q, k, v});
  return success();
}
LogicalResult AttentionGradOp::verify() { return verifyScale(*this, getScale()); }
double AttentionGradOp::getScaleOrDefault() { return scaleOrDefault(getScale(), getQ().getType()); }

LogicalResult AttentionGradQueryOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                                     SmallVectorImpl<Type> &types) {
  RankedTensorType q = typeOf(adaptor.getQ());
  if (failed(verifyAttentionGrad(location, q, typeOf(adaptor.getK()), typeOf(adaptor.getV()), {adaptor.getResultGrad()},
                                 {adaptor.getLse(), adaptor.getDelta()})))
    return failure();
  types.push_back(q);
  return success();
}
LogicalResult AttentionGradQueryOp::verify() { return verifyScale(*this, getScale()); }
double AttentionGradQueryOp::getScaleOrDefault() { return scaleOrDefault(getScale(), getQ().getType()); }

LogicalResult AttentionGradKeyValueOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                                        Adaptor adaptor, SmallVectorImpl<Type> &types) {
  RankedTensorType k = typeOf(adaptor.getK()), v = typeOf(adaptor.getV());
  if (failed(verifyAttentionGrad(location, typeOf(adaptor.getQ()), k, v, {adaptor.getResultGrad()},
                                 {adaptor.getLse(), adaptor.getDelta()})))
    return failure();
  types.append({k, v});
  return success();
}
LogicalResult AttentionGradKeyValueOp::verify() { return verifyScale(*this, getScale()); }
double AttentionGradKeyValueOp::getScaleOrDefault() { return scaleOrDefault(getScale(), getQ().getType()); }

//===----------------------------------------------------------------------===//
// Layer norm
//===----------------------------------------------------------------------===//

static LogicalResult verifyNormShapes(std::optional<Location> location, RankedTensorType x, RankedTensorType weight,
                                      StringRef name) {
  if (x.getRank() < 1)
    return emitOptionalError(location, "expected x of rank 1 or more, found ", x);
  if (weight.getRank() != 1 || !agree(weight.getDimSize(0), x.getShape().back()))
    return emitOptionalError(location, "expected ", name, " to have the size of the last axis, ", x.getShape().back(),
                             ", found ", weight);
  return success();
}

/// Of something added to keep a root or quotient away from 0.
static LogicalResult verifyEps(Operation *op, APFloat eps) {
  if (!eps.isFinite() || eps.isNegative())
    return op->emitOpError("expected a finite eps of at least 0, found ") << eps.convertToDouble();
  return success();
}
LogicalResult LayerNormOp::verify() { return verifyEps(*this, getEps()); }
LogicalResult LayerNormGradOp::verify() { return verifyEps(*this, getEps()); }

LogicalResult LayerNormOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  RankedTensorType x = typeOf(adaptor.getX());
  if (failed(verifyNormShapes(location, x, typeOf(adaptor.getWeight()), "weight")) ||
      failed(verifyNormShapes(location, x, typeOf(adaptor.getBias()), "bias")))
    return failure();
  types.push_back(x);
  return success();
}

LogicalResult LayerNormGradOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                                SmallVectorImpl<Type> &types) {
  RankedTensorType x = typeOf(adaptor.getX()), weight = typeOf(adaptor.getWeight());
  if (failed(verifyNormShapes(location, x, weight, "weight")))
    return failure();
  if (typeOf(adaptor.getResultGrad()) != x)
    return emitOptionalError(location, "expected the gradient of the result to have the type of x, ", x, ", found ",
                             adaptor.getResultGrad().getType());
  int64_t partials = adaptor.getPartials();
  if (partials >= x.getRank())
    return emitOptionalError(location, "expected fewer partial axes than the rank ", x.getRank(), ", found ", partials);
  SmallVector<int64_t> sums(x.getShape().take_front(partials));
  sums.push_back(x.getShape().back());
  types.append({x, weight.clone(sums), weight.clone(sums)});
  return success();
}

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
  RankedTensorType logits = typeOf(adaptor.getLogits()), targets = typeOf(adaptor.getTargets());
  if (failed(verifyTargets(location, logits, targets)))
    return failure();
  types.push_back(lossType(logits, targets, adaptor.getReduction()));
  return success();
}

LogicalResult CrossEntropyGradOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                                   SmallVectorImpl<Type> &types) {
  RankedTensorType logits = typeOf(adaptor.getLogits()), targets = typeOf(adaptor.getTargets());
  if (failed(verifyTargets(location, logits, targets)))
    return failure();
  RankedTensorType expected = lossType(logits, targets, adaptor.getReduction());
  if (typeOf(adaptor.getResultGrad()) != expected)
    return emitOptionalError(location, "expected the gradient of the loss to have its type ", expected, ", found ",
                             adaptor.getResultGrad().getType());
  types.push_back(logits);
  return success();
}
