//===- Compile.h - From a program to a bundle -------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps that libNovaCompiler.so and nova-translate share. Errors about the program are diagnostics of its context.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_COMPILER_COMPILE_H
#define NOVA_COMPILER_COMPILE_H

#include "Nova/Pipelines/Pipelines.h"
#include "Nova/Target/Cpu.h"
#include "Nova/Target/Gpu.h"
#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlir::nova {

/// What is asked of the compiler; the fields are those of a request in Compiler.h.
struct CompileRequest {
  std::string file;
  std::string entry;
  bool train = false;
  std::vector<std::string> targets = {"cpu"};
  TrainPipelineOptions step; ///< mode, dtype and optimizer
  MatmulPrecision matmulPrecision = MatmulPrecision::Exact;
  std::vector<std::string> shapes;      ///< of arguments whose types leave sizes open: x=8x64
  std::vector<std::string> inputShapes; ///< the same from files, which may hold more than the entry takes
  std::string cpu = "native";
  std::string dumpFolder;
  bool kernelReport = false;
  bool assemble = true;
  /// A hash of the program as it came, whatever its file looked like: text and bytecode of one module have the same.
  std::string programHash;
  bool isBuiltStep = false; ///< the program came as a train step: what the optimizer does is part of it
};

/// Reads a request; an error is wrong usage.
llvm::Error parseRequest(llvm::StringRef json, CompileRequest &request);

/// What a bundle's code is made for.
struct BundleTargets {
  std::optional<CpuTarget> cpu;
  SmallVector<GpuTarget> gpus;
};

/// The request's targets; an error is wrong usage.
llvm::Expected<BundleTargets> lookUpTargets(const CompileRequest &request);

/// The dialects that a program may come in, and those that it is compiled through.
void registerCompilerDialects(DialectRegistry &registry);

/// Reads a program, text or bytecode; "-" is standard input. `sources` shows it in diagnostics.
OwningOpRef<ModuleOp> readProgram(llvm::StringRef file, std::shared_ptr<llvm::SourceMgr> sources, MLIRContext *context);

/// Whether there is something to train: a train step, or parameters and a function of that name.
bool isTrainable(ModuleOp program, llvm::StringRef loss);

/// Notes in the request whether the program came as a train step, and how many batches make one of its steps.
LogicalResult readBuiltStep(ModuleOp program, CompileRequest &request);

/// Notes in the request what the program is, before anything is done to it: bundles of one program name the same hash.
void identifyProgram(ModuleOp program, CompileRequest &request);

/// Takes a program to what a target's pipeline begins with (L1 or L2). To train: `@train_step` made of the entry,
/// unless the program has it; the entry is @loss where the request names none. Else the entry alone, which is the only
/// function where the request names none. Kernels stay as they are. The request names the entry afterwards, and says
/// whether the train step was there.
LogicalResult prepareProgram(ModuleOp program, CompileRequest &request);

/// What is compiled in, for whoever runs the program with flags of their own.
std::map<std::string, std::string> describeOptions(const CompileRequest &request, bool isForGpu);

/// Writes the module to `<dumpFolder>/<name>.mlir` where the request asks for the IR of the levels.
LogicalResult dumpLevel(ModuleOp module, const CompileRequest &request, const Twine &name);

/// Takes a prepared program to code for one target: levels 3 to 5.
LogicalResult lowerForCpu(ModuleOp module, const CompileRequest &request, const CpuTarget &cpu);
LogicalResult lowerForGpu(ModuleOp module, const CompileRequest &request, const GpuTarget &gpu);

/// Takes a program to code for the first of the targets. Code that is lowered already stays as it is.
LogicalResult lowerProgram(ModuleOp program, CompileRequest &request, const BundleTargets &targets);

/// The bytes of a bundle file: a bundle per target. A program that is lowered already stands for its one target. The
/// table of kernels goes to `report` where the request asks for it.
FailureOr<std::string> compileToBundle(ModuleOp program, CompileRequest &request, const BundleTargets &targets,
                                       raw_ostream &report);

} // namespace mlir::nova

#endif // NOVA_COMPILER_COMPILE_H
