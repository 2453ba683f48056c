//===- DriverDevice.cpp - The device that the driver shows ----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <cstdio>
#include <cstring>

using namespace nova::emulator;

NOVA_CUDA CUresult cuInit(unsigned flags) {
  Call call;
  return flags ? CUDA_ERROR_INVALID_VALUE : call->initialise();
}

NOVA_CUDA CUresult cuDriverGetVersion(int *version) {
  Call call;
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  call->initialise(); // works before cuInit, and the faults are known then
  *version = call->faults.oldDriver ? 11000 : 13000;
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuDeviceGetCount(int *count) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!count)
    return CUDA_ERROR_INVALID_VALUE;
  *count = 1;
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  if (ordinal != 0)
    return CUDA_ERROR_INVALID_DEVICE;
  *device = 0;
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuDeviceGetName(char *name, int bytes, CUdevice device) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!name || bytes <= 0 || device != 0)
    return CUDA_ERROR_INVALID_VALUE;
  std::snprintf(name, static_cast<size_t>(bytes), "%s", "Nova emulator");
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!value || device != 0)
    return CUDA_ERROR_INVALID_VALUE;
  int capability = call->computeCapability;
  int sharedPerBlock = (capability == 90 ? 227 : capability == 80 ? 163 : 99) << 10;
  const std::pair<int, int> attributes[] = {
      {1, 1024},                   // MAX_THREADS_PER_BLOCK
      {2, 1024},                   // MAX_BLOCK_DIM_X
      {3, 1024},                   // MAX_BLOCK_DIM_Y
      {4, 64},                     // MAX_BLOCK_DIM_Z
      {5, INT32_MAX},              // MAX_GRID_DIM_X
      {6, 65535},                  // MAX_GRID_DIM_Y
      {7, 65535},                  // MAX_GRID_DIM_Z
      {8, 48 << 10},               // MAX_SHARED_MEMORY_PER_BLOCK
      {9, 64 << 10},               // TOTAL_CONSTANT_MEMORY
      {10, 32},                    // WARP_SIZE
      {12, 65536},                 // MAX_REGISTERS_PER_BLOCK
      {13, 1000000},               // CLOCK_RATE
      {16, 1},                     // MULTIPROCESSOR_COUNT
      {31, 1},                     // CONCURRENT_KERNELS
      {36, 1000000},               // MEMORY_CLOCK_RATE
      {37, 128},                   // GLOBAL_MEMORY_BUS_WIDTH
      {38, 4 << 20},               // L2_CACHE_SIZE
      {39, 1536},                  // MAX_THREADS_PER_MULTIPROCESSOR
      {40, 1},                     // ASYNC_ENGINE_COUNT
      {41, 1},                     // UNIFIED_ADDRESSING
      {75, capability / 10},       // COMPUTE_CAPABILITY_MAJOR
      {76, capability % 10},       // COMPUTE_CAPABILITY_MINOR
      {81, sharedPerBlock + 1024}, // MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
      {82, 65536},                 // MAX_REGISTERS_PER_MULTIPROCESSOR
      {97, sharedPerBlock},        // MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
      {115, 0},                    // MEMORY_POOLS_SUPPORTED
  };
  for (const auto &[known, found] : attributes)
    if (known == attribute) {
      *value = found;
      return CUDA_SUCCESS;
    }
  *value = 0;
  return attribute > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

NOVA_CUDA CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!bytes || device != 0)
    return CUDA_ERROR_INVALID_VALUE;
  *bytes = call->memory->capacity();
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Context
//===----------------------------------------------------------------------===//

/// There is one context; its handle only has to be told from null.
static CUcontext theContext() { return reinterpret_cast<CUcontext>(&DriverState::get()); }

NOVA_CUDA CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!context || device != 0)
    return CUDA_ERROR_INVALID_VALUE;
  ++call->contextUses;
  *context = theContext();
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  Call call;
  if (device != 0 || !call->contextUses)
    return CUDA_ERROR_INVALID_CONTEXT;
  --call->contextUses;
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuCtxSetCurrent(CUcontext context) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  return !context || context == theContext() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

namespace {
struct ErrorText {
  CUresult code;
  const char *name, *text;
};
} // namespace

