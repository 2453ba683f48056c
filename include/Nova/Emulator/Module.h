//===- Module.h - A loaded PTX module ---------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_EMULATOR_MODULE_H
#define NOVA_EMULATOR_MODULE_H

#include "Nova/Emulator/DeviceMemory.h"

#include <string_view>
#include <vector>

namespace nova::emulator {

struct Program; ///< a decoded kernel (lib/Emulator/Program.h)
class Source;

struct KernelParameter {
  std::string name;
  uint32_t offset = 0; ///< in the block of parameters
  uint32_t bytes = 0;
  bool isFloat = false;
};

/// PTX text, decoded: every kernel with the device functions that it calls.
class Module {
public:
  /// Parses and decodes the whole text, so that an unknown instruction is an error here and not when it is met;
  /// allocates the module's variables. `name` names the text in messages. The memory must outlive the module.
  static Result<std::unique_ptr<Module>> load(std::string_view text, const std::string &name, DeviceMemory &memory);
  ~Module();

  std::vector<std::string> kernelNames() const;
  /// Null when the module has no such kernel.
  const Program *kernel(std::string_view name) const;
  /// A .global or .const variable as (address, bytes); (0, 0) when there is none.
  std::pair<uint64_t, uint64_t> variable(std::string_view name) const;

private:
  explicit Module(DeviceMemory &memory);

  DeviceMemory &memory;
  std::shared_ptr<const Source> source;
  std::map<std::string, std::pair<uint64_t, uint64_t>, std::less<>> variables;
  std::vector<std::unique_ptr<Program>> kernels;
};

// What a launch needs to know of a kernel.
const std::string &nameOf(const Program &kernel);
const std::vector<KernelParameter> &parametersOf(const Program &kernel);
/// Bytes of shared memory that its variables take, dynamic ones left out.
uint32_t staticSharedBytes(const Program &kernel);
/// Bytes of local memory per thread.
uint32_t localBytes(const Program &kernel);
/// Bytes of registers per thread, as the PTX names them.
uint32_t registerBytes(const Program &kernel);
/// .maxntid, or 1024.
uint32_t maxThreads(const Program &kernel);

} // namespace nova::emulator

#endif // NOVA_EMULATOR_MODULE_H
