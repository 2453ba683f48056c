//===- Source.h - PTX text and errors in it ---------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_SOURCE_H
#define NOVA_LIB_EMULATOR_SOURCE_H

#include "Nova/Support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nova::emulator {

/// Thrown by the lexer, the parser and the decoder; `loadModule` catches it and adds the file and the line's text.
struct SyntaxError {
  uint32_t line;
  std::string message;
};

/// The text of a module with its lines. Syntax trees point into it.
class Source {
public:
  Source(std::string name, std::string_view text);

  const std::string &name() const { return fileName; }
  std::string_view text() const { return content; }
  /// Without surrounding space; lines count from 1.
  std::string_view line(uint32_t number) const;
  /// "FILE:LINE: message: 'text of the line'".
  Error error(const SyntaxError &error) const;

private:
  std::string fileName;
  std::string content;
  std::vector<size_t> starts;
};

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_SOURCE_H
