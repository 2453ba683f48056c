//===- Matrix.cpp - ldmatrix, stmatrix, movmatrix -------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

// A matrix has 8 rows of 16 bytes, whose addresses eight lanes hold. Lane l gets the 4 bytes at row l / 4, column l %
// 4; transposed, its two halves are rows 2 (l % 4) and the next, of column l / 4.

enum MatrixFlags : uint8_t { IsTransposed = 16 };

/// Rows of eight halves to the register of each lane.
static void rowsToLanes(const uint16_t rows[8][8], bool isTransposed, uint32_t *lanes) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    unsigned group = lane / 4, pair = 2 * (lane % 4);
    uint16_t low = isTransposed ? rows[pair][group] : rows[group][pair];
    uint16_t high = isTransposed ? rows[pair + 1][group] : rows[group][pair + 1];
    lanes[lane] = low | static_cast<uint32_t>(high) << 16;
  }
}

static void lanesToRows(const uint32_t *lanes, bool isTransposed, uint16_t rows[8][8]) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    unsigned group = lane / 4, pair = 2 * (lane % 4);
    (isTransposed ? rows[pair][group] : rows[group][pair]) = static_cast<uint16_t>(lanes[lane]);
    (isTransposed ? rows[pair + 1][group] : rows[group][pair + 1]) = static_cast<uint16_t>(lanes[lane] >> 16);
  }
}

static uint32_t rowLanes(const Instruction &instruction) {
  return instruction.count == 4 ? kAllLanes : (1u << 8 * instruction.count) - 1;
}

void nova::emulator::requireAllLanes(Warp &warp, const Instruction &instruction, uint32_t active) {
  if (active == kAllLanes)
    return;
  report(warp, instruction, Finding::Kind::Barrier, static_cast<unsigned>(__builtin_ctz(active)),
         "expected all 32 lanes of the warp, found " + std::to_string(__builtin_popcount(active)));
  throw StopBlock();
}

static void executeLoadMatrix(Warp &warp, const Instruction &instruction, uint32_t active) {
  requireAllLanes(warp, instruction, active);
  Access access;
  addressesOf(warp, instruction, access.address);
  resolve(warp, instruction, instruction.space, rowLanes(instruction), 16, AccessKind::Load, access);
  for (unsigned matrix = 0; matrix < instruction.count; ++matrix) {
    uint16_t rows[8][8];
    for (unsigned row = 0; row < 8; ++row)
      std::memcpy(rows[row], access.host[8 * matrix + row], 16);
    uint32_t values[kLanes];
    rowsToLanes(rows, instruction.flags & IsTransposed, values);
    setLanes(warp, instruction.operands[2 + matrix], values, active);
  }
}

static void executeStoreMatrix(Warp &warp, const Instruction &instruction, uint32_t active) {
  requireAllLanes(warp, instruction, active);
  Access access;
  addressesOf(warp, instruction, access.address);
  uint32_t lanes = rowLanes(instruction);
  resolve(warp, instruction, instruction.space, lanes, 16, AccessKind::Store, access);
  uint16_t rows[kLanes][8];
  for (unsigned matrix = 0; matrix < instruction.count; ++matrix)
    lanesToRows(lanesOf<uint32_t>(warp, instruction.operands[2 + matrix]), instruction.flags & IsTransposed,
                &rows[8 * matrix]);
  noteStore(warp, instruction, access, 16, reinterpret_cast<const uint8_t *>(rows), 16);
  for (unsigned lane = 0; lane < 8u * instruction.count; ++lane)
    std::memcpy(access.host[lane], rows[lane], 16);
}

static void executeTranspose(Warp &warp, const Instruction &instruction, uint32_t active) {
  requireAllLanes(warp, instruction, active);
  uint16_t rows[8][8];
  lanesToRows(lanesOf<uint32_t>(warp, instruction.operands[2]), /*isTransposed=*/false, rows);
  uint32_t values[kLanes];
  rowsToLanes(rows, /*isTransposed=*/true, values);
  setLanes(warp, instruction.operands[0], values, active);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

void nova::emulator::requireWholeWarp(Builder &builder) {
  builder.expectOneOf({"sync"});
  builder.expectOneOf({"aligned"});
  builder.out.control = Control::WarpSync;
  builder.out.memberOperand = 19;
  builder.out.operands[19] = builder.constant(kAllLanes, 4);
}

static void decodeMatrix(Builder &builder) {
  bool isStore = builder.name() == "stmatrix";
  requireWholeWarp(builder);
  builder.expectOneOf({"m8n8"});
  constexpr uint8_t counts[] = {1, 2, 4};
  builder.out.count = counts[builder.expectOneOf({"x1", "x2", "x4"})];
  bool isTransposed = builder.take("trans");
  Space space = takeSpace(builder);
  if (space != Space::Generic && space != Space::Shared)
    builder.fail("expected .shared, found ." + std::string(nameOf(space)));
  if (builder.takeType() != Type::B16)
    builder.fail("expected .b16");
  builder.expectOperands(2);
  std::vector<Operand> values = Builder::elementsOf(builder.operand(isStore ? 1 : 0));
  if (values.size() != builder.out.count)
    builder.fail("expected " + std::to_string(builder.out.count) + " registers, found " +
                 std::to_string(values.size()));
  for (size_t i = 0; i < values.size(); ++i)
    builder.out.operands[2 + i] =
        isStore ? builder.source(values[i], Type::B32) : builder.destination(values[i], Type::B32);
  setAddress(builder, builder.operand(isStore ? 0 : 1), space);
  builder.out.flags |= isTransposed ? IsTransposed : 0;
  builder.out.execute = isStore ? executeStoreMatrix : executeLoadMatrix;
}

static void decodeMoveMatrix(Builder &builder) {
  requireWholeWarp(builder);
  builder.expectOneOf({"m8n8"});
  builder.expectOneOf({"trans"});
  if (builder.takeType() != Type::B16)
    builder.fail("expected .b16");
  builder.expectOperands(2);
  builder.out.operands[2] = builder.source(1, Type::B32);
  builder.out.operands[0] = builder.destination(0, Type::B32);
  builder.out.execute = executeTranspose;
}

void nova::emulator::addMatrixInstructions(InstructionTable &table) {
  table["ldmatrix"] = table["stmatrix"] = decodeMatrix;
  table["movmatrix"] = decodeMoveMatrix;
  table["mma"] = decodeMma;
}
