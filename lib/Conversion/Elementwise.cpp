//===- Elementwise.cpp - The one table of what elementwise ops mean -------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Formula.h"
#include "TileEmitter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
Float reciprocal(Float x) { return x.constant(1.0) / x; }
/// 1 / (1 + exp(-x)), with an exponential that does not overflow where the result is tiny.
Float sigmoid(Float x) {
  Float e = exp(-absolute(x)), one = x.constant(1.0);
  return select(x.less(x.constant(0)), e, one) / (e + 1.0);
}

constexpr double kGeluOuter = 0.79788456080286535588, kGeluInner = 0.044715; // sqrt(2 / pi)
constexpr double kHalfRoot = 0.70710678118654752440, kNormal = 0.39894228040143267794;

/// tanh form: x * sigmoid(2u) with u = sqrt(2 / pi) (x + 0.044715 x^3), accurate in the tail where 1 + tanh(u) is not.
Float geluTanh(Float x) { return x * sigmoid((x * ((x * x) * kGeluInner + 1.0)) * (2 * kGeluOuter)); }
Float geluTanhDerivative(Float x) {
  // A bound that changes nothing where the derivative is not 0 or 1: an infinite square times 0 would be NaN.
  Float square{x.b, arith::MinimumFOp::create(x.b, (x * x).v, x.constant(1e10).v)};
  Float s = sigmoid((x * (square * kGeluInner + 1.0)) * (2 * kGeluOuter));
  Float slope = (square * (3 * kGeluInner) + 1.0) * (2 * kGeluOuter);
  // The product with what vanishes comes first: cubes of large numbers would be infinite.
  return s + (x * (s * (x.constant(1.0) - s))) * slope;
}
Float geluExact(Float x) { return (x * 0.5) * (erf(x * kHalfRoot) + 1.0); }
Float geluExactDerivative(Float x) { return (erf(x * kHalfRoot) + 1.0) * 0.5 + x * (exp((x * x) * -0.5) * kNormal); }

Float power(Float x, Float y) { return {x.b, math::PowFOp::create(x.b, x.v, y.v)}; }

template <typename Op> Value function(Float x) { return Op::create(x.b, x.v); }

Value sign(ImplicitLocOpBuilder &b, Value v) {
  if (!isa<FloatType>(getElementTypeOrSelf(v))) {
    Value zero = arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(v.getType())));
    Type type = v.getType();
    auto as = [&](arith::CmpIPredicate p) {
      return arith::ExtUIOp::create(b, type, arith::CmpIOp::create(b, p, v, zero));
    };
    return arith::SubIOp::create(b, as(arith::CmpIPredicate::sgt), as(arith::CmpIPredicate::slt));
  }
  Float x{b, v}, zero = x.constant(0);
  // NaN is neither above nor below.
  return select(zero.less(x), x.constant(1), select(x.less(zero), x.constant(-1), zero)).v;
}

Value integerLike(ImplicitLocOpBuilder &b, Value x, int64_t value) {
  return constantOf(b, x.getType(), b.getIntegerAttr(getElementTypeOrSelf(x), value));
}

/// A divisor, and where it is 0 or -1: 1 there, as neither may reach the machine's division.
struct Divisor {
  Value zero, minus, safe;
  Divisor(ImplicitLocOpBuilder &b, Value y) {
    auto is = [&](int64_t value) {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, y, integerLike(b, y, value));
    };
    zero = is(0), minus = is(-1);
    safe = arith::SelectOp::create(b, arith::OrIOp::create(b, zero, minus), integerLike(b, y, 1), y);
  }
};

/// x / 0 is 0, and x / -1 is -x, which wraps.
Value integerDivide(ImplicitLocOpBuilder &b, Value x, Value y) {
  Divisor divisor(b, y);
  Value none = integerLike(b, x, 0), quotient = arith::DivSIOp::create(b, x, divisor.safe);
  quotient = arith::SelectOp::create(b, divisor.minus, arith::SubIOp::create(b, none, x), quotient);
  return arith::SelectOp::create(b, divisor.zero, none, quotient);
}

