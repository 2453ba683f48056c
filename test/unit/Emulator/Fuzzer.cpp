//===- Fuzzer.cpp - libFuzzer target for PTX text and launch arguments ----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built where NOVA_FUZZERS is on, with the emulator's sources instrumented; run on a folder of PTX files:
//   NovaEmulatorFuzzer -max_total_time=600 CORPUS
//
//===----------------------------------------------------------------------===//

#include "FuzzPtx.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t number = 0;
  __builtin_memcpy(&number, data, std::min<size_t>(size, 8));
  std::string_view text(reinterpret_cast<const char *>(data), size);
  nova::emulator::surviveText(text.substr(std::min<size_t>(size, 8)), number);
  return 0;
}
