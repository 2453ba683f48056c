//===- DeviceMemory.cpp - The memory of the emulated device ---------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Emulator/DeviceMemory.h"

#include "Nova/Support/CheckedMath.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace nova;
using namespace nova::emulator;

static constexpr uint64_t kAlignment = 256;
static constexpr uint64_t kSmallest = uint64_t(1) << 20;
/// Where the device's memory lies when the host has nothing there, so that addresses in reports are the same every
/// time.
static constexpr uint64_t kPreferred = 0x300000000000;

static void *reserve(uint64_t bytes, uint64_t where) {
  void *memory = mmap(reinterpret_cast<void *>(where), bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

Result<std::unique_ptr<DeviceMemory>> DeviceMemory::create(uint64_t capacity) {
  capacity = alignTo(std::clamp(capacity, kSmallest, uint64_t(1) << 40), 4096);
  for (; capacity >= kSmallest; capacity = alignTo(capacity / 2, 4096)) {
    // Per byte of memory: its state, and at worst (stores of single bytes) eight bytes for its last writer.
    uint64_t whole = capacity * 10;
    auto *memory = static_cast<uint8_t *>(reserve(whole, kPreferred));
    if (!memory)
      continue;
    std::unique_ptr<DeviceMemory> device(new DeviceMemory);
    device->base = reinterpret_cast<uint64_t>(memory);
    device->size = capacity;
    device->stateOf = memory + capacity;
    device->writerOf = reinterpret_cast<uint64_t *>(memory + 2 * capacity);
    device->gaps[device->base] = capacity;
    return device;
  }
  return deviceError("the host gives no address space for the emulated device's memory");
}

DeviceMemory::~DeviceMemory() { munmap(reinterpret_cast<void *>(base), size * 10); }

uint64_t DeviceMemory::allocate(uint64_t bytes) {
  if (!bytes || bytes > size)
    return 0;
  // A gap stays behind every allocation, so that one byte too far is seen.
  uint64_t taken = alignTo(bytes + 1, kAlignment);
  auto gap = std::find_if(gaps.begin(), gaps.end(), [&](const auto &gap) { return gap.second >= taken; });
  if (gap == gaps.end())
    return 0;
  auto [address, left] = *gap;
  gaps.erase(gap);
  if (left > taken)
    gaps[address + taken] = left - taken;
  allocations[address] = bytes;
  usedBytes += taken;
  std::memset(states(address), Allocated, bytes);
  return address;
}

bool DeviceMemory::free(uint64_t address) {
  auto found = allocations.find(address);
  if (found == allocations.end())
    return false;
  std::memset(states(address), Free, found->second);
  uint64_t taken = alignTo(found->second + 1, kAlignment);
  usedBytes -= taken;
  allocations.erase(found);
  auto gap = gaps.emplace(address, taken).first;
  if (auto next = std::next(gap); next != gaps.end() && gap->first + gap->second == next->first) {
    gap->second += next->second;
    gaps.erase(next);
  }
  if (gap != gaps.begin())
    if (auto before = std::prev(gap); before->first + before->second == gap->first) {
      before->second += gap->second;
      gaps.erase(gap);
    }
  return true;
}

std::pair<uint64_t, uint64_t> DeviceMemory::allocationNear(uint64_t address) const {
  auto next = allocations.upper_bound(address);
  if (next == allocations.begin())
    return {0, 0};
  return *std::prev(next);
}

bool DeviceMemory::holds(uint64_t address, uint64_t bytes) const {
  auto [start, length] = allocationNear(address);
  return start && fitsIn(address - start, bytes, length);
}

void DeviceMemory::write(uint64_t address, const void *from, uint64_t bytes) {
  std::memcpy(reinterpret_cast<void *>(address), from, bytes);
  std::memset(states(address), Written, bytes);
}

void DeviceMemory::read(uint64_t address, void *to, uint64_t bytes) const {
  std::memcpy(to, reinterpret_cast<const void *>(address), bytes);
}

void DeviceMemory::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), bytes);
  // What was never written stays so: a copy of it is found where it is used.
  std::memmove(states(to), states(from), bytes);
}

void DeviceMemory::fill(uint64_t address, uint32_t pattern, uint32_t patternBytes, uint64_t count) {
  auto *out = reinterpret_cast<uint8_t *>(address);
  if (patternBytes == 1)
    std::memset(out, static_cast<int>(pattern & 0xff), count);
  else
    for (uint64_t i = 0; i < count; ++i)
      std::memcpy(out + i * patternBytes, &pattern, patternBytes);
  std::memset(states(address), Written, count * patternBytes);
}

uint32_t DeviceMemory::takeBlockNumbers(uint32_t count) {
  if (nextBlock > UINT32_MAX - count) {
    // After four thousand million blocks the numbers begin anew, and what older launches wrote is forgotten.
    madvise(writerOf, size * 8, MADV_DONTNEED);
    nextBlock = 1;
  }
  uint32_t first = nextBlock;
  nextBlock += count;
  return first;
}
