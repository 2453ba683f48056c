//===- Half.cpp - bf16 and f16 to and from f32 ----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Half.h"

#include <cmath>
#include <cstring>

using namespace nova;

static uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// Drops the low `count` bits, rounding to nearest, ties to even. A carry runs into the exponent, as it should.
static uint32_t roundShift(uint32_t bits, unsigned count) {
  uint32_t half = 1u << (count - 1);
  uint32_t isOdd = bits >> count & 1;
  return (bits + (half - 1) + isOdd) >> count;
}

float nova::bf16ToFloat(uint16_t bits) { return floatOf(static_cast<uint32_t>(bits) << 16); }

uint16_t nova::floatToBf16(float value) {
  uint32_t bits = bitsOf(value);
  // Rounding could carry the payload of a NaN into infinity: keep its high bits and make it quiet.
  if (std::isnan(value))
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>(roundShift(bits, 16));
}

float nova::f16ToFloat(uint16_t bits) {
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  uint32_t exponent = bits >> 10 & 0x1f;
  uint32_t mantissa = bits & 0x3ff;
  if (exponent == 0x1f)
    return floatOf(sign | 0x7f800000 | mantissa << 13);
  if (exponent == 0) {
    float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  return floatOf(sign | (exponent + 112) << 23 | mantissa << 13);
}

uint16_t nova::floatToF16(float value) {
  uint32_t bits = bitsOf(value);
  uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return static_cast<uint16_t>(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
  if (magnitude >= 0x47800000) // 65536 and more, infinity too; rounding takes [65520, 65536) there below.
    return sign | 0x7c00;
  if (magnitude >= 0x38800000) // Normal: 2^-14 and more.
    return static_cast<uint16_t>(sign | roundShift(magnitude - (112u << 23), 13));
  // Denormal: adding 1/2 moves the bits to where f32's own rounding cuts them, at multiples of 2^-24.
  return static_cast<uint16_t>(sign | (bitsOf(floatOf(magnitude) + 0.5f) - bitsOf(0.5f)));
}
