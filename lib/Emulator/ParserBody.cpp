//===- ParserBody.cpp - Function bodies -----------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace nova::emulator;

namespace {

class BodyParser {
public:
  BodyParser(TokenStream &in, Function &function) : in(in), function(function) {}

  void run() {
    in.expect('{');
    openScope(-1);
    while (current >= 0) {
      if (in.atEnd())
        in.failExpected("'}'");
      parseItem();
    }
  }

private:
  Scope &scope() { return function.scopes[static_cast<size_t>(current)]; }

  void openScope(int32_t parent) {
    current = static_cast<int32_t>(function.scopes.size());
    function.scopes.push_back({});
    scope().parent = parent;
  }

  void parseItem() {
    if (in.accept('{'))
      return openScope(current);
    if (in.accept('}')) {
      current = scope().parent;
      return;
    }
    if (in.accept(';'))
      return;
    const Token &token = in.peek();
    if (token.kind == Token::Kind::Word && token.text[0] == '.')
      return parseDeclaration();
    if (token.kind == Token::Kind::Word && in.peek(1).is(':'))
      return parseLabel();
    parseInstruction();
  }

  void parseLabel() {
    std::string_view name = in.expectName("a label");
    in.expect(':');
    if (in.peek().is(".branchtargets")) {
      in.next();
      std::vector<std::string_view> &targets = scope().branchTargets[name];
      do
        targets.push_back(in.expectName("a label"));
      while (in.accept(','));
      return in.expect(';');
    }
    if (in.peek().is(".callprototype") || in.peek().is(".calltargets")) {
      while (!in.peek().is(';') && !in.atEnd())
        in.next();
      return in.expect(';');
    }
    if (!scope().labels.emplace(name, static_cast<uint32_t>(function.body.size())).second)
      in.fail("expected a new label, found a second '" + std::string(name) + "'");
  }

  void parseDeclaration() {
    std::string_view word = in.next().text;
    if (word == ".loc" || word == ".file")
      return in.skipLine();
    if (word == ".pragma") {
      while (!in.peek().is(';') && !in.atEnd())
        in.next();
      return in.expect(';');
    }
    if (word == ".reg")
      return parseRegisters();
    bool isExtern = word == ".extern";
    if (isExtern)
      word = in.next().text;
    std::optional<Space> space = spaceFromDirective(word);
    if (!space)
      in.fail("unknown directive '" + std::string(word) + "'");
    std::vector<Variable> variables;
    parseVariables(in, *space, isExtern, variables);
    for (Variable &variable : variables)
      scope().variables[variable.name] = variable;
  }

  void parseRegisters() {
    std::string_view word = in.peek().text;
    std::optional<Type> type = in.peek().kind == Token::Kind::Word ? typeFromName(word.substr(1)) : std::nullopt;
    if (word.empty() || word[0] != '.' || !type)
      in.failExpected("a register type");
    if (bytesOf(*type) > 8)
      in.fail("expected registers of at most 64 bits, found '" + std::string(word) + "'");
    in.next();
    do {
      std::string_view name = in.expectName("a register");
      RegisterRange range{*type, 0};
      if (in.accept('<')) {
        range.count = in.expectSize("a number of registers");
        in.expect('>');
      }
      scope().registers[name] = range;
    } while (in.accept(','));
    in.expect(';');
  }

  void parseInstruction() {
    Statement statement;
    statement.line = in.peek().line;
    statement.scope = static_cast<uint32_t>(current);
    if (in.accept('@')) {
      statement.isGuardNegated = in.accept('!');
      statement.guard = in.expectName("a predicate");
      statement.line = in.peek().line;
    }
    statement.opcode = in.expectName("an instruction");
    while (!in.accept(';')) {
      statement.operands.push_back(parseOperand(4));
      if (!in.peek().is(';'))
        in.expect(',');
    }
    function.body.push_back(std::move(statement));
  }

  Operand parseOperand(unsigned depth) {
    if (depth == 0)
      in.fail("expected fewer brackets");
    if (in.peek().is('{') || in.peek().is('('))
      return parseGroup(in.peek().is('{'), depth);
    if (in.accept('['))
      return parseAddress(depth);
    Operand operand;
    operand.isNegated = in.accept('!');
    if (in.peek().kind == Token::Kind::Word && !in.peek().is("WARP_SZ")) {
      operand.name = in.expectName("an operand");
      if (in.peek().is('+') || in.peek().is('-'))
        operand.offset = in.expectInteger("an offset");
      if (in.accept('|')) {
        Operand pair;
        pair.kind = Operand::Kind::Pair;
        pair.elements = {operand, parseOperand(depth - 1)};
        return pair;
      }
      return operand;
    }
    parseNumber(operand);
    return operand;
  }

  void parseNumber(Operand &operand) {
    size_t ahead = in.peek().is('-') ? 1 : 0;
    if (in.peek(ahead).kind == Token::Kind::Number) {
      Literal literal = parseLiteral(in.peek(ahead));
      if (literal.kind != Literal::Kind::Integer) {
        bool isSingle = literal.kind == Literal::Kind::Float32;
        operand.kind = isSingle ? Operand::Kind::Float32 : Operand::Kind::Float64;
        operand.bits = literal.bits ^ (ahead ? (isSingle ? 0x80000000u : uint64_t(1) << 63) : 0);
        in.next();
        if (ahead)
          in.next();
        return;
      }
    }
    operand.kind = Operand::Kind::Integer;
    operand.bits = static_cast<uint64_t>(in.expectInteger("an operand"));
  }

  Operand parseGroup(bool isVector, unsigned depth) {
    Operand group;
    group.kind = isVector ? Operand::Kind::Vector : Operand::Kind::List;
    in.next();
    char close = isVector ? '}' : ')';
    while (!in.accept(close)) {
      group.elements.push_back(parseOperand(depth - 1));
      if (!in.peek().is(close))
        in.expect(',');
    }
    return group;
  }

  /// [name + offset], or with coordinates [name + offset, {x, y}].
  Operand parseAddress(unsigned depth) {
    Operand address;
    address.kind = Operand::Kind::Address;
    if (in.peek().kind == Token::Kind::Word && !in.peek().is("WARP_SZ")) {
      address.name = in.expectName("an address");
      if (in.peek().is('+') || in.peek().is('-'))
        address.offset = in.expectInteger("an offset");
    } else {
      address.offset = in.expectInteger("an address");
    }
    if (in.accept(',')) {
      Operand coordinates = parseOperand(depth - 1);
      if (coordinates.kind != Operand::Kind::Vector || coordinates.elements.empty())
        in.fail("expected coordinates in braces behind the address of a tensor map");
      address.elements = std::move(coordinates.elements);
    }
    in.expect(']');
    return address;
  }

  TokenStream &in;
  Function &function;
  int32_t current = -1;
};

} // namespace

void nova::emulator::parseBody(TokenStream &in, Function &function) { BodyParser(in, function).run(); }
