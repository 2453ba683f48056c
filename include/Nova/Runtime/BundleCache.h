//===- BundleCache.h - Compiled programs on the disk ------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_RUNTIME_BUNDLECACHE_H
#define NOVA_RUNTIME_BUNDLECACHE_H

#include "Nova/Runtime/Bundle.h"
#include "Nova/Runtime/HostCpu.h"

#include <optional>
#include <string>

namespace nova {

/// A private folder (ensurePrivateFolder) of bundles, named by their keys. It also is the image folder of the CPU
/// device, so that a warm start neither compiles nor writes.
class BundleCache {
public:
  /// $XDG_CACHE_HOME/nova, or ~/.cache/nova; empty when neither is known.
  static std::string defaultFolder();
  static Result<BundleCache> open(const std::string &folder);

  const std::string &folder() const { return path; }

  /// The bundle of that key; nothing when it is missing or damaged (it will be made again).
  std::optional<Bundle> load(const std::string &key) const;
  Result<void> store(const std::string &key, std::string_view bundle) const;

private:
  explicit BundleCache(std::string path) : path(std::move(path)) {}
  std::string fileOf(const std::string &key) const { return path + "/" + key + ".nova"; }

  std::string path;
};

/// Everything that a compiled program depends on: the program's bytes, the request to the compiler with all flags, the
/// build of the compiler, and the CPU it makes code for.
std::string cacheKey(std::string_view program, std::string_view request, std::string_view compiler, const HostCpu &cpu);

/// Identifies the build of a shared library without loading it: the build id that the linker gave it, or else a hash of
/// the file.
Result<std::string> buildIdOf(const std::string &path);

} // namespace nova

#endif // NOVA_RUNTIME_BUNDLECACHE_H
