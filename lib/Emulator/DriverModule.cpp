//===- DriverModule.cpp - Modules and launches of the driver --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace nova;
using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

enum JitOption : int { JitErrorLog = 5, JitErrorLogBytes = 6 };

/// The error log of cuModuleLoadDataEx, or stderr.
static void logError(const std::string &message, unsigned count, const int *options, void **values) {
  char *log = nullptr;
  size_t bytes = 0;
  for (unsigned i = 0; options && values && i < count; ++i) {
    if (options[i] == JitErrorLog)
      log = static_cast<char *>(values[i]);
    if (options[i] == JitErrorLogBytes)
      bytes = static_cast<size_t>(reinterpret_cast<uintptr_t>(values[i]) & 0xffffffff);
  }
  if (log && bytes)
    std::snprintf(log, bytes, "%s", message.c_str());
  else
    std::fprintf(stderr, "nova-emulator: %s\n", message.c_str());
}

static bool startsWith(const void *data, const char *magic, size_t bytes) {
  return std::memcmp(data, magic, bytes) == 0;
}

NOVA_CUDA CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, int *options,
                                      void **values) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!module || !image)
    return CUDA_ERROR_INVALID_VALUE;
  if (startsWith(image, "\x7f", 1) || startsWith(image, "\x50", 1)) {
    logError("expected PTX text, found a cubin or a fatbin; hand the emulator the PTX that it was made from", count,
             options, values);
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  if (call->faults.module > 0 && --call->faults.module == 0) {
    logError("this module fails to load (NOVA_EMULATOR_FAULT)", count, options, values);
    return CUDA_ERROR_INVALID_PTX;
  }
  Result<std::unique_ptr<Module>> loaded = Module::load(static_cast<const char *>(image), "PTX", *call->memory);
  if (!loaded) {
    logError(loaded.error().message, count, options, values);
    return loaded.error().kind == ErrorKind::Device ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_PTX;
  }
  *module = new CUmod_st{std::move(*loaded), {}};
  call->modules.insert(*module);
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

NOVA_CUDA CUresult cuModuleUnload(CUmodule module) {
  Call call;
  if (!call->modules.count(module))
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult result = drain(nullptr);
  for (auto &[name, function] : module->functions) {
    call->functions.erase(function);
    delete function;
  }
  call->modules.erase(module);
  delete module;
  return result;
}

NOVA_CUDA CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!function || !name || !call->modules.count(module))
    return CUDA_ERROR_INVALID_VALUE;
  const Program *program = module->module->kernel(name);
  if (!program)
    return CUDA_ERROR_NOT_FOUND;
  CUfunction &known = module->functions[name];
  if (!known) {
    known = new CUfunc_st;
    known->program = program;
    known->module = module;
    call->functions.insert(known);
  }
  *function = known;
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!name || !call->modules.count(module))
    return CUDA_ERROR_INVALID_VALUE;
  auto [start, size] = module->module->variable(name);
  if (!start)
    return CUDA_ERROR_NOT_FOUND;
  if (address)
    *address = start;
  if (bytes)
    *bytes = size;
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

NOVA_CUDA CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!value || !call->functions.count(function))
    return CUDA_ERROR_INVALID_HANDLE;
  const Program &program = *function->program;
  switch (attribute) {
  case 0: // MAX_THREADS_PER_BLOCK
    *value = static_cast<int>(maxThreads(program));
    return CUDA_SUCCESS;
  case 1: // SHARED_SIZE_BYTES
    *value = static_cast<int>(staticSharedBytes(program));
    return CUDA_SUCCESS;
  case 2: // CONST_SIZE_BYTES
    *value = 0;
    return CUDA_SUCCESS;
  case 3: // LOCAL_SIZE_BYTES
    *value = static_cast<int>(localBytes(program));
    return CUDA_SUCCESS;
  case 4: // NUM_REGS: of the PTX, before any allocation, and what a chip has at most
    *value = static_cast<int>(std::min<uint32_t>((registerBytes(program) + 3) / 4, 255));
    return CUDA_SUCCESS;
  case 5: // PTX_VERSION
  case 6: // BINARY_VERSION
    *value = call->computeCapability;
    return CUDA_SUCCESS;
  case 8: // MAX_DYNAMIC_SHARED_SIZE_BYTES
    *value = static_cast<int>(function->maxDynamicShared);
    return CUDA_SUCCESS;
  case 9: // PREFERRED_SHARED_MEMORY_CARVEOUT
    *value = -1;
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

NOVA_CUDA CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!call->functions.count(function))
    return CUDA_ERROR_INVALID_HANDLE;
  int max = (call->computeCapability == 90 ? 227 : call->computeCapability == 80 ? 163 : 99) << 10;
  if (attribute == 9)
    return CUDA_SUCCESS;
  if (attribute != 8 || value < 0 || value + static_cast<int>(staticSharedBytes(*function->program)) > max)
    return CUDA_ERROR_INVALID_VALUE;
  function->maxDynamicShared = static_cast<uint32_t>(value);
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static CUresult resultOf(const std::vector<Finding> &findings) {
  for (const Finding &finding : findings)
    if (finding.kind == Finding::Kind::Bounds || finding.kind == Finding::Kind::Misaligned)
      return finding.kind == Finding::Kind::Bounds ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_ERROR_MISALIGNED_ADDRESS;
  return findings.empty() ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_FAILED;
}

