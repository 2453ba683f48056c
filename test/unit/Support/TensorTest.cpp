//===- TensorTest.cpp -----------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Tensor.h"

#include <gtest/gtest.h>

using namespace nova;

TEST(Tensor, CountsElementsAndBytes) {
  EXPECT_EQ(*elementCount({"x", DType::F32, {}}), 1u);
  EXPECT_EQ(*elementCount({"x", DType::F32, {2, 3}}), 6u);
  EXPECT_EQ(*byteCount({"x", DType::BF16, {2, 3}}), 12u);
  EXPECT_EQ(*byteCount({"x", DType::I64, {0, 3}}), 0u);
}

TEST(Tensor, RefusesShapesThatOverflow) {
  EXPECT_FALSE(elementCount({"x", DType::F32, {int64_t(1) << 32, int64_t(1) << 32}}));
  EXPECT_FALSE(elementCount({"x", DType::F32, {INT64_MAX}}));
  // A zero does not excuse the rest, wherever it stands.
  EXPECT_FALSE(elementCount({"x", DType::F32, {0, int64_t(1) << 32, int64_t(1) << 32}}));
  EXPECT_FALSE(elementCount({"x", DType::F32, {int64_t(1) << 32, int64_t(1) << 32, 0}}));
}

TEST(Tensor, RefusesNegativeSizes) {
  auto count = elementCount({"x", DType::F32, {2, -1}});
  ASSERT_FALSE(count);
  EXPECT_EQ(count.error().message, "tensor 'x': expected sizes of 0 and more, found shape [2, -1]");
}

TEST(Tensor, SpellsTypesAsMlirDoes) {
  EXPECT_EQ(typeToString({"x", DType::F32, {}}), "tensor<f32>");
  EXPECT_EQ(typeToString({"x", DType::BF16, {4, 8}}), "tensor<4x8xbf16>");
  for (DType type : {DType::F64, DType::F32, DType::F16, DType::BF16, DType::I1, DType::I8, DType::I32, DType::I64})
    EXPECT_EQ(dtypeFromName(nameOf(type)), type);
  EXPECT_FALSE(dtypeFromName("f8"));
}

TEST(Tensor, FindsCoordinates) {
  EXPECT_EQ(coordinatesOf(7, {2, 3, 2}), (std::vector<int64_t>{1, 0, 1}));
  EXPECT_EQ(coordinatesOf(0, {}), std::vector<int64_t>{});
}
