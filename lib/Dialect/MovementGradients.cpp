//===- MovementGradients.cpp - Gradients of making and moving tensors -----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::detail;

LogicalResult ConstantOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return success(); // No operand.
}

LogicalResult BroadcastInDimOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  RankedTensorType from = getX().getType(), to = getResult().getType();
  // Every axis of the result repeats the operand, unless it is one of the operand's of the same size.
  SmallVector<int64_t> repeated = llvm::to_vector(llvm::seq<int64_t>(to.getRank()));
  for (auto [axis, dim] : llvm::enumerate(getDims()))
    if (from.getDimSize(axis) == to.getDimSize(dim))
      llvm::erase(repeated, dim);
  dxs[0] = sumOver(b, dys[0], repeated, from);
  return success();
}

LogicalResult ReshapeOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  dxs[0] = reshapeTo(b, dys[0], getX().getType());
  return success();
}

LogicalResult TransposeOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  dxs[0] = TransposeOp::create(b, b.getLoc(), dys[0], invertPermutationVector(getPermutation()));
  return success();
}

LogicalResult SliceOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  RankedTensorType from = getX().getType(), to = getResult().getType();
  if (to.getNumElements() == 0)
    return success(); // The operand has no influence.
  SmallVector<int64_t> high, interior;
  for (int64_t axis = 0; axis < from.getRank(); ++axis) {
    int64_t last = getStarts()[axis] + (to.getDimSize(axis) - 1) * getStrides()[axis];
    high.push_back(from.getDimSize(axis) - 1 - last);
    interior.push_back(getStrides()[axis] - 1);
  }
  Value zero = Term(b, dys[0]).scalar(0.0);
  dxs[0] = PadOp::create(b, b.getLoc(), from, dys[0], zero, getStarts(), high, interior, /*origin=*/ValueRange());
  return success();
}

LogicalResult DynamicSliceOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  RankedTensorType type = getX().getType();
  dxs[0] = DynamicUpdateSliceOp::create(b, b.getLoc(), type, buildZeros(b, type), getStarts(), dys[0],
                                        /*origin=*/ValueRange());
  return success();
}

LogicalResult DynamicUpdateSliceOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  RankedTensorType part = getUpdate().getType();
  dxs[0] = DynamicUpdateSliceOp::create(b, b.getLoc(), getType(), dys[0], getStarts(), buildZeros(b, part),
                                        /*origin=*/ValueRange());
  dxs[2] = DynamicSliceOp::create(b, b.getLoc(), part, dys[0], getStarts(), part.getShape(), /*origin=*/ValueRange());
  return success();
}

LogicalResult PadOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  RankedTensorType from = getX().getType(), to = getResult().getType();
  if (from.getNumElements() != 0) {
    SmallVector<int64_t> limits, strides;
    for (int64_t axis = 0; axis < from.getRank(); ++axis) {
      strides.push_back(getInterior()[axis] + 1);
      limits.push_back(getLow()[axis] + (from.getDimSize(axis) - 1) * strides.back() + 1);
    }
    dxs[0] = SliceOp::create(b, b.getLoc(), from, dys[0], getLow(), limits, strides, /*origin=*/ValueRange());
  }
  // The value's gradient is the sum over its copies, found by padding zeros with ones.
  Term dy(b, dys[0]);
  Value copies = PadOp::create(b, b.getLoc(), to, buildZeros(b, from), dy.scalar(1.0), getLow(), getHigh(),
                               getInterior(), /*origin=*/ValueRange());
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(to.getRank()));
  dxs[1] = sumOver(b, dy * Term(b, copies), all, cast<RankedTensorType>(getValue().getType()));
  return success();
}

LogicalResult ConcatOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  SmallVector<int64_t> starts(getResult().getType().getRank(), 0), limits(getResult().getType().getShape());
  SmallVector<int64_t> inputStarts = getInputStarts();
  for (size_t input = 0; input < getInputs().size(); ++input) {
    starts[getAxis()] = inputStarts[input];
    limits[getAxis()] = inputStarts[input + 1];
    dxs[input] = SliceOp::create(b, b.getLoc(), dys[0], starts, limits);
  }
  return success();
}

LogicalResult GatherOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  // scatter_add works along axis 0: bring the indices' axes of dy to the front, and the table's axis back afterwards.
  RankedTensorType table = getTable().getType();
  int64_t axis = getAxis(), indexRank = getIndices().getType().getRank();
  SmallVector<int64_t> tableOrder = {axis}, dyOrder = llvm::to_vector(llvm::seq(axis, axis + indexRank));
  for (int64_t other = 0; other < table.getRank(); ++other)
    if (other != axis) {
      tableOrder.push_back(other);
      dyOrder.push_back(other < axis ? other : other + indexRank - 1);
    }
  auto ordered = table.clone(applyPermutation(table.getShape(), tableOrder));
  Value updates = axis == 0 ? dys[0] : TransposeOp::create(b, b.getLoc(), dys[0], dyOrder).getResult();
  Value sums = ScatterAddOp::create(b, b.getLoc(), buildZeros(b, ordered), getIndices(), updates,
                                    /*origin=*/ValueRange());
  dxs[0] = axis == 0 ? sums : TransposeOp::create(b, b.getLoc(), sums, invertPermutationVector(tableOrder)).getResult();
  return success();
}

LogicalResult ScatterAddOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  dxs[0] = dys[0];
  dxs[2] = GatherOp::create(b, b.getLoc(), dys[0], getIndices(), /*axis=*/IntegerAttr());
  return success();
}
