//===- AsyncCopy.cpp - cp.async: copies that arrive late ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

// Operands: 0 target, 1 source, 2 and 3 the offset of the source, 4 bytes to read, 5 a predicate that means none.
enum CopyFlags : uint8_t { HasSourceSize = 16, HasIgnore = 32, Source32 = 64 };

static uint64_t sourceAddress(Warp &warp, const Instruction &instruction, unsigned lane) {
  uint64_t offset;
  std::memcpy(&offset, &instruction.operands[2], sizeof(offset));
  uint64_t base = instruction.flags & Source32 ? lanesOf<uint32_t>(warp, instruction.operands[1])[lane]
                                               : lanesOf<uint64_t>(warp, instruction.operands[1])[lane];
  return base + offset;
}

static uint32_t sourceBytes(Warp &warp, const Instruction &instruction, unsigned lane) {
  if ((instruction.flags & HasIgnore) && (warp.predicates[instruction.operands[5]] >> lane & 1))
    return 0;
  if (!(instruction.flags & HasSourceSize))
    return instruction.bytes;
  return std::min<uint32_t>(lanesOf<uint32_t>(warp, instruction.operands[4])[lane], instruction.bytes);
}

/// Checks what is read now, though it is read later. Lanes that read all their bytes go together.
static void checkSources(Warp &warp, const Instruction &instruction, uint32_t active) {
  Access access;
  uint32_t whole = 0;
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint32_t bytes = sourceBytes(warp, instruction, lane);
    whole |= bytes == instruction.bytes ? 1u << lane : 0;
    for (uint32_t byte = 0; byte < bytes && bytes != instruction.bytes; ++byte) {
      access.address[lane] = sourceAddress(warp, instruction, lane) + byte;
      resolve(warp, instruction, Space::Global, 1u << lane, 1, AccessKind::Load, access);
    }
  }
  for (unsigned lane = 0; lane < kLanes; ++lane)
    access.address[lane] = sourceAddress(warp, instruction, lane);
  if (whole)
    resolve(warp, instruction, Space::Global, whole, instruction.bytes, AccessKind::Load, access);
}

static void executeCopy(Warp &warp, const Instruction &instruction, uint32_t active) {
  Block &block = *warp.block;
  Access target;
  addressesOf(warp, instruction, target.address);
  resolve(warp, instruction, instruction.space, active, instruction.bytes, AccessKind::Store, target);
  checkSources(warp, instruction, active);
  if (block.checks.races)
    block.races.write(warp, instruction, target.shared, target.address, instruction.bytes, nullptr, 0, false);
  for (uint32_t rest = target.shared; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    PendingCopy copy;
    copy.lane = lane;
    copy.group = warp.copyGroups[lane];
    copy.to = target.address[lane];
    copy.from = sourceAddress(warp, instruction, lane);
    copy.bytes = sourceBytes(warp, instruction, lane);
    copy.total = instruction.bytes;
    copy.pc = warp.pc;
    warp.copies.push_back(copy);
    if (block.checks.uninitialised)
      std::memset(&block.sharedStates[copy.to], DeviceMemory::Allocated | SharedPending, copy.total);
  }
}

static void finishCopy(Warp &warp, const PendingCopy &copy) {
  Block &block = *warp.block;
  uint8_t *to = block.shared + copy.to;
  uint32_t pc = warp.pc;
  warp.pc = copy.pc;
  uint64_t addresses[kLanes];
  addresses[copy.lane] = copy.to;
  if (block.checks.races)
    block.races.write(warp, block.program.code[copy.pc], 1u << copy.lane, addresses, copy.total, nullptr, 0, false);
  warp.pc = pc;
  std::memcpy(to, reinterpret_cast<const void *>(copy.from), copy.bytes);
  std::memset(to + copy.bytes, 0, copy.total - copy.bytes);
  if (block.checks.uninitialised)
    std::memset(&block.sharedStates[copy.to], DeviceMemory::Written, copy.total);
}

void nova::emulator::finishCopies(Warp &warp, uint32_t active, uint32_t pendingGroups, bool withUncommitted) {
  auto isDue = [&](const PendingCopy &copy) {
    if (!(active >> copy.lane & 1))
      return false;
    uint32_t committed = warp.copyGroups[copy.lane];
    return withUncommitted || (copy.group < committed && committed - copy.group > pendingGroups);
  };
  std::vector<PendingCopy> left;
  for (const PendingCopy &copy : warp.copies)
    if (isDue(copy))
      finishCopy(warp, copy);
    else
      left.push_back(copy);
  warp.copies = std::move(left);
}

static void executeCommit(Warp &warp, const Instruction &, uint32_t active) {
  for (uint32_t rest = active; rest; rest &= rest - 1)
    ++warp.copyGroups[static_cast<unsigned>(__builtin_ctz(rest))];
}

static void executeWait(Warp &warp, const Instruction &instruction, uint32_t active) {
  bool isAll = instruction.immediate < 0;
  finishCopies(warp, active, isAll ? 0 : static_cast<uint32_t>(instruction.immediate), isAll);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static void decodeCopy(Builder &builder) {
  bool isLevel2 = builder.expectOneOf({"ca", "cg"}) == 1;
  builder.takeLevelHints();
  builder.expectOneOf({"shared", "shared::cta"});
  builder.expectOneOf({"global"});
  builder.expectOperands(3, 5);
  setAddress(builder, builder.operand(0), Space::Shared);
  AddressOperand source = builder.address(builder.operand(1), Space::Global);
  uint64_t bytes = builder.immediate(builder.operand(2), "size of a copy");
  if (bytes != 16 && (isLevel2 || (bytes != 4 && bytes != 8)))
    builder.fail(std::string("expected ") + (isLevel2 ? "16" : "4, 8 or 16") + " bytes, found " +
                 std::to_string(bytes));
  builder.out.bytes = static_cast<uint8_t>(bytes);
  builder.out.operands[1] = source.slot;
  builder.out.flags |= source.bytes == 4 ? Source32 : 0;
  std::memcpy(&builder.out.operands[2], &source.offset, sizeof(source.offset));
  if (builder.operandCount() > 3) {
    bool isIgnore = builder.isPredicate(builder.operand(3));
    builder.out.flags |= isIgnore ? HasIgnore : HasSourceSize;
    builder.out.operands[isIgnore ? 5 : 4] = isIgnore ? builder.sourcePredicate(3) : builder.source(3, Type::U32);
  }
  builder.out.execute = executeCopy;
  noteGranule(builder, Space::Shared, static_cast<uint32_t>(bytes), /*isStore=*/false);
}

static void decodeAsync(Builder &builder) {
  builder.expectOneOf({"async"});
  if (builder.take("reduce"))
    builder.fail("unknown instruction: cp.reduce.async.bulk, where the emulator has cp.async.bulk, ld.shared and red");
  if (builder.take("bulk"))
    return decodeBulk(builder);
  if (builder.take("commit_group")) {
    builder.expectOperands(0);
    builder.out.execute = executeCommit;
  } else if (builder.take("wait_group")) {
    builder.expectOperands(1);
    builder.out.immediate =
        static_cast<int64_t>(builder.immediate(builder.operand(0), "number of groups") & 0x7fffffff);
    builder.out.execute = executeWait;
  } else if (builder.take("wait_all")) {
    builder.expectOperands(0);
    builder.out.immediate = -1;
    builder.out.execute = executeWait;
  } else if (builder.take("mbarrier")) {
    decodeCopyArrive(builder);
  } else {
    decodeCopy(builder);
  }
}

void nova::emulator::addAsyncCopyInstructions(InstructionTable &table) { table["cp"] = decodeAsync; }
