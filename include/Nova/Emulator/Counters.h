//===- Counters.h - What kernels did, in numbers ----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_EMULATOR_COUNTERS_H
#define NOVA_EMULATOR_COUNTERS_H

#include <cstdint>
#include <map>
#include <string>

namespace nova::emulator {

struct KernelCounters {
  uint64_t launches = 0;
  uint64_t blocks = 0;
  uint64_t warpInstructions = 0;
  uint64_t laneInstructions = 0;
  uint64_t divergentBranches = 0;
  std::map<std::string, uint64_t> mix; ///< warp instructions by opcode
  uint64_t shuffles = 0;               ///< warp instructions
  /// Warp instructions that multiply matrices, and the multiply-adds that they do; of wgmma each of the four warps has
  /// its part.
  uint64_t matrixInstructions = 0;
  uint64_t matrixMultiplyAdds = 0;
  uint64_t bulkCopies = 0; ///< cp.async.bulk and its tensor forms, each by one lane
  uint64_t bulkBytes = 0;

  // With Options::countMemory. A wavefront is what shared memory serves at once: one word of each of 32 banks. Bulk
  // copies are among them: 128 bytes a wavefront, one global request each, and the sectors of their rows.
  uint64_t sharedWavefronts = 0;
  uint64_t sharedIdeal = 0;    ///< wavefronts without bank conflicts
  uint64_t globalRequests = 0; ///< warp instructions that access global memory
  uint64_t globalSectors = 0;  ///< 32-byte sectors that they touch
  uint64_t globalIdeal = 0;    ///< sectors that the bytes they want fill
  uint64_t globalDistinct = 0; ///< sectors of each block, every one once: what no L1 cache can spare the L2
  uint64_t wgmmaBytes = 0;     ///< of shared memory that wgmma reads: A by each warp, B once for the four

  void add(const KernelCounters &other);
};

using CountersByKernel = std::map<std::string, KernelCounters>;

/// A table for people, one row per kernel, with its most frequent instructions.
std::string countersToTable(const CountersByKernel &counters);
/// An object by kernel name.
std::string countersToJson(const CountersByKernel &counters);

} // namespace nova::emulator

#endif // NOVA_EMULATOR_COUNTERS_H
