//===- Barrier.cpp - Barriers of a block ----------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierFlags.h"
#include "Block.h"
#include "Lanes.h"

#include <algorithm>

using namespace nova::emulator;

/// Names the barrier among the objects that SharedRaces knows; the others are addresses of mbarriers.
static uint64_t barrierKey(uint32_t id) { return UINT64_MAX - id; }

/// Whether every thread of the block takes part: no number of threads was given, or one that only all of them reach.
static bool isForWholeBlock(const Block &block, const Barrier &barrier) {
  return barrier.expected == 0 || barrier.expected == block.warps.size() * kLanes;
}

bool nova::emulator::arriveAtBarrier(Block &block, Warp &warp, const Instruction &instruction, uint32_t active) {
  unsigned first = static_cast<unsigned>(__builtin_ctz(active));
  uint32_t id = lanesOf<uint32_t>(warp, instruction.operands[0])[first];
  uint32_t expected = instruction.count == 2 ? lanesOf<uint32_t>(warp, instruction.operands[1])[first] : 0;
  if (id >= block.barriers.size()) {
    report(warp, instruction, Finding::Kind::Barrier, first,
           "expected a barrier from 0 to 15, found " + std::to_string(id));
    throw StopBlock();
  }
  Barrier &barrier = block.barriers[id];
  if (!barrier.isInUse) {
    barrier = Barrier();
    barrier.arrived.assign(block.warps.size(), 0);
    barrier.waiting.assign(block.warps.size(), 0);
    barrier.isInUse = true;
    barrier.expected = expected;
    barrier.pc = warp.pc;
  }
  barrier.arrived[warp.index] |= active;
  if ((instruction.flags & IsArrive) && block.checks.races) {
    block.races.release(warp.index, barrierKey(id));
    block.races.complete(barrierKey(id));
  }
  if (instruction.flags & (CountVotes | AllVotes | AnyVote)) {
    barrier.votes += static_cast<uint32_t>(__builtin_popcount(warp.predicates[instruction.operands[3]] & active));
    barrier.voters += static_cast<uint32_t>(__builtin_popcount(active));
  }
  if (instruction.flags & IsArrive)
    return false;
  barrier.waiting[warp.index] |= active;
  warp.others.push_back({warp.pc, active, warp.current.stack, Group::State::AtBarrier, id});
  return true;
}

bool nova::emulator::isBarrierComplete(const Block &block, uint32_t id) {
  const Barrier &barrier = block.barriers[id];
  if (!barrier.isInUse)
    return false;
  uint32_t threads = 0;
  bool hasAll = true, isForAll = isForWholeBlock(block, barrier);
  for (const Warp &warp : block.warps) {
    uint32_t arrived = barrier.arrived[warp.index];
    bool isWhole = (warp.live & ~arrived) == 0;
    hasAll &= isWhole;
    // Warps count as a whole: with lanes that the block does not have, and those that have exited.
    threads += arrived ? (isWhole ? kLanes : static_cast<uint32_t>(__builtin_popcount(arrived))) : 0;
  }
  return (isForAll && hasAll) || (barrier.expected && threads >= barrier.expected);
}

void nova::emulator::orderAcrossBarrier(Block &block, uint32_t id) {
  const Barrier &barrier = block.barriers[id];
  bool isForAll = isForWholeBlock(block, barrier);
  uint32_t party = 0;
  for (const Warp &warp : block.warps) {
    // Warps that have exited count as arrived, but only at a barrier that would have waited for them: not where all
    // their lanes came by bar.arrive before.
    bool isAwaitedExit = isForAll && warp.isDone() && (warp.lanes & ~barrier.arrived[warp.index]);
    bool takesPart = barrier.waiting[warp.index] || isAwaitedExit;
    party |= static_cast<uint32_t>(takesPart) << warp.index;
    if (barrier.waiting[warp.index])
      block.races.acquire(warp.index, barrierKey(id));
  }
  block.races.forget(barrierKey(id));
  block.races.synchronise(party);
}

//===----------------------------------------------------------------------===//
// Divergence
//===----------------------------------------------------------------------===//

namespace {

/// Where control can go, instruction by instruction, within the kernel itself.
class Flow {
public:
  explicit Flow(const Program &program) : program(program) {
    end = program.functionStarts.size() > 1 ? program.functionStarts[1] : static_cast<uint32_t>(program.code.size());
    predecessors.resize(end);
    for (uint32_t pc = 0; pc < end; ++pc)
      for (uint32_t next : successors(pc))
        predecessors[next].push_back(pc);
  }

