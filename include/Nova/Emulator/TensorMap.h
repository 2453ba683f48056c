//===- TensorMap.h - Descriptors of tensors for bulk copies -----*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cuTensorMapEncodeTiled makes and cp.async.bulk.tensor reads. A vendor's driver keeps its contents to itself;
// these are the emulator's own. All of it can be written by tensormap.replace, starting from zeros.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_EMULATOR_TENSORMAP_H
#define NOVA_EMULATOR_TENSORMAP_H

#include "Nova/Support/Result.h"

#include <cstdint>
#include <vector>

namespace nova::emulator {

/// Element types, numbered as tensormap.replace numbers them.
enum class TensorElement : uint32_t { U8, U16, U32, S32, U64, S64, F16, F32, F32Ftz, F64, BF16, TF32, TF32Ftz };

uint32_t bytesOf(TensorElement element);

enum class TensorSwizzle : uint32_t { None, B32, B64, B128 };

/// A dimension counts elements and the innermost is the first; strides are in bytes and begin with dimension 1.
struct alignas(64) TensorMap {
  static constexpr uint32_t kMaxRank = 5;

  uint64_t address = 0;
  uint64_t strides[kMaxRank - 1] = {};
  uint32_t dims[kMaxRank] = {}; ///< 0 stands for 2^32
  uint32_t box[kMaxRank] = {};
  uint32_t elementStrides[kMaxRank] = {};
  uint32_t rankMinus1 = 0;
  TensorElement element = TensorElement::U8;
  uint32_t interleave = 0;
  TensorSwizzle swizzle = TensorSwizzle::None;
  uint32_t fillsNan = 0;
  uint32_t reserved[2] = {};

  uint32_t rank() const { return rankMinus1 + 1; }
  uint64_t extent(uint32_t dimension) const { return dims[dimension] ? dims[dimension] : uint64_t(1) << 32; }
  /// Elements along a dimension of the box in shared memory.
  uint32_t boxExtent(uint32_t dimension) const {
    uint32_t step = dimension ? elementStrides[dimension] : 1;
    return (box[dimension] + step - 1) / step;
  }
  /// Bytes of the innermost dimension of the box, and from one row in shared memory to the next.
  uint32_t rowBytes() const { return box[0] * bytesOf(element); }
  uint32_t rowPitch() const;
  /// Bytes of the box: what a copy completes on its mbarrier.
  uint64_t boxBytes() const;

  /// What is wrong with the tensor or the box, as the driver's manual demands.
  Result<void> check() const;
};
static_assert(sizeof(TensorMap) == 128, "the size of a CUtensorMap");

/// Where a byte of shared memory is in a swizzled tile: pieces of 16 bytes change places within rows of 128.
constexpr uint64_t swizzled(uint64_t address, TensorSwizzle swizzle) {
  uint64_t bits = swizzle == TensorSwizzle::B128  ? 7
                  : swizzle == TensorSwizzle::B64 ? 3
                  : swizzle == TensorSwizzle::B32 ? 1
                                                  : 0;
  return address ^ ((address >> 7 & bits) << 4);
}

} // namespace nova::emulator

#endif // NOVA_EMULATOR_TENSORMAP_H
