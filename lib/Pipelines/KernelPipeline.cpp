//===- KernelPipeline.cpp - From a train step to tiled kernels ------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nova/Dialect/Nova.h"
#include "Nova/Pipelines/Pipelines.h"
#include "Nova/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::nova {

static void addVerifyLevel(OpPassManager &manager, Level level) {
  VerifyLevelPassOptions options;
  options.level = level;
  manager.addPass(createVerifyLevelPass(options));
}

void buildKernelPipeline(OpPassManager &manager, StringRef target, Mode mode) {
  // Before splitting, which would make a sum of squares for every tensor.
  manager.addNestedPass<func::FuncOp>(createPackParametersPass());
  manager.addNestedPass<func::FuncOp>(createSplitLaunchesPass());
  // The parts of several ops that are equal: a loss and its gradient count the same rows.
  manager.addPass(createCSEPass());
  // After it, which would make one of the copies that readers have of their own.
  if (mode == Mode::Fused)
    manager.addNestedPass<func::FuncOp>(createSinkMovementPass());
  FormKernelsPassOptions form;
  form.fuse = mode == Mode::Fused;
  manager.addPass(createFormKernelsPass(form));
  // Before tiles hide the extents of loops.
  manager.addNestedPass<KernelOp>(createCountWorkPass());
  addVerifyLevel(manager, Level::Kernels);
}

void buildTilePipeline(OpPassManager &manager, StringRef target, MatmulPrecision precision) {
  SelectKernelConfigPassOptions select;
  select.target = target.str();
  select.precision = precision;
  manager.addNestedPass<KernelOp>(createSelectKernelConfigPass(select));
  manager.addNestedPass<KernelOp>(createTilePass());
  // Slices that several operands share become one. Canonicalisation must not run on tiles: it would dissolve grids of
  // one block.
  manager.addNestedPass<KernelOp>(createCSEPass());
  addVerifyLevel(manager, Level::Tiled);
  // On tiles, which show what a kernel reads where it writes.
  manager.addPass(createPlanMemoryPass());
}

void buildSchedulePipeline(OpPassManager &manager) {
  // After the memory plan, which reads on tiles what a kernel needs of what it overwrites.
  manager.addNestedPass<KernelOp>(createSchedulePass());
  manager.addNestedPass<KernelOp>(createPipelinePass());
  manager.addNestedPass<KernelOp>(createCSEPass());
  addVerifyLevel(manager, Level::Scheduled);
}

} // namespace mlir::nova
