//===- ReductionOps.cpp - Inference and folds of reductions and matmul -===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "Shapes.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::detail;

//===----------------------------------------------------------------------===//
// Reduce, softmax
//===----------------------------------------------------------------------===//

/// The type that is left when `axes` of `type` are reduced.
static FailureOr<RankedTensorType> reducedType(std::optional<Location> location, RankedTensorType type,
                                               ArrayRef<int64_t> axes, bool keepDims) {
  for (size_t i = 0; i < axes.size(); ++i)
    if (axes[i] < 0 || axes[i] >= type.getRank() || (i && axes[i] <= axes[i - 1]))
      return emitOptionalError(location, "expected distinct axes in rising order below the rank ", type.getRank(),
                               ", found [", axes, "]");
  SmallVector<int64_t> shape;
  for (auto [axis, size] : llvm::enumerate(type.getShape())) {
    bool isReduced = llvm::is_contained(axes, int64_t(axis));
    if (!isReduced || keepDims)
      shape.push_back(isReduced ? 1 : size);
  }
  return type.clone(shape);
}

/// What has no value over no element must have one.
static LogicalResult verifyNotEmpty(std::optional<Location> location, StringRef name, RankedTensorType type,
                                    ArrayRef<int64_t> axes) {
  for (int64_t axis : axes)
    if (type.getDimSize(axis) == 0)
      return emitOptionalError(location, name, " over no element (axis ", axis, " has size 0) has no value");
  return success();
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  Type element = type.getElementType();
  FailureOr<RankedTensorType> result = reducedType(location, type, adaptor.getAxes(), adaptor.getKeepDims());
  if (failed(result))
    return failure();
  ReduceKind kind = adaptor.getKind();
  bool logical = kind == ReduceKind::Any || kind == ReduceKind::All;
  if (logical != element.isInteger(1))
    return emitOptionalError(location, "expected elements ", logical ? "i1" : "other than i1", " for ",
                             stringifyReduceKind(kind), ", found ", element);
  if (kind == ReduceKind::Mean && !isa<FloatType>(element))
    return emitOptionalError(location, "expected float elements for mean, found ", element, "; use nova.cast first");
  if ((kind == ReduceKind::Max || kind == ReduceKind::Min) &&
      failed(verifyNotEmpty(location, stringifyReduceKind(kind), type, adaptor.getAxes())))
    return failure();
  types.push_back(*result);
  return success();
}

/// What a reduction over no element gives; none for max and min, which are refused.
static Attribute reductionOfNothing(ReduceKind kind, Type element) {
  Builder b(element.getContext());
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Any:
    return b.getZeroAttr(element);
  case ReduceKind::Product:
    return b.getOneAttr(element);
  case ReduceKind::All:
    return b.getBoolAttr(true);
  case ReduceKind::Mean:
    return b.getFloatAttr(element, APFloat::getNaN(cast<FloatType>(element).getFloatSemantics()));
  case ReduceKind::Max:
  case ReduceKind::Min:
    return {};
  }
  llvm_unreachable("unknown kind of reduction");
}

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  if (getAxes().empty())
    return getX();
  RankedTensorType from = getX().getType(), to = getType();
  bool isOfNothing = llvm::any_of(getAxes(), [&](int64_t axis) { return from.getDimSize(axis) == 0; });
  Attribute element = isOfNothing ? reductionOfNothing(getKind(), to.getElementType()) : Attribute();
  if (!element || !to.hasStaticShape())
    return {};
  return DenseElementsAttr::get(to, element);
}

/// Whether an axis, which may count from the end, is one of a tensor.
static LogicalResult verifyAxis(std::optional<Location> location, RankedTensorType type, int64_t axis) {
  if (axis < -type.getRank() || axis >= type.getRank())
    return emitOptionalError(location, "expected an axis of a tensor of rank ", type.getRank(), ", found ", axis);
  return success();
}

static LogicalResult inferSoftmax(std::optional<Location> location, RankedTensorType type, int64_t axis,
                                  SmallVectorImpl<Type> &types) {
  types.push_back(type);
  return verifyAxis(location, type, axis);
}
LogicalResult SoftmaxOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  return inferSoftmax(location, cast<RankedTensorType>(adaptor.getX().getType()), adaptor.getAxis(), types);
}
LogicalResult SoftmaxGradOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  return inferSoftmax(location, cast<RankedTensorType>(adaptor.getY().getType()), adaptor.getAxis(), types);
}

LogicalResult LogSoftmaxOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  return inferSoftmax(location, tensorType(adaptor.getX()), adaptor.getAxis(), types);
}
LogicalResult CumsumOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  return inferSoftmax(location, tensorType(adaptor.getX()), adaptor.getAxis(), types);
}

LogicalResult LogSumExpOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto result = reducedType(location, tensorType(adaptor.getX()), adaptor.getAxes(), adaptor.getKeepDims());
  if (failed(result))
    return failure();
  types.push_back(*result);
  return success();
}

