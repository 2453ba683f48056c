//===- WarpInstructions.cpp - Shuffles, votes and what else lanes say to each other -===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Decoder.h"
#include "Lanes.h"

#include <algorithm>

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

// Operands: 0 result, 1 value, 2 lane or distance, 3 clamp and segments, 4 the predicate of the result.
enum ShuffleFlags : uint8_t { HasPredicate = 4 };
enum class ShuffleMode : uint8_t { Up, Down, Butterfly, Index };

template <ShuffleMode Mode> struct Shuffle {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    const uint32_t *a = lanesOf<uint32_t>(warp, instruction.operands[1]);
    const uint32_t *b = lanesOf<uint32_t>(warp, instruction.operands[2]);
    const uint32_t *c = lanesOf<uint32_t>(warp, instruction.operands[3]);
    uint32_t sources[kLanes], values[kLanes];
    uint32_t inside = 0, missing = 0;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      uint32_t distance = b[lane] & 31, clamp = c[lane] & 31, segments = c[lane] >> 8 & 31;
      int32_t last = static_cast<int32_t>((lane & segments) | (clamp & ~segments)), source;
      if (Mode == ShuffleMode::Up)
        source = static_cast<int32_t>(lane - distance);
      else if (Mode == ShuffleMode::Down)
        source = static_cast<int32_t>(lane + distance);
      else if (Mode == ShuffleMode::Butterfly)
        source = static_cast<int32_t>(lane ^ distance);
      else
        source = static_cast<int32_t>((lane & segments) | (distance & ~segments));
      bool isInside = Mode == ShuffleMode::Up ? source >= last : source <= last;
      // Out of range a lane reads itself.
      sources[lane] = isInside ? static_cast<uint32_t>(source) : lane;
      inside |= static_cast<uint32_t>(isInside) << lane;
    }
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      values[lane] = a[sources[lane]];
    if (active != kAllLanes)
      for (uint32_t lane = 0; lane < kLanes; ++lane)
        missing |= static_cast<uint32_t>((active >> lane & 1) && !(active >> sources[lane] & 1)) << lane;
    if (missing)
      reportAbsent(warp, instruction, missing, sources);
    setLanes(warp, instruction.operands[0], values, active);
    if (instruction.flags & HasPredicate)
      setPredicate(warp, instruction.operands[4], inside, active);
  }

  static void reportAbsent(Warp &warp, const Instruction &instruction, uint32_t missing, const uint32_t *sources) {
    if (!warp.block->checks.barriers)
      return;
    unsigned lane = static_cast<unsigned>(__builtin_ctz(missing));
    report(warp, instruction, Finding::Kind::Barrier, lane,
           "reads lane " + std::to_string(sources[lane]) + ", which does not take part");
  }
};

//===----------------------------------------------------------------------===//
// Votes, matches, reductions
//===----------------------------------------------------------------------===//

enum class Vote : uint8_t { All, Any, Uniform, Ballot };

static void executeVote(Warp &warp, const Instruction &instruction, uint32_t active) {
  uint32_t votes = warp.predicates[instruction.operands[1]] & active;
  auto kind = static_cast<Vote>(instruction.flags);
  if (kind == Vote::Ballot) {
    uint32_t values[kLanes];
    std::fill(values, values + kLanes, votes);
    return setLanes(warp, instruction.operands[0], values, active);
  }
  bool isTrue = kind == Vote::All ? votes == active : kind == Vote::Any ? votes != 0 : votes == 0 || votes == active;
  setPredicate(warp, instruction.operands[0], isTrue ? active : 0, active);
}

static void executeActiveMask(Warp &warp, const Instruction &instruction, uint32_t active) {
  uint32_t values[kLanes];
  std::fill(values, values + kLanes, active);
  setLanes(warp, instruction.operands[0], values, active);
}

static void executeElect(Warp &warp, const Instruction &instruction, uint32_t active) {
  uint32_t leader = static_cast<uint32_t>(__builtin_ctz(active)), values[kLanes];
  std::fill(values, values + kLanes, leader);
  setLanes(warp, instruction.operands[0], values, active);
  setPredicate(warp, instruction.operands[1], 1u << leader, active);
}

template <typename T> static void executeMatch(Warp &warp, const Instruction &instruction, uint32_t active) {
  const T *a = lanesOf<T>(warp, instruction.operands[1]);
  bool isAny = instruction.flags == 0;
  uint32_t values[kLanes] = {}, first = static_cast<uint32_t>(__builtin_ctz(active));
  bool allEqual = true;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    allEqual &= !(active >> lane & 1) || a[lane] == a[first];
    for (unsigned other = 0; other < kLanes; ++other)
      values[lane] |= static_cast<uint32_t>((active >> other & 1) && a[other] == a[lane]) << other;
  }
  if (!isAny) {
    std::fill(values, values + kLanes, allEqual ? active : 0);
    setPredicate(warp, instruction.operands[4], allEqual ? active : 0, active);
  }
  setLanes(warp, instruction.operands[0], values, active);
}

enum class Reduction : uint8_t { Add, Min, Max, And, Or, Xor };

