//===- ValueUses.h - Which registers are only moved -------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers pass a struct as an array of bytes and move its padding along with its members, although nothing ever wrote
// the padding. A load of such bytes is a fault only if something computes with them, so the decoder asks here which
// registers end up nowhere but in memory.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_VALUEUSES_H
#define NOVA_LIB_EMULATOR_VALUEUSES_H

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace nova::emulator {

class ValueUses {
public:
  /// Notes an instruction that reads and writes these registers, address registers aside.
  void addInstruction(std::string_view opcode, const std::vector<uint32_t> &reads, const std::vector<uint32_t> &writes);
  /// Notes that a register's value matters: it is an address, or a guard depends on it.
  void addUse(uint32_t slot);
  /// Whether every value of the register is only moved, or dropped.
  bool isOnlyMoved(uint32_t slot) const { return used.count(slot) == 0; }

private:
  std::unordered_set<uint32_t> used;
  std::unordered_map<uint32_t, std::vector<uint32_t>> movedFrom; ///< registers that each register takes bytes from
};

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_VALUEUSES_H
