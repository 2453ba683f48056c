//===- Access.cpp - Memory accesses of a warp -----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"

#include "Nova/Support/CheckedMath.h"
#include "Windows.h"

#include <algorithm>
#include <cstdio>

using namespace nova;
using namespace nova::emulator;

void nova::emulator::addressesOf(Warp &warp, const Instruction &instruction, uint64_t *addresses) {
  if (instruction.flags & Address32) {
    const uint32_t *base = lanesOf<uint32_t>(warp, instruction.operands[0]);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      addresses[lane] = static_cast<uint32_t>(base[lane] + static_cast<uint32_t>(instruction.immediate));
    return;
  }
  const uint64_t *base = lanesOf<uint64_t>(warp, instruction.operands[0]);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    addresses[lane] = base[lane] + static_cast<uint64_t>(instruction.immediate);
}

uint64_t nova::emulator::addressOf(Warp &warp, const AddressOperand &operand, unsigned lane) {
  if (operand.bytes == 4)
    return static_cast<uint32_t>(lanesOf<uint32_t>(warp, operand.slot)[lane] + static_cast<uint32_t>(operand.offset));
  return lanesOf<uint64_t>(warp, operand.slot)[lane] + static_cast<uint64_t>(operand.offset);
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static std::string hex(uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

static std::string describeAddress(const Block &block, Space space, uint64_t address) {
  std::string text = "address " + hex(address) + " of ." + std::string(nameOf(space)) + " memory";
  if (space == Space::Global || space == Space::Const) {
    auto [start, bytes] = block.launch.memory.allocationNear(address);
    if (start)
      text += ", byte " + std::to_string(address - start) + " of an allocation of " + std::to_string(bytes) + " bytes";
    return text;
  }
  uint64_t size = space == Space::Shared  ? block.launch.sharedBytes
                  : space == Space::Local ? block.program.localBytes
                                          : block.program.parameterBytes;
  return text + ", which has " + std::to_string(size) + " bytes";
}

static const char *verb(AccessKind kind) {
  return kind == AccessKind::Load ? "reads" : kind == AccessKind::Store ? "writes" : "updates";
}

static void reportBounds(Warp &warp, const Instruction &instruction, Space space, unsigned lane, uint64_t address,
                         uint32_t bytes, AccessKind kind) {
  report(warp, instruction, Finding::Kind::Bounds, lane,
         std::string(verb(kind)) + " " + std::to_string(bytes) + " bytes at " +
             describeAddress(*warp.block, space, address));
}

static void reportUninitialised(Warp &warp, const Instruction &instruction, Space space, unsigned lane,
                                uint64_t address, const uint8_t *states, uint32_t bytes) {
  uint32_t first = 0;
  while (first + 1 < bytes && (states[first] & DeviceMemory::Written) == DeviceMemory::Written)
    ++first;
  bool isPending = states[first] & SharedPending;
  report(warp, instruction, Finding::Kind::Uninitialised, lane,
         "reads " + std::to_string(bytes) + " bytes at " + describeAddress(*warp.block, space, address) +
             (isPending ? "; a cp.async to byte " : "; byte ") + std::to_string(first) +
             (isPending ? " of them was not waited for" : " of them was never written"));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Whether each of the bytes has all the bits.
static bool haveAll(const uint8_t *states, uint32_t bytes, uint8_t bits) {
  constexpr uint64_t ones = 0x0101010101010101;
  uint64_t wanted = bits * ones, word = 0;
  if (bytes == 4) {
    uint32_t four;
    std::memcpy(&four, states, 4);
    return (four & static_cast<uint32_t>(wanted)) == static_cast<uint32_t>(wanted);
  }
  for (; bytes >= 8; bytes -= 8, states += 8) {
    std::memcpy(&word, states, 8);
    if ((word & wanted) != wanted)
      return false;
  }
  for (uint32_t i = 0; i < bytes; ++i)
    if ((states[i] & bits) != bits)
      return false;
  return true;
}

namespace {
/// The memory of a space as one lane sees it.
struct View {
  uint64_t first = 0; ///< address of the first byte
  uint64_t bytes = 0;
  uint8_t *host = nullptr;
  uint8_t *states = nullptr; ///< null: not kept
  uint64_t laneStride = 0;   ///< between the memories of lanes
};
} // namespace

static View viewOf(Warp &warp, Space space) {
  Block &block = *warp.block;
  switch (space) {
  case Space::Shared:
    return {0, block.launch.sharedBytes, block.shared, block.sharedStates.data(), 0};
  case Space::Local: {
    uint64_t bytes = block.program.localBytes, offset = warp.firstThread * bytes;
    return {0, bytes, block.local.data() + offset, block.localStates.data() + offset, bytes};
  }
  case Space::Param:
    return {0, block.program.parameterBytes, block.parameters.data(), nullptr, 0};
  default: {
    DeviceMemory &memory = block.launch.memory;
    return {memory.first(), memory.capacity(), reinterpret_cast<uint8_t *>(memory.first()),
            memory.states(memory.first()), 0};
  }
  }
}

/// What each byte must have: (bits that are faults, bits of never written memory).
static uint8_t wantedBits(const Block &block, Space space, AccessKind kind, bool isBounds) {
  bool isGlobal = space == Space::Global || space == Space::Const;
  if (isBounds)
    return isGlobal && block.checks.bounds ? DeviceMemory::Allocated : 0;
  return block.checks.uninitialised && kind != AccessKind::Store ? 2 : 0;
}

/// Finds the usual case at once: all lanes near each other, in one piece of memory that is as it has to be.
struct ResolveTogether {
  static NOVA_LANES bool run(const View &view, uint32_t active, uint32_t bytes, uint8_t wanted, uint64_t alignment,
                             Access &access) {
    uint64_t any = access.address[__builtin_ctz(active)], low = any, high = any, lowBits = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      uint64_t address = active >> lane & 1 ? access.address[lane] : any;
      low = address < low ? address : low;
      high = address > high ? address : high;
      lowBits |= address;
    }
    uint64_t offset = low - view.first, span = high - low + bytes;
    if ((lowBits & alignment) || span > kMaxSpan || !fitsIn(offset, span, view.bytes) ||
        (wanted && view.states && !haveAll(view.states + offset, static_cast<uint32_t>(span), wanted)))
      return false;
    uint64_t host = reinterpret_cast<uint64_t>(view.host) - view.first;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      access.host[lane] = reinterpret_cast<uint8_t *>(host + access.address[lane]);
    return true;
  }
  static constexpr uint64_t kMaxSpan = 1024;
};

#if defined(__x86_64__) && !defined(NOVA_EMULATOR_PORTABLE)
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd"))) static bool
resolveTogether512(const View &view, uint32_t active, uint32_t bytes, uint8_t wanted, uint64_t alignment,
                   Access &access) {
  return ResolveTogether::run(view, active, bytes, wanted, alignment, access);
}
#endif
static bool resolveTogether(const View &view, uint32_t active, uint32_t bytes, uint8_t wanted, uint64_t alignment,
                            Access &access) {
#if defined(__x86_64__) && !defined(NOVA_EMULATOR_PORTABLE)
  if (hostLevel() == HostLevel::Avx512)
    return resolveTogether512(view, active, bytes, wanted, alignment, access);
#endif
  return ResolveTogether::run(view, active, bytes, wanted, alignment, access);
}

/// Whether all bytes that nothing wrote are in elements that the program only moves, such as padding of a struct.
static bool isUnwrittenUnused(const Instruction &load, const uint8_t *states) {
  if (!load.movedElements)
    return false;
  for (unsigned element = 0; element < load.count; ++element)
    if (!(load.movedElements >> element & 1) && !haveAll(states + element * load.bytes, load.bytes, 2))
      return false;
  return true;
}

static void resolveEach(Warp &warp, const Instruction &instruction, Space space, const View &view, uint32_t active,
                        uint32_t bytes, AccessKind kind, Access &access) {
  Block &block = *warp.block;
  uint8_t bounds = wantedBits(block, space, kind, true), written = wantedBits(block, space, kind, false);
  bool isRefused = space == Space::Param && kind != AccessKind::Load;
  uint32_t faults = 0;
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t offset = access.address[lane] - view.first;
    bool isMisaligned = (access.address[lane] & (bytes - 1)) && block.checks.bounds;
    bool isInside = fitsIn(offset, bytes, view.bytes);
    uint64_t place = offset + lane * view.laneStride;
    if (isInside && !isMisaligned && !isRefused &&
        (!view.states || haveAll(view.states + place, bytes, bounds | written))) {
      access.host[lane] = view.host + place;
      continue;
    }
    bool isReachable = isInside && (!view.states || haveAll(view.states + place, bytes, bounds));
    if (isReachable && isMisaligned) {
      report(warp, instruction, Finding::Kind::Misaligned, lane,
             std::string(verb(kind)) + " " + std::to_string(bytes) + " bytes at " +
                 describeAddress(block, space, access.address[lane]) + "; expected a multiple of " +
                 std::to_string(bytes));
      faults |= 1u << lane;
    } else if (!isReachable || isRefused) {
      reportBounds(warp, instruction, space, lane, access.address[lane], bytes, kind);
      faults |= 1u << lane;
    } else {
      if (!isUnwrittenUnused(instruction, view.states + place))
        reportUninitialised(warp, instruction, space, lane, access.address[lane], view.states + place, bytes);
      access.host[lane] = view.host + place;
    }
  }
  if (faults)
    throw StopBlock();
}

static void resolveIn(Warp &warp, const Instruction &instruction, Space space, uint32_t active, uint32_t bytes,
                      AccessKind kind, Access &access) {
  Block &block = *warp.block;
  View view = viewOf(warp, space);
  uint8_t wanted = wantedBits(block, space, kind, true) | wantedBits(block, space, kind, false);
  uint64_t alignment = block.checks.bounds ? bytes - 1 : 0;
  bool isOneMemory = view.laneStride == 0 && (space != Space::Param || kind == AccessKind::Load);
  if (!isOneMemory || !resolveTogether(view, active, bytes, wanted, alignment, access))
    resolveEach(warp, instruction, space, view, active, bytes, kind, access);
  access.lanes |= active;
  bool isShared = space == Space::Shared, isGlobal = space == Space::Global || space == Space::Const;
  access.shared |= isShared ? active : 0;
  access.global |= isGlobal ? active : 0;
  if (isShared && kind == AccessKind::Load && block.checks.races && !(instruction.flags & Synchronising))
    block.races.read(warp, instruction, active, access.address, bytes);
  if (block.launch.options.countMemory)
    countAccess(block, space, active, access.address, bytes);
}

void nova::emulator::resolve(Warp &warp, const Instruction &instruction, Space space, uint32_t active, uint32_t bytes,
                             AccessKind kind, Access &access) {
  access.lanes = access.global = access.shared = 0;
  if (space != Space::Generic) {
    resolveIn(warp, instruction, space, active, bytes, kind, access);
    return;
  }
  // Generic addresses may point anywhere, each lane's elsewhere.
  for (uint32_t rest = active; rest;) {
    Space first = spaceOf(access.address[__builtin_ctz(rest)]);
    uint32_t same = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if ((rest >> lane & 1) && spaceOf(access.address[lane]) == first) {
        same |= 1u << lane;
        access.address[lane] -= windowOf(first);
      }
    resolveIn(warp, instruction, first, same, bytes, kind, access);
    rest &= ~same;
  }
}

uint8_t *nova::emulator::resolveRange(Warp &warp, const Instruction &instruction, Space &space, unsigned lane,
                                      uint64_t &address, uint32_t bytes, AccessKind kind) {
  Block &block = *warp.block;
  if (space == Space::Generic) {
    space = spaceOf(address);
    address -= windowOf(space);
  }
  View view = viewOf(warp, space);
  uint64_t offset = address - view.first, place = offset + lane * view.laneStride;
  bool isInside = fitsIn(offset, bytes, view.bytes) && (space != Space::Param || kind == AccessKind::Load);
  if (!isInside || (view.states && !haveAll(view.states + place, bytes, wantedBits(block, space, kind, true)))) {
    reportBounds(warp, instruction, space, lane, address, bytes, kind);
    throw StopBlock();
  }
  uint8_t written = wantedBits(block, space, kind, false);
  if (view.states && written && !haveAll(view.states + place, bytes, written))
    reportUninitialised(warp, instruction, space, lane, address, view.states + place, bytes);
  return view.host + place;
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// The last writer of a granule: block number, instruction, and how many fences the block had executed.
static uint64_t writerEntry(uint32_t blockNumber, uint32_t pc, uint8_t fences) {
  return static_cast<uint64_t>(blockNumber) << 32 | static_cast<uint64_t>(pc & 0xffffff) << 8 | fences;
}

static void checkGlobalRace(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address, uint32_t bytes,
                            const uint8_t *value) {
  Block &block = *warp.block;
  LaunchState &launch = block.launch;
  unsigned shift = block.program.globalGranule;
  uint32_t self = launch.firstBlockNumber + static_cast<uint32_t>(block.number);
  uint64_t own = writerEntry(self, warp.pc, launch.fences[block.number].load(std::memory_order_relaxed));
  uint64_t *entry = launch.memory.writers(address, shift), *end = launch.memory.writers(address + bytes - 1, shift);
  for (; entry <= end; ++entry) {
    uint64_t before = __atomic_exchange_n(entry, own, __ATOMIC_RELAXED);
    uint32_t other = static_cast<uint32_t>(before >> 32);
    if (other == self || other < launch.firstBlockNumber)
      continue;
    uint32_t otherBlock = other - launch.firstBlockNumber;
    // A fence of the other after its store, and one here, order the two stores.
    bool hasFenced = launch.fences[otherBlock].load(std::memory_order_relaxed) != static_cast<uint8_t>(before);
    if (hasFenced && block.hasFenced)
      continue;
    if (!block.checks.strictRaces && std::memcmp(reinterpret_cast<void *>(address), value, bytes) == 0)
      continue;
    report(warp, instruction, Finding::Kind::GlobalRace, lane,
           "writes " + std::to_string(bytes) + " bytes at " + describeAddress(block, Space::Global, address) +
               ", which block " + std::to_string(otherBlock) + " writes at " +
               describeInstruction(block.program, static_cast<uint32_t>(before >> 8) & 0xffffff));
  }
}

void nova::emulator::noteGlobalRange(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address,
                                     uint32_t bytes, const uint8_t *values) {
  Block &block = *warp.block;
  ++block.activity;
  if (block.checks.races)
    checkGlobalRace(warp, instruction, lane, address, bytes, values);
  if (block.checks.uninitialised)
    std::memset(block.launch.memory.states(address), DeviceMemory::Written, bytes);
}

void nova::emulator::noteStore(Warp &warp, const Instruction &instruction, const Access &access, uint32_t bytes,
                               const uint8_t *values, uint32_t stride) {
  Block &block = *warp.block;
  bool isPlain = !(instruction.flags & Synchronising);
  ++block.activity;
  if (block.checks.races && isPlain) {
    if (access.shared)
      block.races.write(warp, instruction, access.shared, access.address, bytes, values, stride,
                        block.checks.strictRaces);
    for (uint32_t rest = access.global; rest; rest &= rest - 1) {
      unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
      checkGlobalRace(warp, instruction, lane, access.address[lane], bytes, values + lane * stride);
    }
  }
  if (!block.checks.uninitialised)
    return;
  for (uint32_t rest = access.lanes; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint8_t *states = access.global >> lane & 1 ? block.launch.memory.states(access.address[lane])
                      : access.shared >> lane & 1
                          ? &block.sharedStates[access.address[lane]]
                          : &block.localStates[static_cast<size_t>(access.host[lane] - block.local.data())];
    std::memset(states, DeviceMemory::Written, bytes);
  }
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

static void countShared(KernelCounters &counters, uint32_t active, const uint64_t *addresses, uint32_t bytes) {
  // Accesses of 8 and 16 bytes are served for half and quarter warps.
  unsigned phase = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  for (unsigned first = 0; first < kLanes; first += phase) {
    std::vector<uint64_t> words[32];
    uint64_t maxWords = 0, distinct = 0;
    for (unsigned lane = first; lane < first + phase; ++lane)
      for (uint64_t word = addresses[lane] / 4; (active >> lane & 1) && word <= (addresses[lane] + bytes - 1) / 4;
           ++word) {
        std::vector<uint64_t> &bank = words[word % 32];
        if (std::find(bank.begin(), bank.end(), word) != bank.end())
          continue;
        bank.push_back(word);
        ++distinct;
        maxWords = std::max<uint64_t>(maxWords, bank.size());
      }
    counters.sharedWavefronts += maxWords;
    counters.sharedIdeal += (distinct + 31) / 32;
  }
}

void nova::emulator::countAccess(Block &block, Space space, uint32_t active, const uint64_t *addresses,
                                 uint32_t bytes) {
  KernelCounters &counters = block.counters;
  if (space == Space::Shared)
    return countShared(counters, active, addresses, bytes);
  if (space != Space::Global)
    return;
  std::vector<uint64_t> sectors;
  std::vector<uint64_t> wanted;
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    uint64_t address = addresses[__builtin_ctz(rest)];
    for (uint64_t sector = address / 32; sector <= (address + bytes - 1) / 32; ++sector)
      sectors.push_back(sector);
    wanted.push_back(address);
  }
  auto distinct = [](std::vector<uint64_t> &values) {
    std::sort(values.begin(), values.end());
    return static_cast<uint64_t>(std::unique(values.begin(), values.end()) - values.begin());
  };
  counters.globalRequests += 1;
  counters.globalSectors += distinct(sectors);
  for (uint64_t sector : sectors)
    counters.globalDistinct += block.sectors.insert(sector).second;
  counters.globalIdeal += (distinct(wanted) * bytes + 31) / 32;
}
