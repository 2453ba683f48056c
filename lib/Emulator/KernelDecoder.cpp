//===- KernelDecoder.cpp - Names, slots and functions of a kernel ---------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelDecoder.h"

#include "Nova/Support/CheckedMath.h"

#include <algorithm>

using namespace nova;
using namespace nova::emulator;

/// Limits of every chip that Nova knows; what is beyond cannot be launched anywhere.
static constexpr uint64_t kMaxShared = 227 << 10;
static constexpr uint64_t kMaxLocal = 512 << 10;
static constexpr uint64_t kMaxRegisterBytes = 8 << 20;

static const InstructionTable &instructionTable() {
  static const InstructionTable table = [] {
    InstructionTable table;
    addControlInstructions(table);
    addMoveInstructions(table);
    addIntegerInstructions(table);
    addWideInstructions(table);
    addBitInstructions(table);
    addDotInstructions(table);
    addFloatInstructions(table);
    addApproximateInstructions(table);
    addCompareInstructions(table);
    addConvertInstructions(table);
    addMemoryInstructions(table);
    addAtomicInstructions(table);
    addAsyncCopyInstructions(table);
    addMatrixInstructions(table);
    addWarpInstructions(table);
    addBarrierInstructions(table);
    addMbarrierInstructions(table);
    addClusterInstructions(table);
    addTensorMapInstructions(table);
    addWgmmaInstructions(table);
    return table;
  }();
  return table;
}

std::vector<std::string_view> nova::emulator::instructionNames() {
  std::vector<std::string_view> names;
  for (const auto &entry : instructionTable())
    names.push_back(entry.first);
  std::sort(names.begin(), names.end());
  return names;
}

KernelDecoder::KernelDecoder(const ModuleSymbols &module, const Function &kernel, std::shared_ptr<const Source> source,
                             ModifierLog *log)
    : program(std::make_unique<Program>()), log(log), module(module) {
  program->name = kernel.name;
  program->source = std::move(source);
  std::copy(kernel.requiredBlock, kernel.requiredBlock + 3, program->requiredBlock.begin());
  std::copy(kernel.cluster, kernel.cluster + 3, program->cluster.begin());
  if (kernel.maxThreads)
    program->maxThreads = std::min(kernel.maxThreads, 1024u);
  stateOf(kernel);
}

KernelDecoder::FunctionState &KernelDecoder::stateOf(const Function &function) {
  for (auto &state : functions)
    if (state->function == &function)
      return *state;
  functions.push_back(std::make_unique<FunctionState>());
  functions.back()->function = &function;
  return *functions.back();
}

std::unique_ptr<Program> KernelDecoder::run() {
  current = functions.front().get();
  layOutParameters();
  for (size_t i = 0; i < functions.size(); ++i) // grows while calls are met
    decodeFunction(*functions[i]);
  std::vector<const FunctionState *> path;
  checkRecursion(*functions.front(), path);
  for (auto &[instruction, callee] : calls)
    program->code[instruction].target = callee->start;
  markLeaders();
  markMovedElements();
  markWatchedUses();
  finish();
  return std::move(program);
}

void KernelDecoder::markMovedElements() {
  for (uint32_t pc : parameterLoads) {
    Instruction &load = program->code[pc];
    for (unsigned element = 0; element < load.count; ++element)
      load.movedElements |= static_cast<uint8_t>(valueUses.isOnlyMoved(load.operands[1 + element]) << element);
  }
}

void KernelDecoder::markWatchedUses() {
  if (program->wgmmas.empty())
    return;
  std::unordered_map<uint32_t, uint16_t> places;
  for (uint32_t slot : program->watched)
    places.emplace(slot, static_cast<uint16_t>(places.size()));
  auto use = registerUses.begin();
  for (uint32_t pc = 0; pc < program->code.size(); ++pc) {
    program->watchedUseStart.push_back(static_cast<uint32_t>(program->watchedUses.size()));
    bool isProduct = program->opcodes[program->code[pc].opcode].substr(0, 6) == "wgmma."; // looks after its own
    for (; use != registerUses.end() && use->pc <= pc; ++use)
      for (const auto *slots : {&use->reads, &use->writes})
        for (uint32_t slot : *slots)
          if (auto place = places.find(slot); place != places.end() && use->pc == pc && !isProduct)
            program->watchedUses.push_back({place->second, slots == &use->writes});
  }
  program->watchedUseStart.push_back(static_cast<uint32_t>(program->watchedUses.size()));
}

