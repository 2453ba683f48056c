//===- CudaProgram.cpp - A bundle on a CUDA device ------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaProgram.h"

#include "Nova/Support/CheckedMath.h"

#include <climits>

using namespace nova;
using namespace nova::cuda;

/// Of everything in the allocation, and of packed arguments: what cuMemAlloc itself gives.
static constexpr uint64_t kAlignment = 256;
/// Shared memory that a kernel may have without being asked.
static constexpr uint64_t kSharedBytes = 48 << 10;

Packing::Packing(const std::vector<Argument> &arguments) {
  for (const Argument &argument : arguments) {
    offsets.push_back(bytes);
    bytes = alignTo(bytes + *byteCount(argument.tensor), kAlignment);
  }
}

Result<Program> Program::load(std::shared_ptr<const Context> context, std::shared_ptr<const Bundle> bundle,
                              uint64_t stagingBytes) {
  Program program(std::move(context), std::move(bundle));
  if (Result<void> loaded = program.loadKernels(); !loaded)
    return loaded.error();
  if (Result<void> allocated = program.allocate(stagingBytes); !allocated)
    return allocated.error();
  program.graphs.resize(program.bundle->entries.size());
  return program;
}

std::string Program::describe(const Kernel &kernel) const {
  return (kernel.location.empty() ? "" : kernel.location + ": ") + "kernel '" + kernel.name + "' with " +
         std::to_string(kernel.blocks) + " blocks of " + std::to_string(kernel.gpuThreads) + " threads";
}

Result<void> Program::loadKernels() {
  for (const Kernel &kernel : bundle->kernels)
    if (kernel.gpuThreads <= 0 || kernel.gpuThreads > 1024 || kernel.blocks > INT_MAX ||
        kernel.gpuSharedBytes > INT_MAX)
      return deviceError(describe(kernel) +
                         ": expected 1 to 1024 threads, at most 2147483647 blocks and as many bytes " +
                         "of shared memory; the bundle is broken or made for a CPU");
  const Driver &driver = context->driver;
  auto loaded = context->loadModule(rankCudaImages(bundle->images, context->capability()));
  if (!loaded)
    return loaded.error();
  module = std::move(*loaded);
  for (const Kernel &kernel : bundle->kernels) {
    CUfunction function = nullptr;
    if (Result<void> found =
            driver.callFor(describe(kernel), driver.cuModuleGetFunction, &function, module.get(), kernel.name.c_str());
        !found)
      return found;
    if (kernel.gpuSharedBytes > kSharedBytes)
      if (Result<void> done =
              driver.callFor(describe(kernel), driver.cuFuncSetAttribute, function,
                             int(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES), int(kernel.gpuSharedBytes));
          !done)
        return done;
    functions.push_back(function);
  }
  return {};
}

Result<void> Program::allocate(uint64_t stagingBytes) {
  static constexpr const char *kNames[] = {"parameters and optimizer state", "activations", "constants",
                                           "inputs and outputs"};
  // Regions have at most 2^46 bytes, and inputs lie in one of them: the sum cannot overflow.
  uint64_t bytes = 0, offsets[kRegionCount];
  std::string parts;
  for (unsigned i = 0; i < kRegionCount; ++i) {
    offsets[i] = bytes;
    bytes = alignTo(bytes + bundle->regionBytes[i], kAlignment);
    if (bundle->regionBytes[i])
      parts += (parts.empty() ? "" : ", ") + std::to_string(bundle->regionBytes[i]) + " of " + kNames[i];
  }
  uint64_t statusOffset = bytes, stagingOffset = statusOffset + alignTo(sizeof(Status), kAlignment);
  bytes = stagingOffset + stagingBytes;
  if (stagingBytes)
    parts += (parts.empty() ? "" : ", ") + std::to_string(stagingBytes) + " of batches on their way";
  auto allocated = context->allocate(bytes, "the program (" + parts + ")");
  if (!allocated)
    return allocated.error();
  memory = std::move(*allocated);
  for (unsigned i = 0; i < kRegionCount; ++i)
    regions[i] = memory.get() + offsets[i];
  statusPointer = memory.get() + statusOffset;
  stagingAddress = memory.get() + stagingOffset;
  return {};
}

Result<void> Program::launchOne(size_t entry, size_t number, CUstream stream) const {
  const Launch &launch = bundle->entries[entry].launches[number];
  const Kernel &kernel = bundle->kernels[launch.kernel];
  if (kernel.blocks == 0) // a result without elements
    return {};
  std::vector<CUdeviceptr> pointers;
  for (Address argument : launch.arguments)
    pointers.push_back(at(argument));
  pointers.push_back(statusPointer);
  std::vector<void *> parameters;
  for (CUdeviceptr &pointer : pointers)
    parameters.push_back(&pointer);
  const Driver &driver = context->driver;
  return driver.callFor(describe(kernel), driver.cuLaunchKernel, functions[launch.kernel], unsigned(kernel.blocks), 1u,
                        1u, unsigned(kernel.gpuThreads), 1u, 1u, unsigned(kernel.gpuSharedBytes), stream,
                        parameters.data(), static_cast<void **>(nullptr));
}

Result<void> Program::launchEach(size_t entry, CUstream stream, LaunchObserver *observer) const {
  const Driver &driver = context->driver;
  auto begin = context->createEvent(CU_EVENT_DEFAULT), end = context->createEvent(CU_EVENT_DEFAULT);
  if (!begin || !end)
    return begin ? end.error() : begin.error();
  for (size_t i = 0; i < bundle->entries[entry].launches.size(); ++i) {
    const Kernel &kernel = bundle->kernels[bundle->entries[entry].launches[i].kernel];
    if (Result<void> done = driver.call(driver.cuEventRecord, begin->get(), stream); !done)
      return done;
    if (Result<void> launched = launchOne(entry, i, stream); !launched)
      return launched;
    if (Result<void> done = driver.call(driver.cuEventRecord, end->get(), stream); !done)
      return done;
    if (Result<void> done = driver.callFor(describe(kernel), driver.cuEventSynchronize, end->get()); !done)
      return done;
    if (!observer)
      continue;
    LaunchEvent event;
    event.entry = entry;
    event.launch = i;
    event.span.end = LaunchEvent::Clock::now();
    float milliseconds = 0; // by the device's clock: no launch is in it
    if (Result<void> done = driver.call(driver.cuEventElapsedTime, &milliseconds, begin->get(), end->get()); !done)
      return done;
    std::chrono::duration<double, std::milli> elapsed(milliseconds);
    event.span.begin = event.span.end - std::chrono::duration_cast<LaunchEvent::Clock::duration>(elapsed);
    if (Result<void> told = observer->launched(event); !told)
      return told;
  }
  return {};
}

Result<void> Program::launch(size_t entry, CUstream stream) {
  const Driver &driver = context->driver;
  size_t count = bundle->entries[entry].launches.size();
  if (count == 0)
    return {};
  if (!graphs[entry].get()) {
    auto graph = context->capture(stream, [&]() -> Result<void> {
      for (size_t i = 0; i < count; ++i)
        if (Result<void> launched = launchOne(entry, i, stream); !launched)
          return launched;
      return {};
    });
    if (!graph)
      return graph.error();
    graphs[entry] = std::move(*graph);
  }
  return driver.callFor("entry '" + bundle->entries[entry].name + "'", driver.cuGraphLaunch, graphs[entry].get(),
                        stream);
}
