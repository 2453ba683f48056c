//===- CpuPipeline.cpp - From kernels to code for the CPU -----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nova/Conversion/Passes.h"
#include "Nova/Pipelines/Pipelines.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::nova {

void buildCpuCodePipeline(OpPassManager &manager) {
  manager.addPass(createEmitCpuPass());
  // While vectors are still whole: later the functions would be calls for each element.
  manager.addNestedPass<func::FuncOp>(createApproximateMathPass());
  // Emitters write index arithmetic as they come to it; folded and hoisted here, LLVM needs little of its middle end.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createLoopInvariantCodeMotionPass());

  manager.addPass(createLowerAffinePass());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertVectorToLLVMPass());
  // What has an LLVM intrinsic first, the rest (f64 functions, pow) to libm.
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

void buildCpuPipeline(OpPassManager &manager, const CpuPipelineOptions &options) {
  buildKernelPipeline(manager, options.target, options.mode);
  buildTilePipeline(manager, options.target);
  buildCpuCodePipeline(manager);
}

} // namespace mlir::nova
