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
Float sigmoid(Float x) { return reciprocal(exp(-x) + 1.0); }

constexpr double kGeluOuter = 0.79788456080286535588, kGeluInner = 0.044715; // sqrt(2 / pi)
constexpr double kHalfRoot = 0.70710678118654752440, kNormal = 0.39894228040143267794;

/// tanh form: x * sigmoid(2u) with u = sqrt(2 / pi) (x + 0.044715 x^3), accurate in the tail where 1 + tanh(u) is not.
Float geluTanh(Float x) { return x * sigmoid((x * ((x * x) * kGeluInner + 1.0)) * (2 * kGeluOuter)); }
Float geluTanhDerivative(Float x) {
  Float square = x * x;
  Float s = sigmoid((x * (square * kGeluInner + 1.0)) * (2 * kGeluOuter));
  Float slope = (square * (3 * kGeluInner) + 1.0) * (2 * kGeluOuter);
  return s + (x * slope) * (s * (x.constant(1.0) - s));
}
Float geluExact(Float x) { return (x * 0.5) * (erf(x * kHalfRoot) + 1.0); }
Float geluExactDerivative(Float x) { return (erf(x * kHalfRoot) + 1.0) * 0.5 + x * (exp((x * x) * -0.5) * kNormal); }

Float power(Float x, Float y) { return {x.b, math::PowFOp::create(x.b, x.v, y.v)}; }

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
  // NaN and both zeros fall through to x itself.
  return select(zero.less(x), x.constant(1), select(x.less(zero), x.constant(-1), x)).v;
}

Value integerDivide(ImplicitLocOpBuilder &b, Value x, Value y) {
  auto filled = [&](int64_t value) -> Value {
    TypedAttr a = b.getIntegerAttr(getElementTypeOrSelf(x), value);
    if (auto vector = dyn_cast<VectorType>(x.getType()))
      a = DenseElementsAttr::get(vector, Attribute(a));
    return arith::ConstantOp::create(b, a);
  };
  // x / 0 is 0, and x / -1 is -x, which wraps: neither may reach the machine's division.
  auto is = [&](int64_t value) { return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, y, filled(value)); };
  Value zero = is(0), minus = is(-1);
  Value safe = arith::SelectOp::create(b, arith::OrIOp::create(b, zero, minus), filled(1), y);
  Value quotient = arith::DivSIOp::create(b, x, safe);
  quotient = arith::SelectOp::create(b, minus, arith::SubIOp::create(b, filled(0), x), quotient);
  return arith::SelectOp::create(b, zero, filled(0), quotient);
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

/// The type of x with another element.
Type withElement(Value x, Type element) {
  auto vector = dyn_cast<VectorType>(x.getType());
  return vector ? Type(vector.clone(element)) : element;
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

/// As Nova's cast: floats to integers saturate, NaN gives 0; f16 and bf16 round although they live in f32.
Value convert(ImplicitLocOpBuilder &b, Value x, Type fromElement, Type toElement) {
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

/// 1 - beta^(step + 1) in f64, by squaring: exact to rounding, and needs no exp. Made where `step` is, once for a
/// block.
Value biasCorrection(ImplicitLocOpBuilder &b, double beta, Value step) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(step);
  auto integer = [&](int64_t x) -> Value { return arith::ConstantIntOp::create(b, b.getI64Type(), x); };
  Float base = Float(b, arith::ConstantOp::create(b, b.getF64FloatAttr(beta)));
  auto loop = scf::WhileOp::create(
      b, TypeRange{b.getI64Type(), b.getF64Type(), b.getF64Type()}, ValueRange{step, base.v, base.v},
      [&](OpBuilder &, Location, ValueRange carried) {
        Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, carried[0], integer(0));
        scf::ConditionOp::create(b, more, carried);
      },
      [&](OpBuilder &, Location, ValueRange carried) {
        Float square(b, carried[1]), product(b, carried[2]);
        Value odd = arith::TruncIOp::create(b, b.getI1Type(), carried[0]);
        Value rest = arith::ShRUIOp::create(b, carried[0], integer(1));
        scf::YieldOp::create(b, ValueRange{rest, (square * square).v, select(odd, product * square, product).v});
      });
  return (base.constant(1) - Float(b, loop.getResult(2))).v;
}

void adamw(ImplicitLocOpBuilder &b, AdamWOp op, ValueRange operands, SmallVectorImpl<Value> &results) {
  auto number = [](const APFloat &x) { return x.convertToDouble(); };
  double beta1 = number(op.getBeta1()), beta2 = number(op.getBeta2());
  // Parameter and moments have one type; the others come to it.
  Type element = getElementTypeOrSelf(operands[0]);
  auto asParameter = [&](Value x) -> Float { return {b, convert(b, x, getElementTypeOrSelf(x), element)}; };
  Float p{b, operands[0]}, g = asParameter(operands[1]), m{b, operands[2]}, v{b, operands[3]},
                           lr = asParameter(operands[4]), scale = asParameter(operands[6]);
  Value step = operands[5];
  if (auto splat = step.getDefiningOp<vector::BroadcastOp>())
    step = splat.getSource();
  auto correction = [&](double beta) -> Float {
    // Where the step is known, outside all loops over elements.
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfterValue(step);
    Value c = biasCorrection(b, beta, step);
    if (!element.isF64())
      c = arith::TruncFOp::create(b, element, c);
    if (auto vector = dyn_cast<VectorType>(p.v.getType()))
      c = vector::BroadcastOp::create(b, vector, c);
    return {b, c};
  };
  g = g * scale;
  m = m * beta1 + g * (1 - beta1);
  v = v * beta2 + (g * g) * (1 - beta2);
  Float denominator = sqrt(v / correction(beta2)) + number(op.getEps());
  double decay = number(op.getWeightDecay());
  if (decay != 0)
    p = p - p * (lr * decay);
  p = p - (lr / correction(beta1)) * (m / denominator);
  results.append({p.v, m.v, v.v});
}
} // namespace

