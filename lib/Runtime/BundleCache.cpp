//===- BundleCache.cpp - Compiled programs on the disk --------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/BundleCache.h"

#include "Nova/Runtime/PrivateFolder.h"
#include "Nova/Support/File.h"
#include "Nova/Support/Hash.h"

#include <cstdlib>

using namespace nova;

std::string BundleCache::defaultFolder() {
  // The XDG specification: a path that is not absolute is ignored.
  if (const char *base = std::getenv("XDG_CACHE_HOME"); base && *base == '/')
    return std::string(base) + "/nova";
  if (const char *home = std::getenv("HOME"); home && *home == '/')
    return std::string(home) + "/.cache/nova";
  return "";
}

Result<BundleCache> BundleCache::open(const std::string &folder) {
  if (Result<void> ensured = ensurePrivateFolder(folder); !ensured)
    return ensured.error();
  return BundleCache(folder);
}

std::optional<Bundle> BundleCache::load(const std::string &key) const {
  Result<MappedFile> file = MappedFile::open(fileOf(key));
  if (!file)
    return std::nullopt;
  Result<Bundle> bundle = parseBundle(file->bytes(), fileOf(key));
  if (!bundle)
    return std::nullopt;
  return std::move(*bundle);
}

Result<void> BundleCache::store(const std::string &key, std::string_view bundle) const {
  return writeFile(fileOf(key), bundle);
}

std::string nova::cacheKey(std::string_view program, std::string_view request, std::string_view compiler,
                           const HostCpu &cpu) {
  // Every part with its length: no two lists of parts give the same bytes.
  std::string text;
  auto append = [&](std::string_view part) { text.append(std::to_string(part.size())).append(":").append(part); };
  append(program);
  append(request);
  append(compiler);
  append(cpu.model);
  for (const std::string &feature : cpu.features)
    append(feature);
  // Two seeds make 128 bits: no collisions by chance.
  return toHex(hash64(text, 0)) + toHex(hash64(text, 1));
}
