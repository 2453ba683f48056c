//===- Buffers.h - Buffers from and to safetensors --------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TOOLS_NOVA_EMULATE_BUFFERS_H
#define NOVA_TOOLS_NOVA_EMULATE_BUFFERS_H

#include "Nova/Emulator/Module.h"
#include "Nova/Support/Compare.h"
#include "Nova/Support/Safetensors.h"

#include <optional>

namespace nova {

/// The named buffers on the device.
class Buffers {
public:
  explicit Buffers(emulator::DeviceMemory &memory) : memory(memory) {}

  Result<void> openInputs(const std::string &path);
  /// The address of a buffer; one that is not there yet is filled from the inputs.
  Result<uint64_t> find(const std::string &name);
  /// A fresh buffer of zeros: "NAME:DTYPE:COUNT".
  Result<uint64_t> addZeros(const std::string &description);
  /// A tensor map (CUtensorMap) over a buffer: "NAME:DIMS:BOX:SWIZZLE".
  Result<std::vector<uint8_t>> tensorMap(const std::string &description);

  Result<void> write(const std::string &path) const;
  /// Compares with the tensors of a file; the errors of all of them in one.
  Result<void> compare(const std::string &path, Tolerance tolerance) const;

private:
  struct Buffer {
    SafetensorsEntry entry;
    uint64_t address = 0;
  };
  const Buffer *lookUp(const std::string &name) const;
  Result<Buffer *> add(SafetensorsEntry entry);
  std::string bytesOf(const Buffer &buffer) const;

  emulator::DeviceMemory &memory;
  std::optional<SafetensorsFile> inputs;
  std::vector<Buffer> buffers; ///< in the order in which they were made
};

/// The block of parameters for arguments as the command line spells them.
Result<std::vector<uint8_t>> packArguments(const emulator::Program &kernel, const std::vector<std::string> &arguments,
                                           Buffers &buffers);

} // namespace nova

#endif // NOVA_TOOLS_NOVA_EMULATE_BUFFERS_H
