//===- FuzzTokens.cpp - Any bytes as a file of tokens ---------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/File.h"
#include "Nova/Training/TokenFile.h"

#include <cstdlib>
#include <unistd.h>

using namespace nova;

/// One file for the whole run, in memory where the system has such a place.
static const std::string &path() {
  static const std::string found = [] {
    std::string name = access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : "/tmp/";
    name += "nova-fuzz-" + std::to_string(getpid()) + ".bin";
    static std::string kept = name;
    std::atexit([] { unlink(kept.c_str()); });
    return name;
  }();
  return found;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static constexpr DataFormat kFormats[] = {DataFormat::Auto, DataFormat::Text, DataFormat::NanoGpt, DataFormat::LlmC};
  if (!size)
    return 0;
  // The first byte chooses the format; written plainly, as what reads it is tested and not what writes it.
  std::FILE *file = std::fopen(path().c_str(), "wb");
  if (!file)
    return 0;
  std::fwrite(data + 1, 1, size - 1, file);
  std::fclose(file);
  Result<TokenFile> tokens = TokenFile::open(path(), kFormats[data[0] % 4]);
  if (!tokens)
    return 0;
  uint32_t sum = 0;
  for (uint64_t i = 0; i < tokens->size(); ++i)
    sum += (*tokens)[i];
  asm volatile("" : : "r"(sum)); // the reads stay
  return 0;
}
