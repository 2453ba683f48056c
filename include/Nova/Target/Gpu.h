//===- Gpu.h - Kernels to PTX and machine code of a GPU ---------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TARGET_GPU_H
#define NOVA_TARGET_GPU_H

#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir::nova {

/// An architecture of NVIDIA's that code is made for.
struct GpuTarget {
  llvm::StringLiteral name;
  unsigned ptxVersion; ///< of the language, 78 for 7.8: the oldest that has the architecture's instructions
};

/// All of them, by age.
llvm::ArrayRef<GpuTarget> gpuTargets();
/// The one with the name, such as "sm_89".
llvm::Expected<GpuTarget> lookUpGpu(llvm::StringRef name);

/// PTX of the module's `gpu.module`, whose functions are in the LLVM and NVVM dialects. Needs nothing of NVIDIA's.
FailureOr<std::string> emitPtx(ModuleOp module, const GpuTarget &gpu);

/// What the assembler says about a kernel.
struct KernelReport {
  std::string kernel;
  unsigned registers = 0;
  unsigned sharedBytes = 0; ///< static only
  unsigned stackBytes = 0;  ///< local memory of a thread
  unsigned spillStoreBytes = 0;
  unsigned spillLoadBytes = 0;

  bool usesLocalMemory() const { return stackBytes || spillStoreBytes || spillLoadBytes; }
};

struct Cubin {
  std::string bytes;
  std::vector<KernelReport> kernels;
};

/// Machine code by NVIDIA's ptxas.
llvm::Expected<Cubin> assemblePtx(llvm::StringRef ptx, const GpuTarget &gpu);

/// The kernels in what `ptxas -v` prints.
std::vector<KernelReport> parsePtxasOutput(llvm::StringRef output);

/// A warning for every kernel that keeps registers or arrays in local memory: it runs, but slowly.
void warnAboutLocalMemory(ModuleOp module, ArrayRef<KernelReport> kernels);

} // namespace mlir::nova

#endif // NOVA_TARGET_GPU_H
