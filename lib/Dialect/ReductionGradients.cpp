//===- ReductionGradients.cpp - Gradients of reductions and matmul --------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"
#include "Shapes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::detail;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  RankedTensorType type = getX().getType();
  SmallVector<int64_t> keptShape(type.getShape()), keptAxes;
  int64_t count = 1;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    bool reduced = llvm::is_contained(getAxes(), axis);
    if (!reduced || getKeepDims())
      keptAxes.push_back(axis);
    if (reduced) {
      count *= keptShape[axis];
      keptShape[axis] = 1;
    }
  }
  auto repeat = [&](Value value) -> Value {
    return value.getType() == type ? value : BroadcastInDimOp::create(b, b.getLoc(), type, value, keptAxes).getResult();
  };
  // With the reduced axes kept, dy and y broadcast against x.
  auto kept = [&](Value value) { return Term(b, reshapeTo(b, value, type.clone(keptShape))); };
  auto reduceKept = [&](ReduceKind kind, Term term) {
    return Term(b, ReduceOp::create(b, b.getLoc(), kind, term, getAxes(), /*keep_dims=*/true));
  };
  Term x(b, getX());
  switch (getKind()) {
  case ReduceKind::Sum:
    dxs[0] = repeat(dys[0]);
    return success();
  case ReduceKind::Mean:
    dxs[0] = repeat(Term(b, dys[0]) * (1.0 / count));
    return success();
  case ReduceKind::Max:
  case ReduceKind::Min: {
    Term winners = x.indicator(x.compare(CompareKind::EQ, kept(getResult())));
    dxs[0] = winners * (kept(dys[0]) / reduceKept(ReduceKind::Sum, winners));
    return success();
  }
  case ReduceKind::Product: {
    // The product of all others: with zeros replaced by ones it is product / x, and it is 0 where another one is zero.
    Value isZero = x.compare(CompareKind::EQ, 0.0);
    Term nonZero = x.except(isZero, 1.0), zeros = x.indicator(isZero);
    Term otherZeros = reduceKept(ReduceKind::Sum, zeros) - zeros;
    Term slope = reduceKept(ReduceKind::Product, nonZero) / nonZero;
    dxs[0] = kept(dys[0]) * slope.except(otherZeros.compare(CompareKind::GT, 0.0), 0.0);
    return success();
  }
  case ReduceKind::Any:
  case ReduceKind::All:
    return emitOpError("has no gradient: its result is a truth value");
  }
  llvm_unreachable("unknown kind of reduction");
}

LogicalResult SoftmaxOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  dxs[0] = SoftmaxGradOp::create(b, b.getLoc(), dys[0], getResult(), getAxisAttr());
  return success();
}

// y * (dy - sum(dy * y)): the derivative of softmax is symmetric.
LogicalResult SoftmaxGradOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  dxs[0] = SoftmaxGradOp::create(b, b.getLoc(), dys[0], getY(), getAxisAttr());
  Type element = getY().getType().getElementType();
  auto wide = [&](Value value) { return Term(b, value).asType(statisticsType(getY().getType())); };
  auto sum = [&](Term x) { return x.reduce(ReduceKind::Sum, getNormalizedAxis()); };
  Term gradient = wide(dys[0]), dy = wide(getResultGrad()), y = wide(getY());
  dxs[1] = (gradient * (dy - sum(dy * y)) - dy * sum(gradient * y)).asType(element);
  return success();
}

LogicalResult CumsumOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  dxs[0] = CumsumOp::create(b, b.getLoc(), dys[0], getAxis(), /*reverse=*/!getReverse());
  return success();
}

LogicalResult LogSoftmaxOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  Term dy(b, dys[0]), y(b, getResult());
  dxs[0] = dy - y.apply<ExpOp>() * dy.reduce(ReduceKind::Sum, getNormalizedAxis());
  return success();
}

LogicalResult LogSumExpOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  RankedTensorType type = getX().getType();
  SmallVector<int64_t> kept(type.getShape());
  for (int64_t axis : getAxes())
    kept[axis] = 1;
  auto wide = [&](Value value) { return Term(b, value).asType(statisticsType(type)); };
  Term dy = wide(reshapeTo(b, dys[0], type.clone(kept))), y = wide(reshapeTo(b, getResult(), type.clone(kept)));
  // Where all elements are minus infinity none has an influence: 0 keeps the difference defined.
  Term shift = y.except(y.compare(CompareKind::EQ, -std::numeric_limits<double>::infinity()), 0.0);
  dxs[0] = (dy * (wide(getX()) - shift).apply<ExpOp>()).asType(type.getElementType());
  return success();
}

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

// The gradient of a right-hand side that all matrices of the left-hand side share (a weight): one product over the rows
// of all of them, where the general rule would sum a product per matrix.
static Value buildSharedRhsGradient(MatmulOp op, ImplicitLocOpBuilder &b, Value dy) {
  auto asRows = [&](Value value) {
    auto type = tensorType(value);
    int64_t width = type.getShape().back();
    // Counted over the leading axes, as the width may be 0.
    int64_t rows = ShapedType::getNumElements(type.getShape().drop_back());
    return reshapeTo(b, value, type.clone({rows, width}));
  };
  Value x = asRows(op.getLhs()), rows = asRows(dy);
  bool transposed = op.getTransposeRhs();
  Value gradient = MatmulOp::create(b, b.getLoc(), transposed ? rows : x, transposed ? x : rows,
                                    /*transpose_lhs=*/true, /*transpose_rhs=*/false, op.getAccumulateAttr());
  return reshapeTo(b, gradient, op.getRhs().getType());
}

LogicalResult MatmulOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  Value dy = dys[0], lhs = getLhs(), rhs = getRhs();
  bool lhsT = getTransposeLhs(), rhsT = getTransposeRhs();
  auto matmul = [&](Value a, bool transposeA, Value c, bool transposeC) -> Value {
    return MatmulOp::create(b, b.getLoc(), a, c, transposeA, transposeC, getAccumulateAttr());
  };
  // With Y = A B: dA = dY B^T and dB = A^T dY; a transposed operand has the transposed gradient, (dY B^T)^T = B dY^T.
  // All transposes are flags of the products.
  Value dLhs = lhsT ? matmul(rhs, rhsT, dy, true) : matmul(dy, false, rhs, !rhsT);
  dxs[0] = reduceToShape(b, dLhs, lhs.getType());

  int64_t sharedBatch = ShapedType::getNumElements(getRhs().getType().getShape().drop_back(2));
  if (getLhs().getType().getRank() > 2 && sharedBatch == 1 && !lhsT) {
    dxs[1] = buildSharedRhsGradient(*this, b, dy);
    return success();
  }
  Value dRhs = rhsT ? matmul(dy, true, lhs, lhsT) : matmul(lhs, !lhsT, dy, false);
  dxs[1] = reduceToShape(b, dRhs, rhs.getType());
  return success();
}
