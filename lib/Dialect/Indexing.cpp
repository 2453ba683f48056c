//===- Indexing.cpp - How loops reach operands and results ------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Schedule.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::nova;
using utils::IteratorType;

#include "Nova/Dialect/NovaInterfaces.cpp.inc"

using Maps = SmallVector<AffineMap>;
using Kinds = SmallVector<IteratorType>;

/// The map of `loops` loops whose results are the loops `dims`.
static AffineMap mapOf(MLIRContext *context, unsigned loops, ArrayRef<unsigned> dims) {
  return AffineMap::getMultiDimMapWithTargets(loops, dims, context);
}

/// The numbers first, ..., first + count - 1.
static SmallVector<unsigned> range(unsigned first, unsigned count) {
  return llvm::to_vector(llvm::seq(first, first + count));
}

static Kinds kindsOf(unsigned parallel, unsigned reduction) {
  Kinds kinds(parallel, IteratorType::parallel);
  kinds.append(reduction, IteratorType::reduction);
  return kinds;
}

/// All loops parallel but one.
static Kinds parallelBut(int64_t rank, int64_t reduction) {
  Kinds kinds(rank, IteratorType::parallel);
  kinds[reduction] = IteratorType::reduction;
  return kinds;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

OperandRange IndexedOp::getTensorOperands() {
  auto operands = (*this)->getOperands();
  auto isOrigin = [](Value v) { return v.getType().isIndex(); };
  return operands.take_front(std::distance(operands.begin(), llvm::find_if(operands, isOrigin)));
}

SmallVector<int64_t> IndexedOp::getLoopExtents() {
  SmallVector<int64_t> extents(getLoopKinds().size(), 1);
  SmallVector<Value> tensors(getTensorOperands());
  llvm::append_range(tensors, (*this)->getResults());
  for (auto [map, tensor] : llvm::zip_equal(getIndexingMaps(), tensors))
    for (auto [axis, size] : llvm::enumerate(shapeOf(tensor)))
      if (std::optional<unsigned> loop = nova::detail::loopOf(map, axis))
        extents[*loop] = size;
  return extents;
}

OperandRange IndexedOp::getTileOrigin() { return (*this)->getOperands().drop_front(getTensorOperands().size()); }

LogicalResult nova::detail::verifyIndexedOp(IndexedOp op) {
  size_t origin = op.getTileOrigin().size(), positional = op.getPositionalLoops().size();
  if (origin && origin != positional)
    return op->emitOpError("expected ") << positional << " origin indices after `at`, found " << origin;
  return verifyTileLayouts(op);
}

std::optional<unsigned> nova::detail::loopOf(AffineMap map, unsigned axis) {
  auto dim = dyn_cast<AffineDimExpr>(map.getResult(axis));
  return dim ? std::optional(dim.getPosition()) : std::nullopt;
}

Maps nova::detail::broadcastMaps(Operation *op) {
  MLIRContext *context = op->getContext();
  RankedTensorType result = tensorType(op->getResult(0));
  unsigned rank = result.getRank();
  Maps maps;
  for (Value operand : op->getOperands()) {
    RankedTensorType type = tensorType(operand);
    SmallVector<AffineExpr> axes;
    int64_t lead = int64_t(rank) - type.getRank();
    for (int64_t i = 0; i < type.getRank(); ++i) {
      bool repeats = type.getDimSize(i) == 1 && result.getDimSize(lead + i) != 1;
      axes.push_back(repeats ? getAffineConstantExpr(0, context) : getAffineDimExpr(lead + i, context));
    }
    maps.push_back(AffineMap::get(rank, 0, axes, context));
  }
  maps.append(op->getNumResults(), AffineMap::getMultiDimIdentityMap(rank, context));
  return maps;
}

Kinds nova::detail::parallelLoops(Operation *op) { return kindsOf(tensorType(op->getResult(0)).getRank(), 0); }

//===----------------------------------------------------------------------===//
// Making and moving
//===----------------------------------------------------------------------===//

Maps IotaOp::getIndexingMaps() {
  return {AffineMap::getMultiDimIdentityMap(getResult().getType().getRank(), getContext())};
}
Kinds IotaOp::getLoopKinds() { return nova::detail::parallelLoops(*this); }
SmallVector<unsigned> IotaOp::getPositionalLoops() { return {unsigned(getAxis())}; }

Maps BroadcastInDimOp::getIndexingMaps() {
  unsigned rank = getResult().getType().getRank();
  SmallVector<AffineExpr> axes;
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    bool repeats = getX().getType().getDimSize(i) == 1 && getResult().getType().getDimSize(dim) != 1;
    axes.push_back(repeats ? getAffineConstantExpr(0, getContext()) : getAffineDimExpr(dim, getContext()));
  }
  return {AffineMap::get(rank, 0, axes, getContext()), AffineMap::getMultiDimIdentityMap(rank, getContext())};
}
Kinds BroadcastInDimOp::getLoopKinds() { return nova::detail::parallelLoops(*this); }

