//===- Target.cpp - The target table --------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nova/Dialect/Target.h"

using namespace mlir;
using namespace mlir::nova;

// 24 of AVX-512's 32 registers hold accumulators, 12 of AVX2's 16: more spills, and halves the speed.
static constexpr TargetInfo kTargets[] = {
    {"avx512", false, 16, 6, 4, 0},
    {"avx512_bf16", false, 16, 6, 4, 0, true},
    {"amx_bf16", false, 16, 6, 4, 0, true, true},
    {"avx2", false, 8, 4, 3, 0},
    {"sm_80", true, 1, 0, 0, 163 << 10},
    {"sm_86", true, 1, 0, 0, 99 << 10},
    {"sm_89", true, 1, 0, 0, 99 << 10},
    {"sm_90", true, 1, 0, 0, 227 << 10},
};

std::optional<TargetInfo> nova::lookupTarget(StringRef name) {
  for (const TargetInfo &target : kTargets)
    if (target.name == name)
      return target;
  return std::nullopt;
}

StringRef nova::targetNames() { return "avx512, avx512_bf16, amx_bf16, avx2, sm_80, sm_86, sm_89, sm_90"; }
