//===- TensorMapInstructions.cpp - Tensor maps that kernels write ---------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"

#include <cstddef>

using namespace nova::emulator;

static void executeNothing(Warp &, const Instruction &, uint32_t) {}

/// prefetch{.const, .param}.tensormap: a hint.
void nova::emulator::decodeTensorMapPrefetch(Builder &builder) {
  int space = builder.takeOneOf({"const", "param"});
  builder.expectOperands(1);
  builder.address(builder.operand(0), space == 1 ? Space::Param : Space::Generic);
  builder.out.execute = executeNothing;
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

static void executeMapFence(Warp &warp, const Instruction &, uint32_t) {
  Block &block = *warp.block;
  block.launch.fences[block.number].fetch_add(1, std::memory_order_relaxed);
  block.hasFenced = true;
}

/// fence.proxy.tensormap::generic.acquire.SCOPE [map], 128 and .release.SCOPE.
void nova::emulator::decodeTensorMapFence(Builder &builder) {
  bool isAcquire = builder.expectOneOf({"acquire", "release"}) == 0;
  builder.expectOneOf({"cta", "cluster", "gpu", "sys"});
  builder.expectOperands(isAcquire ? 2 : 0);
  if (isAcquire) {
    builder.address(builder.operand(0), Space::Generic);
    if (builder.immediate(builder.operand(1), "size of a tensor map") != sizeof(TensorMap))
      builder.fail("expected a constant of 128 bytes as the size of a tensor map");
  }
  builder.out.execute = executeMapFence;
}

//===----------------------------------------------------------------------===//
// tensormap
//===----------------------------------------------------------------------===//

// Operand 0 is the address, 1 the new value; `target` and `bytes` say which bytes of the map it is.

static void executeReplace(Warp &warp, const Instruction &instruction, uint32_t active) {
  int64_t offset = instruction.immediate;
  uint32_t field = instruction.target, width = instruction.bytes;
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t value = width == 8 ? lanesOf<uint64_t>(warp, instruction.operands[1])[lane]
                                : lanesOf<uint32_t>(warp, instruction.operands[1])[lane];
    AddressOperand base{instruction.space, instruction.operands[0],
                        static_cast<uint32_t>(instruction.flags & Address32 ? 4 : 8), offset};
    Access access;
    access.address[lane] = addressOf(warp, base, lane);
    if (access.address[lane] % 64) {
      report(warp, instruction, Finding::Kind::Misaligned, lane,
             "expected the address of a tensor map that 64 divides, found " + std::to_string(access.address[lane]));
      throw StopBlock();
    }
    access.address[lane] += field;
    resolve(warp, instruction, instruction.space, 1u << lane, width, AccessKind::Store, access);
    uint8_t bytes[kLanes * 8];
    std::memcpy(bytes + lane * 8, &value, 8);
    noteStore(warp, instruction, access, width, bytes, 8);
    std::memcpy(access.host[lane], &value, width);
  }
}

namespace {
/// A field that tensormap.replace names: where it lies, its bytes, and for how many dimensions there is one.
struct Field {
  size_t offset;
  uint8_t bytes;
  uint32_t count;
};
} // namespace

/// tensormap.replace.tile.FIELD{.SPACE}.b1024.TYPE [map], {dimension,} value.
static void decodeReplace(Builder &builder) {
  builder.expectOneOf({"tile"});
  static constexpr Field fields[] = {
      {offsetof(TensorMap, address), 8, 0}, {offsetof(TensorMap, rankMinus1), 4, 0},
      {offsetof(TensorMap, box), 4, 5},     {offsetof(TensorMap, dims), 4, 5},
      {offsetof(TensorMap, strides), 8, 4}, {offsetof(TensorMap, elementStrides), 4, 5},
      {offsetof(TensorMap, element), 4, 0}, {offsetof(TensorMap, interleave), 4, 0},
      {offsetof(TensorMap, swizzle), 4, 0}, {offsetof(TensorMap, fillsNan), 4, 0},
  };
  const Field &field =
      fields[builder.expectOneOf({"global_address", "rank", "box_dim", "global_dim", "global_stride", "element_stride",
                                  "elemtype", "interleave_layout", "swizzle_mode", "fill_mode"})];
  Space space = takeSpace(builder);
  if (space != Space::Generic && space != Space::Global && space != Space::Shared)
    builder.fail("expected .global or .shared::cta, found ." + std::string(nameOf(space)));
  builder.expectOneOf({"b1024"});
  Type type = builder.takeType();
  if (type != (field.bytes == 8 ? Type::B64 : Type::B32))
    builder.fail(field.bytes == 8 ? "expected .b64" : "expected .b32");
  builder.expectOperands(field.count ? 3 : 2);
  uint64_t dimension = field.count ? builder.immediate(builder.operand(1), "dimension") : 0;
  if (field.count && dimension >= field.count)
    builder.fail("expected a constant dimension below " + std::to_string(field.count) + ", found " +
                 std::to_string(dimension));
  builder.out.operands[1] = builder.source(field.count ? 2 : 1, type);
  setAddress(builder, builder.operand(0), space);
  builder.out.target = static_cast<uint32_t>(field.offset + dimension * field.bytes);
  builder.out.bytes = field.bytes;
  builder.out.execute = executeReplace;
}

/// Operands: 0 the target in global memory, 1 the source in shared memory.
static void executeCopyMap(Warp &warp, const Instruction &instruction, uint32_t active) {
  requireAllLanes(warp, instruction, active);
  const BulkOperands &operands = warp.block->program.bulkCopies[instruction.target];
  Space from = Space::Shared, to = Space::Global;
  uint64_t source = addressOf(warp, operands.shared, 0), target = addressOf(warp, operands.global, 0);
  const uint8_t *map = resolveRange(warp, instruction, from, 0, source, sizeof(TensorMap), AccessKind::Load);
  uint8_t *out = resolveRange(warp, instruction, to, 0, target, sizeof(TensorMap), AccessKind::Store);
  if (warp.block->checks.races)
    warp.block->races.read(warp, instruction, 1, &source, sizeof(TensorMap));
  noteGlobalRange(warp, instruction, 0, target, sizeof(TensorMap), map);
  std::memcpy(out, map, sizeof(TensorMap));
  executeMapFence(warp, instruction, active);
}

/// tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.SCOPE.sync.aligned [to], [from], 128.
static void decodeCopyMap(Builder &builder) {
  builder.expectOneOf({"global"});
  builder.expectOneOf({"shared::cta"});
  builder.expectOneOf({"tensormap::generic"});
  builder.expectOneOf({"release"});
  builder.expectOneOf({"gpu", "cta", "cluster", "sys"});
  requireWholeWarp(builder);
  builder.expectOperands(3);
  BulkOperands operands;
  operands.global = builder.address(builder.operand(0), Space::Global);
  operands.shared = builder.address(builder.operand(1), Space::Shared);
  if (builder.immediate(builder.operand(2), "size of a tensor map") != sizeof(TensorMap))
    builder.fail("expected a constant of 128 bytes as the size of a tensor map");
  Program &program = builder.program();
  builder.out.target = static_cast<uint32_t>(program.bulkCopies.size());
  builder.out.execute = executeCopyMap;
  program.bulkCopies.push_back(std::move(operands));
}

static void decodeTensorMap(Builder &builder) {
  if (builder.expectOneOf({"replace", "cp_fenceproxy"}) == 0)
    decodeReplace(builder);
  else
    decodeCopyMap(builder);
}

void nova::emulator::addTensorMapInstructions(InstructionTable &table) { table["tensormap"] = decodeTensorMap; }
