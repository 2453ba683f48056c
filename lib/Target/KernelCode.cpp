//===- KernelCode.cpp - Where the code of kernels is ----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Target/KernelCode.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::nova {

Operation *findKernelCode(ModuleOp module) {
  for (Operation &op : module.getOps())
    if (isa<ModuleOp, gpu::GPUModuleOp>(op))
      return &op;
  return nullptr;
}

bool isLowered(ModuleOp module) { return findKernelCode(module) || !module.getOps<LLVM::LLVMFuncOp>().empty(); }

} // namespace mlir::nova
