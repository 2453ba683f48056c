//===- MatmulGpu.cpp - Matmul for GPUs, a matrix of sums a thread ---------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulPanels.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
constexpr int64_t kStep = 16;
/// Between the rows of a panel, so that the columns that threads write lie in different banks; of 16 bytes, so that a
/// thread's rows are one load.
constexpr int64_t kPadding = 4;

/// Panels are [kStep][extent], whatever the operand's layout. Threads are a matrix: one has `eachRow` rows side by
/// side, and columns as far apart as the matrix is wide, so that loads and stores of a row coalesce.
class ThreadSums : public MatmulPanels {
public:
  ThreadSums(TileEmitter &e, MatmulOp op) : MatmulPanels(e, op, kStep, computeType(op.getType().getElementType())) {
    ArrayRef<int64_t> micro = e.kernel.getConfigAttr().getMicro();
    eachRow = micro[0], eachColumn = micro[1];
    for (Panel *panel : {&rows, &columns}) {
      panel->strideOfK = panel->extent + kPadding, panel->along = 1;
      allocate(*panel, kStep * panel->strideOfK);
    }
    columnStep = columns.extent / eachColumn;
    firstRow = e.mul(b.createOrFold<arith::DivUIOp>(thread, e.cst(columnStep)), eachRow);
    firstColumn = b.createOrFold<arith::RemUIOp>(thread, e.cst(columnStep));
  }

private:
  SmallVector<Value> initial() override { return SmallVector<Value>(eachRow * eachColumn, e.constant(element, 0)); }

  SmallVector<Value> multiply(ValueRange sums) override {
    return e.carry(e.cst(0), e.cst(kStep), 1, sums, [&](Value k, ValueRange carried) {
      SmallVector<Value> left, right, next;
      for (int64_t i = 0; i < eachRow; ++i)
        left.push_back(e.loadScalar(slot(rows, k, e.add(firstRow, i)), element));
      for (int64_t j = 0; j < eachColumn; ++j)
        right.push_back(e.loadScalar(slot(columns, k, e.add(firstColumn, j * columnStep)), element));
      for (auto [x, sum] : llvm::enumerate(carried))
        next.push_back(e.fma(left[x / eachColumn], right[x % eachColumn], sum));
      return next;
    });
  }

  std::pair<Value, Value> positionOf(size_t sum) override {
    return {e.add(firstRow, sum / eachColumn), e.add(firstColumn, sum % eachColumn * columnStep)};
  }

  Value firstRow, firstColumn;
  int64_t eachRow, eachColumn, columnStep;
};
} // namespace

std::unique_ptr<MatmulPanels> nova::createThreadSums(TileEmitter &e, MatmulOp op) {
  return std::make_unique<ThreadSums>(e, op);
}
