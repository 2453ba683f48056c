//===- Block.cpp - A block while it runs ----------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"

#include "BarrierFlags.h"
#include "Lanes.h"

#include "Nova/Support/CheckedMath.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

using namespace nova;
using namespace nova::emulator;

/// Instructions of a warp until the next one gets its turn, unless it waits before.
static constexpr uint64_t kTurn = 1 << 16;
static constexpr uint64_t kShortTurn = 16;
/// Turns of all warps in which every one only waits and nothing changes, until that is taken for a deadlock.
static constexpr size_t kMaxIdle = 20000;
/// The same in instructions, where loops around a wait are longer than a turn or other warps only compute.
static constexpr uint64_t kMaxIdleInstructions = 200'000'000;

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

static void fill(uint8_t *registers, uint32_t slot, uint32_t bytes, unsigned lane, uint64_t bits) {
  std::memcpy(registers + slot + lane * bytes, &bits, bytes);
}

static uint64_t specialValue(const Block &block, const Warp &warp, Special special, unsigned lane) {
  const LaunchState &launch = block.launch;
  uint32_t thread = warp.firstThread + lane;
  Dim3 shape = launch.blockShape;
  switch (special) {
  case Special::TidX:
    return thread % shape.x;
  case Special::TidY:
    return thread / shape.x % shape.y;
  case Special::TidZ:
    return thread / shape.x / shape.y;
  case Special::NtidX:
    return shape.x;
  case Special::NtidY:
    return shape.y;
  case Special::NtidZ:
    return shape.z;
  // A cluster is one block.
  case Special::ClusterIdX:
  case Special::CtaidX:
    return block.index.x;
  case Special::ClusterIdY:
  case Special::CtaidY:
    return block.index.y;
  case Special::ClusterIdZ:
  case Special::CtaidZ:
    return block.index.z;
  case Special::NclusterIdX:
  case Special::NctaidX:
    return launch.grid.x;
  case Special::NclusterIdY:
  case Special::NctaidY:
    return launch.grid.y;
  case Special::NclusterIdZ:
  case Special::NctaidZ:
    return launch.grid.z;
  case Special::LaneId:
    return lane;
  case Special::WarpId:
    return warp.index;
  case Special::NwarpId:
    return launch.warpsPerBlock;
  case Special::LanemaskEq:
    return 1u << lane;
  case Special::LanemaskLe:
    return (2u << lane) - 1;
  case Special::LanemaskLt:
    return (1u << lane) - 1;
  case Special::LanemaskGe:
    return 0u - (1u << lane);
  case Special::LanemaskGt:
    return lane == 31 ? 0 : 0u - (2u << lane);
  case Special::DynamicSmem:
    return launch.dynamicShared;
  case Special::TotalSmem:
    return launch.sharedBytes;
  case Special::One:
  case Special::NsmId:
    return 1;
  default:
    return 0;
  }
}

//===----------------------------------------------------------------------===//
// Memory of a block
//===----------------------------------------------------------------------===//

Block::Block(LaunchState &launch)
    : launch(launch), program(launch.program), checks(launch.options.checks), parameters(*launch.parameters),
      executions(program.code.size()), laneExecutions(program.code.size()) {
  size_t predicateBytes = alignTo((program.predicateCount + 1) * 4, 64);
  size_t warpBytes = alignTo(program.registerBytes, 64) + predicateBytes;
  memory.resize((warpBytes * launch.warpsPerBlock) + alignTo(program.registerBytes, 64) + launch.sharedBytes + 192);
  uint8_t *next = memory.data() + (-reinterpret_cast<uintptr_t>(memory.data()) & 63);
  initial = next;
  next += alignTo(program.registerBytes, 64);
  for (const ConstantSlot &constant : program.constants)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      fill(initial, constant.slot, constant.bytes, lane, constant.bits);
  warps.resize(launch.warpsPerBlock);
  for (uint32_t i = 0; i < launch.warpsPerBlock; ++i) {
    Warp &warp = warps[i];
    warp.block = this;
    warp.index = i;
    warp.firstThread = i * kLanes;
    uint32_t left = launch.threadsPerBlock - warp.firstThread;
    warp.lanes = left >= kLanes ? kAllLanes : (1u << left) - 1;
    warp.registers = next;
    warp.predicates = reinterpret_cast<uint32_t *>(next + alignTo(program.registerBytes, 64));
    next += warpBytes;
  }
  shared = next;
  sharedStates.resize(launch.sharedBytes + 32);
  local.resize(static_cast<size_t>(program.localBytes) * launch.warpsPerBlock * kLanes + 32);
  localStates.resize(local.size());
  parameters.resize(program.parameterBytes + 32);
  if (checks.races)
    races.start(launch.sharedBytes, program.sharedGranule, launch.warpsPerBlock, program.usesAsyncProxy);
}

