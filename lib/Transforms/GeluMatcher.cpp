//===- GeluMatcher.cpp - Gelu spelled out ---------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeluMatcher.h"
#include "KnownValue.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nova;

/// An activation is a handful of ops; the limit keeps the search from walking through the model.
static constexpr unsigned kMaxDepth = 8;

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

/// Coefficients of 1, x, x^2 and x^3.
using Polynomial = std::array<double, 4>;

static std::optional<Polynomial> multiply(const Polynomial &a, const Polynomial &b) {
  Polynomial product = {};
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < 4; ++j) {
      double term = a[i] * b[j];
      if (i + j < 4)
        product[i + j] += term;
      else if (term != 0)
        return std::nullopt;
    }
  }
  return product;
}

/// `value` as a polynomial in x.
static std::optional<Polynomial> asPolynomial(Value value, Value x, unsigned depth = 0) {
  using Result = std::optional<Polynomial>;
  if (value == x)
    return Polynomial{0, 1, 0, 0};
  if (std::optional<double> number = getUniformValue(value))
    return Polynomial{*number, 0, 0, 0};
  Operation *op = value.getDefiningOp();
  if (!op || depth == kMaxDepth || value.getType() != x.getType())
    return std::nullopt;
  auto operand = [&](Value v) { return asPolynomial(v, x, depth + 1); };
  auto sum = [&](Value lhs, Value rhs, double sign) -> Result {
    Result a = operand(lhs), b = a ? operand(rhs) : std::nullopt;
    if (!b)
      return std::nullopt;
    for (size_t i = 0; i < 4; ++i)
      (*a)[i] += sign * (*b)[i];
    return a;
  };
  auto product = [&](Result a, Result b) { return a && b ? multiply(*a, *b) : std::nullopt; };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](AddOp add) { return sum(add.getLhs(), add.getRhs(), 1); })
      .Case([&](SubOp sub) { return sum(sub.getLhs(), sub.getRhs(), -1); })
      .Case([&](NegOp neg) { return product(Polynomial{-1, 0, 0, 0}, operand(neg.getX())); })
      .Case([&](MulOp mul) { return product(operand(mul.getLhs()), operand(mul.getRhs())); })
      .Case([&](DivOp div) -> Result {
        std::optional<double> divisor = getUniformValue(div.getRhs());
        return divisor ? product(operand(div.getLhs()), Polynomial{1 / *divisor, 0, 0, 0}) : std::nullopt;
      })
      .Case([&](SquareOp square) {
        Result base = operand(square.getX());
        return product(base, base);
      })
      .Case([&](PowOp pow) -> Result {
        std::optional<double> exponent = getUniformValue(pow.getRhs());
        Result base = operand(pow.getLhs());
        if (exponent != 2.0 && exponent != 3.0)
          return std::nullopt;
        return exponent == 2.0 ? product(base, base) : product(base, product(base, base));
      })
      .Default([](Operation *) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

GeluMatcher::Product GeluMatcher::flatten(Value value, unsigned depth) {
  Operation *op = value.getDefiningOp();
  Product product{value, 1.0, {value}};
  if (std::optional<Scaled> scaled = depth < kMaxDepth ? matchScaled(op) : std::nullopt) {
    product = flatten(scaled->x, depth + 1);
    product.constant *= scaled->factor;
  } else if (auto mul = dyn_cast_or_null<MulOp>(op); mul && depth < kMaxDepth) {
    Product lhs = flatten(mul.getLhs(), depth + 1), rhs = flatten(mul.getRhs(), depth + 1);
    product.constant = lhs.constant * rhs.constant;
    product.factors = std::move(lhs.factors);
    llvm::append_range(product.factors, rhs.factors);
  }
  product.value = value;
  products.push_back(product);
  return product;
}

/// Matches constant + slope * tanh(...), or the same with erf.
LogicalResult GeluMatcher::matchFactor(Value factor) {
  if (auto cast = factor.getDefiningOp<CastOp>(); cast && succeeded(matchFactor(cast.getX())))
    return fail("the element type changes inside the activation");
  auto add = factor.getDefiningOp<AddOp>();
  if (!add)
    return failure();
  for (auto [x, other] : bothOrders(add)) {
    std::optional<double> number = getUniformValue(other);
    std::optional<Scaled> scaled = matchScaled(x.getDefiningOp());
    Operation *op = scaled ? scaled->x.getDefiningOp() : x.getDefiningOp();
    if (!number || !isa_and_nonnull<TanhOp, ErfOp>(op))
      continue;
    constant = *number;
    slope = scaled ? scaled->factor : 1.0;
    function = op;
    form = isa<TanhOp>(op) ? GeluForm::Tanh : GeluForm::Exact;
    return success();
  }
  return failure();
}

LogicalResult GeluMatcher::checkPolynomial(Value candidate) {
  std::optional<Polynomial> found = asPolynomial(function->getOperand(0), candidate);
  if (!found || (*found)[1] == 0)
    return failure();
  const double root = std::sqrt(2.0 / M_PI);
  Polynomial expected = {0, M_SQRT1_2, 0, 0};
  if (form == GeluForm::Tanh)
    expected = {0, root, 0, root * 0.044715};
  Type element = tensorType(candidate).getElementType();
  for (size_t i = 0; i < 4; ++i)
    if (!isNear((*found)[i], expected[i], element, /*literals=*/2))
      return fail(llvm::formatv("the coefficient of x^{0} in the argument of {1} is {2}, gelu's is {3}", i,
                                form == GeluForm::Tanh ? "tanh" : "erf", toText((*found)[i]), toText(expected[i])));
  return success();
}

LogicalResult GeluMatcher::match(Operation *root) {
  Product whole = flatten(root->getResult(0), 0);
  auto factor = llvm::find_if(whole.factors, [&](Value f) { return succeeded(matchFactor(f)) || !why.empty(); });
  if (!why.empty() || factor == whole.factors.end() || whole.factors.size() < 2)
    return failure();
  // The other factors are x, which may be a product itself.
  for (const Product &product : products) {
    if (product.factors.size() + 1 != whole.factors.size() || llvm::is_contained(product.factors, *factor))
      continue;
    if (succeeded(checkPolynomial(product.value))) {
      why.clear();
      x = product.value;
      double scale = whole.constant / product.constant;
      Type element = tensorType(x).getElementType();
      if (!isNear(scale * constant, 0.5, element) || !isNear(scale * slope, 0.5, element))
        return fail(llvm::formatv("the product is x * ({0} + {1} {2}), gelu is x * (0.5 + 0.5 {2})",
                                  toText(scale * constant), toText(scale * slope),
                                  form == GeluForm::Tanh ? "tanh" : "erf"));
      if (!function->hasOneUse())
        return fail("the result of " + function->getName().getStringRef() + " is used elsewhere too");
      return success();
    }
  }
  return failure();
}