LogicalResult nova::emitElementwise(ImplicitLocOpBuilder &b, Operation *op, ValueRange operands,
                                    SmallVectorImpl<Value> &results) {
  if (auto optimizer = dyn_cast<AdamWOp>(op))
    return adamw(b, optimizer, operands, results), success();
  SmallVector<Float> x;
  for (Value v : operands)
    x.push_back({b, v});
  bool floats = isa<FloatType>(getElementTypeOrSelf(operands.back()));
  Value y = operands.size() > 1 ? operands[1] : Value();
  auto elementOf = [](Value v) { return cast<RankedTensorType>(v.getType()).getElementType(); };
  auto zero = [&] { return arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(operands[0].getType()))); };
  auto ones = [&]() -> Value {
    TypedAttr a = b.getIntegerAttr(getElementTypeOrSelf(operands[0]), -1);
    if (auto vector = dyn_cast<VectorType>(operands[0].getType()))
      a = DenseElementsAttr::get(vector, Attribute(a));
    return arith::ConstantOp::create(b, a);
  };
  Value value =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](AbsOp) {
            return floats ? Value(math::AbsFOp::create(b, operands[0])) : Value(math::AbsIOp::create(b, operands[0]));
          })
          .Case([&](NegOp) { return floats ? (-x[0]).v : Value(arith::SubIOp::create(b, zero(), operands[0])); })
          .Case([&](SignOp) { return sign(b, operands[0]); })
          .Case([&](SquareOp) {
            return floats ? (x[0] * x[0]).v : Value(arith::MulIOp::create(b, operands[0], operands[0]));
          })
          .Case([&](SqrtOp) { return sqrt(x[0]).v; })
          .Case([&](RsqrtOp) { return reciprocal(sqrt(x[0])).v; })
          .Case([&](ReciprocalOp) { return reciprocal(x[0]).v; })
          .Case([&](ExpOp) { return exp(x[0]).v; })
          .Case([&](LogOp) { return Value(math::LogOp::create(b, operands[0])); })
          .Case([&](TanhOp) { return Value(math::TanhOp::create(b, operands[0])); })
          .Case([&](ErfOp) { return erf(x[0]).v; })
          .Case([&](ReluOp) {
            return floats ? Value(arith::MaximumFOp::create(b, operands[0], zero()))
                          : Value(arith::MaxSIOp::create(b, operands[0], zero()));
          })
          .Case([&](SigmoidOp) { return sigmoid(x[0]).v; })
          .Case([&](SiluOp) { return (x[0] * sigmoid(x[0])).v; })
          .Case([&](NotOp) { return Value(arith::XOrIOp::create(b, operands[0], ones())); })
          .Case([&](GeluOp gelu) { return (gelu.getForm() == GeluForm::Tanh ? geluTanh(x[0]) : geluExact(x[0])).v; })
          .Case([&](GeluGradOp gelu) {
            return (x[0] * (gelu.getForm() == GeluForm::Tanh ? geluTanhDerivative(x[1]) : geluExactDerivative(x[1]))).v;
          })
          .Case([&](AddOp) { return floats ? (x[0] + x[1]).v : Value(arith::AddIOp::create(b, operands[0], y)); })
          .Case([&](SubOp) { return floats ? (x[0] - x[1]).v : Value(arith::SubIOp::create(b, operands[0], y)); })
          .Case([&](MulOp) { return floats ? (x[0] * x[1]).v : Value(arith::MulIOp::create(b, operands[0], y)); })
          .Case([&](DivOp) { return floats ? (x[0] / x[1]).v : integerDivide(b, operands[0], y); })
          .Case([&](PowOp) { return power(x[0], x[1]).v; })
          .Case([&](MaxOp) {
            return floats ? Value(arith::MaximumFOp::create(b, operands[0], y))
                          : Value(arith::MaxSIOp::create(b, operands[0], y));
          })
          .Case([&](MinOp) {
            return floats ? Value(arith::MinimumFOp::create(b, operands[0], y))
                          : Value(arith::MinSIOp::create(b, operands[0], y));
          })
          .Case([&](AndOp) { return Value(arith::AndIOp::create(b, operands[0], y)); })
          .Case([&](OrOp) { return Value(arith::OrIOp::create(b, operands[0], y)); })
          .Case([&](XorOp) { return Value(arith::XOrIOp::create(b, operands[0], y)); })
          .Case([&](CompareOp op) { return compare(b, op.getKind(), operands[0], y); })
          .Case([&](SelectOp) { return Value(arith::SelectOp::create(b, operands[0], y, operands[2])); })
          .Case([&](CastOp op) { return convert(b, operands[0], elementOf(op.getX()), op.getType().getElementType()); })
          .Default([](Operation *) { return Value(); });
  results.push_back(value);
  return success(value != nullptr);
}
