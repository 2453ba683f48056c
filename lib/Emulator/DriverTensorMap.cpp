//===- DriverTensorMap.cpp - Tensor maps that the driver makes ------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "Nova/Emulator/TensorMap.h"

#include <cstdio>
#include <cstring>

using namespace nova;
using namespace nova::emulator;

/// The element types in the order of CUtensorMapDataType, which is not that of tensormap.replace.
static constexpr TensorElement kElements[] = {
    TensorElement::U8,     TensorElement::U16,  TensorElement::U32,    TensorElement::S32, TensorElement::U64,
    TensorElement::S64,    TensorElement::F16,  TensorElement::F32,    TensorElement::F64, TensorElement::BF16,
    TensorElement::F32Ftz, TensorElement::TF32, TensorElement::TF32Ftz};

static bool isFloat(TensorElement element) { return element >= TensorElement::F16; }

static CUresult refuse(CUresult code, const std::string &message) {
  std::fprintf(stderr, "nova-emulator: cuTensorMapEncodeTiled: %s\n", message.c_str());
  return code;
}

NOVA_CUDA CUresult cuTensorMapEncodeTiled(CUtensorMap *tensorMap, int dataType, unsigned rank, void *address,
                                          const unsigned long long *dims, const unsigned long long *strides,
                                          const unsigned *box, const unsigned *elementStrides, int interleave,
                                          int swizzle, int promotion, int fill) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (call->computeCapability < 90)
    return refuse(CUDA_ERROR_NOT_SUPPORTED,
                  "expected a device of compute capability 9.0; NOVA_EMULATOR_CHIP=sm_90 shows one");
  if (!tensorMap || reinterpret_cast<uintptr_t>(tensorMap) % 64 || !dims || !box || !elementStrides || rank < 1 ||
      rank > TensorMap::kMaxRank || (rank > 1 && !strides))
    return refuse(CUDA_ERROR_INVALID_VALUE, "expected a map at a multiple of 64, a rank of 1 to 5 and its arrays");
  if (dataType < 0 || dataType >= static_cast<int>(sizeof(kElements) / sizeof(kElements[0])) || interleave < 0 ||
      interleave > 2 || swizzle < 0 || promotion < 0 || promotion > 3 || fill < 0 || fill > 1)
    return refuse(CUDA_ERROR_INVALID_VALUE, "expected values of the enumerations of cuda.h");
  if (interleave || swizzle > 3)
    return refuse(CUDA_ERROR_NOT_SUPPORTED, "expected no interleaving and a swizzle of none, 32, 64 or 128 bytes");
  TensorMap map;
  map.address = reinterpret_cast<uint64_t>(address);
  map.rankMinus1 = rank - 1;
  map.element = kElements[dataType];
  map.swizzle = static_cast<TensorSwizzle>(swizzle);
  map.fillsNan = static_cast<uint32_t>(fill);
  if (fill && !isFloat(map.element))
    return refuse(CUDA_ERROR_INVALID_VALUE, "expected an element type of floats to fill with NaN");
  for (unsigned i = 0; i < rank; ++i) {
    if (dims[i] < 1 || dims[i] > uint64_t(1) << 32)
      return refuse(CUDA_ERROR_INVALID_VALUE, "expected dimensions of 1 to 2^32");
    map.dims[i] = static_cast<uint32_t>(dims[i]);
    map.box[i] = box[i];
    map.elementStrides[i] = elementStrides[i];
    if (i > 0)
      map.strides[i - 1] = strides[i - 1];
  }
  if (Result<void> good = map.check(); !good)
    return refuse(CUDA_ERROR_INVALID_VALUE, good.error().message);
  std::memcpy(tensorMap, &map, sizeof(map));
  return CUDA_SUCCESS;
}
