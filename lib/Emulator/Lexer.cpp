//===- Lexer.cpp - Tokens of PTX ------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace nova::emulator;

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
static bool isWordPart(char c) { return isLetter(c) || isDigit(c) || c == '.'; }

namespace {

class Lexer {
public:
  explicit Lexer(const Source &source) : text(source.text()) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    while (skipSpace())
      tokens.push_back(next());
    tokens.push_back({Token::Kind::End, {}, line});
    return tokens;
  }

private:
  char at(size_t offset) const { return position + offset < text.size() ? text[position + offset] : '\0'; }

  /// Moves to the next token; false at the end.
  bool skipSpace() {
    while (position < text.size()) {
      char c = text[position];
      if (c == '/' && at(1) == '/') {
        position = std::min(text.find('\n', position), text.size());
      } else if (c == '/' && at(1) == '*') {
        size_t end = text.find("*/", position + 2);
        if (end == std::string_view::npos)
          throw SyntaxError{line, "expected '*/', found the end of the file"};
        for (size_t i = position; i < end; ++i)
          line += text[i] == '\n';
        position = end + 2;
      } else if (c == '\n' || c == ' ' || c == '\t' || c == '\r') {
        line += c == '\n';
        ++position;
      } else {
        return true;
      }
    }
    return false;
  }

  Token take(Token::Kind kind, size_t length) {
    Token token{kind, text.substr(position, length), line};
    position += length;
    return token;
  }

  Token next() {
    char c = text[position];
    if (isLetter(c) || (c == '.' && isLetter(at(1))))
      return take(Token::Kind::Word, wordLength());
    if (isDigit(c))
      return take(Token::Kind::Number, numberLength());
    if (c == '"')
      return string();
    if (std::strchr("()[]{}<>,;:=+-*/%~!&|^@?", c) && c)
      return take(Token::Kind::Punctuation, 1);
    throw SyntaxError{line, "unexpected character"};
  }

  /// After these a type may stand without a space: ".reg.b16 h".
  static bool isDeclaration(std::string_view word) {
    for (std::string_view directive : {".reg", ".param", ".local", ".shared", ".global", ".const"})
      if (word == directive)
        return true;
    return false;
  }

  /// A modifier may have a namespace: "shared::cta", "L2::128B".
  size_t wordLength() const {
    size_t length = 1;
    for (;; ++length) {
      if (at(length) == '.' && isDeclaration(text.substr(position, length)))
        return length;
      if (at(length) == ':' && at(length + 1) == ':' && isWordPart(at(length + 2)))
        ++length;
      else if (!isWordPart(at(length)))
        return length;
    }
  }

  size_t numberLength() const {
    bool isHex = at(0) == '0' && std::strchr("xXfFdD", at(1)) && at(1);
    size_t length = 1;
    for (;; ++length) {
      bool isExponent =
          !isHex && (at(length) == '+' || at(length) == '-') && (at(length - 1) == 'e' || at(length - 1) == 'E');
      if (!isExponent && !isDigit(at(length)) && !(isLetter(at(length)) && at(length) != '%') && at(length) != '.')
        return length;
    }
  }

  Token string() {
    size_t end = text.find('"', position + 1);
    if (end == std::string_view::npos || text.substr(position, end - position).find('\n') != std::string_view::npos)
      throw SyntaxError{line, "expected '\"' at the end of the string"};
    Token token{Token::Kind::String, text.substr(position + 1, end - position - 1), line};
    position = end + 1;
    return token;
  }

  std::string_view text;
  size_t position = 0;
  uint32_t line = 1;
};

} // namespace

std::vector<Token> nova::emulator::tokenize(const Source &source) { return Lexer(source).run(); }

Literal nova::emulator::parseLiteral(const Token &token) {
  std::string text(token.text);
  auto isBad = [&](const char *end) { return *end || end == text.c_str(); };
  char *end = nullptr;
  char second = text.size() > 1 ? text[1] : '\0';
  if (text[0] == '0' && (second == 'f' || second == 'F' || second == 'd' || second == 'D')) {
    bool isSingle = second == 'f' || second == 'F';
    uint64_t bits = std::strtoull(text.c_str() + 2, &end, 16);
    if (*end || text.size() != (isSingle ? 10u : 18u))
      throw SyntaxError{token.line, "expected 0f and 8, or 0d and 16 hexadecimal digits, found '" + text + "'"};
    return {isSingle ? Literal::Kind::Float32 : Literal::Kind::Float64, bits};
  }
  bool isHex = second == 'x' || second == 'X';
  if (!isHex && text.find_first_of(".eE") != std::string::npos) {
    double value = std::strtod(text.c_str(), &end);
    if (isBad(end))
      throw SyntaxError{token.line, "expected a number, found '" + text + "'"};
    Literal literal{Literal::Kind::Float64, 0};
    std::memcpy(&literal.bits, &value, sizeof(value));
    return literal;
  }
  if (!text.empty() && (text.back() == 'U' || text.back() == 'u'))
    text.pop_back();
  bool isBinary = text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
  uint64_t bits = isBinary ? std::strtoull(text.c_str() + 2, &end, 2) : std::strtoull(text.c_str(), &end, 0);
  if (isBad(end))
    throw SyntaxError{token.line, "expected a number, found '" + text + "'"};
  return {Literal::Kind::Integer, bits};
}
