//===- CudaDriver.cpp - The functions of a CUDA driver --------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include <dlfcn.h>
#include <type_traits>

using namespace nova;
using namespace nova::cuda;

std::string cuda::versionToString(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Result<Driver> Driver::open(const std::string &path) {
  Driver driver;
  driver.path = path.empty() ? "libcuda.so.1" : path;
  void *library = dlopen(driver.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return deviceError("expected a CUDA driver, " + driver.path + ", found none (" + dlerror() + "); " +
                       (path.empty() ? "install NVIDIA's driver, or use --device=cpu or --device=emulator"
                                     : "build or install it beside nova-run, or use --device=cpu"));
  std::string missing;
  auto resolve = [&](auto &function, const char *name) {
    function.name = name;
    function.pointer = reinterpret_cast<std::remove_reference_t<decltype(function.pointer)>>(dlsym(library, name));
    if (!function.pointer)
      missing += (missing.empty() ? "" : ", ") + std::string(name);
  };
#define NOVA_CUDA_RESOLVE(name, ...) resolve(driver.name, #name);
  NOVA_CUDA_FUNCTIONS(NOVA_CUDA_RESOLVE)
#undef NOVA_CUDA_RESOLVE
  if (!missing.empty())
    return deviceError(driver.path + ": expected a CUDA driver for CUDA " + versionToString(kLeastDriverVersion) +
                       " or newer, found one without " + missing + "; install a newer one");
  return driver;
}

/// What a user can do about an error.
static const char *adviceFor(CUresult code) {
  switch (code) {
  case CUDA_ERROR_OUT_OF_MEMORY:
    return "use a smaller batch or model, or end what else uses the GPU (nvidia-smi lists it)";
  case CUDA_ERROR_STUB_LIBRARY:
    return "the library found is the toolkit's stand-in for the driver; take its folder out of LD_LIBRARY_PATH";
  case CUDA_ERROR_NO_DEVICE:
  case CUDA_ERROR_INVALID_DEVICE:
    return "nvidia-smi lists the GPUs there are, and CUDA_VISIBLE_DEVICES may hide them; --device=cpu needs none";
  case CUDA_ERROR_SYSTEM_NOT_READY:
  case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    return "the driver's library and its kernel module do not fit; a restart of the machine loads the right one";
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_INVALID_PTX:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    return "compile for this GPU (nova-translate --nova-to-bundle --targets=...), or install a newer driver";
  case CUDA_ERROR_NOT_FOUND:
    return "the bundle is broken; make it again";
  case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    return "a smaller tile in the kernel's #nova.kernel_config needs fewer registers";
  case CUDA_ERROR_LAUNCH_TIMEOUT:
    return "the display's watchdog ended it; use a GPU without a display, or a smaller batch";
  case CUDA_ERROR_DEVICE_UNAVAILABLE:
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_UNKNOWN:
    return "the device is lost for this process; start again, from a checkpoint or --init, when nvidia-smi shows it";
  default:
    break;
  }
  // What a kernel did: the device takes no more calls of this process.
  if (code == CUDA_ERROR_ILLEGAL_ADDRESS ||
      (code >= CUDA_ERROR_HARDWARE_STACK_ERROR && code <= CUDA_ERROR_LAUNCH_FAILED))
    return "the device is lost for this process; NOVA_CUDA_SYNC=1 names the kernel, and --device=emulator the "
           "instruction";
  return "docs/Cuda.md says how to look into it";
}

Error Driver::errorOf(CUresult code, const char *function, const std::string &subject) const {
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName(code, &name) != CUDA_SUCCESS || !name)
    name = "an error that the driver has no name for";
  if (cuGetErrorString(code, &text) != CUDA_SUCCESS || !text)
    text = "no description";
  return deviceError((subject.empty() ? "" : subject + ": ") + function + " failed with " + name + " (" +
                     std::to_string(code) + "), " + text + "; " + adviceFor(code));
}
