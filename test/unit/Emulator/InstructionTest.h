//===- InstructionTest.h - Instructions on given operands -------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row is an instruction over registers named by width and number, h1 (16 bits), r1 (32), d1 (64), p1 (a predicate),
// whose values are given in order; the result is the register of number 0. Beside them a row may use %tid and memory of
// its lane's own, 64 bytes each: [%own] of .global, [%shared] of .shared, [%local] of .local, [pa] of .param memory; c
// is .const memory of 64 bytes 0, 7, 14 and so on. Expected values are written from the definitions of the PTX ISA.
// InstructionFormsTest.cpp holds the rows to all that the emulator accepts.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TEST_UNIT_EMULATOR_INSTRUCTIONTEST_H
#define NOVA_TEST_UNIT_EMULATOR_INSTRUCTIONTEST_H

#include "RunPtx.h"

#include <set>

namespace nova::emulator {

struct Row {
  std::string text;             ///< "add.s32 r0, r1, r2;"
  std::vector<uint64_t> inputs; ///< of the registers 1, 2, ...
  uint64_t expected;            ///< of register 0
};

/// Runs each row on a whole warp and on some of its lanes.
void expectRows(const std::vector<Row> &rows);

/// A row for a whole warp: inputs and results are lane by lane.
struct WarpRow {
  std::string text;
  std::vector<std::vector<uint64_t>> inputs;
  std::vector<uint64_t> expected;
};
void expectWarpRows(const std::vector<WarpRow> &rows);

/// Notes the instructions of a text as tested.
void noteTested(const std::string &text);
/// Every instruction noted so far, as "add.s32" and "r0, r1, r2".
const std::set<std::pair<std::string, std::string>> &testedInstructions();

/// What a row gives, for results that are not exact.
uint64_t resultOf(const Row &row);

inline uint64_t bits(float value) {
  uint32_t result;
  __builtin_memcpy(&result, &value, 4);
  return result;
}
inline uint64_t bits(double value) {
  uint64_t result;
  __builtin_memcpy(&result, &value, 8);
  return result;
}
inline float asFloat(uint64_t value) {
  uint32_t low = static_cast<uint32_t>(value);
  float result;
  __builtin_memcpy(&result, &low, 4);
  return result;
}
inline double asDouble(uint64_t value) {
  double result;
  __builtin_memcpy(&result, &value, 8);
  return result;
}

} // namespace nova::emulator

#endif // NOVA_TEST_UNIT_EMULATOR_INSTRUCTIONTEST_H
