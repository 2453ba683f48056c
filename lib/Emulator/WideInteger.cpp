//===- WideInteger.cpp - High and wide products, carries ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {

template <typename T> struct Double;
template <> struct Double<uint16_t> {
  using type = uint32_t;
};
template <> struct Double<int16_t> {
  using type = int32_t;
};
template <> struct Double<uint32_t> {
  using type = uint64_t;
};
template <> struct Double<int32_t> {
  using type = int64_t;
};
template <> struct Double<uint64_t> {
  using type = unsigned __int128;
};
template <> struct Double<int64_t> {
  using type = __int128;
};

template <typename T> NOVA_LANES T highOf(T a, T b) {
  using D = typename Double<T>::type;
  return static_cast<T>((static_cast<D>(a) * static_cast<D>(b)) >> (8 * sizeof(T)));
}
struct MultiplyHigh {
  template <typename T> static NOVA_LANES T of(T a, T b) { return highOf(a, b); }
};
struct MultiplyAddHigh {
  template <typename T> static NOVA_LANES T of(T a, T b, T c) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(highOf(a, b)) + static_cast<U>(c));
  }
};
NOVA_LANES int32_t clamped(int64_t sum) {
  return static_cast<int32_t>(sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum);
}
struct MultiplyAddHighSaturated {
  static NOVA_LANES int32_t of(int32_t a, int32_t b, int32_t c) { return clamped(int64_t(highOf(a, b)) + c); }
};
struct MultiplyWide {
  template <typename T> static NOVA_LANES typename Double<T>::type of(T a, T b) {
    using D = typename Double<T>::type;
    return static_cast<D>(a) * static_cast<D>(b);
  }
};
struct MultiplyAddWide {
  template <typename T> static NOVA_LANES typename Double<T>::type of(T a, T b, typename Double<T>::type c) {
    using D = typename Double<T>::type;
    using U = std::make_unsigned_t<D>;
    return static_cast<D>(static_cast<U>(static_cast<D>(a) * static_cast<D>(b)) + static_cast<U>(c));
  }
};

/// mul24: the lower or upper 32 bits of the 48-bit product of the lower 24 bits.
template <typename T, bool IsHigh> struct Multiply24 {
  static NOVA_LANES T of(T a, T b) {
    using D = typename Double<T>::type;
    T x = static_cast<T>(static_cast<T>(static_cast<uint32_t>(a) << 8) >> 8);
    T y = static_cast<T>(static_cast<T>(static_cast<uint32_t>(b) << 8) >> 8);
    return static_cast<T>(static_cast<D>(x) * static_cast<D>(y) >> (IsHigh ? 16 : 0));
  }
  static NOVA_LANES T of(T a, T b, T c) {
    return static_cast<T>(static_cast<uint32_t>(of(a, b)) + static_cast<uint32_t>(c));
  }
};
struct MultiplyAdd24Saturated {
  static NOVA_LANES int32_t of(int32_t a, int32_t b, int32_t c) {
    return clamped(int64_t(Multiply24<int32_t, true>::of(a, b)) + c);
  }
};

} // namespace

template <typename T> static ExecuteFn wideLanes(bool isAdd) {
  using D = typename Double<T>::type;
  return isAdd ? compiled<TernaryLanes<D, T, T, D, MultiplyAddWide>>() : compiled<BinaryLanes<D, T, T, MultiplyWide>>();
}

template <typename T> static ExecuteFn highLanes(bool isAdd) {
  return isAdd ? ternaryLanes<T, MultiplyAddHigh>() : binaryLanes<T, MultiplyHigh>();
}

static Type doubled(Type type) {
  switch (type) {
  case Type::U16:
    return Type::U32;
  case Type::S16:
    return Type::S32;
  case Type::U32:
    return Type::U64;
  default:
    return Type::S64;
  }
}

void nova::emulator::decodeWideMultiply(Builder &builder, Type type, bool isWide) {
  bool isAdd = builder.name() == "mad";
  if (isWide && bytesOf(type) == 8)
    builder.fail("expected .wide with 16 or 32 bits");
  Type result = isWide ? doubled(type) : type;
  builder.expectOperands(isAdd ? 4 : 3);
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[2] = builder.source(2, type);
  if (isAdd)
    builder.out.operands[3] = builder.source(3, result);
  builder.out.operands[0] = builder.destination(0, result);
  bool hasSign = isSigned(type);
  uint32_t bytes = bytesOf(type);
  if (isWide && bytes == 2)
    builder.out.execute = hasSign ? wideLanes<int16_t>(isAdd) : wideLanes<uint16_t>(isAdd);
  else if (isWide)
    builder.out.execute = hasSign ? wideLanes<int32_t>(isAdd) : wideLanes<uint32_t>(isAdd);
  else if (isAdd && type == Type::S32 && builder.take("sat"))
    builder.out.execute = ternaryLanes<int32_t, MultiplyAddHighSaturated>();
  else if (bytes == 2)
    builder.out.execute = hasSign ? highLanes<int16_t>(isAdd) : highLanes<uint16_t>(isAdd);
  else if (bytes == 4)
    builder.out.execute = hasSign ? highLanes<int32_t>(isAdd) : highLanes<uint32_t>(isAdd);
  else
    builder.out.execute = hasSign ? highLanes<int64_t>(isAdd) : highLanes<uint64_t>(isAdd);
}

