//===- TokenStream.cpp - Reading tokens and constant expressions ----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace nova::emulator;

void TokenStream::failExpected(std::string_view what) const {
  fail("expected " + std::string(what) + ", found " +
       (atEnd() ? std::string("the end of the file") : "'" + std::string(peek().text) + "'"));
}

void TokenStream::expect(char c) {
  if (!accept(c))
    failExpected(std::string("'") + c + "'");
}

std::string_view TokenStream::expectName(std::string_view what) {
  if (peek().kind != Token::Kind::Word || peek().text[0] == '.')
    failExpected(what);
  return next().text;
}

/// Deeper expressions than anyone writes are refused, so that no input overflows the stack.
static constexpr unsigned kDeepest = 64;

// Wraps around as ptxas does: arithmetic on 64 bits.
int64_t TokenStream::parseSum(unsigned depth) {
  uint64_t value = static_cast<uint64_t>(parseProduct(depth));
  while (peek().is('+') || peek().is('-')) {
    bool isMinus = next().is('-');
    uint64_t other = static_cast<uint64_t>(parseProduct(depth));
    value = isMinus ? value - other : value + other;
  }
  return static_cast<int64_t>(value);
}

int64_t TokenStream::parseProduct(unsigned depth) {
  uint64_t value = static_cast<uint64_t>(parseUnary(depth));
  while (accept('*'))
    value *= static_cast<uint64_t>(parseUnary(depth));
  return static_cast<int64_t>(value);
}

int64_t TokenStream::parseUnary(unsigned depth) {
  if (depth == 0)
    fail("expected a shallower expression");
  if (accept('-'))
    return static_cast<int64_t>(-static_cast<uint64_t>(parseUnary(depth - 1)));
  if (accept('+'))
    return parseUnary(depth - 1);
  if (accept('~'))
    return ~parseUnary(depth - 1);
  if (accept('(')) {
    int64_t value = parseSum(depth - 1);
    expect(')');
    return value;
  }
  if (accept("WARP_SZ"))
    return 32;
  if (peek().kind != Token::Kind::Number)
    failExpected("a number");
  Literal literal = parseLiteral(peek());
  if (literal.kind != Literal::Kind::Integer)
    failExpected("an integer");
  next();
  return static_cast<int64_t>(literal.bits);
}

int64_t TokenStream::expectInteger(std::string_view what) {
  if (peek().kind != Token::Kind::Number && !peek().is('-') && !peek().is('+') && !peek().is('(') && !peek().is('~') &&
      !peek().is("WARP_SZ"))
    failExpected(what);
  return parseSum(kDeepest);
}

uint64_t TokenStream::expectSize(std::string_view what) {
  int64_t value = expectInteger(what);
  if (value < 0 || value > (int64_t(1) << 40))
    fail("expected " + std::string(what) + " from 0 to 2^40, found " + std::to_string(value));
  return static_cast<uint64_t>(value);
}

void TokenStream::skipLine() {
  uint32_t line = peek().line;
  while (!atEnd() && peek().line == line)
    next();
}

void TokenStream::skipBraces() {
  expect('{');
  for (unsigned depth = 1; depth > 0;) {
    if (atEnd())
      failExpected("'}'");
    Token token = next();
    depth += token.is('{');
    depth -= token.is('}');
  }
}
