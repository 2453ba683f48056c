//===- Schedule.cpp - The inside of a scheduled block ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts, rooms and order don't change a value: a copy is its elements at once, and a wait is nothing.
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Schedule.h"
#include "OpEvaluators.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

/// The part of the source that lies in the tile; zeros elsewhere.
template <typename OpT> static LogicalResult evaluateTile(OpT op, OpCall &call) {
  unsigned offsets = op.getOffsets().empty() ? 0 : op.getOffsets().getBeginOperandIndex();
  const Tensor &source = call.tensor(0);
  ArrayRef<int64_t> shape = op.getTile().getType().getShape(), whole = source.getShape();
  size_t lead = whole.size() - shape.size();
  Shape strides = rowMajorStrides(whole), taken(shape);
  int64_t base = 0;
  for (size_t axis = 0; axis < whole.size(); ++axis) {
    int64_t offset = call.integer(offsets + axis);
    if (offset < 0 || (axis < lead && offset >= whole[axis]))
      return op.emitOpError("expected offsets within the source, found ") << offset << " along axis " << axis;
    base += offset * strides[axis];
    if (axis < lead)
      continue;
    int64_t &size = taken[axis - lead], left = std::max<int64_t>(whole[axis] - offset, 0);
    if (op.getInBounds()[axis - lead] && left < size)
      return op.emitOpError("expected a tile within the source along axis ")
             << axis << ", where it is in_bounds, found offset " << offset;
    size = std::min(size, left);
  }
  Shape tileStrides = rowMajorStrides(shape);
  Tensor zero = ::nova::isFloat(source.getDType()) ? Tensor::fromDoubles(source.getDType(), {}, 0.0)
                                                   : Tensor::fromInts(source.getDType(), {}, int64_t(0));
  Tensor tile = readStrided(zero, 0, Shape(shape.size(), 0), Shape(shape));
  if (elementCount(taken)) {
    Shape own(strides.end() - shape.size(), strides.end());
    writeStrided(tile, 0, tileStrides, readStrided(source, base, own, taken));
  }
  call.yield(std::move(tile));
  return success();
}

static LogicalResult evaluateAllocate(AllocateOp op, OpCall &call) {
  call.yield(Tensor::poison(call.resultType(), Shape(op.getRoom().getType().getShape())));
  return success();
}

static LogicalResult evaluateConvertLayout(ConvertLayoutOp, OpCall &call) {
  call.yield(call.tensor(0));
  return success();
}

static LogicalResult evaluateContract(ContractOp op, OpCall &call) {
  ArrayRef<int64_t> lhs = op.getLhs().getType().getShape();
  int64_t rows = lhs[0], depth = lhs[1], columns = op.getRhs().getType().getDimSize(1);
  std::vector<double> x = call.tensor(0).toDoubles(), y = call.tensor(1).toDoubles(), z = call.tensor(2).toDoubles();
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t j = 0; j < columns; ++j)
        z[i * columns + j] += x[i * depth + k] * y[k * columns + j];
  call.yield(Tensor::fromDoubles(call.resultType(), Shape{rows, columns}, z));
  return success();
}

void reference::registerSchedule(EvaluatorTable &table) {
  auto nothing = [](Operation *, OpCall &) { return success(); };
  table.add<AllocateOp>(evaluateAllocate);
  table.add<CopyAsyncOp>(evaluateTile<CopyAsyncOp>);
  table.add<LoadOp>(evaluateTile<LoadOp>);
  table.add<ConvertLayoutOp>(evaluateConvertLayout);
  table.add<ContractOp>(evaluateContract);
  table.add<CommitOp>(nothing);
  table.add<WaitOp>(nothing);
  table.add<BarrierOp>(nothing);
}
