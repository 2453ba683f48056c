//===- FuzzSafetensors.cpp - Any bytes as a safetensors file --------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Elements.h"
#include "Nova/Support/Safetensors.h"

using namespace nova;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view file(reinterpret_cast<const char *>(data), size);
  Result<SafetensorsHeader> header = parseSafetensors(file, "input");
  if (!header)
    return 0;
  // What was accepted lies within the file: the sanitizers see whether each byte does.
  unsigned sum = 0;
  for (const SafetensorsEntry &entry : header->entries)
    for (uint64_t i = 0; i < entry.bytes; ++i)
      sum += data[entry.offset + i];
  asm volatile("" : : "r"(sum)); // the reads stay
  return 0;
}
