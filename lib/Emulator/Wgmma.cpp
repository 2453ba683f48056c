//===- Wgmma.cpp - wgmma: products of warpgroups in flight ----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "WgmmaProduct.h"

#include <algorithm>

using namespace nova::emulator;

static Warpgroup &warpgroupOf(Warp &warp) { return warp.block->warpgroups[warp.index / kWarpgroup]; }
static WarpgroupMember &memberOf(Warp &warp) { return warpgroupOf(warp).members[warp.index % kWarpgroup]; }

[[noreturn]] static void misuse(Warp &warp, const Instruction &instruction, const std::string &text) {
  report(warp, instruction, Finding::Kind::Wgmma, 0, text);
  throw StopBlock();
}

static void requireWarpgroup(Warp &warp, const Instruction &instruction) {
  size_t first = warp.index / kWarpgroup * kWarpgroup;
  if (first + kWarpgroup > warp.block->warps.size())
    misuse(warp, instruction,
           "expected a warpgroup of four warps, found a block of " + std::to_string(warp.block->warps.size()));
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

static void reportUse(Warp &warp, const Instruction &instruction, const char *use, uint32_t place, const char *otherUse,
                      uint32_t pc) {
  const Block &block = *warp.block;
  if (!block.checks.races)
    return;
  report(warp, instruction, Finding::Kind::Wgmma, 0,
         std::string(use) + " register " + block.program.watchedNames[place] + ", which " +
             describeInstruction(block.program, pc) + " " + otherUse +
             "; expected wgmma.wait_group for its group before");
}

void nova::emulator::checkWatchedUses(Warp &warp, const Instruction &instruction, uint32_t pc) {
  const Program &program = warp.block->program;
  WarpgroupMember &member = memberOf(warp);
  for (uint32_t i = program.watchedUseStart[pc]; i < program.watchedUseStart[pc + 1]; ++i) {
    WatchedUse use = program.watchedUses[i];
    WatchedRegister &reg = member.registers[use.place];
    if (reg.writtenBy > member.waited)
      reportUse(warp, instruction, use.isWrite ? "writes" : "reads", use.place, "writes", reg.writePc);
    else if (use.isWrite && reg.readBy > member.waited)
      reportUse(warp, instruction, "writes", use.place, "reads", reg.readPc);
    reg.isUnfenced |= use.isWrite;
  }
}

/// Whether the registers of a product may be used by it, and that it uses them now.
static void noteRegisters(Warp &warp, const Instruction &instruction, const WgmmaOperands &operands) {
  const Block &block = *warp.block;
  WarpgroupMember &member = memberOf(warp);
  uint32_t group = static_cast<uint32_t>(member.groupEnds.size()) + 1, shape = operands.n;
  auto requireFence = [&](uint32_t place) {
    if (member.registers[place].isUnfenced && block.checks.races)
      report(warp, instruction, Finding::Kind::Wgmma, 0,
             "uses a register that was written before, or the first time, with no wgmma.fence between");
  };
  for (uint32_t place : operands.watchedAccumulators) {
    WatchedRegister &reg = member.registers[place];
    requireFence(place);
    if (reg.writtenBy > member.waited && reg.shape != shape)
      reportUse(warp, instruction, "accumulates in", place, "writes in another shape", reg.writePc);
    if (reg.readBy > member.waited)
      reportUse(warp, instruction, "writes", place, "reads", reg.readPc);
    reg.writtenBy = group;
    reg.writePc = warp.pc;
    reg.shape = shape;
  }
  for (size_t r = 0; operands.isInRegisters && r < 4; ++r) {
    WatchedRegister &reg = member.registers[operands.watchedFragment[r]];
    requireFence(operands.watchedFragment[r]);
    if (reg.writtenBy > member.waited)
      reportUse(warp, instruction, "reads", operands.watchedFragment[r], "writes", reg.writePc);
    reg.readBy = group;
    reg.readPc = warp.pc;
  }
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

/// Checks the part of a matrix that the warp reads, and lets the race checks know of it.
static void noteMatrix(Warp &warp, const Instruction &instruction, const SharedMatrix &matrix, uint32_t firstRow,
                       uint32_t rows, uint32_t depth, uint32_t share) {
  Block &block = *warp.block;
  Warpgroup &warpgroup = warpgroupOf(warp);
  uint32_t group = static_cast<uint32_t>(memberOf(warp).groupEnds.size()) + 1;
  uint64_t bytes = 0;
  matrix.forEachChunk(firstRow, rows, depth, [&](uint32_t, uint32_t, uint64_t address) {
    Space space = Space::Shared;
    resolveRange(warp, instruction, space, 0, address, 16, AccessKind::Load);
    if (block.checks.races)
      block.races.agentRead(warp, instruction, 0, address, 16, warpgroup.agent, group);
    bytes += 16;
  });
  if (block.launch.options.countMemory)
    block.counters.wgmmaBytes += bytes / share;
}

static uint64_t uniformDescriptor(Warp &warp, const Instruction &instruction, uint32_t slot) {
  const uint64_t *lanes = lanesOf<uint64_t>(warp, slot);
  if (std::any_of(lanes, lanes + kLanes, [&](uint64_t lane) { return lane != lanes[0]; }))
    misuse(warp, instruction, "expected the same matrix descriptor in every lane");
  return lanes[0];
}

static void executeMultiply(Warp &warp, const Instruction &instruction, uint32_t active) {
  Block &block = *warp.block;
  requireAllLanes(warp, instruction, active);
  requireWarpgroup(warp, instruction);
  const WgmmaOperands &operands = block.program.wgmmas[instruction.target];
  Warpgroup &warpgroup = warpgroupOf(warp);
  WarpgroupMember &member = memberOf(warp);
  if (!warpgroup.agent && block.checks.races)
    warpgroup.agent = block.races.addAgent();
  uint32_t scale = warp.predicates[operands.scale];
  if (scale != 0 && scale != kAllLanes)
    misuse(warp, instruction, "expected the same scale of D in every lane");
  Product product;
  product.pc = warp.pc;
  product.isScaled = scale != 0;
  product.descriptorB = uniformDescriptor(warp, instruction, operands.descriptorB);
  if (!operands.isInRegisters)
    product.descriptorA = uniformDescriptor(warp, instruction, operands.descriptorA);
  if (member.issued == warpgroup.products.size()) {
    warpgroup.products.push_back(product);
  } else {
    const Product &first = warpgroup.products[member.issued];
    if (first.pc != product.pc)
      misuse(warp, instruction,
             "expected the four warps of the warpgroup to execute the same product, found another at " +
                 describeInstruction(block.program, first.pc));
    if (first.descriptorA != product.descriptorA || first.descriptorB != product.descriptorB ||
        first.isScaled != product.isScaled)
      misuse(warp, instruction, "expected the same descriptors and scale in the four warps of the warpgroup");
  }
  noteRegisters(warp, instruction, operands);
  uint32_t bytesA = bytesOf(operands.a), bytesB = bytesOf(operands.b), firstRow = 16 * (warp.index % kWarpgroup);
  if (!operands.isInRegisters)
    noteMatrix(warp, instruction, SharedMatrix(product.descriptorA, operands.isTransposedA, bytesA), firstRow, 16,
               operands.k, 1);
  noteMatrix(warp, instruction, SharedMatrix(product.descriptorB, operands.isTransposedB, bytesB), 0, operands.n,
             operands.k, kWarpgroup);
  ++member.issued;
}

static void executeFence(Warp &warp, const Instruction &instruction, uint32_t active) {
  requireAllLanes(warp, instruction, active);
  if (!warp.block->warpgroups.empty())
    for (WatchedRegister &reg : memberOf(warp).registers)
      reg.isUnfenced = false;
}

static void executeCommit(Warp &warp, const Instruction &instruction, uint32_t active) {
  requireAllLanes(warp, instruction, active);
  if (!warp.block->warpgroups.empty())
    memberOf(warp).groupEnds.push_back(memberOf(warp).issued);
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

/// Whether the four warps have come as far as the groups that one of them waits for; then their products are done.
static bool tryWait(Block &block, Warp &warp, uint32_t groups) {
  Warpgroup &warpgroup = warpgroupOf(warp);
  WarpgroupMember &member = memberOf(warp);
  uint64_t end = groups ? member.groupEnds[groups - 1] : 0;
  for (const WarpgroupMember &other : warpgroup.members)
    if (other.issued < end)
      return false;
  uint32_t firstWarp = warp.index / kWarpgroup * kWarpgroup;
  for (; warpgroup.executed < end; ++warpgroup.executed) {
    const Product &product = warpgroup.products[warpgroup.executed];
    executeProduct(block, firstWarp, block.program.wgmmas[block.program.code[product.pc].target], product);
    ++block.activity;
  }
  member.waited = std::max(member.waited, groups);
  if (block.checks.races && warpgroup.agent)
    block.races.finish(warp.index, warpgroup.agent, groups);
  return true;
}

bool nova::emulator::waitForWarpgroup(Block &block, Warp &warp, const Instruction &instruction, uint32_t active) {
  requireAllLanes(warp, instruction, active);
  if (block.warpgroups.empty())
    return true;
  uint32_t committed = static_cast<uint32_t>(memberOf(warp).groupEnds.size());
  uint32_t groups = committed - std::min(committed, static_cast<uint32_t>(instruction.immediate));
  if (tryWait(block, warp, groups))
    return true;
  warp.others.push_back({warp.pc, active, warp.current.stack, Group::State::AtWarpgroup, groups});
  return false;
}

bool nova::emulator::completeWarpgroups(Block &block) {
  bool any = false;
  if (block.warpgroups.empty())
    return false;
  for (Warp &warp : block.warps)
    for (Group &group : warp.others)
      if (group.state == Group::State::AtWarpgroup && tryWait(block, warp, group.members)) {
        group.state = Group::State::Ready;
        ++group.pc;
        any = true;
      }
  return any;
}

void nova::emulator::checkWarpgroups(Block &block) {
  for (size_t g = 0; g < block.warpgroups.size(); ++g)
    for (uint32_t w = 0; w < kWarpgroup && g * kWarpgroup + w < block.warps.size(); ++w) {
      const Warpgroup &warpgroup = block.warpgroups[g];
      uint64_t issued = warpgroup.members[w].issued;
      if (issued == warpgroup.products.size())
        continue;
      Warp &warp = block.warps[g * kWarpgroup + w];
      report(warp, block.program.code[warpgroup.products[issued].pc], Finding::Kind::Wgmma, 0,
             "exits without a product that other warps of its warpgroup execute");
    }
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

namespace {
/// Types of a product, the depth of its shape, and the columns that shapes have: all multiples of 8, or for integers
/// those up to 32 and then of 16.
struct Kind {
  Type d, a, b;
  uint8_t k;
};
} // namespace

static constexpr Kind kKinds[] = {
    {Type::F32, Type::F16, Type::F16, 16},   {Type::F16, Type::F16, Type::F16, 16},
    {Type::F32, Type::BF16, Type::BF16, 16}, {Type::F32, Type::TF32, Type::TF32, 8},
    {Type::F32, Type::E4M3, Type::E4M3, 32}, {Type::F32, Type::E4M3, Type::E5M2, 32},
    {Type::F32, Type::E5M2, Type::E4M3, 32}, {Type::F32, Type::E5M2, Type::E5M2, 32},
    {Type::F16, Type::E4M3, Type::E4M3, 32}, {Type::F16, Type::E4M3, Type::E5M2, 32},
    {Type::F16, Type::E5M2, Type::E4M3, 32}, {Type::F16, Type::E5M2, Type::E5M2, 32},
    {Type::S32, Type::S8, Type::S8, 32},     {Type::S32, Type::S8, Type::U8, 32},
    {Type::S32, Type::U8, Type::S8, 32},     {Type::S32, Type::U8, Type::U8, 32},
};

static const Kind &takeKind(Builder &builder) {
  Type d = builder.takeType();
  if (d != Type::F32 && d != Type::F16 && d != Type::S32)
    builder.fail("unknown shape or types of wgmma");
  Type a = builder.takeType(), b = builder.takeType();
  for (const Kind &kind : kKinds)
    if (kind.d == d && kind.a == a && kind.b == b)
      return kind;
  builder.fail("unknown shape or types of wgmma");
}

/// m64nNkK: as many columns as the kind allows.
static uint16_t takeColumns(Builder &builder, const Kind &kind) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> names;
    for (unsigned k : {8, 16, 32})
      for (unsigned n = 8; n <= 256; n += 8)
        names.push_back("m64n" + std::to_string(n) + "k" + std::to_string(k));
    return names;
  }();
  std::vector<std::string_view> shapes;
  std::vector<uint16_t> columns;
  for (uint16_t n = 8; n <= 256; n += 8)
    if (kind.d != Type::S32 || n <= 24 || n % 16 == 0) {
      shapes.push_back(names[kind.k / 16 * 32 + n / 8 - 1]);
      columns.push_back(n);
    }
  return columns[builder.expectOneOf(shapes)];
}

/// A constant that is 1 or, where `low` says so, another.
static bool takeFlag(Builder &builder, size_t operand, int64_t low, const char *what) {
  int64_t value = static_cast<int64_t>(builder.immediate(builder.operand(operand), what));
  if (value != 1 && value != low)
    builder.fail("expected a constant of 1 or " + std::to_string(low) + " as " + what + ", found " +
                 std::to_string(value));
  return value == low;
}

static uint32_t watch(Builder &builder, uint32_t slot, const Operand &operand) {
  std::vector<uint32_t> &watched = builder.program().watched;
  auto found = std::find(watched.begin(), watched.end(), slot);
  if (found == watched.end()) {
    found = watched.insert(watched.end(), slot);
    builder.program().watchedNames.emplace_back(operand.name);
  }
  return static_cast<uint32_t>(found - watched.begin());
}

/// D, A, B and the scale; behind them signs of floats, and of halves in shared memory which dimension is contiguous.
static void takeOperands(Builder &builder, const Kind &kind, WgmmaOperands &out) {
  bool isInteger = kind.d == Type::S32, isHalf = kind.k == 16;
  out.isInRegisters = builder.operandCount() > 1 && builder.operand(1).kind == Operand::Kind::Vector;
  size_t transpositions = !isHalf ? 0 : out.isInRegisters ? 1 : 2;
  builder.expectOperands(4 + (isInteger ? 0 : 2) + transpositions);
  std::vector<Operand> accumulators = Builder::elementsOf(builder.operand(0));
  size_t count = kind.d == Type::F16 ? out.n / 4u : out.n / 2u;
  if (accumulators.size() != count)
    builder.fail("expected " + std::to_string(count) + " registers, found " + std::to_string(accumulators.size()));
  for (const Operand &accumulator : accumulators) {
    out.accumulators.push_back(builder.destination(accumulator, Type::B32));
    out.watchedAccumulators.push_back(watch(builder, out.accumulators.back(), accumulator));
  }
  if (out.isInRegisters) {
    const std::vector<Operand> &fragment = builder.operand(1).elements;
    if (fragment.size() != 4)
      builder.fail("expected 4 registers, found " + std::to_string(fragment.size()));
    for (size_t r = 0; r < 4; ++r) {
      out.fragment[r] = builder.source(fragment[r], Type::B32);
      out.watchedFragment[r] = watch(builder, out.fragment[r], fragment[r]);
    }
  } else {
    out.descriptorA = builder.source(1, Type::B64);
  }
  out.descriptorB = builder.source(2, Type::B64);
  out.scale = builder.sourcePredicate(3);
  if (isInteger)
    return;
  out.isNegatedA = takeFlag(builder, 4, -1, "scale of A");
  out.isNegatedB = takeFlag(builder, 5, -1, "scale of B");
  if (transpositions == 2)
    out.isTransposedA = !takeFlag(builder, 6, 0, "transposition of A");
  if (transpositions)
    out.isTransposedB = !takeFlag(builder, transpositions == 2 ? 7 : 6, 0, "transposition of B");
}

static void decodeMultiply(Builder &builder) {
  requireWholeWarp(builder);
  const Kind &kind = takeKind(builder);
  WgmmaOperands operands;
  operands.d = kind.d;
  operands.a = kind.a;
  operands.b = kind.b;
  operands.k = kind.k;
  operands.n = takeColumns(builder, kind);
  operands.isSaturating = kind.d == Type::S32 && builder.take("satfinite");
  takeOperands(builder, kind, operands);
  Program &program = builder.program();
  program.usesAsyncProxy = true;
  builder.out.target = static_cast<uint32_t>(program.wgmmas.size());
  builder.out.execute = executeMultiply;
  program.wgmmas.push_back(std::move(operands));
}

static void decodeWgmma(Builder &builder) {
  int kind = builder.expectOneOf({"fence", "commit_group", "wait_group", "mma_async"});
  if (kind == 3) {
    if (builder.take("sp"))
      builder.fail("unknown instruction: sparse wgmma, where the emulator has wgmma.mma_async alone");
    return decodeMultiply(builder);
  }
  builder.expectOperands(kind == 2 ? 1 : 0);
  if (kind == 2) {
    builder.expectOneOf({"sync"});
    builder.expectOneOf({"aligned"});
    builder.out.control = Control::WarpgroupWait;
    builder.out.immediate =
        static_cast<int64_t>(builder.immediate(builder.operand(0), "number of groups") & 0x7fffffff);
  } else {
    requireWholeWarp(builder);
    builder.out.execute = kind == 0 ? executeFence : executeCommit;
  }
}

void nova::emulator::addWgmmaInstructions(InstructionTable &table) { table["wgmma"] = decodeWgmma; }
