//===- SharedRaces.cpp - Races in shared memory ---------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedRaces.h"

#include "Block.h"

#include <algorithm>
#include <cstring>

using namespace nova::emulator;

void SharedRaces::start(uint32_t bytes, unsigned granuleShift, uint32_t warpCount, bool hasAgents) {
  granule = granuleShift;
  warps = warpCount;
  entries.assign((bytes >> granule) + 1, Entry());
  agentEntries.assign(hasAgents ? (bytes >> kAgentGranule) + 1 : 0, AgentEntry());
  columns = stride = hasAgents ? 2 * warps : warps;
  orderedBefore.assign(warps * stride, 0);
  allOrdered.assign(warps, 0);
}

void SharedRaces::beginBlock() {
  if (now > UINT32_MAX / 2) { // times begin anew long before they wrap around
    std::fill(entries.begin(), entries.end(), Entry());
    now = 1;
  }
  released.clear();
  arriving.clear();
  std::fill(agentEntries.begin(), agentEntries.end(), AgentEntry());
  columns = agentEntries.empty() ? warps : 2 * warps;
  std::fill(orderedBefore.begin(), orderedBefore.end(), now);
  std::fill(allOrdered.begin(), allOrdered.end(), now);
  ++now;
}

void SharedRaces::recompute(uint32_t warp) {
  uint32_t *row = &orderedBefore[warp * stride];
  row[warp] = UINT32_MAX; // its own accesses are in order
  allOrdered[warp] = *std::min_element(row, row + warps);
}

void SharedRaces::synchronise(uint32_t mask) {
  std::vector<uint32_t> merged(columns, 0);
  for (uint32_t w = 0; w < warps; ++w)
    if (mask >> w & 1)
      for (uint32_t v = 0; v < columns; ++v)
        merged[v] = std::max(merged[v], v < warps && (mask >> v & 1) ? now : orderedBefore[w * stride + v]);
  for (uint32_t w = 0; w < warps; ++w)
    if (mask >> w & 1) {
      std::copy(merged.begin(), merged.end(), orderedBefore.begin() + w * stride);
      recompute(w);
    }
  ++now;
}

void SharedRaces::release(uint32_t warp, uint64_t address) {
  std::vector<uint32_t> &times = arriving[address];
  times.resize(columns, 0);
  for (uint32_t v = 0; v < columns; ++v)
    times[v] = std::max(times[v], v == warp ? now : orderedBefore[warp * stride + v]);
  ++now;
}

void SharedRaces::complete(uint64_t address) {
  auto found = arriving.find(address);
  if (found == arriving.end())
    return;
  std::vector<uint32_t> &times = released[address];
  times.resize(columns, 0);
  for (uint32_t v = 0; v < found->second.size(); ++v)
    times[v] = std::max(times[v], found->second[v]);
  arriving.erase(found);
}

void SharedRaces::acquire(uint32_t warp, uint64_t address) {
  auto found = released.find(address);
  if (found == released.end())
    return;
  for (uint32_t v = 0; v < found->second.size(); ++v) {
    uint32_t &time = orderedBefore[warp * stride + v];
    time = std::max(time, found->second[v]);
  }
  recompute(warp);
}

/// Whether what the warps of a mask did at that time is over for this warp.
bool SharedRaces::isOrdered(uint32_t warp, uint32_t time, uint32_t others) const {
  for (uint32_t rest = others & ~(1u << warp); rest; rest &= rest - 1)
    if (orderedBefore[warp * stride + static_cast<uint32_t>(__builtin_ctz(rest))] < time)
      return false;
  return true;
}

static std::string raceText(const Warp &warp, uint64_t address, const char *own, const char *other, uint32_t pc,
                            uint32_t thread) {
  const LaunchState &launch = warp.block->launch;
  return std::string(own) + " byte " + std::to_string(address) + " of shared memory, which " +
         describeThread(launch, thread) + " " + other + " at " + describeInstruction(launch.program, pc) +
         " with no barrier between";
}

