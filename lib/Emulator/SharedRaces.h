//===- SharedRaces.h - Races in shared memory -------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Per granule of shared memory: who wrote and who read it last, and when. Time counts barriers: everything that a warp
// does between two of them has one time. `orderedBefore[w][v]` is the last time of warp v that is known to be over when
// warp w goes on; two accesses race when neither is. Within a warp lanes are not told apart.
//
// Bulk copies and products of warpgroups access shared memory on their own, whenever they like until they are waited
// for. Each sequence of them that finishes in order (copies on one mbarrier, bulk groups of a thread, products of a
// warpgroup) is an agent, and a warp knows how many of its operations are over. They also have a proxy of their own:
// what plain stores wrote is visible to them behind fence.proxy.async alone, so that for every warp there is a second
// row of times, up to which the stores of others and its own are behind such a fence.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_SHAREDRACES_H
#define NOVA_LIB_EMULATOR_SHAREDRACES_H

#include <cstdint>
#include <map>
#include <vector>

namespace nova::emulator {

struct Warp;
struct Instruction;

class SharedRaces {
public:
  void start(uint32_t bytes, unsigned granule, uint32_t warps, bool hasAgents);
  /// Forgets what the block before did.
  void beginBlock();

  /// Every warp of the mask has waited for every other.
  void synchronise(uint32_t warps);
  /// What a warp did so far is over for whoever acquires the object at that address (mbarrier, barrier) after the
  /// phase that is being arrived at; `complete` ends that phase.
  void release(uint32_t warp, uint64_t address);
  void complete(uint64_t address);
  void acquire(uint32_t warp, uint64_t address);
  /// Nobody acquires the object any more for what was released so far.
  void forget(uint64_t address) {
    released.erase(address);
    arriving.erase(address);
  }

  /// Lanes read or write `bytes` bytes at their addresses. `values`, `stride` bytes apart, are what is stored: equal to
  /// what lies there it is no race, unless `isStrict`; null when that is not known.
  void read(Warp &warp, const Instruction &instruction, uint32_t lanes, const uint64_t *addresses, uint32_t bytes);
  void write(Warp &warp, const Instruction &instruction, uint32_t lanes, const uint64_t *addresses, uint32_t bytes,
             const uint8_t *values, uint32_t stride, bool isStrict);
  /// Atomics do not race with each other, but with everything else.
  void update(Warp &warp, const Instruction &instruction, uint32_t lanes, const uint64_t *addresses, uint32_t bytes);

  // Agents (AsyncRaces.cpp).
  uint32_t addAgent();
  /// The operations of an agent up to a number are over: for a warp that waited, or for who acquires an object.
  void finish(uint32_t warp, uint32_t agent, uint32_t number);
  void finishFor(uint64_t address, uint32_t agent, uint32_t number);
  /// fence.proxy.async: all that is over for the warp, and its own accesses, are visible to agents.
  void fenceProxy(uint32_t warp);
  /// A lane starts an operation of an agent that reads or writes pieces of 16 bytes at some time from now on.
  void agentRead(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address, uint32_t bytes,
                 uint32_t agent, uint32_t number);
  void agentWrite(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address, uint32_t bytes,
                  uint32_t agent, uint32_t number);

private:
  struct Entry {
    uint32_t writeTime = 0, writers = 0, writePc = 0;
    uint32_t readTime = 0, readers = 0, readPc = 0;
    uint32_t atomicTime = 0, atomics = 0, atomicPc = 0;
    uint16_t writeThread = 0, readThread = 0, atomicThread = 0;
  };

  /// An operation of an agent; 0 is none.
  struct Operation {
    uint32_t agent = 0, number = 0, pc = 0;
  };
  struct AgentEntry {
    Operation write;
    Operation reads[4];
  };
  static constexpr unsigned kAgentGranule = 4;

  bool isOrdered(uint32_t warp, uint32_t time, uint32_t others) const;
  void recompute(uint32_t warp);
  bool isOver(uint32_t warp, const Operation &operation) const {
    return operation.agent == 0 || orderedBefore[warp * stride + operation.agent] >= operation.number;
  }
  void checkAgents(Warp &warp, const Instruction &instruction, uint32_t lanes, const uint64_t *addresses,
                   uint32_t bytes, bool isWrite);
  void reportAgent(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address, bool isWrite,
                   const Operation &other, bool otherWrites) const;
  /// Plain accesses that an operation of an agent meets. False when one was reported.
  bool checkPlain(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address, Entry &entry,
                  bool isWrite) const;

  std::vector<Entry> entries;
  std::vector<AgentEntry> agentEntries; ///< empty when there are no agents
  unsigned granule = 2;
  uint32_t warps = 0;
  uint32_t now = 1;
  /// A row of `columns` for each warp, `stride` apart: times of the warps; with agents then the times up to which their
  /// stores are behind a proxy fence, and how many operations of each agent are over.
  std::vector<uint32_t> orderedBefore;
  uint32_t columns = 0, stride = 0;
  std::vector<uint32_t> allOrdered; ///< the least of each warp's times
  std::map<uint64_t, std::vector<uint32_t>> arriving, released;
};

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_SHAREDRACES_H
