//===- Dot.h - Programs and kernels as graphs -------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TARGET_DOT_H
#define NOVA_TARGET_DOT_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::nova {

/// Writes the module for Graphviz: a cluster per function and kernel, a node per op with the types of its results, an
/// edge per use. Parameters, arguments and launches have shapes of their own.
void printDot(ModuleOp module, raw_ostream &os);

} // namespace mlir::nova

#endif // NOVA_TARGET_DOT_H
