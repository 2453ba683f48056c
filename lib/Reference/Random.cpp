//===- Random.cpp - Random numbers and dropout ----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Random.h"
#include "OpEvaluators.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

template <typename OpT, typename Fill> static LogicalResult evaluateRandom(OpT op, OpCall &call, Fill fill) {
  ArrayRef<int64_t> shape = call.resultShape();
  std::vector<float> numbers(elementCount(shape));
  uint64_t first = shape.empty() ? 0 : call.tileOrigin()[0]; // Other axes have no tiles.
  fill(numbers.data(), first, numbers.size(), call.tensor(0).getInt(0),
       ::nova::streamOf(op.getStream(), call.tensor(1).getInt(0)));
  call.yield(0, std::vector<double>(numbers.begin(), numbers.end()));
  return success();
}

static LogicalResult evaluateDropout(DropoutOp op, OpCall &call) {
  std::vector<double> x = call.tensor(0).toDoubles();
  std::vector<float> numbers(x.size());
  ::nova::fillUniform(numbers.data(), 0, numbers.size(), call.tensor(1).getInt(0),
                      ::nova::streamOf(op.getStream(), call.tensor(2).getInt(0)));
  double p = op.getP().convertToDouble();
  for (auto [element, number] : llvm::zip_equal(x, numbers))
    element = number < static_cast<float>(p) || p == 1 ? 0 : element * (1 / (1 - p));
  call.yield(0, x);
  return success();
}

void reference::registerRandom(EvaluatorTable &table) {
  table.add<RandomUniformOp>(
      [](RandomUniformOp op, OpCall &call) { return evaluateRandom(op, call, ::nova::fillUniform); });
  table.add<RandomNormalOp>(
      [](RandomNormalOp op, OpCall &call) { return evaluateRandom(op, call, ::nova::fillNormal); });
  table.add<DropoutOp>(evaluateDropout);
}
