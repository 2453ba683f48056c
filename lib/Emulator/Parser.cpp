//===- Parser.cpp - Modules and functions ---------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "Nova/Support/CheckedMath.h"

#include <algorithm>

using namespace nova;
using namespace nova::emulator;

std::optional<Space> nova::emulator::spaceFromDirective(std::string_view word) {
  if (word == ".global")
    return Space::Global;
  if (word == ".shared" || word == ".shared::cta")
    return Space::Shared;
  if (word == ".local")
    return Space::Local;
  if (word == ".const")
    return Space::Const;
  if (word == ".param")
    return Space::Param;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static void appendBytes(Variable &variable, uint64_t bits, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i)
    variable.initial.push_back(static_cast<uint8_t>(bits >> (8 * i)));
}

static uint64_t convertInitial(const TokenStream &in, const Literal &literal, bool isNegative, Type type) {
  bool isSingle = type == Type::F32, isDouble = type == Type::F64;
  if (!isSingle && !isDouble) {
    if (literal.kind != Literal::Kind::Integer && bytesOf(type) != (literal.kind == Literal::Kind::Float32 ? 4u : 8u))
      in.fail("expected an integer as initial value of ." + std::string(nameOf(type)));
    return isNegative ? -literal.bits : literal.bits;
  }
  double value = 0;
  float single = 0;
  uint32_t low = static_cast<uint32_t>(literal.bits);
  if (literal.kind == Literal::Kind::Integer)
    value = static_cast<double>(static_cast<int64_t>(literal.bits));
  else if (literal.kind == Literal::Kind::Float32)
    value = (__builtin_memcpy(&single, &low, 4), single);
  else
    __builtin_memcpy(&value, &literal.bits, 8);
  value = isNegative ? -value : value;
  if (isSingle && literal.kind == Literal::Kind::Float32)
    return isNegative ? literal.bits ^ 0x80000000u : literal.bits;
  uint64_t bits = 0;
  if (isSingle) {
    single = static_cast<float>(value);
    __builtin_memcpy(&bits, &single, 4);
  } else {
    __builtin_memcpy(&bits, &value, 8);
  }
  return bits;
}

/// One initial value: a number, a symbol with an offset, or generic(symbol).
static void parseInitialElement(TokenStream &in, Variable &variable, uint32_t bytes) {
  if (in.peek().kind == Token::Kind::Word) {
    bool isGeneric = in.accept("generic") && (in.expect('('), true);
    Relocation relocation{variable.initial.size(), in.expectName("a symbol or a number"), 0};
    if (isGeneric)
      in.expect(')');
    if (in.peek().is('+') || in.peek().is('-'))
      relocation.addend = in.expectInteger("an offset");
    if (bytes != 8 && bytes != 4)
      in.fail("expected 4 or 8 bytes for the address of '" + std::string(relocation.symbol) + "'");
    variable.relocations.push_back(relocation);
    return appendBytes(variable, 0, bytes);
  }
  const Token &token = in.peek();
  bool isFloat = token.kind == Token::Kind::Number && parseLiteral(token).kind != Literal::Kind::Integer;
  bool isNegativeFloat = token.is('-') && in.peek(1).kind == Token::Kind::Number &&
                         parseLiteral(in.peek(1)).kind != Literal::Kind::Integer;
  if (isFloat || isNegativeFloat) {
    if (isNegativeFloat)
      in.next();
    Literal literal = parseLiteral(in.next());
    return appendBytes(variable, convertInitial(in, literal, isNegativeFloat, variable.type), bytes);
  }
  Literal literal{Literal::Kind::Integer, static_cast<uint64_t>(in.expectInteger("an initial value"))};
  appendBytes(variable, convertInitial(in, literal, false, variable.type), bytes);
}

