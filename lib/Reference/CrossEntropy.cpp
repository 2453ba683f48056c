//===- CrossEntropy.cpp - Cross entropy and its gradient ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

namespace {
/// The rows of the logits and which of them count.
struct Rows {
  std::vector<double> logits;
  std::vector<int64_t> targets;
  size_t classes;
  int64_t ignored;
  /// Rows whose target is not ignored.
  int64_t counted = 0;

  bool counts(size_t row) const { return targets[row] != ignored; }
  ArrayRef<double> row(size_t index) const { return ArrayRef(logits).slice(index * classes, classes); }
};
} // namespace

namespace {
/// The largest logit of a row and the sum of exp(logit - largest). They stay apart: a large maximum would absorb the
/// logarithm of the sum.
struct Normalizer {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;

  explicit Normalizer(ArrayRef<double> row) {
    for (double x : row)
      largest = std::max(largest, x);
    for (double x : row)
      sum += std::exp(x - largest);
  }
};
} // namespace

template <typename OpT> static FailureOr<Rows> readRows(OpT op, const Tensor &logits, const Tensor &targets) {
  Rows rows;
  rows.logits = logits.toDoubles();
  rows.targets = targets.toInts();
  rows.classes = logits.getShape().back();
  rows.ignored = op.getIgnoreIndex();
  for (size_t i = 0; i < rows.targets.size(); ++i) {
    if (!rows.counts(i))
      continue;
    if (rows.targets[i] < 0 || rows.targets[i] >= int64_t(rows.classes))
      return reportIndex(op, "a target", targets, i, rows.classes);
    ++rows.counted;
  }
  return rows;
}

/// The smoothed target gives each class a part of its probability.
static double lossOf(ArrayRef<double> row, int64_t target, double smoothing) {
  Normalizer normalizer(row);
  double difference = normalizer.largest - row[target];
  // Without smoothing a class of minus infinity has no influence.
  if (smoothing != 0) {
    double mean = 0;
    for (double logit : row)
      mean += (normalizer.largest - logit) / row.size();
    difference = (1 - smoothing) * difference + smoothing * mean;
  }
  return std::log(normalizer.sum) + difference;
}

static LogicalResult evaluateCrossEntropy(CrossEntropyOp op, OpCall &call) {
  FailureOr<Rows> rows = readRows(op, call.tensor(0), call.tensor(1));
  if (failed(rows))
    return failure();
  std::vector<double> losses(rows->targets.size(), 0);
  double sum = 0;
  for (size_t i = 0; i < losses.size(); ++i) {
    if (rows->counts(i))
      losses[i] = lossOf(rows->row(i), rows->targets[i], op.getLabelSmoothing().convertToDouble());
    sum += losses[i];
  }
  switch (op.getReduction()) {
  case LossReduction::None:
    call.yield(0, losses);
    break;
  case LossReduction::Sum:
    call.yield(0, ArrayRef<double>(sum));
    break;
  case LossReduction::Mean: // 0 / 0 when no row counts.
    call.yield(0, ArrayRef<double>(sum / rows->counted));
    break;
  }
  return success();
}

static LogicalResult evaluateCrossEntropyGrad(CrossEntropyGradOp op, OpCall &call) {
  FailureOr<Rows> rows = readRows(op, call.tensor(1), call.tensor(2));
  if (failed(rows))
    return failure();
  std::vector<double> gradient = call.tensor(0).toDoubles(), result(rows->logits.size(), 0);
  for (size_t i = 0; i < rows->targets.size(); ++i) {
    if (!rows->counts(i))
      continue;
    double scale = gradient[op.getReduction() == LossReduction::None ? i : 0];
    if (op.getReduction() == LossReduction::Mean)
      scale /= rows->counted;
    ArrayRef<double> row = rows->row(i);
    Normalizer normalizer(row);
    for (size_t j = 0; j < row.size(); ++j) {
      double smoothing = op.getLabelSmoothing().convertToDouble(), isTarget = int64_t(j) == rows->targets[i];
      double target = (1 - smoothing) * isTarget + smoothing / row.size();
      result[i * row.size() + j] = (std::exp(row[j] - normalizer.largest) / normalizer.sum - target) * scale;
    }
  }
  call.yield(0, result);
  return success();
}

void reference::registerCrossEntropy(EvaluatorTable &table) {
  table.add<CrossEntropyOp>(evaluateCrossEntropy);
  table.add<CrossEntropyGradOp>(evaluateCrossEntropyGrad);
}