Block::~Block() = default;

void Block::reset() {
  for (Warp &warp : warps) {
    std::memcpy(warp.registers, initial, program.registerBytes);
    std::memset(warp.predicates, 0, program.predicateCount * 4);
    for (const SpecialSlot &special : program.specials)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        fill(warp.registers, special.slot, special.bytes, lane, specialValue(*this, warp, special.special, lane));
    warp.live = warp.lanes;
    warp.current = {0, warp.lanes, 0};
    warp.hasCurrent = true;
    warp.others.clear();
    warp.frames.assign(1, Frame());
    warp.copies.clear();
    warp.copyGroups = {};
    warp.starvation = warp.boost = warp.failedWait = 0;
    if (checks.barriers)
      warp.visited.assign(program.leaderCount, 0);
  }
  std::memset(shared, 0, launch.sharedBytes);
  std::fill(sharedStates.begin(), sharedStates.end(), DeviceMemory::Allocated);
  if (program.localBytes) {
    std::fill(local.begin(), local.end(), 0);
    std::fill(localStates.begin(), localStates.end(), DeviceMemory::Allocated);
  }
  sectors.clear();
  for (Barrier &barrier : barriers)
    barrier.isInUse = false;
  hasFenced = false;
  clusterBarrier.arrived.assign(warps.size(), 0);
  clusterBarrier.passed.assign(warps.size(), 0);
  mbarriers.clear();
  bulkLoads.clear();
  bulkStores.clear();
  bulkGroups.clear();
  warpgroups.clear();
  if (!program.wgmmas.empty())
    warpgroups.resize((warps.size() + kWarpgroup - 1) / kWarpgroup);
  for (Warpgroup &warpgroup : warpgroups)
    for (WarpgroupMember &member : warpgroup.members)
      member.registers.resize(program.watched.size());
  if (checks.races)
    races.beginBlock();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void Block::run(uint64_t blockNumber) {
  number = blockNumber;
  Dim3 grid = launch.grid;
  index.x = static_cast<uint32_t>(number % grid.x);
  index.y = static_cast<uint32_t>(number / grid.x % grid.y);
  index.z = static_cast<uint32_t>(number / grid.x / grid.y);
  reset();
  try {
    runWarps();
    finishAsynchronous();
  } catch (const StopBlock &) {
    // Reported where it was thrown.
  }
}

void Block::runWarps() {
  WarpOrder order = launch.options.order;
  uint64_t turn = order == WarpOrder::RoundRobin ? kShortTurn : kTurn, left = launch.options.maxInstructions;
  size_t count = warps.size(), done = 0, idle = 0;
  uint64_t idleInstructions = 0;
  bool hasFailed = false;
  while (done < count) {
    bool hasProgress = false, isPolling = true;
    uint64_t before = activity;
    done = 0;
    for (size_t i = 0; i < count; ++i) {
      Warp &warp = warps[order == WarpOrder::Reversed ? count - 1 - i : i];
      uint64_t executed = warp.isDone() ? 0 : runWarp(*this, warp, turn);
      done += warp.isDone();
      hasProgress |= executed > 0;
      isPolling &= executed == 0 || warp.failedWait;
      hasFailed |= warp.failedWait != 0;
      idleInstructions += executed;
      if (launch.options.maxInstructions && executed > left) {
        report(warp, program.code[warp.pc], Finding::Kind::Deadlock, 0, "the block has executed as much as it may");
        throw StopBlock();
      }
      left -= executed;
    }
    hasProgress |= completeBarriers();
    // Waits that fail in a loop are progress only while something changes that they may wait for.
    idle = isPolling && activity == before ? idle + 1 : 0;
    if (activity != before) {
      idleInstructions = 0;
      hasFailed = false;
    }
    bool isStuck = idle > kMaxIdle || (hasFailed && idleInstructions > kMaxIdleInstructions);
    if ((!hasProgress || isStuck) && done < count)
      reportDeadlock();
  }
}

/// What is in flight when the last thread has left.
void Block::finishAsynchronous() {
  checkWarpgroups(*this);
  if (!bulkStores.empty()) {
    const BulkCopy &first = bulkStores.front();
    report(warps[first.warp], program.code[first.pc], Finding::Kind::SharedRace, first.lane,
           "reads shared memory when the block has ended; expected cp.async.bulk.wait_group.read before the exit");
  }
  while (!bulkStores.empty())
    finishBulkStore(bulkStores.begin());
}

bool Block::completeBarriers() {
  bool any = completeClusterBarrier(*this);
  any |= completeWarpgroups(*this);
  for (uint32_t id = 0; id < barriers.size(); ++id) {
    if (!isBarrierComplete(*this, id))
      continue;
    any = true;
    ++activity;
    Barrier &barrier = barriers[id];
    checkBarrier(*this, id);
    for (Warp &warp : warps) {
      for (const Group &group : warp.others) {
        const Instruction &instruction = program.code[group.pc];
        if (group.state != Group::State::AtBarrier || group.members != id)
          continue;
        if (instruction.flags & CountVotes)
          for (uint32_t rest = group.mask; rest; rest &= rest - 1)
            lanesOf<uint32_t>(warp, instruction.operands[2])[__builtin_ctz(rest)] = barrier.votes;
        bool isTrue = instruction.flags & AllVotes ? barrier.votes == barrier.voters : barrier.votes != 0;
        if (instruction.flags & (AllVotes | AnyVote))
          setPredicate(warp, instruction.operands[2], isTrue ? group.mask : 0, group.mask);
      }
    }
    if (checks.races)
      orderAcrossBarrier(*this, id);
    barrier.isInUse = false;
    releaseBarrier(*this, id);
  }
  return any;
}

static std::string toHex(uint32_t mask) {
  char text[12];
  std::snprintf(text, sizeof(text), "0x%x", mask);
  return text;
}

/// What a group that waits for lanes of its member mask waits for in vain.
static std::string describeMissingLane(const Warp &warp, const Group &waiting) {
  uint32_t missing = waiting.members & warp.live;
  for (const Group &group : warp.others)
    if (group.state == Group::State::AtWarpSync && group.members == waiting.members && group.pc == waiting.pc)
      missing &= ~group.mask;
  unsigned lane = missing ? static_cast<unsigned>(__builtin_ctz(missing)) : 0;
  std::string text = "waits for lane " + std::to_string(lane) + ", which ";
  for (const Group &group : warp.others)
    if (group.state == Group::State::AtWarpSync && group.pc == waiting.pc && (group.mask >> lane & 1))
      return text + "waits there with the member mask " + toHex(group.members) + " instead of " +
             toHex(waiting.members);
  return text + "does not come";
}

/// What a group waits for in vain.
static std::string describeWait(Warp &warp, const Group &group) {
  switch (group.state) {
  case Group::State::AtBarrier:
    return "waits for barrier " + std::to_string(group.members) + ", to which not all threads come";
  case Group::State::AtClusterBarrier:
    return "waits for the barrier of the cluster, at which not all threads arrive";
  case Group::State::AtWarpgroup:
    return "waits for a product that not all four warps of the warpgroup execute";
  case Group::State::AtWarpSync:
    return describeMissingLane(warp, group);
  case Group::State::Ready:
    break;
  }
  return "";
}

void Block::reportDeadlock() {
  std::string others, what;
  Warp *first = nullptr;
  uint32_t place = 0, lanes = 0;
  auto add = [&](Warp &warp, uint32_t pc, uint32_t mask, auto describe) {
    if (!first) {
      first = &warp;
      place = pc;
      lanes = mask;
      what = describe();
    } else if (pc != place && others.empty()) {
      others = "; warp " + std::to_string(warp.index) + " " + describe() + ", at " + describeInstruction(program, pc);
    }
  };
  for (Warp &warp : warps) {
    for (const Group &group : warp.others)
      if (group.state != Group::State::Ready)
        add(warp, group.pc, group.mask, [&] { return describeWait(warp, group); });
    if (!warp.isDone() && warp.failedWait)
      add(warp, warp.failedWaitPc, warp.failedWait, [&] {
        return describeFailedWait(warp, program.code[warp.failedWaitPc],
                                  static_cast<unsigned>(__builtin_ctz(warp.failedWait)));
      });
  }
  if (first)
    report(*first, program.code[place], Finding::Kind::Deadlock, static_cast<unsigned>(__builtin_ctz(lanes)),
           what + others);
  throw StopBlock();
}
