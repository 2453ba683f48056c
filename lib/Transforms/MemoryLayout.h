//===- MemoryLayout.h - Tensors side by side and over each other -*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_MEMORYLAYOUT_H
#define NOVA_LIB_TRANSFORMS_MEMORYLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mlir::nova {

/// Every block begins at a multiple of this: a cache line.
constexpr int64_t kBlockAlignment = 64;

/// Sets of tensors whose distances in memory are known.
class TiedTensors {
public:
  /// A tensor tied to nothing yet.
  unsigned add(int64_t bytes);

  /// Says that `tensor` begins `distance` bytes after `base`. False if they are tied at another distance already.
  bool tie(unsigned base, unsigned tensor, int64_t distance);

  /// The set of a tensor: equal for tied ones, until the next tie.
  unsigned getSet(unsigned tensor) const { return find(tensor).set; }
  /// Where a tensor begins in its set, and how many bytes its set has.
  int64_t getOffset(unsigned tensor) const;
  int64_t getSetBytes(unsigned tensor) const;
  unsigned size() const { return nodes.size(); }
  int64_t getBytes(unsigned tensor) const { return nodes[tensor].bytes; }

private:
  struct Node {
    int64_t bytes;
    unsigned parent;
    int64_t distance;   ///< The distance from the parent.
    int64_t begin, end; ///< Where a set lies, from the tensor that stands for it.
    unsigned count;     ///< How many tensors a set has, at the tensor that stands for it.
  };
  struct Place {
    unsigned set;
    int64_t distance;
  };
  Place find(unsigned tensor) const;

  llvm::SmallVector<Node> nodes;
};

/// Bytes of a block that are needed from one launch to another, both included.
struct MemorySpan {
  int64_t begin, end;
  int64_t first, last;
};

/// Memory that lies together. Parts of it may be needed at times of their own: gradients that lie side by side are
/// written one after another, and until then other tensors lie there.
struct MemoryBlock {
  int64_t bytes;
  llvm::SmallVector<MemorySpan, 1> spans;
  int64_t offset = 0;
};

/// Gives blocks places in which no bytes are needed twice at one time; returns the bytes that all of them take.
int64_t assignOffsets(llvm::MutableArrayRef<MemoryBlock> blocks);

/// The most bytes that are needed at any one time: what no assignment can go below.
int64_t countLiveBytes(llvm::ArrayRef<MemoryBlock> blocks);

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_MEMORYLAYOUT_H