static void parseInitialList(TokenStream &in, Variable &variable, uint32_t bytes, unsigned depth) {
  if (!in.accept('{'))
    return parseInitialElement(in, variable, bytes);
  if (depth == 0)
    in.fail("expected fewer braces");
  while (!in.accept('}')) {
    parseInitialList(in, variable, bytes, depth - 1);
    if (!in.peek().is('}'))
      in.expect(',');
    if (variable.bytes && variable.initial.size() > variable.bytes)
      in.fail("expected at most " + std::to_string(variable.bytes) + " bytes of initial values");
  }
}

/// What stands between the space and the name: ".align 16 .v2 .b32". `vector` is the number of elements.
static Type parseVariableType(TokenStream &in, uint64_t &alignment, uint64_t &vector) {
  std::optional<Type> type;
  while (in.peek().kind == Token::Kind::Word && in.peek().text[0] == '.') {
    std::string_view word = in.peek().text;
    if (word == ".align" || word == ".ptr" || spaceFromDirective(word)) {
      // A pointer parameter says where it points and how aligned: ".u64 .ptr .global .align 16 name".
      in.next();
      if (word == ".align") {
        uint64_t value = in.expectSize("an alignment");
        if (!value || (value & (value - 1)) || value > 4096)
          in.fail("expected a power of two up to 4096 as alignment, found " + std::to_string(value));
        alignment = type ? alignment : value;
      }
    } else if (word == ".attribute") {
      in.next();
      in.expect('(');
      while (!in.accept(')')) {
        if (in.atEnd())
          in.failExpected("')'");
        in.next();
      }
    } else if (word == ".v2" || word == ".v4") {
      in.next();
      vector = word == ".v2" ? 2 : 4;
    } else {
      type = typeFromName(word.substr(1));
      if (!type)
        in.failExpected("a type");
      in.next();
    }
  }
  if (!type)
    in.failExpected("a type");
  return *type;
}

static Variable parseVariable(TokenStream &in, Space space, Type type, uint64_t alignment, uint64_t vector) {
  Variable variable;
  variable.line = in.peek().line;
  variable.name = in.expectName("a name");
  variable.space = space;
  variable.type = type;
  uint64_t element = std::max<uint64_t>(bytesOf(type), 1) * vector;
  variable.alignment = std::max(alignment, element);
  variable.bytes = element;
  while (in.accept('[')) {
    uint64_t extent = in.peek().is(']') ? 0 : in.expectSize("a number of elements");
    std::optional<uint64_t> bytes = checkedMul(variable.bytes, extent);
    if (!bytes || *bytes > (uint64_t(1) << 40))
      in.fail("expected at most 2^40 bytes");
    variable.bytes = *bytes;
    in.expect(']');
    variable.alignment = std::max(alignment, element);
  }
  if (in.accept('=')) {
    parseInitialList(in, variable, std::max(bytesOf(type), 1u), 8);
    if (!variable.bytes)
      variable.bytes = variable.initial.size();
    if (variable.initial.size() > variable.bytes)
      in.fail("expected at most " + std::to_string(variable.bytes) + " bytes of initial values");
  }
  return variable;
}

void nova::emulator::parseVariables(TokenStream &in, Space space, bool isExtern, std::vector<Variable> &out) {
  uint64_t alignment = 1, vector = 1;
  Type type = parseVariableType(in, alignment, vector);
  do {
    out.push_back(parseVariable(in, space, type, alignment, vector));
    out.back().isExtern = isExtern;
  } while (in.accept(','));
  in.expect(';');
}

std::vector<Variable> nova::emulator::parseParameters(TokenStream &in) {
  std::vector<Variable> parameters;
  in.expect('(');
  while (!in.accept(')')) {
    bool isRegister = in.accept(".reg");
    if (!isRegister && !in.accept(".param"))
      in.failExpected("'.param'");
    uint64_t alignment = 1, vector = 1;
    Type type = parseVariableType(in, alignment, vector);
    parameters.push_back(parseVariable(in, Space::Param, type, alignment, vector));
    parameters.back().isRegister = isRegister;
    if (!in.peek().is(')'))
      in.expect(',');
  }
  return parameters;
}

