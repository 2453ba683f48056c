//===- BarrierInstructions.cpp - Barriers, fences and mbarrier ------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "BarrierFlags.h"
#include "Decoder.h"

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// bar, barrier
//===----------------------------------------------------------------------===//

static void executeNothing(Warp &, const Instruction &, uint32_t) {}

/// bar.sync a {, b}; bar.arrive a, b; bar.red.OP d, a {, b}, c; bar.warp.sync mask.
static void decodeBarrier(Builder &builder) {
  if (builder.name() == "bar" && builder.take("warp")) {
    builder.expectOneOf({"sync"});
    builder.expectOperands(1);
    builder.out.control = Control::WarpSync;
    builder.out.flags = AnyPlace;
    builder.out.memberOperand = 19;
    builder.out.operands[19] = builder.source(0, Type::B32);
    builder.out.execute = executeNothing;
    return;
  }
  if (!builder.take("cta") && builder.take("cluster"))
    builder.fail("expected a barrier of .cta, found .cluster");
  bool isAligned = builder.name() == "bar" || builder.take("aligned");
  int kind = builder.expectOneOf({"sync", "arrive", "red"});
  builder.out.control = Control::Barrier;
  builder.out.flags = static_cast<uint8_t>((kind == 1 ? IsArrive : 0) | (isAligned ? IsAligned : 0));
  size_t first = 0;
  if (kind == 2) {
    int reduction = builder.expectOneOf({"popc", "and", "or"});
    Type type = builder.takeType();
    if (type != (reduction == 0 ? Type::U32 : Type::Pred))
      builder.fail("unexpected type ." + std::string(nameOf(type)) + " of a reduction");
    builder.out.flags |= static_cast<uint8_t>(reduction == 0 ? CountVotes : reduction == 1 ? AllVotes : AnyVote);
    builder.expectOperands(3, 4);
    builder.out.operands[2] = type == Type::Pred ? builder.destinationPredicate(0) : builder.destination(0, Type::U32);
    builder.out.operands[3] = builder.sourcePredicate(builder.operandCount() - 1);
    first = 1;
  }
  size_t numbers = builder.operandCount() - first - (kind == 2 ? 1 : 0);
  if (numbers < 1 || numbers > 2 || (kind == 1 && numbers != 2))
    builder.fail("expected the number of a barrier, and how many threads it is for");
  builder.out.operands[0] = builder.source(first, Type::U32);
  if (numbers == 2)
    builder.out.operands[1] = builder.source(first + 1, Type::U32);
  builder.out.count = static_cast<uint8_t>(numbers);
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

// Every access is done when its instruction is, so fences order nothing here; but what is ordered by them is no race.
static void executeFence(Warp &warp, const Instruction &, uint32_t) {
  Block &block = *warp.block;
  block.launch.fences[block.number].fetch_add(1, std::memory_order_relaxed);
  block.hasFenced = true;
}

static void decodeFence(Builder &builder) {
  if (builder.take("proxy")) {
    bool isAsync = builder.expectOneOf({"alias", "async"}) == 1;
    if (isAsync && builder.name() == "fence")
      builder.takeOneOf({"global", "shared::cta", "shared::cluster"});
  } else if (builder.name() == "membar") {
    builder.expectOneOf({"cta", "gl", "sys"});
  } else if (builder.take("mbarrier_init")) {
    builder.expectOneOf({"release"});
    builder.expectOneOf({"cluster"});
  } else {
    builder.takeOneOf({"sc", "acq_rel", "acquire", "release"});
    builder.expectOneOf({"cta", "cluster", "gpu", "sys"});
  }
  builder.expectOperands(0);
  builder.out.execute = executeFence;
}

//===----------------------------------------------------------------------===//
// mbarrier
//===----------------------------------------------------------------------===//

// The state of an mbarrier is opaque to programs. Here: arrivals still expected in this phase, arrivals per phase, and
// the number of the phase.
namespace {
struct State {
  uint64_t pending, expected, phase;
  static State from(uint64_t bits) { return {bits & 0xfffff, bits >> 20 & 0xfffff, bits >> 40}; }
  uint64_t bits() const { return pending | expected << 20 | phase << 40; }
  void arrive(uint64_t count) {
    pending = pending > count ? pending - count : 0;
    if (pending == 0) {
      pending = expected;
      ++phase;
    }
  }
};

// Operand 1 the result, 2 the count, the state or the parity, 3 a predicate.
enum MbarrierFlags : uint8_t { HasResult = 16, IsDrop = 32, IsParity = 64 };
} // namespace

/// Calls `update` with each lane's state, one lane after the other, and stores what it made of it.
template <typename UpdateFn>
static void forEachState(Warp &warp, const Instruction &instruction, uint32_t active, UpdateFn update) {
  Access access;
  addressesOf(warp, instruction, access.address);
  resolve(warp, instruction, instruction.space, active, 8, AccessKind::Atomic, access);
  for (uint32_t rest = access.lanes; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t bits;
    std::memcpy(&bits, access.host[lane], 8);
    State state = State::from(bits);
    update(lane, state, access.address[lane]);
    bits = state.bits();
    std::memcpy(access.host[lane], &bits, 8);
  }
}

static void executeInit(Warp &warp, const Instruction &instruction, uint32_t active) {
  const uint32_t *counts = lanesOf<uint32_t>(warp, instruction.operands[2]);
  Access access;
  addressesOf(warp, instruction, access.address);
  resolve(warp, instruction, instruction.space, active, 8, AccessKind::Store, access);
  uint64_t values[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    values[lane] = State{counts[lane] & 0xfffff, counts[lane] & 0xfffff, 0}.bits();
  noteStore(warp, instruction, access, 8, reinterpret_cast<const uint8_t *>(values), 8);
  for (uint32_t rest = access.lanes; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    std::memcpy(access.host[lane], &values[lane], 8);
  }
}

static void executeArrive(Warp &warp, const Instruction &instruction, uint32_t active) {
  const uint32_t *counts = lanesOf<uint32_t>(warp, instruction.operands[2]);
  uint64_t results[kLanes] = {};
  forEachState(warp, instruction, active, [&](unsigned lane, State &state, uint64_t address) {
    if (warp.block->checks.races)
      warp.block->races.release(warp.index, address);
    results[lane] = state.bits();
    if (instruction.flags & IsDrop)
      state.expected -= std::min<uint64_t>(state.expected, counts[lane]);
    state.arrive(counts[lane]);
  });
  if (instruction.flags & HasResult)
    setLanes(warp, instruction.operands[1], results, active);
}

static void executeTest(Warp &warp, const Instruction &instruction, uint32_t active) {
  uint32_t done = 0;
  bool isParity = instruction.flags & IsParity;
  forEachState(warp, instruction, active, [&](unsigned lane, State &state, uint64_t address) {
    uint64_t awaited = isParity ? lanesOf<uint32_t>(warp, instruction.operands[2])[lane] & 1
                                : State::from(lanesOf<uint64_t>(warp, instruction.operands[2])[lane]).phase;
    bool isDone = isParity ? (state.phase & 1) != awaited : state.phase != awaited;
    done |= static_cast<uint32_t>(isDone) << lane;
    if (isDone && warp.block->checks.races)
      warp.block->races.acquire(warp.index, address);
  });
  setPredicate(warp, instruction.operands[3], done, active);
}

static void executePendingCount(Warp &warp, const Instruction &instruction, uint32_t active) {
  const uint64_t *states = lanesOf<uint64_t>(warp, instruction.operands[2]);
  uint32_t values[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    values[lane] = static_cast<uint32_t>(State::from(states[lane]).pending);
  setLanes(warp, instruction.operands[1], values, active);
}

/// The copies of each lane arrive, and then the lane does.
static void executeCopyArrive(Warp &warp, const Instruction &instruction, uint32_t active) {
  finishCopies(warp, active, 0, /*withUncommitted=*/true);
  bool isCounted = !(instruction.flags & IsDrop); // without .noinc the arrival was not among the expected ones
  forEachState(warp, instruction, active, [&](unsigned, State &state, uint64_t address) {
    if (warp.block->checks.races)
      warp.block->races.release(warp.index, address);
    if (!isCounted)
      state.arrive(1);
  });
}

void nova::emulator::decodeCopyArrive(Builder &builder) {
  builder.expectOneOf({"arrive"});
  builder.out.flags = builder.take("noinc") ? IsDrop : 0;
  Space space = takeSpace(builder);
  if (space != Space::Generic && space != Space::Shared)
    builder.fail("expected .shared, found ." + std::string(nameOf(space)));
  if (builder.takeType() != Type::B64)
    builder.fail("expected .b64");
  builder.expectOperands(1);
  setAddress(builder, builder.operand(0), space);
  builder.out.execute = executeCopyArrive;
}

static void decodeMbarrierArrive(Builder &builder, bool isDrop) {
  bool hasResult = builder.operandCount() > 1 && builder.operand(0).kind != Operand::Kind::Address;
  size_t first = hasResult ? 1 : 0;
  builder.expectOperands(first + 1, first + 2);
  setAddress(builder, builder.operand(first), builder.out.space);
  builder.out.operands[2] =
      builder.operandCount() > first + 1 ? builder.source(first + 1, Type::U32) : builder.constant(1, 4);
  if (hasResult)
    builder.out.operands[1] = builder.destination(0, Type::B64);
  builder.out.flags |= static_cast<uint8_t>((hasResult ? HasResult : 0) | (isDrop ? IsDrop : 0));
  builder.out.execute = executeArrive;
}

static void decodeMbarrierTest(Builder &builder) {
  bool isParity = builder.take("parity");
  builder.expectOperands(3, 4); // how long to wait is a hint
  setAddress(builder, builder.operand(1), builder.out.space);
  builder.out.operands[2] = isParity ? builder.source(2, Type::U32) : builder.source(2, Type::B64);
  builder.out.operands[3] = builder.destinationPredicate(0);
  builder.out.flags |= isParity ? IsParity : 0;
  builder.out.execute = executeTest;
}

static void decodeMbarrier(Builder &builder) {
  int kind = builder.expectOneOf({"init", "inval", "arrive", "arrive_drop", "test_wait", "try_wait", "pending_count"});
  if (kind == 2 || kind == 3)
    builder.take("noComplete");
  if (kind == 2 || kind == 3)
    builder.takeOneOf({"relaxed", "release"});
  else if (kind == 4 || kind == 5)
    builder.takeOneOf({"relaxed", "acquire"});
  builder.takeScope();
  Space space = kind == 6 ? Space::Shared : takeSpace(builder);
  if (space != Space::Generic && space != Space::Shared)
    builder.fail("expected .shared, found ." + std::string(nameOf(space)));
  builder.out.space = space;
  if (builder.takeType() != Type::B64)
    builder.fail("expected .b64");
  switch (kind) {
  case 0:
    builder.expectOperands(2);
    setAddress(builder, builder.operand(0), space);
    builder.out.operands[2] = builder.source(1, Type::U32);
    builder.out.execute = executeInit;
    return;
  case 1:
    builder.expectOperands(1);
    builder.address(builder.operand(0), space);
    builder.out.execute = executeNothing;
    return;
  case 2:
  case 3:
    return decodeMbarrierArrive(builder, kind == 3);
  case 4:
  case 5:
    return decodeMbarrierTest(builder);
  default:
    builder.expectOperands(2);
    builder.out.operands[2] = builder.source(1, Type::B64);
    builder.out.operands[1] = builder.destination(0, Type::U32);
    builder.out.execute = executePendingCount;
  }
}

void nova::emulator::addBarrierInstructions(InstructionTable &table) {
  table["bar"] = table["barrier"] = decodeBarrier;
  table["membar"] = table["fence"] = decodeFence;
  table["mbarrier"] = decodeMbarrier;
}
