//===- DType.h - Element types ----------------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_SUPPORT_DTYPE_H
#define NOVA_SUPPORT_DTYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace nova {

/// The element types of tensors. In memory I1 takes a byte that holds 0 or 1.
enum class DType : uint8_t { F64, F32, F16, BF16, I1, I8, I32, I64 };

/// Bytes that one element takes in memory.
constexpr uint64_t sizeOf(DType type) {
  switch (type) {
  case DType::F64:
  case DType::I64:
    return 8;
  case DType::F32:
  case DType::I32:
    return 4;
  case DType::F16:
  case DType::BF16:
    return 2;
  case DType::I1:
  case DType::I8:
    return 1;
  }
  return 0;
}

constexpr bool isFloat(DType type) {
  return type == DType::F64 || type == DType::F32 || type == DType::F16 || type == DType::BF16;
}

/// The spelling of MLIR: "f32", "bf16", "i1".
std::string_view nameOf(DType type);
std::optional<DType> dtypeFromName(std::string_view name);

} // namespace nova

#endif // NOVA_SUPPORT_DTYPE_H
