//===- File.h - Reading and writing files safely ----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_SUPPORT_FILE_H
#define NOVA_SUPPORT_FILE_H

#include "Nova/Support/Result.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nova {

/// A regular file mapped read-only. The bytes stay valid as long as the object.
class MappedFile {
public:
  static Result<MappedFile> open(const std::string &path);

  MappedFile(MappedFile &&other) noexcept;
  MappedFile &operator=(MappedFile &&other) noexcept;
  ~MappedFile();

  std::string_view bytes() const { return {data, size}; }

private:
  MappedFile() = default;

  const char *data = nullptr;
  size_t size = 0;
};

/// Writes a file so that its name never shows a part of it: into a temporary file beside it, which `commit` syncs and
/// renames. Without `commit`, or when anything fails, the old file stays as it was. What is no regular file (a pipe,
/// /dev/stdout) is written directly.
class AtomicFile {
public:
  static Result<AtomicFile> create(const std::string &path);

  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&) = delete;
  ~AtomicFile();

  Result<void> write(std::string_view bytes);
  Result<void> commit();

private:
  AtomicFile() = default;

  std::string path;      ///< the name to be, with symbolic links resolved
  std::string temporary; ///< empty when written directly
  int descriptor = -1;
};

Result<void> writeFile(const std::string &path, std::string_view bytes);

/// Whether `writeFile` could write there, found out without changing what is there: for outputs that are written after
/// long work.
Result<void> checkWritable(const std::string &path);

/// An input error "PATH: cannot ACTION: REASON", the reason from errno.
Error systemError(const std::string &path, const std::string &action);

} // namespace nova

#endif // NOVA_SUPPORT_FILE_H
