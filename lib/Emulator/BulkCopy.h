//===- BulkCopy.h - Copies that a unit of their own does --------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async.bulk is done as late as the rules allow: a copy to shared memory when something looks at its mbarrier, one
// from there when its thread waits for its group.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_BULKCOPY_H
#define NOVA_LIB_EMULATOR_BULKCOPY_H

#include "Nova/Emulator/TensorMap.h"

#include <array>
#include <string>

namespace nova::emulator {

struct Warp;
struct Instruction;

/// A copy in flight.
struct BulkCopy {
  bool isStore = false;
  bool isTensor = false;
  bool isWithinShared = false; ///< `global` is in shared memory
  uint32_t warp = 0, lane = 0, pc = 0;
  uint32_t group = 0;                         ///< of the thread, for stores
  uint64_t shared = 0, global = 0, bytes = 0; ///< of a tensor `global` is the first element
  uint64_t mbarrier = 0;
  TensorMap map;
  std::array<int32_t, TensorMap::kMaxRank> coordinates = {};
};

/// Bulk groups of a thread.
struct BulkGroups {
  uint32_t committed = 0;
  uint32_t agent = 0; ///< in SharedRaces; 0: none yet
};

/// Checks a copy and puts it in flight.
void startBulkCopy(Warp &warp, const Instruction &instruction, BulkCopy copy);

/// What a wait at an mbarrier that fails lacks, for reports of deadlocks.
std::string describeFailedWait(Warp &warp, const Instruction &instruction, unsigned lane);

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_BULKCOPY_H
