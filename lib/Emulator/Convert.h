//===- Convert.h - Conversions between types --------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_CONVERT_H
#define NOVA_LIB_EMULATOR_CONVERT_H

#include "Rounding.h"

namespace nova::emulator {

/// What a cvt instruction asks for. Travels in Instruction::immediate.
struct Conversion {
  Type to = Type::B32, from = Type::B32;
  Rounding rounding = Rounding::Nearest;
  int8_t integer = -1;                ///< rni, rzi, rmi, rpi, or -1
  uint8_t fromBytes = 4, toBytes = 4; ///< of the registers, which may be wider than the types
  bool flush = false, saturate = false, relu = false, finite = false;

  void store(Instruction &instruction) const;
  static Conversion load(const Instruction &instruction);
};

/// The handler for any types, lane by lane; null when there is no such conversion.
ExecuteFn generalConversion(const Conversion &conversion);
void executePack(Warp &warp, const Instruction &instruction, uint32_t active);

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_CONVERT_H
