//===- Mma.cpp - mma.sync: products of matrices in registers --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Decoder.h"
#include "Rounding.h"

#include <algorithm>

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//
//
// With g = lane / 4 and t = lane % 4, a register holds E elements next to each other along K (E: 1 for tf32 and f64, 2
// for halves, 4 for bytes). Element i of register r of A is at row g, or g + 8 when M is 16 and r is odd, and at column
// E t + 4 E (r / 2) + i (r, when M is 8); of B at column g and row E t + 4 E r + i. An accumulator r is at row g, or
// g + 8 for r of 2 and 3, and at column 2 t + r % 2; halves of accumulators are packed in pairs.

namespace {

/// Operands of an mma start here: D, A, B, C.
constexpr unsigned kD = 0, kA = 4, kB = 12, kC = 14;

struct Shape {
  unsigned m, n, k;
};

// How elements lie in a register and what is computed with them.
struct HalfElements {
  using Lane = uint32_t;
  using Value = float;
  static constexpr unsigned perRegister = 2;
  static NOVA_LANES float load(uint32_t bits, unsigned i) { return f16ToF32(static_cast<uint16_t>(bits >> 16 * i)); }
};
struct BrainElements {
  using Lane = uint32_t;
  using Value = float;
  static constexpr unsigned perRegister = 2;
  static NOVA_LANES float load(uint32_t bits, unsigned i) { return bitsAs<float>(i ? bits & 0xffff0000 : bits << 16); }
};
/// The lower 13 bits do not count.
struct TensorElements {
  using Lane = uint32_t;
  using Value = float;
  static constexpr unsigned perRegister = 1;
  static NOVA_LANES float load(uint32_t bits, unsigned) { return bitsAs<float>(bits & 0xffffe000); }
};
struct DoubleElements {
  using Lane = double;
  using Value = double;
  static constexpr unsigned perRegister = 1;
  static NOVA_LANES double load(double value, unsigned) { return value; }
};
template <typename Byte> struct ByteElements {
  using Lane = uint32_t;
  using Value = int32_t;
  static constexpr unsigned perRegister = 4;
  static NOVA_LANES int32_t load(uint32_t bits, unsigned i) { return static_cast<Byte>(bits >> 8 * i); }
};
template <bool IsE4M3> struct EightElements {
  using Lane = uint32_t;
  using Value = float;
  static constexpr unsigned perRegister = 4;
  static NOVA_LANES float load(uint32_t bits, unsigned i) {
    return static_cast<float>(widen(IsE4M3 ? kE4M3 : kE5M2, bits >> 8 * i & 0xff));
  }
};

template <typename A, typename B, unsigned M, unsigned K>
NOVA_LANES void unpack(Warp &warp, const Instruction &instruction, typename A::Value a[M][K],
                       typename B::Value b[K][8]) {
  constexpr unsigned E = A::perRegister, rows = M / 8;
  for (unsigned r = 0; r < rows * K / (4 * E); ++r) {
    const auto *lanes = lanesOf<typename A::Lane>(warp, instruction.operands[kA + r]);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned i = 0; i < E; ++i)
        a[lane / 4 + 8 * (r % rows)][E * (lane % 4) + 4 * E * (r / rows) + i] = A::load(lanes[lane], i);
  }
  for (unsigned r = 0; r < K / (4 * E); ++r) {
    const auto *lanes = lanesOf<typename B::Lane>(warp, instruction.operands[kB + r]);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned i = 0; i < E; ++i)
        b[E * (lane % 4) + 4 * E * r + i][lane / 4] = B::load(lanes[lane], i);
  }
}

