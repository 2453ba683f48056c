//===- CudaPipeline.cpp - From kernels to code for GPUs -------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nova/Conversion/Passes.h"
#include "Nova/Pipelines/Pipelines.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::nova {

void buildCudaCodePipeline(OpPassManager &manager) {
  manager.addPass(createEmitGpuPass());
  // From here on only the kernels' code is of interest; what can work on one function at a time does, on all threads.
  OpPassManager &code = manager.nest<gpu::GPUModuleOp>();
  OpPassManager &function = code.nest<LLVM::LLVMFuncOp>();
  // Before math becomes LLVM's intrinsics, most of which NVPTX has no code for.
  ApproximateMathPassOptions math;
  math.noLibrary = true;
  function.addPass(createApproximateMathPass(math));
  // Emitters write index arithmetic as they come to it; folded and hoisted here, LLVM needs little of its middle end.
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  function.addPass(createLoopInvariantCodeMotionPass());

  function.addPass(createLowerAffinePass());
  function.addPass(createSCFToControlFlowPass());
  function.addPass(createConvertMathToLLVMPass());
  function.addPass(createArithToLLVMConversionPass());
  function.addPass(createConvertIndexToLLVMPass());
  // Accesses of several elements at once.
  function.addPass(createConvertVectorToLLVMPass());
  // A pass on modules, which leaves all but branches alone.
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.nest<gpu::GPUModuleOp>().addPass(createReconcileUnrealizedCastsPass());
}

void buildCudaPipeline(OpPassManager &manager, const CudaPipelineOptions &options) {
  buildKernelPipeline(manager, options.chip, options.mode);
  buildTilePipeline(manager, options.chip, options.precision);
  buildSchedulePipeline(manager);
  buildCudaCodePipeline(manager);
}

} // namespace mlir::nova
