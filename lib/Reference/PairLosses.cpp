//===- PairLosses.cpp - Losses of predictions beside targets --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

/// Yields the losses, their sum or their mean, which is NaN if there is none.
static void yieldLosses(OpCall &call, LossReduction reduction, ArrayRef<double> losses) {
  double sum = std::accumulate(losses.begin(), losses.end(), 0.0);
  switch (reduction) {
  case LossReduction::None:
    return call.yield(0, losses);
  case LossReduction::Sum:
    return call.yield(0, ArrayRef<double>(sum));
  case LossReduction::Mean:
    return call.yield(0, ArrayRef<double>(sum / losses.size()));
  }
}

/// A loss for each element.
template <typename OpT, typename Loss> static void addPairLoss(EvaluatorTable &table, Loss loss) {
  table.add<OpT>([=](OpT op, OpCall &call) {
    std::vector<double> x = call.tensor(0).toDoubles(), target = call.tensor(1).toDoubles();
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = loss(x[i], target[i]);
    yieldLosses(call, op.getReduction(), x);
    return success();
  });
}

static double binaryCrossEntropy(double x, double target) {
  auto atLeast = [](double log) { return log < -100 ? -100 : log; };
  return -(target * atLeast(std::log(x)) + (1 - target) * atLeast(std::log1p(-x)));
}

static LogicalResult evaluateCce(CceOp op, OpCall &call) {
  std::vector<double> x = call.tensor(0).toDoubles(), target = call.tensor(1).toDoubles();
  ArrayRef<int64_t> shape = call.tensor(0).getShape();
  size_t classes = shape.back();
  std::vector<double> losses(elementCount(shape.drop_back()));
  for (size_t row = 0; row < losses.size(); ++row) {
    ArrayRef<double> logits = ArrayRef(x).slice(row * classes, classes);
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (double logit : logits)
      largest = std::max(largest, logit);
    for (double logit : logits)
      sum += std::exp(logit - largest);
    for (size_t i = 0; i < classes; ++i)
      losses[row] -= target[row * classes + i] * (logits[i] - largest - std::log(sum));
  }
  yieldLosses(call, op.getReduction(), losses);
  return success();
}

void reference::registerPairLosses(EvaluatorTable &table) {
  addPairLoss<MseOp>(table, [](double x, double target) { return (x - target) * (x - target); });
  addPairLoss<MaeOp>(table, [](double x, double target) { return std::fabs(x - target); });
  addPairLoss<BceOp>(table, binaryCrossEntropy);
  table.add<CceOp>(evaluateCce);
}
