//===- DriverMemory.cpp - Memory of the driver ----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <cstdlib>
#include <cstring>

using namespace nova::emulator;

/// Counts a call down to its fault; whether this is the one that fails.
static bool isFault(uint64_t &left) { return left > 0 && --left == 0; }

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

NOVA_CUDA CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!address || !bytes)
    return CUDA_ERROR_INVALID_VALUE;
  if (isFault(call->faults.outOfMemory))
    return CUDA_ERROR_OUT_OF_MEMORY;
  *address = call->memory->allocate(bytes);
  return *address ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

NOVA_CUDA CUresult cuMemFree_v2(CUdeviceptr address) {
  Call call;
  if (!call->isInitialised || !call->memory)
    return CUDA_ERROR_NOT_INITIALIZED;
  // As the driver does: what still runs may use it.
  CUresult result = drain(nullptr);
  return !address || call->memory->free(address) ? result : CUDA_ERROR_INVALID_VALUE;
}

static CUresult allocateHost(void **data, size_t bytes) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!data || !bytes || bytes > size_t(1) << 40)
    return CUDA_ERROR_INVALID_VALUE;
  if (isFault(call->faults.outOfHostMemory))
    return CUDA_ERROR_OUT_OF_MEMORY;
  *data = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (!*data)
    return CUDA_ERROR_OUT_OF_MEMORY;
  call->pinned[reinterpret_cast<uint64_t>(*data)] = bytes;
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuMemAllocHost_v2(void **data, size_t bytes) { return allocateHost(data, bytes); }
NOVA_CUDA CUresult cuMemHostAlloc(void **data, size_t bytes, unsigned) { return allocateHost(data, bytes); }

NOVA_CUDA CUresult cuMemFreeHost(void *data) {
  Call call;
  CUresult result = drain(nullptr);
  if (!call->pinned.erase(reinterpret_cast<uint64_t>(data)))
    return CUDA_ERROR_INVALID_VALUE;
  std::free(data);
  return result;
}

NOVA_CUDA CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!free || !total)
    return CUDA_ERROR_INVALID_VALUE;
  *total = call->memory->capacity();
  *free = *total - call->memory->used();
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static CUresult copyToDevice(CUdeviceptr to, const void *from, size_t bytes) {
  DriverState &state = DriverState::get();
  if (!state.memory->holds(to, bytes)) // freed since it was asked for
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  state.memory->write(to, from, bytes);
  return CUDA_SUCCESS;
}

static CUresult copyToHost(void *to, CUdeviceptr from, size_t bytes) {
  DriverState &state = DriverState::get();
  if (!state.memory->holds(from, bytes))
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  state.memory->read(from, to, bytes);
  return CUDA_SUCCESS;
}

/// What every copy asks first. `isFailing` when it is to fail once it is done.
static CUresult checkCopy(Call &call, CUstream stream, CUdeviceptr address, const void *host, size_t bytes,
                          bool &isFailing) {
  if (CUresult problem = call.problem())
    return problem;
  if (stream && !call->streams.count(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  if (bytes && (!host || !call->memory->holds(address, bytes)))
    return CUDA_ERROR_INVALID_VALUE;
  isFailing = isFault(call->faults.copy);
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  Call call;
  bool isFailing = false;
  if (CUresult problem = checkCopy(call, stream, to, from, bytes, isFailing))
    return problem;
  if (isFailing)
    return enqueue(stream, [] { return CUDA_ERROR_LAUNCH_FAILED; });
  if (!bytes)
    return CUDA_SUCCESS;
  // Pinned memory is read when the copy is done, other memory now.
  if (call->isPinned(from, bytes) || isCapturing(stream))
    return enqueue(stream, [=] { return copyToDevice(to, from, bytes); });
  auto staged = std::make_shared<std::vector<uint8_t>>(static_cast<const uint8_t *>(from),
                                                       static_cast<const uint8_t *>(from) + bytes);
  return enqueue(stream, [=] { return copyToDevice(to, staged->data(), bytes); });
}

NOVA_CUDA CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  Call call;
  bool isFailing = false;
  if (CUresult problem = checkCopy(call, stream, from, to, bytes, isFailing))
    return problem;
  if (isFailing)
    return enqueue(stream, [] { return CUDA_ERROR_LAUNCH_FAILED; });
  if (!bytes)
    return CUDA_SUCCESS;
  CUresult result = enqueue(stream, [=] { return copyToHost(to, from, bytes); });
  // To memory that is not pinned a copy is done when the call returns.
  bool isLate = call->isPinned(to, bytes) || isCapturing(stream);
  return result != CUDA_SUCCESS || isLate ? result : drain(stream);
}

NOVA_CUDA CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (stream && !call->streams.count(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!bytes)
    return CUDA_SUCCESS;
  if (!call->memory->holds(to, bytes) || !call->memory->holds(from, bytes))
    return CUDA_ERROR_INVALID_VALUE;
  return enqueue(stream, [=]() -> CUresult {
    DeviceMemory &memory = *DriverState::get().memory;
    if (!memory.holds(to, bytes) || !memory.holds(from, bytes))
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    memory.copy(to, from, bytes);
    return CUDA_SUCCESS;
  });
}

NOVA_CUDA CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  return cuMemcpyHtoDAsync_v2(to, from, bytes, nullptr);
}
NOVA_CUDA CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  return cuMemcpyDtoHAsync_v2(to, from, bytes, nullptr);
}

static CUresult fill(CUdeviceptr address, uint32_t pattern, uint32_t patternBytes, size_t count, CUstream stream) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (stream && !call->streams.count(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!count)
    return CUDA_SUCCESS;
  if (address % patternBytes || count > SIZE_MAX / patternBytes || !call->memory->holds(address, count * patternBytes))
    return CUDA_ERROR_INVALID_VALUE;
  return enqueue(stream, [=]() -> CUresult {
    DeviceMemory &memory = *DriverState::get().memory;
    if (!memory.holds(address, count * patternBytes))
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    memory.fill(address, pattern, patternBytes, count);
    return CUDA_SUCCESS;
  });
}

NOVA_CUDA CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t count, CUstream stream) {
  return fill(address, value, 1, count, stream);
}
NOVA_CUDA CUresult cuMemsetD32Async(CUdeviceptr address, unsigned value, size_t count, CUstream stream) {
  return fill(address, value, 4, count, stream);
}
