//===- WgmmaProduct.h - Operands and products of wgmma ----------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_WGMMAPRODUCT_H
#define NOVA_LIB_EMULATOR_WGMMAPRODUCT_H

#include "Block.h"

namespace nova::emulator {

/// A matrix in shared memory, as the 64 bits of a descriptor say. Its rows are of M or N.
class SharedMatrix {
public:
  SharedMatrix(uint64_t descriptor, bool isTransposed, uint32_t elementBytes)
      : start((descriptor & 0x3fff) << 4), leading((descriptor >> 16 & 0x3fff) << 4),
        stride((descriptor >> 32 & 0x3fff) << 4), base(descriptor >> 49 & 7), mode(descriptor >> 62),
        isTransposed(isTransposed), elementBytes(elementBytes) {}

  /// The address of an element; those that K, or transposed the rows, run through lie side by side in 16 bytes.
  uint64_t addressOf(uint32_t row, uint32_t k) const {
    // The swizzle's bytes: without one, eight rows of 16 bytes lie behind each other.
    uint64_t width = mode == 0 ? 16 : mode == 1 ? 128 : mode == 2 ? 64 : 32, address;
    if (!isTransposed) {
      uint64_t at = k * elementBytes;
      address = start + row % 8 * width + row / 8 * stride + at / 16 * (mode ? 16 : leading) + at % 16;
    } else {
      uint32_t rows = static_cast<uint32_t>(width / elementBytes);
      address = start + row / rows * (mode ? leading : stride) + row % rows * elementBytes + k % 8 * width +
                k / 8 * (mode ? stride : leading);
    }
    uint64_t bits = mode == 0 ? 0 : mode == 1 ? 7 : mode == 2 ? 3 : 1;
    return address ^ (((address >> 7) - base & bits) << 4);
  }

  /// Calls `visit` with the first element, as row and k, and the address of every 16 bytes of a part of the matrix.
  template <typename VisitFn> void forEachChunk(uint32_t firstRow, uint32_t rows, uint32_t depth, VisitFn visit) const {
    uint32_t perChunk = 16 / elementBytes, rowStep = isTransposed ? perChunk : 1,
             depthStep = isTransposed ? 1 : perChunk;
    for (uint32_t row = 0; row < rows; row += rowStep)
      for (uint32_t k = 0; k < depth; k += depthStep)
        visit(row, k, addressOf(firstRow + row, k));
  }

private:
  uint64_t start, leading, stride, base, mode;
  bool isTransposed;
  uint32_t elementBytes;
};

/// Multiplies for the four warps of a warpgroup and stores the accumulators.
void executeProduct(Block &block, uint32_t firstWarp, const WgmmaOperands &operands, const Product &product);

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_WGMMAPRODUCT_H
