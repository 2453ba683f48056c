//===- Decoder.h - From syntax to a program ---------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_DECODER_H
#define NOVA_LIB_EMULATOR_DECODER_H

#include "Program.h"
#include "Syntax.h"

#include <functional>
#include <initializer_list>
#include <unordered_map>

namespace nova::emulator {

/// A module's functions and variables by name, while it is decoded.
struct ModuleSymbols {
  const ModuleSyntax *syntax = nullptr;
  std::unordered_map<std::string_view, const Function *> functions;
  std::unordered_map<std::string_view, const Variable *> variables;
  /// Addresses of .global and .const variables.
  std::unordered_map<std::string_view, uint64_t> addresses;
};

/// Modifiers that instructions asked for and did not have, in the order of asking. "type" stands for any type. From it
/// follows, one modifier after the other, every form that an instruction has.
struct ModifierLog {
  std::vector<std::string_view> optional;
  std::vector<std::string_view> required; ///< without one of these there is no such instruction
};

/// Decodes a kernel with the functions that it calls. Throws SyntaxError.
std::unique_ptr<Program> decodeKernel(const ModuleSymbols &symbols, const Function &kernel,
                                      std::shared_ptr<const Source> source, ModifierLog *log = nullptr);

/// The first words of all instructions.
std::vector<std::string_view> instructionNames();

/// A register as an operand.
struct Register {
  uint32_t slot = 0;
  Type type = Type::B32;
};

class KernelDecoder;
struct SystemCall;

/// One instruction while it is decoded: its modifiers and operands, which must all be used, and what becomes of it.
class Builder {
public:
  Builder(KernelDecoder &decoder, const Statement &statement);

  Instruction out;

  std::string_view name() const { return parts.front().text; }
  /// Uses up a modifier; whether it was there.
  bool take(std::string_view modifier);
  /// Uses up one of the modifiers: its place in the list, or -1.
  int takeOneOf(std::initializer_list<std::string_view> modifiers);
  int expectOneOf(std::initializer_list<std::string_view> modifiers);
  int expectOneOf(const std::vector<std::string_view> &modifiers);
  /// Uses up the first modifier that is a type.
  Type takeType();
  std::optional<Type> takeTypeIfAny();
  /// Uses up hints for caches, which change no value: operators, and .L2::128B and the like.
  void takeCacheHints();
  void takeLevelHints();
  /// Uses up who is to see an access, .gpu and the like: here everybody sees each at once.
  void takeScope() { takeOneOf({"cta", "cluster", "gpu", "sys"}); }
  /// Every modifier that no one used is an error.
  void finishModifiers();

  size_t operandCount() const { return statement.operands.size(); }
  void expectOperands(size_t min, size_t max);
  void expectOperands(size_t count) { expectOperands(count, count); }
  const Operand &operand(size_t index) const { return statement.operands[index]; }
  /// The elements of a vector, or the operand alone.
  static std::vector<Operand> elementsOf(const Operand &operand);

  /// A slot whose lanes hold values of the type: a register of its size, a special register or a constant.
  uint32_t source(const Operand &operand, Type type);
  uint32_t source(size_t index, Type type) { return source(operand(index), type); }
  /// A register of any size, or a constant of the given one.
  Register anySource(const Operand &operand, Type type);
  uint32_t destination(const Operand &operand, Type type);
  uint32_t destination(size_t index, Type type) { return destination(operand(index), type); }
  /// A register of any size; `_` gives one of the given size that nobody reads.
  Register anyDestination(const Operand &operand, Type type);
  /// Index of a predicate; a negated one is computed first.
  uint32_t sourcePredicate(const Operand &operand);
  uint32_t sourcePredicate(size_t index) { return sourcePredicate(operand(index)); }
  uint32_t destinationPredicate(const Operand &operand);
  uint32_t destinationPredicate(size_t index) { return destinationPredicate(operand(index)); }
  bool isPredicate(const Operand &operand) const;
  /// A constant integer.
  uint64_t immediate(const Operand &operand, std::string_view what);
  uint32_t constant(uint64_t bits, uint32_t bytes);
  AddressOperand address(const Operand &operand, Space space);
  /// A special register that must be read by each instruction anew.
  bool isClock(const Operand &operand) const;
  uint32_t newSlot(uint32_t bytes);
  uint32_t newPredicate();
  uint32_t carryPredicate();

