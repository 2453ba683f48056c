//===- Cluster.cpp - Clusters, which are one block here -------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"

using namespace nova::emulator;

/// Names the barrier among the objects that SharedRaces knows.
static constexpr uint64_t kBarrierKey = UINT64_MAX - 32;

//===----------------------------------------------------------------------===//
// barrier.cluster
//===----------------------------------------------------------------------===//

enum ClusterFlags : uint8_t { IsRelaxed = 16 };

static void executeArrive(Warp &warp, const Instruction &instruction, uint32_t active) {
  Block &block = *warp.block;
  ClusterBarrier &barrier = block.clusterBarrier;
  uint32_t again = active & (barrier.arrived[warp.index] | barrier.passed[warp.index]);
  if (again) {
    report(warp, instruction, Finding::Kind::Barrier, static_cast<unsigned>(__builtin_ctz(again)),
           "arrives at the barrier of the cluster a second time; expected barrier.cluster.wait between");
    throw StopBlock();
  }
  barrier.arrived[warp.index] |= active;
  ++block.activity;
  if (block.checks.races && !(instruction.flags & IsRelaxed))
    block.races.release(warp.index, kBarrierKey);
}

bool nova::emulator::waitAtClusterBarrier(Block &block, Warp &warp, const Instruction &instruction, uint32_t active) {
  ClusterBarrier &barrier = block.clusterBarrier;
  completeClusterBarrier(block);
  uint32_t early = active & ~(barrier.arrived[warp.index] | barrier.passed[warp.index]);
  if (early) {
    report(warp, instruction, Finding::Kind::Barrier, static_cast<unsigned>(__builtin_ctz(early)),
           "waits for the barrier of the cluster without having arrived; expected barrier.cluster.arrive before");
    throw StopBlock();
  }
  if (active & ~barrier.passed[warp.index]) {
    warp.others.push_back({warp.pc, active, warp.current.stack, Group::State::AtClusterBarrier});
    return false;
  }
  barrier.passed[warp.index] &= ~active;
  if (block.checks.races)
    block.races.acquire(warp.index, kBarrierKey);
  return true;
}

bool nova::emulator::completeClusterBarrier(Block &block) {
  ClusterBarrier &barrier = block.clusterBarrier;
  uint32_t any = 0;
  for (const Warp &warp : block.warps) {
    if (warp.live & ~barrier.arrived[warp.index])
      return false;
    any |= barrier.arrived[warp.index];
  }
  if (!any)
    return false;
  ++block.activity;
  if (block.checks.races)
    block.races.complete(kBarrierKey);
  for (Warp &warp : block.warps) {
    barrier.passed[warp.index] |= barrier.arrived[warp.index];
    barrier.arrived[warp.index] = 0;
    for (Group &group : warp.others) {
      if (group.state != Group::State::AtClusterBarrier)
        continue;
      group.state = Group::State::Ready;
      ++group.pc;
      barrier.passed[warp.index] &= ~group.mask;
      if (block.checks.races)
        block.races.acquire(warp.index, kBarrierKey);
    }
  }
  return true;
}

/// barrier.cluster.arrive{.release, .relaxed}{.aligned} and barrier.cluster.wait{.acquire}{.aligned}.
void nova::emulator::decodeClusterBarrier(Builder &builder) {
  bool isWait = builder.expectOneOf({"arrive", "wait"}) == 1;
  if (isWait)
    builder.take("acquire");
  else if (builder.takeOneOf({"relaxed", "release"}) == 0)
    builder.out.flags = IsRelaxed;
  builder.take("aligned");
  builder.expectOperands(0);
  if (isWait)
    builder.out.control = Control::ClusterWait;
  else
    builder.out.execute = executeArrive;
}

//===----------------------------------------------------------------------===//
// Addresses of blocks
//===----------------------------------------------------------------------===//

// Operand 0 is the result, 1 an address, 2 the number of a block in the cluster.
template <typename T> static void executeMap(Warp &warp, const Instruction &instruction, uint32_t active) {
  const uint32_t *ranks = lanesOf<uint32_t>(warp, instruction.operands[2]);
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    if (ranks[lane] == 0)
      continue;
    report(warp, instruction, Finding::Kind::Bounds, lane,
           "expected block 0, the one of its cluster, found " + std::to_string(ranks[lane]));
    throw StopBlock();
  }
  setLanes(warp, instruction.operands[0], lanesOf<T>(warp, instruction.operands[1]), active);
}

static void executeRank(Warp &warp, const Instruction &instruction, uint32_t active) {
  constexpr uint32_t zeros[kLanes] = {};
  setLanes(warp, instruction.operands[0], zeros, active);
}

static Type takeAddressType(Builder &builder) {
  builder.take("shared::cluster");
  Type type = builder.takeType();
  if (type != Type::U32 && type != Type::U64)
    builder.fail("expected .u32 or .u64");
  return type;
}

/// mapa d, a, b: the address of shared memory a as block b of the cluster has it.
static void decodeMap(Builder &builder) {
  Type type = takeAddressType(builder);
  builder.expectOperands(3);
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[2] = builder.source(2, Type::U32);
  builder.out.operands[0] = builder.destination(0, type);
  builder.out.execute = type == Type::U32 ? executeMap<uint32_t> : executeMap<uint64_t>;
}

/// getctarank d, a: whose shared memory an address is in.
static void decodeRank(Builder &builder) {
  Type type = takeAddressType(builder);
  builder.expectOperands(2);
  builder.source(1, type);
  builder.out.operands[0] = builder.destination(0, Type::U32);
  builder.out.execute = executeRank;
}

static void executeNothing(Warp &, const Instruction &, uint32_t) {}

/// griddepcontrol: launches run one after the other, so that a grid's predecessors are always over.
static void decodeDependency(Builder &builder) {
  builder.expectOneOf({"launch_dependents", "wait"});
  builder.expectOperands(0);
  builder.out.execute = executeNothing;
}

/// setmaxnreg: how many registers a warp has changes no value here; what no chip takes is an error.
static void decodeRegisterCount(Builder &builder) {
  builder.expectOneOf({"inc", "dec"});
  requireWholeWarp(builder);
  if (builder.takeType() != Type::U32)
    builder.fail("expected .u32");
  builder.expectOperands(1);
  uint64_t count = builder.immediate(builder.operand(0), "number of registers");
  if (count < 24 || count > 256 || count % 8)
    builder.fail("expected a constant of 24 to 256 registers that 8 divides, found " + std::to_string(count));
  builder.out.execute = requireAllLanes;
}

void nova::emulator::addClusterInstructions(InstructionTable &table) {
  table["mapa"] = decodeMap;
  table["getctarank"] = decodeRank;
  table["griddepcontrol"] = decodeDependency;
  table["setmaxnreg"] = decodeRegisterCount;
}
