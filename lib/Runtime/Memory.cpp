//===- Memory.cpp - Large zeroed memory -----------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/Memory.h"

#include "Nova/Support/CheckedMath.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

using namespace nova;

static constexpr uint64_t kHugePage = 2 << 20;

Result<Memory> Memory::allocate(uint64_t bytes, const char *what) {
  Memory memory;
  bytes = std::max<uint64_t>(bytes, 1); // Nothing has an address too.
  bool isLarge = bytes >= kHugePage;
  memory.mapped = bytes + (isLarge ? kHugePage : 0);
  void *base = mmap(nullptr, memory.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return deviceError(std::string("cannot allocate ") + std::to_string(bytes) + " bytes for " + what + ": " +
                       std::strerror(errno) + "; use a smaller batch or model");
  memory.base = base;
  uint64_t address = reinterpret_cast<uint64_t>(base);
  memory.aligned = static_cast<std::byte *>(base) + (isLarge ? alignTo(address, kHugePage) - address : 0);
  if (isLarge)
    madvise(memory.aligned, bytes, MADV_HUGEPAGE); // A wish: without it the memory is only slower.
  return memory;
}

Memory::Memory(Memory &&other) noexcept
    : base(std::exchange(other.base, nullptr)), mapped(std::exchange(other.mapped, 0)),
      aligned(std::exchange(other.aligned, nullptr)) {}

Memory &Memory::operator=(Memory &&other) noexcept {
  std::swap(base, other.base);
  std::swap(mapped, other.mapped);
  std::swap(aligned, other.aligned);
  return *this;
}

Memory::~Memory() {
  if (base)
    munmap(base, mapped);
}
