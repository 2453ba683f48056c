//===- Lexer.h - Tokens of PTX ----------------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_LEXER_H
#define NOVA_LIB_EMULATOR_LEXER_H

#include "Source.h"

namespace nova::emulator {

struct Token {
  enum class Kind : uint8_t {
    End,
    Word,   ///< a name, a directive or an opcode with its modifiers: "%r1", ".reg", "ld.global.L1::evict_first.b32"
    Number, ///< as written: "12", "0x1F", "0f3F800000", "1.5e-3"
    String, ///< without the quotes
    Punctuation, ///< one character
  };
  Kind kind = Kind::End;
  std::string_view text;
  uint32_t line = 0;

  bool is(char c) const { return kind == Kind::Punctuation && text[0] == c; }
  bool is(std::string_view word) const { return kind == Kind::Word && text == word; }
};

/// All tokens, comments left out, an End at the end. Throws SyntaxError.
std::vector<Token> tokenize(const Source &source);

/// A numeric literal of PTX.
struct Literal {
  enum class Kind : uint8_t { Integer, Float32, Float64 };
  Kind kind = Kind::Integer;
  uint64_t bits = 0; ///< the integer, or the bits of the float
};

Literal parseLiteral(const Token &token);

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_LEXER_H
