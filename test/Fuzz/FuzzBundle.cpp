//===- FuzzBundle.cpp - Any bytes as a bundle, and as its tables ----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/Bundle.h"
#include "Nova/Support/Hash.h"

#include <cstring>

using namespace nova;

/// The file with the size and checksum that its header should have: else nothing behind the header is ever reached.
static std::string repaired(std::string file) {
  FileHeader header;
  if (file.size() < sizeof(header))
    return file;
  std::memcpy(&header, file.data(), sizeof(header));
  std::memcpy(header.magic, kBundleMagic, sizeof(header.magic));
  header.version = kBundleVersion;
  header.fileBytes = file.size();
  header.checksum = 0;
  std::memcpy(file.data(), &header, sizeof(header));
  std::string_view bytes = file;
  header.checksum = hash64(bytes.substr(sizeof(header)), hash64(bytes.substr(0, sizeof(header))));
  std::memcpy(file.data(), &header, sizeof(header));
  return file;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  // Text is tables, anything else a file. What parses is written and parsed again.
  if (size && data[0] == '{') {
    if (Result<Bundle> tables = tablesFromJson(bytes, "input")) {
      (void)verifyBundle(*tables, "input");
      if (!tablesFromJson(tablesToJson(*tables), "input"))
        __builtin_trap();
    }
    return 0;
  }
  if (Result<std::vector<Bundle>> bundles = parseBundles(repaired(bytes), "input"))
    for (const Bundle &bundle : *bundles)
      if (!parseBundle(serialize(bundle), "input"))
        __builtin_trap();
  return 0;
}
