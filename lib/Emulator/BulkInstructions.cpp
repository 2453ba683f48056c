//===- BulkInstructions.cpp - cp.async.bulk and its tensor forms ----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"

#include <algorithm>

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static void expectMultiple(Warp &warp, const Instruction &instruction, unsigned lane, const char *what, uint64_t value,
                           uint64_t of) {
  if (value % of == 0)
    return;
  report(warp, instruction, Finding::Kind::Misaligned, lane,
         std::string("expected ") + what + " that " + std::to_string(of) + " divides, found " + std::to_string(value));
  throw StopBlock();
}

/// The tensor map at an address in any space.
static TensorMap readTensorMap(Warp &warp, const Instruction &instruction, unsigned lane, Space space,
                               uint64_t address) {
  TensorMap map;
  expectMultiple(warp, instruction, lane, "the address of a tensor map", address, 64);
  const uint8_t *host = resolveRange(warp, instruction, space, lane, address, sizeof(map), AccessKind::Load);
  std::memcpy(&map, host, sizeof(map));
  if (nova::Result<void> good = map.check(); !good) {
    report(warp, instruction, Finding::Kind::TensorMap, lane, good.error().message);
    throw StopBlock();
  }
  return map;
}

static void checkMulticast(Warp &warp, const Instruction &instruction, const BulkOperands &bulk, unsigned lane) {
  if (bulk.multicast < 0)
    return;
  uint32_t mask = lanesOf<uint16_t>(warp, static_cast<uint32_t>(bulk.multicast))[lane];
  if (mask == 1)
    return;
  report(warp, instruction, Finding::Kind::Bounds, lane,
         "expected a copy to the one block of the cluster, a mask of 1, found " + std::to_string(mask));
  throw StopBlock();
}

static void executeBulkCopy(Warp &warp, const Instruction &instruction, uint32_t active) {
  const BulkOperands &bulk = warp.block->program.bulkCopies[instruction.target];
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    BulkCopy copy;
    copy.lane = lane;
    copy.isStore = bulk.isStore;
    copy.isTensor = bulk.isTensor;
    copy.isWithinShared = bulk.isWithinShared;
    copy.shared = addressOf(warp, bulk.shared, lane);
    copy.global = addressOf(warp, bulk.global, lane);
    if (bulk.isTensor) {
      copy.map = readTensorMap(warp, instruction, lane, bulk.global.space, copy.global);
      copy.global = copy.map.address;
      copy.bytes = copy.map.boxBytes();
      expectMultiple(warp, instruction, lane, "an address of a tile in shared memory", copy.shared, 128);
      if (copy.map.rank() != bulk.coordinates.size()) {
        report(warp, instruction, Finding::Kind::TensorMap, lane,
               "expected a tensor of " + std::to_string(bulk.coordinates.size()) + " dimensions, found " +
                   std::to_string(copy.map.rank()));
        throw StopBlock();
      }
      for (size_t i = 0; i < bulk.coordinates.size(); ++i)
        copy.coordinates[i] = lanesOf<int32_t>(warp, bulk.coordinates[i])[lane];
    } else {
      copy.bytes = lanesOf<uint32_t>(warp, bulk.size)[lane];
      expectMultiple(warp, instruction, lane, "a number of bytes", copy.bytes, 16);
      expectMultiple(warp, instruction, lane, "an address in shared memory", copy.shared, 16);
      expectMultiple(warp, instruction, lane, "an address at the other end", copy.global, 16);
    }
    checkMulticast(warp, instruction, bulk, lane);
    if (copy.bytes > warp.block->launch.sharedBytes) {
      report(warp, instruction, Finding::Kind::Bounds, lane,
             "copies " + std::to_string(copy.bytes) + " bytes, where shared memory has " +
                 std::to_string(warp.block->launch.sharedBytes));
      throw StopBlock();
    }
    if (!copy.isStore)
      copy.mbarrier = addressOf(warp, bulk.mbarrier, lane);
    startBulkCopy(warp, instruction, copy);
  }
}

static void executeBulkCommit(Warp &warp, const Instruction &, uint32_t active) {
  for (uint32_t rest = active; rest; rest &= rest - 1)
    ++warp.block->bulkGroups[warp.firstThread + static_cast<uint32_t>(__builtin_ctz(rest))].committed;
}

static void executeBulkWait(Warp &warp, const Instruction &instruction, uint32_t active) {
  for (uint32_t rest = active; rest; rest &= rest - 1)
    warp.block->finishBulkStores(warp.firstThread + static_cast<uint32_t>(__builtin_ctz(rest)),
                                 static_cast<uint32_t>(instruction.immediate));
}

static void executeNothing(Warp &, const Instruction &, uint32_t) {}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// [map, {x, y, ...}]: the address is generic, the coordinates are as many as the instruction's dimensions.
static void takeTensor(Builder &builder, const Operand &operand, size_t rank, BulkOperands &bulk) {
  if (operand.kind != Operand::Kind::Address || operand.elements.size() != rank)
    builder.fail("expected the address of a tensor map with " + std::to_string(rank) + " coordinates, [map, {...}]");
  Operand address = operand;
  address.elements.clear();
  bulk.global = builder.address(address, Space::Generic);
  for (const Operand &coordinate : operand.elements)
    bulk.coordinates.push_back(builder.source(coordinate, Type::S32));
}

