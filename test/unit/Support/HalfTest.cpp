//===- HalfTest.cpp -------------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Half.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace nova;

static uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

TEST(Half, EveryF16SurvivesARoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float value = f16ToFloat(static_cast<uint16_t>(bits));
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(f16ToFloat(floatToF16(value))));
    else
      ASSERT_EQ(floatToF16(value), bits);
  }
}

TEST(Half, EveryBf16SurvivesARoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float value = bf16ToFloat(static_cast<uint16_t>(bits));
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(bf16ToFloat(floatToBf16(value))));
    else
      ASSERT_EQ(floatToBf16(value), bits);
  }
}

// The compiler's own conversion is the judge, over the whole range of exponents and around every rounding boundary.
TEST(Half, F16RoundsAsTheHardwareDoes) {
  for (uint32_t high = 0; high < 0x10000; ++high)
    for (uint32_t low : {0x0000u, 0x0fffu, 0x1000u, 0x1001u, 0x3000u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      uint32_t bits = high << 16 | low;
      float value;
      std::memcpy(&value, &bits, sizeof(value));
      if (std::isnan(value))
        continue;
      _Float16 expected = static_cast<_Float16>(value);
      uint16_t expectedBits;
      std::memcpy(&expectedBits, &expected, sizeof(expectedBits));
      ASSERT_EQ(floatToF16(value), expectedBits) << value;
    }
}

TEST(Half, Bf16RoundsToNearestTiesToEven) {
  EXPECT_EQ(floatToBf16(1.0f), 0x3f80);
  EXPECT_EQ(floatToBf16(1.0f + 0x1p-8f), 0x3f80);            // tie, even below
  EXPECT_EQ(floatToBf16(1.0f + 3 * 0x1p-8f), 0x3f82);        // tie, even above
  EXPECT_EQ(floatToBf16(1.0f + 0x1p-8f + 0x1p-20f), 0x3f81); // just above the tie
  EXPECT_EQ(floatToBf16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(floatToBf16(-0.0f), 0x8000);
}

TEST(Half, ANanWithAnyPayloadStaysANan) {
  for (uint32_t bits : {0x7f800001u, 0xff800001u, 0x7fffffffu, 0x7fc00000u}) {
    float nan;
    std::memcpy(&nan, &bits, sizeof(nan));
    EXPECT_TRUE(std::isnan(bf16ToFloat(floatToBf16(nan))));
    EXPECT_TRUE(std::isnan(f16ToFloat(floatToF16(nan))));
    EXPECT_EQ(floatToBf16(nan) >> 15, bits >> 31);
    EXPECT_EQ(bitsOf(f16ToFloat(floatToF16(nan))) >> 31, bits >> 31);
  }
}
