//===- RunPtx.h - Running PTX text in tests ---------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TEST_UNIT_EMULATOR_RUNPTX_H
#define NOVA_TEST_UNIT_EMULATOR_RUNPTX_H

#include "Nova/Emulator/Launch.h"

#include <gtest/gtest.h>

#include <functional>

namespace nova::emulator {

/// The head of a module, and a kernel `k(.param .u64 out)` around a body; %out is the address, %tid the thread.
std::string kernelText(const std::string &body, const std::string &before = "");

struct Ran {
  std::string error; ///< of loading or launching
  std::vector<Finding> findings;
  std::vector<uint32_t> out; ///< the buffer afterwards
  KernelCounters counters;
};

/// What a test puts in the buffer before the kernel runs; it is at the address.
using PrepareFn = std::function<void(uint64_t address, std::vector<uint32_t> &words)>;

/// Runs the kernel of a text with a buffer of `words` zeros, or what `prepare` makes of them, as its parameter.
Ran runPtx(const std::string &text, Dim3 grid, Dim3 block, uint32_t words, Options options = {}, uint32_t shared = 0,
           const PrepareFn &prepare = {});

/// The orders in which warps take turns.
constexpr WarpOrder kOrders[] = {WarpOrder::Normal, WarpOrder::Reversed, WarpOrder::RoundRobin};

/// Whether it ran, and nothing was found.
::testing::AssertionResult isClean(const Ran &ran);

/// Whether exactly one kind of thing was found, and its message holds the text.
::testing::AssertionResult found(const Ran &ran, Finding::Kind kind, const std::string &text);

} // namespace nova::emulator

#endif // NOVA_TEST_UNIT_EMULATOR_RUNPTX_H
