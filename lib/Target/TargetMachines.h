//===- TargetMachines.h - LLVM's side of Target -----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the sources of this room: LLVM's target machines, and the way from the LLVM dialect through them.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TARGET_TARGETMACHINES_H
#define NOVA_LIB_TARGET_TARGETMACHINES_H

#include "mlir/IR/Operation.h"

#include "llvm/Support/CodeGen.h"

#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
class Target;
class TargetMachine;
class Triple;
} // namespace llvm

namespace mlir::nova {
struct CpuTarget;

/// LLVM's code generator for CPUs or GPUs. Any thread may ask.
const llvm::Target &lookUpCodeGenerator(const llvm::Triple &triple);

std::unique_ptr<llvm::TargetMachine> createCpuMachine(const CpuTarget &cpu);

/// The op's region in LLVM IR for `machine`; diagnostics are reported on the op.
std::unique_ptr<llvm::Module> translateToLLVM(Operation *op, llvm::LLVMContext &context, llvm::TargetMachine &machine);

/// Runs the middle end at O1.
LogicalResult optimize(Operation *op, llvm::Module &module, llvm::TargetMachine &machine);

/// Assembly text or an object file.
FailureOr<std::string> generateCode(Operation *op, llvm::Module &module, llvm::TargetMachine &machine,
                                    llvm::CodeGenFileType type);

} // namespace mlir::nova

#endif // NOVA_LIB_TARGET_TARGETMACHINES_H
