//===- Memory.h - Large zeroed memory ---------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_RUNTIME_MEMORY_H
#define NOVA_RUNTIME_MEMORY_H

#include "Nova/Support/Result.h"

#include <cstddef>
#include <cstdint>

namespace nova {

/// Anonymous memory: zero, aligned to 64 bytes at least, and costing nothing until it is touched. Large memory is
/// aligned to huge pages and asks for them.
class Memory {
public:
  /// `what` names it in the error when there is not enough.
  static Result<Memory> allocate(uint64_t bytes, const char *what);

  Memory() = default;
  Memory(Memory &&other) noexcept;
  Memory &operator=(Memory &&other) noexcept;
  ~Memory();

  std::byte *data() const { return aligned; }

private:
  void *base = nullptr;
  size_t mapped = 0;
  std::byte *aligned = nullptr;
};

} // namespace nova

#endif // NOVA_RUNTIME_MEMORY_H