Maps TransposeOp::getIndexingMaps() {
  SmallVector<unsigned> axes(getPermutation().size());
  for (auto [i, axis] : llvm::enumerate(getPermutation()))
    axes[axis] = i;
  unsigned rank = axes.size();
  return {mapOf(getContext(), rank, axes), AffineMap::getMultiDimIdentityMap(rank, getContext())};
}
Kinds TransposeOp::getLoopKinds() { return nova::detail::parallelLoops(*this); }

// Slice and pad read anywhere in their operand: its axes are loops of their own, needed whole.
static Maps wholeOperandMaps(Operation *op, int64_t rank) {
  MLIRContext *context = op->getContext();
  Maps maps = {mapOf(context, 2 * rank, range(rank, rank))};
  for (Value operand : op->getOperands().drop_front())
    if (isa<RankedTensorType>(operand.getType()))
      maps.push_back(AffineMap::get(2 * rank, 0, {}, context));
  maps.push_back(mapOf(context, 2 * rank, range(0, rank)));
  return maps;
}
Maps SliceOp::getIndexingMaps() { return wholeOperandMaps(*this, getResult().getType().getRank()); }
Kinds SliceOp::getLoopKinds() { return kindsOf(getResult().getType().getRank(), getResult().getType().getRank()); }
SmallVector<unsigned> SliceOp::getPositionalLoops() { return range(0, getResult().getType().getRank()); }

// The part may begin anywhere: the operands are needed whole.
Maps DynamicSliceOp::getIndexingMaps() {
  unsigned rank = getX().getType().getRank(), loops = 2 * rank + 1;
  return {mapOf(getContext(), loops, range(rank, rank)), mapOf(getContext(), loops, {2 * rank}),
          mapOf(getContext(), loops, range(0, rank))};
}
Kinds DynamicSliceOp::getLoopKinds() { return kindsOf(getX().getType().getRank(), getX().getType().getRank() + 1); }
SmallVector<unsigned> DynamicSliceOp::getPositionalLoops() { return range(0, getX().getType().getRank()); }

Maps DynamicUpdateSliceOp::getIndexingMaps() {
  unsigned rank = getX().getType().getRank(), loops = 3 * rank + 1;
  return {mapOf(getContext(), loops, range(rank, rank)), mapOf(getContext(), loops, {3 * rank}),
          mapOf(getContext(), loops, range(2 * rank, rank)), mapOf(getContext(), loops, range(0, rank))};
}
Kinds DynamicUpdateSliceOp::getLoopKinds() {
  return kindsOf(getX().getType().getRank(), 2 * getX().getType().getRank() + 1);
}
SmallVector<unsigned> DynamicUpdateSliceOp::getPositionalLoops() { return range(0, getX().getType().getRank()); }

Maps PadOp::getIndexingMaps() { return wholeOperandMaps(*this, getResult().getType().getRank()); }
Kinds PadOp::getLoopKinds() { return kindsOf(getResult().getType().getRank(), getResult().getType().getRank()); }
SmallVector<unsigned> PadOp::getPositionalLoops() { return range(0, getResult().getType().getRank()); }

// Loops: the result's axes, then each input's extent along the axis.
Maps ConcatOp::getIndexingMaps() {
  unsigned rank = getResult().getType().getRank(), loops = rank + getInputs().size();
  Maps maps;
  for (unsigned i = 0; i < getInputs().size(); ++i) {
    SmallVector<unsigned> axes = range(0, rank);
    axes[getAxis()] = rank + i;
    maps.push_back(mapOf(getContext(), loops, axes));
  }
  maps.push_back(mapOf(getContext(), loops, range(0, rank)));
  return maps;
}
Kinds ConcatOp::getLoopKinds() { return kindsOf(getResult().getType().getRank(), getInputs().size()); }
SmallVector<unsigned> ConcatOp::getPositionalLoops() { return {unsigned(getAxis())}; }