  // Control flow.
  void branchTo(const Operand &label);
  void branchIndexed(const Operand &list);
  void call();

  /// Appends `out` and begins another instruction in its place, under the same guard.
  void emit();
  Program &program();
  bool isInKernel() const;

  [[noreturn]] void fail(const std::string &message) const { throw SyntaxError{statement.line, message}; }

private:
  friend class KernelDecoder;
  void noteUses();
  [[noreturn]] void failExpected(const std::vector<std::string_view> &modifiers);
  uint32_t parameterAddress(const Operand &own, uint64_t bytes, std::string_view callee);
  void callSystem(const SystemCall &callee, const std::vector<Operand> &results, const std::vector<Operand> &arguments);
  void copyParameter(const Operand &own, const Function &callee, const Variable &parameter, bool isResult);

  struct Part {
    std::string_view text;
    bool isUsed = false;
  };

  KernelDecoder &decoder;
  const Statement &statement;
  std::vector<Part> parts;
  std::vector<uint32_t> reads, writes; ///< registers, those of addresses aside
};

using DecodeFn = void (*)(Builder &);
using InstructionTable = std::unordered_map<std::string_view, DecodeFn>;

// What each class of instructions adds to the table, by the word before the first dot.
void addControlInstructions(InstructionTable &table);
void addMoveInstructions(InstructionTable &table);
void addIntegerInstructions(InstructionTable &table);
void addWideInstructions(InstructionTable &table);
void addBitInstructions(InstructionTable &table);
void addDotInstructions(InstructionTable &table);
void addFloatInstructions(InstructionTable &table);
void addApproximateInstructions(InstructionTable &table);
void addCompareInstructions(InstructionTable &table);
void addConvertInstructions(InstructionTable &table);
void addMemoryInstructions(InstructionTable &table);
void addAtomicInstructions(InstructionTable &table);
void addAsyncCopyInstructions(InstructionTable &table);
void addMatrixInstructions(InstructionTable &table);
void addWarpInstructions(InstructionTable &table);
void addBarrierInstructions(InstructionTable &table);
void addMbarrierInstructions(InstructionTable &table);
void addClusterInstructions(InstructionTable &table);
void addTensorMapInstructions(InstructionTable &table);
void addWgmmaInstructions(InstructionTable &table);

// Instructions that exist for integers and floats: each class takes its types.
void decodeFloatArithmetic(Builder &builder, Type type);
void decodeHalfArithmetic(Builder &builder, Type type);
/// Takes rcp, div and sqrt with .approx or .full; false for others.
bool decodeApproximate(Builder &builder, Type type);
/// mul and mad with .hi or .wide.
void decodeWideMultiply(Builder &builder, Type type, bool isWide);
/// add, sub, addc, subc, and mad, madc: with the carry of the lane.
void decodeCarry(Builder &builder, Type type, bool readsCarry, bool writesCarry);
void decodeCarryMultiply(Builder &builder, Type type, bool isHigh, bool readsCarry, bool writesCarry);
// Parts of instructions that access memory.
/// Uses up the space, Generic without one.
Space takeSpace(Builder &builder);
/// Makes an address operand 0 of the instruction, with its space and offset.
void setAddress(Builder &builder, const Operand &operand, Space space);
/// Notes how small accesses are, for the checks.
void noteGranule(Builder &builder, Space space, uint32_t bytes, bool isStore);
/// Makes an instruction at which a wait may fail.
void makePoll(Builder &builder);
/// Takes .sync.aligned: all lanes of the warp execute together.
void requireWholeWarp(Builder &builder);
void decodeMma(Builder &builder);
/// cp.async.mbarrier.arrive.
void decodeCopyArrive(Builder &builder);
/// cp.async.bulk with all that follows.
void decodeBulk(Builder &builder);
/// barrier.cluster.
void decodeClusterBarrier(Builder &builder);
/// prefetch.tensormap and fence.proxy.tensormap.
void decodeTensorMapPrefetch(Builder &builder);
void decodeTensorMapFence(Builder &builder);
/// Whether the type is one of the 16-bit floats, packed or not.
constexpr bool isHalf(Type type) {
  return type == Type::F16 || type == Type::BF16 || type == Type::F16x2 || type == Type::BF16x2;
}

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_DECODER_H
