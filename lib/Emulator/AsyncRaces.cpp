//===- AsyncRaces.cpp - Races with bulk copies and warpgroup products -----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "SharedRaces.h"

#include <algorithm>

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// What is over for whom
//===----------------------------------------------------------------------===//

uint32_t SharedRaces::addAgent() {
  if (columns == stride) {
    uint32_t wider = stride + 16;
    std::vector<uint32_t> rows(warps * wider, 0);
    for (uint32_t w = 0; w < warps; ++w)
      std::copy_n(orderedBefore.begin() + w * stride, columns, rows.begin() + w * wider);
    orderedBefore = std::move(rows);
    stride = wider;
  }
  for (uint32_t w = 0; w < warps; ++w)
    orderedBefore[w * stride + columns] = 0;
  return columns++;
}

void SharedRaces::finish(uint32_t warp, uint32_t agent, uint32_t number) {
  uint32_t &over = orderedBefore[warp * stride + agent];
  over = std::max(over, number);
}

void SharedRaces::finishFor(uint64_t address, uint32_t agent, uint32_t number) {
  std::vector<uint32_t> &times = arriving[address];
  times.resize(columns, 0);
  times[agent] = std::max(times[agent], number);
}

void SharedRaces::fenceProxy(uint32_t warp) {
  if (agentEntries.empty())
    return;
  uint32_t *row = &orderedBefore[warp * stride];
  for (uint32_t v = 0; v < warps; ++v)
    row[warps + v] = std::max(row[warps + v], v == warp ? now : row[v]);
  ++now; // what the warp stores from here on is not behind the fence
}

//===----------------------------------------------------------------------===//
// Plain accesses that meet operations of agents
//===----------------------------------------------------------------------===//

void SharedRaces::reportAgent(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address, bool isWrite,
                              const Operation &other, bool otherWrites) const {
  report(warp, instruction, Finding::Kind::SharedRace, lane,
         std::string(isWrite ? "writes" : "reads") + " byte " + std::to_string(address) + " of shared memory, which " +
             describeInstruction(warp.block->program, other.pc) + (otherWrites ? " writes" : " reads") +
             " with no wait for it between");
}

void SharedRaces::checkAgents(Warp &warp, const Instruction &instruction, uint32_t lanes, const uint64_t *addresses,
                              uint32_t bytes, bool isWrite) {
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t address = addresses[lane];
    AgentEntry *entry = &agentEntries[address >> kAgentGranule],
               *end = &agentEntries[(address + bytes - 1) >> kAgentGranule];
    for (; entry <= end; ++entry) {
      if (!isOver(warp.index, entry->write))
        reportAgent(warp, instruction, lane, address, isWrite, entry->write, /*otherWrites=*/true);
      if (!isWrite)
        continue;
      for (const Operation &read : entry->reads)
        if (!isOver(warp.index, read))
          reportAgent(warp, instruction, lane, address, isWrite, read, /*otherWrites=*/false);
    }
  }
}

//===----------------------------------------------------------------------===//
// Operations of agents
//===----------------------------------------------------------------------===//

bool SharedRaces::checkPlain(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address, Entry &entry,
                             bool isWrite) const {
  const char *own = isWrite ? "writes" : "reads";
  auto reportPlain = [&](const char *other, uint32_t pc, uint32_t thread, const char *rest, Finding::Kind kind) {
    const LaunchState &launch = warp.block->launch;
    report(warp, instruction, kind, lane,
           std::string(own) + " byte " + std::to_string(address) + " of shared memory, which " +
               describeThread(launch, thread) + " " + other + " at " + describeInstruction(launch.program, pc) + rest);
    return false;
  };
  if (entry.writeTime && !isOrdered(warp.index, entry.writeTime, entry.writers))
    return reportPlain("writes", entry.writePc, entry.writeThread, " with no barrier between",
                       Finding::Kind::SharedRace);
  if (entry.atomicTime && !isOrdered(warp.index, entry.atomicTime, entry.atomics))
    return reportPlain("updates", entry.atomicPc, entry.atomicThread, " with no barrier between",
                       Finding::Kind::SharedRace);
  if (isWrite && entry.readTime && !isOrdered(warp.index, entry.readTime, entry.readers))
    return reportPlain("reads", entry.readPc, entry.readThread, " with no barrier between", Finding::Kind::SharedRace);
  const uint32_t *fenced = &orderedBefore[warp.index * stride + warps];
  for (uint32_t rest = entry.writeTime ? entry.writers : 0; rest; rest &= rest - 1)
    if (fenced[__builtin_ctz(rest)] < entry.writeTime)
      return reportPlain("writes", entry.writePc, entry.writeThread,
                         "; expected fence.proxy.async behind it, by that thread or by this one once it is ordered",
                         Finding::Kind::ProxyFence);
  return true;
}

void SharedRaces::agentRead(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address, uint32_t bytes,
                            uint32_t agent, uint32_t number) {
  for (uint64_t at = address >> granule; at <= (address + bytes - 1) >> granule; ++at)
    if (!checkPlain(warp, instruction, lane, at << granule, entries[at], /*isWrite=*/false))
      break;
  for (uint64_t at = address >> kAgentGranule; at <= (address + bytes - 1) >> kAgentGranule; ++at) {
    AgentEntry &entry = agentEntries[at];
    if (entry.write.agent != agent && !isOver(warp.index, entry.write))
      reportAgent(warp, instruction, lane, at << kAgentGranule, /*isWrite=*/false, entry.write, /*otherWrites=*/true);
    // The place of the same agent, or of a read that is over; four agents read one place at most.
    Operation *place = &entry.reads[0];
    for (Operation &read : entry.reads)
      if (read.agent == agent) {
        place = &read;
        break;
      } else if (isOver(warp.index, read)) {
        place = &read;
      }
    *place = {agent, number, warp.pc};
  }
}

void SharedRaces::agentWrite(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address,
                             uint32_t bytes, uint32_t agent, uint32_t number) {
  for (uint64_t at = address >> granule; at <= (address + bytes - 1) >> granule; ++at) {
    Entry &entry = entries[at];
    bool isGood = checkPlain(warp, instruction, lane, at << granule, entry, /*isWrite=*/true);
    entry.writeTime = entry.readTime = entry.atomicTime = 0;
    entry.writers = entry.readers = entry.atomics = 0;
    if (!isGood)
      break;
  }
  for (uint64_t at = address >> kAgentGranule; at <= (address + bytes - 1) >> kAgentGranule; ++at) {
    AgentEntry &entry = agentEntries[at];
    if (!isOver(warp.index, entry.write))
      reportAgent(warp, instruction, lane, at << kAgentGranule, /*isWrite=*/true, entry.write, /*otherWrites=*/true);
    for (const Operation &read : entry.reads)
      if (!isOver(warp.index, read))
        reportAgent(warp, instruction, lane, at << kAgentGranule, /*isWrite=*/true, read, /*otherWrites=*/false);
    entry = AgentEntry();
    entry.write = {agent, number, warp.pc};
  }
}
