//===- MovementOps.cpp - Verifiers, inference and folds of movement ops -===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "Shapes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::detail;

static bool isIota(ArrayRef<int64_t> values) {
  return llvm::all_of(llvm::enumerate(values), [](auto v) { return v.value() == int64_t(v.index()); });
}

/// A splat constant of another shape, when `attribute` is a splat.
static Attribute resplat(Attribute attribute, RankedTensorType type) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attribute);
  if (!elements || !elements.isSplat() || !type.hasStaticShape())
    return {};
  return elements.resizeSplat(type);
}

//===----------------------------------------------------------------------===//
// Constant, iota
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  auto type = dyn_cast<RankedTensorType>(adaptor.getValue().getType());
  if (!type)
    return emitOptionalError(location, "expected the elements of a ranked tensor, found ",
                             adaptor.getValue().getType());
  types.push_back(type);
  return success();
}
LogicalResult ConstantOp::verify() {
  if (!isa<DenseElementsAttr, DenseResourceElementsAttr>(getValue()))
    return emitOpError("expected dense or dense_resource elements, found ") << getValue();
  return success();
}
OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult IotaOp::verify() {
  if (int64_t(getAxis()) >= getType().getRank())
    return emitOpError("expected an axis below the rank ") << getType().getRank() << ", found " << getAxis();
  return success();
}

//===----------------------------------------------------------------------===//
// Broadcast, reshape, transpose
//===----------------------------------------------------------------------===//

LogicalResult BroadcastInDimOp::verify() {
  RankedTensorType from = getX().getType(), to = getType();
  if (int64_t(getDims().size()) != from.getRank())
    return emitOpError("expected one entry of dims for each of the operand's ")
           << from.getRank() << " axes, found " << getDims().size();
  int64_t last = -1;
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    if (dim <= last || dim >= to.getRank())
      return emitOpError("expected dims in rising order below the result's rank ")
             << to.getRank() << ", found [" << getDims() << "]";
    last = dim;
    int64_t size = from.getDimSize(i), target = to.getDimSize(dim);
    if (size != 1 && size != target && !ShapedType::isDynamic(size) && !ShapedType::isDynamic(target))
      return emitOpError("expected axis ") << i << " to have size 1 or " << target << ", found " << size;
  }
  return success();
}
OpFoldResult BroadcastInDimOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  return resplat(adaptor.getX(), getType());
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = getX().getType(), to = getType();
  if (from.hasStaticShape() && to.hasStaticShape() && from.getNumElements() != to.getNumElements())
    return emitOpError("expected as many elements as the operand's ")
           << from.getNumElements() << ", found " << to.getNumElements();
  return success();
}
FailureOr<SmallVector<int64_t>> ReshapeOp::resolveShape(ArrayRef<int64_t> from) {
  auto to = llvm::to_vector(getType().getShape());
  auto open = llvm::to_vector(llvm::make_filter_range(llvm::seq<size_t>(0, to.size()),
                                                      [&](size_t axis) { return ShapedType::isDynamic(to[axis]); }));
  for (size_t axis : ArrayRef(open).drop_back(!open.empty())) {
    if (axis >= from.size())
      return failure();
    to[axis] = from[axis];
  }
  // Two products that saturate are equal, but no tensor has so many elements.
  auto product = [](ArrayRef<int64_t> sizes) {
    uint64_t count = 1;
    for (int64_t size : sizes)
      count = llvm::SaturatingMultiply<uint64_t>(count, size);
    return count;
  };
  uint64_t count = product(from);
  if (!open.empty()) {
    to[open.back()] = 1;
    uint64_t known = product(to);
    to[open.back()] = known ? count / known : 0;
  }
  if (product(to) != count)
    return failure();
  return to;
}
OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto inner = getX().getDefiningOp<ReshapeOp>()) {
    // A dynamic shape between two static ones may have hidden that they don't agree, which only shows when it runs.
    RankedTensorType from = inner.getX().getType(), to = getType();
    if (from.hasStaticShape() && to.hasStaticShape() && from.getNumElements() != to.getNumElements())
      return {};
    // All open sizes but one are those of the operand's axes.
    if (to.getNumDynamicDims() > 1)
      return {};
    setOperand(inner.getX());
    return getResult();
  }
  auto elements = dyn_cast_or_null<DenseElementsAttr>(adaptor.getX());
  if (elements && getType().hasStaticShape())
    return elements.reshape(getType());
  return {};
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  auto sorted = llvm::to_vector(permutation);
  llvm::sort(sorted);
  if (int64_t(permutation.size()) != type.getRank() || !isIota(sorted))
    return emitOptionalError(location, "expected a permutation of the operand's ", type.getRank(), " axes, found [",
                             permutation, "]");
  SmallVector<int64_t> shape;
  for (int64_t axis : permutation)
    shape.push_back(type.getDimSize(axis));
  auto shared = dyn_cast_or_null<SharedAttr>(type.getEncoding());
  if (!shared) {
    types.push_back(type.clone(shape));
    return success();
  }
  // Of a tile in shared memory only the axes' names change.
  SmallVector<int64_t> order;
  for (int64_t axis : shared.getOrder())
    order.push_back(std::distance(permutation.begin(), llvm::find(permutation, axis)));
  types.push_back(
      RankedTensorType::get(shape, type.getElementType(),
                            SharedAttr::get(type.getContext(), order, shared.getSwizzle(), shared.getPadding())));
  return success();
}
OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (isIota(getPermutation()))
    return getX();
  if (auto inner = getX().getDefiningOp<TransposeOp>()) {
    SmallVector<int64_t> permutation;
    for (int64_t axis : getPermutation())
      permutation.push_back(inner.getPermutation()[axis]);
    setPermutation(permutation);
    setOperand(inner.getX());
    return getResult();
  }
  return resplat(adaptor.getX(), getType());
}

