//===- KernelDecoder.h - Names, slots and functions of a kernel -*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_KERNELDECODER_H
#define NOVA_LIB_EMULATOR_KERNELDECODER_H

#include "Decoder.h"
#include "ValueUses.h"

#include <map>

namespace nova::emulator {

/// What a name stands for.
struct Symbol {
  enum class Kind : uint8_t { None, Register, Variable, Parameter, Function, Special };
  Kind kind = Kind::None;
  emulator::Register reg;
  const Variable *variable = nullptr;
  const Function *function = nullptr;
  Special special = Special::Zero;
};

/// Decodes one kernel and, after it, every function that it calls: each has registers and local memory of its own in
/// the warp, so that a call moves no registers. That excludes recursion, which is an error.
class KernelDecoder {
public:
  KernelDecoder(const ModuleSymbols &module, const Function &kernel, std::shared_ptr<const Source> source,
                ModifierLog *log);
  std::unique_ptr<Program> run();

  Symbol resolve(std::string_view name, uint32_t scope, uint32_t line);
  /// Address in its own space. A dynamic shared variable has only an offset from where dynamic memory begins.
  struct Address {
    Space space = Space::Generic;
    uint64_t value = 0;
    bool isDynamicShared = false;
  };
  Address addressOf(const Symbol &symbol, uint32_t line);
  /// A parameter or result of a function that may not be decoded yet.
  Symbol resolveIn(const Function &function, std::string_view name, uint32_t line);
  uint64_t localAddress(const Variable &variable, uint32_t line);
  uint32_t constantSlot(uint64_t bits, uint32_t bytes, bool isDynamicShared = false);
  uint32_t specialSlot(Special special, uint32_t bytes);
  uint32_t newSlot(uint32_t bytes);
  uint32_t opcodeIndex(std::string_view opcode);

  void addBranch(std::string_view label, uint32_t scope, uint32_t line);
  uint32_t addTable(std::string_view list, uint32_t scope, uint32_t line);
  void addCall(const Function &callee);

  const Function &function() const { return *current->function; }
  bool isInKernel() const { return current->function->isEntry; }

  std::unique_ptr<Program> program;
  ModifierLog *const log; ///< or null
  ValueUses valueUses;
  std::vector<uint32_t> parameterLoads; ///< instructions that load from .param memory
  struct RegisterUse {
    uint32_t pc = 0;
    std::vector<uint32_t> reads, writes;
  };
  std::vector<RegisterUse> registerUses; ///< by instruction, ascending

private:
  /// A function being or to be decoded.
  struct FunctionState {
    const Function *function = nullptr;
    uint32_t start = 0;
    std::map<std::pair<uint32_t, std::string_view>, Symbol> names;   ///< resolved already, by scope of use
    std::map<std::pair<uint32_t, std::string_view>, uint32_t> slots; ///< of registers, by scope of declaration
    std::vector<uint32_t> statementStart;                            ///< instruction index of each statement
    std::vector<FunctionState *> callees;
    bool isChecked = false; ///< for recursion
  };
  struct LabelUse {
    uint32_t instruction = 0; ///< or entry of a table
    int32_t table = -1;
    uint32_t scope = 0;
    std::string_view label;
    uint32_t line = 0;
  };

  FunctionState &stateOf(const Function &function);
  void decodeFunction(FunctionState &state);
  void resolveLabels(FunctionState &state);
  void checkRecursion(FunctionState &state, std::vector<const FunctionState *> &path);
  void layOutParameters();
  void markLeaders();
  void markMovedElements();
  void markWatchedUses();
  void finish();
  uint32_t labelTarget(const FunctionState &state, const LabelUse &use);
  Symbol resolveUncached(std::string_view name, uint32_t scope, uint32_t line);
  Symbol resolveParameter(const Variable &parameter, std::string_view name);
  uint64_t sharedAddress(const Variable &variable, uint32_t line);

  const ModuleSymbols &module;
  FunctionState *current = nullptr;
  std::vector<std::unique_ptr<FunctionState>> functions; ///< in the order of their code
  std::vector<LabelUse> labelUses;                       ///< of the current function
  std::vector<std::pair<uint32_t, FunctionState *>> calls;
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> constants;
  std::map<std::pair<Special, uint32_t>, uint32_t> specials;
  std::map<const Variable *, uint64_t> localOffsets, sharedOffsets;
  std::unordered_map<std::string_view, uint32_t> opcodes;
  uint64_t localBytes = 0, sharedBytes = 0, dynamicAlignment = 16;
};

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_KERNELDECODER_H
