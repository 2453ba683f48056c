//===- CudaDriver.h - The functions of a CUDA driver ------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver's functions as Nova uses them, declared here so that no toolkit is needed to build, and found by dlopen so
// that none is needed to run. The library is the vendor's libcuda.so.1, the emulator, or a test's.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_RUNTIME_CUDADRIVER_H
#define NOVA_LIB_RUNTIME_CUDADRIVER_H

#include "Nova/Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace nova::cuda {

/// 0, or an error: CUresult.
using Code = int;
/// An address in the device's memory: CUdeviceptr.
using Pointer = unsigned long long;
using ContextHandle = struct Context_ *;
using ModuleHandle = struct Module_ *;
using FunctionHandle = struct Function_ *;
using StreamHandle = struct Stream_ *;
using EventHandle = struct Event_ *;
using GraphHandle = struct Graph_ *;
using GraphExecHandle = struct GraphExec_ *;

// Values of the driver's enumerations, by their names there.
enum : Code {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_STUB_LIBRARY = 34,
  CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_ECC_UNCORRECTABLE = 214,
  CUDA_ERROR_INVALID_PTX = 218,
  CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
  CUDA_ERROR_LAUNCH_TIMEOUT = 702,
  CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_SYSTEM_NOT_READY = 802,
  CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
  CUDA_ERROR_UNKNOWN = 999,
};
enum DeviceAttribute : int {
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13, // kHz
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,       // kHz
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37, // bits
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
};
enum FunctionAttribute : int { CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 };
enum JitOption : int { CU_JIT_ERROR_LOG_BUFFER = 5, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6 };
enum : unsigned { CU_STREAM_NON_BLOCKING = 1, CU_EVENT_DEFAULT = 0, CU_EVENT_DISABLE_TIMING = 2 };
enum : int { CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1 };

/// Every function of the driver that Nova calls: its name in the library and its parameters; all return a Code.
#define NOVA_CUDA_FUNCTIONS(F)                                                                                         \
  F(cuInit, unsigned)                                                                                                  \
  F(cuDriverGetVersion, int *)                                                                                         \
  F(cuGetErrorName, Code, const char **)                                                                               \
  F(cuGetErrorString, Code, const char **)                                                                             \
  F(cuDeviceGetCount, int *)                                                                                           \
  F(cuDeviceGet, int *, int)                                                                                           \
  F(cuDeviceGetName, char *, int, int)                                                                                 \
  F(cuDeviceGetAttribute, int *, int, int)                                                                             \
  F(cuDevicePrimaryCtxRetain, ContextHandle *, int)                                                                    \
  F(cuDevicePrimaryCtxRelease_v2, int)                                                                                 \
  F(cuCtxSetCurrent, ContextHandle)                                                                                    \
  F(cuModuleLoadDataEx, ModuleHandle *, const void *, unsigned, int *, void **)                                        \
  F(cuModuleUnload, ModuleHandle)                                                                                      \
  F(cuModuleGetFunction, FunctionHandle *, ModuleHandle, const char *)                                                 \
  F(cuFuncSetAttribute, FunctionHandle, int, int)                                                                      \
  F(cuMemGetInfo_v2, size_t *, size_t *)                                                                               \
  F(cuMemAlloc_v2, Pointer *, size_t)                                                                                  \
  F(cuMemFree_v2, Pointer)                                                                                             \
  F(cuMemAllocHost_v2, void **, size_t)                                                                                \
  F(cuMemFreeHost, void *)                                                                                             \
  F(cuMemcpyHtoDAsync_v2, Pointer, const void *, size_t, StreamHandle)                                                 \
  F(cuMemcpyDtoHAsync_v2, void *, Pointer, size_t, StreamHandle)                                                       \
  F(cuMemcpyDtoDAsync_v2, Pointer, Pointer, size_t, StreamHandle)                                                      \
  F(cuMemsetD8Async, Pointer, unsigned char, size_t, StreamHandle)                                                     \
  F(cuStreamCreate, StreamHandle *, unsigned)                                                                          \
  F(cuStreamDestroy_v2, StreamHandle)                                                                                  \
  F(cuStreamSynchronize, StreamHandle)                                                                                 \
  F(cuStreamWaitEvent, StreamHandle, EventHandle, unsigned)                                                            \
  F(cuStreamBeginCapture_v2, StreamHandle, int)                                                                        \
  F(cuStreamEndCapture, StreamHandle, GraphHandle *)                                                                   \
  F(cuEventCreate, EventHandle *, unsigned)                                                                            \
  F(cuEventDestroy_v2, EventHandle)                                                                                    \
  F(cuEventRecord, EventHandle, StreamHandle)                                                                          \
  F(cuEventSynchronize, EventHandle)                                                                                   \
  F(cuEventElapsedTime, float *, EventHandle, EventHandle)                                                             \
  F(cuLaunchKernel, FunctionHandle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,              \
    StreamHandle, void **, void **)                                                                                    \
  F(cuGraphInstantiateWithFlags, GraphExecHandle *, GraphHandle, unsigned long long)                                   \
  F(cuGraphLaunch, GraphExecHandle, StreamHandle)                                                                      \
  F(cuGraphExecDestroy, GraphExecHandle)                                                                               \
  F(cuGraphDestroy, GraphHandle)

template <typename... Parameters> struct Function {
  const char *name = "";
  Code (*pointer)(Parameters...) = nullptr;
  /// A library has types of its own for handles: to a sanitizer its functions are of other types.
  __attribute__((no_sanitize("function"))) Code operator()(Parameters... parameters) const {
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
    Code code = function(arguments...);
    if (code == CUDA_SUCCESS)
      return {};
    return errorOf(code, function.name, subject);
  }
  template <typename... Parameters, typename... Arguments>
  Result<void> call(const Function<Parameters...> &function, Arguments... arguments) const {
    return callFor("", function, arguments...);
  }

  Error errorOf(Code code, const char *function, const std::string &subject = "") const;

private:
  std::string path;
};

/// Nova's oldest driver: sm_89 and its PTX 7.8 came with CUDA 11.8.
constexpr int kLeastDriverVersion = 11080;

/// "11.8" for 11080.
std::string versionToString(int version);

} // namespace nova::cuda

#endif // NOVA_LIB_RUNTIME_CUDADRIVER_H
