//===- RunPtx.cpp - Running PTX text in tests -----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunPtx.h"

#include <cstring>

using namespace nova;
using namespace nova::emulator;

std::string nova::emulator::kernelText(const std::string &body, const std::string &before) {
  return ".version 8.0\n.target sm_89\n.address_size 64\n" + before +
         "\n.visible .entry k(.param .u64 out)\n{\n.reg .pred %p<10>, p<10>;\n.reg .b16 %h<10>, h<10>;\n"
         ".reg .b32 %r<20>, r<20>, %tid;\n.reg .f32 %f<20>;\n.reg .b64 %d<20>, d<20>, %out;\n"
         "ld.param.u64 %out, [out];\nmov.u32 %tid, %tid.x;\n" +
         body + "\nret;\n}\n";
}

Ran nova::emulator::runPtx(const std::string &text, Dim3 grid, Dim3 block, uint32_t words, Options options,
                           uint32_t shared, const PrepareFn &prepare) {
  Ran ran;
  Result<std::unique_ptr<DeviceMemory>> memory = DeviceMemory::create(uint64_t(16) << 20);
  Result<std::unique_ptr<Module>> module = Module::load(text, "test.ptx", **memory);
  if (!module) {
    ran.error = module.error().message;
    return ran;
  }
  uint64_t buffer = (*memory)->allocate(words * 4);
  ran.out.resize(words);
  if (prepare)
    prepare(buffer, ran.out);
  (*memory)->write(buffer, ran.out.data(), words * 4);
  std::vector<uint8_t> parameters(8);
  std::memcpy(parameters.data(), &buffer, 8);
  if (!options.maxInstructions)
    options.maxInstructions = 10'000'000;
  Result<LaunchResult> result = launch(*(*module)->kernel("k"), **memory, grid, block, shared, parameters, options);
  if (!result) {
    ran.error = result.error().message;
    return ran;
  }
  ran.findings = std::move(result->findings);
  ran.counters = std::move(result->counters);
  (*memory)->read(buffer, ran.out.data(), words * 4);
  return ran;
}

::testing::AssertionResult nova::emulator::isClean(const Ran &ran) {
  if (!ran.error.empty())
    return ::testing::AssertionFailure() << ran.error;
  if (!ran.findings.empty())
    return ::testing::AssertionFailure() << ran.findings.front().message;
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult nova::emulator::found(const Ran &ran, Finding::Kind kind, const std::string &text) {
  if (!ran.error.empty())
    return ::testing::AssertionFailure() << ran.error;
  if (ran.findings.empty())
    return ::testing::AssertionFailure() << "nothing was found";
  for (const Finding &finding : ran.findings)
    if (finding.kind != kind)
      return ::testing::AssertionFailure() << "also found: " << finding.message;
  if (ran.findings.front().message.find(text) == std::string::npos)
    return ::testing::AssertionFailure() << "found: " << ran.findings.front().message;
  return ::testing::AssertionSuccess();
}
