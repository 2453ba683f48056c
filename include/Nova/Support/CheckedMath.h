//===- CheckedMath.h - Sizes that cannot wrap around ------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_SUPPORT_CHECKEDMATH_H
#define NOVA_SUPPORT_CHECKEDMATH_H

#include <cstdint>
#include <optional>

namespace nova {

inline std::optional<uint64_t> checkedAdd(uint64_t lhs, uint64_t rhs) {
  uint64_t sum;
  if (__builtin_add_overflow(lhs, rhs, &sum))
    return std::nullopt;
  return sum;
}

inline std::optional<uint64_t> checkedMul(uint64_t lhs, uint64_t rhs) {
  uint64_t product;
  if (__builtin_mul_overflow(lhs, rhs, &product))
    return std::nullopt;
  return product;
}

/// Whether [offset, offset + bytes) lies in [0, size).
inline bool fitsIn(uint64_t offset, uint64_t bytes, uint64_t size) { return bytes <= size && offset <= size - bytes; }

/// `value` rounded up to a multiple of `alignment`, a power of two.
constexpr uint64_t alignTo(uint64_t value, uint64_t alignment) { return (value + alignment - 1) & ~(alignment - 1); }

} // namespace nova

#endif // NOVA_SUPPORT_CHECKEDMATH_H
