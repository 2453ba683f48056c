//===- Source.cpp - PTX text and errors in it -----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Source.h"

using namespace nova;
using namespace nova::emulator;

Source::Source(std::string name, std::string_view text) : fileName(std::move(name)), content(text) {
  starts.push_back(0);
  for (size_t i = 0; i < content.size(); ++i)
    if (content[i] == '\n')
      starts.push_back(i + 1);
}

std::string_view Source::line(uint32_t number) const {
  if (number == 0 || number > starts.size())
    return {};
  std::string_view rest = text().substr(starts[number - 1]);
  rest = rest.substr(0, rest.find('\n'));
  size_t first = rest.find_first_not_of(" \t\r"), last = rest.find_last_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view() : rest.substr(first, last - first + 1);
}

Error Source::error(const SyntaxError &error) const {
  // A line of a broken file may be anything; what is shown of it stays readable.
  std::string shown;
  for (char c : line(error.line).substr(0, 120))
    shown += c >= ' ' && c < 127 ? c : '?';
  return inputError(fileName + ":" + std::to_string(error.line) + ": " + error.message + ": '" + shown + "'");
}