  /// Basic blocks that come after an instruction for good, and in which more happens than leaving.
  std::vector<uint32_t> blocksAfter(uint32_t pc) const {
    std::vector<bool> after = search(pc, [&](uint32_t at) { return successors(at); });
    std::vector<bool> before = search(pc, [&](uint32_t at) { return predecessors[at]; });
    std::vector<uint32_t> blocks;
    for (uint32_t at = 0; at < end; ++at)
      if (after[at] && !before[at] && program.code[at].leader >= 0 && hasWork(at))
        blocks.push_back(at);
    return blocks;
  }

private:
  std::vector<uint32_t> successors(uint32_t pc) const {
    const Instruction &instruction = program.code[pc];
    std::vector<uint32_t> next;
    bool isEnd = instruction.control == Control::Return || instruction.control == Control::Exit;
    bool isJump = instruction.control == Control::Branch || instruction.control == Control::BranchIndexed;
    if ((!isEnd && !isJump) || instruction.guard >= 0)
      next.push_back(pc + 1);
    if (instruction.control == Control::Branch)
      next.push_back(instruction.target);
    if (instruction.control == Control::BranchIndexed)
      next.insert(next.end(), program.tables[instruction.target].begin(), program.tables[instruction.target].end());
    next.erase(std::remove_if(next.begin(), next.end(), [&](uint32_t at) { return at >= end; }), next.end());
    return next;
  }

  template <typename NextFn> std::vector<bool> search(uint32_t from, NextFn nextOf) const {
    std::vector<bool> seen(end);
    std::vector<uint32_t> open = {from};
    while (!open.empty()) {
      uint32_t at = open.back();
      open.pop_back();
      for (uint32_t next : nextOf(at))
        if (!seen[next]) {
          seen[next] = true;
          open.push_back(next);
        }
    }
    return seen;
  }

  bool hasWork(uint32_t pc) const {
    for (uint32_t at = pc; at < end && (at == pc || program.code[at].leader < 0); ++at)
      if (program.code[at].control == Control::None || program.code[at].control == Control::Call)
        return true;
    return false;
  }

  const Program &program;
  uint32_t end;
  std::vector<std::vector<uint32_t>> predecessors;
};

} // namespace

/// Lanes of one warp that wait for the same barrier at different instructions.
static bool checkPlaces(Block &block, uint32_t id) {
  for (Warp &warp : block.warps) {
    const Group *first = nullptr;
    for (const Group &group : warp.others) {
      if (group.state != Group::State::AtBarrier || group.members != id)
        continue;
      if (!first)
        first = &group;
      if (group.pc != first->pc) {
        report(warp, block.program.code[first->pc], Finding::Kind::Barrier,
               static_cast<unsigned>(__builtin_ctz(first->mask)),
               "waits for barrier " + std::to_string(id) + ", for which lanes of the same warp wait at " +
                   describeInstruction(block.program, group.pc));
        return false;
      }
    }
  }
  return true;
}

/// Threads that have exited before a barrier are not missed by it, as on a card, if they left the kernel for good. What
/// they may not have done is go on where the barrier's threads go on too.
static void checkMissing(Block &block, const Barrier &barrier, uint32_t id) {
  bool hasExited =
      std::any_of(block.warps.begin(), block.warps.end(), [](const Warp &warp) { return warp.live != warp.lanes; });
  bool isInKernel = block.program.functionStarts.size() < 2 || barrier.pc < block.program.functionStarts[1];
  if (!hasExited || !isInKernel)
    return;
  auto [after, isNew] = block.afterBarrier.try_emplace(barrier.pc);
  if (isNew)
    after->second = Flow(block.program).blocksAfter(barrier.pc);
  for (Warp &warp : block.warps)
    for (uint32_t pc : after->second) {
      uint32_t passed = warp.visited[static_cast<size_t>(block.program.code[pc].leader)] & warp.lanes & ~warp.live;
      if (!passed)
        continue;
      report(warp, block.program.code[barrier.pc], Finding::Kind::Barrier, static_cast<unsigned>(__builtin_ctz(passed)),
             "went past barrier " + std::to_string(id) + ", for which other threads of the block wait, and on at " +
                 describeInstruction(block.program, pc));
      return;
    }
}

void nova::emulator::checkBarrier(Block &block, uint32_t id) {
  const Barrier &barrier = block.barriers[id];
  bool isAligned = block.program.code[barrier.pc].flags & IsAligned;
  if (!isAligned || !block.checks.barriers)
    return;
  if (checkPlaces(block, id) && barrier.expected == 0)
    checkMissing(block, barrier, id);
}
