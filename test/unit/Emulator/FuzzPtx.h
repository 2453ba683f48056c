//===- FuzzPtx.h - Any text and any launch ----------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TEST_UNIT_EMULATOR_FUZZPTX_H
#define NOVA_TEST_UNIT_EMULATOR_FUZZPTX_H

#include "Nova/Emulator/Launch.h"
#include "Nova/Emulator/TensorMap.h"

namespace nova::emulator {

/// 64 x 16 halves, in boxes of 64 x 64.
inline TensorMap someTensor(uint64_t address) {
  TensorMap map;
  map.address = address;
  map.rankMinus1 = 1;
  map.element = TensorElement::BF16;
  map.swizzle = TensorSwizzle::B128;
  map.dims[0] = map.box[0] = map.box[1] = 64;
  map.dims[1] = 16;
  map.strides[0] = 128;
  map.elementStrides[0] = map.elementStrides[1] = 1;
  return map;
}

/// Loads a text and launches its kernels with sizes and parameters made from a number. Whatever it is, nothing may
/// crash, hang or be read that is not there.
inline void surviveText(std::string_view text, uint64_t number) {
  Result<std::unique_ptr<DeviceMemory>> memory = DeviceMemory::create(1 << 20);
  Result<std::unique_ptr<Module>> module = Module::load(text, "fuzz.ptx", **memory);
  if (!module)
    return;
  uint64_t buffer = (*memory)->allocate(4096);
  Options options;
  options.threads = 1;
  options.maxInstructions = 20'000;
  options.countMemory = number & 1;
  if (number & 2)
    options.checks = Checks::none();
  for (const std::string &name : (*module)->kernelNames()) {
    const Program &kernel = *(*module)->kernel(name);
    std::vector<uint8_t> parameters;
    for (const KernelParameter &parameter : parametersOf(kernel)) {
      parameters.resize(parameter.offset + parameter.bytes);
      uint64_t value = parameter.bytes == 8 && number % 7 ? buffer : number % 100;
      __builtin_memcpy(parameters.data() + parameter.offset, &value, std::min(parameter.bytes, 8u));
      if (TensorMap map = someTensor(buffer); parameter.bytes == sizeof(map))
        __builtin_memcpy(parameters.data() + parameter.offset, &map, sizeof(map));
    }
    Dim3 grid{1 + static_cast<uint32_t>(number >> 8) % 3, 1, 1}, block{static_cast<uint32_t>(number >> 16) % 100, 1, 1};
    if (number & 4) // a warpgroup
      block.x = 128;
    // Thread memory is the product of two sizes that the text gives; half a gigabyte of it shows nothing more.
    if (localBytes(kernel) > 4096)
      continue;
    (void)launch(kernel, **memory, grid, block, static_cast<uint32_t>(number >> 24) % 300'000, parameters, options);
  }
}

} // namespace nova::emulator

#endif // NOVA_TEST_UNIT_EMULATOR_FUZZPTX_H