void KernelDecoder::layOutParameters() {
  uint64_t bytes = 0;
  for (const Variable &parameter : current->function->parameters) {
    bytes = alignTo(bytes, parameter.alignment);
    bool isFloat = parameter.type == Type::F32 || parameter.type == Type::F64;
    if (parameter.bytes > 32764 || bytes + parameter.bytes > 32764)
      throw SyntaxError{parameter.line, "expected at most 32764 bytes of parameters"};
    program->parameters.push_back(
        {std::string(parameter.name), static_cast<uint32_t>(bytes), static_cast<uint32_t>(parameter.bytes), isFloat});
    bytes += parameter.bytes;
  }
  program->parameterBytes = static_cast<uint32_t>(bytes);
}

void KernelDecoder::decodeFunction(FunctionState &state) {
  current = &state;
  labelUses.clear();
  state.start = static_cast<uint32_t>(program->code.size());
  program->functionStarts.push_back(state.start);
  const InstructionTable &table = instructionTable();
  for (const Statement &statement : state.function->body) {
    state.statementStart.push_back(static_cast<uint32_t>(program->code.size()));
    Builder builder(*this, statement);
    auto found = table.find(builder.name());
    if (found == table.end())
      builder.fail("unknown instruction '" + std::string(statement.opcode) + "'");
    found->second(builder);
    builder.finishModifiers();
    builder.emit();
    builder.noteUses();
  }
  state.statementStart.push_back(static_cast<uint32_t>(program->code.size()));
  // Running off the end returns.
  Instruction end;
  end.control = Control::Return;
  end.line = state.function->body.empty() ? state.function->line : state.function->body.back().line;
  end.opcode = opcodeIndex("ret");
  program->code.push_back(end);
  resolveLabels(state);
}

