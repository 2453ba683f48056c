//===- RaisePipeline.cpp - From primitives to single ops ------------------===//
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

void buildRaisePipeline(OpPassManager &manager, Mode mode) {
  // Every program is checked, trained or not, and while indices are arguments of functions.
  manager.addNestedPass<func::FuncOp>(createInferBoundsPass());
  if (mode == Mode::Eager)
    return;
  // Values that are computed twice look like values that are used elsewhere, which is a reason not to raise.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createFuseAttentionPass());
  manager.addPass(createFuseNormPass());
  manager.addPass(createFuseActivationPass());
  // The reshapes and transposes that make operands fit cancel with those that the spellings had.
  manager.addPass(createCanonicalizerPass());
}

} // namespace mlir::nova
