//===- Reductions.cpp - Reductions, softmax, cumulative sums ---------------===//
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

/// Calls body(element, element of the result that it belongs to) for every element of the operand.
template <typename OpT, typename Body> static void forEachReduced(OpT op, OpCall &call, Body body) {
  // Reduced axes have stride 0 in the result; the others keep their order whether or not reduced ones stay as size 1.
  ArrayRef<int64_t> shape = call.tensor(0).getShape();
  Shape kept(shape), strides;
  for (int64_t axis : op.getAxes())
    kept[axis] = 1;
  strides = rowMajorStrides(kept);
  for (int64_t axis : op.getAxes())
    strides[axis] = 0;
  forEachIndex<1>(shape, {strides}, [&](int64_t i, auto at) { body(i, at[0]); });
}

/// Folds every element of `values` into the element of the result that it belongs to.
template <typename OpT, typename Number, typename Function>
static std::vector<Number> fold(OpT op, OpCall &call, const std::vector<Number> &values, Number first,
                                Function function) {
  std::vector<Number> results(elementCount(call.resultShape()), first);
  forEachReduced(op, call, [&](int64_t i, int64_t at) { results[at] = function(results[at], values[i]); });
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

/// What is taken from the elements of a line before exp, which then stays finite.
static double largestOf(ArrayRef<double> x, int64_t first, int64_t count, int64_t stride) {
  double largest = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < count; ++i)
    largest = std::max(largest, x[first + i * stride]);
  return largest;
}

static LogicalResult evaluateSoftmax(SoftmaxOp op, OpCall &call) {
  std::vector<double> x = call.tensor(0).toDoubles();
  forEachLine(call.resultShape(), op.getNormalizedAxis(), [&](int64_t first, int64_t count, int64_t stride) {
    double largest = largestOf(x, first, count, stride), sum = 0;
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

static LogicalResult evaluateLogSoftmax(LogSoftmaxOp op, OpCall &call) {
  std::vector<double> x = call.tensor(0).toDoubles();
  forEachLine(call.resultShape(), op.getNormalizedAxis(), [&](int64_t first, int64_t count, int64_t stride) {
    double largest = largestOf(x, first, count, stride), sum = 0;
    for (int64_t i = 0; i < count; ++i)
      sum += std::exp(x[first + i * stride] - largest);
    // The difference comes first: a large maximum would absorb the logarithm.
    for (int64_t i = 0; i < count; ++i)
      x[first + i * stride] = (x[first + i * stride] - largest) - std::log(sum);
  });
  call.yield(0, x);
  return success();
}

static LogicalResult evaluateLogSumExp(LogSumExpOp op, OpCall &call) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> x = call.tensor(0).toDoubles();
  auto larger = [](double a, double v) { return std::isnan(v) || v > a ? v : a; };
  std::vector<double> shifts = fold(op, call, x, -infinity, larger);
  for (double &shift : shifts) // The difference of infinities would be NaN.
    shift = std::isinf(shift) ? 0 : shift;
  forEachReduced(op, call, [&](int64_t i, int64_t at) { x[i] = std::exp(x[i] - shifts[at]); });
  std::vector<double> results = fold(op, call, x, 0.0, [](double a, double v) { return a + v; });
  for (auto [result, shift] : llvm::zip_equal(results, shifts))
    result = std::log(result) + shift;
  call.yield(0, results);
  return success();
}

//===----------------------------------------------------------------------===//
// Cumulative sums
//===----------------------------------------------------------------------===//

/// Unsigned numbers wrap.
template <typename Sum, typename Number>
static void accumulate(CumsumOp op, ArrayRef<int64_t> shape, std::vector<Number> &x) {
  forEachLine(shape, op.getNormalizedAxis(), [&](int64_t first, int64_t count, int64_t stride) {
    Sum sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      Number &element = x[first + (op.getReverse() ? count - 1 - i : i) * stride];
      element = static_cast<Number>(sum += static_cast<Sum>(element));
    }
  });
}

static LogicalResult evaluateCumsum(CumsumOp op, OpCall &call) {
  if (::nova::isFloat(call.tensor(0).getDType())) {
    std::vector<double> x = call.tensor(0).toDoubles();
    accumulate<double>(op, call.resultShape(), x);
    call.yield(0, x);
  } else {
    std::vector<int64_t> x = call.tensor(0).toInts();
    accumulate<uint64_t>(op, call.resultShape(), x);
    call.yield(0, x);
  }
  return success();
}

void reference::registerReductions(EvaluatorTable &table) {
  table.add<ReduceOp>(evaluateReduce);
  table.add<SoftmaxOp>(evaluateSoftmax);
  table.add<SoftmaxGradOp>(evaluateSoftmaxGrad);
  table.add<LogSoftmaxOp>(evaluateLogSoftmax);
  table.add<LogSumExpOp>(evaluateLogSumExp);
  table.add<CumsumOp>(evaluateCumsum);
}
