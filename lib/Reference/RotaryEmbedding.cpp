//===- RotaryEmbedding.cpp - Pairs of elements turned by angles -----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

static LogicalResult evaluateRotaryEmbedding(RotaryEmbeddingOp op, OpCall &call) {
  std::vector<double> x = call.tensor(0).toDoubles(), cos = call.tensor(1).toDoubles(),
                      sin = call.tensor(2).toDoubles();
  int64_t width = call.tensor(0).getShape().back(), pairs = call.tensor(1).getShape().back();
  Shape angles(call.tensor(0).getShape()); // One for each row and pair.
  angles.back() = pairs;
  forEachIndex<1>(angles, {broadcastStrides(call.tensor(1), angles)}, [&](int64_t i, auto at) {
    int64_t row = i / pairs * width, pair = i % pairs;
    double &first = x[row + (op.getInterleaved() ? 2 * pair : pair)];
    double &second = x[row + (op.getInterleaved() ? 2 * pair + 1 : pair + pairs)];
    double turned = first * cos[at[0]] - second * sin[at[0]];
    second = second * cos[at[0]] + first * sin[at[0]];
    first = turned;
  });
  call.yield(0, x);
  return success();
}

void reference::registerRotaryEmbedding(EvaluatorTable &table) {
  table.add<RotaryEmbeddingOp>(evaluateRotaryEmbedding);
}
