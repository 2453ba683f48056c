//===- PrivateFolder.cpp - Folders that only their user can write ---------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/PrivateFolder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace nova;

static Error folderError(const std::string &path, const std::string &problem) {
  return deviceError(path + ": " + problem);
}

Result<void> nova::ensurePrivateFolder(const std::string &path) {
  std::error_code error;
  std::filesystem::path parent = std::filesystem::path(path).parent_path();
  if (!parent.empty())
    std::filesystem::create_directories(parent, error);
  if (error || (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST))
    return folderError(path, std::string("cannot make the folder: ") + (error ? error.message() : strerror(errno)));
  struct stat info;
  if (stat(path.c_str(), &info) != 0)
    return folderError(path, std::string("cannot look at the folder: ") + strerror(errno));
  if (!S_ISDIR(info.st_mode))
    return folderError(path, "expected a folder, found a file");
  if (info.st_uid != geteuid())
    return folderError(path, "expected a folder of user " + std::to_string(geteuid()) + ", found one of user " +
                                 std::to_string(info.st_uid) + "; kernels are only loaded from folders of your own");
  if (info.st_mode & (S_IWGRP | S_IWOTH))
    return folderError(path, "expected a folder that only its owner can write; use chmod go-w, as kernels are loaded "
                             "from it");
  return {};
}

Result<TemporaryFolder> TemporaryFolder::create() {
  const char *base = std::getenv("TMPDIR");
  std::string pattern = std::string(base && *base ? base : "/tmp") + "/nova-XXXXXX";
  if (!mkdtemp(pattern.data()))
    return folderError(pattern, std::string("cannot make a temporary folder: ") + strerror(errno) + "; set TMPDIR");
  TemporaryFolder folder;
  folder.folder = pattern;
  return folder;
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&other) noexcept
    : folder(std::exchange(other.folder, std::string())) {}

TemporaryFolder &TemporaryFolder::operator=(TemporaryFolder &&other) noexcept {
  std::swap(folder, other.folder);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!folder.empty())
    std::filesystem::remove_all(folder, ignored);
}