/// x mod 0 is x; the remainder of a division by 1, in place of -1, is 0.
Value integerModulo(ImplicitLocOpBuilder &b, Value x, Value y) {
  Divisor divisor(b, y);
  Value none = integerLike(b, x, 0), remainder = arith::RemSIOp::create(b, x, divisor.safe);
  auto isNegative = [&](Value v) { return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, v, none); };
  Value rounds =
      arith::AndIOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::ne, remainder, none),
                            arith::CmpIOp::create(b, arith::CmpIPredicate::ne, isNegative(remainder), isNegative(y)));
  remainder = arith::SelectOp::create(b, rounds, arith::AddIOp::create(b, remainder, y), remainder);
  return arith::SelectOp::create(b, divisor.zero, x, remainder);
}

Value floatModulo(Float x, Float y) {
  ImplicitLocOpBuilder &b = x.b;
  Float remainder(b, arith::RemFOp::create(b, x.v, y.v)), zero = x.constant(0);
  Value isNotZero = arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, remainder.v, zero.v);
  Value differs = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, remainder.less(zero), y.less(zero));
  return select(arith::AndIOp::create(b, isNotZero, differs), remainder + y, remainder).v;
}

Value larger(ImplicitLocOpBuilder &b, Value x, Value y) {
  return isa<FloatType>(getElementTypeOrSelf(x)) ? Value(arith::MaximumFOp::create(b, x, y))
                                                 : Value(arith::MaxSIOp::create(b, x, y));
}
Value smaller(ImplicitLocOpBuilder &b, Value x, Value y) {
  return isa<FloatType>(getElementTypeOrSelf(x)) ? Value(arith::MinimumFOp::create(b, x, y))
                                                 : Value(arith::MinSIOp::create(b, x, y));
}

Value compare(ImplicitLocOpBuilder &b, CompareKind kind, Value x, Value y) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  static constexpr F floats[] = {F::OEQ, F::UNE, F::OLT, F::OLE, F::OGT, F::OGE};
  static constexpr I ints[] = {I::eq, I::ne, I::slt, I::sle, I::sgt, I::sge};
  static constexpr I bits[] = {I::eq, I::ne, I::ult, I::ule, I::ugt, I::uge};
  Type element = getElementTypeOrSelf(x);
  unsigned i = unsigned(kind);
  if (isa<FloatType>(element))
    return arith::CmpFOp::create(b, floats[i], x, y);
  return arith::CmpIOp::create(b, element.isInteger(1) ? bits[i] : ints[i], x, y);
}

/// f64 to f32, rounded to odd: towards zero, with the last bit set where that was inexact. A second rounding, to a
/// narrower type, then gives what one rounding would have given; LLVM would call a function for it.
Value toOddF32(ImplicitLocOpBuilder &b, Value x) {
  Value nearest = arith::TruncFOp::create(b, withElement(x, b.getF32Type()), x);
  Value back = arith::ExtFOp::create(b, x.getType(), nearest);
  Value isInexact = arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, back, x);
  Value isLarger = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, math::AbsFOp::create(b, back).getResult(),
                                         math::AbsFOp::create(b, x).getResult());
  Type bitsType = withElement(x, b.getI32Type());
  Value bits = arith::BitcastOp::create(b, bitsType, nearest);
  bits = arith::SubIOp::create(b, bits, arith::ExtUIOp::create(b, bitsType, isLarger).getResult());
  bits = arith::OrIOp::create(b, bits, arith::ExtUIOp::create(b, bitsType, isInexact).getResult());
  return arith::BitcastOp::create(b, nearest.getType(), bits);
}
} // namespace

