//===- TransformerOps.cpp - Verifiers and inference of transformer ops -===//
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
// Attention
//===----------------------------------------------------------------------===//

/// `mask` may be null.
static LogicalResult verifyAttentionShapes(std::optional<Location> location, RankedTensorType q, RankedTensorType k,
                                           RankedTensorType v, Value mask) {
  for (RankedTensorType type : {q, k, v})
    if (type.getRank() != 4)
      return emitOptionalError(location, "expected q, k and v of rank 4 [batch, head, position, head size], found ",
                               type);
  if (!agree(q.getDimSize(0), k.getDimSize(0)) || !agree(k.getDimSize(0), v.getDimSize(0)) ||
      !agree(q.getDimSize(0), v.getDimSize(0)))
    return emitOptionalError(location, "expected q, k and v to agree on axis 0, found ", q, ", ", k, " and ", v);
  int64_t heads = q.getDimSize(1), groups = k.getDimSize(1);
  bool divides = ShapedType::isDynamic(heads) || ShapedType::isDynamic(groups) || heads == groups ||
                 (groups != 0 && heads % groups == 0);
  if (!divides || !agree(groups, v.getDimSize(1)))
    return emitOptionalError(location, "expected the heads of k and v to be as many, and to divide those of q, found ",
                             groups, ", ", v.getDimSize(1), " and ", heads);
  if (!agree(q.getDimSize(3), k.getDimSize(3)))
    return emitOptionalError(location, "expected q and k of one head size, found ", q.getDimSize(3), " and ",
                             k.getDimSize(3));
  if (!agree(k.getDimSize(2), v.getDimSize(2)))
    return emitOptionalError(location, "expected as many keys as values, found ", k.getDimSize(2), " and ",
                             v.getDimSize(2));
  if (!mask)
    return success();
  SmallVector<int64_t> scores = {q.getDimSize(0), heads, q.getDimSize(2), k.getDimSize(2)};
  int64_t lead = 4 - tensorType(mask).getRank();
  bool broadcasts = lead >= 0;
  for (int64_t axis = 0; broadcasts && axis < tensorType(mask).getRank(); ++axis)
    broadcasts =
        tensorType(mask).getDimSize(axis) == 1 || agree(tensorType(mask).getDimSize(axis), scores[lead + axis]);
  if (!broadcasts)
    return emitOptionalError(location, "expected a mask that broadcasts to the shape of the scores, [", scores,
                             "], found ", mask.getType());
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
                                         RankedTensorType v, Value mask, ArrayRef<Value> results,
                                         ArrayRef<Value> rows) {
  if (failed(verifyAttentionShapes(location, q, k, v, mask)))
    return failure();
  auto [result, lse] = attentionResults(q, v);
  for (Value value : results)
    if (failed(verifyCompatibleShape(tensorType(value), result)))
      return emitOptionalError(location, "expected the shape of attention's result, ", result, ", found ",
                               value.getType());
  for (Value value : rows)
    if (failed(verifyCompatibleShape(tensorType(value), lse)))
      return emitOptionalError(location, "expected a number for each query, ", lse, ", found ", value.getType());
  if (tensorType(rows[0]).getElementType() != lse.getElementType())
    return emitOptionalError(location, "expected a log-sum-exp of type ", lse, ", found ", rows[0].getType());
  return success();
}

static LogicalResult verifyScale(Operation *op, std::optional<APFloat> scale) {
  if (scale && !scale->isFinite())
    return op->emitOpError("expected a finite scale");
  return success();
}
/// Scores without a head are empty sums: any scale gives 0.
static double scaleOrDefault(std::optional<APFloat> scale, RankedTensorType q) {
  return scale ? scale->convertToDouble() : 1.0 / std::sqrt(double(std::max<int64_t>(q.getDimSize(3), 1)));
}

/// Checks the numbers of an attention op.
template <typename Op> static LogicalResult verifyNumbers(Op op) {
  if (failed(verifyScale(op, op.getScale())))
    return failure();
  std::optional<APFloat> masked = op.getMaskedValue();
  if (masked && !masked->isFinite())
    return op.emitOpError("expected a finite masked_value; without one, what is hidden takes no part");
  if (masked && (!op.getCausal() || op.getMask()))
    return op.emitOpError("expected masked_value with `causal` and without a mask, whose numbers say what is hidden");
  return success();
}

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  RankedTensorType q = tensorType(adaptor.getQ()), v = tensorType(adaptor.getV());
  if (failed(verifyAttentionShapes(location, q, tensorType(adaptor.getK()), v, adaptor.getMask())))
    return failure();
  auto [result, lse] = attentionResults(q, v);
  types.append({result, lse});
  return success();
}
LogicalResult AttentionOp::verify() { return verifyNumbers(*this); }
double AttentionOp::getScaleOrDefault() { return scaleOrDefault(getScale(), getQ().getType()); }

LogicalResult AttentionGradOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                                SmallVectorImpl<Type> &types) {
  RankedTensorType q = tensorType(adaptor.getQ()), k = tensorType(adaptor.getK()), v = tensorType(adaptor.getV());
  if (failed(verifyAttentionGrad(location, q, k, v, adaptor.getMask(), {adaptor.getResultGrad(), adaptor.getY()},
                                 {adaptor.getLse()})))
    return failure();
  types.append({q, k, v});
  return success();
}
LogicalResult AttentionGradOp::verify() { return verifyNumbers(*this); }
double AttentionGradOp::getScaleOrDefault() { return scaleOrDefault(getScale(), getQ().getType()); }

