//===- ValueUses.cpp - Which registers are only moved ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueUses.h"

#include <algorithm>
#include <iterator>

using namespace nova::emulator;

/// Whether an instruction only moves bytes between registers: what packs small members into words included.
static bool movesBytes(std::string_view opcode) {
  constexpr std::string_view names[] = {"mov", "cvt", "selp", "prmt", "bfi", "bfe", "shl", "shr", "and", "or"};
  bool isMove = std::find(std::begin(names), std::end(names), opcode.substr(0, opcode.find('.'))) != std::end(names);
  // A conversion from or to floats computes with the value.
  bool isFloatConversion = opcode.substr(0, 4) == "cvt." && (opcode.find(".f") != std::string_view::npos ||
                                                             opcode.find(".bf") != std::string_view::npos);
  return isMove && !isFloatConversion;
}

void ValueUses::addUse(uint32_t slot) {
  std::vector<uint32_t> open = {slot};
  while (!open.empty()) {
    uint32_t next = open.back();
    open.pop_back();
    if (!used.insert(next).second)
      continue;
    if (auto sources = movedFrom.find(next); sources != movedFrom.end())
      open.insert(open.end(), sources->second.begin(), sources->second.end());
  }
}

void ValueUses::addInstruction(std::string_view opcode, const std::vector<uint32_t> &reads,
                               const std::vector<uint32_t> &writes) {
  bool isStore = opcode.substr(0, 3) == "st.";
  if (isStore)
    return;
  bool isMove = movesBytes(opcode);
  for (uint32_t to : writes)
    if (isMove)
      movedFrom[to].insert(movedFrom[to].end(), reads.begin(), reads.end());
  bool isUsed = !isMove || std::any_of(writes.begin(), writes.end(), [&](uint32_t to) { return !isOnlyMoved(to); });
  for (uint32_t from : reads)
    if (isUsed)
      addUse(from);
}
