//===- ScheduleEpilogue.cpp - Elementwise ops on an anchor's registers ----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleStrategy.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::nova;

EpilogueBuilder::EpilogueBuilder(OpBuilder &b, Value anchor, Value tile, int64_t threads)
    : b(b), whole(tensorType(tile)), anchorShape(shapeOf(anchor).take_back(2)), threads(threads) {
  made[anchor] = tile;
}

/// Slices of arguments, constants, and elementwise ops on those and on the anchor.
bool EpilogueBuilder::canBuild(Value anchor, ArrayRef<Value> stored) {
  SmallVector<Value> work(stored);
  llvm::SmallDenseSet<Value> seen;
  bool usesAnchor = false;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    usesAnchor |= value == anchor;
    if (value == anchor || !seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (!op || isa<tensor::ExtractSliceOp, tensor::SplatOp, ConstantOp>(op))
      continue;
    if (!op->hasTrait<NovaElementwise>())
      return false;
    llvm::append_range(work, op->getOperands());
  }
  return usesAnchor &&
         llvm::all_of(stored, [&](Value v) { return shapeOf(v) == shapeOf(anchor) && v.getDefiningOp(); });
}

RankedTensorType EpilogueBuilder::typeFor(ArrayRef<int64_t> shape, Type element) {
  ArrayRef<int64_t> kept = shape.take_back(std::min<size_t>(shape.size(), 2));
  SmallVector<int64_t> sizes, axes;
  for (auto [i, size] : llvm::enumerate(kept)) {
    int64_t axis = 2 - int64_t(kept.size()) + int64_t(i);
    bool isBroadcast = size == 1 && anchorShape[axis] != 1;
    axes.push_back(isBroadcast ? -1 : axis);
    sizes.push_back(isBroadcast ? 1 : whole.getDimSize(axis));
  }
  if (ArrayRef(sizes) == whole.getShape())
    return RankedTensorType::get(sizes, element, whole.getEncoding());
  auto part = PartAttr::get(b.getContext(), whole.getEncoding(), whole.getShape(), axes);
  return RankedTensorType::get(sizes, element, part);
}

Value EpilogueBuilder::load(tensor::ExtractSliceOp slice) {
  RankedTensorType source = slice.getSourceType();
  RankedTensorType tile = typeFor(slice.getType().getShape(), source.getElementType());
  SmallVector<Value> offsets;
  SmallVector<bool> inBounds;
  for (auto [axis, offset] : llvm::enumerate(slice.getMixedOffsets())) {
    offsets.push_back(getValueOrCreateConstantIndexOp(b, slice.getLoc(), offset));
    int64_t own = int64_t(axis) - (source.getRank() - tile.getRank());
    if (own >= 0)
      inBounds.push_back(source.getDimSize(axis) % tile.getDimSize(own) == 0);
  }
  return LoadOp::create(b, slice.getLoc(), tile, slice.getSource(), offsets, inBounds).getTile();
}

Value EpilogueBuilder::tileOf(Value value) {
  if (Value known = made.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  auto remember = [&](Value tile) { return made[value] = tile; };
  if (!op) { // a tensor of rank 0, or without elements
    RankedTensorType type = tensorType(value);
    return remember(
        LoadOp::create(b, value.getLoc(), typeFor({}, type.getElementType()), value, ValueRange(), ArrayRef<bool>())
            .getTile());
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return remember(load(slice));
  RankedTensorType type = typeFor(shapeOf(value), tensorType(value).getElementType());
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return remember(tensor::SplatOp::create(b, op->getLoc(), type, splat.getInput(), ValueRange()));
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto elements = cast<DenseElementsAttr>(constant.getValue());
    return remember(ConstantOp::create(b, op->getLoc(), elements.resizeSplat(type)));
  }
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) { return tileOf(operand); });
  SmallVector<Type> types;
  for (Value result : op->getResults())
    types.push_back(typeFor(shapeOf(result), tensorType(result).getElementType()));
  Operation *tiled = mlir::clone(b, op, types, operands);
  for (auto [old, tile] : llvm::zip(op->getResults(), tiled->getResults()))
    made[old] = tile;
  return made[value];
}

