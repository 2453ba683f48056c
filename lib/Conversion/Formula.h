//===- Formula.h - Arithmetic that reads like a formula --------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_CONVERSION_FORMULA_H
#define NOVA_LIB_CONVERSION_FORMULA_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::nova {

/// A constant of `type`: the scalar, or a vector with it in every lane.
inline Value constantOf(ImplicitLocOpBuilder &b, Type type, TypedAttr scalar) {
  if (auto vector = dyn_cast<VectorType>(type))
    scalar = DenseElementsAttr::get(vector, Attribute(scalar));
  return arith::ConstantOp::create(b, scalar);
}

/// The type of x with another element.
inline Type withElement(Value x, Type element) {
  auto vector = dyn_cast<VectorType>(x.getType());
  return vector ? Type(vector.clone(element)) : element;
}

/// A float or a vector of them. Products and sums may fuse.
struct Float {
  ImplicitLocOpBuilder &b;
  Value v;
  static constexpr auto contract = arith::FastMathFlags::contract;

  Float(ImplicitLocOpBuilder &b, Value v) : b(b), v(v) {}
  Float(const Float &) = default;
  Float &operator=(const Float &o) {
    v = o.v;
    return *this;
  }

  Float constant(double x) const { return {b, constantOf(b, v.getType(), b.getFloatAttr(getElementTypeOrSelf(v), x))}; }
  Float operator+(Float o) const { return {b, arith::AddFOp::create(b, v, o.v, contract)}; }
  Float operator-(Float o) const { return {b, arith::SubFOp::create(b, v, o.v, contract)}; }
  Float operator*(Float o) const { return {b, arith::MulFOp::create(b, v, o.v, contract)}; }
  Float operator/(Float o) const { return {b, arith::DivFOp::create(b, v, o.v)}; }
  Float operator-() const { return {b, arith::NegFOp::create(b, v)}; }
  Float operator+(double x) const { return *this + constant(x); }
  Float operator-(double x) const { return *this - constant(x); }
  Float operator*(double x) const { return *this * constant(x); }
  Value less(Float o) const { return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, v, o.v); }
  Value equal(Float o) const { return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, v, o.v); }
};

/// An integer or a vector of them, of any width. Operations wrap; a number on the right has the width of the left.
struct Integer {
  ImplicitLocOpBuilder &b;
  Value v;

  Integer(ImplicitLocOpBuilder &b, Value v) : b(b), v(v) {}
  Integer(const Integer &) = default;
  Integer &operator=(const Integer &o) {
    v = o.v;
    return *this;
  }
  static Integer bitsOf(Float x) {
    Type element = x.b.getIntegerType(getElementTypeOrSelf(x.v).getIntOrFloatBitWidth());
    return {x.b, arith::BitcastOp::create(x.b, withElement(x.v, element), x.v)};
  }
  /// The integer part of an f64, in 64 bits.
  static Integer truncated(Float x) {
    return {x.b, arith::FPToSIOp::create(x.b, withElement(x.v, x.b.getI64Type()), x.v)};
  }
  /// The f32 or f64 of these bits.
  Float asBits() const {
    bool isWide = getElementTypeOrSelf(v).isInteger(64);
    return {b, arith::BitcastOp::create(b, withElement(v, isWide ? Type(b.getF64Type()) : b.getF32Type()), v)};
  }
  Value toSigned(Type element) const { return arith::SIToFPOp::create(b, withElement(v, element), v); }
  Value toUnsigned(Type element) const { return arith::UIToFPOp::create(b, withElement(v, element), v); }

  Integer constant(uint64_t value) const {
    auto element = cast<IntegerType>(getElementTypeOrSelf(v));
    APInt number(element.getWidth(), value, /*isSigned=*/false, /*implicitTrunc=*/true);
    return {b, constantOf(b, v.getType(), b.getIntegerAttr(element, number))};
  }
  Integer operator+(Integer o) const { return {b, arith::AddIOp::create(b, v, o.v)}; }
  Integer operator-(Integer o) const { return {b, arith::SubIOp::create(b, v, o.v)}; }
  Integer operator*(Integer o) const { return {b, arith::MulIOp::create(b, v, o.v)}; }
  Integer operator&(Integer o) const { return {b, arith::AndIOp::create(b, v, o.v)}; }
  Integer operator|(Integer o) const { return {b, arith::OrIOp::create(b, v, o.v)}; }
  Integer operator^(Integer o) const { return {b, arith::XOrIOp::create(b, v, o.v)}; }
  Integer operator<<(Integer o) const { return {b, arith::ShLIOp::create(b, v, o.v)}; }
  Integer operator>>(Integer o) const { return {b, arith::ShRUIOp::create(b, v, o.v)}; }
  Integer operator+(uint64_t o) const { return *this + constant(o); }
  Integer operator-(uint64_t o) const { return *this - constant(o); }
  Integer operator*(uint64_t o) const { return *this * constant(o); }
  Integer operator&(uint64_t o) const { return *this & constant(o); }
  Integer operator^(uint64_t o) const { return *this ^ constant(o); }
  Integer operator<<(uint64_t o) const { return *this << constant(o); }
  Integer operator>>(uint64_t o) const { return *this >> constant(o); }
  /// Keeps the sign.
  Integer arithmeticShift(uint64_t o) const { return {b, arith::ShRSIOp::create(b, v, constant(o).v)}; }
  Value is(uint64_t o) const { return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, v, constant(o).v); }
  /// Where any bit is set.
  Value isSet() const { return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, v, constant(0).v); }

  /// Halves of 64 bits, in 32, and the way back.
  Integer low() const { return {b, arith::TruncIOp::create(b, withElement(v, b.getI32Type()), v)}; }
  Integer high() const { return (*this >> 32).low(); }
  Integer wide() const { return {b, arith::ExtUIOp::create(b, withElement(v, b.getI64Type()), v)}; }
};

inline Integer select(Value condition, Integer x, Integer y) {
  return {x.b, arith::SelectOp::create(x.b, condition, x.v, y.v)};
}
inline Float select(Value condition, Float x, Float y) {
  return {x.b, arith::SelectOp::create(x.b, condition, x.v, y.v)};
}
inline Float exp(Float x) { return {x.b, math::ExpOp::create(x.b, x.v)}; }
inline Float log(Float x) { return {x.b, math::LogOp::create(x.b, x.v)}; }
inline Float erf(Float x) { return {x.b, math::ErfOp::create(x.b, x.v)}; }
inline Float sqrt(Float x) { return {x.b, math::SqrtOp::create(x.b, x.v)}; }
inline Float floor(Float x) { return {x.b, math::FloorOp::create(x.b, x.v)}; }
inline Float absolute(Float x) { return {x.b, math::AbsFOp::create(x.b, x.v)}; }
inline Float copySign(Float x, Float sign) { return {x.b, math::CopySignOp::create(x.b, x.v, sign.v)}; }
inline Float fma(Float x, Float y, Float z) { return {x.b, math::FmaOp::create(x.b, x.v, y.v, z.v)}; }

} // namespace mlir::nova

#endif // NOVA_LIB_CONVERSION_FORMULA_H
