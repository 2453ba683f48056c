//===- GeluMatcher.h - Gelu spelled out -------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_GELUMATCHER_H
#define NOVA_LIB_TRANSFORMS_GELUMATCHER_H

#include "Matchers.h"

#include <string>

namespace mlir::nova {

/// Recognises x * (1 + tanh(p(x))) / 2 and x * (1 + erf(p(x))) / 2 as a product in any order, with the polynomial p in
/// any spelling: x * x * x or pow(x, 3), sqrt(2 / pi) inside or outside of the sum.
class GeluMatcher {
public:
  /// Fails with a reason in `why` where the product is nearly gelu.
  LogicalResult match(Operation *root);

  Value x;
  GeluForm form = GeluForm::Tanh;
  std::string why;

private:
  /// A value as constant * product of factors.
  struct Product {
    Value value;
    double constant;
    SmallVector<Value, 4> factors;
  };
  /// Adds the product that is `value` to `products`, after those that it consists of.
  Product flatten(Value value, unsigned depth);
  LogicalResult matchFactor(Value factor);
  LogicalResult checkPolynomial(Value candidate);

  LogicalResult fail(const Twine &reason) {
    why = reason.str();
    return failure();
  }

  SmallVector<Product> products;
  /// The factor is constant + slope * function(argument).
  double constant = 0, slope = 0;
  Operation *function = nullptr;
};

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_GELUMATCHER_H