// Loops: the result's axes, then the table's axis.
Maps GatherOp::getIndexingMaps() {
  unsigned rank = getResult().getType().getRank(), axis = getAxis(), indices = getIndices().getType().getRank();
  SmallVector<unsigned> table = range(0, axis);
  table.push_back(rank);
  table.append(range(axis + indices, rank - axis - indices));
  return {mapOf(getContext(), rank + 1, table), mapOf(getContext(), rank + 1, range(axis, indices)),
          mapOf(getContext(), rank + 1, range(0, rank))};
}
Kinds GatherOp::getLoopKinds() { return kindsOf(getResult().getType().getRank(), 1); }

// Loops: the result's axes, then those of the indices.
Maps ScatterAddOp::getIndexingMaps() {
  unsigned rank = getInto().getType().getRank(), indices = getIndices().getType().getRank(), loops = rank + indices;
  SmallVector<unsigned> updates = range(rank, indices);
  updates.append(range(1, rank - 1));
  return {mapOf(getContext(), loops, range(0, rank)), mapOf(getContext(), loops, range(rank, indices)),
          mapOf(getContext(), loops, updates), mapOf(getContext(), loops, range(0, rank))};
}
Kinds ScatterAddOp::getLoopKinds() { return kindsOf(getInto().getType().getRank(), getIndices().getType().getRank()); }
SmallVector<unsigned> ScatterAddOp::getPositionalLoops() { return {0}; }

//===----------------------------------------------------------------------===//
// Reductions and contractions
//===----------------------------------------------------------------------===//

Maps ReduceOp::getIndexingMaps() {
  int64_t rank = getX().getType().getRank();
  SmallVector<AffineExpr> kept;
  for (int64_t i = 0; i < rank; ++i) {
    bool reduced = llvm::is_contained(getAxes(), i);
    if (!reduced)
      kept.push_back(getAffineDimExpr(i, getContext()));
    else if (getKeepDims())
      kept.push_back(getAffineConstantExpr(0, getContext()));
  }
  return {AffineMap::getMultiDimIdentityMap(rank, getContext()), AffineMap::get(rank, 0, kept, getContext())};
}
Kinds ReduceOp::getLoopKinds() {
  Kinds kinds = kindsOf(getX().getType().getRank(), 0);
  for (int64_t axis : getAxes())
    kinds[axis] = IteratorType::reduction;
  return kinds;
}

Maps SoftmaxOp::getIndexingMaps() { return nova::detail::broadcastMaps(*this); }
Kinds SoftmaxOp::getLoopKinds() { return parallelBut(getX().getType().getRank(), getNormalizedAxis()); }
Maps LogSoftmaxOp::getIndexingMaps() { return nova::detail::broadcastMaps(*this); }
Kinds LogSoftmaxOp::getLoopKinds() { return parallelBut(getX().getType().getRank(), getNormalizedAxis()); }
Maps CumsumOp::getIndexingMaps() { return nova::detail::broadcastMaps(*this); }
Kinds CumsumOp::getLoopKinds() { return parallelBut(getX().getType().getRank(), getNormalizedAxis()); }
Maps SoftmaxGradOp::getIndexingMaps() { return nova::detail::broadcastMaps(*this); }
Kinds SoftmaxGradOp::getLoopKinds() { return parallelBut(getY().getType().getRank(), getNormalizedAxis()); }

// Loops: the result's axes (batch, m, n), then k.
Maps MatmulOp::getIndexingMaps() {
  unsigned rank = getResult().getType().getRank(), batch = rank - 2, m = batch, n = batch + 1, k = rank;
  auto operand = [&](RankedTensorType type, unsigned row, unsigned column) {
    unsigned own = type.getRank() - 2;
    SmallVector<AffineExpr> axes;
    for (unsigned i = 0; i < own; ++i) {
      unsigned loop = batch - own + i;
      bool repeats = type.getDimSize(i) == 1 && getResult().getType().getDimSize(loop) != 1;
      axes.push_back(repeats ? getAffineConstantExpr(0, getContext()) : getAffineDimExpr(loop, getContext()));
    }
    axes.push_back(getAffineDimExpr(row, getContext()));
    axes.push_back(getAffineDimExpr(column, getContext()));
    return AffineMap::get(rank + 1, 0, axes, getContext());
  };
  return {getTransposeLhs() ? operand(getLhs().getType(), k, m) : operand(getLhs().getType(), m, k),
          getTransposeRhs() ? operand(getRhs().getType(), n, k) : operand(getRhs().getType(), k, n),
          mapOf(getContext(), rank + 1, range(0, rank))};
}
Kinds MatmulOp::getLoopKinds() { return kindsOf(getResult().getType().getRank(), 1); }