Value nova::emitCast(ImplicitLocOpBuilder &b, Value x, Type fromElement, Type toElement) {
  auto typed = [&](Type element) { return withElement(x, element); };
  if (fromElement.isF64() && isa<FloatType>(toElement) && toElement != computeType(toElement))
    x = toOddF32(b, x), fromElement = b.getF32Type();
  Type from = computeType(fromElement), to = computeType(toElement);
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  if (toElement.isInteger(1)) {
    if (fromElement.isInteger(1))
      return x;
    Value zero = arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(x.getType())));
    return fromFloat ? Value(arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, x, zero))
                     : Value(arith::CmpIOp::create(b, arith::CmpIPredicate::ne, x, zero));
  }
  if (fromFloat && !toFloat)
    return LLVM::CallIntrinsicOp::create(b, typed(to), b.getStringAttr("llvm.fptosi.sat"), ValueRange{x}).getResult(0);
  Value value = x;
  if (!fromFloat && toFloat)
    value = fromElement.isInteger(1) ? Value(arith::UIToFPOp::create(b, typed(to), x))
                                     : Value(arith::SIToFPOp::create(b, typed(to), x));
  else if (!fromFloat) {
    unsigned have = from.getIntOrFloatBitWidth(), want = to.getIntOrFloatBitWidth();
    if (have > want)
      return arith::TruncIOp::create(b, typed(to), x);
    if (have < want)
      return fromElement.isInteger(1) ? Value(arith::ExtUIOp::create(b, typed(to), x))
                                      : Value(arith::ExtSIOp::create(b, typed(to), x));
    return x;
  } else if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
    value = arith::ExtFOp::create(b, typed(to), x);
  else if (from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth() && toElement == to)
    value = arith::TruncFOp::create(b, typed(to), x);
  if (toElement != to) // rounded to the narrow type, kept in the wide one
    value = arith::ExtFOp::create(b, typed(to), arith::TruncFOp::create(b, typed(toElement), value).getResult());
  return value;
}

