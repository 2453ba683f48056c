//===- WgmmaProduct.cpp - The arithmetic of wgmma -------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warp w of the warpgroup has rows 16 w to 16 w + 15 of A and D. With g = lane / 4 and t = lane % 4, its registers are
// those of an mma.m16n8: accumulator r is at row g + 8 (r / 2 % 2) and column 8 (r / 4) + 2 t + r % 2, where halves are
// packed in pairs; element i of register r of A, which holds E of them, is at row g + 8 (r % 2) and column E t + 4 E
// (r / 2) + i.
//
//===----------------------------------------------------------------------===//

#include "WgmmaProduct.h"

#include "Lanes.h"
#include "Rounding.h"

#include <algorithm>

using namespace nova::emulator;

static constexpr unsigned kRows = 16, kMaxN = 256, kMaxK = 32;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// An element of A or B, from its bits.
template <typename T> static T elementFrom(uint32_t bits, Type type) {
  switch (type) {
  case Type::F16:
    return static_cast<T>(f16ToF32(static_cast<uint16_t>(bits)));
  case Type::BF16:
    return static_cast<T>(bitsAs<float>(bits << 16));
  case Type::TF32:
    return static_cast<T>(bitsAs<float>(bits & 0xffffe000)); // the lower bits do not count
  case Type::S8:
    return static_cast<T>(static_cast<int8_t>(bits));
  case Type::U8:
    return static_cast<T>(static_cast<uint8_t>(bits));
  default:
    return static_cast<T>(widen(type == Type::E4M3 ? kE4M3 : kE5M2, bits & 0xff));
  }
}

namespace {
/// Element types whose conversion is the same for a whole matrix.
template <typename T, Type Of> struct Element {
  static T from(uint32_t bits) { return elementFrom<T>(bits, Of); }
};
} // namespace

/// Calls `store` with the row, k and value of every element of a part of a matrix in shared memory.
template <typename T, Type Of, typename StoreFn>
static void loadMatrix(const Block &block, const SharedMatrix &matrix, bool isTransposed, uint32_t firstRow,
                       uint32_t rows, uint32_t depth, T sign, StoreFn store) {
  constexpr uint32_t width = bytesOf(Of), perChunk = 16 / width;
  matrix.forEachChunk(firstRow, rows, depth, [&](uint32_t row, uint32_t k, uint64_t address) {
    uint8_t chunk[16];
    std::memcpy(chunk, block.shared + address, sizeof(chunk));
    for (uint32_t i = 0; i < perChunk; ++i) {
      uint32_t bits = 0;
      std::memcpy(&bits, chunk + i * width, width);
      store(row + (isTransposed ? i : 0), k + (isTransposed ? 0 : i), sign * Element<T, Of>::from(bits));
    }
  });
}

template <typename T, Type Of>
static void loadFragment(Warp &warp, const WgmmaOperands &operands, T sign, T (*out)[kMaxK]) {
  constexpr uint32_t width = bytesOf(Of) * 8, count = 32 / width;
  for (unsigned r = 0; r < 4; ++r) {
    const uint32_t *lanes = lanesOf<uint32_t>(warp, operands.fragment[r]);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned i = 0; i < count; ++i)
        out[lane / 4 + 8 * (r % 2)][count * (lane % 4) + 4 * count * (r / 2) + i] =
            sign * Element<T, Of>::from(lanes[lane] >> (width * i));
  }
}

//===----------------------------------------------------------------------===//
// Multiplication
//===----------------------------------------------------------------------===//

/// Multiply-adds in the order of K.
template <typename T>
static NOVA_LANES void multiply(const T (*a)[kMaxK], const T (*b)[kMaxN], T (*c)[kMaxN], uint32_t n, uint32_t depth) {
  for (unsigned row = 0; row < kRows; ++row)
    for (uint32_t k = 0; k < depth; ++k) {
      T left = a[row][k];
      for (uint32_t column = 0; column < n; ++column)
        if constexpr (std::is_same_v<T, float>)
          c[row][column] = __builtin_fmaf(left, b[k][column], c[row][column]);
        else
          c[row][column] += left * b[k][column];
    }
}

#if defined(__x86_64__) && !defined(NOVA_EMULATOR_PORTABLE)
template <typename T>
__attribute__((target("avx2,fma"))) static void multiplyAvx2(const T (*a)[kMaxK], const T (*b)[kMaxN], T (*c)[kMaxN],
                                                             uint32_t n, uint32_t depth) {
  multiply(a, b, c, n, depth);
}
template <typename T>
__attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl"))) static void
multiplyAvx512(const T (*a)[kMaxK], const T (*b)[kMaxN], T (*c)[kMaxN], uint32_t n, uint32_t depth) {
  multiply(a, b, c, n, depth);
}
#endif

