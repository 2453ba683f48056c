//===- Block.h - A block while it runs --------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_BLOCK_H
#define NOVA_LIB_EMULATOR_BLOCK_H

#include "BulkCopy.h"
#include "Findings.h"
#include "Mbarrier.h"
#include "SharedRaces.h"
#include "Warp.h"
#include "Warpgroup.h"

#include "Nova/Emulator/Launch.h"

#include <atomic>
#include <mutex>
#include <unordered_set>

namespace nova::emulator {

/// Thrown to leave a block at once: after a fault that makes going on meaningless.
struct StopBlock {};

/// What all blocks of a launch share.
struct LaunchState {
  LaunchState(const Program &program, DeviceMemory &memory, const Options &options)
      : program(program), memory(memory), options(options) {}

  const Program &program;
  DeviceMemory &memory;
  Options options;
  Dim3 grid, blockShape;
  uint32_t threadsPerBlock = 0;
  uint32_t warpsPerBlock = 0;
  uint32_t sharedBytes = 0; ///< static and dynamic
  uint32_t dynamicShared = 0;
  uint64_t blocks = 0;
  uint32_t firstBlockNumber = 0; ///< in the writers of device memory
  const std::vector<uint8_t> *parameters = nullptr;
  Findings findings;
  std::mutex atomics; ///< held by atomics on global memory while several threads run blocks
  bool isParallel = false;
  /// Fences that each block has executed, modulo 256: stores on both sides of them are ordered, not races.
  std::vector<std::atomic<uint8_t>> fences;
};

/// A barrier of a block (bar.sync a).
struct Barrier {
  std::vector<uint32_t> arrived; ///< lanes, by warp: those that wait, and those that came by bar.arrive
  std::vector<uint32_t> waiting; ///< lanes, by warp
  uint32_t expected = 0;         ///< threads; 0: all of the block
  bool isInUse = false;
  uint32_t pc = 0;                ///< of the first that came
  uint32_t votes = 0, voters = 0; ///< of bar.red
};

/// The barrier of the cluster, which is one block: a lane arrives and waits in turn.
struct ClusterBarrier {
  std::vector<uint32_t> arrived; ///< lanes, by warp, in the phase that is not complete
  std::vector<uint32_t> passed;  ///< lanes whose phase is complete and that have not waited for it
};

/// A block and everything that one thread of the host needs to run it; reused for the blocks that follow.
struct Block {
  explicit Block(LaunchState &launch);
  ~Block();

  /// Runs the block with this number of the grid.
  void run(uint64_t number);

  LaunchState &launch;
  const Program &program;
  Checks checks;
  uint64_t number = 0;
  Dim3 index;
  std::vector<Warp> warps;
  uint8_t *shared = nullptr; ///< with room behind for vector accesses
  std::vector<uint8_t> sharedStates;
  std::vector<uint8_t> local, localStates; ///< thread after thread
  std::vector<uint8_t> parameters;
  SharedRaces races;
  std::array<Barrier, 16> barriers;
  bool hasFenced = false; ///< a fence or an atomic on global memory
  ClusterBarrier clusterBarrier;
  std::map<uint64_t, Mbarrier> mbarriers; ///< by address in shared memory
  std::vector<BulkCopy> bulkLoads, bulkStores;
  std::map<uint32_t, BulkGroups> bulkGroups; ///< by thread
  std::vector<Warpgroup> warpgroups;
  uint64_t activity = 0; ///< changes that something may wait for: stores, arrivals, copies that came

  /// Lets the copies arrive that complete on an mbarrier.
  void finishBulkLoads(uint64_t mbarrier);
  bool hasBulkLoads(uint64_t mbarrier) const;
  /// Does what a thread stores in all groups but its newest ones.
  void finishBulkStores(uint32_t thread, uint32_t pendingGroups);

  std::map<uint32_t, std::vector<uint32_t>> afterBarrier; ///< see Barrier.cpp

  // Counters, by instruction.
  std::vector<uint64_t> executions, laneExecutions;
  KernelCounters counters;
  std::unordered_set<uint64_t> sectors; ///< of global memory that this block has touched

private:
  void reset();
  void runWarps();
  bool completeBarriers();
  void finishAsynchronous();
  std::vector<BulkCopy>::iterator finishBulkStore(std::vector<BulkCopy>::iterator copy);
  [[noreturn]] void reportDeadlock();

  std::vector<uint8_t> memory; ///< of registers, predicates and shared memory
  uint8_t *initial = nullptr;  ///< registers as a block finds them
};

// Scheduler.cpp
/// Runs a warp until its lanes are done or wait for others, or until it has executed `limit` instructions. Returns the
/// number that it executed.
uint64_t runWarp(Block &block, Warp &warp, uint64_t limit);
/// Makes the lanes of a finished barrier ready.
void releaseBarrier(Block &block, uint32_t id);

// Cluster.cpp
/// Whether lanes may pass barrier.cluster.wait at once; else they wait as a group.
bool waitAtClusterBarrier(Block &block, Warp &warp, const Instruction &instruction, uint32_t active);
/// Releases who waits when every thread has arrived or exited.
bool completeClusterBarrier(Block &block);

// Wgmma.cpp
/// Whether a warp may pass wgmma.wait_group at once; else it waits as a group.
bool waitForWarpgroup(Block &block, Warp &warp, const Instruction &instruction, uint32_t active);
bool completeWarpgroups(Block &block);
/// Looks for registers of products in flight among those that an instruction uses.
void checkWatchedUses(Warp &warp, const Instruction &instruction, uint32_t pc);
/// Looks for products that only some warps of a warpgroup have executed, at the end of a block.
void checkWarpgroups(Block &block);

// Barrier.cpp
/// Lets lanes arrive. False when they go on at once (bar.arrive).
bool arriveAtBarrier(Block &block, Warp &warp, const Instruction &instruction, uint32_t active);
bool isBarrierComplete(const Block &block, uint32_t id);
/// Orders what came before a finished barrier, of those that arrived or exited, before what those that wait do next.
void orderAcrossBarrier(Block &block, uint32_t id);
/// Looks for lanes that passed the barrier by, before it is released.
void checkBarrier(Block &block, uint32_t id);

// Reports (Findings.cpp). `lane` is of the warp.
void report(Warp &warp, const Instruction &instruction, Finding::Kind kind, unsigned lane, const std::string &detail);
/// Ends the block when an instruction that all 32 lanes must execute together lacks one of them.
void requireAllLanes(Warp &warp, const Instruction &instruction, uint32_t active);
/// "thread (1, 0, 0)".
std::string describeThread(const LaunchState &launch, uint32_t thread);
/// "line 12 'st.shared.f32 [%r1], %f1;'".
std::string describeInstruction(const Program &program, uint32_t pc);

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_BLOCK_H
