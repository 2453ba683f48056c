//===- CudaContext.cpp - A CUDA device and what is held of it -------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaContext.h"

#include <algorithm>
#include <array>

using namespace nova;
using namespace nova::cuda;

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

Result<std::shared_ptr<CudaDevice>> CudaDevice::open(const CudaOptions &options) {
  auto context = Context::create(options);
  if (!context)
    return context.error();
  return std::shared_ptr<CudaDevice>(std::move(*context));
}

Result<std::shared_ptr<Context>> Context::create(const CudaOptions &options) {
  Result<Driver> driver = Driver::open(options.driver);
  if (!driver)
    return driver.error();
  std::shared_ptr<Context> context(new Context(options, std::move(*driver)));
  if (Result<void> started = context->start(); !started)
    return started.error();
  return context;
}

Result<void> Context::start() {
  if (Result<void> done = driver.call(driver.cuInit, 0u); !done)
    return done;
  int version = 0, count = 0;
  if (Result<void> done = driver.call(driver.cuDriverGetVersion, &version); !done)
    return done;
  if (version < kLeastDriverVersion)
    return deviceError("expected a driver for CUDA " + versionToString(kLeastDriverVersion) +
                       " or newer, found one for " + versionToString(version) + "; install a newer driver");
  if (Result<void> done = driver.call(driver.cuDeviceGetCount, &count); !done)
    return done;
  if (options.ordinal >= count)
    return deviceError("expected a GPU with number " + std::to_string(options.ordinal) + ", found " +
                       std::to_string(count) + " of them; nvidia-smi lists them, and CUDA_VISIBLE_DEVICES may hide " +
                       "some; --device=cpu needs none");
  if (Result<void> done = driver.call(driver.cuDeviceGet, &device, options.ordinal); !done)
    return done;
  char text[256] = "";
  if (Result<void> done = driver.call(driver.cuDeviceGetName, text, int(sizeof(text)) - 1, device); !done)
    return done;
  deviceName = text;
  int major = 0, minor = 0;
  for (auto [value, attribute] : {std::pair(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                                  std::pair(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)})
    if (Result<void> done = driver.call(driver.cuDeviceGetAttribute, value, int(attribute), device); !done)
      return done;
  deviceCapability = 10 * major + minor;
  if (Result<void> done = driver.call(driver.cuDevicePrimaryCtxRetain, &handle, device); !done)
    return done;
  return driver.call(driver.cuCtxSetCurrent, handle);
}

Context::~Context() {
  if (handle)
    (void)driver.cuDevicePrimaryCtxRelease_v2(device);
}

DeviceInfo Context::info() const {
  // What a driver does not know is 0.
  auto attribute = [&](CUdevice_attribute which) -> double {
    int value = 0;
    return driver.cuDeviceGetAttribute(&value, which, device) == CUDA_SUCCESS ? value : 0;
  };
  DeviceInfo info = {options.name, deviceName + " (sm_" + std::to_string(deviceCapability) + ")", 0};
  // What a multiprocessor does in a clock: sm_80 adds and multiplies in 64 lanes, all others in 128; tensor cores
  // multiply and add bf16 with sums in f32, and tf32 at half that speed. Memory moves data twice in a clock.
  double lanes = deviceCapability == 80 ? 64 : 128;
  double tensorFlops = deviceCapability >= 90 ? 4096 : deviceCapability >= 86 ? 1024 : 2048;
  double clocks = 1e3 * attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) * attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  auto limit = [&](Unit unit) -> double & { return info.flopsPerSecond[static_cast<size_t>(unit)]; };
  limit(Unit::Vectors) = 2 * lanes * clocks;
  limit(Unit::TensorCores) = tensorFlops * clocks;
  limit(Unit::TensorCoresTf32) = tensorFlops / 2 * clocks;
  info.cacheBytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  info.bytesPerSecond = 2 * 1e3 * attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) *
                        attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8;
  return info;
}

//===----------------------------------------------------------------------===//
// Memory, streams, events
//===----------------------------------------------------------------------===//