namespace {
/// A transpose that moves nothing but axes of size 1 keeps the order of the elements, and a reshape costs nothing.
struct TransposeOfUnitAxes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getX().getType();
    if (!type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "an axis of unknown size may have size 1");
    SmallVector<int64_t> moved;
    llvm::copy_if(op.getPermutation(), std::back_inserter(moved),
                  [&](int64_t axis) { return type.getDimSize(axis) != 1; });
    if (!llvm::is_sorted(moved))
      return rewriter.notifyMatchFailure(op, "axes of a size other than 1 change places");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX());
    return success();
  }
};
} // namespace

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<TransposeOfUnitAxes>(context);
}

//===----------------------------------------------------------------------===//
// Slice, pad, concat
//===----------------------------------------------------------------------===//

void SliceOp::build(OpBuilder &builder, OperationState &state, Value x, ArrayRef<int64_t> starts,
                    ArrayRef<int64_t> limits) {
  auto type = tensorType(x);
  SmallVector<int64_t> shape;
  for (auto [start, limit] : llvm::zip_equal(starts, limits))
    shape.push_back(limit - start);
  build(builder, state, type.clone(shape), x, starts, limits, SmallVector<int64_t>(shape.size(), 1), ValueRange());
}

LogicalResult SliceOp::verify() {
  RankedTensorType from = getX().getType(), to = getType();
  size_t rank = from.getRank();
  if (getStarts().size() != rank || getLimits().size() != rank || getStrides().size() != rank ||
      to.getRank() != from.getRank())
    return emitOpError("expected starts, limits, strides and the result to have the operand's rank ") << rank;
  for (auto [i, start, limit, stride] : llvm::enumerate(getStarts(), getLimits(), getStrides())) {
    int64_t size = from.getDimSize(i);
    if (stride < 1 || start < 0 || limit < start || (!ShapedType::isDynamic(size) && limit > size))
      return emitOpError("expected 0 <= start <= limit <= size and a positive stride on axis ")
             << i << ", found start " << start << ", limit " << limit << ", size " << size << " and stride " << stride;
    int64_t extent = llvm::divideCeil(limit - start, stride);
    if (getOrigin().empty() && to.getDimSize(i) != extent)
      return emitOpError("expected the result to have size ")
             << extent << " on axis " << i << ", found " << to.getDimSize(i);
  }
  return success();
}
OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (!getOrigin().empty())
    return {};
  if (getX().getType() == getType() && getType().hasStaticShape())
    return getX();
  return resplat(adaptor.getX(), getType());
}

