//===- Movement.cpp - Ops that make and move tensors ----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static LogicalResult evaluateConstant(ConstantOp op, OpCall &call) {
  DType dtype = call.resultType();
  ArrayRef<int64_t> shape = call.resultShape();
  ElementsAttr value = op.getValue();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || int64_t(blob->getData().size()) != byteCount(dtype, shape))
      return op.emitOpError("expected ") << *byteCount(dtype, shape) << " bytes in the resource of its value, found "
                                         << (blob ? blob->getData().size() : 0);
    call.yield(Tensor::fromMemory(dtype, shape, blob->getData().data()));
    return success();
  }
  if (::nova::isFloat(dtype)) {
    auto elements = value.tryGetValues<APFloat>();
    if (!elements)
      return op.emitOpError("expected a value whose elements can be read, found ") << value;
    std::vector<double> numbers;
    for (APFloat element : *elements) {
      bool losesInfo;
      element.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
      numbers.push_back(element.convertToDouble());
    }
    call.yield(0, numbers);
    return success();
  }
  auto elements = value.tryGetValues<APInt>();
  if (!elements)
    return op.emitOpError("expected a value whose elements can be read, found ") << value;
  std::vector<int64_t> numbers;
  for (const APInt &element : *elements)
    numbers.push_back(element.getSExtValue());
  call.yield(0, numbers);
  return success();
}

static LogicalResult evaluateIota(IotaOp op, OpCall &call) {
  ArrayRef<int64_t> shape = call.resultShape();
  int64_t axis = op.getAxis(), first = call.tileOrigin()[axis];
  Shape alongAxis(shape.size(), 0);
  alongAxis[axis] = 1;
  std::vector<int64_t> values(elementCount(shape));
  forEachIndex<1>(shape, {alongAxis}, [&](int64_t i, auto at) { values[i] = first + at[0]; });
  call.yield(0, values);
  return success();
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

static LogicalResult evaluateBroadcastInDim(BroadcastInDimOp op, OpCall &call) {
  const Tensor &x = call.tensor(0);
  ArrayRef<int64_t> shape = call.resultShape();
  Shape own = rowMajorStrides(x.getShape()), strides(shape.size(), 0);
  for (auto [axis, dim] : llvm::enumerate(op.getDims())) {
    if (x.getSize(axis) != 1 && x.getSize(axis) != shape[dim])
      return op.emitOpError("expected size 1 or ")
             << shape[dim] << " along axis " << axis << " of the operand, found " << x.getSize(axis);
    if (x.getSize(axis) != 1)
      strides[dim] = own[axis];
  }
  call.yield(readStrided(x, 0, strides, shape));
  return success();
}

static LogicalResult evaluateReshape(ReshapeOp op, OpCall &call) {
  const Tensor &x = call.tensor(0);
  FailureOr<SmallVector<int64_t>> shape = op.resolveShape(x.getShape());
  if (failed(shape))
    return op.emitOpError("expected as many elements as in ") << op.getType() << ", found " << x.getNumElements();
  call.yield(x.reshaped(*shape));
  return success();
}

static LogicalResult evaluateTranspose(TransposeOp op, OpCall &call) {
  const Tensor &x = call.tensor(0);
  Shape own = rowMajorStrides(x.getShape()), strides, shape;
  for (int64_t axis : op.getPermutation()) {
    strides.push_back(own[axis]);
    shape.push_back(x.getSize(axis));
  }
  call.yield(readStrided(x, 0, strides, shape));
  return success();
}

static LogicalResult evaluateSlice(SliceOp op, OpCall &call) {
  const Tensor &x = call.tensor(0);
  ArrayRef<int64_t> shape = call.resultShape();
  Shape strides = rowMajorStrides(x.getShape());
  SmallVector<int64_t> origin = call.tileOrigin();
  int64_t base = 0;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    int64_t step = op.getStrides()[axis], first = op.getStarts()[axis] + origin[axis] * step;
    int64_t last = first + (shape[axis] - 1) * step;
    if (shape[axis] && (first < 0 || last >= x.getSize(axis)))
      return op.emitOpError("expected elements below ")
             << x.getSize(axis) << " along axis " << axis << ", found " << first << " to " << last;
    base += first * strides[axis];
    strides[axis] *= step;
  }
  call.yield(elementCount(shape) ? readStrided(x, base, strides, shape) : Tensor(x.getDType(), shape));
  return success();
}

/// Where a part of `sizes` elements begins: as the starts say, moved into the tensor.
static SmallVector<int64_t> startsOf(const Tensor &starts, ArrayRef<int64_t> whole, ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> result;
  for (size_t axis = 0; axis < whole.size(); ++axis)
    result.push_back(std::clamp<int64_t>(starts.getInt(axis), 0, whole[axis] - sizes[axis]));
  return result;
}

static int64_t offsetOf(ArrayRef<int64_t> index, ArrayRef<int64_t> strides) {
  int64_t offset = 0;
  for (auto [i, stride] : llvm::zip_equal(index, strides))
    offset += i * stride;
  return offset;
}

