//===- Mbarrier.cpp - mbarrier --------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mbarrier.h"

#include "Access.h"
#include "BulkCopy.h"
#include "Decoder.h"
#include "Windows.h"

#include <algorithm>

using namespace nova::emulator;

// Operand 1 the result, 2 the count, the state or the parity, 3 a predicate, 4 the bytes to expect.
enum MbarrierFlags : uint8_t {
  HasResult = 4,
  IsRelaxed = 8,
  IsParity = 16,
  IsDrop = 32,
  NoComplete = 64,
  HasBytes = 128
};

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

[[noreturn]] static void misuse(Warp &warp, const Instruction &instruction, unsigned lane, const std::string &text) {
  report(warp, instruction, Finding::Kind::Mbarrier, lane, text);
  throw StopBlock();
}

static std::string describe(uint64_t address) { return "the mbarrier at byte " + std::to_string(address); }

Mbarrier &nova::emulator::mbarrierAt(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address) {
  Block &block = *warp.block;
  if (address + 8 > block.launch.sharedBytes || address % 8)
    misuse(warp, instruction, lane,
           "expected an mbarrier in shared memory at a multiple of 8, found byte " + std::to_string(address));
  auto found = block.mbarriers.find(address);
  if (found == block.mbarriers.end())
    misuse(warp, instruction, lane,
           "expected an mbarrier at byte " + std::to_string(address) + " of shared memory, found none: mbarrier.init " +
               "makes one, and mbarrier.inval ends it");
  uint64_t bits;
  std::memcpy(&bits, block.shared + address, 8);
  if (bits != found->second.bits())
    misuse(warp, instruction, lane, describe(address) + " of shared memory was overwritten");
  return found->second;
}

static void store(Block &block, uint64_t address, const Mbarrier &mbarrier) {
  uint64_t bits = mbarrier.bits();
  std::memcpy(block.shared + address, &bits, 8);
  ++block.activity;
}

static void completeIfDone(Block &block, uint64_t address, Mbarrier &mbarrier) {
  if (mbarrier.pending || mbarrier.transactions)
    return;
  mbarrier.pending = mbarrier.expected;
  ++mbarrier.phase;
  if (block.checks.races)
    block.races.complete(address);
}

static void changeTransactions(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address,
                               Mbarrier &mbarrier, int64_t bytes) {
  mbarrier.transactions += bytes;
  if (std::abs(mbarrier.transactions) > kMaxMbarrierCount)
    misuse(warp, instruction, lane,
           "expected at most 1048575 bytes in flight to " + describe(address) + ", found " +
               std::to_string(mbarrier.transactions));
}

void nova::emulator::addTransactions(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address,
                                     int64_t bytes) {
  Mbarrier &mbarrier = mbarrierAt(warp, instruction, lane, address);
  changeTransactions(warp, instruction, lane, address, mbarrier, bytes);
  completeIfDone(*warp.block, address, mbarrier);
  store(*warp.block, address, mbarrier);
}

