//===- Gradients.cpp - What gradient rules are written with ---------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::detail;

//===----------------------------------------------------------------------===//
// Term
//===----------------------------------------------------------------------===//

Term Term::scalar(double number) const {
  auto type = RankedTensorType::get({}, getType().getElementType());
  FloatAttr element = builder->getFloatAttr(type.getElementType(), number);
  return Term(*builder, ConstantOp::create(*builder, builder->getLoc(), DenseElementsAttr::get(type, element)));
}

Value Term::compare(CompareKind kind, Term other) const {
  return CompareOp::create(*builder, builder->getLoc(), kind, value, other.value);
}

Term Term::except(Value condition, double number) const {
  return Term(*builder, SelectOp::create(*builder, builder->getLoc(), condition, scalar(number), value));
}

Term Term::asType(Type element) const {
  RankedTensorType type = getType().clone(element);
  return type == getType() ? *this : Term(*builder, CastOp::create(*builder, builder->getLoc(), type, value));
}

Term Term::reduce(ReduceKind kind, ArrayRef<int64_t> axes) const {
  return Term(*builder, ReduceOp::create(*builder, builder->getLoc(), kind, value, axes, /*keep_dims=*/true));
}

Term Term::indicator(Value condition) const {
  auto type = tensorType(condition).clone(getType().getElementType());
  return Term(*builder, CastOp::create(*builder, builder->getLoc(), type, condition));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult nova::detail::requireStaticShapes(Operation *op) {
  auto isDynamic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && !shaped.hasStaticShape();
  };
  for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (isDynamic(type))
        return op->emitOpError("expected static shapes to be differentiated, found ")
               << type << "; nova-specialize-shapes gives arguments static ones";
  return success();
}

Value nova::detail::buildZeros(ImplicitLocOpBuilder &builder, RankedTensorType type) {
  Attribute zero = builder.getZeroAttr(type.getElementType());
  return ConstantOp::create(builder, builder.getLoc(), DenseElementsAttr::get(type, zero));
}

Value nova::detail::reshapeTo(ImplicitLocOpBuilder &builder, Value value, RankedTensorType type) {
  return value.getType() == type ? value : ReshapeOp::create(builder, builder.getLoc(), type, value).getResult();
}

Value nova::detail::sumOver(ImplicitLocOpBuilder &builder, Value gradient, ArrayRef<int64_t> axes,
                            RankedTensorType type) {
  if (!axes.empty())
    gradient =
        ReduceOp::create(builder, builder.getLoc(), ReduceKind::Sum, gradient, axes, /*keep_dims=*/false).getResult();
  return reshapeTo(builder, gradient, type);
}

Value nova::detail::reduceToShape(ImplicitLocOpBuilder &builder, Value gradient, Type type) {
  auto from = tensorType(gradient);
  auto to = cast<RankedTensorType>(type);
  int64_t added = from.getRank() - to.getRank();
  SmallVector<int64_t> repeated;
  for (int64_t axis = 0; axis < from.getRank(); ++axis)
    if (axis < added || from.getDimSize(axis) != to.getDimSize(axis - added))
      repeated.push_back(axis);
  return sumOver(builder, gradient, repeated, to);
}