static constexpr ErrorText kErrors[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CUDA_ERROR_DEVICE_UNAVAILABLE, "CUDA_ERROR_DEVICE_UNAVAILABLE",
     "CUDA-capable device(s) is/are busy or unavailable"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {CUDA_ERROR_INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "operation failed due to a previous error during capture"},
    {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static const ErrorText *findError(CUresult code) {
  for (const ErrorText &error : kErrors)
    if (error.code == code)
      return &error;
  return nullptr;
}

NOVA_CUDA CUresult cuGetErrorName(CUresult code, const char **name) {
  const ErrorText *error = findError(code);
  if (name)
    *name = error ? error->name : nullptr;
  return name && error ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

NOVA_CUDA CUresult cuGetErrorString(CUresult code, const char **text) {
  const ErrorText *error = findError(code);
  if (text)
    *text = error ? error->text : nullptr;
  return text && error ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

//===----------------------------------------------------------------------===//
// Entry points by name
//===----------------------------------------------------------------------===//

#define NOVA_ENTRY_POINTS(X)                                                                                           \
  X(cuInit)                                                                                                            \
  X(cuDriverGetVersion)                                                                                                \
  X(cuDeviceGet)                                                                                                       \
  X(cuDeviceGetCount)                                                                                                  \
  X(cuDeviceGetName)                                                                                                   \
  X(cuDeviceGetAttribute) X(cuDeviceTotalMem_v2) X(cuDevicePrimaryCtxRetain) X(cuDevicePrimaryCtxRelease_v2)           \
      X(cuCtxSetCurrent) X(cuCtxSynchronize) X(cuMemAlloc_v2) X(cuMemFree_v2) X(cuMemAllocHost_v2) X(cuMemHostAlloc)   \
          X(cuMemFreeHost) X(cuMemGetInfo_v2) X(cuMemcpyHtoD_v2) X(cuMemcpyDtoH_v2) X(cuMemcpyHtoDAsync_v2)            \
              X(cuMemcpyDtoHAsync_v2) X(cuMemcpyDtoDAsync_v2) X(cuMemsetD8Async) X(cuMemsetD32Async) X(cuStreamCreate) \
                  X(cuStreamDestroy_v2) X(cuStreamSynchronize) X(cuStreamQuery) X(cuStreamWaitEvent)                   \
                      X(cuStreamBeginCapture_v2) X(cuStreamEndCapture) X(cuGraphInstantiateWithFlags) X(cuGraphUpload) \
                          X(cuGraphLaunch) X(cuGraphDestroy) X(cuGraphExecDestroy) X(cuEventCreate) X(cuEventRecord)   \
                              X(cuEventSynchronize) X(cuEventQuery) X(cuEventElapsedTime) X(cuEventElapsedTime_v2)     \
                                  X(cuEventDestroy_v2) X(cuModuleLoadData) X(cuModuleLoadDataEx) X(cuModuleUnload)     \
                                      X(cuModuleGetFunction) X(cuModuleGetGlobal_v2) X(cuFuncGetAttribute)             \
                                          X(cuFuncSetAttribute) X(cuLaunchKernel) X(cuGetErrorName)                    \
                                              X(cuGetErrorString) X(cuGetProcAddress_v2) X(cuTensorMapEncodeTiled)

#define NOVA_DECLARE(name) extern "C" void name##_declared() __asm__(#name);
NOVA_ENTRY_POINTS(NOVA_DECLARE)
#undef NOVA_DECLARE

NOVA_CUDA CUresult cuGetProcAddress_v2(const char *name, void **function, int, unsigned long long, int *status) {
  if (!name || !function)
    return CUDA_ERROR_INVALID_VALUE;
#define NOVA_ENTRY(known) {#known, reinterpret_cast<void *>(known##_declared)},
  static const std::pair<const char *, void *> entries[] = {NOVA_ENTRY_POINTS(NOVA_ENTRY)};
#undef NOVA_ENTRY
  *function = nullptr;
  // Callers leave the version out: cuMemAlloc is cuMemAlloc_v2.
  for (const auto &[known, address] : entries)
    if (!std::strcmp(known, name) || (std::string(name) + "_v2") == known)
      *function = address;
  if (status)
    *status = *function ? 0 : 1; // CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
