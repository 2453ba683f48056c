//===- Formula.h - Float arithmetic that reads like a formula ---*- C++ -*-===//
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

/// The type of x with another element.
inline Type withElement(Value x, Type element) {
  auto vector = dyn_cast<VectorType>(x.getType());
  return vector ? Type(vector.clone(element)) : element;
}

} // namespace mlir::nova

#endif // NOVA_LIB_CONVERSION_FORMULA_H
