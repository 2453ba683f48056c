//===- FuzzPtx.cpp - Any bytes as PTX, and as the arguments of a launch ---===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../unit/Emulator/FuzzPtx.h"

// The first eight bytes choose sizes and parameters, the rest is the text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t number = 0;
  __builtin_memcpy(&number, data, std::min<size_t>(size, 8));
  std::string_view text(reinterpret_cast<const char *>(data), size);
  nova::emulator::surviveText(text.substr(std::min<size_t>(size, 8)), number);
  return 0;
}
