//===- Rounding.h - Rounding as PTX defines it ------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_ROUNDING_H
#define NOVA_LIB_EMULATOR_ROUNDING_H

#include "Lanes.h"

#include <cmath>

namespace nova::emulator {

enum class Rounding : uint8_t { Nearest, Zero, Down, Up, NearestAway };

// Every operation on f32 that gives NaN gives this one; f16 and bf16 have one each. f64 keeps payloads.
constexpr uint32_t kNan32 = 0x7fffffff;
constexpr uint16_t kNan16 = 0x7fff; ///< of f16 and of bf16
constexpr uint64_t kNan64 = 0xfff8000000000000;

/// A binary floating-point format of at most 32 bits.
struct FloatFormat {
  int mantissaBits;
  int leastExponent; ///< of normal numbers
  uint32_t infinity; ///< its bits, or those of NaN where there is no infinity
  bool hasInfinity;
  uint32_t largest; ///< bits of the largest finite number
  uint32_t nan;
  uint32_t signBit;
};
constexpr FloatFormat kF32 = {23, -126, 0x7f800000, true, 0x7f7fffff, kNan32, 0x80000000};
constexpr FloatFormat kF16 = {10, -14, 0x7c00, true, 0x7bff, kNan16, 0x8000};
constexpr FloatFormat kBF16 = {7, -126, 0x7f80, true, 0x7f7f, kNan16, 0x8000};
constexpr FloatFormat kTF32 = {10, -126, 0x3fc00, true, 0x3fbff, 0x3ffff, 0x40000}; ///< the upper 19 bits of an f32
constexpr FloatFormat kE4M3 = {3, -6, 0x7f, false, 0x7e, 0x7f, 0x80};
constexpr FloatFormat kE5M2 = {2, -14, 0x7c, true, 0x7b, 0x7f, 0x80};

/// Rounds once, from the exact value. With `saturate` what is beyond the largest finite number becomes it.
uint32_t roundTo(const FloatFormat &format, double value, Rounding mode, bool saturate = false);
/// Exact.
double widen(const FloatFormat &format, uint32_t bits);

// Arithmetic in a rounding mode; slow, for what is not to nearest.
enum class Arithmetic : uint8_t { Add, Subtract, Multiply, Fma, Divide, Reciprocal, SquareRoot };
double computeRounded(Arithmetic operation, Rounding mode, double a, double b, double c);
float computeRounded(Arithmetic operation, Rounding mode, float a, float b, float c);

//===----------------------------------------------------------------------===//
// These work on one lane, in loops over lanes
//===----------------------------------------------------------------------===//

NOVA_LANES float flushed(float value) {
  uint32_t bits = bitsAs<uint32_t>(value);
  return (bits & 0x7f800000) == 0 ? bitsAs<float>(bits & 0x80000000) : value;
}
/// On the bits: to a compiler one NaN is as good as another.
NOVA_LANES float canonical(float value) {
  uint32_t bits = bitsAs<uint32_t>(value);
  return bitsAs<float>((bits & 0x7fffffff) > 0x7f800000 ? kNan32 : bits);
}
/// .sat: to [0, 1], NaN to 0.
NOVA_LANES float saturated(float value) {
  float low = value > 0.0f ? value : 0.0f;
  return low < 1.0f ? low : 1.0f;
}

NOVA_LANES float f16ToF32(uint16_t half) {
  uint32_t magnitude = half & 0x7fffu, sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  // Shifted into place the exponent is too small by 112; that also makes subnormal numbers right.
  float value = bitsAs<float>(magnitude << 13) * 0x1p112f;
  uint32_t bits = magnitude > 0x7c00    ? kNan32
                  : magnitude == 0x7c00 ? 0x7f800000 | sign
                                        : bitsAs<uint32_t>(value) | sign;
  return bitsAs<float>(bits);
}
NOVA_LANES float bf16ToF32(uint16_t half) {
  uint32_t bits = static_cast<uint32_t>(half) << 16;
  return bitsAs<float>((bits & 0x7fffffff) > 0x7f800000 ? kNan32 : bits);
}
NOVA_LANES uint16_t f32ToF16(float value) {
  // Adding a power of two 13 places above lets the host round at f16's last bit.
  uint32_t bits = bitsAs<uint32_t>(value), doubled = bits + bits;
  float scaled = (bitsAs<float>(bits & 0x7fffffff) * 0x1p112f) * 0x1p-110f;
  uint32_t bias = doubled & 0xff000000;
  bias = bias < 0x71000000 ? 0x71000000 : bias;
  scaled = bitsAs<float>((bias >> 1) + 0x07800000) + scaled;
  uint32_t rounded = bitsAs<uint32_t>(scaled);
  uint32_t half = ((rounded >> 13) & 0x7c00) + (rounded & 0x0fff);
  return static_cast<uint16_t>(doubled > 0xff000000 ? kNan16 : (bits >> 16 & 0x8000) | half);
}
NOVA_LANES uint16_t f32ToBf16(float value) {
  uint32_t bits = bitsAs<uint32_t>(value);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return static_cast<uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? kNan16 : rounded);
}

/// The sum rounded to odd: a second rounding, to fewer bits, then is as if there had been one.
NOVA_LANES double addToOdd(double a, double b) {
  double sum = a + b, other = sum - a;
  double error = (a - (sum - other)) + (b - other);
  uint64_t bits = bitsAs<uint64_t>(sum);
  bool isAway = (error > 0) == (sum > 0); // the exact sum is larger in magnitude
  bool isInexact = error != 0 && error == error && (bits & 1) == 0;
  return bitsAs<double>(isInexact ? (isAway ? bits + 1 : bits - 1) : bits);
}
NOVA_LANES float narrowToOdd(double value) {
  float narrow = static_cast<float>(value);
  uint32_t bits = bitsAs<uint32_t>(narrow);
  double back = narrow;
  bool isInexact = back != value && value == value && (bits & 1) == 0 && std::fabs(back) <= 0x1.fffffep127;
  bool isAway = std::fabs(value) > std::fabs(back);
  return bitsAs<float>(isInexact ? (isAway ? bits + 1 : bits - 1) : bits);
}

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_ROUNDING_H
