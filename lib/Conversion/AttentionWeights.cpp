//===- AttentionWeights.cpp - The weights of scores, hidden ones too ------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionWeights.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;

/// A float of the type of `like`, or a vector of it.
static Value emitNumber(ImplicitLocOpBuilder &b, Value like, double number) {
  Type type = like.getType();
  TypedAttr element = b.getFloatAttr(getElementTypeOrSelf(type), number);
  if (auto vector = dyn_cast<VectorType>(type))
    element = DenseElementsAttr::get(vector, Attribute(element));
  return arith::ConstantOp::create(b, element);
}

Value nova::emitWeight(ImplicitLocOpBuilder &b, Value score, Value shift) {
  Value hidden = emitNumber(b, score, -std::numeric_limits<double>::infinity());
  Value isHidden = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, score, hidden);
  Value weight = math::ExpOp::create(b, arith::SubFOp::create(b, score, shift));
  return arith::SelectOp::create(b, isHidden, emitNumber(b, score, -0.0), weight);
}

Value nova::emitScoreGradient(ImplicitLocOpBuilder &b, Value weight, Value difference, Value scale) {
  Value gradient = arith::MulFOp::create(b, arith::MulFOp::create(b, weight, difference), scale);
  gradient = arith::AddFOp::create(b, gradient, emitNumber(b, weight, 0));
  return arith::SelectOp::create(b, emitIsVisible(b, weight), gradient, emitNumber(b, weight, -0.0));
}

Value nova::emitIsVisible(ImplicitLocOpBuilder &b, Value weight) {
  Type type = weight.getType();
  Type bits = b.getIntegerType(getElementTypeOrSelf(type).getIntOrFloatBitWidth());
  TypedAttr negativeZero = b.getIntegerAttr(bits, APInt::getSignMask(bits.getIntOrFloatBitWidth()));
  if (auto vector = dyn_cast<VectorType>(type)) {
    bits = vector.clone(bits);
    negativeZero = DenseElementsAttr::get(cast<VectorType>(bits), Attribute(negativeZero));
  }
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, arith::BitcastOp::create(b, bits, weight),
                               arith::ConstantOp::create(b, negativeZero));
}