//===----------------------------------------------------------------------===//
// Functions and modules
//===----------------------------------------------------------------------===//

static void parseDirective(TokenStream &in, Function &function) {
  std::string_view word = in.next().text;
  if (word == ".noreturn" || word == ".explicitcluster" || word == ".unique" || word == ".blocksareclusters")
    return;
  if (word == ".pragma") {
    while (!in.peek().is(';') && !in.atEnd())
      in.next();
    return in.expect(';');
  }
  if (word != ".maxntid" && word != ".reqntid" && word != ".minnctapersm" && word != ".maxnreg" &&
      word != ".maxnctapersm" && word != ".maxclusterrank" && word != ".reqnctapercluster" && word != ".abi_preserve" &&
      word != ".abi_preserve_control")
    in.fail("unknown directive '" + std::string(word) + "'");
  uint32_t values[3] = {1, 1, 1};
  for (uint32_t &value : values) {
    value = static_cast<uint32_t>(std::min<uint64_t>(in.expectSize("a number"), UINT32_MAX));
    if (!in.accept(','))
      break;
  }
  if (word == ".reqntid")
    std::copy(values, values + 3, function.requiredBlock);
  if (word == ".reqnctapercluster")
    std::copy(values, values + 3, function.cluster);
  if (word == ".maxntid")
    function.maxThreads = static_cast<uint32_t>(
        std::min<uint64_t>(UINT32_MAX, uint64_t(values[0]) * std::min(values[1], 1024u) * std::min(values[2], 1024u)));
}

static Function parseFunction(TokenStream &in, bool isEntry) {
  Function function;
  function.isEntry = isEntry;
  function.line = in.peek().line;
  if (!isEntry && in.peek().is('('))
    function.results = parseParameters(in);
  function.name = in.expectName("a name");
  if (in.peek().is('('))
    function.parameters = parseParameters(in);
  while (in.peek().kind == Token::Kind::Word)
    parseDirective(in, function);
  if (in.accept(';'))
    return function;
  function.isDefined = true;
  parseBody(in, function);
  return function;
}

ModuleSyntax nova::emulator::parseModule(const Source &source) {
  TokenStream in(tokenize(source));
  ModuleSyntax module;
  if (!in.accept(".version"))
    in.failExpected("'.version' at the start of PTX text");
  if (in.next().kind != Token::Kind::Number)
    in.fail("expected a version such as 8.0");
  bool isExtern = false;
  while (!in.atEnd()) {
    if (in.peek().kind != Token::Kind::Word || in.peek().text[0] != '.')
      in.failExpected("a directive");
    std::string_view word = in.next().text;
    if (word == ".target") {
      module.target = in.expectName("a target such as sm_89");
      while (in.accept(','))
        in.expectName("a target's option");
    } else if (word == ".address_size") {
      if (in.expectInteger("an address size") != 64)
        in.fail("expected an address size of 64");
    } else if (word == ".file" || word == ".loc") {
      in.skipLine();
    } else if (word == ".section") {
      while (!in.peek().is('{') && !in.atEnd())
        in.next();
      in.skipBraces();
    } else if (word == ".pragma" || word == ".alias") {
      while (!in.peek().is(';') && !in.atEnd())
        in.next();
      in.expect(';');
    } else if (word == ".visible" || word == ".weak" || word == ".extern" || word == ".common") {
      isExtern = word == ".extern";
      continue;
    } else if (word == ".entry" || word == ".func") {
      module.functions.push_back(parseFunction(in, word == ".entry"));
    } else if (std::optional<Space> space = spaceFromDirective(word); space && *space != Space::Param) {
      parseVariables(in, *space, isExtern, module.variables);
    } else {
      in.fail("unknown directive '" + std::string(word) + "'");
    }
    isExtern = false;
  }
  return module;
}
