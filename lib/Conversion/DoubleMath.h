//===- DoubleMath.h - Functions that become f64 arithmetic ------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_CONVERSION_DOUBLEMATH_H
#define NOVA_LIB_CONVERSION_DOUBLEMATH_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::nova {

/// Functions of f32: exp by a polynomial, the others but tanh, erf and powf computed in f64, correct to the last place or
/// nearly so. And expm1 and log1p of f64.
void populateSingleMathPatterns(RewritePatternSet &patterns);
/// Functions of f64 without a math library, to a few units in the last place: all of `math`; and pow of f32, a
/// power to 1e-13.
void populateDoubleMathPatterns(RewritePatternSet &patterns);

} // namespace mlir::nova

#endif // NOVA_LIB_CONVERSION_DOUBLEMATH_H
