//===- TempFolder.h - A folder for the files of one test --------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TEST_UNIT_TEMPFOLDER_H
#define NOVA_TEST_UNIT_TEMPFOLDER_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/// A new private folder, removed with everything in it at the end.
class TempFolder {
public:
  TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "nova-test-XXXXXX").string();
    root = mkdtemp(pattern.data());
  }
  ~TempFolder() { std::filesystem::remove_all(root); }

  std::string path(const std::string &name) const { return root + "/" + name; }

  std::string write(const std::string &name, const std::string &bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string read(const std::string &name) const {
    std::ostringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    return text.str();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto &entry : std::filesystem::directory_iterator(root))
      found.push_back(entry.path().filename().string());
    return found;
  }

  std::string root;
};

#endif // NOVA_TEST_UNIT_TEMPFOLDER_H