template <typename T> static void executeReduction(Warp &warp, const Instruction &instruction, uint32_t active) {
  const T *a = lanesOf<T>(warp, instruction.operands[1]);
  T result = a[__builtin_ctz(active)];
  for (uint32_t rest = active & (active - 1); rest; rest &= rest - 1) {
    T value = a[__builtin_ctz(rest)];
    switch (static_cast<Reduction>(instruction.flags)) {
    case Reduction::Add:
      result = static_cast<T>(static_cast<uint32_t>(result) + static_cast<uint32_t>(value));
      break;
    case Reduction::Min:
      result = std::min(result, value);
      break;
    case Reduction::Max:
      result = std::max(result, value);
      break;
    case Reduction::And:
      result &= value;
      break;
    case Reduction::Or:
      result |= value;
      break;
    case Reduction::Xor:
      result ^= value;
      break;
    }
  }
  T values[kLanes];
  std::fill(values, values + kLanes, result);
  setLanes(warp, instruction.operands[0], values, active);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// With .sync the last operand names the lanes that take part.
static void takeMembers(Builder &builder, bool isSync, size_t operand) {
  if (!isSync)
    return;
  builder.out.control = Control::WarpSync;
  builder.out.memberOperand = 19;
  builder.out.operands[19] = builder.source(operand, Type::B32);
}

static void decodeShuffle(Builder &builder) {
  bool isSync = builder.take("sync");
  auto mode = static_cast<ShuffleMode>(builder.expectOneOf({"up", "down", "bfly", "idx"}));
  if (builder.takeType() != Type::B32)
    builder.fail("expected .b32");
  builder.expectOperands(isSync ? 5 : 4);
  const Operand &result = builder.operand(0);
  bool isPair = result.kind == Operand::Kind::Pair;
  for (size_t i = 1; i < 4; ++i)
    builder.out.operands[i] = builder.source(i, Type::B32);
  takeMembers(builder, isSync, 4);
  builder.out.operands[0] = builder.destination(isPair ? result.elements[0] : result, Type::B32);
  if (isPair) {
    builder.out.flags |= HasPredicate;
    builder.out.operands[4] = builder.destinationPredicate(result.elements[1]);
  }
  builder.out.execute = mode == ShuffleMode::Up          ? compiled<Shuffle<ShuffleMode::Up>>()
                        : mode == ShuffleMode::Down      ? compiled<Shuffle<ShuffleMode::Down>>()
                        : mode == ShuffleMode::Butterfly ? compiled<Shuffle<ShuffleMode::Butterfly>>()
                                                         : compiled<Shuffle<ShuffleMode::Index>>();
}

static void decodeVote(Builder &builder) {
  bool isSync = builder.take("sync");
  int kind = builder.expectOneOf({"all", "any", "uni", "ballot"});
  Type type = builder.takeType();
  bool isBallot = kind == 3;
  if (type != (isBallot ? Type::B32 : Type::Pred))
    builder.fail(isBallot ? "expected .b32" : "expected .pred");
  builder.expectOperands(isSync ? 3 : 2);
  builder.out.flags = static_cast<uint8_t>(kind);
  builder.out.operands[1] = builder.sourcePredicate(1);
  takeMembers(builder, isSync, 2);
  builder.out.operands[0] = isBallot ? builder.destination(0, Type::B32) : builder.destinationPredicate(0);
  builder.out.execute = executeVote;
}

static void decodeActiveMask(Builder &builder) {
  if (builder.takeType() != Type::B32)
    builder.fail("expected .b32");
  builder.expectOperands(1);
  builder.out.operands[0] = builder.destination(0, Type::B32);
  builder.out.execute = executeActiveMask;
}

static void decodeElect(Builder &builder) {
  builder.expectOneOf({"sync"});
  builder.expectOperands(2);
  const Operand &result = builder.operand(0);
  if (result.kind != Operand::Kind::Pair)
    builder.fail("expected a register and a predicate, d|p");
  takeMembers(builder, /*isSync=*/true, 1);
  builder.out.operands[0] = builder.destination(result.elements[0], Type::B32);
  builder.out.operands[1] = builder.destinationPredicate(result.elements[1]);
  builder.out.execute = executeElect;
}

static void decodeMatch(Builder &builder) {
  bool isAll = builder.expectOneOf({"any", "all"}) == 1;
  builder.expectOneOf({"sync"});
  Type type = builder.takeType();
  if (type != Type::B32 && type != Type::B64)
    builder.fail("expected .b32 or .b64");
  builder.expectOperands(3);
  const Operand &result = builder.operand(0);
  bool isPair = result.kind == Operand::Kind::Pair;
  builder.out.flags = isAll;
  builder.out.operands[1] = builder.source(1, type);
  takeMembers(builder, /*isSync=*/true, 2);
  builder.out.operands[0] = builder.destination(isPair ? result.elements[0] : result, Type::B32);
  builder.out.operands[4] = isPair ? builder.destinationPredicate(result.elements[1]) : builder.newPredicate();
  builder.out.execute = bytesOf(type) == 4 ? executeMatch<uint32_t> : executeMatch<uint64_t>;
}

static void decodeReduction(Builder &builder) {
  builder.expectOneOf({"sync"});
  builder.out.flags = static_cast<uint8_t>(builder.expectOneOf({"add", "min", "max", "and", "or", "xor"}));
  Type type = builder.takeType();
  bool isArithmetic = builder.out.flags < 3;
  if (isArithmetic ? type != Type::U32 && type != Type::S32 : type != Type::B32)
    builder.fail("unexpected type ." + std::string(nameOf(type)) + " of redux");
  builder.expectOperands(3);
  builder.out.operands[1] = builder.source(1, type);
  takeMembers(builder, /*isSync=*/true, 2);
  builder.out.operands[0] = builder.destination(0, type);
  builder.out.execute = type == Type::S32 ? executeReduction<int32_t> : executeReduction<uint32_t>;
}

void nova::emulator::addWarpInstructions(InstructionTable &table) {
  table["shfl"] = decodeShuffle;
  table["vote"] = decodeVote;
  table["activemask"] = decodeActiveMask;
  table["elect"] = decodeElect;
  table["match"] = decodeMatch;
  table["redux"] = decodeReduction;
}
