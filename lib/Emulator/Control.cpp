//===- Control.cpp - Branches, calls and ends -----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "KernelDecoder.h"
#include "SystemCalls.h"

using namespace nova::emulator;

static void decodeBranch(Builder &builder) {
  builder.take("uni");
  builder.expectOperands(1);
  builder.branchTo(builder.operand(0));
}

static void decodeBranchIndexed(Builder &builder) {
  builder.expectOneOf({"idx"});
  builder.take("uni");
  builder.expectOperands(2);
  builder.out.operands[0] = builder.source(0, Type::U32);
  builder.branchIndexed(builder.operand(1));
}

static void decodeReturn(Builder &builder) {
  bool isExit = builder.name() == "exit";
  if (!isExit)
    builder.take("uni");
  builder.expectOperands(0);
  builder.out.control = isExit ? Control::Exit : Control::Return;
}

static void executeNothing(Warp &, const Instruction &, uint32_t) {}

static void executeTrap(Warp &warp, const Instruction &instruction, uint32_t active) {
  report(warp, instruction, Finding::Kind::Trap, static_cast<unsigned>(__builtin_ctz(active)), "the kernel gives up");
  throw StopBlock();
}

static void decodeTrap(Builder &builder) {
  builder.expectOperands(0);
  builder.out.execute = executeTrap;
}

/// Debuggers, timers and launch control: nothing to do here.
static void decodeNothing(Builder &builder) {
  std::string_view name = builder.name();
  if (name == "nanosleep" && builder.takeType() != Type::U32)
    builder.fail("expected .u32");
  if (name == "griddepcontrol")
    builder.expectOneOf({"wait", "launch_dependents"});
  bool hasOperand = name == "nanosleep" || name == "pmevent";
  builder.expectOperands(hasOperand);
  if (name == "nanosleep")
    builder.source(0, Type::U32);
  if (name == "pmevent") {
    builder.take("mask");
    builder.immediate(builder.operand(0), "event");
  }
  builder.out.execute = executeNothing;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Copies between two places in the local memory of each thread: operands 0 and 1 with the target's and the source's
/// address, `immediate` bytes.
static void copyLocal(Warp &warp, const Instruction &instruction, uint32_t active) {
  Block &block = *warp.block;
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    size_t thread = warp.firstThread + static_cast<size_t>(__builtin_ctz(rest));
    size_t base = thread * block.program.localBytes, bytes = static_cast<size_t>(instruction.immediate);
    std::memcpy(&block.local[base + instruction.operands[0]], &block.local[base + instruction.operands[1]], bytes);
    // What was never written is found where the function reads it.
    std::memcpy(&block.localStates[base + instruction.operands[0]], &block.localStates[base + instruction.operands[1]],
                bytes);
  }
}

template <typename T> static void copyRegister(Warp &warp, const Instruction &instruction, uint32_t active) {
  T values[kLanes];
  std::memcpy(values, lanesOf<T>(warp, instruction.operands[1]), sizeof(values));
  setLanes(warp, instruction.operands[0], values, active);
}

/// Emits the copy of an argument into a parameter, or of a result into what the caller names.
void Builder::copyParameter(const Operand &own, const Function &callee, const Variable &parameter, bool isResult) {
  Symbol formal = decoder.resolveIn(callee, parameter.name, statement.line);
  if (parameter.isRegister) {
    uint32_t slot = isResult ? destination(own, parameter.type) : source(own, parameter.type);
    out.operands = {isResult ? slot : formal.reg.slot, isResult ? formal.reg.slot : slot};
    out.execute = bytesOf(parameter.type) == 8   ? copyRegister<uint64_t>
                  : bytesOf(parameter.type) == 4 ? copyRegister<uint32_t>
                                                 : copyRegister<uint16_t>;
    return emit();
  }
  Symbol actual =
      own.kind == Operand::Kind::Name ? decoder.resolve(own.name, statement.scope, statement.line) : Symbol();
  if ((actual.kind != Symbol::Kind::Variable && actual.kind != Symbol::Kind::Parameter) ||
      actual.variable->space != Space::Param)
    fail("expected a .param variable for '" + std::string(parameter.name) + "' of '" + std::string(callee.name) + "'");
  if (actual.variable->bytes != parameter.bytes)
    fail("expected " + std::to_string(parameter.bytes) + " bytes for '" + std::string(parameter.name) + "', found '" +
         std::string(own.name) + "' of " + std::to_string(actual.variable->bytes));
  KernelDecoder::Address mine = decoder.addressOf(actual, statement.line);
  KernelDecoder::Address other = {Space::Local, decoder.localAddress(parameter, statement.line)};
  if (mine.space != Space::Local)
    fail("expected a .param variable of the call, found the kernel's parameter '" + std::string(own.name) + "'");
  uint64_t to = isResult ? mine.value : other.value, from = isResult ? other.value : mine.value;
  out.operands = {static_cast<uint32_t>(to), static_cast<uint32_t>(from)};
  out.immediate = static_cast<int64_t>(parameter.bytes);
  out.execute = copyLocal;
  emit();
}

