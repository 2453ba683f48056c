//===- Target.h - The target table ------------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What passes know about a target. Everything that a kernel's configuration depends on stands here, never the number of
// threads: results must not depend on it.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_DIALECT_TARGET_H
#define NOVA_DIALECT_TARGET_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir::nova {

struct TargetInfo {
  StringRef name;
  bool gpu;
  /// f32 elements of a vector register (CPU); 1 on a GPU.
  int64_t lanes;
  /// Rows and vectors of the matmul's register tile (CPU).
  int64_t microRows, microVectors;
  /// Shared memory of a block in bytes (GPU).
  int64_t sharedBytes;
  /// Whether one instruction multiplies pairs of bf16 and adds them up in f32 (CPU).
  bool bf16Pairs = false;
  /// Whether it multiplies matrices of 16 x 16 pairs (CPU). Their register tile is 32 rows by 8 vectors.
  bool bf16Matrices = false;
};

/// "avx512", "avx512_bf16", "amx_bf16", "avx2", "sm_80", "sm_86", "sm_89" or "sm_90".
std::optional<TargetInfo> lookupTarget(StringRef name);
/// All names, for messages.
StringRef targetNames();

} // namespace mlir::nova

#endif // NOVA_DIALECT_TARGET_H
