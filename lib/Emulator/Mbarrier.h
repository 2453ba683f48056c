//===- Mbarrier.h - mbarrier objects of a block -----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of an mbarrier is opaque to programs. It is kept beside shared memory, which holds its bits, so that an
// object that was never made, or that a store has destroyed, is told from one in use.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_MBARRIER_H
#define NOVA_LIB_EMULATOR_MBARRIER_H

#include <cstdint>

namespace nova::emulator {

struct Block;
struct Warp;
struct Instruction;

struct Mbarrier {
  uint32_t pending = 0;     ///< arrivals that the phase still waits for
  uint32_t expected = 0;    ///< arrivals of a phase
  int64_t transactions = 0; ///< bytes that it waits for
  uint64_t phase = 0;
  uint32_t agent = 0;  ///< of the copies that complete here, or 0 (SharedRaces.h)
  uint32_t copies = 0; ///< so far

  uint64_t bits() const {
    return pending | uint64_t(expected) << 20 | (static_cast<uint64_t>(transactions) & 0x1fffff) << 40 |
           (phase & 7) << 61;
  }
  static uint32_t pendingOf(uint64_t bits) { return bits & 0xfffff; }
  static unsigned phaseOf(uint64_t bits) { return static_cast<unsigned>(bits >> 61); }
};

constexpr uint32_t kMaxMbarrierCount = (1 << 20) - 1;

/// The mbarrier at an address of shared memory for an operation of a lane; what is not one ends the block.
Mbarrier &mbarrierAt(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address);
/// Adds to the bytes that the phase waits for, less than 0 for those that came.
void addTransactions(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address, int64_t bytes);

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_MBARRIER_H
