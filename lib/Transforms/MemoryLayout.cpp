//===- MemoryLayout.cpp - Tensors side by side and over each other --------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir::nova;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

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

/// Ranges, those without a gap between them as one: what is packed well is few of them, however many blocks it holds.
class RangeSet {
public:
  void add(ByteRange range) {
    range.end = llvm::alignTo(range.end, kBlockAlignment);
    auto next = ranges.upper_bound(range.begin);
    if (next != ranges.begin() && std::prev(next)->second >= range.begin)
      --next;
    while (next != ranges.end() && next->first <= range.end) {
      range = {std::min(range.begin, next->first), std::max(range.end, next->second)};
      next = ranges.erase(next);
    }
    ranges[range.begin] = range.end;
  }
  void appendTo(SmallVectorImpl<ByteRange> &all) const {
    for (auto [begin, end] : ranges)
      all.push_back({begin, end});
  }

private:
  std::map<int64_t, int64_t> ranges; // Ends, aligned, by begins.
};

/// The memory in use over time: a tree of periods, halved down to single launches.
class UsedMemory {
public:
  explicit UsedMemory(int64_t times) : periods(2 * llvm::PowerOf2Ceil(times)) {}

  void add(ByteRange range, int64_t first, int64_t last) { add(range, first, last, 1, 0, periods.size() / 2); }
  /// What is in use at any time from the first to the last, in the order of begins.
  SmallVector<ByteRange> get(int64_t first, int64_t last) const {
    SmallVector<ByteRange> used;
    get(used, first, last, 1, 0, periods.size() / 2);
    llvm::sort(used, [](ByteRange a, ByteRange b) { return a.begin < b.begin; });
    return used;
  }

private:
  struct Period {
    RangeSet always; ///< In use all the time, and not known to be in use longer.
    RangeSet ever;   ///< In use at some time of it, and not for all of a longer period.
  };

  void add(ByteRange range, int64_t first, int64_t last, size_t period, int64_t begin, int64_t end) {
    if (last < begin || end <= first)
      return;
    periods[period].ever.add(range);
    if (first <= begin && end <= last + 1)
      return periods[period].always.add(range);
    int64_t middle = begin + (end - begin) / 2;
    add(range, first, last, 2 * period, begin, middle);
    add(range, first, last, 2 * period + 1, middle, end);
  }
  void get(SmallVectorImpl<ByteRange> &used, int64_t first, int64_t last, size_t period, int64_t begin,
           int64_t end) const {
    if (last < begin || end <= first)
      return;
    if (first <= begin && end <= last + 1)
      return periods[period].ever.appendTo(used);
    periods[period].always.appendTo(used);
    int64_t middle = begin + (end - begin) / 2;
    get(used, first, last, 2 * period, begin, middle);
    get(used, first, last, 2 * period + 1, middle, end);
  }

  std::vector<Period> periods; ///< The halves of a period have twice its number, and one more.
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
    end = std::max(end, range.end);
  }
  return best < 0 ? end : best;
}

namespace {
/// A block with its lifetime, from the first to the last launch that needs any of it.
struct LivingBlock {
  MemoryBlock *block;
  int64_t first, last;
};
} // namespace

static LivingBlock withLifetime(MemoryBlock &block) {
  LivingBlock living = {&block, block.spans.front().first, block.spans.front().last};
  for (const MemorySpan &span : block.spans) {
    living.first = std::min(living.first, span.first);
    living.last = std::max(living.last, span.last);
  }
  return living;
}

int64_t mlir::nova::assignOffsets(llvm::MutableArrayRef<MemoryBlock> blocks) {
  // Large blocks first: small ones fit into what they leave, and into their parts while these are not needed.
  SmallVector<LivingBlock> order;
  int64_t times = 0;
  for (MemoryBlock &block : blocks) {
    order.push_back(withLifetime(block));
    times = std::max(times, order.back().last + 1);
  }
  llvm::sort(order, [](const LivingBlock &a, const LivingBlock &b) {
    return std::make_tuple(-a.block->bytes, a.first, a.block) < std::make_tuple(-b.block->bytes, b.first, b.block);
  });

  UsedMemory used(times);
  int64_t total = 0;
  for (auto [block, first, last] : order) {
    block->offset = findPlace(used.get(first, last), block->bytes);
    total = std::max<int64_t>(total, block->offset + llvm::alignTo(block->bytes, kBlockAlignment));
    for (const MemorySpan &span : block->spans)
      used.add({block->offset + span.begin, block->offset + span.end}, span.first, span.last);
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
