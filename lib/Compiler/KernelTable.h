//===- KernelTable.h - What --kernel-report prints --------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_COMPILER_KERNELTABLE_H
#define NOVA_LIB_COMPILER_KERNELTABLE_H

#include "Nova/Runtime/Bundle.h"
#include "Nova/Target/Gpu.h"

namespace mlir::nova {

/// A line per kernel: how often each entry launches it, its grid, memory and work, and what the GPU's assembler said.
void printKernelTable(const ::nova::Bundle &bundle, ArrayRef<KernelReport> reports, raw_ostream &os);

} // namespace mlir::nova

#endif // NOVA_LIB_COMPILER_KERNELTABLE_H
