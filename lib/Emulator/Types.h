//===- Types.h - Types of PTX -----------------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_TYPES_H
#define NOVA_LIB_EMULATOR_TYPES_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace nova::emulator {

/// The types that instructions and declarations name, without the dot. Packed types (f16x2) hold two elements in 32
/// bits, or two 8-bit floats in 16.
enum class Type : uint8_t {
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  BF16,
  TF32,
  F32,
  F64,
  F16x2,
  BF16x2,
  U16x2,
  S16x2,
  E4M3x2,
  E5M2x2,
  E4M3,
  E5M2
};

std::optional<Type> typeFromName(std::string_view name);
std::string_view nameOf(Type type);

/// Bytes in memory and in a register; 0 for a predicate.
constexpr uint32_t bytesOf(Type type) {
  switch (type) {
  case Type::Pred:
    return 0;
  case Type::B8:
  case Type::U8:
  case Type::S8:
  case Type::E4M3:
  case Type::E5M2:
    return 1;
  case Type::B16:
  case Type::U16:
  case Type::S16:
  case Type::F16:
  case Type::BF16:
  case Type::E4M3x2:
  case Type::E5M2x2:
    return 2;
  case Type::B64:
  case Type::U64:
  case Type::S64:
  case Type::F64:
    return 8;
  case Type::B128:
    return 16;
  default:
    return 4;
  }
}

constexpr bool isSigned(Type type) {
  return type == Type::S8 || type == Type::S16 || type == Type::S32 || type == Type::S64;
}
constexpr bool isUnsigned(Type type) {
  return type == Type::U8 || type == Type::U16 || type == Type::U32 || type == Type::U64;
}
constexpr bool isInteger(Type type) { return isSigned(type) || isUnsigned(type); }
constexpr bool isBits(Type type) { return type >= Type::B8 && type <= Type::B128; }
/// What loads, moves and selections take: integers, bits and the floats with registers of their own. Halves and packed
/// types are .b16 and .b32 there.
constexpr bool isPlain(Type type) { return isInteger(type) || isBits(type) || type == Type::F32 || type == Type::F64; }

/// Where an address points. In the generic space the other spaces are windows (Windows.h).
enum class Space : uint8_t { Generic, Global, Shared, Local, Param, Const };

std::string_view nameOf(Space space);

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_TYPES_H
