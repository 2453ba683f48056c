//===- LayoutTest.cpp - Where the elements of a tile are ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Layout.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
class Layouts : public testing::Test {
protected:
  Layouts() { context.loadDialect<NovaDialect>(); }

  Type bf16() { return BFloat16Type::get(&context); }
  FragmentAttr fragment(StringRef name, MatrixOperand operand, ArrayRef<int64_t> warps = {1, 1}) {
    return FragmentAttr::get(&context, name, operand, warps);
  }
  RegisterLayout registers(ArrayRef<int64_t> shape, Type element, Attribute layout) {
    return *getRegisterLayout(RankedTensorType::get(shape, element, layout));
  }
  SharedLayout shared(ArrayRef<int64_t> shape, Type element, ArrayRef<int64_t> order, ArrayRef<int64_t> swizzle,
                      ArrayRef<int64_t> padding = {}) {
    return *getSharedLayout(RankedTensorType::get(shape, element, SharedAttr::get(&context, order, swizzle, padding)));
  }

  MLIRContext context;
};

using Position = std::array<int64_t, 2>;
/// The PTX manual's formula for an operand's register `i` of a lane.
using Formula = function_ref<Position(int64_t group, int64_t inGroup, int64_t i)>;

void expectFragment(const RegisterLayout &layout, int64_t columns, Formula formula) {
  ASSERT_EQ(layout.threadBits(), 5u);
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t i = 0; i < layout.registers(); ++i) {
      auto [row, column] = formula(lane / 4, lane % 4, i);
      EXPECT_EQ(layout.map(lane << layout.registerBits | i), row * columns + column) << "lane " << lane << " a" << i;
    }
}

/// What ldmatrix gives: lane l has of matrix j the words of the row that lane 8 j + l / 4 points at, or the column.
void expectMatrixLoad(const SharedLayout &from, const RegisterLayout &to) {
  std::optional<MatrixLoad> load = matchMatrixLoad(from, to, 16);
  ASSERT_TRUE(load);
  unsigned below = load->firstBit + load->matrixBits;
  int64_t matrices = 1 << load->matrixBits;
  for (uint32_t r = 0; r < to.registers(); r += 1 << below) {
    uint32_t fixed = from.map(to.map(r));
    for (uint32_t thread = 0; thread < 1u << to.threadBits(); ++thread)
      for (int64_t j = 0; j < matrices; ++j)
        for (uint32_t half : {0, 1}) {
          uint32_t warp = thread / 32 * 32, lane = thread % 32;
          uint32_t row = load->transposed ? lane % 4 * 2 + half : lane / 4;
          uint32_t along = load->transposed ? lane / 4 : lane % 4 * 2 + half;
          int64_t place = from.pad(load->rows(warp | (8 * j + row)) ^ fixed) + along;
          uint32_t element = to.map(thread << to.registerBits | r | j << 1 | half);
          ASSERT_EQ(place, from.place(element)) << "thread " << thread << " matrix " << j;
        }
  }
}
} // namespace

TEST(BitMaps, AreLinearAndCompose) {
  BitMap f({1, 4, 6}), g({2, 1, 7});
  EXPECT_EQ(f(0b111), 1u ^ 4u ^ 6u);
  EXPECT_EQ(f.then(g)(0b010), g(4));
  EXPECT_EQ(f.rank(), 3u);
  EXPECT_EQ(BitMap({1, 2, 3}).rank(), 2u);
  EXPECT_EQ(f.reach(), 7u);
}

TEST_F(Layouts, FragmentsOfHalvesAreThoseOfThePtxManual) {
  for (StringRef name : {"mma.m16n8k16.bf16", "mma.m16n8k16.f16"}) {
    Type element = lookupIntrinsic(name)->factorType(&context);
    expectFragment(registers({16, 16}, element, fragment(name, MatrixOperand::Lhs)), 16,
                   [](int64_t group, int64_t inGroup, int64_t i) {
                     bool upper = i < 2 || (4 <= i && i < 6);
                     return Position{upper ? group : group + 8, inGroup * 2 + (i & 1) + (i < 4 ? 0 : 8)};
                   });
    expectFragment(registers({16, 8}, element, fragment(name, MatrixOperand::Rhs)), 8,
                   [](int64_t group, int64_t inGroup, int64_t i) {
                     return Position{inGroup * 2 + (i & 1) + (i < 2 ? 0 : 8), group};
                   });
    expectFragment(registers({16, 8}, Float32Type::get(&context), fragment(name, MatrixOperand::Sums)), 8,
                   [](int64_t group, int64_t inGroup, int64_t i) {
                     return Position{i < 2 ? group : group + 8, inGroup * 2 + (i & 1)};
                   });
  }
}