/// The tile in a layout in which threads store rows of 16 bytes, by way of shared memory, where a fragment's pairs
/// would fill only halves of the sectors that memory takes.
Value EpilogueBuilder::inRows(Value tile, tensor::ParallelInsertSliceOp insert) {
  constexpr int64_t kAccess = 128;
  RankedTensorType type = tensorType(tile);
  int64_t bits = type.getElementTypeBitWidth();
  if (bits != 16 || knownAlignment(insert.getDestType(), insert.getMixedOffsets(), kAccess / bits) * 8 < kAccess)
    return tile;
  Location loc = insert.getLoc();
  auto shared = swizzledRows(b.getContext(), type.getShape(), bits);
  auto rows = rowsByThreads(b.getContext(), type.getShape(), kAccess / bits, threads);
  BarrierOp::create(b, loc); // what was in this memory before has been read
  Value room = AllocateOp::create(b, loc, RankedTensorType::get(type.getShape(), type.getElementType(), shared));
  Value stored = ConvertLayoutOp::create(b, loc, room.getType(), tile, room);
  BarrierOp::create(b, loc);
  auto result = RankedTensorType::get(type.getShape(), type.getElementType(), rows);
  return ConvertLayoutOp::create(b, loc, result, stored, Value());
}

LogicalResult EpilogueBuilder::store(scf::ForallOp grid) {
  SmallVector<std::pair<tensor::ParallelInsertSliceOp, Value>> tiles;
  for (Operation &op : grid.getTerminator().getYieldingOps()) {
    auto insert = cast<tensor::ParallelInsertSliceOp>(op);
    Value tile = tileOf(insert.getSource());
    if (shapeOf(tile) != whole.getShape())
      return insert.emitOpError("stores a value that does not depend on the block's whole tile");
    SmallVector<OpFoldResult> sizes(ArrayRef(insert.getMixedSizes()).take_back(2)), zeros(2, b.getIndexAttr(0)),
        ones(2, b.getIndexAttr(1));
    bool isWhole = llvm::all_of_zip(sizes, whole.getShape(),
                                    [](OpFoldResult size, int64_t all) { return getConstantIntValue(size) == all; });
    Value part = inRows(tile, insert);
    if (!isWhole) // the edge, and what lies beyond it
      part = tensor::ExtractSliceOp::create(b, insert.getLoc(), part, zeros, sizes, ones);
    tiles.push_back({insert, part});
  }
  OpBuilder::InsertionGuard guard(b);
  for (auto [insert, part] : tiles) {
    b.setInsertionPoint(insert);
    tensor::ParallelInsertSliceOp::create(b, insert.getLoc(), part, insert.getDest(), insert.getMixedOffsets(),
                                          insert.getMixedSizes(), insert.getMixedStrides());
    insert.erase();
  }
  return success();
}

ThreadsAttr nova::rowsByThreads(MLIRContext *context, ArrayRef<int64_t> shape, int64_t width, int64_t threads) {
  int64_t along = std::min(shape.back() / width, threads);
  SmallVector<int64_t> elements(shape.size(), 1), grid(shape.size(), 1);
  elements.back() = width;
  grid.back() = along;
  grid[shape.size() - 2] = threads / along;
  return ThreadsAttr::get(context, elements, grid);
}

SharedAttr nova::swizzledRows(MLIRContext *context, ArrayRef<int64_t> shape, unsigned elementBits) {
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  // Eight chunks of 16 bytes fill the banks once. Rows that lie at the same chunk of different such lines change places
  // within theirs.
  int64_t chunk = llvm::Log2_64(128 / elementBits), line = llvm::Log2_64(1024 / elementBits);
  int64_t row = llvm::Log2_64(shape.back()), bits = std::min<int64_t>(3, row - chunk);
  if (bits <= 0)
    return SharedAttr::get(context, order, {}, {});
  return SharedAttr::get(context, order, {bits, chunk, std::max(line, row) - chunk}, {});
}
