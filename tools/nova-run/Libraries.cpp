//===- Libraries.cpp - Libraries that nova-run opens ----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Libraries.h"

#include <filesystem>

using namespace nova;

Result<std::string> nova::findLibrary(const std::string &name, const std::string &what) {
  std::error_code error;
  std::filesystem::path home = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  std::string looked;
  for (const char *folder : {".", "../lib", "../" NOVA_INSTALL_LIBDIR}) {
    std::filesystem::path path = (home / folder / name).lexically_normal();
    if (std::filesystem::exists(path, error))
      return path.string();
    if (looked.find(path.string()) == std::string::npos)
      looked += (looked.empty() ? "" : ", ") + path.string();
  }
  return deviceError("expected " + what + " in one of " + looked + ", found none");
}
