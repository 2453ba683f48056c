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
#include "mlir/Transforms/Passes.h"

namespace mlir::nova {

void buildCudaCodePipeline(OpPassManager &manager) {
  manager.addPass(createEmitGpuPass());
  OpPassManager &code = manager.nest<gpu::GPUModuleOp>();
  // Before math becomes LLVM's intrinsics, most of which NVPTX has no code for.
  ApproximateMathPassOptions math;
  math.noLibrary = true;
  code.addPass(createApproximateMathPass(math));
  // Emitters write index arithmetic as they come to it; folded and hoisted here, LLVM needs little of its middle end.
  code.addPass(createCanonicalizerPass());
  code.addPass(createCSEPass());
  code.addPass(createLoopInvariantCodeMotionPass());

  code.addPass(createLowerAffinePass());
  code.addPass(createSCFToControlFlowPass());
  code.addPass(createConvertMathToLLVMPass());
  code.addPass(createArithToLLVMConversionPass());
  code.addPass(createConvertIndexToLLVMPass());
  // A pass on modules only, which finds the branches inside of ours.
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

void buildCudaPipeline(OpPassManager &manager, const CudaPipelineOptions &options) {
  buildKernelPipeline(manager, options.chip, options.mode);
  buildTilePipeline(manager, options.chip);
  buildCudaCodePipeline(manager);
}

} // namespace mlir::nova