uint32_t KernelDecoder::opcodeIndex(std::string_view opcode) {
  auto [found, isNew] = opcodes.emplace(opcode, static_cast<uint32_t>(program->opcodes.size()));
  if (isNew)
    program->opcodes.emplace_back(opcode);
  return found->second;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static std::optional<Special> specialFromName(std::string_view name) {
  static const std::unordered_map<std::string_view, Special> specials = {
      {"%tid.x", Special::TidX},
      {"%tid.y", Special::TidY},
      {"%tid.z", Special::TidZ},
      {"%ntid.x", Special::NtidX},
      {"%ntid.y", Special::NtidY},
      {"%ntid.z", Special::NtidZ},
      {"%ctaid.x", Special::CtaidX},
      {"%ctaid.y", Special::CtaidY},
      {"%ctaid.z", Special::CtaidZ},
      {"%nctaid.x", Special::NctaidX},
      {"%nctaid.y", Special::NctaidY},
      {"%nctaid.z", Special::NctaidZ},
      {"%laneid", Special::LaneId},
      {"%warpid", Special::WarpId},
      {"%nwarpid", Special::NwarpId},
      {"%smid", Special::SmId},
      {"%nsmid", Special::NsmId},
      {"%gridid", Special::GridId},
      {"%lanemask_eq", Special::LanemaskEq},
      {"%lanemask_le", Special::LanemaskLe},
      {"%lanemask_lt", Special::LanemaskLt},
      {"%lanemask_ge", Special::LanemaskGe},
      {"%lanemask_gt", Special::LanemaskGt},
      {"%dynamic_smem_size", Special::DynamicSmem},
      {"%total_smem_size", Special::TotalSmem},
      {"%clock", Special::Clock},
      {"%clock_hi", Special::Zero},
      {"%clock64", Special::Clock},
      {"%globaltimer", Special::Clock},
      {"%globaltimer_lo", Special::Clock},
      {"%globaltimer_hi", Special::Zero},
      {"%cluster_ctarank", Special::Zero},
      {"%cluster_nctarank", Special::One},
      {"%cluster_ctaid.x", Special::Zero},
      {"%cluster_ctaid.y", Special::Zero},
      {"%cluster_ctaid.z", Special::Zero},
      {"%cluster_nctaid.x", Special::One},
      {"%cluster_nctaid.y", Special::One},
      {"%cluster_nctaid.z", Special::One},
      {"%clusterid.x", Special::ClusterIdX},
      {"%clusterid.y", Special::ClusterIdY},
      {"%clusterid.z", Special::ClusterIdZ},
      {"%nclusterid.x", Special::NclusterIdX},
      {"%nclusterid.y", Special::NclusterIdY},
      {"%nclusterid.z", Special::NclusterIdZ},
      {"%tid.w", Special::Zero},
  };
  auto found = specials.find(name);
  return found == specials.end() ? std::nullopt : std::optional<Special>(found->second);
}

Symbol KernelDecoder::resolve(std::string_view name, uint32_t scope, uint32_t line) {
  auto key = std::make_pair(scope, name);
  if (auto found = current->names.find(key); found != current->names.end())
    return found->second;
  return current->names[key] = resolveUncached(name, scope, line);
}

/// The declaration of a register: of the name itself, or of a range that holds it.
static const RegisterRange *findRegister(const Scope &scope, std::string_view name) {
  auto found = scope.registers.find(name);
  if (found != scope.registers.end() && found->second.count == 0)
    return &found->second;
  size_t digits = name.find_last_not_of("0123456789") + 1;
  // Numbers of ten digits and more are beyond every range that fits in memory.
  if (digits == name.size() || digits == 0 || name.size() - digits > 9)
    return nullptr;
  found = scope.registers.find(name.substr(0, digits));
  bool hasLeadingZero = name[digits] == '0' && digits + 1 != name.size();
  if (found == scope.registers.end() || hasLeadingZero)
    return nullptr;
  uint64_t number = std::stoull(std::string(name.substr(digits)));
  return number < found->second.count ? &found->second : nullptr;
}

Symbol KernelDecoder::resolveUncached(std::string_view name, uint32_t scope, uint32_t line) {
  Symbol symbol;
  const std::vector<Scope> &scopes = current->function->scopes;
  for (int32_t i = static_cast<int32_t>(scope); i >= 0; i = scopes[static_cast<size_t>(i)].parent) {
    const Scope &level = scopes[static_cast<size_t>(i)];
    if (const RegisterRange *range = findRegister(level, name)) {
      symbol.kind = Symbol::Kind::Register;
      symbol.reg.type = range->type;
      auto [slot, isNew] = current->slots.emplace(std::make_pair(static_cast<uint32_t>(i), name), 0);
      if (isNew && range->type == Type::Pred)
        slot->second = program->predicateCount++;
      else if (isNew)
        slot->second = newSlot(bytesOf(range->type)), program->threadBytes += bytesOf(range->type);
      symbol.reg.slot = slot->second;
      return symbol;
    }
    auto variable = level.variables.find(name);
    if (variable != level.variables.end()) {
      symbol.kind = Symbol::Kind::Variable;
      symbol.variable = &variable->second;
      return symbol;
    }
  }
  for (const auto *list : {&current->function->parameters, &current->function->results})
    for (const Variable &parameter : *list)
      if (parameter.name == name)
        return resolveParameter(parameter, name);
  if (std::optional<Special> special = specialFromName(name)) {
    symbol.kind = Symbol::Kind::Special;
    symbol.special = *special;
  } else if (auto variable = module.variables.find(name); variable != module.variables.end()) {
    symbol.kind = Symbol::Kind::Variable;
    symbol.variable = variable->second;
  } else if (auto function = module.functions.find(name); function != module.functions.end()) {
    symbol.kind = Symbol::Kind::Function;
    symbol.function = function->second;
  }
  return symbol;
}

Symbol KernelDecoder::resolveParameter(const Variable &parameter, std::string_view name) {
  Symbol symbol;
  symbol.kind = parameter.isRegister ? Symbol::Kind::Register : Symbol::Kind::Parameter;
  symbol.variable = &parameter;
  symbol.reg.type = parameter.type;
  if (parameter.isRegister) {
    auto [slot, isNew] = current->slots.emplace(std::make_pair(UINT32_MAX, name), 0);
    if (isNew)
      slot->second = parameter.type == Type::Pred ? program->predicateCount++ : newSlot(bytesOf(parameter.type));
    symbol.reg.slot = slot->second;
  }
  return symbol;
}

Symbol KernelDecoder::resolveIn(const Function &function, std::string_view name, uint32_t line) {
  FunctionState *caller = current;
  current = &stateOf(function);
  Symbol symbol = resolve(name, 0, line);
  current = caller;
  return symbol;
}

KernelDecoder::Address KernelDecoder::addressOf(const Symbol &symbol, uint32_t line) {
  const Variable &variable = *symbol.variable;
  if (symbol.kind == Symbol::Kind::Parameter && isInKernel()) {
    size_t index = static_cast<size_t>(&variable - current->function->parameters.data());
    return {Space::Param, program->parameters[index].offset};
  }
  switch (variable.space) {
  case Space::Shared:
    if (variable.isExtern && !variable.bytes) {
      dynamicAlignment = std::max(dynamicAlignment, variable.alignment);
      return {Space::Shared, 0, true};
    }
    return {Space::Shared, sharedAddress(variable, line)};
  case Space::Local:
  case Space::Param: // of a function or a call: memory of the thread
    return {Space::Local, localAddress(variable, line)};
  default: {
    auto found = module.addresses.find(variable.name);
    if (found == module.addresses.end())
      throw SyntaxError{line, "'" + std::string(variable.name) +
                                  "' is declared in a function, where expected is .shared, "
                                  ".local or .param"};
    return {variable.space, found->second};
  }
  }
}

static uint64_t place(std::map<const Variable *, uint64_t> &offsets, uint64_t &bytes, const Variable &variable,
                      uint64_t max, uint32_t line) {
  auto [found, isNew] = offsets.emplace(&variable, 0);
  if (isNew) {
    found->second = alignTo(bytes, variable.alignment);
    if (variable.bytes > max || found->second + variable.bytes > max)
      throw SyntaxError{line, "expected at most " + std::to_string(max) + " bytes of ." +
                                  std::string(nameOf(variable.space)) + " memory, '" + std::string(variable.name) +
                                  "' needs " + std::to_string(variable.bytes) + " beside " + std::to_string(bytes)};
    bytes = found->second + variable.bytes;
  }
  return found->second;
}

uint64_t KernelDecoder::localAddress(const Variable &variable, uint32_t line) {
  return place(localOffsets, localBytes, variable, kMaxLocal, line);
}
uint64_t KernelDecoder::sharedAddress(const Variable &variable, uint32_t line) {
  return place(sharedOffsets, sharedBytes, variable, kMaxShared, line);
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

uint32_t KernelDecoder::newSlot(uint32_t bytes) {
  uint32_t slot = program->registerBytes;
  program->registerBytes += std::max(bytes, 2u) * kLanes;
  if (program->registerBytes > kMaxRegisterBytes)
    throw SyntaxError{current->function->line, "expected fewer registers and constants"};
  return slot;
}

uint32_t KernelDecoder::constantSlot(uint64_t bits, uint32_t bytes, bool isDynamicShared) {
  bytes = std::max(bytes, 2u);
  if (bytes < 8)
    bits &= (uint64_t(1) << (8 * bytes)) - 1;
  auto [found, isNew] = constants.emplace(std::make_pair(bits, uint64_t(bytes) << 1 | isDynamicShared), 0);
  if (isNew) {
    found->second = newSlot(bytes);
    program->constants.push_back({found->second, bytes, bits, isDynamicShared});
  }
  return found->second;
}

uint32_t KernelDecoder::specialSlot(Special special, uint32_t bytes) {
  auto [found, isNew] = specials.emplace(std::make_pair(special, bytes), 0);
  if (isNew) {
    found->second = newSlot(bytes);
    program->specials.push_back({found->second, bytes, special});
  }
  return found->second;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void KernelDecoder::addBranch(std::string_view label, uint32_t scope, uint32_t line) {
  labelUses.push_back({static_cast<uint32_t>(program->code.size()), -1, scope, label, line});
}

uint32_t KernelDecoder::addTable(std::string_view list, uint32_t scope, uint32_t line) {
  const std::vector<Scope> &scopes = current->function->scopes;
  for (int32_t i = static_cast<int32_t>(scope); i >= 0; i = scopes[static_cast<size_t>(i)].parent) {
    const auto &lists = scopes[static_cast<size_t>(i)].branchTargets;
    auto found = lists.find(list);
    if (found == lists.end())
      continue;
    uint32_t table = static_cast<uint32_t>(program->tables.size());
    program->tables.emplace_back(found->second.size());
    for (uint32_t entry = 0; entry < found->second.size(); ++entry)
      labelUses.push_back({entry, static_cast<int32_t>(table), scope, found->second[entry], line});
    return table;
  }
  throw SyntaxError{line, "expected a list of .branchtargets, found '" + std::string(list) + "'"};
}

void KernelDecoder::addCall(const Function &callee) {
  FunctionState &state = stateOf(callee);
  current->callees.push_back(&state);
  calls.emplace_back(static_cast<uint32_t>(program->code.size()), &state);
}

uint32_t KernelDecoder::labelTarget(const FunctionState &state, const LabelUse &use) {
  const std::vector<Scope> &scopes = state.function->scopes;
  for (int32_t i = static_cast<int32_t>(use.scope); i >= 0; i = scopes[static_cast<size_t>(i)].parent) {
    const auto &labels = scopes[static_cast<size_t>(i)].labels;
    if (auto found = labels.find(use.label); found != labels.end())
      return state.statementStart[found->second];
  }
  throw SyntaxError{use.line, "expected a label, found '" + std::string(use.label) + "'"};
}

void KernelDecoder::resolveLabels(FunctionState &state) {
  for (const LabelUse &use : labelUses) {
    uint32_t target = labelTarget(state, use);
    if (use.table >= 0)
      program->tables[static_cast<size_t>(use.table)][use.instruction] = target;
    else
      program->code[use.instruction].target = target;
    program->code[target].leader = 0;
  }
}

void KernelDecoder::checkRecursion(FunctionState &state, std::vector<const FunctionState *> &path) {
  if (std::find(path.begin(), path.end(), &state) != path.end())
    throw SyntaxError{state.function->line, "recursion of '" + std::string(state.function->name) +
                                                "': expected functions that do not call "
                                                "themselves"};
  if (path.size() > 256)
    throw SyntaxError{state.function->line, "expected at most 256 nested calls"};
  if (state.isChecked)
    return;
  path.push_back(&state);
  for (FunctionState *callee : state.callees)
    checkRecursion(*callee, path);
  path.pop_back();
  state.isChecked = true;
}

void KernelDecoder::markLeaders() {
  std::vector<Instruction> &code = program->code;
  for (uint32_t start : program->functionStarts)
    code[start].leader = 0;
  for (size_t i = 0; i + 1 < code.size(); ++i)
    if (code[i].control != Control::None)
      code[i + 1].leader = 0;
  for (Instruction &instruction : code)
    if (instruction.leader >= 0)
      instruction.leader = static_cast<int32_t>(program->leaderCount++);
}

void KernelDecoder::finish() {
  program->sharedBytes = static_cast<uint32_t>(sharedBytes);
  program->dynamicSharedStart = static_cast<uint32_t>(alignTo(sharedBytes, dynamicAlignment));
  program->localBytes = static_cast<uint32_t>(alignTo(localBytes, 16));
  for (ConstantSlot &constant : program->constants)
    if (constant.isDynamicShared)
      constant.bits += program->dynamicSharedStart;
}

std::unique_ptr<Program> nova::emulator::decodeKernel(const ModuleSymbols &symbols, const Function &kernel,
                                                      std::shared_ptr<const Source> source, ModifierLog *log) {
  return KernelDecoder(symbols, kernel, std::move(source), log).run();
}