/// Accumulators of one register each.
template <typename T, unsigned M> struct WholeAccumulators {
  using Value = T;
  static NOVA_LANES void load(Warp &warp, const Instruction &instruction, T c[M][8]) {
    for (unsigned r = 0; r < M / 4; ++r)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        c[lane / 4 + 8 * (r / 2)][2 * (lane % 4) + r % 2] = lanesOf<T>(warp, instruction.operands[kC + r])[lane];
  }
  static NOVA_LANES void store(Warp &warp, const Instruction &instruction, const T d[M][8]) {
    for (unsigned r = 0; r < M / 4; ++r)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        lanesOf<T>(warp, instruction.operands[kD + r])[lane] = d[lane / 4 + 8 * (r / 2)][2 * (lane % 4) + r % 2];
  }
};
/// f16 accumulators, two a register; sums are f32 and rounded once.
template <unsigned M> struct PackedAccumulators {
  using Value = float;
  static NOVA_LANES void load(Warp &warp, const Instruction &instruction, float c[M][8]) {
    for (unsigned r = 0; r < M / 8; ++r)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned i = 0; i < 2; ++i) {
          uint32_t bits = lanesOf<uint32_t>(warp, instruction.operands[kC + r])[lane];
          c[lane / 4 + 8 * r][2 * (lane % 4) + i] = f16ToF32(static_cast<uint16_t>(bits >> 16 * i));
        }
  }
  static NOVA_LANES void store(Warp &warp, const Instruction &instruction, const float d[M][8]) {
    for (unsigned r = 0; r < M / 8; ++r)
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const float *pair = &d[lane / 4 + 8 * r][2 * (lane % 4)];
        lanesOf<uint32_t>(warp, instruction.operands[kD + r])[lane] =
            f32ToF16(pair[0]) | static_cast<uint32_t>(f32ToF16(pair[1])) << 16;
      }
  }
};

/// Floats: multiply-adds in the order of K.
template <typename A, typename B, typename C, unsigned M, unsigned K> struct FloatMma {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    requireAllLanes(warp, instruction, active);
    using T = typename C::Value;
    T a[M][K], b[K][8], c[M][8];
    unpack<A, B, M, K>(warp, instruction, a, b);
    C::load(warp, instruction, c);
    for (unsigned row = 0; row < M; ++row)
      for (unsigned k = 0; k < K; ++k)
        for (unsigned column = 0; column < 8; ++column)
          c[row][column] = sizeof(T) == 4 ? T(__builtin_fmaf(a[row][k], b[k][column], c[row][column]))
                                          : T(__builtin_fma(a[row][k], b[k][column], c[row][column]));
    if constexpr (sizeof(T) == 4)
      for (unsigned row = 0; row < M; ++row)
        for (unsigned column = 0; column < 8; ++column)
          c[row][column] = canonical(c[row][column]);
    C::store(warp, instruction, c);
  }
};

enum MmaFlags : uint8_t { SaturateFinite = 1 };