template <typename T>
static void multiplyOnHost(const T (*a)[kMaxK], const T (*b)[kMaxN], T (*c)[kMaxN], uint32_t n, uint32_t depth) {
#if defined(__x86_64__) && !defined(NOVA_EMULATOR_PORTABLE)
  if (hostLevel() == HostLevel::Avx512)
    return multiplyAvx512(a, b, c, n, depth);
  if (hostLevel() == HostLevel::Avx2)
    return multiplyAvx2(a, b, c, n, depth);
#endif
  multiply(a, b, c, n, depth);
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Where the element of a lane in an accumulator of 32 bits is, as (row, column).
static std::pair<unsigned, unsigned> placeOf(unsigned r, unsigned lane) {
  return {lane / 4 + 8 * (r / 2 % 2), 8 * (r / 4) + 2 * (lane % 4) + r % 2};
}

template <typename T> static void loadAccumulators(Warp &warp, const WgmmaOperands &operands, T (*c)[kMaxN]) {
  for (unsigned r = 0; r < operands.accumulators.size(); ++r) {
    const auto *lanes = lanesOf<uint32_t>(warp, operands.accumulators[r]);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (operands.d == Type::F16) {
        auto [row, column] = placeOf(2 * r, lane);
        c[row][column] = static_cast<T>(f16ToF32(static_cast<uint16_t>(lanes[lane])));
        c[row][column + 1] = static_cast<T>(f16ToF32(static_cast<uint16_t>(lanes[lane] >> 16)));
      } else {
        auto [row, column] = placeOf(r, lane);
        std::memcpy(&c[row][column], &lanes[lane], 4);
      }
  }
}

static uint32_t resultBits(float value) { return bitsAs<uint32_t>(canonical(value)); }
static uint32_t resultBits(int64_t value) { return static_cast<uint32_t>(value); }

template <typename T> static void storeAccumulators(Warp &warp, const WgmmaOperands &operands, const T (*c)[kMaxN]) {
  for (unsigned r = 0; r < operands.accumulators.size(); ++r) {
    auto *lanes = lanesOf<uint32_t>(warp, operands.accumulators[r]);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      auto [row, column] = placeOf(operands.d == Type::F16 ? 2 * r : r, lane);
      const T *value = &c[row][column];
      if (operands.d == Type::F16)
        lanes[lane] = f32ToF16(canonical(static_cast<float>(value[0]))) |
                      static_cast<uint32_t>(f32ToF16(canonical(static_cast<float>(value[1])))) << 16;
      else if (operands.isSaturating)
        lanes[lane] =
            resultBits(static_cast<T>(std::clamp<int64_t>(static_cast<int64_t>(*value), INT32_MIN, INT32_MAX)));
      else
        lanes[lane] = resultBits(*value);
    }
  }
}
template <> void loadAccumulators<int64_t>(Warp &warp, const WgmmaOperands &operands, int64_t (*c)[kMaxN]) {
  for (unsigned r = 0; r < operands.accumulators.size(); ++r)
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      auto [row, column] = placeOf(r, lane);
      c[row][column] = lanesOf<int32_t>(warp, operands.accumulators[r])[lane];
    }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

template <typename T, Type A, Type B>
static void run(Block &block, uint32_t firstWarp, const WgmmaOperands &operands, const Product &product) {
  static thread_local T b[kMaxK][kMaxN], c[kRows][kMaxN], a[kRows][kMaxK];
  T signA = operands.isNegatedA ? T(-1) : T(1), signB = operands.isNegatedB ? T(-1) : T(1);
  SharedMatrix left(product.descriptorA, operands.isTransposedA, bytesOf(A));
  SharedMatrix right(product.descriptorB, operands.isTransposedB, bytesOf(B));
  loadMatrix<T, B>(block, right, operands.isTransposedB, 0, operands.n, operands.k, signB,
                   [](uint32_t row, uint32_t k, T value) { b[k][row] = value; });
  for (uint32_t w = 0; w < kWarpgroup; ++w) {
    Warp &warp = block.warps[firstWarp + w];
    if (operands.isInRegisters)
      loadFragment<T, A>(warp, operands, signA, a);
    else
      loadMatrix<T, A>(block, left, operands.isTransposedA, kRows * w, kRows, operands.k, signA,
                       [](uint32_t row, uint32_t k, T value) { a[row][k] = value; });
    if (product.isScaled)
      loadAccumulators(warp, operands, c);
    else
      std::fill(&c[0][0], &c[0][0] + kRows * kMaxN, T(0));
    multiplyOnHost<T>(a, b, c, operands.n, operands.k);
    storeAccumulators<T>(warp, operands, c);
  }
}

void nova::emulator::executeProduct(Block &block, uint32_t firstWarp, const WgmmaOperands &operands,
                                    const Product &product) {
  using RunFn = void (*)(Block &, uint32_t, const WgmmaOperands &, const Product &);
  static const std::pair<std::pair<Type, Type>, RunFn> table[] = {
      {{Type::F16, Type::F16}, run<float, Type::F16, Type::F16>},
      {{Type::BF16, Type::BF16}, run<float, Type::BF16, Type::BF16>},
      {{Type::TF32, Type::TF32}, run<float, Type::TF32, Type::TF32>},
      {{Type::E4M3, Type::E4M3}, run<float, Type::E4M3, Type::E4M3>},
      {{Type::E4M3, Type::E5M2}, run<float, Type::E4M3, Type::E5M2>},
      {{Type::E5M2, Type::E4M3}, run<float, Type::E5M2, Type::E4M3>},
      {{Type::E5M2, Type::E5M2}, run<float, Type::E5M2, Type::E5M2>},
      {{Type::S8, Type::S8}, run<int64_t, Type::S8, Type::S8>},
      {{Type::S8, Type::U8}, run<int64_t, Type::S8, Type::U8>},
      {{Type::U8, Type::S8}, run<int64_t, Type::U8, Type::S8>},
      {{Type::U8, Type::U8}, run<int64_t, Type::U8, Type::U8>},
  };
  for (const auto &[types, runFn] : table)
    if (types == std::make_pair(operands.a, operands.b))
      return runFn(block, firstWarp, operands, product);
}
