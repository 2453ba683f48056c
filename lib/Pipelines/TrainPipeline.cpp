//===- TrainPipeline.cpp - From a program to a train step -----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Pipelines/Pipelines.h"
#include "Nova/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::nova {

void buildPrecisionPipeline(OpPassManager &manager, StringRef dtype) {
  if (dtype == "f32")
    return;
  MixedPrecisionPassOptions options;
  options.dtype = dtype.str();
  manager.addNestedPass<func::FuncOp>(createMixedPrecisionPass(options));
  // When all functions say which weights they read narrow.
  manager.addPass(createKeepNarrowWeightsPass());
}

void buildTrainPipeline(OpPassManager &manager, const TrainPipelineOptions &options) {
  // Before differentiation, so that the gradients of attention and norms are single ops too.
  buildRaisePipeline(manager, options.mode);

  BuildTrainStepPassOptions step;
  step.function = options.function;
  step.optimizer = options.optimizer;
  step.beta1 = options.beta1;
  step.beta2 = options.beta2;
  step.eps = options.eps;
  step.weightDecay = options.weightDecay;
  step.clip = options.clip;
  step.momentum = options.momentum;
  step.nesterov = options.nesterov;
  step.accumulate = options.accumulate;
  manager.addPass(createBuildTrainStepPass(step));
  manager.addPass(createAutodiffPass());

  // Rules of gradients are written for one op at a time: what they compute twice, or for nothing, goes here.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  // After differentiation, which has the exact program before it, and on few ops: it looks at all readers of a value.
  buildPrecisionPipeline(manager, options.dtype);

  // Again: functions that the loss called are part of it now.
  manager.addNestedPass<func::FuncOp>(createInferBoundsPass());
  VerifyLevelPassOptions verify;
  verify.level = Level::TrainStep;
  manager.addPass(createVerifyLevelPass(verify));
}

} // namespace mlir::nova
