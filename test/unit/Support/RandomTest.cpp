//===- RandomTest.cpp -----------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Random.h"
#include "Nova/Support/Hash.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace nova;

// The known answers of Random123 for philox4x32-10.
TEST(Random, PhiloxGivesTheKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}), (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, ElementsAreTheWordsOfConsecutiveBlocks) {
  PhiloxBlock block = philox({5, 0, 7, 1}, {3, 2});
  for (unsigned word = 0; word < 4; ++word)
    EXPECT_EQ(randomBits(3 | uint64_t(2) << 32, 7 | uint64_t(1) << 32, 4 * 5 + word), block[word]);
}

TEST(Random, UniformIsInRangeWithTheRightMoments) {
  double sum = 0, squares = 0;
  constexpr int count = 100000;
  for (int i = 0; i < count; ++i) {
    float value = randomUniform(1, 2, i);
    ASSERT_GE(value, 0.0f);
    ASSERT_LT(value, 1.0f);
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / count, 0.5, 0.005);
  EXPECT_NEAR(squares / count, 1.0 / 3, 0.005);
}

TEST(Random, NormalHasTheRightMomentsAndTails) {
  double sum = 0, squares = 0, cubes = 0;
  int beyondTwo = 0;
  constexpr int count = 200000;
  for (int i = 0; i < count; ++i) {
    double value = randomNormal(1, 2, i);
    sum += value;
    squares += value * value;
    cubes += value * value * value;
    beyondTwo += std::fabs(value) > 2;
  }
  EXPECT_NEAR(sum / count, 0, 0.01);
  EXPECT_NEAR(squares / count, 1, 0.02);
  EXPECT_NEAR(cubes / count, 0, 0.05);
  EXPECT_NEAR(beyondTwo / double(count), 0.0455, 0.003);
}

// The polynomials against the C library in double precision.
TEST(Random, NormalIsBoxAndMuller) {
  for (uint64_t i = 0; i < 100000; ++i) {
    double radius = std::sqrt(-2 * std::log((randomBits(3, 4, 2 * i) + 1.0) * 0x1p-32));
    double angle = 2 * M_PI * 0x1p-32 * randomBits(3, 4, 2 * i + 1);
    // The angle starts in the middle of the first quadrant.
    ASSERT_NEAR(randomNormal(3, 4, 2 * i), radius * std::cos(angle - M_PI / 4), 2e-6 * radius);
    ASSERT_NEAR(randomNormal(3, 4, 2 * i + 1), radius * std::sin(angle - M_PI / 4), 2e-6 * radius);
  }
}

// Seeds of published runs depend on every bit, on every machine and in every build.
TEST(Random, TheBitsNeverChange) {
  std::vector<float> values(100001);
  fillNormal(values.data(), 0, values.size(), 5, 6);
  EXPECT_EQ(hash64({reinterpret_cast<const char *>(values.data()), 4 * values.size()}), 5757484818884131668u);
  fillUniform(values.data(), 0, values.size(), 5, 6);
  EXPECT_EQ(hash64({reinterpret_cast<const char *>(values.data()), 4 * values.size()}), 4946321048403834182u);
}

TEST(Random, FillingFromAnywhereGivesTheSameElements) {
  std::vector<float> normal(150), uniform(150);
  for (uint64_t first : {0, 1, 2, 3, 5, 62, 1000})
    for (uint64_t count : {0, 1, 2, 3, 4, 7, 64, 150}) {
      fillNormal(normal.data(), first, count, 9, 8);
      fillUniform(uniform.data(), first, count, 9, 8);
      for (uint64_t i = 0; i < count; ++i) {
        ASSERT_EQ(normal[i], randomNormal(9, 8, first + i));
        ASSERT_EQ(uniform[i], randomUniform(9, 8, first + i));
      }
    }
}

TEST(Random, BelowReachesEveryValueAndNoOther) {
  std::vector<int> seen(7);
  for (int i = 0; i < 7000; ++i)
    ++seen[randomBelow(7, 0, 0, i)];
  for (int count : seen)
    EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(randomBelow(1, 0, 0, 3), 0u);
}

TEST(Random, SeedsStreamsAndIndicesMatter) {
  EXPECT_NE(randomBits(0, 0, 0), randomBits(1, 0, 0));
  EXPECT_NE(randomBits(0, 0, 0), randomBits(0, 1, 0));
  EXPECT_NE(randomBits(0, 0, 0), randomBits(0, 0, 1));
  EXPECT_NE(randomBits(0, 0, 0), randomBits(0, 0, uint64_t(1) << 40));
}

TEST(Random, TheStreamOfANameNeverChanges) { EXPECT_EQ(streamOf("transformer.wte.weight"), 0x775df68afbe8ec95u); }

TEST(Random, OpsAndStepsHaveStreamsOfTheirOwn) {
  EXPECT_EQ(streamOf(0, 5), 5u);
  EXPECT_EQ(streamOf(3, 5), (uint64_t(3) << 40) + 5);
  EXPECT_EQ(streamOf(3, (uint64_t(1) << 40) + 5), streamOf(3, 5));
}
