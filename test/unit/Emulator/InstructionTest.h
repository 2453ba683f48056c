//===- InstructionTest.h - Instructions on given operands -------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row is an instruction over registers named by width and number, h1 (16 bits), r1 (32), d1 (64), p1 (a predicate),
// whose values are given in order; the result is the register of number 0. Expected values are written from the
// definitions of the PTX ISA.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TEST_UNIT_EMULATOR_INSTRUCTIONTEST_H
#define NOVA_TEST_UNIT_EMULATOR_INSTRUCTIONTEST_H

#include "RunPtx.h"

namespace nova::emulator {

struct Row {
  const char *text;             ///< "add.s32 r0, r1, r2;"
  std::vector<uint64_t> inputs; ///< of the registers 1, 2, ...
  uint64_t expected;            ///< of register 0
};

/// Runs each row on a whole warp and on some of its lanes.
void expectRows(const std::vector<Row> &rows);

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