/// Checks ops whose `part` of `whole` begins at `starts`.
static LogicalResult verifyDynamicPart(Operation *op, RankedTensorType whole, RankedTensorType starts,
                                       ArrayRef<int64_t> part) {
  if (starts.getRank() != 1 || !agree(starts.getDimSize(0), whole.getRank()))
    return op->emitOpError("expected a start for each of the operand's ")
           << whole.getRank() << " axes, found " << starts;
  if (int64_t(part.size()) != whole.getRank())
    return op->emitOpError("expected the part to have the operand's rank ")
           << whole.getRank() << ", found " << part.size();
  for (auto [axis, size] : llvm::enumerate(part))
    if (size < 0 || (!whole.isDynamicDim(axis) && size > whole.getDimSize(axis)))
      return op->emitOpError("expected the part to have a static size of at most ")
             << whole.getDimSize(axis) << " on axis " << axis << ", found " << size;
  return success();
}

LogicalResult DynamicSliceOp::verify() {
  if (failed(verifyDynamicPart(*this, getX().getType(), getStarts().getType(), getSizes())))
    return failure();
  if (getOrigin().empty() && getType().getShape() != getSizes())
    return emitOpError("expected the result to have the sizes [") << getSizes() << "], found " << getType();
  return success();
}
OpFoldResult DynamicSliceOp::fold(FoldAdaptor adaptor) {
  if (!getOrigin().empty() || !getType().hasStaticShape())
    return {};
  return getX().getType() == getType() ? OpFoldResult(getX()) : OpFoldResult(resplat(adaptor.getX(), getType()));
}

LogicalResult DynamicUpdateSliceOp::verify() {
  if (failed(verifyDynamicPart(*this, getX().getType(), getStarts().getType(), getUpdate().getType().getShape())))
    return failure();
  if (getOrigin().empty() && getType() != getX().getType())
    return emitOpError("expected the result to have the operand's type ")
           << getX().getType() << ", found " << getType();
  return success();
}
OpFoldResult DynamicUpdateSliceOp::fold(FoldAdaptor) {
  if (!getOrigin().empty() || !getUpdate().getType().hasStaticShape())
    return {};
  if (getUpdate().getType() == getType())
    return getUpdate();
  return getUpdate().getType().getNumElements() == 0 ? OpFoldResult(getX()) : OpFoldResult();
}

LogicalResult PadOp::verify() {
  RankedTensorType from = getX().getType(), to = getType();
  size_t rank = from.getRank();
  if (getValue().getType().getRank() != 0)
    return emitOpError("expected a scalar to pad with, found ") << getValue().getType();
  if (getLow().size() != rank || getHigh().size() != rank || getInterior().size() != rank ||
      to.getRank() != from.getRank())
    return emitOpError("expected low, high, interior and the result to have the operand's rank ") << rank;
  for (auto [i, low, high, interior] : llvm::enumerate(getLow(), getHigh(), getInterior())) {
    if (low < 0 || high < 0 || interior < 0)
      return emitOpError("expected padding of at least 0 on axis ")
             << i << ", found low " << low << ", high " << high << " and interior " << interior
             << "; use nova.slice to make a tensor smaller";
    int64_t size = from.getDimSize(i);
    if (ShapedType::isDynamic(size) || !getOrigin().empty())
      continue;
    uint64_t gaps = size > 1 ? size - 1 : 0;
    uint64_t extent =
        llvm::SaturatingAdd<uint64_t>(low, high, size, llvm::SaturatingMultiply<uint64_t>(gaps, interior));
    if (uint64_t(to.getDimSize(i)) != extent)
      return emitOpError("expected the result to have size ")
             << extent << " on axis " << i << ", found " << to.getDimSize(i);
  }
  return success();
}
OpFoldResult PadOp::fold(FoldAdaptor) {
  auto isZero = [](ArrayRef<int64_t> v) { return llvm::all_of(v, [](int64_t x) { return x == 0; }); };
  if (getOrigin().empty() && isZero(getLow()) && isZero(getHigh()) && isZero(getInterior()) &&
      getX().getType() == getType())
    return getX();
  return {};
}

