//===- AppendedFile.cpp - Files that grow record by record ----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AppendedFile.h"

#include "Nova/Support/File.h"

#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

using namespace nova;

Result<void> nova::appendWhole(int descriptor, const std::string &path, std::string_view record) {
  for (size_t done = 0; done < record.size();) {
    ssize_t written = ::write(descriptor, record.data() + done, record.size() - done);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0) {
      Error error = systemError(path, "write");
      struct stat info;
      if (fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode))
        (void)!ftruncate(descriptor, info.st_size - static_cast<off_t>(done));
      return error;
    }
    done += static_cast<size_t>(written);
  }
  return {};
}
