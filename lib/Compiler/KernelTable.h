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

/// The kernels of the train step, or else of each entry: how often one run launches them, grid, memory and work, and
/// what the GPU's assembler said; those that move most memory in a run first.
void printKernelTables(const ::nova::Bundle &bundle, ArrayRef<KernelReport> reports, raw_ostream &os);

} // namespace mlir::nova

#endif // NOVA_LIB_COMPILER_KERNELTABLE_H
