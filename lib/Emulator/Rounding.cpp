//===- Rounding.cpp - Rounding as PTX defines it --------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rounding.h"

#include <cfenv>

using namespace nova::emulator;

static bool roundsUp(Rounding mode, bool isNegative, bool isOdd, bool isAboveHalf, bool isHalf, bool isInexact) {
  switch (mode) {
  case Rounding::Nearest:
    return isAboveHalf || (isHalf && isOdd);
  case Rounding::NearestAway:
    return isAboveHalf || isHalf;
  case Rounding::Zero:
    return false;
  case Rounding::Down:
    return isNegative && isInexact;
  case Rounding::Up:
    return !isNegative && isInexact;
  }
  return false;
}

static uint32_t overflowed(const FloatFormat &format, Rounding mode, bool isNegative, bool saturate) {
  bool staysFinite =
      mode == Rounding::Zero || (mode == Rounding::Down && !isNegative) || (mode == Rounding::Up && isNegative);
  return saturate || staysFinite ? format.largest : format.infinity;
}

uint32_t nova::emulator::roundTo(const FloatFormat &format, double value, Rounding mode, bool saturate) {
  if (value != value)
    return format.nan;
  uint64_t bits = bitsAs<uint64_t>(value);
  bool isNegative = bits >> 63;
  uint32_t sign = isNegative ? format.signBit : 0;
  if (std::isinf(value))
    return sign | (saturate ? format.largest : format.infinity);
  if (value == 0)
    return sign;
  int exponent;
  double fraction = std::frexp(std::fabs(value), &exponent); // in [0.5, 1)
  uint64_t mantissa = static_cast<uint64_t>(std::ldexp(fraction, 53));
  --exponent;
  // `shift` bits of the mantissa are below the last one of the result.
  bool isNormal = exponent >= format.leastExponent;
  int shift = 52 - format.mantissaBits + (isNormal ? 0 : format.leastExponent - exponent);
  uint64_t kept = shift > 63 ? 0 : mantissa >> shift;
  uint64_t rest = shift > 63 ? 1 : mantissa - (kept << shift);
  uint64_t half = shift > 63 ? 2 : uint64_t(1) << (shift - 1);
  kept += roundsUp(mode, isNegative, kept & 1, rest > half, rest == half, rest != 0);
  uint64_t exponentField = isNormal ? static_cast<uint64_t>(exponent - format.leastExponent) : 0;
  // The leading one of a normal number, or a carry out of a subnormal one, counts the exponent up.
  uint64_t result = (exponentField << format.mantissaBits) + kept;
  if (exponentField > 0xffff || result >= format.infinity)
    return sign | overflowed(format, mode, isNegative, saturate);
  return sign | static_cast<uint32_t>(result);
}

double nova::emulator::widen(const FloatFormat &format, uint32_t bits) {
  uint32_t magnitude = bits & (format.signBit - 1);
  double value;
  if (magnitude >= format.infinity) {
    value = format.hasInfinity && magnitude == format.infinity ? HUGE_VAL : NAN;
  } else {
    uint32_t mantissa = magnitude & ((1u << format.mantissaBits) - 1);
    int field = static_cast<int>(magnitude >> format.mantissaBits);
    value = field ? std::ldexp(mantissa + (1u << format.mantissaBits),
                               field - 1 + format.leastExponent - format.mantissaBits)
                  : std::ldexp(mantissa, format.leastExponent - format.mantissaBits);
  }
  return bits & format.signBit ? -value : value;
}

//===----------------------------------------------------------------------===//
// The host's arithmetic in a mode
//===----------------------------------------------------------------------===//

namespace {
class HostRounding {
public:
  explicit HostRounding(Rounding mode) : before(std::fegetround()) {
    std::fesetround(mode == Rounding::Zero   ? FE_TOWARDZERO
                    : mode == Rounding::Down ? FE_DOWNWARD
                    : mode == Rounding::Up   ? FE_UPWARD
                                             : FE_TONEAREST);
  }
  ~HostRounding() { std::fesetround(before); }

private:
  int before;
};
} // namespace

// Reading operands and storing the result through memory keeps the compiler from moving arithmetic out of the mode.
template <typename T> static T compute(Arithmetic operation, Rounding mode, T first, T second, T third) {
  volatile T a = first, b = second, c = third, result;
  HostRounding rounding(mode);
  switch (operation) {
  case Arithmetic::Add:
    result = a + b;
    break;
  case Arithmetic::Subtract:
    result = a - b;
    break;
  case Arithmetic::Multiply:
    result = a * b;
    break;
  case Arithmetic::Fma:
    result = std::fma(a, b, c);
    break;
  case Arithmetic::Divide:
    result = a / b;
    break;
  case Arithmetic::Reciprocal:
    result = T(1) / a;
    break;
  case Arithmetic::SquareRoot:
    result = std::sqrt(a);
    break;
  }
  return result;
}

double nova::emulator::computeRounded(Arithmetic operation, Rounding mode, double a, double b, double c) {
  return compute(operation, mode, a, b, c);
}
float nova::emulator::computeRounded(Arithmetic operation, Rounding mode, float a, float b, float c) {
  return compute(operation, mode, a, b, c);
}
