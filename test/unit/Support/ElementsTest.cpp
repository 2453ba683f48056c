//===- ElementsTest.cpp ---------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Elements.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

using namespace nova;

TEST(Elements, FloatsConvertWithRounding) {
  const double from[] = {1.0, 1.0 + 1.0 / 512, -1e300, 0.1};
  std::vector<uint16_t> bf16(4);
  ASSERT_TRUE(convertElements({{"x", DType::F64, {4}}, from}, DType::BF16, bf16.data()));
  EXPECT_EQ(bf16, (std::vector<uint16_t>{0x3f80, 0x3f80, 0xff80, 0x3dcd}));
  std::vector<float> f32(4);
  ASSERT_TRUE(convertElements({{"x", DType::BF16, {4}}, bf16.data()}, DType::F32, f32.data()));
  EXPECT_EQ(f32[0], 1.0f);
  EXPECT_EQ(f32[2], -std::numeric_limits<float>::infinity());
}

TEST(Elements, IntegersConvertWhenTheyFit) {
  const int64_t good[] = {0, -5, 1 << 30};
  std::vector<int32_t> i32(3);
  ASSERT_TRUE(convertElements({{"x", DType::I64, {3}}, good}, DType::I32, i32.data()));
  EXPECT_EQ(i32, (std::vector<int32_t>{0, -5, 1 << 30}));
  const int64_t bad[] = {0, 1, 2, int64_t(1) << 31};
  std::vector<int32_t> out(4);
  auto done = convertElements({{"x", DType::I64, {2, 2}}, bad}, DType::I32, out.data());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "tensor 'x': expected values that i32 can hold, found 2147483648 at [1, 1]");
}

TEST(Elements, FloatsAndIntegersDoNotMix) {
  const float from[] = {1};
  int32_t out;
  auto done = convertElements({{"x", DType::F32, {1}}, from}, DType::I32, &out);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "tensor 'x': expected i32 or a type that converts to it, found f32");
}

TEST(Elements, DataMayBeUnaligned) {
  std::vector<char> bytes(9);
  const double value = 2.5;
  std::memcpy(bytes.data() + 1, &value, sizeof(value));
  EXPECT_EQ(floatAt(DType::F64, bytes.data() + 1, 0), 2.5);
  storeFloat(DType::F32, bytes.data() + 1, 0, 1.5);
  EXPECT_EQ(floatAt(DType::F32, bytes.data() + 1, 0), 1.5);
}