/// Integers: exact sums that wrap around or saturate.
template <typename A, typename B, unsigned M, unsigned K> struct IntegerMma {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    requireAllLanes(warp, instruction, active);
    using C = WholeAccumulators<int32_t, M>;
    int32_t a[M][K], b[K][8], c[M][8];
    unpack<A, B, M, K>(warp, instruction, a, b);
    C::load(warp, instruction, c);
    bool saturates = instruction.flags & SaturateFinite;
    for (unsigned row = 0; row < M; ++row)
      for (unsigned column = 0; column < 8; ++column) {
        int64_t sum = c[row][column];
        for (unsigned k = 0; k < K; ++k)
          sum += a[row][k] * b[k][column];
        int64_t clamped = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
        c[row][column] = static_cast<int32_t>(saturates ? clamped : sum);
      }
    C::store(warp, instruction, c);
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

template <typename A, typename B, unsigned M, unsigned K> static ExecuteFn floatMma(bool isPacked) {
  return isPacked ? compiled<FloatMma<A, B, PackedAccumulators<M>, M, K>>()
                  : compiled<FloatMma<A, B, WholeAccumulators<float, M>, M, K>>();
}

template <unsigned M, unsigned K> static ExecuteFn integerMma(Type a, Type b) {
  using S = ByteElements<int8_t>;
  using U = ByteElements<uint8_t>;
  if (isSigned(a))
    return isSigned(b) ? compiled<IntegerMma<S, S, M, K>>() : compiled<IntegerMma<S, U, M, K>>();
  return isSigned(b) ? compiled<IntegerMma<U, S, M, K>>() : compiled<IntegerMma<U, U, M, K>>();
}

static ExecuteFn handlerFor(Shape s, Type a, Type b, bool isPacked) {
  bool is16 = s.m == 16 && s.n == 8;
  auto isEight = [](Type type) { return type == Type::E4M3 || type == Type::E5M2; };
  auto isByte = [](Type type) { return type == Type::S8 || type == Type::U8; };
  if (isByte(a) && isByte(b))
    return is16 && s.k == 16                   ? integerMma<16, 16>(a, b)
           : is16 && s.k == 32                 ? integerMma<16, 32>(a, b)
           : s.m == 8 && s.n == 8 && s.k == 16 ? integerMma<8, 16>(a, b)
                                               : nullptr;
  if (is16 && isEight(a) && isEight(b) && s.k == 32) {
    using E4 = EightElements<true>;
    using E5 = EightElements<false>;
    if (a == Type::E4M3)
      return b == Type::E4M3 ? floatMma<E4, E4, 16, 32>(isPacked) : floatMma<E4, E5, 16, 32>(isPacked);
    return b == Type::E4M3 ? floatMma<E5, E4, 16, 32>(isPacked) : floatMma<E5, E5, 16, 32>(isPacked);
  }
  if (a != b)
    return nullptr;
  if (is16 && a == Type::F16)
    return s.k == 16  ? floatMma<HalfElements, HalfElements, 16, 16>(isPacked)
           : s.k == 8 ? floatMma<HalfElements, HalfElements, 16, 8>(isPacked)
                      : nullptr;
  if (is16 && a == Type::BF16 && !isPacked)
    return s.k == 16  ? floatMma<BrainElements, BrainElements, 16, 16>(false)
           : s.k == 8 ? floatMma<BrainElements, BrainElements, 16, 8>(false)
                      : nullptr;
  if (is16 && a == Type::TF32 && !isPacked)
    return s.k == 8   ? floatMma<TensorElements, TensorElements, 16, 8>(false)
           : s.k == 4 ? floatMma<TensorElements, TensorElements, 16, 4>(false)
                      : nullptr;
  using D = DoubleElements;
  if (a == Type::F64 && s.n == 8 && s.m == 8 && s.k == 4)
    return compiled<FloatMma<D, D, WholeAccumulators<double, 8>, 8, 4>>();
  if (a == Type::F64 && is16)
    return s.k == 4   ? compiled<FloatMma<D, D, WholeAccumulators<double, 16>, 16, 4>>()
           : s.k == 8 ? compiled<FloatMma<D, D, WholeAccumulators<double, 16>, 16, 8>>()
                      : nullptr;
  return nullptr;
}

static Shape takeShape(Builder &builder) {
  constexpr Shape shapes[] = {{16, 8, 4}, {16, 8, 8}, {16, 8, 16}, {16, 8, 32}, {8, 8, 4}, {8, 8, 16}};
  return shapes[builder.expectOneOf({"m16n8k4", "m16n8k8", "m16n8k16", "m16n8k32", "m8n8k4", "m8n8k16"})];
}

static void takeFragment(Builder &builder, size_t operand, unsigned first, size_t count, Type type, bool isResult) {
  std::vector<Operand> elements = Builder::elementsOf(builder.operand(operand));
  if (elements.size() != count)
    builder.fail("expected " + std::to_string(count) + " registers, found " + std::to_string(elements.size()));
  for (size_t i = 0; i < count; ++i)
    builder.out.operands[first + i] =
        isResult ? builder.destination(elements[i], type) : builder.source(elements[i], type);
}

void nova::emulator::decodeMma(Builder &builder) {
  requireWholeWarp(builder);
  Shape shape = takeShape(builder);
  builder.expectOneOf({"row"});
  builder.expectOneOf({"col"});
  Type d = builder.takeType();
  bool isPacked = d == Type::F16, isDouble = d == Type::F64, isInteger = d == Type::S32;
  if (!isPacked && !isDouble && !isInteger && d != Type::F32)
    builder.fail("unknown shape or types of mma");
  Type a = builder.takeType();
  if (isInteger != (a == Type::S8 || a == Type::U8) || isDouble != (a == Type::F64))
    builder.fail("unknown shape or types of mma");
  Type b = builder.takeType();
  builder.out.execute = handlerFor(shape, a, b, isPacked);
  if (!builder.out.execute || builder.takeType() != d)
    builder.fail("unknown shape or types of mma");
  if (isInteger && builder.take("satfinite"))
    builder.out.flags = SaturateFinite;
  builder.expectOperands(4);
  size_t rows = shape.m / 8, perRegister = isDouble || a == Type::TF32 ? 1 : bytesOf(a) == 2 ? 2 : 4;
  size_t accumulators = isPacked ? rows : 2 * rows;
  Type part = isDouble ? Type::F64 : Type::B32;
  takeFragment(builder, 1, kA, rows * shape.k / (4 * perRegister), part, false);
  takeFragment(builder, 2, kB, shape.k / (4 * perRegister), part, false);
  takeFragment(builder, 3, kC, accumulators, part, false);
  takeFragment(builder, 0, kD, accumulators, part, true);
}
