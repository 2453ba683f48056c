//===- Syntax.h - A parsed PTX module ---------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names are not resolved here: that needs what follows them, and is the decoder's job. Strings point into the source.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_SYNTAX_H
#define NOVA_LIB_EMULATOR_SYNTAX_H

#include "Lexer.h"
#include "Types.h"

#include <map>

namespace nova::emulator {

struct Operand {
  enum class Kind : uint8_t {
    Name,    ///< a register, symbol, label or function, plus `offset`; negated after '!'
    Integer, ///< `bits`
    Float32, ///< `bits`
    Float64, ///< `bits`
    Address, ///< [name + offset], or [offset] with an empty name; `elements` are coordinates behind it
    Vector,  ///< {elements}
    Pair,    ///< elements[0] | elements[1]
    List,    ///< (elements), of a call
  };
  Kind kind = Kind::Name;
  bool isNegated = false;
  std::string_view name;
  int64_t offset = 0;
  uint64_t bits = 0;
  std::vector<Operand> elements;
};

struct Statement {
  uint32_t line = 0;
  uint32_t scope = 0;     ///< index into Function::scopes
  std::string_view guard; ///< empty without one
  bool isGuardNegated = false;
  std::string_view opcode; ///< with its modifiers
  std::vector<Operand> operands;
};

/// A word of an initial value that holds the address of something.
struct Relocation {
  uint64_t offset = 0; ///< in the variable
  std::string_view symbol;
  int64_t addend = 0;
};

struct Variable {
  std::string_view name;
  Space space = Space::Generic;
  Type type = Type::B32;
  uint64_t bytes = 0; ///< 0 for an array of open size
  uint64_t alignment = 1;
  bool isExtern = false;
  bool isRegister = false; ///< a parameter of a function in a register
  std::vector<uint8_t> initial;
  std::vector<Relocation> relocations;
  uint32_t line = 0;
};

/// One register, or `count` of them named with a number behind.
struct RegisterRange {
  Type type = Type::B32;
  uint64_t count = 0; ///< 0: a single one
};

/// What a pair of braces declares.
struct Scope {
  int32_t parent = -1;
  std::map<std::string_view, RegisterRange> registers;
  std::map<std::string_view, Variable> variables;
  std::map<std::string_view, uint32_t> labels; ///< index of the statement that follows
  std::map<std::string_view, std::vector<std::string_view>> branchTargets;
};

struct Function {
  std::string_view name;
  bool isEntry = false;
  bool isDefined = false;
  uint32_t line = 0;
  std::vector<Variable> results;
  std::vector<Variable> parameters;
  std::vector<Scope> scopes;
  std::vector<Statement> body;
  uint32_t requiredBlock[3] = {0, 0, 0}; ///< .reqntid; 0: none
  uint32_t maxThreads = 0;               ///< .maxntid as a product; 0: none
  uint32_t cluster[3] = {1, 1, 1};       ///< .reqnctapercluster
};

struct ModuleSyntax {
  std::string_view target; ///< "sm_89"
  std::vector<Variable> variables;
  std::vector<Function> functions;
};

/// Throws SyntaxError.
ModuleSyntax parseModule(const Source &source);

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_SYNTAX_H
