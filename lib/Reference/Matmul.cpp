//===- Matmul.cpp - Matrix products ---------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

namespace {
/// An operand as f64 numbers, [batch..., rows, columns], and its strides along the batch axes of the result: 0 where it
/// is repeated.
struct Matrices {
  std::vector<double> values;
  int64_t rows, columns;
  Shape batchStrides;
};
} // namespace

static Matrices prepare(Tensor x, bool isTransposed, ArrayRef<int64_t> batch) {
  int64_t rank = x.getRank();
  Shape shape(x.getShape());
  if (isTransposed) {
    Shape strides = rowMajorStrides(shape);
    std::swap(strides[rank - 1], strides[rank - 2]);
    std::swap(shape[rank - 1], shape[rank - 2]);
    x = readStrided(x, 0, strides, shape);
  }
  Shape strides = rowMajorStrides(shape), batchStrides(batch.size(), 0);
  size_t lead = batch.size() - (rank - 2);
  for (int64_t axis = 0; axis < rank - 2; ++axis)
    if (shape[axis] != 1)
      batchStrides[lead + axis] = strides[axis];
  return {x.toDoubles(), shape[rank - 2], shape[rank - 1], batchStrides};
}

static LogicalResult evaluateMatmul(MatmulOp op, OpCall &call) {
  ArrayRef<int64_t> shape = call.resultShape(), batch = shape.drop_back(2);
  Matrices lhs = prepare(call.tensor(0), op.getTransposeLhs(), batch);
  Matrices rhs = prepare(call.tensor(1), op.getTransposeRhs(), batch);
  int64_t m = lhs.rows, n = rhs.columns, kSize = lhs.columns;
  std::vector<double> result(elementCount(shape));
  forEachIndex<2>(batch, {lhs.batchStrides, rhs.batchStrides}, [&](int64_t position, auto at) {
    // In the order m, k, n the innermost loop runs along rows of the right side and of the result.
    for (int64_t i = 0; i < m; ++i) {
      double *to = result.data() + (position * m + i) * n;
      for (int64_t k = 0; k < kSize; ++k) {
        double factor = lhs.values[at[0] + i * kSize + k];
        const double *row = rhs.values.data() + at[1] + k * n;
        for (int64_t j = 0; j < n; ++j)
          to[j] += factor * row[j];
      }
    }
  });
  call.yield(0, result);
  return success();
}

void reference::registerMatmul(EvaluatorTable &table) { table.add<MatmulOp>(evaluateMatmul); }
