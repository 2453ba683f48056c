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
  // From here on only the kernels' code is of interest; what can work on one function at a time does, on all threads.
  OpPassManager &code = manager.nest<ModuleOp>();
  OpPassManager &function = code.nest<func::FuncOp>();
  // While vectors are still whole: later the functions would be calls for each element.
  function.addPass(createApproximateMathPass());
  // Rounding to bf16 has no instruction everywhere, and is the same on every CPU by integers.
  function.addPass(createExpandBf16Pass());
  // Emitters write index arithmetic as they come to it; folded and hoisted here, LLVM needs little of its middle end.
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  function.addPass(createLoopInvariantCodeMotionPass());

  function.addPass(createLowerAffinePass());
  function.addPass(createSCFToControlFlowPass());
  function.addPass(createConvertVectorToLLVMPass());
  // What has an LLVM intrinsic; the rest (f64 functions, pow) becomes calls of libm, declared in the module.
  function.addPass(createConvertMathToLLVMPass());
  code.addPass(createConvertMathToLibmPass());
  OpPassManager &rest = code.nest<func::FuncOp>();
  // The calls take the elements of a vector one by one (erf of f64).
  rest.addPass(createConvertVectorToLLVMPass());
  rest.addPass(createArithToLLVMConversionPass());
  rest.addPass(createConvertIndexToLLVMPass());
  code.addPass(createConvertControlFlowToLLVMPass());
  code.addPass(createConvertFuncToLLVMPass());
  code.addPass(createReconcileUnrealizedCastsPass());
}

void buildCpuPipeline(OpPassManager &manager, const CpuPipelineOptions &options) {
  buildKernelPipeline(manager, options.target, options.mode);
  buildTilePipeline(manager, options.target);
  buildCpuCodePipeline(manager);
}

} // namespace mlir::nova