//===----------------------------------------------------------------------===//
// Attention. Loops: batch, head, query, key, the head size of q and k, that of v.
//===----------------------------------------------------------------------===//

namespace {
enum AttentionLoop : unsigned { B, H, T, S, D, E, Count };
} // namespace

static AffineMap attentionMap(Operation *op, ArrayRef<unsigned> dims) { return mapOf(op->getContext(), Count, dims); }

/// The map of a mask, which broadcasts to the scores.
static AffineMap maskMap(Operation *op, RankedTensorType mask, RankedTensorType q, RankedTensorType k) {
  int64_t scores[] = {q.getDimSize(0), q.getDimSize(1), q.getDimSize(2), k.getDimSize(2)};
  SmallVector<AffineExpr> axes;
  int64_t lead = 4 - mask.getRank();
  for (int64_t axis = 0; axis < mask.getRank(); ++axis) {
    bool repeats = mask.getDimSize(axis) == 1 && scores[lead + axis] != 1;
    axes.push_back(repeats ? getAffineConstantExpr(0, op->getContext())
                           : getAffineDimExpr(lead + axis, op->getContext())); // B, H, T, S
  }
  return AffineMap::get(Count, 0, axes, op->getContext());
}

Maps AttentionOp::getIndexingMaps() {
  // A grouped head serves several: it is no loop's. Kernels have no groups.
  bool isGrouped = getQ().getType().getDimSize(1) != getK().getType().getDimSize(1);
  auto heads = [&](unsigned size) {
    AffineMap map = attentionMap(*this, {B, H, S, size});
    return isGrouped ? map.replace(getAffineDimExpr(H, getContext()), getAffineConstantExpr(0, getContext()), Count, 0)
                     : map;
  };
  Maps maps = {attentionMap(*this, {B, H, T, D}), heads(D), heads(E)};
  if (getMask())
    maps.push_back(maskMap(*this, getMask().getType(), getQ().getType(), getK().getType()));
  maps.push_back(attentionMap(*this, {B, H, T, E}));
  maps.push_back(attentionMap(*this, {B, H, T}));
  return maps;
}
Kinds AttentionOp::getLoopKinds() { return kindsOf(3, 3); }
SmallVector<unsigned> AttentionOp::getPositionalLoops() { return {T}; }

template <typename Op> static Maps attentionGradMaps(Op op) {
  Maps maps = {attentionMap(op, {B, H, T, E}), attentionMap(op, {B, H, T, D}), attentionMap(op, {B, H, S, D}),
               attentionMap(op, {B, H, S, E}), attentionMap(op, {B, H, T}),    attentionMap(op, {B, H, T})};
  if (op.getMask())
    maps.push_back(maskMap(op, op.getMask().getType(), op.getQ().getType(), op.getK().getType()));
  return maps;
}
Maps AttentionGradQueryOp::getIndexingMaps() {
  Maps maps = attentionGradMaps(*this);
  maps.push_back(attentionMap(*this, {B, H, T, D}));
  return maps;
}
Kinds AttentionGradQueryOp::getLoopKinds() { return kindsOf(3, 3); }
SmallVector<unsigned> AttentionGradQueryOp::getPositionalLoops() { return {T}; }

Maps AttentionGradKeyValueOp::getIndexingMaps() {
  Maps maps = attentionGradMaps(*this);
  maps.push_back(attentionMap(*this, {B, H, S, D}));
  maps.push_back(attentionMap(*this, {B, H, S, E}));
  return maps;
}
Kinds AttentionGradKeyValueOp::getLoopKinds() {
  Kinds kinds = kindsOf(Count, 0);
  kinds[T] = kinds[D] = kinds[E] = IteratorType::reduction;
  return kinds;
}
SmallVector<unsigned> AttentionGradKeyValueOp::getPositionalLoops() { return {S}; }

//===----------------------------------------------------------------------===//
// Norms, losses, optimizers
//===----------------------------------------------------------------------===//

Maps LayerNormOp::getIndexingMaps() {
  unsigned rank = getX().getType().getRank();
  AffineMap whole = AffineMap::getMultiDimIdentityMap(rank, getContext());
  AffineMap column = mapOf(getContext(), rank, {rank - 1});
  return {whole, column, column, whole};
}
Kinds LayerNormOp::getLoopKinds() { return parallelBut(getX().getType().getRank(), getX().getType().getRank() - 1); }