TEST_F(Layouts, FragmentsOfTf32AreThoseOfThePtxManual) {
  StringRef name = "mma.m16n8k8.tf32";
  Type f32 = Float32Type::get(&context);
  expectFragment(registers({16, 8}, f32, fragment(name, MatrixOperand::Lhs)), 8,
                 [](int64_t group, int64_t inGroup, int64_t i) {
                   return Position{i % 2 ? group + 8 : group, i < 2 ? inGroup : inGroup + 4};
                 });
  expectFragment(registers({8, 8}, f32, fragment(name, MatrixOperand::Rhs)), 8,
                 [](int64_t group, int64_t inGroup, int64_t i) { return Position{inGroup + 4 * i, group}; });
  expectFragment(registers({16, 8}, f32, fragment(name, MatrixOperand::Sums)), 8,
                 [](int64_t group, int64_t inGroup, int64_t i) {
                   return Position{i < 2 ? group : group + 8, inGroup * 2 + (i & 1)};
                 });
}

TEST_F(Layouts, WarpsShareWhatTheirPartsHaveInCommon) {
  RegisterLayout lhs = registers({128, 32}, bf16(), fragment("mma.m16n8k16.bf16", MatrixOperand::Lhs, {2, 4}));
  EXPECT_EQ(lhs.registers(), 128 * 32 / 2 / 32);
  BitMap warps = lhs.ofThreads().slice(5, 3);
  EXPECT_EQ(warps, BitMap({0, 0, 64 * 32})); // along N, twice, then M
  RegisterLayout rhs = registers({32, 128}, bf16(), fragment("mma.m16n8k16.bf16", MatrixOperand::Rhs, {2, 4}));
  EXPECT_EQ(rhs.ofThreads().slice(5, 3), BitMap({32, 64, 0}));
}

TEST_F(Layouts, ThreadsLieSideBySideAndRepeat) {
  RegisterLayout layout = registers({128, 32}, bf16(), ThreadsAttr::get(&context, {1, 8}, {32, 4}));
  EXPECT_EQ(layout.registers(), 32);
  EXPECT_EQ(layout.map(1 << layout.registerBits), 8u);  // the next thread: the next eight elements
  EXPECT_EQ(layout.map(4 << layout.registerBits), 32u); // the fifth: the next row
  EXPECT_EQ(layout.map(8), 32u * 32);                   // the ninth register: 32 rows further
  // A tile smaller than the threads: several have the same elements.
  EXPECT_EQ(registers({8, 32}, bf16(), ThreadsAttr::get(&context, {1, 8}, {32, 4})).ofThreads().rank(), 5u);
}

TEST_F(Layouts, APartHasTheElementsThatMeetTheWhole) {
  auto sums = fragment("mma.m16n8k16.bf16", MatrixOperand::Sums, {2, 2});
  RegisterLayout whole = registers({128, 64}, bf16(), sums);
  RegisterLayout row = registers({64}, bf16(), PartAttr::get(&context, sums, {128, 64}, {1}));
  RegisterLayout column = registers({128, 1}, bf16(), PartAttr::get(&context, sums, {128, 64}, {0, -1}));
  for (uint32_t number = 0; number < 1u << whole.map.size(); number += 37) {
    EXPECT_EQ(row.map(number), whole.map(number) % 64);
    EXPECT_EQ(column.map(number), whole.map(number) / 64);
  }
}

TEST_F(Layouts, MatrixLoadsGiveFragments) {
  auto lhs = fragment("mma.m16n8k16.bf16", MatrixOperand::Lhs, {2, 2});
  auto rhs = fragment("mma.m16n8k16.bf16", MatrixOperand::Rhs, {2, 2});
  SmallVector<int64_t> rows = {0, 1}, columns = {1, 0};
  expectMatrixLoad(shared({128, 32}, bf16(), rows, {2, 3, 3}), registers({128, 32}, bf16(), lhs));
  expectMatrixLoad(shared({128, 64}, bf16(), rows, {3, 3, 3}), registers({128, 64}, bf16(), lhs));
  expectMatrixLoad(shared({128, 32}, bf16(), columns, {3, 3, 4}), registers({128, 32}, bf16(), lhs));
  expectMatrixLoad(shared({32, 128}, bf16(), rows, {3, 3, 4}), registers({32, 128}, bf16(), rhs));
  expectMatrixLoad(shared({32, 128}, bf16(), columns, {2, 3, 3}), registers({32, 128}, bf16(), rhs));
  expectMatrixLoad(shared({128, 32}, bf16(), rows, {}, {32, 8}), registers({128, 32}, bf16(), lhs));
  // Not where a swizzle takes the eight elements of a row apart, nor for rows of which threads have more.
  EXPECT_FALSE(matchMatrixLoad(shared({128, 32}, bf16(), rows, {2, 1, 4}), registers({128, 32}, bf16(), lhs), 16));
  auto threads = ThreadsAttr::get(&context, {1, 8}, {32, 4});
  EXPECT_FALSE(matchMatrixLoad(shared({128, 32}, bf16(), rows, {}), registers({128, 32}, bf16(), threads), 16));
}

