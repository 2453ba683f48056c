//===- CompareTest.cpp ----------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Compare.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace nova;

static std::string messageOf(const std::vector<float> &found, const std::vector<double> &expected,
                             Tolerance tolerance = {}) {
  int64_t size = static_cast<int64_t>(found.size());
  auto done = compareTensors({{"y", DType::F32, {size}}, found.data()}, {{"y", DType::F64, {size}}, expected.data()},
                             tolerance);
  return done ? "" : done.error().message;
}

TEST(Compare, TakesEqualValuesAndThoseWithinTheTolerance) {
  EXPECT_EQ(messageOf({1, 2, NAN, INFINITY}, {1 + 1e-6, 2 - 1e-6, NAN, INFINITY}), "");
  EXPECT_EQ(messageOf({0}, {0}, {0, 0}), "");
  EXPECT_EQ(messageOf({}, {}), "");
}

TEST(Compare, NamesTheWorstElement) {
  EXPECT_EQ(messageOf({1, 2.5, 3.1f}, {1, 2, 3}, {0, 0.05}),
            "'y': expected 2, found 2.5 at [1], 10 times the tolerance (2 of 3 elements differ)");
  EXPECT_EQ(messageOf({1, NAN}, {1.5, 2}, {0, 0.1}), "'y': expected 2, found nan at [1] (2 of 2 elements differ)");
  EXPECT_EQ(messageOf({INFINITY}, {-INFINITY}), "'y': expected -inf, found inf at [0] (1 of 1 elements differ)");
}

TEST(Compare, IntegersMustBeEqual) {
  const int32_t found[] = {1, 100001};
  const int64_t expected[] = {1, 100000};
  auto done = compareTensors({{"y", DType::I32, {1, 2}}, found}, {{"y", DType::I64, {1, 2}}, expected}, {0.1, 10});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::Numerics);
  EXPECT_EQ(done.error().message, "'y': expected 100000, found 100001 at [0, 1] (1 of 2 elements differ)");
}

TEST(Compare, OtherShapesAndKindsAreInputErrors) {
  const float value[2] = {};
  auto done = compareTensors({{"y", DType::F32, {2}}, value}, {{"y", DType::F32, {1, 2}}, value}, {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::Input);
  EXPECT_EQ(done.error().message, "'y': expected tensor<1x2xf32>, found tensor<2xf32>");
  EXPECT_FALSE(compareTensors({{"y", DType::F32, {2}}, value}, {{"y", DType::I32, {2}}, value}, {}));
}

TEST(Compare, SaysHowFarGoodValuesAreOff) {
  const float found[] = {1, 2.25f, NAN, INFINITY};
  const double expected[] = {1.125, 2, NAN, INFINITY};
  EXPECT_EQ(describeDifference({{"y", DType::F32, {2, 2}}, found}, {{"y", DType::F64, {2, 2}}, expected}),
            "worst difference 0.25 at [0, 1]");
  EXPECT_EQ(describeDifference({{"y", DType::F32, {}}, found}, {{"y", DType::F32, {}}, found}), "equal");
  const int32_t whole[] = {7};
  EXPECT_EQ(describeDifference({{"y", DType::I32, {1}}, whole}, {{"y", DType::I32, {1}}, whole}), "equal");
}

TEST(Compare, PrintsShortTensors) {
  const float values[] = {1, 2.5, -3, 0.1f, 1e20f, NAN};
  EXPECT_EQ(toText({{"y", DType::F32, {2, 3}}, values}), "tensor<2x3xf32> [[1, 2.5, -3], [0.1, 1e+20, nan]]");
  EXPECT_EQ(toText({{"y", DType::F32, {}}, values}), "tensor<f32> 1");
  EXPECT_EQ(toText({{"y", DType::F32, {0}}, values}), "tensor<0xf32> []");
  std::vector<int64_t> many(20);
  std::iota(many.begin(), many.end(), 0);
  EXPECT_EQ(toText({{"y", DType::I64, {20}}, many.data()}), "tensor<20xi64> [0, 1, 2, ..., 17, 18, 19]");
  EXPECT_EQ(toText({{"y", DType::I64, {2, 10}}, many.data()}),
            "tensor<2x10xi64> [[0, 1, 2, ..., 7, 8, 9], [10, 11, 12, ..., 17, 18, 19]]");
}
