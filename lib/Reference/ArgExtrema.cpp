//===- ArgExtrema.cpp - Where the largest and smallest elements are -------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

/// `wins(x, best)`: whether an element takes the place of the best one before it.
template <typename Number, typename OpT, typename Wins>
static void findExtremum(OpT op, OpCall &call, const std::vector<Number> &x, Wins wins) {
  std::vector<int64_t> results;
  forEachLine(call.tensor(0).getShape(), op.getNormalizedAxis(), [&](int64_t first, int64_t count, int64_t stride) {
    int64_t best = 0;
    for (int64_t i = 1; i < count; ++i)
      if (wins(x[first + i * stride], x[first + best * stride]))
        best = i;
    results.push_back(best);
  });
  call.yield(0, results);
}

/// `wins` compares numbers; the first NaN wins over all of them.
template <typename OpT, typename Wins> static LogicalResult evaluateArgExtremum(OpT op, OpCall &call, Wins wins) {
  if (call.tensor(0).getSize(op.getNormalizedAxis()) == 0)
    return op.emitOpError("over no element has no value");
  if (::nova::isFloat(call.tensor(0).getDType()))
    findExtremum(op, call, call.tensor(0).toDoubles(),
                 [&](double x, double best) { return !std::isnan(best) && (std::isnan(x) || wins(x, best)); });
  else
    findExtremum(op, call, call.tensor(0).toInts(), wins);
  return success();
}

void reference::registerArgExtrema(EvaluatorTable &table) {
  table.add<ArgMaxOp>(
      [](ArgMaxOp op, OpCall &call) { return evaluateArgExtremum(op, call, [](auto x, auto y) { return x > y; }); });
  table.add<ArgMinOp>(
      [](ArgMinOp op, OpCall &call) { return evaluateArgExtremum(op, call, [](auto x, auto y) { return x < y; }); });
}
