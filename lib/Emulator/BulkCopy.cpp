//===- BulkCopy.cpp - Copies that a unit of their own does ----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkCopy.h"

#include "Access.h"

#include <algorithm>

using namespace nova::emulator;

static constexpr uint32_t kPiece = 16; ///< bytes that stay together in every swizzle

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

namespace {
/// A piece of a copy that lies in one row: where it is in shared and in global memory, and which of its bytes are
/// inside the tensor.
struct Piece {
  uint64_t shared = 0, global = 0;
  uint32_t bytes = 0;
  uint32_t first = 0, last = 0; ///< inside the tensor, from and up to
};
} // namespace

/// Which bytes of a row of a box lie inside the tensor: from `first` up to `last`.
static void boundRow(const BulkCopy &copy, uint32_t &first, uint32_t &last) {
  const TensorMap &map = copy.map;
  int64_t x = copy.coordinates[0], element = bytesOf(map.element), extent = static_cast<int64_t>(map.extent(0));
  int64_t low = std::clamp<int64_t>(-x, 0, map.box[0]), high = std::clamp<int64_t>(extent - x, low, map.box[0]);
  first = static_cast<uint32_t>(low * element);
  last = static_cast<uint32_t>(high * element);
}

/// Calls `visit` with the pieces of a tile, in the order of its rows.
template <typename VisitFn> static void forEachTilePiece(const BulkCopy &copy, VisitFn visit) {
  const TensorMap &map = copy.map;
  uint32_t rank = map.rank(), rowFirst, rowLast, index[TensorMap::kMaxRank] = {};
  boundRow(copy, rowFirst, rowLast);
  uint64_t element = bytesOf(map.element), pitch = map.rowPitch();
  for (uint64_t row = 0;; ++row) {
    uint64_t global = copy.global + static_cast<uint64_t>(copy.coordinates[0]) * element;
    bool isInside = true;
    for (uint32_t d = 1; d < rank; ++d) {
      int64_t at = copy.coordinates[d] + int64_t(index[d]) * map.elementStrides[d];
      isInside &= at >= 0 && at < static_cast<int64_t>(map.extent(d));
      global += static_cast<uint64_t>(at) * map.strides[d - 1];
    }
    for (uint32_t at = 0; at < map.rowBytes(); at += kPiece) {
      Piece piece{swizzled(copy.shared + row * pitch + at, map.swizzle), global + at, kPiece, 0, 0};
      piece.first = std::clamp(rowFirst, at, at + kPiece) - at;
      piece.last = isInside ? std::clamp(rowLast, at, at + kPiece) - at : piece.first;
      visit(piece);
    }
    uint32_t d = 1;
    while (d < rank && ++index[d] == map.boxExtent(d))
      index[d++] = 0;
    if (d >= rank)
      return;
  }
}

template <typename VisitFn> static void forEachPiece(const BulkCopy &copy, VisitFn visit) {
  if (copy.isTensor)
    return forEachTilePiece(copy, visit);
  for (uint64_t at = 0; at < copy.bytes; at += kPiece)
    visit(Piece{copy.shared + at, copy.global + at, kPiece, 0, kPiece});
}

//===----------------------------------------------------------------------===//
// When a copy starts
//===----------------------------------------------------------------------===//

static void countCopy(Block &block, const BulkCopy &copy) {
  KernelCounters &counters = block.counters;
  counters.bulkCopies += 1;
  counters.bulkBytes += copy.bytes;
  if (!block.launch.options.countMemory)
    return;
  counters.sharedWavefronts += (copy.bytes + 127) / 128;
  counters.sharedIdeal += (copy.bytes + 127) / 128;
  if (copy.isWithinShared)
    return;
  uint64_t wanted = 0, last = UINT64_MAX;
  forEachPiece(copy, [&](const Piece &piece) {
    if (piece.first == piece.last)
      return;
    wanted += piece.last - piece.first;
    for (uint64_t sector = (piece.global + piece.first) / 32; sector <= (piece.global + piece.last - 1) / 32; ++sector)
      if (sector != last) {
        ++counters.globalSectors;
        counters.globalDistinct += block.sectors.insert(sector).second;
        last = sector;
      }
  });
  counters.globalRequests += 1;
  counters.globalIdeal += (wanted + 31) / 32;
}

/// Checks what the copy accesses, though it does so later, and lets the race checks know.
static void checkCopy(Warp &warp, const Instruction &instruction, const BulkCopy &copy, uint32_t agent,
                      uint32_t number) {
  Block &block = *warp.block;
  unsigned lane = copy.lane;
  forEachPiece(copy, [&](const Piece &piece) {
    Space shared = Space::Shared, other = copy.isWithinShared ? Space::Shared : Space::Global;
    uint64_t to = piece.shared, from = piece.global + piece.first;
    resolveRange(warp, instruction, shared, lane, to, piece.bytes,
                 copy.isStore && piece.first < piece.last ? AccessKind::Load : AccessKind::Store);
    if (piece.first < piece.last)
      resolveRange(warp, instruction, other, lane, from, piece.last - piece.first,
                   copy.isStore ? AccessKind::Store : AccessKind::Load);
    if (!block.checks.races)
      return;
    if (copy.isStore) {
      block.races.agentRead(warp, instruction, lane, piece.shared, piece.bytes, agent, number);
    } else {
      block.races.agentWrite(warp, instruction, lane, piece.shared, piece.bytes, agent, number);
      if (copy.isWithinShared)
        block.races.agentRead(warp, instruction, lane, piece.global, piece.bytes, agent, number);
    }
  });
}

