//===- SharedRaces.h - Races in shared memory -------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Per granule of shared memory: who wrote and who read it last, and when. Time counts barriers: everything that a warp
// does between two of them has one time. `orderedBefore[w][v]` is the last time of warp v that is known to be over when
// warp w goes on; two accesses race when neither is. Within a warp lanes are not told apart.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_SHAREDRACES_H
#define NOVA_LIB_EMULATOR_SHAREDRACES_H

#include <cstdint>
#include <map>
#include <vector>

namespace nova::emulator {

struct Warp;
struct Instruction;

class SharedRaces {
public:
  void start(uint32_t bytes, unsigned granule, uint32_t warps);
  /// Forgets what the block before did.
  void beginBlock();

  /// Every warp of the mask has waited for every other.
  void synchronise(uint32_t warps);
  /// What a warp did so far is over for whoever acquires the object at that address later (mbarrier).
  void release(uint32_t warp, uint64_t address);
  void acquire(uint32_t warp, uint64_t address);
  /// Nobody acquires the object any more for what was released so far.
  void forget(uint64_t address) { released.erase(address); }

  /// Lanes read or write `bytes` bytes at their addresses. `values`, `stride` bytes apart, are what is stored: equal to
  /// what lies there it is no race, unless `isStrict`; null when that is not known.
  void read(Warp &warp, const Instruction &instruction, uint32_t lanes, const uint64_t *addresses, uint32_t bytes);
  void write(Warp &warp, const Instruction &instruction, uint32_t lanes, const uint64_t *addresses, uint32_t bytes,
             const uint8_t *values, uint32_t stride, bool isStrict);
  /// Atomics do not race with each other, but with everything else.
  void update(Warp &warp, const Instruction &instruction, uint32_t lanes, const uint64_t *addresses, uint32_t bytes);

private:
  struct Entry {
    uint32_t writeTime = 0, writers = 0, writePc = 0;
    uint32_t readTime = 0, readers = 0, readPc = 0;
    uint32_t atomicTime = 0, atomics = 0, atomicPc = 0;
    uint16_t writeThread = 0, readThread = 0, atomicThread = 0;
  };

  bool isOrdered(uint32_t warp, uint32_t time, uint32_t others) const;
  void recompute(uint32_t warp);

  std::vector<Entry> entries;
  unsigned granule = 2;
  uint32_t warps = 0;
  uint32_t now = 1;
  std::vector<uint32_t> orderedBefore; ///< warps x warps
  std::vector<uint32_t> allOrdered;    ///< the least of each warp's row
  std::map<uint64_t, std::vector<uint32_t>> released;
};

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_SHAREDRACES_H
