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
  nodes.push_back({bytes, unsigned(nodes.size()), 0, 0, bytes, 1});
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
  int64_t between = a.distance + distance - b.distance; // The distance from the set of `base` to that of `tensor`.
  if (a.set == b.set)
    return between == 0;
  // The set of more tensors stays, so that chains of parents stay short.
  if (nodes[a.set].count < nodes[b.set].count) {
    std::swap(a, b);
    between = -between;
  }
  nodes[b.set].parent = a.set;
  nodes[b.set].distance = between;
  nodes[a.set].count += nodes[b.set].count;
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

namespace {
struct ByteRange {
  int64_t begin, end;
};
} // namespace

/// The smallest gap between ranges in use, or what follows them. `used` is in the order of begins.
static int64_t findPlace(llvm::ArrayRef<ByteRange> used, int64_t bytes) {
  int64_t end = 0, best = -1, bestGap = 0;
  for (const ByteRange &range : used) {
    int64_t gap = range.begin - end;
    if (gap >= bytes && (best < 0 || gap < bestGap)) {
      best = end;
      bestGap = gap;
    }
    end = std::max<int64_t>(end, llvm::alignTo(range.end, kBlockAlignment));
  }
  return best < 0 ? end : best;
}

/// The lifetime, from the first to the last launch that needs any of the block.
static std::pair<int64_t, int64_t> lifetimeOf(const MemoryBlock &block) {
  int64_t first = block.spans.front().first, last = block.spans.front().last;
  for (const MemorySpan &span : block.spans) {
    first = std::min(first, span.first);
    last = std::max(last, span.last);
  }
  return {first, last};
}

int64_t mlir::nova::assignOffsets(llvm::MutableArrayRef<MemoryBlock> blocks) {
  // Large blocks first: small ones fit into what they leave, and into their parts while these are not needed.
  SmallVector<MemoryBlock *> order;
  for (MemoryBlock &block : blocks)
    order.push_back(&block);
  llvm::sort(order, [](MemoryBlock *a, MemoryBlock *b) {
    return std::make_tuple(-a->bytes, lifetimeOf(*a).first, a) < std::make_tuple(-b->bytes, lifetimeOf(*b).first, b);
  });

  // What is placed, in the order of begins: sorting it anew for every block would take most of the time.
  struct Placed {
    ByteRange range;
    int64_t first, last;
  };
  std::vector<Placed> placed;
  int64_t total = 0;
  for (MemoryBlock *block : order) {
    auto [first, last] = lifetimeOf(*block);
    SmallVector<ByteRange> used;
    for (const Placed &other : placed)
      if (other.first <= last && first <= other.last)
        used.push_back(other.range);
    block->offset = findPlace(used, block->bytes);
    total = std::max<int64_t>(total, block->offset + llvm::alignTo(block->bytes, kBlockAlignment));
    for (const MemorySpan &span : block->spans) {
      Placed next = {{block->offset + span.begin, block->offset + span.end}, span.first, span.last};
      auto isBefore = [](const Placed &a, const Placed &b) { return a.range.begin < b.range.begin; };
      placed.insert(std::upper_bound(placed.begin(), placed.end(), next, isBefore), next);
    }
  }
  return total;
}

int64_t mlir::nova::countLiveBytes(llvm::ArrayRef<MemoryBlock> blocks) {
  SmallVector<std::pair<int64_t, int64_t>> changes; // Times, and the bytes that come or go.
  for (const MemoryBlock &block : blocks)
    for (const MemorySpan &span : block.spans) {
      changes.push_back({span.first, span.end - span.begin});
      changes.push_back({span.last + 1, span.begin - span.end});
    }
  llvm::sort(changes); // What goes at a time goes before others come.
  int64_t live = 0, most = 0;
  for (auto [time, bytes] : changes)
    most = std::max(most, live += bytes);
  return most;
}
