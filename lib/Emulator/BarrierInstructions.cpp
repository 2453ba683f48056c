//===- BarrierInstructions.cpp - Barriers and fences --------------------===//
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
  if (builder.name() == "barrier" && !builder.take("cta") && builder.takeOneOf({"cluster"}) == 0)
    return decodeClusterBarrier(builder);
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

/// fence.proxy.async, which is about shared memory unless it names .global.
static void executeProxyFence(Warp &warp, const Instruction &instruction, uint32_t active) {
  executeFence(warp, instruction, active);
  if (warp.block->checks.races)
    warp.block->races.fenceProxy(warp.index);
}

static void decodeFence(Builder &builder) {
  if (builder.take("proxy")) {
    bool isMembar = builder.name() == "membar";
    int kind = isMembar ? builder.expectOneOf({"alias", "async"})
                        : builder.expectOneOf({"alias", "async", "tensormap::generic"});
    if (kind == 2)
      return decodeTensorMapFence(builder);
    bool isAsync = kind == 1;
    int space = isAsync && !isMembar ? builder.takeOneOf({"global", "shared::cta", "shared::cluster"}) : -1;
    builder.expectOperands(0);
    builder.out.execute = isAsync && space != 0 ? executeProxyFence : executeFence;
    return;
  }
  if (builder.name() == "membar") {
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

void nova::emulator::addBarrierInstructions(InstructionTable &table) {
  table["bar"] = table["barrier"] = decodeBarrier;
  table["membar"] = table["fence"] = decodeFence;
}
