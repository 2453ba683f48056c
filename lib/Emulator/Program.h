//===- Program.h - A decoded kernel -----------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_PROGRAM_H
#define NOVA_LIB_EMULATOR_PROGRAM_H

#include "Nova/Emulator/Module.h"
#include "Source.h"
#include "Types.h"

#include <array>

namespace nova::emulator {

struct Warp;
struct Instruction;

constexpr unsigned kLanes = 32;
constexpr uint32_t kAllLanes = 0xffffffff;

/// Executes an instruction for the lanes of a mask, which is not empty.
using ExecuteFn = void (*)(Warp &, const Instruction &, uint32_t active);

/// What an instruction means to the scheduler; everything else only calls `execute`.
enum class Control : uint8_t {
  None,
  Branch,        ///< to `target`
  BranchIndexed, ///< to tables[target][operand 0]
  Call,          ///< to `target`
  Return,        ///< from a function; from a kernel it is an exit
  Exit,
  WarpSync,      ///< `execute` once the lanes of the member mask (operand `memberOperand`) have come
  Barrier,       ///< of the block: operand 0 the number, operand 1 the threads when count is 2
  Poll,          ///< a wait that may fail, in a loop: the warp's turn ends when it does
  WarpgroupWait, ///< wgmma.wait_group of `immediate`: until the warps of the warpgroup have come as far
  ClusterWait,   ///< barrier.cluster.wait
};

struct Instruction {
  ExecuteFn execute = nullptr;
  Control control = Control::None;
  Space space = Space::Generic;
  uint8_t count = 1; ///< elements of a vector, matrices of ldmatrix, operands of a barrier
  uint8_t bytes = 0; ///< of an element in memory
  uint8_t memberOperand = 0;
  uint8_t flags = 0; ///< each kind of instruction has its own
  bool isGuardNegated = false;
  uint8_t movedElements = 0; ///< bits of those that a load may find unwritten, since nothing computes with them
  int32_t leader = -1;       ///< number of the basic block that begins here, or -1; lanes meet at its beginning
  int32_t guard = -1;        ///< index of a predicate, or -1
  uint32_t target = 0;
  int64_t immediate = 0; ///< an address' offset
  uint32_t line = 0;
  uint32_t opcode = 0; ///< index into Program::opcodes
  /// Offsets of registers in a warp's registers, indices of predicates.
  std::array<uint32_t, 20> operands = {};
};

/// Where a memory operand points: a register that holds an address of `bytes` (4 or 8) bytes, plus an offset.
struct AddressOperand {
  Space space = Space::Generic;
  uint32_t slot = 0;
  uint32_t bytes = 8;
  int64_t offset = 0;
};

/// What cp.async.bulk and its like copy; `Instruction::target` is its number.
struct BulkOperands {
  bool isStore = false;        ///< from shared to global memory
  bool isTensor = false;       ///< `global` is the address of a tensor map
  bool isWithinShared = false; ///< from shared to shared memory: `global` is an address of shared memory
  AddressOperand shared, global, mbarrier;
  uint32_t size = 0;                 ///< a register with the bytes to copy
  std::vector<uint32_t> coordinates; ///< registers with the tensor's coordinates, the innermost first
  int32_t multicast = -1;            ///< a register with the blocks of the cluster that receive the copy, or -1
};

/// A product of a warpgroup, wgmma.mma_async; `Instruction::target` is its number. A register's place in `watched` of
/// the program stands beside its slot.
struct WgmmaOperands {
  Type d = Type::F32, a = Type::F16, b = Type::F16;
  uint16_t n = 8;
  uint8_t k = 16;
  bool isInRegisters = false; ///< A, else in shared memory
  bool isNegatedA = false, isNegatedB = false;
  bool isTransposedA = false, isTransposedB = false; ///< M or N is the contiguous dimension instead of K
  bool isSaturating = false;
  std::vector<uint32_t> accumulators, watchedAccumulators;
  std::array<uint32_t, 4> fragment = {}, watchedFragment = {}; ///< of A
  uint32_t descriptorA = 0, descriptorB = 0;
  uint32_t scale = 0; ///< the predicate without which D is the product alone
};

/// A use of a register that products of the program have as operand, by another instruction.
struct WatchedUse {
  uint16_t place = 0; ///< in `watched`
  bool isWrite = false;
};

/// A register that holds the same value in all lanes for the whole launch.
struct ConstantSlot {
  uint32_t slot = 0;
  uint32_t bytes = 4;
  uint64_t bits = 0;
  bool isDynamicShared = false; ///< `bits` counts from where dynamic shared memory begins
};

enum class Special : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NwarpId,
  SmId,
  NsmId,
  GridId,
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  DynamicSmem,
  TotalSmem,
  ClusterIdX,
  ClusterIdY,
  ClusterIdZ,
  NclusterIdX,
  NclusterIdY,
  NclusterIdZ,
  Zero,
  One,
  Clock, ///< read anew by each instruction
};

/// A special register, filled when a block starts.
struct SpecialSlot {
  uint32_t slot = 0;
  uint32_t bytes = 4;
  Special special = Special::Zero;
};

struct Program {
  std::string name;
  std::shared_ptr<const Source> source;
  std::vector<Instruction> code;
  std::vector<std::string> opcodes;
  std::vector<std::vector<uint32_t>> tables; ///< of brx.idx
  std::vector<uint32_t> functionStarts;      ///< where the kernel and each function begin, ascending
  std::vector<ConstantSlot> constants;
  std::vector<SpecialSlot> specials;
  uint32_t leaderCount = 0;
  uint32_t registerBytes = 0; ///< of a warp
  uint32_t threadBytes = 0;   ///< of a thread, named registers alone
  uint32_t predicateCount = 0;
  int32_t carryPredicate = -1; ///< the condition code of add.cc and the like, or -1
  uint32_t sharedBytes = 0;    ///< static
  uint32_t dynamicSharedStart = 0;
  uint32_t localBytes = 0; ///< of a thread
  std::vector<KernelParameter> parameters;
  uint32_t parameterBytes = 0;
  std::array<uint32_t, 3> requiredBlock = {};
  std::array<uint32_t, 3> cluster = {1, 1, 1}; ///< .reqnctapercluster
  uint32_t maxThreads = 1024;
  unsigned sharedGranule = 2;      ///< log2 of the smallest access to shared memory, at most 2
  unsigned globalGranule = 2;      ///< log2 of the smallest plain store to global memory, at most 2
  bool needsOrderedBlocks = false; ///< atomics whose results depend on the order of blocks

  // Asynchronous units: bulk copies and products of warpgroups.
  bool usesAsyncProxy = false;
  std::vector<BulkOperands> bulkCopies;
  std::vector<WgmmaOperands> wgmmas;
  std::vector<uint32_t> watched;         ///< slots of the registers of wgmma
  std::vector<std::string> watchedNames; ///< their names
  std::vector<uint32_t> watchedUseStart; ///< by instruction and one more, into `watchedUses`; empty without wgmma
  std::vector<WatchedUse> watchedUses;

  std::string_view textOf(const Instruction &instruction) const { return source->line(instruction.line); }
};

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_PROGRAM_H
