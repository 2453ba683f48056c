//===- DoubleMath.h - f64 functions without a math library ------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_CONVERSION_DOUBLEMATH_H
#define NOVA_LIB_CONVERSION_DOUBLEMATH_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::nova {

/// Expands `math` functions of f64 scalars, and pow of f32, to arithmetic: exp, log, tanh, erf and powf, to a few units
/// in the last place; a power to 1e-13.
void populateDoubleMathPatterns(RewritePatternSet &patterns);

} // namespace mlir::nova

#endif // NOVA_LIB_CONVERSION_DOUBLEMATH_H
