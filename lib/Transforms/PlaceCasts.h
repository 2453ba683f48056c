//===- PlaceCasts.h - Casts beside what they belong to ----------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_PLACECASTS_H
#define NOVA_LIB_TRANSFORMS_PLACECASTS_H

#include "Nova/Dialect/Nova.h"

namespace mlir::nova {

/// Puts casts where they can join a kernel: one that narrows behind the op that makes its operand, one that widens
/// before its reader, of which it has one. Ops that move elements are between the two, and move narrow ones.
void placeCasts(Block &block);

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_PLACECASTS_H