// The gradients of weight and bias sum over every axis between the partial ones and the last.
Maps LayerNormGradOp::getIndexingMaps() {
  unsigned rank = getX().getType().getRank();
  AffineMap whole = AffineMap::getMultiDimIdentityMap(rank, getContext());
  SmallVector<unsigned> kept = range(0, getPartials());
  kept.push_back(rank - 1);
  AffineMap sums = mapOf(getContext(), rank, kept);
  return {whole, whole, mapOf(getContext(), rank, {rank - 1}), whole, sums, sums};
}
Kinds LayerNormGradOp::getLoopKinds() { return kindsOf(getPartials(), getX().getType().getRank() - getPartials()); }

Maps RmsNormOp::getIndexingMaps() {
  unsigned rank = getX().getType().getRank();
  AffineMap whole = AffineMap::getMultiDimIdentityMap(rank, getContext());
  return {whole, mapOf(getContext(), rank, {rank - 1}), whole};
}
Kinds RmsNormOp::getLoopKinds() { return parallelBut(getX().getType().getRank(), getX().getType().getRank() - 1); }

Maps RmsNormGradOp::getIndexingMaps() {
  unsigned rank = getX().getType().getRank();
  AffineMap whole = AffineMap::getMultiDimIdentityMap(rank, getContext());
  SmallVector<unsigned> kept = range(0, getPartials());
  kept.push_back(rank - 1);
  return {whole, whole, mapOf(getContext(), rank, {rank - 1}), whole, mapOf(getContext(), rank, kept)};
}
Kinds RmsNormGradOp::getLoopKinds() { return kindsOf(getPartials(), getX().getType().getRank() - getPartials()); }

Maps CrossEntropyOp::getIndexingMaps() {
  unsigned rank = getLogits().getType().getRank();
  AffineMap rows = mapOf(getContext(), rank, range(0, rank - 1));
  bool scalar = getReduction() != LossReduction::None;
  return {AffineMap::getMultiDimIdentityMap(rank, getContext()), rows,
          scalar ? AffineMap::get(rank, 0, {}, getContext()) : rows};
}
Kinds CrossEntropyOp::getLoopKinds() {
  unsigned rank = getLogits().getType().getRank(), rows = getReduction() == LossReduction::None ? rank - 1 : 0;
  return kindsOf(rows, rank - rows);
}
Maps CrossEntropyGradOp::getIndexingMaps() {
  unsigned rank = getLogits().getType().getRank();
  AffineMap whole = AffineMap::getMultiDimIdentityMap(rank, getContext());
  AffineMap rows = mapOf(getContext(), rank, range(0, rank - 1));
  bool scalar = getReduction() != LossReduction::None;
  return {scalar ? AffineMap::get(rank, 0, {}, getContext()) : rows, whole, rows, whole};
}
Kinds CrossEntropyGradOp::getLoopKinds() {
  unsigned rank = getLogits().getType().getRank();
  // The mean needs all targets to know how many rows count.
  if (getReduction() == LossReduction::Mean)
    return kindsOf(0, rank);
  return kindsOf(rank - 1, 1);
}

Maps AdamWOp::getIndexingMaps() { return nova::detail::broadcastMaps(*this); }
Kinds AdamWOp::getLoopKinds() { return nova::detail::parallelLoops(*this); }
Maps AdamOp::getIndexingMaps() { return nova::detail::broadcastMaps(*this); }
Kinds AdamOp::getLoopKinds() { return nova::detail::parallelLoops(*this); }
Maps SgdOp::getIndexingMaps() { return nova::detail::broadcastMaps(*this); }
Kinds SgdOp::getLoopKinds() { return nova::detail::parallelLoops(*this); }

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

// Both operands are scalars.
static Maps randomMaps(Operation *op) {
  unsigned rank = tensorType(op->getResult(0)).getRank();
  AffineMap scalar = AffineMap::get(rank, 0, {}, op->getContext());
  return {scalar, scalar, AffineMap::getMultiDimIdentityMap(rank, op->getContext())};
}
Maps RandomUniformOp::getIndexingMaps() { return randomMaps(*this); }
Kinds RandomUniformOp::getLoopKinds() { return nova::detail::parallelLoops(*this); }
SmallVector<unsigned> RandomUniformOp::getPositionalLoops() { return range(0, getType().getRank()); }
Maps RandomNormalOp::getIndexingMaps() { return randomMaps(*this); }
Kinds RandomNormalOp::getLoopKinds() { return nova::detail::parallelLoops(*this); }
SmallVector<unsigned> RandomNormalOp::getPositionalLoops() { return range(0, getType().getRank()); }
