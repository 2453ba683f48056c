//===- AttentionWeights.cpp - The weights of scores, hidden ones too ------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionWeights.h"
#include "Formula.h"

#include <limits>

using namespace mlir;
using namespace mlir::nova;

/// A float of the type of `like`, or a vector of it.
static Value emitNumber(ImplicitLocOpBuilder &b, Value like, double number) {
  return Float(b, like).constant(number).v;
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
  Integer bits = Integer::bitsOf({b, weight});
  Integer negativeZero = bits.constant(uint64_t(1) << (getElementTypeOrSelf(weight).getIntOrFloatBitWidth() - 1));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bits.v, negativeZero.v);
}