CUresult nova::emulator::runKernel(CUfunction function, Dim3 grid, Dim3 block, uint32_t shared,
                                   const std::vector<uint8_t> &parameters) {
  DriverState &state = DriverState::get();
  const Program &program = *function->program;
  if (state.faults.losesDevice && state.launches >= state.faults.launchesUntilLost)
    return CUDA_ERROR_DEVICE_UNAVAILABLE;
  ++state.launches;
  if (state.faults.failedLaunches.count(nameOf(program)))
    return CUDA_ERROR_LAUNCH_FAILED;
  Result<LaunchResult> result = launch(program, *state.memory, grid, block, shared, parameters, state.options);
  if (!result) {
    std::fprintf(stderr, "nova-emulator: %s\n", result.error().message.c_str());
    return CUDA_ERROR_LAUNCH_FAILED;
  }
  state.counters[nameOf(program)].add(result->counters);
  for (const Finding &finding : result->findings)
    std::fprintf(stderr, "nova-emulator: %s\n", finding.message.c_str());
  return resultOf(result->findings);
}

/// The parameters' bytes, from pointers to them or from one block (CU_LAUNCH_PARAM_BUFFER_POINTER).
static bool gatherParameters(const Program &program, void **parameters, void **extra, std::vector<uint8_t> &bytes) {
  const std::vector<KernelParameter> &all = parametersOf(program);
  bytes.resize(all.empty() ? 0 : all.back().offset + all.back().bytes);
  if (parameters) {
    for (size_t i = 0; i < all.size(); ++i)
      std::memcpy(bytes.data() + all[i].offset, parameters[i], all[i].bytes);
    return true;
  }
  const void *buffer = nullptr;
  size_t size = 0;
  for (; extra && *extra; extra += 2) {
    uintptr_t key = reinterpret_cast<uintptr_t>(*extra);
    if (key == 1)
      buffer = extra[1];
    else if (key == 2)
      size = *static_cast<size_t *>(extra[1]);
    else
      return false;
  }
  if (!bytes.empty() && (!buffer || size < bytes.size()))
    return false;
  if (!bytes.empty())
    std::memcpy(bytes.data(), buffer, bytes.size());
  return true;
}

NOVA_CUDA CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                                  unsigned blockY, unsigned blockZ, unsigned shared, CUstream stream, void **parameters,
                                  void **extra) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!call->functions.count(function) || (stream && !call->streams.count(stream)))
    return CUDA_ERROR_INVALID_HANDLE;
  const Program &program = *function->program;
  Dim3 grid{gridX, gridY, gridZ}, block{blockX, blockY, blockZ};
  if (call->faults.refusedLaunches.count(nameOf(program)))
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  if (Result<void> checked = checkLaunch(program, grid, block, shared); !checked) {
    std::fprintf(stderr, "nova-emulator: %s\n", checked.error().message.c_str());
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (shared > function->maxDynamicShared)
    return CUDA_ERROR_INVALID_VALUE;
  std::vector<uint8_t> bytes;
  if (!gatherParameters(program, parameters, extra, bytes))
    return CUDA_ERROR_INVALID_VALUE;
  return enqueue(stream, [=] {
    return DriverState::get().functions.count(function) ? runKernel(function, grid, block, shared, bytes)
                                                        : CUDA_ERROR_INVALID_HANDLE;
  });
}
