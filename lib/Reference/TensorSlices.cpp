//===- TensorSlices.cpp - The slices that tiles are made of ---------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

namespace {
/// Where a slice lies in a tensor: the position of its first element, its strides there and its shape.
struct Slice {
  int64_t base = 0;
  Shape strides, shape;
};
} // namespace

/// The slice that the op names, without the axes that its type drops. Fails if it leaves the tensor.
template <typename OpT> static FailureOr<Slice> locate(OpT op, OpCall &call, const Tensor &whole) {
  SmallVector<int64_t> offsets = call.indices(op.getMixedOffsets()), sizes = call.indices(op.getMixedSizes()),
                       steps = call.indices(op.getMixedStrides());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Shape own = rowMajorStrides(whole.getShape());
  Slice slice;
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    int64_t last = offsets[axis] + (sizes[axis] - 1) * steps[axis], size = whole.getSize(axis);
    bool isInside = offsets[axis] >= 0 && offsets[axis] < size && last >= 0 && last < size;
    if (sizes[axis] < 0 || (sizes[axis] > 0 && !isInside))
      return op.emitOpError("expected a slice within size ")
             << size << " along axis " << axis << ", found offset " << offsets[axis] << ", size " << sizes[axis]
             << " and stride " << steps[axis];
    slice.base += offsets[axis] * own[axis];
    if (dropped[axis])
      continue;
    slice.strides.push_back(own[axis] * steps[axis]);
    slice.shape.push_back(sizes[axis]);
  }
  return slice;
}

static LogicalResult evaluateExtractSlice(tensor::ExtractSliceOp op, OpCall &call) {
  const Tensor &source = call.tensor(0);
  FailureOr<Slice> slice = locate(op, call, source);
  if (failed(slice))
    return failure();
  call.yield(readStrided(source, slice->base, slice->strides, slice->shape));
  return success();
}

template <typename OpT> static LogicalResult insert(OpT op, OpCall &call, const Tensor &source, Tensor &into) {
  FailureOr<Slice> slice = locate(op, call, into);
  if (failed(slice))
    return failure();
  if (ArrayRef(slice->shape) != source.getShape())
    return op.emitOpError("expected a tensor of the slice's sizes [")
           << ArrayRef(slice->shape) << "], found [" << source.getShape() << "]";
  writeStrided(into, slice->base, slice->strides, source);
  return success();
}

static LogicalResult evaluateInsertSlice(tensor::InsertSliceOp op, OpCall &call) {
  Tensor result = std::move(std::get<Tensor>(call.data()[1]));
  if (failed(insert(op, call, call.tensor(0), result)))
    return failure();
  call.yield(std::move(result));
  return success();
}

static LogicalResult evaluateParallelInsertSlice(tensor::ParallelInsertSliceOp op, OpCall &call) {
  // Written in place, which the second holder of the elements would prevent.
  call.data()[1] = {};
  return insert(op, call, call.tensor(0), std::get<Tensor>(call.getContext().lookup(op.getDest())));
}

/// The shape of a tensor that is made from sizes. Fails if it can't exist.
static FailureOr<Shape> newShape(Operation *op, OpCall &call, RankedTensorType type, ValueRange dynamicSizes) {
  std::optional<DType> dtype = dtypeOf(type.getElementType());
  Shape shape(call.indices(getMixedValues(type.getShape(), dynamicSizes, op->getContext())));
  if (!dtype || llvm::any_of(shape, [](int64_t size) { return size < 0; }) || !fitsMemory(*dtype, shape))
    return op->emitOpError("expected a type of the nova dialect and sizes that memory can hold, found ")
           << type << " and [" << ArrayRef(shape) << "]";
  return shape;
}

static LogicalResult evaluateEmpty(tensor::EmptyOp op, OpCall &call) {
  FailureOr<Shape> shape = newShape(op, call, op.getType(), op.getDynamicSizes());
  if (failed(shape))
    return failure();
  call.yield(Tensor::poison(call.resultType(), *shape));
  return success();
}

static LogicalResult evaluateSplat(tensor::SplatOp op, OpCall &call) {
  FailureOr<Shape> shape = newShape(op, call, op.getType(), op.getDynamicSizes());
  if (failed(shape))
    return failure();
  DType dtype = call.resultType();
  Tensor scalar = ::nova::isFloat(dtype) ? Tensor::fromDoubles(dtype, {}, call.real(0))
                                         : Tensor::fromInts(dtype, {}, call.integer(0));
  call.yield(readStrided(scalar, 0, Shape(shape->size(), 0), *shape));
  return success();
}

static LogicalResult evaluateDim(tensor::DimOp op, OpCall &call) {
  const Tensor &x = call.tensor(0);
  int64_t axis = call.integer(1);
  if (axis < 0 || axis >= x.getRank())
    return op.emitOpError("expected an axis below the rank ") << x.getRank() << ", found " << axis;
  call.yield(x.getSize(axis));
  return success();
}

static LogicalResult evaluateCast(tensor::CastOp op, OpCall &call) {
  call.yield(call.tensor(0)); // Sizes that the type promises are verified with every result.
  return success();
}

void reference::registerTensorSlices(EvaluatorTable &table) {
  table.add<tensor::EmptyOp>(evaluateEmpty);
  table.add<tensor::SplatOp>(evaluateSplat);
  table.add<tensor::ExtractSliceOp>(evaluateExtractSlice);
  table.add<tensor::InsertSliceOp>(evaluateInsertSlice);
  table.add<tensor::ParallelInsertSliceOp>(evaluateParallelInsertSlice);
  table.add<tensor::DimOp>(evaluateDim);
  table.add<tensor::CastOp>(evaluateCast);
}
