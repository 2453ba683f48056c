//===- Move.cpp - Moves and address conversions ---------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"
#include "Windows.h"

#include <chrono>

using namespace nova::emulator;

namespace {

struct Copy {
  template <typename T> static NOVA_LANES T of(T a) { return a; }
};

/// {a, b, ...} to one register: `Part` lanes into `Whole` lanes.
template <typename Whole, typename Part> struct Pack {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    constexpr unsigned count = sizeof(Whole) / sizeof(Part);
    // 8-bit parts live in 16-bit registers.
    using Lane = std::conditional_t<sizeof(Part) == 1, uint16_t, Part>;
    Whole values[kLanes] = {};
    for (unsigned i = 0; i < count; ++i) {
      const Lane *part = lanesOf<Lane>(warp, instruction.operands[1 + i]);
      for (unsigned lane = 0; lane < kLanes; ++lane)
        values[lane] |= static_cast<Whole>(static_cast<Part>(part[lane])) << (8 * sizeof(Part) * i);
    }
    setLanes(warp, instruction.operands[0], values, active);
  }
};

template <typename Whole, typename Part> struct Unpack {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    constexpr unsigned count = sizeof(Whole) / sizeof(Part);
    using Lane = std::conditional_t<sizeof(Part) == 1, uint16_t, Part>;
    Whole whole[kLanes];
    std::memcpy(whole, lanesOf<Whole>(warp, instruction.operands[0]), sizeof(whole));
    for (unsigned i = 0; i < count; ++i) {
      Lane values[kLanes];
      for (unsigned lane = 0; lane < kLanes; ++lane)
        values[lane] = static_cast<Part>(whole[lane] >> (8 * sizeof(Part) * i));
      setLanes(warp, instruction.operands[1 + i], values, active);
    }
  }
};

struct AddWindow {
  static NOVA_LANES uint64_t of(uint64_t a, uint64_t window) { return a + window; }
};
struct SubtractWindow {
  static NOVA_LANES uint64_t of(uint64_t a, uint64_t window) { return a - window; }
};

} // namespace

static void movePredicate(Warp &warp, const Instruction &instruction, uint32_t active) {
  setPredicate(warp, instruction.operands[0], warp.predicates[instruction.operands[1]], active);
}

template <typename T> static void readClock(Warp &warp, const Instruction &instruction, uint32_t active) {
  T values[kLanes];
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  for (T &value : values)
    value = static_cast<T>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  setLanes(warp, instruction.operands[0], values, active);
}

static Type bitsOfWidth(size_t bytes) { return bytes == 1 ? Type::B8 : bytes == 2 ? Type::B16 : Type::B32; }

static void decodePackOrUnpack(Builder &builder, Type type, bool isPack) {
  const std::vector<Operand> &parts = builder.operand(isPack ? 1 : 0).elements;
  uint32_t whole = bytesOf(type);
  if (!isBits(type) || (whole != 2 && whole != 4 && whole != 8) || (parts.size() != 2 && parts.size() != 4) ||
      whole / parts.size() < 1)
    builder.fail("expected 2 or 4 parts that fill ." + std::string(nameOf(type)));
  Type part = bitsOfWidth(whole / parts.size());
  for (size_t i = 0; i < parts.size(); ++i)
    builder.out.operands[1 + i] = isPack ? builder.source(parts[i], part) : builder.destination(parts[i], part);
  builder.out.operands[0] = isPack ? builder.destination(0, type) : builder.source(1, type);
  auto pick = [&](auto wholeSample, auto partSample) {
    using W = decltype(wholeSample);
    using P = decltype(partSample);
    return isPack ? compiled<Pack<W, P>>() : compiled<Unpack<W, P>>();
  };
  bool isTwo = parts.size() == 2;
  builder.out.execute = whole == 2   ? pick(uint16_t(), uint8_t())
                        : whole == 4 ? (isTwo ? pick(uint32_t(), uint16_t()) : pick(uint32_t(), uint8_t()))
                                     : (isTwo ? pick(uint64_t(), uint32_t()) : pick(uint64_t(), uint16_t()));
}

static ExecuteFn copyOf(Type type) {
  return bytesOf(type) == 8   ? unaryLanes<uint64_t, Copy>()
         : bytesOf(type) == 4 ? unaryLanes<uint32_t, Copy>()
                              : unaryLanes<uint16_t, Copy>();
}

static void decodeMove(Builder &builder) {
  Type type = builder.takeType();
  builder.expectOperands(2);
  if (builder.operand(1).kind == Operand::Kind::Vector)
    return decodePackOrUnpack(builder, type, /*isPack=*/true);
  if (builder.operand(0).kind == Operand::Kind::Vector)
    return decodePackOrUnpack(builder, type, /*isPack=*/false);
  if (type == Type::Pred) {
    const Operand &value = builder.operand(1);
    builder.out.execute = movePredicate;
    builder.out.operands[1] = builder.sourcePredicate(value);
    builder.out.operands[0] = builder.destinationPredicate(0);
    return;
  }
  if (!isPlain(type) || bytesOf(type) < 2 || bytesOf(type) > 8)
    builder.fail("expected 16, 32 or 64 bits, found ." + std::string(nameOf(type)));
  if (builder.isClock(builder.operand(1))) {
    builder.out.operands[0] = builder.destination(0, type);
    builder.out.execute = bytesOf(type) == 8 ? readClock<uint64_t> : readClock<uint32_t>;
    if (bytesOf(type) < 4)
      builder.fail("expected 32 or 64 bits for a clock");
    return;
  }
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[0] = builder.destination(0, type);
  builder.out.execute = copyOf(type);
}

static Space expectSpace(Builder &builder) {
  Space space = takeSpace(builder);
  if (space == Space::Generic)
    builder.expectOneOf({"global", "shared", "local", "param", "const"});
  return space;
}

/// cvta.SPACE: to a generic address; cvta.to.SPACE: back.
static void decodeConvertAddress(Builder &builder) {
  bool isBack = builder.take("to");
  Space space = expectSpace(builder);
  if (space == Space::Param && !builder.isInKernel())
    space = Space::Local;
  Type type = builder.takeType();
  if (type != Type::U64)
    builder.fail("expected .u64, found ." + std::string(nameOf(type)));
  builder.expectOperands(2);
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[2] = builder.constant(windowOf(space), 8);
  builder.out.operands[0] = builder.destination(0, type);
  builder.out.execute = isBack ? binaryLanes<uint64_t, SubtractWindow>() : binaryLanes<uint64_t, AddWindow>();
}

static void isInSpace(Warp &warp, const Instruction &instruction, uint32_t active) {
  const uint64_t *address = lanesOf<uint64_t>(warp, instruction.operands[1]);
  uint32_t value = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    value |= static_cast<uint32_t>(spaceOf(address[lane]) == instruction.space) << lane;
  setPredicate(warp, instruction.operands[0], value, active);
}

static void decodeIsSpace(Builder &builder) {
  builder.out.space = expectSpace(builder);
  // Constants lie in global memory here, and no address says so.
  if (builder.out.space == Space::Const)
    builder.fail("expected .global, .shared, .local or .param");
  builder.expectOperands(2);
  builder.out.operands[1] = builder.source(1, Type::U64);
  builder.out.operands[0] = builder.destinationPredicate(0);
  builder.out.execute = isInSpace;
}

void nova::emulator::addMoveInstructions(InstructionTable &table) {
  table["mov"] = decodeMove;
  table["cvta"] = decodeConvertAddress;
  table["isspacep"] = decodeIsSpace;
}
