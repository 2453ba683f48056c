//===- Device.cpp - The device that --device names ------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "Libraries.h"

#include <cstdlib>

using namespace nova;

/// The GPUs that Nova makes code for, newest first.
static constexpr int kTargets[] = {90, 89, 80};

Result<Device> Device::open(const Options &options) {
  Device device;
  device.threads = static_cast<unsigned>(options.threads);
  device.isEmulator = options.device == "emulator";
  if (options.device != "cuda" && !device.isEmulator)
    return device;
  CudaOptions cuda;
  cuda.name = options.device;
  const char *synchronous = std::getenv("NOVA_CUDA_SYNC");
  cuda.isSynchronous = synchronous && std::string(synchronous) == "1";
  if (device.isEmulator) {
    Result<std::string> path = findLibrary("libNovaEmulator.so", "the emulator");
    if (!path)
      return path.error();
    cuda.driver = *path;
  }
  auto gpu = CudaDevice::open(cuda);
  if (!gpu)
    return gpu.error();
  device.gpu = std::move(*gpu);
  if (device.target().empty())
    return deviceError(device.gpu->name() + ": expected a GPU of sm_80 or newer, found sm_" +
                       std::to_string(device.gpu->capability()) + "; --device=cpu runs the same program");
  return device;
}

std::string Device::target() const {
  if (!gpu)
    return "cpu";
  for (int target : kTargets)
    if (target <= gpu->capability())
      return "sm_" + std::to_string(target);
  return "";
}

Result<Bundle> Device::parse(std::string_view bytes, const std::string &file) const {
  if (!gpu)
    return parseBundle(bytes, file);
  Result<std::vector<Bundle>> bundles = parseBundles(bytes, file);
  if (!bundles)
    return bundles.error();
  Result<size_t> selected = selectCudaBundle(*bundles, gpu->capability(), file);
  if (!selected)
    return selected.error();
  return std::move((*bundles)[*selected]);
}

Result<std::unique_ptr<Executable>> Device::load(Bundle bundle, const std::string &imageFolder) const {
  auto shared = std::make_shared<const Bundle>(std::move(bundle));
  return gpu ? gpu->load(std::move(shared)) : loadOnCpu(std::move(shared), {threads, imageFolder});
}

std::string nova::describeGpu() {
  auto gpu = CudaDevice::open({});
  return gpu ? (*gpu)->name() + " (sm_" + std::to_string((*gpu)->capability()) + ")" : gpu.error().message;
}