LogicalResult AttentionGradQueryOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                                     SmallVectorImpl<Type> &types) {
  RankedTensorType q = tensorType(adaptor.getQ());
  if (failed(verifyAttentionGrad(location, q, tensorType(adaptor.getK()), tensorType(adaptor.getV()), adaptor.getMask(),
                                 {adaptor.getResultGrad()}, {adaptor.getLse(), adaptor.getDelta()})))
    return failure();
  types.push_back(q);
  return success();
}
/// A part of the gradient works on heads that are not grouped.
template <typename Op> static LogicalResult verifyGradPart(Op op) {
  if (!agree(op.getQ().getType().getDimSize(1), op.getK().getType().getDimSize(1)))
    return op.emitOpError("expected as many heads of k as of q, found ")
           << op.getK().getType().getDimSize(1) << " and " << op.getQ().getType().getDimSize(1)
           << "; --nova-split-launches repeats grouped ones";
  return verifyNumbers(op);
}
LogicalResult AttentionGradQueryOp::verify() { return verifyGradPart(*this); }
double AttentionGradQueryOp::getScaleOrDefault() { return scaleOrDefault(getScale(), getQ().getType()); }

LogicalResult AttentionGradKeyValueOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                                        Adaptor adaptor, SmallVectorImpl<Type> &types) {
  RankedTensorType k = tensorType(adaptor.getK()), v = tensorType(adaptor.getV());
  if (failed(verifyAttentionGrad(location, tensorType(adaptor.getQ()), k, v, adaptor.getMask(),
                                 {adaptor.getResultGrad()}, {adaptor.getLse(), adaptor.getDelta()})))
    return failure();
  types.append({k, v});
  return success();
}
LogicalResult AttentionGradKeyValueOp::verify() { return verifyGradPart(*this); }
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

/// Checks what is added to keep a root or quotient away from 0.
static LogicalResult verifyEps(Operation *op, APFloat eps) {
  if (!eps.isFinite() || eps.isNegative())
    return op->emitOpError("expected a finite eps of at least 0, found ") << eps.convertToDouble();
  return success();
}
LogicalResult LayerNormOp::verify() { return verifyEps(*this, getEps()); }
LogicalResult LayerNormGradOp::verify() { return verifyEps(*this, getEps()); }
LogicalResult RmsNormOp::verify() { return verifyEps(*this, getEps()); }
LogicalResult RmsNormGradOp::verify() { return verifyEps(*this, getEps()); }

LogicalResult LayerNormOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  RankedTensorType x = tensorType(adaptor.getX());
  if (failed(verifyNormShapes(location, x, tensorType(adaptor.getWeight()), "weight")) ||
      failed(verifyNormShapes(location, x, tensorType(adaptor.getBias()), "bias")))
    return failure();
  types.push_back(x);
  return success();
}

/// The types of the gradients of a norm for x, and for each of `columns` parameters.
template <typename Adaptor>
static LogicalResult inferNormGrad(std::optional<Location> location, Adaptor adaptor, unsigned columns,
                                   SmallVectorImpl<Type> &types) {
  RankedTensorType x = tensorType(adaptor.getX()), weight = tensorType(adaptor.getWeight());
  if (failed(verifyNormShapes(location, x, weight, "weight")))
    return failure();
  if (tensorType(adaptor.getResultGrad()) != x)
    return emitOptionalError(location, "expected the gradient of the result to have the type of x, ", x, ", found ",
                             adaptor.getResultGrad().getType());
  int64_t partials = adaptor.getPartials();
  if (partials >= x.getRank())
    return emitOptionalError(location, "expected fewer partial axes than the rank ", x.getRank(), ", found ", partials);
  SmallVector<int64_t> sums(x.getShape().take_front(partials));
  sums.push_back(x.getShape().back());
  types.push_back(x);
  types.append(columns, weight.clone(sums));
  return success();
}

LogicalResult LayerNormGradOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                                SmallVectorImpl<Type> &types) {
  return inferNormGrad(location, adaptor, /*columns=*/2, types);
}

LogicalResult RmsNormOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getX().getType());
  return verifyNormShapes(location, tensorType(adaptor.getX()), tensorType(adaptor.getWeight()), "weight");
}

LogicalResult RmsNormGradOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  return inferNormGrad(location, adaptor, /*columns=*/1, types);
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

LogicalResult RotaryEmbeddingOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                                  SmallVectorImpl<Type> &types) {
  RankedTensorType x = tensorType(adaptor.getX()), cos = tensorType(adaptor.getCos()),
                   sin = tensorType(adaptor.getSin());
  if (failed(verifyCompatibleShape(cos, sin)))
    return emitOptionalError(location, "expected cos and sin of one shape, found ", cos, " and ", sin);
  if (x.getRank() < 1 || cos.getRank() < 1 || cos.getRank() > x.getRank())
    return emitOptionalError(location, "expected x of rank 1 or more and cos of no higher rank, found ", x, " and ",
                             cos);
  int64_t width = x.getShape().back(), pairs = cos.getShape().back();
  if (ShapedType::isDynamic(pairs) || (!ShapedType::isDynamic(width) && 2 * pairs > width))
    return emitOptionalError(location,
                             "expected cos to have a column for each pair of the last axis of x, at most half "
                             "of its size ",
                             width, ", found ", cos);
  int64_t lead = x.getRank() - cos.getRank();
  for (int64_t axis = 0; axis + 1 < cos.getRank(); ++axis)
    if (cos.getDimSize(axis) != 1 && !agree(cos.getDimSize(axis), x.getDimSize(lead + axis)))
      return emitOptionalError(location, "expected cos to broadcast to x, found sizes ", cos.getDimSize(axis), " and ",
                               x.getDimSize(lead + axis), " along axis ", lead + axis, " of x");
  types.push_back(x);
  return success();
}
