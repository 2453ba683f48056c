//===- RaisePipeline.cpp - From primitives to single ops ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Pipelines/Pipelines.h"
#include "Nova/Transforms/Passes.h"

#include "mlir/Transforms/Passes.h"

namespace mlir::nova {

void buildRaisePipeline(OpPassManager &manager, Mode mode) {
  if (mode == Mode::Eager)
    return;
  // Patterns match one spelling of what folds and common subexpressions can spell in many ways.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  // Attention before softmax could be taken for itself; activations last, as an unfused norm or attention holds no
  // gelu.
  manager.addPass(createFuseAttentionPass());
  manager.addPass(createFuseNormPass());
  manager.addPass(createFuseActivationPass());
}

} // namespace mlir::nova