static LogicalResult evaluateDynamicSlice(DynamicSliceOp op, OpCall &call) {
  const Tensor &x = call.tensor(0);
  ArrayRef<int64_t> shape = call.resultShape();
  SmallVector<int64_t> first = startsOf(call.tensor(1), x.getShape(), op.getSizes()), origin = call.tileOrigin();
  for (auto [index, tile] : llvm::zip(first, origin))
    index += tile;
  Shape strides = rowMajorStrides(x.getShape());
  call.yield(elementCount(shape) ? readStrided(x, offsetOf(first, strides), strides, shape)
                                 : Tensor(x.getDType(), shape));
  return success();
}

static LogicalResult evaluateDynamicUpdateSlice(DynamicUpdateSliceOp op, OpCall &call) {
  Tensor updated = call.tensor(0);
  const Tensor &update = call.tensor(2);
  Shape strides = rowMajorStrides(updated.getShape());
  if (update.getNumElements())
    writeStrided(updated, offsetOf(startsOf(call.tensor(1), updated.getShape(), update.getShape()), strides), strides,
                 update);
  SmallVector<int64_t> origin = call.tileOrigin();
  ArrayRef<int64_t> shape = call.resultShape();
  call.yield(elementCount(shape)
                 ? readStrided(updated, offsetOf(ArrayRef(origin).take_front(shape.size()), strides), strides, shape)
                 : Tensor(updated.getDType(), shape));
  return success();
}

/// For each index along an axis of a pad's result the operand's index there, or -1 for padding.
static SmallVector<int64_t> paddedIndices(int64_t first, int64_t count, int64_t low, int64_t interior, int64_t size) {
  SmallVector<int64_t> indices;
  for (int64_t i = first; i < first + count; ++i) {
    int64_t distance = i - low, step = interior + 1;
    bool isElement = distance >= 0 && distance % step == 0 && distance / step < size;
    indices.push_back(isElement ? distance / step : -1);
  }
  return indices;
}

static LogicalResult evaluatePad(PadOp op, OpCall &call) {
  const Tensor &x = call.tensor(0);
  ArrayRef<int64_t> shape = call.resultShape();
  SmallVector<int64_t> origin = call.tileOrigin();
  SmallVector<SmallVector<int64_t>> sources;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    sources.push_back(
        paddedIndices(origin[axis], shape[axis], op.getLow()[axis], op.getInterior()[axis], x.getSize(axis)));

  // The operand's elements are written over a tensor full of the value, one by one.
  Tensor result = readStrided(call.tensor(1), 0, Shape(shape.size(), 0), shape);
  Shape strides = rowMajorStrides(x.getShape()), own = rowMajorStrides(shape);
  size_t width = ::nova::sizeOf(x.getDType());
  char *to = result.getMutableData();
  forEachIndex<0>(shape, {}, [&](int64_t position, auto) {
    int64_t source = 0;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      int64_t index = sources[axis][position / own[axis] % shape[axis]];
      if (index < 0)
        return;
      source += index * strides[axis];
    }
    std::copy_n(x.getData() + source * width, width, to + position * width);
  });
  call.yield(std::move(result));
  return success();
}

static LogicalResult evaluateConcat(ConcatOp op, OpCall &call) {
  ArrayRef<int64_t> shape = call.resultShape();
  int64_t axis = op.getAxis(), first = call.tileOrigin()[axis], last = first + shape[axis];
  Tensor result(call.resultType(), shape);
  Shape strides = rowMajorStrides(shape);
  int64_t start = 0;
  for (unsigned i = 0; i < op.getInputs().size(); ++i) {
    // The part of this input that falls in the tile.
    const Tensor &input = call.tensor(i);
    int64_t from = std::max(start, first), to = std::min(start + input.getSize(axis), last);
    if (from < to) {
      Shape part(input.getShape()), own = rowMajorStrides(input.getShape());
      part[axis] = to - from;
      writeStrided(result, (from - first) * strides[axis], strides,
                   readStrided(input, (from - start) * own[axis], own, part));
    }
    start += input.getSize(axis);
  }
  if (first < 0 || last > start)
    return op.emitOpError("expected a tile within ")
           << start << " elements along axis " << axis << ", found " << first << " to " << last;
  call.yield(std::move(result));
  return success();
}

void reference::registerMovement(EvaluatorTable &table) {
  table.add<ConstantOp>(evaluateConstant);
  table.add<IotaOp>(evaluateIota);
  table.add<BroadcastInDimOp>(evaluateBroadcastInDim);
  table.add<ReshapeOp>(evaluateReshape);
  table.add<TransposeOp>(evaluateTranspose);
  table.add<SliceOp>(evaluateSlice);
  table.add<DynamicSliceOp>(evaluateDynamicSlice);
  table.add<DynamicUpdateSliceOp>(evaluateDynamicUpdateSlice);
  table.add<PadOp>(evaluatePad);
  table.add<ConcatOp>(evaluateConcat);
}
