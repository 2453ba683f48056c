//===- Cpu.h - Kernels to machine code of a CPU -----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TARGET_CPU_H
#define NOVA_TARGET_CPU_H

#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir::nova {

/// A CPU that code is made for.
struct CpuTarget {
  std::string name;          ///< LLVM's name; never "native"
  std::string features;      ///< LLVM's feature string, beyond what the name implies
  unsigned vectorBits = 128; ///< width of the widest vector that code should use
  /// The extensions that code for this CPU may use, named as in /proc/cpuinfo.
  std::vector<std::string> extensions;
};

/// The CPU with LLVM's name, or for "native" this machine's.
llvm::Expected<CpuTarget> lookUpCpu(llvm::StringRef name);

enum class CpuFormat { LLVMIR, Assembly, Object };

/// One text or object with every function of the LLVM dialect in `module`, or in the module of kernels that it holds;
/// other ops are ignored. LLVM IR is what code generation gets.
FailureOr<std::string> emitCpuCode(ModuleOp module, const CpuTarget &cpu, CpuFormat format);

/// A shared object that exports those of the functions that have a body and external linkage.
/// Their code is generated on the context's threads, one function at a time; the bytes don't depend on the threads.
FailureOr<std::string> emitCpuImage(ModuleOp module, const CpuTarget &cpu);

} // namespace mlir::nova

#endif // NOVA_TARGET_CPU_H
