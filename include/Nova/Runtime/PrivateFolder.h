//===- PrivateFolder.h - Folders that only their user can write -*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_RUNTIME_PRIVATEFOLDER_H
#define NOVA_RUNTIME_PRIVATEFOLDER_H

#include "Nova/Support/Result.h"

#include <string>

namespace nova {

/// Code is loaded from such folders, so what lies there must come from the user: makes the folder (mode 0700) where it
/// is missing, and refuses one that belongs to somebody else or that others may write.
Result<void> ensurePrivateFolder(const std::string &path);

/// A private folder in TMPDIR or /tmp that is removed with its files at the end.
class TemporaryFolder {
public:
  static Result<TemporaryFolder> create();

  TemporaryFolder() = default;
  TemporaryFolder(TemporaryFolder &&other) noexcept;
  TemporaryFolder &operator=(TemporaryFolder &&other) noexcept;
  ~TemporaryFolder();

  const std::string &path() const { return folder; }

private:
  std::string folder;
};

} // namespace nova

#endif // NOVA_RUNTIME_PRIVATEFOLDER_H
