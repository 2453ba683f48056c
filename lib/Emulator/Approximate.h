//===- Approximate.h - Approximate functions --------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Better than what PTX promises of the .approx instructions (2 ulp, 2^-22, for tanh 2^-11), and vector code on the
// host.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_APPROXIMATE_H
#define NOVA_LIB_EMULATOR_APPROXIMATE_H

#include "Rounding.h"

namespace nova::emulator {

/// 2^x, subnormal results included.
NOVA_LANES float exp2Of(float x) {
  // Beyond these the result is 0 or infinity anyhow. NaN becomes a number here and is restored at the end.
  float clamped = x > -160.0f ? x : -160.0f;
  clamped = clamped < 130.0f ? clamped : 130.0f;
  float whole = (clamped + 0x1.8p23f) - 0x1.8p23f, rest = clamped - whole; // rest in [-0.5, 0.5]
  float p = 1.5252733e-5f;
  p = p * rest + 1.5403530e-4f;
  p = p * rest + 1.3333558e-3f;
  p = p * rest + 9.6181291e-3f;
  p = p * rest + 5.5504109e-2f;
  p = p * rest + 2.4022651e-1f;
  p = p * rest + 6.9314718e-1f;
  p = p * rest + 1.0f;
  // Two factors, since one exponent alone may be beyond a float.
  int32_t exponent = static_cast<int32_t>(whole), half = exponent >> 1, other = exponent - half;
  float result = p * bitsAs<float>((half + 127) << 23) * bitsAs<float>((other + 127) << 23);
  return x != x ? x : result;
}

NOVA_LANES float log2Of(float x) {
  // Subnormal numbers are scaled into range.
  bool isSmall = x < 0x1p-126f;
  float scaled = isSmall ? x * 0x1p24f : x;
  uint32_t bits = bitsAs<uint32_t>(scaled);
  int32_t shifted = static_cast<int32_t>(bits - 0x3f3504f3); // from sqrt(1/2) on
  double exponent = (shifted >> 23) - (isSmall ? 24 : 0);
  double m = bitsAs<float>(static_cast<uint32_t>((shifted & 0x007fffff) + 0x3f3504f3));
  double s = (m - 1) / (m + 1), q = s * s;
  double series = s * (1 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9 + q * (1.0 / 11))))));
  float result = static_cast<float>(exponent + series * 2.8853900817779268);
  result = x == HUGE_VALF ? x : result;
  result = x == 0 ? -HUGE_VALF : result;
  return x >= 0 ? result : bitsAs<float>(kNan32);
}

NOVA_LANES float tanhOf(float x) {
  float magnitude = __builtin_fabsf(x);
  float e = exp2Of(-2.8853901f * magnitude);
  float result = (1.0f - e) / (1.0f + e);
  result = magnitude < 0.004f ? magnitude : result;
  result = x != x ? bitsAs<float>(kNan32) : result;
  return bitsAs<float>((bitsAs<uint32_t>(result) & 0x7fffffff) | (bitsAs<uint32_t>(x) & 0x80000000));
}

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_APPROXIMATE_H
