//===- TensorTest.cpp - Tests of tensors of the reference evaluator -------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

using namespace nova_test;
using mlir::nova::reference::byteCount;
using mlir::nova::reference::readStrided;
using mlir::nova::reference::Shape;
using mlir::nova::reference::writeStrided;

static double stored(DType dtype, double value) { return Tensor::fromDoubles(dtype, {}, value).getDouble(0); }
static int64_t storedInt(DType dtype, double value) { return Tensor::fromDoubles(dtype, {}, value).getInt(0); }
static int64_t storedInt(DType dtype, int64_t value) { return Tensor::fromInts(dtype, {}, value).getInt(0); }

TEST(Tensor, RoundsFloatsToNearestTiesToEven) {
  EXPECT_EQ(stored(DType::F32, 1 + 0x1p-24), 1);             // Half-way, to even.
  EXPECT_EQ(stored(DType::F32, 1 + 0x1.8p-23), 1 + 0x1p-22); // Half-way, to even.
  EXPECT_EQ(stored(DType::BF16, 1 + 0x1p-8), 1);             // Half-way, to even.
  EXPECT_EQ(stored(DType::BF16, 1 + 0x1.8p-7), 1 + 0x1p-6);  // Half-way, to even.
  EXPECT_EQ(stored(DType::F16, 1 + 0x1p-11), 1);             // Half-way, to even.
  EXPECT_EQ(stored(DType::F16, 65520), infinity);            // Half-way to 2^16.
  EXPECT_EQ(stored(DType::F16, 65519), 65504);
  EXPECT_EQ(stored(DType::F16, 0x1p-24), 0x1p-24); // The smallest denormal.
  EXPECT_EQ(stored(DType::F16, 0x1p-25), 0);
  EXPECT_TRUE(std::isnan(stored(DType::BF16, notANumber)));
  EXPECT_TRUE(std::signbit(stored(DType::BF16, -0.0)));
}

TEST(Tensor, RoundsToNarrowFloatsOnce) {
  // Through f32 these would become half-way cases and then go down.
  EXPECT_EQ(stored(DType::BF16, 1 + 0x1p-8 + 0x1p-40), 1 + 0x1p-7);
  EXPECT_EQ(stored(DType::F16, 1 + 0x1p-11 + 0x1p-40), 1 + 0x1p-10);
  EXPECT_EQ(stored(DType::BF16, -1 - 0x1p-8 - 0x1p-40), -1 - 0x1p-7);
  // And this one up.
  EXPECT_EQ(stored(DType::BF16, 1 + 0x1.8p-7 - 0x1p-40), 1 + 0x1p-7);
  EXPECT_EQ(stored(DType::BF16, 1e300), infinity);
  EXPECT_EQ(Tensor::fromInts(DType::BF16, {1}, {(1LL << 60) + (1LL << 52) + 1}).getDouble(0), 0x1p60 + 0x1p53);
  EXPECT_EQ(Tensor::fromInts(DType::F32, {1}, {(1LL << 60) + (1LL << 36) + 1}).getDouble(0), 0x1p60 + 0x1p37);
}

TEST(Tensor, CastsFloatsToIntegersTowardsZeroAndInRange) {
  EXPECT_EQ(storedInt(DType::I32, 2.9), 2);
  EXPECT_EQ(storedInt(DType::I32, -2.9), -2);
  EXPECT_EQ(storedInt(DType::I32, 3e9), 2147483647);
  EXPECT_EQ(storedInt(DType::I8, -1000.0), -128);
  EXPECT_EQ(storedInt(DType::I8, 127.9), 127);
  EXPECT_EQ(storedInt(DType::I64, 1e30), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(storedInt(DType::I64, -infinity), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(storedInt(DType::I32, notANumber), 0);
  EXPECT_EQ(storedInt(DType::I1, 0.25), 1);
  EXPECT_EQ(storedInt(DType::I1, notANumber), 1);
}

TEST(Tensor, WrapsIntegers) {
  EXPECT_EQ(storedInt(DType::I8, int64_t(128)), -128);
  EXPECT_EQ(storedInt(DType::I32, int64_t(1) << 32), 0);
  EXPECT_EQ(storedInt(DType::I1, int64_t(-2)), 1);
}

TEST(Tensor, SharesElementsUntilOneIsWritten) {
  Tensor x = Tensor::fromInts(DType::I32, {2}, {1, 2}), y = x;
  EXPECT_EQ(x.getData(), y.getData());
  reinterpret_cast<int32_t *>(y.getMutableData())[0] = 7;
  EXPECT_EQ(x.getInt(0), 1);
  EXPECT_EQ(y.getInt(0), 7);
}

TEST(Tensor, ReadsAndWritesAlongStrides) {
  Tensor x = Tensor::fromInts(DType::I64, {2, 3}, {0, 1, 2, 3, 4, 5});
  Tensor transposed = readStrided(x, 0, {1, 3}, {3, 2});
  expectNear(transposed.toDoubles(), {0, 3, 1, 4, 2, 5});
  expectNear(readStrided(x, 4, {}, {}).toDoubles(), {4});
  EXPECT_EQ(readStrided(x, 0, {3, 1}, {0, 3}).getNumElements(), 0);
  writeStrided(x, 1, {1}, Tensor::fromInts(DType::I64, {2}, {8, 9}));
  expectNear(x.toDoubles(), {0, 8, 9, 3, 4, 5});
}

TEST(Tensor, PoisonShows) {
  for (DType dtype : {DType::F64, DType::F32, DType::F16, DType::BF16})
    EXPECT_TRUE(std::isnan(Tensor::poison(dtype, {2}).getDouble(1)));
  EXPECT_NE(Tensor::poison(DType::I32, {2}).getInt(1), 0);
}

TEST(Tensor, CountsBytesWithoutOverflow) {
  EXPECT_EQ(byteCount(DType::F32, {2, 3}), 24);
  EXPECT_EQ(byteCount(DType::F32, {}), 4);
  EXPECT_EQ(byteCount(DType::F32, {int64_t(1) << 40, int64_t(1) << 40}), std::nullopt);
}