SmallVector<int64_t> ConcatOp::getInputStarts() {
  SmallVector<int64_t> starts = {0};
  for (Value input : getInputs())
    starts.push_back(starts.back() + tensorType(input).getDimSize(getAxis()));
  return starts;
}
LogicalResult ConcatOp::verify() {
  RankedTensorType to = getType();
  if (getInputs().empty())
    return emitOpError("expected at least one operand");
  if (int64_t(getAxis()) >= to.getRank())
    return emitOpError("expected an axis below the rank ") << to.getRank() << ", found " << getAxis();
  uint64_t extent = 0;
  for (auto [n, input] : llvm::enumerate(getInputs())) {
    auto from = tensorType(input);
    if (from.getRank() != to.getRank() || from.getElementType() != to.getElementType())
      return emitOpError("expected operand ") << n << " to have the result's rank and element type, found " << from;
    for (int64_t i = 0; i < to.getRank(); ++i) {
      int64_t size = from.getDimSize(i), target = to.getDimSize(i);
      if (i != int64_t(getAxis()) && size != target && !ShapedType::isDynamic(size) && !ShapedType::isDynamic(target))
        return emitOpError("expected operand ")
               << n << " to have size " << target << " on axis " << i << ", found " << size;
    }
    int64_t size = from.getDimSize(getAxis());
    if (ShapedType::isDynamic(size))
      return emitOpError("expected operand ") << n << " to have a static size along the axis";
    extent = llvm::SaturatingAdd<uint64_t>(extent, size);
  }
  if (getOrigin().empty() && uint64_t(to.getDimSize(getAxis())) != extent)
    return emitOpError("expected the result to have size ")
           << extent << " on axis " << getAxis() << ", found " << to.getDimSize(getAxis());
  return success();
}
OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getOrigin().empty() && getInputs().size() == 1 && getInputs()[0].getType() == getType())
    return getInputs()[0];
  return {};
}

//===----------------------------------------------------------------------===//
// Gather, scatter_add
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto table = cast<RankedTensorType>(adaptor.getTable().getType());
  auto indices = cast<RankedTensorType>(adaptor.getIndices().getType());
  int64_t axis = adaptor.getAxis();
  if (axis >= table.getRank())
    return emitOptionalError(location, "expected an axis below the table's rank ", table.getRank(), ", found ", axis);
  SmallVector<int64_t> shape(table.getShape().take_front(axis));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, table.getShape().drop_front(axis + 1));
  types.push_back(table.clone(shape));
  return success();
}

LogicalResult ScatterAddOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  auto into = cast<RankedTensorType>(adaptor.getInto().getType());
  auto indices = cast<RankedTensorType>(adaptor.getIndices().getType());
  auto updates = cast<RankedTensorType>(adaptor.getUpdates().getType());
  if (into.getRank() < 1)
    return emitOptionalError(location, "expected a tensor of rank 1 or more to add into, found ", into);
  SmallVector<int64_t> expected(indices.getShape());
  llvm::append_range(expected, into.getShape().drop_front());
  if (failed(verifyCompatibleShape(expected, updates.getShape())))
    return emitOptionalError(location, "expected updates of the shape of the indices followed by that of a row, ",
                             RankedTensorType::get(expected, into.getElementType()), ", found ", updates);
  types.push_back(into);
  return success();
}

namespace {
/// No index, no update.
struct EmptyScatterAdd : OpRewritePattern<ScatterAddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterAddOp op, PatternRewriter &rewriter) const override {
    RankedTensorType indices = op.getIndices().getType();
    if (!indices.hasStaticShape() || indices.getNumElements() != 0)
      return rewriter.notifyMatchFailure(op, "there are indices");
    rewriter.replaceOp(op, op.getInto());
    return success();
  }
};
} // namespace

void ScatterAddOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<EmptyScatterAdd>(context);
}
