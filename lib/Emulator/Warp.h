//===- Warp.h - A warp while it runs ----------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_WARP_H
#define NOVA_LIB_EMULATOR_WARP_H

#include "Program.h"

namespace nova::emulator {

struct Block;

/// Lanes of a warp that execute together.
struct Group {
  enum class State : uint8_t { Ready, AtWarpSync, AtBarrier, AtClusterBarrier, AtWarpgroup };
  uint32_t pc = 0;
  uint32_t mask = 0;
  uint32_t stack = 0; ///< index into Warp::frames
  State state = State::Ready;
  uint32_t members = 0;   ///< lanes that a warp-wide operation waits for, the number of the barrier, or a wgmma group
  uint32_t conflicts = 0; ///< members that came to the operation with another mask while this group waited
};

/// A call that has not returned. Equal chains of calls have equal indices, so that lanes that diverged before or inside
/// a function meet again.
struct Frame {
  uint32_t caller = 0; ///< 0: the kernel
  uint32_t returnPc = 0;
  uint32_t depth = 0;
};

/// Bytes in flight from global to shared memory (cp.async). They arrive when the lane waits for them, as late as
/// the rules allow.
struct PendingCopy {
  uint32_t lane = 0;
  uint32_t group = 0; ///< of the lane
  uint64_t to = 0;    ///< in shared memory
  uint64_t from = 0;  ///< in global memory
  uint32_t bytes = 0; ///< to copy; the rest of `total` becomes zero
  uint32_t total = 0;
  uint32_t pc = 0;
};

struct Warp {
  uint8_t *registers = nullptr; ///< Program::registerBytes; every register is an array over lanes
  uint32_t *predicates = nullptr;
  Block *block = nullptr;
  uint32_t index = 0;
  uint32_t firstThread = 0;
  uint32_t lanes = 0; ///< that the block has
  uint32_t live = 0;  ///< that have not exited
  uint32_t pc = 0;    ///< of the instruction being executed

  Group current;
  bool hasCurrent = false;
  std::vector<Group> others;
  std::vector<Frame> frames;
  std::vector<PendingCopy> copies;
  std::array<uint32_t, kLanes> copyGroups = {}; ///< groups that each lane has committed
  std::vector<uint32_t> visited;                ///< lanes that came by each basic block
  uint32_t starvation = 0, boost = 0;           ///< see Scheduler.cpp
  uint32_t failedWait = 0, failedWaitPc = 0;    ///< lanes whose wait at a Poll ended the last turn, and where

  /// Whether no lane is left.
  bool isDone() const { return live == 0; }
};

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_WARP_H
