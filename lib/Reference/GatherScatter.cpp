//===- GatherScatter.cpp - Rows by index ----------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

LogicalResult reference::reportIndex(Operation *op, StringRef what, const Tensor &indices, int64_t position,
                                     std::optional<int64_t> bound) {
  auto error = op->emitOpError("expected ") << what << " of at least 0";
  if (bound)
    error << " and below " << *bound;
  error << ", found " << indices.getInt(position) << " at position [";
  Shape strides = rowMajorStrides(indices.getShape());
  llvm::interleaveComma(llvm::seq<int64_t>(0, indices.getRank()), error,
                        [&](int64_t axis) { error << position / strides[axis] % indices.getSize(axis); });
  return error << "]";
}

static LogicalResult evaluateGather(GatherOp op, OpCall &call) {
  const Tensor &table = call.tensor(0), &indices = call.tensor(1);
  int64_t axis = op.getAxis(), count = indices.getNumElements(), bound = table.getSize(axis);
  ArrayRef<int64_t> sizes = table.getShape();
  int64_t outer = elementCount(sizes.take_front(axis)), inner = elementCount(sizes.drop_front(axis + 1));

  // [outer, count, inner] is the result's shape with neighbouring axes as one.
  Tensor result(table.getDType(), call.resultShape());
  size_t bytes = inner * ::nova::sizeOf(table.getDType());
  char *to = result.getMutableData();
  for (int64_t i = 0; i < count; ++i) {
    int64_t index = indices.getInt(i);
    if (index < 0 || index >= bound)
      return reportIndex(op, "an index", indices, i, bound);
    for (int64_t o = 0; o < outer; ++o)
      std::copy_n(table.getData() + (o * bound + index) * bytes, bytes, to + (o * count + i) * bytes);
  }
  call.yield(std::move(result));
  return success();
}

template <typename Number, typename Function>
static LogicalResult scatterAdd(ScatterAddOp op, OpCall &call, std::vector<Number> sums,
                                const std::vector<Number> &updates, Function add) {
  const Tensor &into = call.tensor(0), &indices = call.tensor(1);
  int64_t rows = into.getSize(0), inner = elementCount(into.getShape().drop_front());
  // A tile holds rows from its origin on, and doesn't know how many there are in all.
  bool isTile = !op.getOrigin().empty();
  int64_t first = call.tileOrigin()[0];
  for (int64_t i = 0, count = indices.getNumElements(); i < count; ++i) {
    int64_t index = indices.getInt(i);
    if (index < 0 || (!isTile && index >= rows))
      return reportIndex(op, "an index", indices, i, isTile ? std::nullopt : std::optional(rows));
    if (index < first || index - first >= rows)
      continue;
    for (int64_t j = 0; j < inner; ++j)
      sums[(index - first) * inner + j] = add(sums[(index - first) * inner + j], updates[i * inner + j]);
  }
  call.yield(0, sums);
  return success();
}

static LogicalResult evaluateScatterAdd(ScatterAddOp op, OpCall &call) {
  const Tensor &into = call.tensor(0), &updates = call.tensor(2);
  if (::nova::isFloat(into.getDType()))
    return scatterAdd<double>(op, call, into.toDoubles(), updates.toDoubles(), std::plus<double>());
  // As unsigned numbers, which wrap.
  return scatterAdd<int64_t>(op, call, into.toInts(), updates.toInts(), std::plus<uint64_t>());
}

void reference::registerGatherScatter(EvaluatorTable &table) {
  table.add<GatherOp>(evaluateGather);
  table.add<ScatterAddOp>(evaluateScatterAdd);
}
