//===- DeviceMemory.h - The memory of the emulated device -------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A range of host memory whose addresses are the device's. Beside every byte stands a state, and beside every stored
// word the block that wrote it last: what the checks of a launch look at. Not for several threads at once, but for
// kernels that run.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_EMULATOR_DEVICEMEMORY_H
#define NOVA_EMULATOR_DEVICEMEMORY_H

#include "Nova/Support/Result.h"

#include <cstdint>
#include <map>
#include <memory>

namespace nova::emulator {

class DeviceMemory {
public:
  /// What is known of one byte.
  enum State : uint8_t {
    Free = 0,
    Allocated = 1, ///< nothing wrote it since it was allocated
    Written = 3,
  };

  /// Reserves address space; the host gives memory when it is touched. Takes less than `capacity` bytes where the host
  /// refuses so much.
  static Result<std::unique_ptr<DeviceMemory>> create(uint64_t capacity);
  ~DeviceMemory();

  /// Allocations are aligned to 256 bytes and never touch each other. 0 when there is no room, or for no bytes.
  uint64_t allocate(uint64_t bytes);
  /// False when no allocation begins there.
  bool free(uint64_t address);
  /// Whether the bytes lie in one allocation.
  bool holds(uint64_t address, uint64_t bytes) const;
  /// The allocation that holds or precedes an address, as (first address, bytes); (0, 0) when there is none.
  std::pair<uint64_t, uint64_t> allocationNear(uint64_t address) const;

  // Everything below asks for bytes that `holds` has confirmed.
  void write(uint64_t address, const void *from, uint64_t bytes);
  void read(uint64_t address, void *to, uint64_t bytes) const;
  void copy(uint64_t to, uint64_t from, uint64_t bytes);
  void fill(uint64_t address, uint32_t pattern, uint32_t patternBytes, uint64_t count);

  uint64_t capacity() const { return size; }
  uint64_t used() const { return usedBytes; }
  uint64_t first() const { return base; }

  /// The states from an address in [first(), first() + capacity()) on.
  uint8_t *states(uint64_t address) const { return stateOf + (address - base); }
  /// The last writers, one entry per granule of 2^shift bytes, chosen per launch; a launch tells its own from older
  /// ones by the numbers of its blocks.
  uint64_t *writers(uint64_t address, unsigned shift) const { return writerOf + ((address - base) >> shift); }
  /// Numbers for the blocks of a launch that no earlier launch had.
  uint32_t takeBlockNumbers(uint32_t count);

private:
  DeviceMemory() = default;

  uint64_t base = 0, size = 0, usedBytes = 0;
  uint8_t *stateOf = nullptr;
  uint64_t *writerOf = nullptr;
  uint32_t nextBlock = 1;
  std::map<uint64_t, uint64_t> allocations; ///< bytes by first address
  std::map<uint64_t, uint64_t> gaps;        ///< free bytes by first address
};

} // namespace nova::emulator

#endif // NOVA_EMULATOR_DEVICEMEMORY_H
