//===- Extents.cpp - Shapes that types leave open -------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The type of a tile at the edge of a grid is dynamic. An op's indexing maps say which loop each axis of an operand
// runs along, so operands give the extents of the loops, and those the shapes of the results. Loops that no operand
// has (iota, pad, ...) get theirs from the op that takes the tile: in the end from the sizes of the slice that it
// fills.
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

namespace {
/// The extents of an op's loops, as far as they are known.
using Extents = SmallVector<std::optional<int64_t>>;
} // namespace

/// Sets the extents of the loops along which the known sizes of `shape` run. A size of 1 gives way to another where the
/// op broadcasts.
static LogicalResult join(IndexedOp op, const Twine &what, AffineMap map, ArrayRef<int64_t> shape, Extents &extents) {
  bool broadcasts = op->hasTrait<NovaElementwise>() || isa<MatmulOp, BroadcastInDimOp>(op.getOperation());
  for (auto [axis, size] : llvm::enumerate(shape)) {
    std::optional<unsigned> loop = mlir::nova::detail::loopOf(map, axis);
    if (!loop || ShapedType::isDynamic(size) || extents[*loop] == size)
      continue;
    std::optional<int64_t> &extent = extents[*loop];
    if (!extent || (broadcasts && extent == 1))
      extent = size;
    else if (!broadcasts || size != 1)
      return op->emitOpError("expected size ")
             << *extent << " along axis " << axis << " of " << what << ", as elsewhere in the op, found " << size;
  }
  return success();
}

static std::optional<int64_t> extentFromUsers(Context &context, Value value, unsigned axis);

/// The extent of one loop from what is known of the op's operands and results: types, and the users of the results.
static std::optional<int64_t> extentOf(Context &context, IndexedOp op, unsigned loop) {
  for (auto [i, operand] : llvm::enumerate(op.getTensorOperands())) {
    auto *tensor = std::get_if<Tensor>(&context.lookup(operand));
    AffineMap map = op.getOperandMap(i);
    for (unsigned axis = 0; tensor && axis < map.getNumResults(); ++axis)
      if (mlir::nova::detail::loopOf(map, axis) == loop)
        return tensor->getSize(axis);
  }
  for (OpResult result : op->getResults()) {
    AffineMap map = op.getResultMap(result.getResultNumber());
    for (unsigned axis = 0; axis < map.getNumResults(); ++axis)
      if (mlir::nova::detail::loopOf(map, axis) == loop)
        if (auto extent = extentFromUsers(context, result, axis))
          return extent;
  }
  return std::nullopt;
}

static std::optional<int64_t> extentFromUsers(Context &context, Value value, unsigned axis) {
  auto type = tensorType(value);
  if (!type.isDynamicDim(axis))
    return type.getDimSize(axis);
  for (OpOperand &use : value.getUses()) {
    if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(use.getOwner())) {
      if (insert.getSourceType().getRank() != insert.getDestType().getRank())
        continue;
      OpFoldResult size = insert.getMixedSizes()[axis];
      if (auto attribute = dyn_cast<Attribute>(size))
        return cast<IntegerAttr>(attribute).getInt();
      if (auto *extent = std::get_if<int64_t>(&context.lookup(cast<Value>(size))))
        return *extent;
    } else if (auto user = dyn_cast<IndexedOp>(use.getOwner())) {
      if (std::optional<unsigned> loop = mlir::nova::detail::loopOf(user.getOperandMap(use.getOperandNumber()), axis))
        if (auto extent = extentOf(context, user, *loop))
          return extent;
    }
  }
  return std::nullopt;
}

LogicalResult OpCall::inferShapes() {
  auto isOpen = [](Type type) { return isa<RankedTensorType>(type) && !cast<ShapedType>(type).hasStaticShape(); };
  auto indexed = dyn_cast<IndexedOp>(op);
  Extents extents;
  if (indexed && (llvm::any_of(op->getOperandTypes(), isOpen) || llvm::any_of(op->getResultTypes(), isOpen))) {
    extents.resize(indexed.getLoopKinds().size());
    for (unsigned i = 0, e = indexed.getTensorOperands().size(); i < e; ++i)
      if (failed(join(indexed, "operand #" + Twine(i), indexed.getOperandMap(i), tensor(i).getShape(), extents)))
        return failure();
    for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
      if (failed(join(indexed, "result #" + Twine(i), indexed.getResultMap(i), cast<ShapedType>(type).getShape(),
                      extents)))
        return failure();
  }
  for (OpResult result : op->getResults()) {
    std::optional<Shape> &shape = shapes.emplace_back();
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || (isOpen(type) && !indexed))
      continue;
    shape = Shape(type.getShape());
    for (unsigned axis = 0; axis < shape->size(); ++axis) {
      if (!type.isDynamicDim(axis))
        continue;
      std::optional<unsigned> loop = mlir::nova::detail::loopOf(indexed.getResultMap(result.getResultNumber()), axis);
      std::optional<int64_t> extent = loop ? extents[*loop] : 1;
      if (!extent)
        extent = extentFromUsers(context, result, axis);
      if (!extent)
        return op->emitOpError("expected a static size for axis ")
               << axis << " of " << type << ", found one that no operand and no user gives";
      (*shape)[axis] = *extent;
    }
    std::optional<DType> dtype = dtypeOf(type.getElementType());
    if (!dtype)
      return op->emitOpError("expected elements of a type of the nova dialect, found ") << type.getElementType();
    if (!fitsMemory(*dtype, *shape))
      return op->emitOpError("expected a result that this machine's memory can hold, found ") << type;
  }
  return success();
}

int64_t OpCall::index(OpFoldResult index) {
  if (auto attribute = dyn_cast<Attribute>(index))
    return cast<IntegerAttr>(attribute).getInt();
  return std::get<int64_t>(context.lookup(cast<Value>(index)));
}

SmallVector<int64_t> OpCall::indices(ArrayRef<OpFoldResult> list) {
  return llvm::map_to_vector(list, [&](OpFoldResult value) { return index(value); });
}

SmallVector<int64_t> OpCall::tileOrigin() {
  auto indexed = cast<IndexedOp>(op);
  SmallVector<int64_t> origin(indexed.getLoopKinds().size(), 0);
  if (indexed.getTileOrigin().empty())
    return origin;
  unsigned first = indexed.getTensorOperands().size();
  for (auto [i, loop] : llvm::enumerate(indexed.getPositionalLoops()))
    origin[loop] = integer(first + i);
  return origin;
}
