//===- Parser.h - From tokens to syntax -------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_PARSER_H
#define NOVA_LIB_EMULATOR_PARSER_H

#include "Syntax.h"

namespace nova::emulator {

/// The tokens of a module, with what both parts of the parser need.
class TokenStream {
public:
  explicit TokenStream(std::vector<Token> tokens) : tokens(std::move(tokens)) {}

  const Token &peek(size_t ahead = 0) const { return tokens[std::min(position + ahead, tokens.size() - 1)]; }
  Token next() {
    Token token = peek();
    position += position + 1 < tokens.size();
    return token;
  }
  bool accept(char c) { return peek().is(c) && (next(), true); }
  bool accept(std::string_view word) { return peek().is(word) && (next(), true); }
  bool atEnd() const { return peek().kind == Token::Kind::End; }

  void expect(char c);
  std::string_view expectName(std::string_view what);
  /// An integer, perhaps as an expression of constants: "4*(2+1)", "-1".
  int64_t expectInteger(std::string_view what);
  uint64_t expectSize(std::string_view what);
  void skipLine();   ///< the rest of the current line
  void skipBraces(); ///< a pair of braces with everything in it

  [[noreturn]] void fail(const std::string &message) const { throw SyntaxError{peek().line, message}; }
  [[noreturn]] void failExpected(std::string_view what) const;

private:
  int64_t parseSum(unsigned depth);
  int64_t parseProduct(unsigned depth);
  int64_t parseUnary(unsigned depth);

  std::vector<Token> tokens;
  size_t position = 0;
};

/// Declarations of variables: "[.align 8] .b8 name[16] = {...}" after its space. Appends to `out`.
void parseVariables(TokenStream &in, Space space, bool isExtern, std::vector<Variable> &out);
/// "(.param .b64 a, .reg .b32 b)".
std::vector<Variable> parseParameters(TokenStream &in);
/// Parses a body from the opening brace to the closing one.
void parseBody(TokenStream &in, Function &function);
std::optional<Space> spaceFromDirective(std::string_view word);

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_PARSER_H
