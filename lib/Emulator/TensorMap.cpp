//===- TensorMap.cpp - Descriptors of tensors for bulk copies -------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Emulator/TensorMap.h"

#include <algorithm>

using namespace nova;
using namespace nova::emulator;

uint32_t nova::emulator::bytesOf(TensorElement element) {
  switch (element) {
  case TensorElement::U8:
    return 1;
  case TensorElement::U16:
  case TensorElement::F16:
  case TensorElement::BF16:
    return 2;
  case TensorElement::U64:
  case TensorElement::S64:
  case TensorElement::F64:
    return 8;
  default:
    return 4;
  }
}

static uint32_t swizzleBytes(TensorSwizzle swizzle) {
  return swizzle == TensorSwizzle::None ? 0 : 16u << static_cast<unsigned>(swizzle);
}

/// A swizzled row has the pattern's width, however little of it the box fills.
uint32_t TensorMap::rowPitch() const { return std::max(rowBytes(), swizzleBytes(swizzle)); }

uint64_t TensorMap::boxBytes() const {
  uint64_t bytes = rowBytes();
  for (uint32_t i = 1; i < rank(); ++i)
    bytes *= boxExtent(i);
  return bytes;
}

static std::string of(const char *what, uint32_t dimension) {
  return std::string(what) + " of dimension " + std::to_string(dimension);
}

static Result<void> expect(bool isGood, const std::string &what, const std::string &range, uint64_t found) {
  if (isGood)
    return {};
  return usageError("expected " + what + " " + range + ", found " + std::to_string(found));
}

Result<void> TensorMap::check() const {
  if (Result<void> good = expect(rankMinus1 < kMaxRank, "a rank", "of 1 to 5", rank()); !good)
    return good;
  if (Result<void> good = expect(element <= TensorElement::TF32Ftz, "an element type", "by a number of 0 to 12",
                                 static_cast<uint64_t>(element));
      !good)
    return good;
  if (Result<void> good =
          expect(interleave == 0, "a tensor that is not interleaved (mode 0)", "for the emulator", interleave);
      !good)
    return good;
  if (Result<void> good = expect(swizzle <= TensorSwizzle::B128, "a swizzle mode", "of none, 32, 64 or 128 bytes",
                                 static_cast<uint64_t>(swizzle));
      !good)
    return good;
  if (Result<void> good = expect(address && address % 16 == 0, "the tensor", "at an address that 16 divides", address);
      !good)
    return good;
  for (uint32_t i = 0; i < rank(); ++i) {
    if (Result<void> good = expect(box[i] >= 1 && box[i] <= 256, of("a box", i), "of 1 to 256 elements", box[i]); !good)
      return good;
    bool isStep = i == 0 || (elementStrides[i] >= 1 && elementStrides[i] <= 8);
    if (Result<void> good = expect(isStep, of("an element stride", i), "of 1 to 8", elementStrides[i]); !good)
      return good;
    if (i == 0)
      continue;
    uint64_t stride = strides[i - 1];
    if (Result<void> good = expect(stride % 16 == 0 && stride < uint64_t(1) << 40, of("a stride", i),
                                   "of a multiple of 16 bytes below 2^40", stride);
        !good)
      return good;
  }
  if (Result<void> good =
          expect(rowBytes() % 16 == 0, "a box", "whose innermost dimension has a multiple of 16 bytes", rowBytes());
      !good)
    return good;
  uint32_t width = swizzleBytes(swizzle);
  return expect(!width || rowBytes() <= width, "a box", "whose innermost dimension fits in the swizzle's bytes",
                rowBytes());
}