void nova::emulator::startBulkCopy(Warp &warp, const Instruction &instruction, BulkCopy copy) {
  Block &block = *warp.block;
  copy.warp = warp.index;
  copy.pc = warp.pc;
  countCopy(block, copy);
  if (copy.isStore) {
    BulkGroups &groups = block.bulkGroups[warp.firstThread + copy.lane];
    if (!groups.agent && block.checks.races)
      groups.agent = block.races.addAgent();
    copy.group = groups.committed;
    checkCopy(warp, instruction, copy, groups.agent, groups.committed + 1);
    block.bulkStores.push_back(copy);
    return;
  }
  Mbarrier &mbarrier = mbarrierAt(warp, instruction, copy.lane, copy.mbarrier);
  if (!mbarrier.agent && block.checks.races)
    mbarrier.agent = block.races.addAgent();
  checkCopy(warp, instruction, copy, mbarrier.agent, ++mbarrier.copies);
  block.bulkLoads.push_back(copy);
}

//===----------------------------------------------------------------------===//
// When it is over
//===----------------------------------------------------------------------===//

/// What lies outside a tensor: zeros, or NaN of the element's type.
static void fillOutside(const TensorMap &map, uint8_t *to, uint32_t bytes) {
  std::memset(to, 0, bytes);
  if (!map.fillsNan)
    return;
  uint32_t element = bytesOf(map.element);
  for (uint32_t at = 0; at < bytes; ++at)
    to[at] = at % element == element - 1 ? 0x7f : 0xff;
}

static void load(Block &block, const BulkCopy &copy) {
  const uint8_t *memory = copy.isWithinShared ? block.shared : nullptr;
  forEachPiece(copy, [&](const Piece &piece) {
    uint8_t *to = block.shared + piece.shared;
    if (piece.last - piece.first < piece.bytes)
      fillOutside(copy.map, to, piece.bytes);
    if (piece.first < piece.last) {
      uint64_t from = piece.global + piece.first;
      std::memcpy(to + piece.first, memory ? memory + from : reinterpret_cast<const uint8_t *>(from),
                  piece.last - piece.first);
    }
    if (block.checks.uninitialised)
      std::memset(&block.sharedStates[piece.shared], DeviceMemory::Written, piece.bytes);
  });
}

/// As the instruction that started the copy, whatever its warp does by now.
template <typename DoFn> static void asInstruction(Block &block, const BulkCopy &copy, DoFn act) {
  Warp &warp = block.warps[copy.warp];
  uint32_t pc = warp.pc;
  warp.pc = copy.pc;
  act(warp, block.program.code[copy.pc]);
  warp.pc = pc;
}

bool Block::hasBulkLoads(uint64_t mbarrier) const {
  return std::any_of(bulkLoads.begin(), bulkLoads.end(),
                     [&](const BulkCopy &copy) { return copy.mbarrier == mbarrier; });
}

void Block::finishBulkLoads(uint64_t mbarrier) {
  for (auto copy = bulkLoads.begin(); copy != bulkLoads.end();) {
    if (copy->mbarrier != mbarrier) {
      ++copy;
      continue;
    }
    load(*this, *copy);
    asInstruction(*this, *copy, [&](Warp &warp, const Instruction &instruction) {
      Mbarrier &object = mbarrierAt(warp, instruction, copy->lane, mbarrier);
      if (checks.races)
        races.finishFor(mbarrier, object.agent, object.copies);
      addTransactions(warp, instruction, copy->lane, mbarrier, -static_cast<int64_t>(copy->bytes));
    });
    copy = bulkLoads.erase(copy);
  }
}

std::vector<BulkCopy>::iterator Block::finishBulkStore(std::vector<BulkCopy>::iterator copy) {
  asInstruction(*this, *copy, [&](Warp &warp, const Instruction &instruction) {
    forEachPiece(*copy, [&](const Piece &piece) {
      if (piece.first == piece.last)
        return;
      const uint8_t *from = shared + piece.shared + piece.first;
      uint64_t to = piece.global + piece.first;
      uint32_t bytes = piece.last - piece.first;
      noteGlobalRange(warp, instruction, copy->lane, to, bytes, from);
      std::memcpy(reinterpret_cast<void *>(to), from, bytes);
    });
  });
  return bulkStores.erase(copy);
}

void Block::finishBulkStores(uint32_t thread, uint32_t pendingGroups) {
  auto groups = bulkGroups.find(thread);
  if (groups == bulkGroups.end())
    return;
  uint32_t committed = groups->second.committed, over = committed - std::min(committed, pendingGroups);
  for (auto copy = bulkStores.begin(); copy != bulkStores.end();) {
    bool isDue = copy->warp * kLanes + copy->lane == thread && copy->group < over;
    copy = isDue ? finishBulkStore(copy) : copy + 1;
  }
  if (checks.races && groups->second.agent)
    races.finish(thread / kLanes, groups->second.agent, over);
}
