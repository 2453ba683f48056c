//===- DoubleFunctions.h - Functions of f64 by arithmetic -------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For devices without a math library, and for functions of f32 that have no polynomial of their own. Scalars and
// vectors alike. Results are within a few units in the last place of f64, powers to 1e-13.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_CONVERSION_DOUBLEFUNCTIONS_H
#define NOVA_LIB_CONVERSION_DOUBLEFUNCTIONS_H

#include "Formula.h"

namespace mlir::nova::doubles {

Float exp(Float x);
Float exp2(Float x);
Float expm1(Float x);
Float log(Float x);
Float log2(Float x);
Float log10(Float x);
Float log1p(Float x);
/// C's pow.
Float power(Float x, Float y);
Float erf(Float x);
/// As C's fmod: exact. `widest` is the largest exponent that a quotient has: 277 for numbers of f32, 2098 for f64.
Float remainder(Float x, Float y, int widest);

Float sin(Float x);
Float cos(Float x);
Float tan(Float x);
// Functions of numbers that are exact in f32, for which fewer bits of pi do.
Float sinOfSingle(Float x);
Float cosOfSingle(Float x);
Float tanOfSingle(Float x);

Float asin(Float x);
Float acos(Float x);
Float atan(Float x);
Float sinh(Float x);
Float cosh(Float x);
Float tanh(Float x);
Float asinh(Float x);
Float acosh(Float x);
Float atanh(Float x);

} // namespace mlir::nova::doubles

#endif // NOVA_LIB_CONVERSION_DOUBLEFUNCTIONS_H
