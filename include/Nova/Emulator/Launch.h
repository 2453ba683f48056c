//===- Launch.h - Running a kernel ------------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_EMULATOR_LAUNCH_H
#define NOVA_EMULATOR_LAUNCH_H

#include "Nova/Emulator/Counters.h"
#include "Nova/Emulator/Module.h"

#include <optional>

namespace nova::emulator {

/// What is looked for while a kernel runs.
struct Checks {
  bool races = true;         ///< shared memory between barriers, and plain stores of several blocks to one address
  bool bounds = true;        ///< accesses beside every allocation, misaligned ones
  bool uninitialised = true; ///< reads of memory that nothing wrote
  bool barriers = true;      ///< divergent barriers, shuffles with absent lanes
  bool strictRaces = false;  ///< equal values stored by several threads are races too

  static Checks none() { return {false, false, false, false, false}; }
  /// From "all", "none" or names with commas; a usage error names what is expected.
  static Result<Checks> parse(std::string_view list);
};

/// The order in which a block's warps run between barriers. Correct kernels do not depend on it.
enum class WarpOrder : uint8_t { Normal, Reversed, RoundRobin };
Result<WarpOrder> parseWarpOrder(std::string_view name);

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

/// Blocks of a grid from one corner to the other, both included.
struct BlockRange {
  Dim3 first, last;
};

struct Options {
  Checks checks;
  WarpOrder order = WarpOrder::Normal;
  unsigned threads = 0;         ///< that run blocks; 0: all cores
  bool countMemory = false;     ///< bank conflicts and sectors
  uint64_t maxInstructions = 0; ///< of a warp; 0: no limit
  /// The part of the grid that runs: a kernel sees the size of the whole grid all the same. Unset: every block.
  std::optional<BlockRange> range;
};

/// A thing that a check found.
struct Finding {
  enum class Kind : uint8_t {
    Bounds,
    Misaligned,
    Uninitialised,
    SharedRace,
    GlobalRace,
    ProxyFence, ///< what plain stores wrote is read by an asynchronous unit with no fence.proxy.async between
    Barrier,
    Mbarrier, ///< wrong use of an mbarrier
    Wgmma,    ///< wrong use of wgmma: registers in flight, warps that do not agree
    TensorMap,
    Deadlock,
    Trap
  };
  Kind kind = Kind::Bounds;
  uint32_t line = 0;   ///< of the PTX
  uint64_t block = 0;  ///< number in the grid
  uint32_t thread = 0; ///< number in the block
  std::string message; ///< complete, of one line: kernel, line and its text, block and thread, address, other party
};

struct LaunchResult {
  std::vector<Finding> findings; ///< at most one per kind and line, in order of blocks and threads; empty: all is well
  KernelCounters counters;
};

/// Why a kernel cannot be launched so, on any chip.
Result<void> checkLaunch(const Program &kernel, Dim3 grid, Dim3 block, uint32_t dynamicShared);

/// Runs a grid. `parameters` is the block of parameters as KernelParameter describes it. An error means that the launch
/// itself is impossible (sizes, memory); what goes wrong inside is a finding.
Result<LaunchResult> launch(const Program &kernel, DeviceMemory &memory, Dim3 grid, Dim3 block, uint32_t dynamicShared,
                            const std::vector<uint8_t> &parameters, const Options &options);

} // namespace nova::emulator

#endif // NOVA_EMULATOR_LAUNCH_H
