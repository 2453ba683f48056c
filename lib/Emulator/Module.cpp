//===- Module.cpp - Loading PTX -------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Emulator/Module.h"

#include "Decoder.h"
#include "Windows.h"

#include <algorithm>
#include <cstring>

using namespace nova;
using namespace nova::emulator;

Module::Module(DeviceMemory &memory) : memory(memory) {}

Module::~Module() {
  for (const auto &variable : variables)
    if (variable.second.first)
      memory.free(variable.second.first);
}

/// What a file holds that is not PTX.
static const char *binaryKind(std::string_view text) {
  auto startsWith = [&](std::string_view magic) { return text.substr(0, magic.size()) == magic; };
  if (startsWith("\x7f"
                 "ELF"))
    return "a cubin";
  if (startsWith("\x50\xed\x55\xba"))
    return "a fatbin";
  return nullptr;
}

static Error outOfMemory(const std::string &name, const Variable &variable) {
  return deviceError(name + ": no room on the device for variable '" + std::string(variable.name) + "' of " +
                     std::to_string(variable.bytes) + " bytes");
}

/// Bytes of a variable, with zeros behind its initial values and addresses filled in.
static std::vector<uint8_t> initialBytes(const Variable &variable, const ModuleSymbols &symbols) {
  std::vector<uint8_t> bytes = variable.initial;
  bytes.resize(variable.bytes);
  for (const Relocation &relocation : variable.relocations) {
    auto found = symbols.addresses.find(relocation.symbol);
    if (found == symbols.addresses.end())
      throw SyntaxError{variable.line, "expected a variable in global or constant memory, found '" +
                                           std::string(relocation.symbol) + "'"};
    uint64_t address = found->second + static_cast<uint64_t>(relocation.addend);
    bool isWide = bytesOf(variable.type) == 8;
    std::memcpy(&bytes[relocation.offset], &address, isWide ? 8 : 4);
  }
  return bytes;
}

Result<std::unique_ptr<Module>> Module::load(std::string_view text, const std::string &name, DeviceMemory &memory) {
  if (const char *kind = binaryKind(text))
    return inputError(name + ": expected PTX text, found " + kind +
                      "; hand the emulator the PTX that it was made from");
  auto source = std::make_shared<const Source>(name, text);
  std::unique_ptr<Module> module(new Module(memory));
  module->source = source;
  try {
    ModuleSyntax syntax = parseModule(*source);
    ModuleSymbols symbols;
    symbols.syntax = &syntax;
    for (const Function &function : syntax.functions) {
      const Function *&known = symbols.functions[function.name];
      known = known && known->isDefined ? known : &function;
    }
    for (const Variable &variable : syntax.variables) {
      symbols.variables.emplace(variable.name, &variable);
      if (variable.space != Space::Global && variable.space != Space::Const)
        continue;
      uint64_t address =
          variable.bytes > memory.capacity() ? 0 : memory.allocate(std::max<uint64_t>(variable.bytes, 1));
      if (!address)
        return outOfMemory(name, variable);
      symbols.addresses[variable.name] = address;
      auto [known, isNew] = module->variables.try_emplace(std::string(variable.name), address, variable.bytes);
      if (!isNew) {
        memory.free(address);
        symbols.addresses[variable.name] = known->second.first;
      }
    }
    for (const Variable &variable : syntax.variables)
      if (auto found = module->variables.find(variable.name);
          found != module->variables.end() && found->second.second) {
        if (variable.bytes != found->second.second)
          throw SyntaxError{variable.line, "expected one size of '" + std::string(variable.name) + "'"};
        memory.write(found->second.first, initialBytes(variable, symbols).data(), variable.bytes);
      }
    for (const Function &function : syntax.functions)
      if (function.isEntry && function.isDefined)
        module->kernels.push_back(decodeKernel(symbols, function, source));
  } catch (const SyntaxError &error) {
    return source->error(error);
  }
  return module;
}

std::vector<std::string> Module::kernelNames() const {
  std::vector<std::string> names;
  for (const auto &kernel : kernels)
    names.push_back(kernel->name);
  return names;
}

const Program *Module::kernel(std::string_view name) const {
  for (const auto &kernel : kernels)
    if (kernel->name == name)
      return kernel.get();
  return nullptr;
}

std::pair<uint64_t, uint64_t> Module::variable(std::string_view name) const {
  auto found = variables.find(name);
  return found == variables.end() ? std::pair<uint64_t, uint64_t>() : found->second;
}

const std::string &nova::emulator::nameOf(const Program &kernel) { return kernel.name; }
const std::vector<KernelParameter> &nova::emulator::parametersOf(const Program &kernel) { return kernel.parameters; }
uint32_t nova::emulator::staticSharedBytes(const Program &kernel) { return kernel.sharedBytes; }
uint32_t nova::emulator::localBytes(const Program &kernel) { return kernel.localBytes; }
uint32_t nova::emulator::registerBytes(const Program &kernel) { return kernel.threadBytes; }
uint32_t nova::emulator::maxThreads(const Program &kernel) { return kernel.maxThreads; }
