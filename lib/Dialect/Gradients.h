//===- Gradients.h - What gradient rules are written with -------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules themselves are in the *Gradients.cpp files beside this one, one `buildGradient` per op.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_DIALECT_GRADIENTS_H
#define NOVA_LIB_DIALECT_GRADIENTS_H

#include "Nova/Dialect/Nova.h"

namespace mlir::nova::detail {

/// A floating-point tensor in a formula: operators build ops, numbers become scalars of the other side's element type.
class Term {
public:
  Term(ImplicitLocOpBuilder &builder, Value value) : builder(&builder), value(value) {}
  operator Value() const { return value; }

  RankedTensorType getType() const { return tensorType(value); }
  /// A rank-0 constant of this term's element type, which broadcasts to any shape.
  Term scalar(double number) const;

  template <typename Op, typename... Args> Term apply(Args... args) const {
    return Term(*builder, Op::create(*builder, builder->getLoc(), value, args...).getResult());
  }
  Term operator-() const { return apply<NegOp>(); }
  Term operator+(Term other) const { return apply<AddOp>(other.value); }
  Term operator-(Term other) const { return apply<SubOp>(other.value); }
  Term operator*(Term other) const { return apply<MulOp>(other.value); }
  Term operator/(Term other) const { return apply<DivOp>(other.value); }
  Term operator*(double number) const { return *this * scalar(number); }
  Term operator+(double number) const { return *this + scalar(number); }
  friend Term operator-(double number, Term term) { return term.scalar(number) - term; }

  /// The truth of a comparison with another term or a number.
  Value compare(CompareKind kind, Term other) const;
  Value compare(CompareKind kind, double number) const { return compare(kind, scalar(number)); }
  /// `number` where the condition holds, else this term.
  Term except(Value condition, double number) const;
  /// This term in another element type; itself where it has it already.
  Term asType(Type element) const;
  /// A reduction over axes, which stay with size 1.
  Term reduce(ReduceKind kind, ArrayRef<int64_t> axes) const;
  /// 1 where the condition holds, else 0, in this term's element type.
  Term indicator(Value condition) const;

private:
  ImplicitLocOpBuilder *builder;
  Value value;
};

/// Fails with a diagnostic at the op when the type of one of its operands or results has a dynamic size.
LogicalResult requireStaticShapes(Operation *op);

/// A constant of zeros.
Value buildZeros(ImplicitLocOpBuilder &builder, RankedTensorType type);
/// The value itself, or reshaped to `type`.
Value reshapeTo(ImplicitLocOpBuilder &builder, Value value, RankedTensorType type);
/// The gradient summed over `axes`, then reshaped to `type`.
Value sumOver(ImplicitLocOpBuilder &builder, Value gradient, ArrayRef<int64_t> axes, RankedTensorType type);
/// The gradient of an operand of type `type` that NumPy broadcasting repeated: summed over the repeated axes. Shapes
/// are static.
Value reduceToShape(ImplicitLocOpBuilder &builder, Value gradient, Type type);

} // namespace mlir::nova::detail

#endif // NOVA_LIB_DIALECT_GRADIENTS_H
