//===- Lower.cpp - From a program to code, level by level -----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Compiler/Compile.h"
#include "Nova/Dialect/Nova.h"
#include "Nova/Target/KernelCode.h"
#include "Nova/Target/Output.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::nova {

/// The target's name in the target table, on which configurations depend. vdpbf16ps does twice the work of an FMA: Zen
/// starts as many of both, Intel's cores one in two cycles and four FMAs meanwhile, but they have matrices.
static StringRef tableName(const CpuTarget &cpu) {
  if (cpu.vectorBits < 512)
    return "avx2";
  auto has = [&](StringRef extension) { return llvm::is_contained(cpu.extensions, extension); };
  if (has("amx_tile") && has("amx_bf16"))
    return "amx_bf16";
  return has("avx512_bf16") && StringRef(cpu.name).starts_with("znver") ? "avx512_bf16" : "avx512";
}

LogicalResult dumpLevel(ModuleOp module, const CompileRequest &request, const Twine &name) {
  if (request.dumpFolder.empty())
    return success();
  SmallString<128> path(request.dumpFolder);
  llvm::sys::path::append(path, name + ".mlir");
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().useLocalScope().printNameLocAsPrefix());
  std::error_code code = llvm::sys::fs::create_directories(request.dumpFolder);
  llvm::Error error = code ? llvm::createFileError(request.dumpFolder, code) : writeOutput(path, text);
  if (error)
    return emitError(module.getLoc(), "can't write the IR of a level: ") << llvm::toString(std::move(error));
  return success();
}

/// Runs the passes that take the module to a level.
static LogicalResult runLevel(ModuleOp module, const CompileRequest &request, const Twine &name,
                              function_ref<void(OpPassManager &)> build) {
  PassManager manager(module.getContext());
  build(manager);
  if (failed(manager.run(module)))
    return failure();
  return dumpLevel(module, request, name);
}

/// Levels 3 and 4, which differ between targets in their numbers only. A program that comes at one of them goes on from
/// there.
static LogicalResult lowerToTiles(ModuleOp module, const CompileRequest &request, StringRef target, StringRef suffix,
                                  MatmulPrecision precision = MatmulPrecision::Exact) {
  auto kernels = [&](OpPassManager &manager) { buildKernelPipeline(manager, target, request.step.mode); };
  auto tiles = [&](OpPassManager &manager) { buildTilePipeline(manager, target, precision); };
  bool hasKernels = !module.getOps<KernelOp>().empty();
  if (!hasKernels && failed(runLevel(module, request, "3-kernels" + suffix, kernels)))
    return failure();
  bool isPlanned = hasKernels && module->hasAttr("nova.region_bytes");
  return isPlanned ? success() : runLevel(module, request, "4-tiled" + suffix, tiles);
}

/// Files of several targets are told apart by the target's name.
static std::string dumpSuffix(const CompileRequest &request, StringRef target) {
  return request.targets.size() > 1 ? "-" + target.str() : "";
}

LogicalResult lowerForCpu(ModuleOp module, const CompileRequest &request, const CpuTarget &cpu) {
  std::string suffix = dumpSuffix(request, "cpu");
  if (failed(lowerToTiles(module, request, tableName(cpu), suffix)))
    return failure();
  return runLevel(module, request, "5-llvm" + suffix, buildCpuCodePipeline);
}

LogicalResult lowerForGpu(ModuleOp module, const CompileRequest &request, const GpuTarget &gpu) {
  std::string suffix = dumpSuffix(request, gpu.name);
  if (failed(lowerToTiles(module, request, gpu.name, suffix, request.matmulPrecision)) ||
      failed(runLevel(module, request, "4-scheduled" + suffix, buildSchedulePipeline)))
    return failure();
  return runLevel(module, request, "5-llvm" + suffix, buildCudaCodePipeline);
}

LogicalResult lowerProgram(ModuleOp program, CompileRequest &request, const BundleTargets &targets) {
  if (isLowered(program))
    return success();
  if (failed(prepareProgram(program, request)))
    return failure();
  return targets.cpu ? lowerForCpu(program, request, *targets.cpu)
                     : lowerForGpu(program, request, targets.gpus.front());
}

} // namespace mlir::nova
