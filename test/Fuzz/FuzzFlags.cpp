//===- FuzzFlags.cpp - Any lines as the flags of nova-run -----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include <iostream>
#include <sstream>

using namespace nova;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // What is said of the flags is not of interest here.
  static std::ostringstream said;
  static const bool quiet = (std::cout.rdbuf(said.rdbuf()), std::cerr.rdbuf(said.rdbuf()), true);
  (void)quiet;
  said.str("");
  std::vector<std::string> arguments{"nova-run"};
  std::istringstream lines(std::string(reinterpret_cast<const char *>(data), size));
  for (std::string line; std::getline(lines, line);)
    arguments.push_back(line.c_str()); // up to a zero byte, as a process gets them
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  std::variant<Options, int> result = parseOptions(static_cast<int>(arguments.size()), pointers.data());
  // An answer is an exit code of the contract.
  if (const int *code = std::get_if<int>(&result); code && *code != 0 && *code != 2)
    __builtin_trap();
  return 0;
}
