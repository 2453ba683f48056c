//===- Access.h - Memory accesses of a warp ---------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_ACCESS_H
#define NOVA_LIB_EMULATOR_ACCESS_H

#include "Block.h"
#include "Lanes.h"

namespace nova::emulator {

enum class AccessKind : uint8_t { Load, Store, Atomic };

// Flags of instructions that access memory.
enum AccessFlags : uint8_t {
  Address32 = 1,     ///< the register with the address has 32 bits
  Synchronising = 2, ///< volatile, relaxed, acquire, release: no party of a race
};

/// A bit in the state of a byte of shared memory, beside those of DeviceMemory::State: a cp.async to it is in flight.
constexpr uint8_t SharedPending = 4;

/// Where the active lanes of an access lie on the host, once it is checked.
struct Access {
  uint32_t lanes = 0;  ///< that may be executed; the others were reported
  uint32_t global = 0; ///< those of `lanes` that access global and shared memory
  uint32_t shared = 0;
  uint64_t address[kLanes]; ///< in its own space
  uint8_t *host[kLanes];
};

/// Addresses of an instruction whose operand 0 is the address: register plus offset.
void addressesOf(Warp &warp, const Instruction &instruction, uint64_t *addresses);

/// Checks an access of `bytes` bytes per lane at `access.address` and finds it on the host. Faults are reported; those
/// without which going on makes no sense end the block.
void resolve(Warp &warp, const Instruction &instruction, Space space, uint32_t active, uint32_t bytes, AccessKind kind,
             Access &access);

/// Checks an access of one lane to a range of any length, which the counters do not see, and finds it on the host; a
/// generic address becomes one of its own space. What may not be accessed ends the block.
uint8_t *resolveRange(Warp &warp, const Instruction &instruction, Space &space, unsigned lane, uint64_t &address,
                      uint32_t bytes, AccessKind kind);
/// Notes that a lane stores `values` in a range of global memory: races, states. Before the memory changes.
void noteGlobalRange(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address, uint32_t bytes,
                     const uint8_t *values);

/// The address that a lane's operand holds.
uint64_t addressOf(Warp &warp, const AddressOperand &operand, unsigned lane);

/// Notes a store of `values`, `stride` bytes apart: races, states. To be called before the memory changes.
void noteStore(Warp &warp, const Instruction &instruction, const Access &access, uint32_t bytes, const uint8_t *values,
               uint32_t stride);

/// Lets the copies (cp.async) of the active lanes arrive, but for the newest groups of each; with `withUncommitted`
/// all.
void finishCopies(Warp &warp, uint32_t active, uint32_t pendingGroups, bool withUncommitted);

/// Bank conflicts and sectors, when they are counted.
void countAccess(Block &block, Space space, uint32_t active, const uint64_t *addresses, uint32_t bytes);

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_ACCESS_H
