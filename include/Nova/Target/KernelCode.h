//===- KernelCode.h - Where the code of kernels is --------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TARGET_KERNELCODE_H
#define NOVA_TARGET_KERNELCODE_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::nova {

/// The nested `builtin.module` (CPU) or `gpu.module` that emission put the kernels' functions into, or null.
Operation *findKernelCode(ModuleOp module);

/// Whether the module is code already: it has kernels' code, or functions of the LLVM dialect.
bool isLowered(ModuleOp module);

} // namespace mlir::nova

#endif // NOVA_TARGET_KERNELCODE_H