void SharedRaces::read(Warp &warp, const Instruction &instruction, uint32_t lanes, const uint64_t *addresses,
                       uint32_t bytes) {
  uint32_t self = 1u << warp.index, ordered = allOrdered[warp.index];
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    Entry *entry = &entries[addresses[lane] >> granule], *end = &entries[(addresses[lane] + bytes - 1) >> granule];
    for (; entry <= end; ++entry) {
      // Lanes that read one word, and a warp that reads it again.
      if (entry->readTime == now && (entry->readers & self) && entry->writeTime <= ordered &&
          entry->atomicTime <= ordered)
        continue;
      if (entry->writeTime > ordered && !(entry->writers & self) &&
          !isOrdered(warp.index, entry->writeTime, entry->writers))
        report(warp, instruction, Finding::Kind::SharedRace, lane,
               raceText(warp, addresses[lane], "reads", "writes", entry->writePc, entry->writeThread));
      if (entry->atomicTime > ordered && !isOrdered(warp.index, entry->atomicTime, entry->atomics))
        report(warp, instruction, Finding::Kind::SharedRace, lane,
               raceText(warp, addresses[lane], "reads", "updates", entry->atomicPc, entry->atomicThread));
      entry->readers = entry->readTime == now ? entry->readers | self : self;
      entry->readTime = now;
      entry->readPc = warp.pc;
      entry->readThread = static_cast<uint16_t>(warp.firstThread + lane);
    }
  }
  if (!agentEntries.empty())
    checkAgents(warp, instruction, lanes, addresses, bytes, /*isWrite=*/false);
}

void SharedRaces::write(Warp &warp, const Instruction &instruction, uint32_t lanes, const uint64_t *addresses,
                        uint32_t bytes, const uint8_t *values, uint32_t stride, bool isStrict) {
  uint32_t self = 1u << warp.index, ordered = allOrdered[warp.index];
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t address = addresses[lane];
    Entry *entry = &entries[address >> granule], *end = &entries[(address + bytes - 1) >> granule];
    for (; entry <= end; ++entry) {
      bool writesRace = entry->writeTime > ordered && !isOrdered(warp.index, entry->writeTime, entry->writers);
      bool readsRace = entry->readTime > ordered && !isOrdered(warp.index, entry->readTime, entry->readers);
      bool isSame = false;
      if (writesRace || readsRace)
        isSame = !isStrict && values && std::memcmp(warp.block->shared + address, values + lane * stride, bytes) == 0;
      if (writesRace && !isSame)
        report(warp, instruction, Finding::Kind::SharedRace, lane,
               raceText(warp, address, "writes", "writes", entry->writePc, entry->writeThread));
      if (readsRace && !isSame)
        report(warp, instruction, Finding::Kind::SharedRace, lane,
               raceText(warp, address, "writes", "reads", entry->readPc, entry->readThread));
      if (entry->atomicTime > ordered && !isOrdered(warp.index, entry->atomicTime, entry->atomics))
        report(warp, instruction, Finding::Kind::SharedRace, lane,
               raceText(warp, address, "writes", "updates", entry->atomicPc, entry->atomicThread));
      entry->writers = isSame && entry->writeTime == now ? entry->writers | self : self;
      entry->writeTime = now;
      entry->writePc = warp.pc;
      entry->writeThread = static_cast<uint16_t>(warp.firstThread + lane);
    }
  }
  if (!agentEntries.empty())
    checkAgents(warp, instruction, lanes, addresses, bytes, /*isWrite=*/true);
}

void SharedRaces::update(Warp &warp, const Instruction &instruction, uint32_t lanes, const uint64_t *addresses,
                         uint32_t bytes) {
  uint32_t self = 1u << warp.index;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t address = addresses[lane];
    Entry *entry = &entries[address >> granule], *end = &entries[(address + bytes - 1) >> granule];
    for (; entry <= end; ++entry) {
      if (!isOrdered(warp.index, entry->writeTime, entry->writers))
        report(warp, instruction, Finding::Kind::SharedRace, lane,
               raceText(warp, address, "updates", "writes", entry->writePc, entry->writeThread));
      if (!isOrdered(warp.index, entry->readTime, entry->readers))
        report(warp, instruction, Finding::Kind::SharedRace, lane,
               raceText(warp, address, "updates", "reads", entry->readPc, entry->readThread));
      entry->atomics = entry->atomicTime == now ? entry->atomics | self : self;
      entry->atomicTime = now;
      entry->atomicPc = warp.pc;
      entry->atomicThread = static_cast<uint16_t>(warp.firstThread + lane);
    }
  }
  if (!agentEntries.empty())
    checkAgents(warp, instruction, lanes, addresses, bytes, /*isWrite=*/true);
}