static std::string withBytes(uint64_t bytes, const std::string &what) {
  return std::to_string(bytes) + " bytes for " + what;
}

Result<Owned<CUdeviceptr>> Context::allocate(uint64_t bytes, const std::string &what) const {
  CUdeviceptr pointer = 0;
  CUresult code = driver.cuMemAlloc_v2(&pointer, std::max<uint64_t>(bytes, 1));
  if (code == CUDA_SUCCESS)
    return Owned<CUdeviceptr>(driver.cuMemFree_v2, pointer);
  std::string subject = "cannot allocate " + withBytes(bytes, what) + " on " + deviceName;
  size_t free = 0, total = 0;
  if (driver.cuMemGetInfo_v2(&free, &total) == CUDA_SUCCESS)
    subject += ", which has " + std::to_string(free) + " of its " + std::to_string(total) + " bytes free";
  return driver.errorOf(code, driver.cuMemAlloc_v2.name, subject);
}

Result<Owned<void *>> Context::allocateHost(uint64_t bytes, const std::string &what) const {
  void *pointer = nullptr;
  if (Result<void> done = driver.callFor("cannot allocate " + withBytes(bytes, what) + " in page-locked memory",
                                         driver.cuMemAllocHost_v2, &pointer, size_t(std::max<uint64_t>(bytes, 1)));
      !done)
    return done.error();
  return Owned<void *>(driver.cuMemFreeHost, pointer);
}

Result<Owned<CUstream>> Context::createStream() const {
  CUstream stream = nullptr;
  if (Result<void> done = driver.call(driver.cuStreamCreate, &stream, unsigned(CU_STREAM_NON_BLOCKING)); !done)
    return done.error();
  return Owned<CUstream>(driver.cuStreamDestroy_v2, stream);
}

Result<Owned<CUevent>> Context::createEvent(unsigned flags) const {
  CUevent event = nullptr;
  if (Result<void> done = driver.call(driver.cuEventCreate, &event, flags); !done)
    return done.error();
  return Owned<CUevent>(driver.cuEventDestroy_v2, event);
}

//===----------------------------------------------------------------------===//
// Modules and graphs
//===----------------------------------------------------------------------===//

Result<Owned<CUmodule>> Context::loadModule(const std::vector<const Image *> &images) const {
  Error last = deviceError("expected an image for " + deviceName + ", found none");
  for (const Image *image : images) {
    std::array<char, 4096> log = {};
    int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    // The driver takes the size as the value of the pointer itself.
    void *values[] = {log.data(), reinterpret_cast<void *>(uintptr_t(log.size() - 1))};
    CUmodule module = nullptr;
    CUresult code = driver.cuModuleLoadDataEx(&module, image->bytes.c_str(), 2, options, values);
    if (code == CUDA_SUCCESS)
      return Owned<CUmodule>(driver.cuModuleUnload, module);
    last = driver.errorOf(code, driver.cuModuleLoadDataEx.name, "the " + image->format + " for " + image->target);
    if (log[0])
      last.message += "\n" + std::string(log.data());
    if (code != CUDA_ERROR_NO_BINARY_FOR_GPU)
      break;
  }
  return last;
}

Result<Owned<CUgraphExec>> Context::capture(CUstream stream, const std::function<Result<void>()> &work) const {
  if (Result<void> begun =
          driver.call(driver.cuStreamBeginCapture_v2, stream, int(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
      !begun)
    return begun.error();
  Result<void> worked = work();
  CUgraph captured = nullptr;
  Result<void> ended = driver.call(driver.cuStreamEndCapture, stream, &captured);
  Owned<CUgraph> graph(driver.cuGraphDestroy, captured);
  if (!worked)
    return worked.error();
  if (!ended)
    return ended.error();
  CUgraphExec executable = nullptr;
  if (Result<void> done = driver.call(driver.cuGraphInstantiateWithFlags, &executable, graph.get(), 0ull); !done)
    return done.error();
  return Owned<CUgraphExec>(driver.cuGraphExecDestroy, executable);
}
