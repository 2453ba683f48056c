//===- CudaDriver.h - The functions of a CUDA driver ------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver's functions as Nova uses them, found by dlopen so that no toolkit is needed to run. The library is the
// vendor's libcuda.so.1, the emulator, or a test's.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_RUNTIME_CUDADRIVER_H
#define NOVA_LIB_RUNTIME_CUDADRIVER_H

#include "Nova/Support/Cuda.h"
#include "Nova/Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace nova::cuda {

/// Every function of the driver that Nova calls: its name in the library and its parameters; all return a CUresult.
#define NOVA_CUDA_FUNCTIONS(F)                                                                                         \
  F(cuInit, unsigned)                                                                                                  \
  F(cuDriverGetVersion, int *)                                                                                         \
  F(cuGetErrorName, CUresult, const char **)                                                                           \
  F(cuGetErrorString, CUresult, const char **)                                                                         \
  F(cuDeviceGetCount, int *)                                                                                           \
  F(cuDeviceGet, int *, int)                                                                                           \
  F(cuDeviceGetName, char *, int, int)                                                                                 \
  F(cuDeviceGetAttribute, int *, int, int)                                                                             \
  F(cuDevicePrimaryCtxRetain, CUcontext *, int)                                                                        \
  F(cuDevicePrimaryCtxRelease_v2, int)                                                                                 \
  F(cuCtxSetCurrent, CUcontext)                                                                                        \
  F(cuModuleLoadDataEx, CUmodule *, const void *, unsigned, int *, void **)                                            \
  F(cuModuleUnload, CUmodule)                                                                                          \
  F(cuModuleGetFunction, CUfunction *, CUmodule, const char *)                                                         \
  F(cuFuncSetAttribute, CUfunction, int, int)                                                                          \
  F(cuMemGetInfo_v2, size_t *, size_t *)                                                                               \
  F(cuMemAlloc_v2, CUdeviceptr *, size_t)                                                                              \
  F(cuMemFree_v2, CUdeviceptr)                                                                                         \
  F(cuMemAllocHost_v2, void **, size_t)                                                                                \
  F(cuMemFreeHost, void *)                                                                                             \
  F(cuMemcpyHtoDAsync_v2, CUdeviceptr, const void *, size_t, CUstream)                                                 \
  F(cuMemcpyDtoHAsync_v2, void *, CUdeviceptr, size_t, CUstream)                                                       \
  F(cuMemcpyDtoDAsync_v2, CUdeviceptr, CUdeviceptr, size_t, CUstream)                                                  \
  F(cuMemsetD8Async, CUdeviceptr, unsigned char, size_t, CUstream)                                                     \
  F(cuStreamCreate, CUstream *, unsigned)                                                                              \
  F(cuStreamDestroy_v2, CUstream)                                                                                      \
  F(cuStreamSynchronize, CUstream)                                                                                     \
  F(cuStreamWaitEvent, CUstream, CUevent, unsigned)                                                                    \
  F(cuStreamBeginCapture_v2, CUstream, int)                                                                            \
  F(cuStreamEndCapture, CUstream, CUgraph *)                                                                           \
  F(cuEventCreate, CUevent *, unsigned)                                                                                \
  F(cuEventDestroy_v2, CUevent)                                                                                        \
  F(cuEventRecord, CUevent, CUstream)                                                                                  \
  F(cuEventSynchronize, CUevent)                                                                                       \
  F(cuEventElapsedTime, float *, CUevent, CUevent)                                                                     \
  F(cuLaunchKernel, CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,        \
    void **, void **)                                                                                                  \
  F(cuGraphInstantiateWithFlags, CUgraphExec *, CUgraph, unsigned long long)                                           \
  F(cuGraphLaunch, CUgraphExec, CUstream)                                                                              \
  F(cuGraphExecDestroy, CUgraphExec)                                                                                   \
  F(cuGraphDestroy, CUgraph)

template <typename... Parameters> struct Function {
  const char *name = "";
  CUresult (*pointer)(Parameters...) = nullptr;
  /// A library has types of its own for handles: to a sanitizer its functions are of other types.
  __attribute__((no_sanitize("function"))) CUresult operator()(Parameters... parameters) const {
    return pointer(parameters...);
  }
};

class Driver {
public:
  /// Opens the library and looks up every function; an error names what was looked for. An empty path means
  /// libcuda.so.1. The library stays open: drivers are not made to be unloaded.
  static Result<Driver> open(const std::string &path);

#define NOVA_CUDA_MEMBER(name, ...) Function<__VA_ARGS__> name;
  NOVA_CUDA_FUNCTIONS(NOVA_CUDA_MEMBER)
#undef NOVA_CUDA_MEMBER

  /// Calls a function: driver.call(driver.cuMemFree_v2, pointer). The error has the function's name, the code with the
  /// driver's name and text for it, and what to do; `subject` says what the call was for.
  template <typename... Parameters, typename... Arguments>
  Result<void> callFor(const std::string &subject, const Function<Parameters...> &function,
                       Arguments... arguments) const {
    CUresult code = function(arguments...);
    if (code == CUDA_SUCCESS)
      return {};
    return errorOf(code, function.name, subject);
  }
  template <typename... Parameters, typename... Arguments>
  Result<void> call(const Function<Parameters...> &function, Arguments... arguments) const {
    return callFor("", function, arguments...);
  }

  Error errorOf(CUresult code, const char *function, const std::string &subject = "") const;

private:
  std::string path;
};

/// Nova's oldest driver: sm_89 and its PTX 7.8 came with CUDA 11.8.
constexpr int kLeastDriverVersion = 11080;

/// "11.8" for 11080.
std::string versionToString(int version);

} // namespace nova::cuda

#endif // NOVA_LIB_RUNTIME_CUDADRIVER_H