TEST_F(Layouts, SwizzledRowsLieInDifferentBanks) {
  auto wavefronts = [&](const SharedLayout &layout, const RegisterLayout &fragment) {
    std::optional<MatrixLoad> load = matchMatrixLoad(layout, fragment, 16);
    SmallVector<int64_t> addresses;
    for (uint32_t lane = 0; lane < 32; ++lane)
      addresses.push_back(2 * layout.pad(load->rows(lane)));
    return countWavefronts(addresses, 16);
  };
  RegisterLayout lhs = registers({128, 32}, bf16(), fragment("mma.m16n8k16.bf16", MatrixOperand::Lhs, {2, 2}));
  EXPECT_EQ(wavefronts(shared({128, 32}, bf16(), {0, 1}, {2, 3, 3}), lhs), 4);
  EXPECT_EQ(wavefronts(shared({128, 32}, bf16(), {0, 1}, {}), lhs), 16);
  EXPECT_EQ(wavefronts(shared({128, 32}, bf16(), {0, 1}, {}, {32, 8}), lhs), 4);
  EXPECT_EQ(wavefronts(shared({128, 32}, bf16(), {1, 0}, {3, 3, 4}), lhs), 4);
  EXPECT_EQ(wavefronts(shared({128, 32}, bf16(), {1, 0}, {}), lhs), 32);
  // Scalars: neighbours, one for all, and a column.
  SmallVector<int64_t> neighbours, one(32, 64), column;
  for (int64_t lane = 0; lane < 32; ++lane)
    neighbours.push_back(4 * lane), column.push_back(128 * lane);
  EXPECT_EQ(countWavefronts(neighbours, 4), 1);
  EXPECT_EQ(countWavefronts(one, 4), 1);
  EXPECT_EQ(countWavefronts(column, 4), 32);
}

TEST_F(Layouts, CopiesAreAsWideAsNeighboursAre) {
  RegisterLayout by = registers({128, 32}, bf16(), ThreadsAttr::get(&context, {1, 8}, {32, 4}));
  EXPECT_EQ(neighbourBits(by, shared({128, 32}, bf16(), {0, 1}, {2, 3, 3}).map), 3u);
  EXPECT_EQ(neighbourBits(by, shared({128, 32}, bf16(), {0, 1}, {2, 2, 5}).map), 2u);
  EXPECT_EQ(neighbourBits(by, shared({128, 32}, bf16(), {1, 0}, {}).map), 0u);
}

TEST_F(Layouts, ConversionsSayWhatTheyTake) {
  auto of = [&](Attribute layout) { return registers({64, 64}, bf16(), layout); };
  auto sums = fragment("mma.m16n8k16.bf16", MatrixOperand::Sums, {4, 1});
  auto lhs = fragment("mma.m16n8k16.bf16", MatrixOperand::Lhs, {4, 1});
  EXPECT_EQ(conversionBetween(of(sums), of(sums)), Conversion::None);
  // What one product sums up the next one takes as left factor: attention needs no shared memory for its weights.
  EXPECT_EQ(conversionBetween(of(sums), of(lhs)), Conversion::None);
  auto rows = [&](ArrayRef<int64_t> elements, ArrayRef<int64_t> threads) {
    return of(ThreadsAttr::get(&context, elements, threads));
  };
  EXPECT_EQ(conversionBetween(rows({1, 2}, {4, 32}), rows({1, 4}, {8, 16})), Conversion::Shared);
  EXPECT_EQ(conversionBetween(rows({2, 2}, {4, 32}), rows({1, 2}, {4, 32})), Conversion::Shared);
  EXPECT_EQ(conversionBetween(rows({1, 4}, {8, 16}), rows({1, 4}, {8, 16})), Conversion::None);
  // A warp has the same rows, whole.
  EXPECT_EQ(conversionBetween(rows({1, 2}, {8, 16}), rows({1, 4}, {8, 16})), Conversion::Shuffle);
  EXPECT_EQ(conversionBetween(rows({1, 2}, {8, 16}), rows({2, 1}, {4, 32})), Conversion::Shuffle);
  EXPECT_EQ(conversionBetween(of(sums), rows({1, 8}, {16, 8})), Conversion::Shared);
}
