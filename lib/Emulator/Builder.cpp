//===- Builder.cpp - Modifiers and operands of an instruction -------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelDecoder.h"
#include "Lanes.h"
#include "Windows.h"

#include <algorithm>
#include <cstring>

using namespace nova::emulator;

Builder::Builder(KernelDecoder &decoder, const Statement &statement) : decoder(decoder), statement(statement) {
  std::string_view rest = statement.opcode;
  while (!rest.empty()) {
    size_t dot = rest.find('.');
    parts.push_back({rest.substr(0, dot)});
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
  }
  parts.front().isUsed = true;
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

bool Builder::take(std::string_view modifier) {
  for (Part &part : parts)
    if (!part.isUsed && part.text == modifier)
      return part.isUsed = true;
  if (decoder.log)
    decoder.log->optional.push_back(modifier);
  return false;
}

int Builder::takeOneOf(std::initializer_list<std::string_view> modifiers) {
  int index = 0;
  for (std::string_view modifier : modifiers) {
    if (take(modifier))
      return index;
    ++index;
  }
  return -1;
}

int Builder::expectOneOf(std::initializer_list<std::string_view> modifiers) {
  int index = takeOneOf(modifiers);
  if (index < 0)
    failExpected(modifiers);
  return index;
}

int Builder::expectOneOf(const std::vector<std::string_view> &modifiers) {
  for (Part &part : parts)
    if (auto found = std::find(modifiers.begin(), modifiers.end(), part.text);
        !part.isUsed && found != modifiers.end()) {
      part.isUsed = true;
      return static_cast<int>(found - modifiers.begin());
    }
  failExpected(modifiers);
}

void Builder::failExpected(const std::vector<std::string_view> &modifiers) {
  if (decoder.log)
    decoder.log->required = modifiers;
  std::string all;
  for (std::string_view modifier : modifiers)
    all += (all.empty() ? "." : ", .") + std::string(modifier);
  fail("unknown instruction '" + std::string(statement.opcode) + "': expected one of " + all);
}

std::optional<Type> Builder::takeTypeIfAny() {
  for (Part &part : parts)
    if (!part.isUsed)
      if (std::optional<Type> type = typeFromName(part.text)) {
        part.isUsed = true;
        return type;
      }
  if (decoder.log)
    decoder.log->optional.push_back("type");
  return std::nullopt;
}

Type Builder::takeType() {
  std::optional<Type> type = takeTypeIfAny();
  if (type)
    return *type;
  if (decoder.log)
    decoder.log->required = {"type"};
  fail("unknown instruction '" + std::string(statement.opcode) + "': expected a type");
}

void Builder::takeCacheHints() {
  takeOneOf({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  takeLevelHints();
}

void Builder::takeLevelHints() {
  for (Part &part : parts)
    part.isUsed |= part.text.substr(0, 4) == "L1::" || part.text.substr(0, 4) == "L2::";
}

void Builder::finishModifiers() {
  for (const Part &part : parts)
    if (!part.isUsed)
      fail("unknown instruction '" + std::string(statement.opcode) + "': modifier '." + std::string(part.text) +
           "' is not known here");
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void Builder::expectOperands(size_t min, size_t max) {
  size_t count = operandCount();
  if (count < min || count > max)
    fail("expected " + std::to_string(min) + (max == min ? "" : " to " + std::to_string(max)) + " operands, found " +
         std::to_string(count));
}

std::vector<Operand> Builder::elementsOf(const Operand &operand) {
  return operand.kind == Operand::Kind::Vector ? operand.elements : std::vector<Operand>{operand};
}

/// The bits of a literal as a value of a type.
static uint64_t literalBits(const Operand &operand, Type type) {
  bool isSingle = type == Type::F32, isDouble = type == Type::F64;
  float single;
  double number;
  uint32_t low = static_cast<uint32_t>(operand.bits);
  std::memcpy(&single, &low, sizeof(single));
  std::memcpy(&number, &operand.bits, sizeof(number));
  if (operand.kind == Operand::Kind::Integer && (isSingle || isDouble))
    number = static_cast<double>(static_cast<int64_t>(operand.bits));
  else if (operand.kind == Operand::Kind::Float32 && bytesOf(type) == 8)
    number = single;
  else if (operand.kind == Operand::Kind::Integer || operand.kind == Operand::Kind::Float32)
    return operand.bits;
  if (bytesOf(type) == 8) {
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof(bits));
    return bits;
  }
  single = static_cast<float>(number);
  std::memcpy(&low, &single, sizeof(low));
  return low;
}

Register Builder::anySource(const Operand &operand, Type type) {
  uint32_t bytes = bytesOf(type);
  switch (operand.kind) {
  case Operand::Kind::Integer:
  case Operand::Kind::Float32:
  case Operand::Kind::Float64:
    if (operand.kind != Operand::Kind::Integer && bytes < 4)
      fail("expected a 16-bit constant as an integer");
    return {decoder.constantSlot(literalBits(operand, type), bytes), type};
  case Operand::Kind::Name:
    break;
  default:
    fail("expected a register or a constant");
  }
  if (operand.isNegated)
    fail("expected a predicate after '!'");
  Symbol symbol = decoder.resolve(operand.name, statement.scope, statement.line);
  switch (symbol.kind) {
  case Symbol::Kind::Register:
    if (symbol.reg.type == Type::Pred || operand.offset)
      fail("expected a register of type ." + std::string(nameOf(type)) + ", found '" + std::string(operand.name) + "'");
    reads.push_back(symbol.reg.slot);
    return symbol.reg;
  case Symbol::Kind::Special:
    if (symbol.special == Special::Clock)
      fail("expected '" + std::string(operand.name) + "' only in mov");
    return {decoder.specialSlot(symbol.special, std::max(bytes, 2u)), type};
  case Symbol::Kind::Variable:
  case Symbol::Kind::Parameter: {
    if (bytes < 4)
      fail("expected 32 or 64 bits for the address of '" + std::string(operand.name) + "'");
    KernelDecoder::Address address = decoder.addressOf(symbol, statement.line);
    uint64_t value = address.value + static_cast<uint64_t>(operand.offset);
    return {decoder.constantSlot(value, bytes, address.isDynamicShared), type};
  }
  case Symbol::Kind::Function:
    fail("the address of function '" + std::string(operand.name) + "' is taken: expected direct calls");
  case Symbol::Kind::None:
    break;
  }
  fail("unknown name '" + std::string(operand.name) + "'");
}

uint32_t Builder::source(const Operand &operand, Type type) {
  Register found = anySource(operand, type);
  // 8-bit values live in 16-bit registers.
  if (std::max(bytesOf(found.type), 2u) != std::max(bytesOf(type), 2u))
    fail("expected a register of " + std::to_string(8 * bytesOf(type)) + " bits, found '" + std::string(operand.name) +
         "' of type ." + std::string(nameOf(found.type)));
  return found.slot;
}

Register Builder::anyDestination(const Operand &operand, Type type) {
  if (operand.kind != Operand::Kind::Name || operand.isNegated || operand.offset)
    fail("expected a register as destination");
  if (operand.name == "_")
    return {newSlot(bytesOf(type)), type};
  Symbol symbol = decoder.resolve(operand.name, statement.scope, statement.line);
  if (symbol.kind != Symbol::Kind::Register || symbol.reg.type == Type::Pred)
    fail("expected a register of type ." + std::string(nameOf(type)) + " as destination, found '" +
         std::string(operand.name) + "'");
  writes.push_back(symbol.reg.slot);
  return symbol.reg;
}

uint32_t Builder::destination(const Operand &operand, Type type) {
  Register found = anyDestination(operand, type);
  if (std::max(bytesOf(found.type), 2u) != std::max(bytesOf(type), 2u))
    fail("expected a register of " + std::to_string(8 * bytesOf(type)) + " bits as destination, found '" +
         std::string(operand.name) + "' of type ." + std::string(nameOf(found.type)));
  return found.slot;
}

bool Builder::isPredicate(const Operand &operand) const {
  if (operand.kind != Operand::Kind::Name || operand.name == "_")
    return false;
  Symbol symbol = decoder.resolve(operand.name, statement.scope, statement.line);
  return symbol.kind == Symbol::Kind::Register && symbol.reg.type == Type::Pred;
}

static void notPredicate(Warp &warp, const Instruction &instruction, uint32_t active) {
  setPredicate(warp, instruction.operands[0], ~warp.predicates[instruction.operands[1]], active);
}

static void constantPredicate(Warp &warp, const Instruction &instruction, uint32_t active) {
  setPredicate(warp, instruction.operands[0], instruction.flags ? kAllLanes : 0, active);
}

uint32_t Builder::sourcePredicate(const Operand &operand) {
  if (operand.kind == Operand::Kind::Integer) {
    Instruction constant;
    constant.execute = constantPredicate;
    constant.line = statement.line;
    constant.opcode = decoder.opcodeIndex("mov.pred");
    constant.flags = (operand.bits != 0) != operand.isNegated;
    constant.operands[0] = newPredicate();
    program().code.push_back(constant);
    return constant.operands[0];
  }
  if (!isPredicate(operand))
    fail("expected a predicate" +
         (operand.name.empty() ? std::string() : ", found '" + std::string(operand.name) + "'"));
  uint32_t index = decoder.resolve(operand.name, statement.scope, statement.line).reg.slot;
  if (!operand.isNegated)
    return index;
  Instruction negation;
  negation.execute = notPredicate;
  negation.line = statement.line;
  negation.opcode = decoder.opcodeIndex("not.pred");
  negation.operands[0] = newPredicate();
  negation.operands[1] = index;
  program().code.push_back(negation);
  return negation.operands[0];
}

uint32_t Builder::destinationPredicate(const Operand &operand) {
  if (operand.kind == Operand::Kind::Name && operand.name == "_")
    return newPredicate();
  if (!isPredicate(operand) || operand.isNegated)
    fail("expected a predicate as destination");
  return decoder.resolve(operand.name, statement.scope, statement.line).reg.slot;
}

uint64_t Builder::immediate(const Operand &operand, std::string_view what) {
  if (operand.kind != Operand::Kind::Integer)
    fail("expected a constant as " + std::string(what));
  return operand.bits;
}

uint32_t Builder::constant(uint64_t bits, uint32_t bytes) { return decoder.constantSlot(bits, bytes); }
uint32_t Builder::newSlot(uint32_t bytes) { return decoder.newSlot(bytes); }
uint32_t Builder::newPredicate() { return program().predicateCount++; }
uint32_t Builder::carryPredicate() {
  int32_t &carry = program().carryPredicate;
  return static_cast<uint32_t>(carry = carry < 0 ? static_cast<int32_t>(newPredicate()) : carry);
}
Program &Builder::program() { return *decoder.program; }
bool Builder::isInKernel() const { return decoder.isInKernel(); }

bool Builder::isClock(const Operand &operand) const {
  if (operand.kind != Operand::Kind::Name)
    return false;
  Symbol symbol = decoder.resolve(operand.name, statement.scope, statement.line);
  return symbol.kind == Symbol::Kind::Special && symbol.special == Special::Clock;
}

AddressOperand Builder::address(const Operand &operand, Space space) {
  if (operand.kind != Operand::Kind::Address)
    fail("expected an address in brackets");
  if (!operand.elements.empty())
    fail("expected an address without coordinates");
  AddressOperand result{space, 0, 8, operand.offset};
  if (operand.name.empty()) {
    result.slot = constant(0, 8);
    return result;
  }
  Symbol symbol = decoder.resolve(operand.name, statement.scope, statement.line);
  if (symbol.kind == Symbol::Kind::Register && symbol.reg.type != Type::Pred && bytesOf(symbol.reg.type) >= 4) {
    result.slot = symbol.reg.slot;
    decoder.valueUses.addUse(result.slot);
    result.bytes = bytesOf(symbol.reg.type);
    if (space == Space::Param && !isInKernel())
      result.space = Space::Local;
    return result;
  }
  if (symbol.kind != Symbol::Kind::Variable && symbol.kind != Symbol::Kind::Parameter)
    fail("expected an address in a register or a variable, found '" + std::string(operand.name) + "'");
  KernelDecoder::Address address = decoder.addressOf(symbol, statement.line);
  // Parameters of functions are memory of the thread, so .param becomes .local there; a constant is read as it lies.
  bool isSame = space == address.space || space == Space::Generic ||
                (space == Space::Param && symbol.variable->space == Space::Param);
  if (!isSame)
    fail("expected a variable in ." + std::string(nameOf(space)) + " memory, found '" + std::string(operand.name) +
         "' in ." + std::string(nameOf(address.space)));
  result.space = address.space;
  result.slot = decoder.constantSlot(address.value, 8, address.isDynamicShared);
  return result;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void Builder::branchTo(const Operand &label) {
  if (label.kind != Operand::Kind::Name || label.offset)
    fail("expected a label");
  out.control = Control::Branch;
  decoder.addBranch(label.name, statement.scope, statement.line);
}

void Builder::branchIndexed(const Operand &list) {
  if (list.kind != Operand::Kind::Name)
    fail("expected the name of a list of .branchtargets");
  out.control = Control::BranchIndexed;
  out.target = decoder.addTable(list.name, statement.scope, statement.line);
}

/// Tells what becomes of the registers that the instruction reads.
void Builder::noteUses() {
  decoder.valueUses.addInstruction(statement.opcode, reads, writes);
  decoder.registerUses.push_back({static_cast<uint32_t>(program().code.size()) - 1, reads, writes});
  // Structs are passed in .param arrays. Elsewhere a read of bytes that nothing wrote stays a fault in itself.
  if (statement.opcode.substr(0, 9) == "ld.param.")
    decoder.parameterLoads.push_back(static_cast<uint32_t>(program().code.size()) - 1);
}

void Builder::emit() {
  out.line = statement.line;
  out.opcode = decoder.opcodeIndex(statement.opcode);
  if (!statement.guard.empty()) {
    Operand guard;
    guard.name = statement.guard;
    if (!isPredicate(guard))
      fail("expected a predicate as guard, found '" + std::string(statement.guard) + "'");
    out.guard = static_cast<int32_t>(decoder.resolve(statement.guard, statement.scope, statement.line).reg.slot);
    out.isGuardNegated = statement.isGuardNegated;
  }
  program().code.push_back(out);
  out = Instruction();
}
