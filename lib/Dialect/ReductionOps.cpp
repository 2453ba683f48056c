//===- ReductionOps.cpp - Inference and folds of reductions and matmul -===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::nova;

//===----------------------------------------------------------------------===//
// Reduce, softmax
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  Type element = type.getElementType();
  ArrayRef<int64_t> axes = adaptor.getAxes();
  for (size_t i = 0; i < axes.size(); ++i)
    if (axes[i] < 0 || axes[i] >= type.getRank() || (i && axes[i] <= axes[i - 1]))
      return emitOptionalError(location, "expected distinct axes in rising order below the rank ", type.getRank(),
                               ", found [", axes, "]");
  ReduceKind kind = adaptor.getKind();
  bool logical = kind == ReduceKind::Any || kind == ReduceKind::All;
  if (logical != element.isInteger(1))
    return emitOptionalError(location, "expected elements ", logical ? "i1" : "other than i1", " for ",
                             stringifyReduceKind(kind), ", found ", element);
  if (kind == ReduceKind::Mean && !isa<FloatType>(element))
    return emitOptionalError(location, "expected float elements for mean, found ", element, "; use nova.cast first");
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    bool reduced = llvm::is_contained(axes, int64_t(i));
    if (reduced && size == 0 && (kind == ReduceKind::Max || kind == ReduceKind::Min))
      return emitOptionalError(location, stringifyReduceKind(kind), " over no element (axis ", i,
                               " has size 0) has no value");
    if (!reduced)
      shape.push_back(size);
    else if (adaptor.getKeepDims())
      shape.push_back(1);
  }
  types.push_back(type.clone(shape));
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

static LogicalResult inferSoftmax(std::optional<Location> location, RankedTensorType type, int64_t axis,
                                  SmallVectorImpl<Type> &types) {
  if (axis < -type.getRank() || axis >= type.getRank())
    return emitOptionalError(location, "expected an axis of a tensor of rank ", type.getRank(), ", found ", axis);
  types.push_back(type);
  return success();
}
LogicalResult SoftmaxOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  return inferSoftmax(location, cast<RankedTensorType>(adaptor.getX().getType()), adaptor.getAxis(), types);
}
LogicalResult SoftmaxGradOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  return inferSoftmax(location, cast<RankedTensorType>(adaptor.getY().getType()), adaptor.getAxis(), types);
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
  int64_t m = rows[adaptor.getTransposeLhs() ? 1 : 0], lhsDepth = rows[adaptor.getTransposeLhs() ? 0 : 1];
  int64_t n = columns[adaptor.getTransposeRhs() ? 0 : 1], rhsDepth = columns[adaptor.getTransposeRhs() ? 1 : 0];
  if (failed(verifyCompatibleShape({lhsDepth}, {rhsDepth})))
    return emitOptionalError(location, "expected the operands to agree on the summed axis, found ", lhsDepth, " in ",
                             lhs, " and ", rhsDepth, " in ", rhs);
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

OpFoldResult MatmulOp::fold(FoldAdaptor) {
  int64_t depth = getLhs().getType().getShape().take_back(2)[getTransposeLhs() ? 0 : 1];
  if (depth != 0 || !getType().hasStaticShape())
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
} // namespace

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MatmulOfTranspose>(context);
}