LogicalResult nova::emitElementwise(ImplicitLocOpBuilder &b, Operation *op, ValueRange operands,
                                    SmallVectorImpl<Value> &results) {
  if (isa<AdamWOp, AdamOp, SgdOp>(op))
    return emitOptimizer(b, op, operands, results), success();
  SmallVector<Float> x;
  for (Value v : operands)
    x.push_back({b, v});
  bool floats = isa<FloatType>(getElementTypeOrSelf(operands.back()));
  Value y = operands.size() > 1 ? operands[1] : Value();
  auto elementOf = [](Value v) { return tensorType(v).getElementType(); };
  auto zero = [&] { return arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(operands[0].getType()))); };
  Value value =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](AbsOp) {
            return floats ? Value(math::AbsFOp::create(b, operands[0])) : Value(math::AbsIOp::create(b, operands[0]));
          })
          .Case([&](NegOp) { return floats ? (-x[0]).v : Value(arith::SubIOp::create(b, zero(), operands[0])); })
          .Case([&](StopGradientOp) { return operands[0]; })
          .Case([&](SignOp) { return sign(b, operands[0]); })
          .Case([&](SquareOp) {
            return floats ? (x[0] * x[0]).v : Value(arith::MulIOp::create(b, operands[0], operands[0]));
          })
          .Case([&](SqrtOp) { return sqrt(x[0]).v; })
          .Case([&](RsqrtOp) { return reciprocal(sqrt(x[0])).v; })
          .Case([&](ReciprocalOp) { return reciprocal(x[0]).v; })
          .Case([&](ExpOp) { return exp(x[0]).v; })
          .Case([&](ErfOp) { return copySign(erf(x[0]), x[0]).v; }) // of -0
          .Case([&](Exp2Op) { return function<math::Exp2Op>(x[0]); })
          .Case([&](Expm1Op) { return function<math::ExpM1Op>(x[0]); })
          .Case([&](LogOp) { return function<math::LogOp>(x[0]); })
          .Case([&](Log2Op) { return function<math::Log2Op>(x[0]); })
          .Case([&](Log10Op) { return function<math::Log10Op>(x[0]); })
          .Case([&](Log1pOp) { return function<math::Log1pOp>(x[0]); })
          .Case([&](SinOp) { return function<math::SinOp>(x[0]); })
          .Case([&](CosOp) { return function<math::CosOp>(x[0]); })
          .Case([&](TanOp) { return function<math::TanOp>(x[0]); })
          .Case([&](AsinOp) { return function<math::AsinOp>(x[0]); })
          .Case([&](AcosOp) { return function<math::AcosOp>(x[0]); })
          .Case([&](AtanOp) { return function<math::AtanOp>(x[0]); })
          .Case([&](SinhOp) { return function<math::SinhOp>(x[0]); })
          .Case([&](CoshOp) { return function<math::CoshOp>(x[0]); })
          .Case([&](TanhOp) { return function<math::TanhOp>(x[0]); })
          .Case([&](AsinhOp) { return function<math::AsinhOp>(x[0]); })
          .Case([&](AcoshOp) { return function<math::AcoshOp>(x[0]); })
          .Case([&](AtanhOp) { return function<math::AtanhOp>(x[0]); })
          .Case([&](FloorOp) { return function<math::FloorOp>(x[0]); })
          .Case([&](CeilOp) { return function<math::CeilOp>(x[0]); })
          .Case([&](RoundOp) { return function<math::RoundEvenOp>(x[0]); })
          .Case([&](ReluOp) { return larger(b, operands[0], zero()); })
          .Case([&](SigmoidOp) { return sigmoid(x[0]).v; })
          .Case([&](SiluOp) { return (x[0] * sigmoid(x[0])).v; })
          .Case([&](NotOp) { return Value(arith::XOrIOp::create(b, operands[0], integerLike(b, operands[0], -1))); })
          .Case([&](GeluOp gelu) { return (gelu.getForm() == GeluForm::Tanh ? geluTanh(x[0]) : geluExact(x[0])).v; })
          .Case([&](GeluGradOp gelu) {
            return (x[0] * (gelu.getForm() == GeluForm::Tanh ? geluTanhDerivative(x[1]) : geluExactDerivative(x[1]))).v;
          })
          .Case([&](AddOp) { return floats ? (x[0] + x[1]).v : Value(arith::AddIOp::create(b, operands[0], y)); })
          .Case([&](SubOp) { return floats ? (x[0] - x[1]).v : Value(arith::SubIOp::create(b, operands[0], y)); })
          .Case([&](MulOp) { return floats ? (x[0] * x[1]).v : Value(arith::MulIOp::create(b, operands[0], y)); })
          .Case([&](DivOp) { return floats ? (x[0] / x[1]).v : integerDivide(b, operands[0], y); })
          .Case([&](PowOp) { return power(x[0], x[1]).v; })
          .Case([&](ModOp) { return floats ? floatModulo(x[0], x[1]) : integerModulo(b, operands[0], y); })
          .Case([&](MaxOp) { return larger(b, operands[0], y); })
          .Case([&](MinOp) { return smaller(b, operands[0], y); })
          .Case([&](ClampOp) { return smaller(b, larger(b, operands[0], y), operands[2]); })
          .Case([&](AndOp) { return Value(arith::AndIOp::create(b, operands[0], y)); })
          .Case([&](OrOp) { return Value(arith::OrIOp::create(b, operands[0], y)); })
          .Case([&](XorOp) { return Value(arith::XOrIOp::create(b, operands[0], y)); })
          .Case([&](CompareOp op) { return compare(b, op.getKind(), operands[0], y); })
          .Case([&](SelectOp) { return Value(arith::SelectOp::create(b, operands[0], y, operands[2])); })
          .Case(
              [&](CastOp op) { return emitCast(b, operands[0], elementOf(op.getX()), op.getType().getElementType()); })
          .Default([](Operation *) { return Value(); });
  results.push_back(value);
  return success(value != nullptr);
}
