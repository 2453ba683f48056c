//===- MemoryLayout.cpp - Tensors side by side and over each other --------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::nova;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Tied tensors
//===----------------------------------------------------------------------===//

unsigned TiedTensors::add(int64_t bytes) {
  nodes.push_back({bytes, unsigned(nodes.size()), 0, 0, bytes});
  return nodes.size() - 1;
}

TiedTensors::Place TiedTensors::find(unsigned tensor) const {
  int64_t distance = 0;
  for (; nodes[tensor].parent != tensor; tensor = nodes[tensor].parent)
    distance += nodes[tensor].distance;
  return {tensor, distance};
}

bool TiedTensors::tie(unsigned base, unsigned tensor, int64_t distance) {
  Place a = find(base), b = find(tensor);
  int64_t between = a.distance + distance - b.distance; // From the set of `base` to that of `tensor`.
  if (a.set == b.set)
    return between == 0;
  // The set of more bytes stays, so that chains of parents stay short.
  auto bytes = [&](unsigned set) { return nodes[set].end - nodes[set].begin; };
  if (bytes(a.set) < bytes(b.set)) {
    std::swap(a, b);
    between = -between;
  }
  nodes[b.set].parent = a.set;
  nodes[b.set].distance = between;
  nodes[a.set].begin = std::min(nodes[a.set].begin, nodes[b.set].begin + between);
  nodes[a.set].end = std::max(nodes[a.set].end, nodes[b.set].end + between);
  return true;
}

int64_t TiedTensors::getOffset(unsigned tensor) const {
  Place place = find(tensor);
  return place.distance - nodes[place.set].begin;
}

int64_t TiedTensors::getSetBytes(unsigned tensor) const {
  const Node &set = nodes[find(tensor).set];
  return set.end - set.begin;
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

static int64_t alignedBytes(const MemoryBlock &block) { return llvm::alignTo(block.bytes, kBlockAlignment); }

/// The smallest gap between blocks in use, or the end. `used` is in the order of offsets.
static int64_t findPlace(llvm::ArrayRef<const MemoryBlock *> used, int64_t bytes) {
  int64_t end = 0, best = -1, bestGap = 0;
  for (const MemoryBlock *block : used) {
    int64_t gap = block->offset - end;
    if (gap >= bytes && (best < 0 || gap < bestGap)) {
      best = end;
      bestGap = gap;
    }
    end = std::max(end, block->offset + alignedBytes(*block));
  }
  return best < 0 ? end : best;
}

int64_t mlir::nova::assignOffsets(llvm::MutableArrayRef<MemoryBlock> blocks) {
  // Large blocks first: small ones fit into what they leave.
  SmallVector<MemoryBlock *> order;
  for (MemoryBlock &block : blocks)
    order.push_back(&block);
  llvm::sort(order, [](MemoryBlock *a, MemoryBlock *b) {
    return std::make_tuple(-a->bytes, a->first, a) < std::make_tuple(-b->bytes, b->first, b);
  });

  SmallVector<const MemoryBlock *> placed; // In the order of offsets.
  int64_t total = 0;
  for (MemoryBlock *block : order) {
    SmallVector<const MemoryBlock *> used;
    for (const MemoryBlock *other : placed)
      if (other->first <= block->last && block->first <= other->last)
        used.push_back(other);
    block->offset = findPlace(used, alignedBytes(*block));
    total = std::max(total, block->offset + alignedBytes(*block));
    auto *place =
        llvm::partition_point(placed, [&](const MemoryBlock *other) { return other->offset < block->offset; });
    placed.insert(place, block);
  }
  return total;
}

int64_t mlir::nova::countLiveBytes(llvm::ArrayRef<MemoryBlock> blocks) {
  int64_t most = 0;
  for (const MemoryBlock &at : blocks) { // The maximum is reached where some block begins.
    int64_t live = 0;
    for (const MemoryBlock &block : blocks)
      if (block.first <= at.first && at.first <= block.last)
        live += alignedBytes(block);
    most = std::max(most, live);
  }
  return most;
}
