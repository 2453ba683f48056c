//===- TransformerGradients.cpp - Gradients of Transformer ops, read ------===//
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

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

Value nova::detail::repeatHeads(ImplicitLocOpBuilder &b, Value x, int64_t heads) {
  RankedTensorType type = tensorType(x);
  ArrayRef<int64_t> shape = type.getShape();
  if (shape[1] == heads)
    return x;
  auto repeated = type.clone({shape[0], shape[1], heads / shape[1], shape[2], shape[3]});
  x = BroadcastInDimOp::create(b, b.getLoc(), repeated, x, ArrayRef<int64_t>{0, 1, 3, 4});
  return reshapeTo(b, x, type.clone({shape[0], heads, shape[2], shape[3]}));
}

Value nova::detail::additiveMask(ImplicitLocOpBuilder &b, Value mask, Type element) {
  RankedTensorType type = tensorType(mask);
  if (!type.getElementType().isInteger(1))
    return Term(b, mask).asType(element);
  auto number = [&](double value) -> Value {
    auto scalar = RankedTensorType::get({}, element);
    return ConstantOp::create(b, b.getLoc(), DenseElementsAttr::get(scalar, b.getFloatAttr(element, value)));
  };
  return SelectOp::create(b, b.getLoc(), mask, number(0), number(-std::numeric_limits<double>::infinity()));
}

/// A number for each query, [B, H, T], as [B, H, T, 1].
static Term asColumn(ImplicitLocOpBuilder &b, Value rows) {
  SmallVector<int64_t> shape(shapeOf(rows));
  shape.push_back(1);
  return Term(b, reshapeTo(b, rows, tensorType(rows).clone(shape)));
}

/// Adds to the gradients of q and k what the log-sum-exp gives them. Its derivative for the scores of a query are the
/// probabilities: for q that is attention to the keys themselves, for k its gradient.
static void addLseGradient(AttentionOp op, ImplicitLocOpBuilder &b, Value lseGradient, MutableArrayRef<Value> dxs) {
  Value q = op.getQ(), k = op.getK();
  Type element = tensorType(q).getElementType();
  auto keys = AttentionOp::create(b, b.getLoc(), q, k, k, op.getMask(), op.getCausalAttr(), op.getScaleAttr(),
                                  /*masked_value=*/FloatAttr(), /*origin=*/ValueRange());
  Term rows = asColumn(b, lseGradient) * op.getScaleOrDefault();
  Type wide = rows.getType().getElementType();
  auto scaled = [&](Value x) { return (rows * Term(b, x).asType(wide)).asType(element); };
  auto gradient =
      AttentionGradOp::create(b, b.getLoc(), scaled(q), q, k, k, keys.getResult(), keys.getLse(), op.getMask(),
                              op.getCausalAttr(), op.getScaleAttr(), /*masked_value=*/FloatAttr());
  auto add = [&](Value &sum, Value term) { sum = sum ? Term(b, sum) + Term(b, term) : Term(b, term); };
  add(dxs[0], scaled(keys.getResult()));
  add(dxs[1], gradient.getDv());
}

/// The gradient of what is added to the scores: that of the scores themselves, which does need a T x S tensor. One of
/// the results' gradients may be null.
static Value buildMaskGradient(AttentionOp op, ImplicitLocOpBuilder &b, Value resultGradient, Value lseGradient) {
  Type element = op.getLse().getType().getElementType();
  auto wide = [&](Value value) { return Term(b, value).asType(element); };
  auto product = [&](Value x, Value y) {
    Value repeated = repeatHeads(b, wide(y), op.getQ().getType().getDimSize(1));
    return Term(b, MatmulOp::create(b, b.getLoc(), wide(x), repeated, /*transpose_lhs=*/false, /*transpose_rhs=*/true,
                                    /*accumulate=*/TypeAttr()));
  };
  Term scores = product(op.getQ(), op.getK()) * op.getScaleOrDefault() + wide(op.getMask());
  // A row without keys: 0 in place of minus infinity keeps the difference defined.
  Term lse = asColumn(b, op.getLse());
  lse = lse.except(lse.compare(CompareKind::EQ, -std::numeric_limits<double>::infinity()), 0.0);
  Term probabilities = (scores - lse).apply<ExpOp>();
  if (op.getCausal()) {
    RankedTensorType type = scores.getType();
    auto positions = [&](unsigned axis) -> Value {
      SmallVector<int64_t> shape(2, 1);
      shape[axis] = type.getDimSize(2 + axis);
      return IotaOp::create(b, b.getLoc(), RankedTensorType::get(shape, b.getI64Type()), axis, /*origin=*/ValueRange());
    };
    Value hidden = CompareOp::create(b, b.getLoc(), CompareKind::LT, positions(0), positions(1));
    probabilities = probabilities.except(hidden, 0.0);
  }
  auto gradientOfResult = [&] {
    Term delta = (wide(resultGradient) * wide(op.getResult())).reduce(ReduceKind::Sum, 3);
    return product(resultGradient, op.getV()) - delta;
  };
  Term slope = resultGradient ? gradientOfResult() : asColumn(b, lseGradient);
  if (resultGradient && lseGradient)
    slope = slope + asColumn(b, lseGradient);
  Term gradient = probabilities * slope;
  return reduceToShape(b, gradient.asType(op.getMask().getType().getElementType()), op.getMask().getType());
}

LogicalResult AttentionOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (dys[0]) {
    auto gradient = AttentionGradOp::create(b, b.getLoc(), dys[0], getQ(), getK(), getV(), getResult(), getLse(),
                                            getMask(), getCausalAttr(), getScaleAttr(), getMaskedValueAttr());
    dxs[0] = gradient.getDq();
    dxs[1] = gradient.getDk();
    dxs[2] = gradient.getDv();
  }
  bool hasMaskGradient = getMask() && isa<FloatType>(getMask().getType().getElementType());
  if ((dys[1] || hasMaskGradient) && failed(requireStaticShapes(*this)))
    return failure();
  if (dys[1] && getMaskedValue())
    return emitOpError("has no gradient of its log-sum-exp with masked_value; spell attention out where it is needed");
  if (dys[1])
    addLseGradient(*this, b, dys[1], dxs);
  if (hasMaskGradient)
    dxs[3] = buildMaskGradient(*this, b, dys[0], dys[1]);
  return success();
}

//===----------------------------------------------------------------------===//
// Norms, read
//===----------------------------------------------------------------------===//

LogicalResult LayerNormOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  auto gradient =
      LayerNormGradOp::create(b, b.getLoc(), dys[0], getX(), getWeight(), getEpsAttr(), /*partials=*/IntegerAttr());
  dxs[0] = gradient.getDx();
  dxs[1] = gradient.getDweight();
  dxs[2] = gradient.getDbias();
  return success();
}

LogicalResult RmsNormOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  auto gradient =
      RmsNormGradOp::create(b, b.getLoc(), dys[0], getX(), getWeight(), getEpsAttr(), /*partials=*/IntegerAttr());
  dxs[0] = gradient.getDx();
  dxs[1] = gradient.getDweight();
  return success();
}

LogicalResult ReadOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return success(); // No operand: gradients for parameters are asked for by `value_and_grad` over arguments.
}