/// What stands behind the operands that every form has: the blocks that receive a copy, and a hint for caches.
static void takeRest(Builder &builder, size_t first, bool isMulticast, BulkOperands *bulk) {
  size_t next = first;
  if (isMulticast && builder.operandCount() > next)
    bulk->multicast = static_cast<int32_t>(builder.source(next++, Type::U16));
  else if (isMulticast)
    builder.fail("expected an operand with the blocks of .multicast::cluster");
  builder.expectOperands(next, next + 1);
  if (builder.operandCount() > next)
    builder.source(next, Type::B64);
}

static void appendBulk(Builder &builder, BulkOperands bulk) {
  Program &program = builder.program();
  program.usesAsyncProxy = true;
  builder.out.target = static_cast<uint32_t>(program.bulkCopies.size());
  builder.out.execute = executeBulkCopy;
  program.bulkCopies.push_back(std::move(bulk));
}

/// .prefetch.L2.global and .prefetch.tensor: hints that change no value.
static void decodePrefetch(Builder &builder, size_t rank) {
  builder.expectOneOf({"L2"});
  builder.expectOneOf({"global"});
  if (rank)
    builder.take("tile");
  builder.takeLevelHints();
  BulkOperands unused;
  builder.expectOperands(rank ? 1 : 2, rank ? 2 : 3);
  if (rank) {
    takeTensor(builder, builder.operand(0), rank, unused);
  } else {
    builder.address(builder.operand(0), Space::Global);
    builder.source(1, Type::U32);
  }
  takeRest(builder, rank ? 1 : 2, false, nullptr);
  builder.out.execute = executeNothing;
}

static void refuseModes(Builder &builder) {
  for (const char *mode : {"im2col", "im2col::w", "im2col::w::128", "tile::gather4", "tile::scatter4"})
    if (builder.take(mode))
      builder.fail("unknown instruction: ." + std::string(mode) + " of tensors, where the emulator has .tile alone");
}

static void decodeLoad(Builder &builder, size_t rank, bool isWithinShared) {
  bool isMulticast = builder.take("multicast::cluster");
  builder.takeLevelHints();
  BulkOperands bulk;
  bulk.isTensor = rank != 0;
  bulk.isWithinShared = isWithinShared;
  size_t fixed = rank ? 3 : 4;
  builder.expectOperands(fixed, fixed + 2);
  bulk.shared = builder.address(builder.operand(0), Space::Shared);
  if (rank) {
    takeTensor(builder, builder.operand(1), rank, bulk);
  } else {
    bulk.global = builder.address(builder.operand(1), isWithinShared ? Space::Shared : Space::Global);
    bulk.size = builder.source(2, Type::U32);
  }
  bulk.mbarrier = builder.address(builder.operand(fixed - 1), Space::Shared);
  takeRest(builder, fixed, isMulticast, &bulk);
  appendBulk(builder, std::move(bulk));
}

static void decodeStore(Builder &builder, size_t rank) {
  builder.takeLevelHints();
  BulkOperands bulk;
  bulk.isStore = true;
  bulk.isTensor = rank != 0;
  size_t fixed = rank ? 2 : 3;
  builder.expectOperands(fixed, fixed + 1);
  if (rank)
    takeTensor(builder, builder.operand(0), rank, bulk);
  else
    bulk.global = builder.address(builder.operand(0), Space::Global);
  bulk.shared = builder.address(builder.operand(1), Space::Shared);
  if (!rank)
    bulk.size = builder.source(2, Type::U32);
  takeRest(builder, fixed, false, nullptr);
  appendBulk(builder, std::move(bulk));
}

/// The modifiers name target and source; how the copy completes tells them apart.
static void decodeBulkCopy(Builder &builder) {
  bool isPrefetch = builder.take("prefetch");
  size_t rank = 0;
  if (builder.take("tensor"))
    rank = static_cast<size_t>(builder.expectOneOf({"1d", "2d", "3d", "4d", "5d"})) + 1;
  if (rank)
    refuseModes(builder);
  if (isPrefetch)
    return decodePrefetch(builder, rank);
  builder.expectOneOf({"shared::cluster", "shared::cta"});
  bool isWithinShared = builder.expectOneOf({"global", "shared::cta"}) == 1;
  if (rank)
    builder.take("tile");
  bool isStore = builder.expectOneOf({"mbarrier::complete_tx::bytes", "bulk_group"}) == 1;
  if (isWithinShared && (rank || isStore))
    builder.fail("unknown instruction: expected a copy from .global to shared memory or back");
  if (isStore)
    decodeStore(builder, rank);
  else
    decodeLoad(builder, rank, isWithinShared);
}

void nova::emulator::decodeBulk(Builder &builder) {
  if (builder.take("commit_group")) {
    builder.expectOperands(0);
    builder.out.execute = executeBulkCommit;
  } else if (builder.take("wait_group")) {
    builder.take("read");
    builder.expectOperands(1);
    builder.out.immediate =
        static_cast<int64_t>(builder.immediate(builder.operand(0), "number of groups") & 0x7fffffff);
    builder.out.execute = executeBulkWait;
  } else {
    decodeBulkCopy(builder);
  }
}
