//===- Norms.cpp - Layer norm, RMS norm and their gradients ---------------===//
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

/// Makes a row's mean square, with eps, 1. Returns what the row was multiplied by.
static double normaliseSquares(MutableArrayRef<double> row, double eps) {
  double largest = 0, squares = 0;
  for (double x : row)
    largest = std::max(largest, std::fabs(x));
  // Squares of the largest numbers would be infinite, those of the smallest 0, which counts where eps is 0: a power of
  // two, which rounds nothing, brings the row near 1.
  bool isLarge = largest > 0x1p500, isSmall = largest < 0x1p-400 && largest > 0 && eps == 0;
  int exponent = std::isfinite(largest) && (isLarge || isSmall) ? std::ilogb(largest) : 0;
  for (double &x : row) {
    x = std::ldexp(x, -exponent);
    squares += x * x;
  }
  double scale = 1 / std::sqrt(squares / row.size() + std::ldexp(eps, -2 * exponent));
  for (double &x : row)
    x *= scale;
  return std::ldexp(scale, -exponent);
}

/// Makes a row's mean 0 and its variance, with eps, 1. Returns what its differences to the mean were multiplied by.
static double normalise(MutableArrayRef<double> row, double eps) {
  // Twice: what the mean of large numbers loses to rounding is the mean of the differences.
  for (int turn = 0; turn < 2; ++turn) {
    double mean = 0;
    for (double x : row)
      mean += x / row.size();
    for (double &x : row)
      x -= mean;
  }
  return normaliseSquares(row, eps);
}

static LogicalResult evaluateLayerNorm(LayerNormOp op, OpCall &call) {
  std::vector<double> x = call.tensor(0).toDoubles(), weight = call.tensor(1).toDoubles(),
                      bias = call.tensor(2).toDoubles();
  size_t size = weight.size();
  for (size_t first = 0; first < x.size(); first += size) {
    auto row = MutableArrayRef(x).slice(first, size);
    normalise(row, op.getEps().convertToDouble());
    for (size_t i = 0; i < size; ++i)
      row[i] = row[i] * weight[i] + bias[i];
  }
  call.yield(0, x);
  return success();
}

static LogicalResult evaluateLayerNormGrad(LayerNormGradOp op, OpCall &call) {
  std::vector<double> dy = call.tensor(0).toDoubles(), x = call.tensor(1).toDoubles(),
                      weight = call.tensor(2).toDoubles();
  size_t size = weight.size();
  // The rows of one partial sum follow one another.
  std::vector<double> dx(x.size()), dweight(elementCount(call.resultShape(1))), dbias(dweight.size());
  size_t rows = size ? x.size() / size : 0, sums = size ? dweight.size() / size : 0;
  for (size_t r = 0; r < rows; ++r) {
    auto row = MutableArrayRef(x).slice(r * size, size);
    double scale = normalise(row, op.getEps().convertToDouble());
    size_t sum = r / (rows / sums) * size;
    double meanGradient = 0, meanProduct = 0;
    for (size_t i = 0; i < size; ++i) {
      double gradient = dy[r * size + i];
      dweight[sum + i] += gradient * row[i];
      dbias[sum + i] += gradient;
      meanGradient += gradient * weight[i] / size;
      meanProduct += gradient * weight[i] * row[i] / size;
    }
    for (size_t i = 0; i < size; ++i)
      dx[r * size + i] = scale * (dy[r * size + i] * weight[i] - meanGradient - row[i] * meanProduct);
  }
  call.yield(0, dx);
  call.yield(1, dweight);
  call.yield(2, dbias);
  return success();
}

//===----------------------------------------------------------------------===//
// RMS norm
//===----------------------------------------------------------------------===//

static LogicalResult evaluateRmsNorm(RmsNormOp op, OpCall &call) {
  std::vector<double> x = call.tensor(0).toDoubles(), weight = call.tensor(1).toDoubles();
  size_t size = weight.size();
  for (size_t first = 0; first < x.size(); first += size) {
    auto row = MutableArrayRef(x).slice(first, size);
    normaliseSquares(row, op.getEps().convertToDouble());
    for (size_t i = 0; i < size; ++i)
      row[i] *= weight[i];
  }
  call.yield(0, x);
  return success();
}

static LogicalResult evaluateRmsNormGrad(RmsNormGradOp op, OpCall &call) {
  std::vector<double> dy = call.tensor(0).toDoubles(), x = call.tensor(1).toDoubles(),
                      weight = call.tensor(2).toDoubles();
  size_t size = weight.size();
  std::vector<double> dx(x.size()), dweight(elementCount(call.resultShape(1)));
  size_t rows = size ? x.size() / size : 0, sums = size ? dweight.size() / size : 0;
  for (size_t r = 0; r < rows; ++r) {
    auto row = MutableArrayRef(x).slice(r * size, size);
    double scale = normaliseSquares(row, op.getEps().convertToDouble()), meanProduct = 0;
    size_t sum = r / (rows / sums) * size;
    for (size_t i = 0; i < size; ++i) {
      dweight[sum + i] += dy[r * size + i] * row[i];
      meanProduct += dy[r * size + i] * weight[i] * row[i] / size;
    }
    for (size_t i = 0; i < size; ++i)
      dx[r * size + i] = scale * (dy[r * size + i] * weight[i] - row[i] * meanProduct);
  }
  call.yield(0, dx);
  call.yield(1, dweight);
  return success();
}

void reference::registerNorms(EvaluatorTable &table) {
  table.add<RmsNormOp>(evaluateRmsNorm);
  table.add<RmsNormGradOp>(evaluateRmsNormGrad);
  table.add<LayerNormOp>(evaluateLayerNorm);
  table.add<LayerNormGradOp>(evaluateLayerNormGrad);
}
