//===- Scheduler.cpp - Which lanes of a warp execute next -----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes that are at the same place execute together as a group. When a branch divides a group, the part whose next
// instruction comes first goes on and the other waits: lanes that left a path early are so caught up with by those that
// did not, and merge with them where basic blocks begin. Lanes inside a function come before those outside. So that
// lanes that wait for others in a loop cannot keep these from running, a group that does so for long gives way.
//
//===----------------------------------------------------------------------===//

#include "BarrierFlags.h"
#include "Block.h"
#include "Lanes.h"

#include <algorithm>

using namespace nova::emulator;

/// How often a group passes a basic block while others are ready, until they get their turn for as long.
static constexpr uint32_t kPatience = 2048;

namespace {

/// `Watches`: the program has products of warpgroups, whose registers are looked after.
template <bool Watches> class Scheduler {
public:
  Scheduler(Block &block, Warp &warp) : block(block), warp(warp), code(block.program.code.data()) {}

  uint64_t run(uint64_t limit) {
    uint64_t executed = 0;
    while (executed < limit && (warp.hasCurrent || select())) {
      ++executed;
      step();
    }
    return executed;
  }

private:
  void step() {
    if (code[warp.current.pc].leader >= 0)
      enterBlock();
    Group &group = warp.current;
    const Instruction &instruction = code[group.pc];
    uint32_t active = group.mask;
    if (instruction.guard >= 0) {
      uint32_t guard = warp.predicates[instruction.guard];
      active &= instruction.isGuardNegated ? ~guard : guard;
    }
    block.executions[group.pc] += 1;
    block.laneExecutions[group.pc] += static_cast<uint64_t>(__builtin_popcount(active));
    if constexpr (Watches)
      if (active && block.program.watchedUseStart[group.pc] != block.program.watchedUseStart[group.pc + 1])
        checkWatchedUses(warp, instruction, group.pc);
    if (instruction.control == Control::None) {
      warp.pc = group.pc;
      if (active)
        instruction.execute(warp, instruction, active);
      ++group.pc;
    } else if (!active) {
      ++group.pc;
    } else {
      executeControl(instruction, active);
    }
  }

  void enterBlock() {
    if (!warp.others.empty())
      reconverge();
    if (!warp.visited.empty())
      warp.visited[static_cast<size_t>(code[warp.current.pc].leader)] |= warp.current.mask;
  }

  //===--------------------------------------------------------------------===//
  // Groups
  //===--------------------------------------------------------------------===//

  bool isBefore(const Group &a, const Group &b) const {
    uint32_t depthA = warp.frames[a.stack].depth, depthB = warp.frames[b.stack].depth;
    return depthA != depthB ? depthA > depthB : a.pc < b.pc;
  }

  /// The ready group that comes first, or the end.
  std::vector<Group>::iterator firstReady() {
    auto best = warp.others.end();
    for (auto group = warp.others.begin(); group != warp.others.end(); ++group)
      if (group->state == Group::State::Ready && (best == warp.others.end() || isBefore(*group, *best)))
        best = group;
    return best;
  }

  /// Makes a ready group the current one; false when there is none.
  bool select() {
    auto best = firstReady();
    if (best == warp.others.end() || isTurnOver)
      return false;
    warp.current = *best;
    warp.others.erase(best);
    warp.hasCurrent = true;
    mergeIntoCurrent();
    return true;
  }

  void mergeIntoCurrent() {
    Group &current = warp.current;
    auto isSame = [&](const Group &group) {
      bool meets = group.state == Group::State::Ready && group.pc == current.pc && group.stack == current.stack;
      current.mask |= meets ? group.mask : 0;
      return meets;
    };
    warp.others.erase(std::remove_if(warp.others.begin(), warp.others.end(), isSame), warp.others.end());
  }

  void reconverge() {
    mergeIntoCurrent();
    auto best = firstReady();
    if (best == warp.others.end())
      return;
    if (warp.boost > 0) {
      --warp.boost;
      return;
    }
    bool givesWay = ++warp.starvation > kPatience;
    if (givesWay) {
      // The one that waits longest; it keeps its turn for a while.
      best = std::find_if(warp.others.begin(), warp.others.end(),
                          [](const Group &group) { return group.state == Group::State::Ready; });
      warp.starvation = 0;
      warp.boost = kPatience;
    } else if (!isBefore(*best, warp.current)) {
      return;
    }
    Group next = *best;
    warp.others.erase(best);
    warp.others.push_back(warp.current);
    warp.current = next;
    mergeIntoCurrent();
  }

  void addGroup(uint32_t pc, uint32_t mask, uint32_t stack) {
    if (mask)
      warp.others.push_back({pc, mask, stack});
  }

  /// The lanes that do not take part go on behind the instruction; the group is no longer current.
  void splitOff(uint32_t active) {
    addGroup(warp.current.pc + 1, warp.current.mask & ~active, warp.current.stack);
    warp.hasCurrent = false;
  }

  //===--------------------------------------------------------------------===//
  // Control flow
  //===--------------------------------------------------------------------===//

  void executeControl(const Instruction &instruction, uint32_t active) {
    warp.pc = warp.current.pc;
    switch (instruction.control) {
    case Control::Branch:
      return branch(instruction.target, active);
    case Control::BranchIndexed:
      return branchIndexed(instruction, active);
    case Control::Call: {
      uint32_t frame = frameFor(warp.current.stack, warp.current.pc + 1);
      splitOff(active);
      addGroup(instruction.target, active, frame);
      return;
    }
    case Control::Return: {
      Frame frame = warp.frames[warp.current.stack];
      if (warp.current.stack == 0)
        return exit(active);
      splitOff(active);
      return addGroup(frame.returnPc, active, frame.caller);
    }
    case Control::Exit:
      return exit(active);
    case Control::WarpSync:
      return synchronise(instruction, active);
    case Control::Barrier:
      if (!arriveAtBarrier(block, warp, instruction, active)) {
        ++warp.current.pc;
        return;
      }
      splitOff(active);
      return;
    case Control::Poll:
      return poll(instruction, active);
    case Control::WarpgroupWait:
      return waitOr(waitForWarpgroup(block, warp, instruction, active), active);
    case Control::ClusterWait:
      return waitOr(waitAtClusterBarrier(block, warp, instruction, active), active);
    case Control::None:
      return;
    }
  }

  /// Goes on at once, or leaves the group that waits behind.
  void waitOr(bool passes, uint32_t active) {
    if (passes)
      ++warp.current.pc;
    else
      splitOff(active);
  }

  /// A wait that failed ends the turn, and others of the warp come first.
  void poll(const Instruction &instruction, uint32_t active) {
    instruction.execute(warp, instruction, active);
    ++warp.current.pc;
    if (!warp.failedWait)
      return;
    warp.failedWaitPc = warp.pc;
    warp.others.push_back(warp.current);
    warp.hasCurrent = false;
    warp.starvation = kPatience;
    isTurnOver = true;
  }

  void branch(uint32_t target, uint32_t active) {
    Group &current = warp.current;
    uint32_t rest = current.mask & ~active;
    if (rest) {
      ++block.counters.divergentBranches;
      uint32_t next = current.pc + 1;
      bool jumpsAhead = target > next;
      addGroup(jumpsAhead ? target : next, jumpsAhead ? active : rest, current.stack);
      current.mask = jumpsAhead ? rest : active;
      current.pc = jumpsAhead ? next : target;
      return;
    }
    current.pc = target;
  }

  void branchIndexed(const Instruction &instruction, uint32_t active) {
    const uint32_t *index = lanesOf<uint32_t>(warp, instruction.operands[0]);
    const std::vector<uint32_t> &table = block.program.tables[instruction.target];
    uint32_t stack = warp.current.stack;
    splitOff(active);
    for (uint32_t rest = active; rest;) {
      unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
      uint32_t value = index[lane], same = 0;
      if (value >= table.size()) {
        report(warp, instruction, Finding::Kind::Bounds, lane,
               "branches by index " + std::to_string(value) + " of a list of " + std::to_string(table.size()));
        throw StopBlock();
      }
      for (unsigned other = lane; other < kLanes; ++other)
        same |= static_cast<uint32_t>((rest >> other & 1) && index[other] == value) << other;
      addGroup(table[value], same, stack);
      rest &= ~same;
    }
  }

  uint32_t frameFor(uint32_t caller, uint32_t returnPc) {
    for (uint32_t i = 1; i < warp.frames.size(); ++i)
      if (warp.frames[i].caller == caller && warp.frames[i].returnPc == returnPc)
        return i;
    warp.frames.push_back({caller, returnPc, warp.frames[caller].depth + 1});
    return static_cast<uint32_t>(warp.frames.size() - 1);
  }

  void exit(uint32_t active) {
    splitOff(active);
    warp.live &= ~active;
    // Who waited for these lanes waits no longer.
    for (size_t i = 0; i < warp.others.size(); ++i)
      if (warp.others[i].state == Group::State::AtWarpSync)
        releaseWarpSync(warp.others[i].pc, warp.others[i].members);
  }

  //===--------------------------------------------------------------------===//
  // Operations of several lanes
  //===--------------------------------------------------------------------===//

  void synchronise(const Instruction &instruction, uint32_t active) {
    const uint32_t *masks = lanesOf<uint32_t>(warp, instruction.operands[instruction.memberOperand]);
    uint32_t members = masks[__builtin_ctz(active)], party = lanesWithMask(masks, members, active);
    if (party == active && active == ((members | active) & warp.live)) {
      checkMembers(instruction, members, active);
      noteConflicts(masks, active, warp.current.pc);
      instruction.execute(warp, instruction, active);
      ++warp.current.pc;
      return;
    }
    uint32_t pc = warp.current.pc, stack = warp.current.stack;
    splitOff(active);
    for (uint32_t rest = active; rest; rest &= ~party) {
      members = masks[__builtin_ctz(rest)];
      party = lanesWithMask(masks, members, rest);
      checkMembers(instruction, members, party);
      warp.others.push_back({pc, party, stack, Group::State::AtWarpSync, members});
    }
    noteConflicts(masks, active, pc);
    for (uint32_t rest = active; rest; rest &= ~lanesWithMask(masks, masks[__builtin_ctz(rest)], rest))
      releaseWarpSync(pc, masks[__builtin_ctz(rest)]);
  }

  /// Notes for those that wait at an instruction which of their members come to it with another mask. That is a fault
  /// only if these never come with the right one: masks may grow from one round of a loop to the next.
  void noteConflicts(const uint32_t *masks, uint32_t active, uint32_t pc) {
    for (Group &group : warp.others)
      if (group.state == Group::State::AtWarpSync && group.pc == pc && (group.members & active))
        group.conflicts |= group.members & active & ~lanesWithMask(masks, group.members, active);
  }

  /// The lanes among `lanes` whose member mask is `members`.
  static uint32_t lanesWithMask(const uint32_t *masks, uint32_t members, uint32_t lanes) {
    uint32_t same = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      same |= static_cast<uint32_t>(masks[lane] == members) << lane;
    return same & lanes;
  }

  void checkMembers(const Instruction &instruction, uint32_t members, uint32_t party) {
    if ((party & ~members) && block.checks.barriers)
      report(warp, instruction, Finding::Kind::Barrier, static_cast<unsigned>(__builtin_ctz(party & ~members)),
             "takes part without being a member of the mask");
  }

  /// Executes a warp-wide operation if all lanes that it waits for have come to it. Lanes meet only with those that
  /// name the same member mask, so that several disjoint parties can use one instruction at the same time.
  void releaseWarpSync(uint32_t pc, uint32_t members) {
    const Instruction &instruction = code[pc];
    bool isAnyPlace = instruction.flags & AnyPlace;
    auto isParty = [&](const Group &group) {
      return group.state == Group::State::AtWarpSync && group.members == members &&
             (group.pc == pc || (isAnyPlace && (code[group.pc].flags & AnyPlace)));
    };
    uint32_t present = 0, conflicts = 0;
    for (const Group &group : warp.others)
      if (isParty(group)) {
        present |= group.mask;
        conflicts |= group.conflicts;
      }
    if (!present || (members & warp.live & ~present))
      return;
    warp.pc = pc;
    if ((conflicts & ~present) && block.checks.barriers)
      report(warp, instruction, Finding::Kind::Barrier, static_cast<unsigned>(__builtin_ctz(present)),
             "waits for lane " + std::to_string(__builtin_ctz(conflicts & ~present)) +
                 ", which came with another member mask and exited");
    instruction.execute(warp, instruction, present);
    for (Group &group : warp.others)
      if (isParty(group)) {
        group.state = Group::State::Ready;
        group.conflicts = 0;
        ++group.pc;
      }
  }

  Block &block;
  Warp &warp;
  const Instruction *code;
  bool isTurnOver = false;
};

} // namespace

uint64_t nova::emulator::runWarp(Block &block, Warp &warp, uint64_t limit) {
  warp.failedWait = 0;
  return block.program.wgmmas.empty() ? Scheduler<false>(block, warp).run(limit)
                                      : Scheduler<true>(block, warp).run(limit);
}

void nova::emulator::releaseBarrier(Block &block, uint32_t id) {
  for (Warp &warp : block.warps)
    for (Group &group : warp.others)
      if (group.state == Group::State::AtBarrier && group.members == id) {
        group.state = Group::State::Ready;
        ++group.pc;
      }
}
