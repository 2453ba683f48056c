//===- Reductions.cpp - Reductions and softmax ----------------------------===//
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

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

/// Folds every element of `values` into the element of the result that it belongs to.
template <typename Number, typename Function>
static std::vector<Number> fold(ReduceOp op, OpCall &call, const std::vector<Number> &values, Number first,
                                Function function) {
  std::vector<Number> results(elementCount(call.resultShape()), first);
  // Reduced axes have stride 0 in the result; the others keep their order whether or not reduced ones stay as size 1.
  ArrayRef<int64_t> shape = call.tensor(0).getShape();
  Shape kept(shape), strides;
  for (int64_t axis : op.getAxes())
    kept[axis] = 1;
  strides = rowMajorStrides(kept);
  for (int64_t axis : op.getAxes())
    strides[axis] = 0;
  forEachIndex<1>(shape, {strides}, [&](int64_t i, auto at) { results[at[0]] = function(results[at[0]], values[i]); });
  return results;
}

static LogicalResult evaluateFloatReduce(ReduceOp op, OpCall &call, int64_t count) {
  std::vector<double> values = call.tensor(0).toDoubles(), results;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (op.getKind()) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    results = fold(op, call, values, 0.0, [](double a, double x) { return a + x; });
    break;
  case ReduceKind::Product:
    results = fold(op, call, values, 1.0, [](double a, double x) { return a * x; });
    break;
  case ReduceKind::Max: // A NaN stays once it is there, and nothing compares with it.
    results = fold(op, call, values, -infinity, [](double a, double x) { return std::isnan(x) || x > a ? x : a; });
    break;
  case ReduceKind::Min:
    results = fold(op, call, values, infinity, [](double a, double x) { return std::isnan(x) || x < a ? x : a; });
    break;
  case ReduceKind::Any:
  case ReduceKind::All:
    llvm_unreachable("any and all take i1");
  }
  if (op.getKind() == ReduceKind::Mean)
    for (double &result : results)
      result /= count;
  call.yield(0, results);
  return success();
}

static LogicalResult evaluateIntReduce(ReduceOp op, OpCall &call) {
  std::vector<int64_t> values = call.tensor(0).toInts(), results;
  using Limits = std::numeric_limits<int64_t>;
  switch (op.getKind()) {
  case ReduceKind::Sum: // As unsigned, which wraps.
    results = fold(op, call, values, int64_t(0), [](uint64_t a, uint64_t x) { return int64_t(a + x); });
    break;
  case ReduceKind::Product:
    results = fold(op, call, values, int64_t(1), [](uint64_t a, uint64_t x) { return int64_t(a * x); });
    break;
  case ReduceKind::Max:
    results = fold(op, call, values, Limits::min(), [](int64_t a, int64_t x) { return std::max(a, x); });
    break;
  case ReduceKind::Min:
    results = fold(op, call, values, Limits::max(), [](int64_t a, int64_t x) { return std::min(a, x); });
    break;
  case ReduceKind::Any:
    results = fold(op, call, values, int64_t(0), [](int64_t a, int64_t x) { return a | x; });
    break;
  case ReduceKind::All:
    results = fold(op, call, values, int64_t(1), [](int64_t a, int64_t x) { return a & x; });
    break;
  case ReduceKind::Mean:
    llvm_unreachable("mean takes floats");
  }
  call.yield(0, results);
  return success();
}

static LogicalResult evaluateReduce(ReduceOp op, OpCall &call) {
  int64_t count = 1;
  for (int64_t axis : op.getAxes())
    count *= call.tensor(0).getSize(axis);
  bool isExtreme = op.getKind() == ReduceKind::Max || op.getKind() == ReduceKind::Min;
  if (isExtreme && count == 0)
    return op.emitOpError(stringifyReduceKind(op.getKind())) << " over no element has no value";
  return ::nova::isFloat(call.tensor(0).getDType()) ? evaluateFloatReduce(op, call, count)
                                                    : evaluateIntReduce(op, call);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// Calls `body(first, count, stride)` for every line of elements along an axis.
template <typename Body> static void forEachLine(ArrayRef<int64_t> shape, int64_t axis, Body body) {
  int64_t stride = rowMajorStrides(shape)[axis], count = shape[axis];
  Shape lines(shape), strides = rowMajorStrides(shape);
  lines[axis] = 1;
  forEachIndex<1>(lines, {strides}, [&](int64_t, auto at) { body(at[0], count, stride); });
}

static LogicalResult evaluateSoftmax(SoftmaxOp op, OpCall &call) {
  std::vector<double> x = call.tensor(0).toDoubles();
  forEachLine(call.resultShape(), op.getNormalizedAxis(), [&](int64_t first, int64_t count, int64_t stride) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t i = 0; i < count; ++i)
      largest = std::max(largest, x[first + i * stride]);
    for (int64_t i = 0; i < count; ++i)
      sum += x[first + i * stride] = std::exp(x[first + i * stride] - largest);
    for (int64_t i = 0; i < count; ++i)
      x[first + i * stride] /= sum;
  });
  call.yield(0, x);
  return success();
}

static LogicalResult evaluateSoftmaxGrad(SoftmaxGradOp op, OpCall &call) {
  std::vector<double> dy = call.tensor(0).toDoubles(), y = call.tensor(1).toDoubles();
  forEachLine(call.resultShape(), op.getNormalizedAxis(), [&](int64_t first, int64_t count, int64_t stride) {
    double sum = 0;
    for (int64_t i = 0; i < count; ++i)
      sum += dy[first + i * stride] * y[first + i * stride];
    for (int64_t i = 0; i < count; ++i)
      dy[first + i * stride] = y[first + i * stride] * (dy[first + i * stride] - sum);
  });
  call.yield(0, dy);
  return success();
}

void reference::registerReductions(EvaluatorTable &table) {
  table.add<ReduceOp>(evaluateReduce);
  table.add<SoftmaxOp>(evaluateSoftmax);
  table.add<SoftmaxGradOp>(evaluateSoftmaxGrad);
}