static void arrive(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address, Mbarrier &mbarrier,
                   uint32_t count) {
  if (count < 1 || count > mbarrier.pending)
    misuse(warp, instruction, lane,
           "arrives " + std::to_string(count) + " times at " + describe(address) + ", which waits for " +
               std::to_string(mbarrier.pending) + " arrivals of " + std::to_string(mbarrier.expected));
  mbarrier.pending -= count;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Calls `update` for each lane with the mbarrier that it names, one lane after the other.
template <typename UpdateFn>
static void forEachMbarrier(Warp &warp, const Instruction &instruction, uint32_t active, UpdateFn update) {
  Block &block = *warp.block;
  Access access;
  addressesOf(warp, instruction, access.address);
  resolve(warp, instruction, instruction.space, active, 8, AccessKind::Store, access);
  for (uint32_t rest = access.lanes; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    if (!(access.shared >> lane & 1))
      misuse(warp, instruction, lane, "expected an address of shared memory");
    uint64_t address = access.address[lane];
    if (block.checks.races) // made by mbarrier.init, and not made anew meanwhile
      block.races.read(warp, instruction, 1u << lane, access.address, 8);
    update(lane, mbarrierAt(warp, instruction, lane, address), address);
  }
}

static void executeInit(Warp &warp, const Instruction &instruction, uint32_t active) {
  Block &block = *warp.block;
  const uint32_t *counts = lanesOf<uint32_t>(warp, instruction.operands[2]);
  Access access;
  addressesOf(warp, instruction, access.address);
  resolve(warp, instruction, instruction.space, active, 8, AccessKind::Store, access);
  uint64_t values[kLanes];
  Mbarrier made[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    made[lane].pending = made[lane].expected = counts[lane] & kMaxMbarrierCount;
    values[lane] = made[lane].bits();
  }
  noteStore(warp, instruction, access, 8, reinterpret_cast<const uint8_t *>(values), 8);
  for (uint32_t rest = access.lanes; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    if (!(access.shared >> lane & 1))
      misuse(warp, instruction, lane, "expected an address of shared memory");
    if (counts[lane] < 1 || counts[lane] > kMaxMbarrierCount)
      misuse(warp, instruction, lane, "expected a count of 1 to 1048575, found " + std::to_string(counts[lane]));
    if (block.hasBulkLoads(access.address[lane]))
      misuse(warp, instruction, lane,
             "makes " + describe(access.address[lane]) + " anew, to which copies are in flight");
    Mbarrier &mbarrier = block.mbarriers[access.address[lane]];
    made[lane].agent = mbarrier.agent;
    made[lane].copies = mbarrier.copies;
    mbarrier = made[lane];
    store(block, access.address[lane], mbarrier);
    if (block.checks.races)
      block.races.forget(access.address[lane]);
  }
}

static void executeInvalidate(Warp &warp, const Instruction &instruction, uint32_t active) {
  forEachMbarrier(warp, instruction, active, [&](unsigned lane, Mbarrier &, uint64_t address) {
    if (warp.block->hasBulkLoads(address))
      misuse(warp, instruction, lane, "ends " + describe(address) + ", to which copies are in flight");
    warp.block->mbarriers.erase(address);
  });
}

static void executeArrive(Warp &warp, const Instruction &instruction, uint32_t active) {
  Block &block = *warp.block;
  const uint32_t *counts = lanesOf<uint32_t>(warp, instruction.operands[2]);
  const uint32_t *bytes = lanesOf<uint32_t>(warp, instruction.operands[4]);
  uint64_t results[kLanes] = {};
  forEachMbarrier(warp, instruction, active, [&](unsigned lane, Mbarrier &mbarrier, uint64_t address) {
    if (block.checks.races && !(instruction.flags & IsRelaxed))
      block.races.release(warp.index, address);
    results[lane] = mbarrier.bits();
    if (instruction.flags & HasBytes)
      changeTransactions(warp, instruction, lane, address, mbarrier, bytes[lane]);
    arrive(warp, instruction, lane, address, mbarrier, counts[lane]);
    if (instruction.flags & IsDrop)
      mbarrier.expected -= counts[lane];
    if ((instruction.flags & NoComplete) && !mbarrier.pending && !mbarrier.transactions)
      misuse(warp, instruction, lane, "completes a phase of " + describe(address) + ", which .noComplete rules out");
    completeIfDone(block, address, mbarrier);
    store(block, address, mbarrier);
  });
  if (instruction.flags & HasResult)
    setLanes(warp, instruction.operands[1], results, active);
}

/// mbarrier.expect_tx and, with IsDrop, mbarrier.complete_tx.
static void executeTransactions(Warp &warp, const Instruction &instruction, uint32_t active) {
  const uint32_t *bytes = lanesOf<uint32_t>(warp, instruction.operands[2]);
  forEachMbarrier(warp, instruction, active, [&](unsigned lane, Mbarrier &, uint64_t address) {
    addTransactions(warp, instruction, lane, address,
                    instruction.flags & IsDrop ? -static_cast<int64_t>(bytes[lane]) : bytes[lane]);
  });
}

static void executeTest(Warp &warp, const Instruction &instruction, uint32_t active) {
  Block &block = *warp.block;
  uint32_t done = 0;
  bool isParity = instruction.flags & IsParity;
  forEachMbarrier(warp, instruction, active, [&](unsigned lane, Mbarrier &mbarrier, uint64_t address) {
    block.finishBulkLoads(address);
    bool isDone;
    if (isParity) {
      isDone = (mbarrier.phase & 1) != (lanesOf<uint32_t>(warp, instruction.operands[2])[lane] & 1);
    } else {
      unsigned awaited = Mbarrier::phaseOf(lanesOf<uint64_t>(warp, instruction.operands[2])[lane]);
      isDone = awaited != (mbarrier.phase & 7);
      if (isDone && awaited != ((mbarrier.phase - 1) & 7))
        misuse(warp, instruction, lane,
               "expected a state of the current phase of " + describe(address) + " or of the one before");
    }
    done |= static_cast<uint32_t>(isDone) << lane;
    if (isDone && block.checks.races && !(instruction.flags & IsRelaxed))
      block.races.acquire(warp.index, address);
  });
  setPredicate(warp, instruction.operands[3], done, active);
  warp.failedWait = active & ~done;
}

std::string nova::emulator::describeFailedWait(Warp &warp, const Instruction &instruction, unsigned lane) {
  Access access;
  addressesOf(warp, instruction, access.address);
  uint64_t address = access.address[lane] & (kWindowBytes - 1);
  auto found = warp.block->mbarriers.find(address);
  if (found == warp.block->mbarriers.end())
    return "waits in vain";
  return "waits in vain for phase " + std::to_string(found->second.phase) + " of " + describe(address) +
         ", which waits for " + std::to_string(found->second.pending) + " arrivals of " +
         std::to_string(found->second.expected) + " and for " + std::to_string(found->second.transactions) + " bytes";
}

static void executePendingCount(Warp &warp, const Instruction &instruction, uint32_t active) {
  const uint64_t *states = lanesOf<uint64_t>(warp, instruction.operands[2]);
  uint32_t values[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    values[lane] = Mbarrier::pendingOf(states[lane]);
  setLanes(warp, instruction.operands[1], values, active);
}

/// The copies of each lane arrive, and then the lane does.
static void executeCopyArrive(Warp &warp, const Instruction &instruction, uint32_t active) {
  Block &block = *warp.block;
  finishCopies(warp, active, 0, /*withUncommitted=*/true);
  bool isCounted = !(instruction.flags & IsDrop); // without .noinc the arrival was not among the expected ones
  forEachMbarrier(warp, instruction, active, [&](unsigned lane, Mbarrier &mbarrier, uint64_t address) {
    if (block.checks.races)
      block.races.release(warp.index, address);
    if (isCounted)
      return;
    arrive(warp, instruction, lane, address, mbarrier, 1);
    completeIfDone(block, address, mbarrier);
    store(block, address, mbarrier);
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

void nova::emulator::makePoll(Builder &builder) { builder.out.control = Control::Poll; }

static Space takeSharedSpace(Builder &builder) {
  Space space = takeSpace(builder);
  if (space != Space::Generic && space != Space::Shared)
    builder.fail("expected .shared, found ." + std::string(nameOf(space)));
  return space;
}

void nova::emulator::decodeCopyArrive(Builder &builder) {
  builder.expectOneOf({"arrive"});
  builder.out.flags = builder.take("noinc") ? IsDrop : 0;
  Space space = takeSharedSpace(builder);
  if (builder.takeType() != Type::B64)
    builder.fail("expected .b64");
  builder.expectOperands(1);
  setAddress(builder, builder.operand(0), space);
  builder.out.execute = executeCopyArrive;
}

static void decodeArrive(Builder &builder, Space space, uint8_t flags) {
  bool hasResult = builder.operandCount() > 1 && builder.operand(0).kind != Operand::Kind::Address;
  size_t first = hasResult ? 1 : 0;
  bool hasBytes = flags & HasBytes, needsCount = hasBytes || (flags & NoComplete);
  builder.expectOperands(first + (needsCount ? 2 : 1), first + 2);
  setAddress(builder, builder.operand(first), space);
  builder.out.operands[2] =
      builder.operandCount() > first + 1 && !hasBytes ? builder.source(first + 1, Type::U32) : builder.constant(1, 4);
  builder.out.operands[4] = hasBytes ? builder.source(first + 1, Type::U32) : builder.constant(0, 4);
  if (hasResult)
    builder.out.operands[1] = builder.destination(0, Type::B64);
  builder.out.flags |= static_cast<uint8_t>(flags | (hasResult ? HasResult : 0));
  builder.out.execute = executeArrive;
}

static void decodeTest(Builder &builder, Space space, uint8_t flags) {
  bool isParity = builder.take("parity");
  builder.expectOperands(3, 4); // how long to wait is a hint
  setAddress(builder, builder.operand(1), space);
  builder.out.operands[2] = isParity ? builder.source(2, Type::U32) : builder.source(2, Type::B64);
  if (builder.operandCount() == 4)
    builder.source(3, Type::U32);
  builder.out.operands[3] = builder.destinationPredicate(0);
  builder.out.flags |= static_cast<uint8_t>(flags | (isParity ? IsParity : 0));
  builder.out.execute = executeTest;
  makePoll(builder);
}

static void decodeMbarrier(Builder &builder) {
  enum Kind { Init, Invalidate, Arrive, ArriveDrop, TestWait, TryWait, PendingCount, ExpectBytes, CompleteBytes };
  int kind = builder.expectOneOf(
      {"init", "inval", "arrive", "arrive_drop", "test_wait", "try_wait", "pending_count", "expect_tx", "complete_tx"});
  uint8_t flags = kind == ArriveDrop || kind == CompleteBytes ? IsDrop : 0;
  if (kind == Arrive || kind == ArriveDrop) {
    int option = builder.takeOneOf({"noComplete", "expect_tx"});
    flags |= option == 0 ? NoComplete : option == 1 ? HasBytes : 0;
    flags |= builder.takeOneOf({"relaxed", "release"}) == 0 ? IsRelaxed : 0;
  } else if (kind == TestWait || kind == TryWait) {
    flags |= builder.takeOneOf({"relaxed", "acquire"}) == 0 ? IsRelaxed : 0;
  } else if (kind == ExpectBytes || kind == CompleteBytes) {
    builder.take("relaxed");
  }
  builder.takeScope();
  Space space = kind == PendingCount ? Space::Shared : takeSharedSpace(builder);
  if (builder.takeType() != Type::B64)
    builder.fail("expected .b64");
  switch (kind) {
  case Arrive:
  case ArriveDrop:
    return decodeArrive(builder, space, flags);
  case TestWait:
  case TryWait:
    return decodeTest(builder, space, flags);
  case PendingCount:
    builder.expectOperands(2);
    builder.out.operands[2] = builder.source(1, Type::B64);
    builder.out.operands[1] = builder.destination(0, Type::U32);
    builder.out.execute = executePendingCount;
    return;
  case Invalidate:
    builder.expectOperands(1);
    setAddress(builder, builder.operand(0), space);
    builder.out.execute = executeInvalidate;
    return;
  default:
    builder.expectOperands(2);
    setAddress(builder, builder.operand(0), space);
    builder.out.operands[2] = builder.source(1, Type::U32);
    builder.out.flags |= flags;
    builder.out.execute = kind == Init ? executeInit : executeTransactions;
  }
}

void nova::emulator::addMbarrierInstructions(InstructionTable &table) { table["mbarrier"] = decodeMbarrier; }