template <typename Adaptor>
static LogicalResult inferArgExtremum(std::optional<Location> location, StringRef name, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  int64_t axis = adaptor.getAxis();
  if (failed(verifyAxis(location, type, axis)))
    return failure();
  axis += axis < 0 ? type.getRank() : 0;
  if (failed(verifyNotEmpty(location, name, type, axis)))
    return failure();
  FailureOr<RankedTensorType> result = reducedType(location, type, axis, adaptor.getKeepDims());
  types.push_back(result->clone(IntegerType::get(type.getContext(), 64)));
  return success();
}
LogicalResult ArgMaxOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  return inferArgExtremum(location, "argmax", adaptor, types);
}
LogicalResult ArgMinOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  return inferArgExtremum(location, "argmin", adaptor, types);
}

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto lhs = cast<RankedTensorType>(adaptor.getLhs().getType());
  auto rhs = cast<RankedTensorType>(adaptor.getRhs().getType());
  if (lhs.getRank() < 2 || rhs.getRank() < 2)
    return emitOptionalError(location, "expected operands of rank 2 or more, found ", lhs, " and ", rhs);
  auto rows = lhs.getShape().take_back(2), columns = rhs.getShape().take_back(2);
  int64_t m = rows[adaptor.getTransposeLhs() ? 1 : 0], lhsK = rows[adaptor.getTransposeLhs() ? 0 : 1];
  int64_t n = columns[adaptor.getTransposeRhs() ? 0 : 1], rhsK = columns[adaptor.getTransposeRhs() ? 1 : 0];
  if (failed(verifyCompatibleShape({lhsK}, {rhsK})))
    return emitOptionalError(location, "expected the operands to agree on the summed axis, found ", lhsK, " in ", lhs,
                             " and ", rhsK, " in ", rhs);
  int64_t rank = std::max(lhs.getRank(), rhs.getRank());
  SmallVector<int64_t> shape(rank - 2, 1);
  for (RankedTensorType type : {lhs, rhs}) {
    for (auto [i, size] : llvm::enumerate(type.getShape().drop_back(2))) {
      int64_t &extent = shape[rank - type.getRank() + i];
      if (extent == 1 || (ShapedType::isDynamic(extent) && size != 1))
        extent = size;
      else if (size != 1 && !ShapedType::isDynamic(size) && size != extent)
        return emitOptionalError(location, "leading axes do not broadcast: axis ", rank - type.getRank() + i,
                                 " has sizes ", extent, " and ", size);
    }
  }
  shape.append({m, n});
  types.push_back(lhs.clone(shape));
  return success();
}

Type MatmulOp::getDefaultAccumulate(Type element) {
  return element.isF64() ? element : Type(Float32Type::get(element.getContext()));
}

bool MatmulOp::hasWideSums() {
  return getAccumulate() && *getAccumulate() != getDefaultAccumulate(getType().getElementType());
}

Type MatmulOp::getPairedElement() {
  auto narrow = [](Value factor) {
    auto cast = factor.getDefiningOp<CastOp>();
    bool isRead = cast && !cast.getX().getDefiningOp<IndexedOp>() && cast.getType().getElementType().isF32();
    return isRead ? cast.getX().getType().getElementType() : Type();
  };
  Type element = narrow(getLhs());
  return element && (element.isBF16() || element.isF16()) && element == narrow(getRhs()) ? element : Type();
}

LogicalResult MatmulOp::verify() {
  Type element = getType().getElementType();
  if (element.isF64() && getAccumulate() && !getAccumulate()->isF64())
    return emitOpError("expected sums at least as wide as the elements, accumulate = f64, found ") << *getAccumulate();
  return success();
}

OpFoldResult MatmulOp::fold(FoldAdaptor) {
  int64_t kSize = getLhs().getType().getShape().take_back(2)[getTransposeLhs() ? 0 : 1];
  if (kSize != 0 || !getType().hasStaticShape())
    return {};
  return DenseElementsAttr::get(getType(), Builder(getContext()).getZeroAttr(getType().getElementType()));
}

namespace {
/// A transpose of the last two axes becomes the matmul's own flag.
struct MatmulOfTranspose : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  static Value untransposed(Value operand) {
    auto transpose = operand.getDefiningOp<TransposeOp>();
    if (!transpose)
      return {};
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    int64_t rank = permutation.size();
    for (int64_t i = 0; i < rank - 2; ++i)
      if (permutation[i] != i)
        return {};
    return permutation[rank - 2] == rank - 1 ? transpose.getX() : Value();
  }
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    Value lhs = untransposed(op.getLhs()), rhs = untransposed(op.getRhs());
    if (!lhs && !rhs)
      return rewriter.notifyMatchFailure(op, "no operand is a transpose of the last two axes");
    rewriter.modifyOpInPlace(op, [&] {
      if (lhs) {
        op.getLhsMutable().assign(lhs);
        op.setTransposeLhs(!op.getTransposeLhs());
      }
      if (rhs) {
        op.getRhsMutable().assign(rhs);
        op.setTransposeRhs(!op.getTransposeRhs());
      }
    });
    return success();
  }
};

/// Sums of the type that they have anyway need no word.
struct MatmulOfDefaultSums : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    if (!op.getAccumulate() || op.hasWideSums())
      return rewriter.notifyMatchFailure(op, "its sums are not of the default type");
    rewriter.modifyOpInPlace(op, [&] { op.removeAccumulateAttr(); });
    return success();
  }
};
} // namespace

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MatmulOfTranspose, MatmulOfDefaultSums>(context);
}