/// The address of a call's own .param variable in the memory of the thread.
uint32_t Builder::parameterAddress(const Operand &own, uint64_t bytes, std::string_view callee) {
  Symbol actual =
      own.kind == Operand::Kind::Name ? decoder.resolve(own.name, statement.scope, statement.line) : Symbol();
  if (actual.kind != Symbol::Kind::Variable || actual.variable->space != Space::Param ||
      actual.variable->bytes != bytes)
    fail("expected a .param variable of " + std::to_string(bytes) + " bytes in the call of '" + std::string(callee) +
         "'");
  return static_cast<uint32_t>(decoder.addressOf(actual, statement.line).value);
}

void Builder::callSystem(const SystemCall &callee, const std::vector<Operand> &results,
                         const std::vector<Operand> &arguments) {
  size_t expected = callee.resultBytes ? 1 : 0;
  if (arguments.size() != callee.parameterBytes.size() || results.size() != expected)
    fail("expected " + std::to_string(callee.parameterBytes.size()) + " arguments and " + std::to_string(expected) +
         " results of '" + std::string(callee.name) + "'");
  out.count = static_cast<uint8_t>(expected);
  if (callee.resultBytes)
    out.operands[0] = parameterAddress(results[0], callee.resultBytes, callee.name);
  for (size_t i = 0; i < arguments.size(); ++i)
    out.operands[1 + i] = parameterAddress(arguments[i], callee.parameterBytes[i], callee.name);
  out.execute = callee.execute;
  program().needsOrderedBlocks |= callee.changesMemory;
}

void Builder::call() {
  size_t next = 0;
  bool hasResults = operandCount() > 0 && operand(0).kind == Operand::Kind::List;
  std::vector<Operand> results = hasResults ? operand(next++).elements : std::vector<Operand>();
  if (next >= operandCount() || operand(next).kind != Operand::Kind::Name)
    fail("expected the name of a function");
  std::string_view name = operand(next++).name;
  std::vector<Operand> arguments;
  if (next < operandCount() && operand(next).kind == Operand::Kind::List)
    arguments = operand(next++).elements;
  Symbol symbol = decoder.resolve(name, statement.scope, statement.line);
  if (symbol.kind == Symbol::Kind::Register)
    fail("expected a direct call, found one through register '" + std::string(name) + "'");
  if (symbol.kind != Symbol::Kind::Function || symbol.function->isEntry)
    fail("expected a function, found '" + std::string(name) + "'");
  const Function &callee = *symbol.function;
  if (const SystemCall *known = callee.isDefined ? nullptr : systemCall(name))
    return callSystem(*known, results, arguments);
  if (!callee.isDefined)
    fail("call of '" + std::string(name) + "', which this module does not define");
  if (arguments.size() != callee.parameters.size() || results.size() != callee.results.size())
    fail("expected " + std::to_string(callee.parameters.size()) + " arguments and " +
         std::to_string(callee.results.size()) + " results of '" + std::string(name) + "'");
  for (size_t i = 0; i < arguments.size(); ++i)
    copyParameter(arguments[i], callee, callee.parameters[i], /*isResult=*/false);
  decoder.addCall(callee);
  out.control = Control::Call;
  for (size_t i = 0; i < results.size(); ++i) {
    emit();
    copyParameter(results[i], callee, callee.results[i], /*isResult=*/true);
  }
  // The decoder emits the last instruction.
  if (!results.empty()) {
    out = program().code.back();
    program().code.pop_back();
  }
}

static void decodeCall(Builder &builder) {
  builder.take("uni");
  builder.call();
}

void nova::emulator::addControlInstructions(InstructionTable &table) {
  table["bra"] = decodeBranch;
  table["brx"] = decodeBranchIndexed;
  table["ret"] = table["exit"] = decodeReturn;
  table["call"] = decodeCall;
  table["trap"] = decodeTrap;
  for (std::string_view name : {"nanosleep", "brkpt", "pmevent", "griddepcontrol"})
    table[name] = decodeNothing;
}