static void decodeMultiply24(Builder &builder) {
  bool isAdd = builder.name() == "mad24";
  bool isHigh = builder.expectOneOf({"lo", "hi"}) == 1;
  Type type = builder.takeType();
  if (type != Type::U32 && type != Type::S32)
    builder.fail("expected .u32 or .s32, found ." + std::string(nameOf(type)));
  builder.expectOperands(isAdd ? 4 : 3);
  for (size_t i = 1; i < builder.operandCount(); ++i)
    builder.out.operands[i] = builder.source(i, type);
  builder.out.operands[0] = builder.destination(0, type);
  if (isAdd && isHigh && type == Type::S32 && builder.take("sat")) {
    builder.out.execute = ternaryLanes<int32_t, MultiplyAdd24Saturated>();
    return;
  }
  auto pick = [&](auto low, auto high) { return isHigh ? high : low; };
  using S = int32_t;
  using U = uint32_t;
  if (type == Type::S32)
    builder.out.execute = isAdd ? pick(ternaryLanes<S, Multiply24<S, false>>(), ternaryLanes<S, Multiply24<S, true>>())
                                : pick(binaryLanes<S, Multiply24<S, false>>(), binaryLanes<S, Multiply24<S, true>>());
  else
    builder.out.execute = isAdd ? pick(ternaryLanes<U, Multiply24<U, false>>(), ternaryLanes<U, Multiply24<U, true>>())
                                : pick(binaryLanes<U, Multiply24<U, false>>(), binaryLanes<U, Multiply24<U, true>>());
}

//===----------------------------------------------------------------------===//
// Carries
//===----------------------------------------------------------------------===//

// The carry is a predicate: operand 4. Flags say what an instruction does with it.
enum CarryFlags : uint8_t { ReadsCarry = 1, WritesCarry = 2, IsSubtract = 4, IsHighPart = 8, IsProduct = 16 };

template <typename T> static void executeCarry(Warp &warp, const Instruction &instruction, uint32_t active) {
  using U = std::make_unsigned_t<T>;
  const T *a = lanesOf<T>(warp, instruction.operands[1]), *b = lanesOf<T>(warp, instruction.operands[2]);
  const U *c = lanesOf<U>(warp, instruction.operands[3]);
  uint32_t carryIn = instruction.flags & ReadsCarry ? warp.predicates[instruction.operands[4]] : 0, carryOut = 0;
  U values[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    U carry = carryIn >> lane & 1, left = static_cast<U>(a[lane]), right = static_cast<U>(b[lane]);
    if (instruction.flags & IsProduct) {
      left = instruction.flags & IsHighPart ? static_cast<U>(highOf(a[lane], b[lane])) : static_cast<U>(left * right);
      right = c[lane];
    }
    unsigned __int128 sum = instruction.flags & IsSubtract ? static_cast<unsigned __int128>(left) - right - carry
                                                           : static_cast<unsigned __int128>(left) + right + carry;
    values[lane] = static_cast<U>(sum);
    carryOut |= static_cast<uint32_t>(sum >> (8 * sizeof(U)) & 1) << lane;
  }
  setLanes(warp, instruction.operands[0], values, active);
  if (instruction.flags & WritesCarry)
    setPredicate(warp, instruction.operands[4], carryOut, active);
}

static void finishCarry(Builder &builder, Type type, uint8_t flags) {
  if (!isInteger(type) || bytesOf(type) < 4)
    builder.fail("expected an integer type of 32 or 64 bits, found ." + std::string(nameOf(type)));
  builder.out.flags = flags;
  builder.out.operands[4] = builder.carryPredicate();
  for (size_t i = 1; i < builder.operandCount(); ++i)
    builder.out.operands[i] = builder.source(i, type);
  builder.out.operands[0] = builder.destination(0, type);
  if (!(flags & IsProduct))
    builder.out.operands[3] = builder.out.operands[1]; // read, not used
  bool hasSign = isSigned(type);
  builder.out.execute = bytesOf(type) == 4 ? (hasSign ? executeCarry<int32_t> : executeCarry<uint32_t>)
                                           : (hasSign ? executeCarry<int64_t> : executeCarry<uint64_t>);
}

static uint8_t carryFlags(bool readsCarry, bool writesCarry) {
  return static_cast<uint8_t>((readsCarry ? ReadsCarry : 0) | (writesCarry ? WritesCarry : 0));
}

void nova::emulator::decodeCarry(Builder &builder, Type type, bool readsCarry, bool writesCarry) {
  builder.expectOperands(3);
  bool isSubtract = builder.name().substr(0, 3) == "sub";
  finishCarry(builder, type, static_cast<uint8_t>(carryFlags(readsCarry, writesCarry) | (isSubtract ? IsSubtract : 0)));
}

void nova::emulator::decodeCarryMultiply(Builder &builder, Type type, bool isHigh, bool readsCarry, bool writesCarry) {
  builder.expectOperands(4);
  finishCarry(builder, type,
              static_cast<uint8_t>(carryFlags(readsCarry, writesCarry) | IsProduct | (isHigh ? IsHighPart : 0)));
}

static void decodeWithCarry(Builder &builder) {
  bool writesCarry = builder.take("cc");
  if (builder.name() != "madc")
    return decodeCarry(builder, builder.takeType(), /*readsCarry=*/true, writesCarry);
  bool isHigh = builder.expectOneOf({"lo", "hi"}) == 1;
  decodeCarryMultiply(builder, builder.takeType(), isHigh, /*readsCarry=*/true, writesCarry);
}

void nova::emulator::addWideInstructions(InstructionTable &table) {
  table["mul24"] = table["mad24"] = decodeMultiply24;
  table["addc"] = table["subc"] = table["madc"] = decodeWithCarry;
}
