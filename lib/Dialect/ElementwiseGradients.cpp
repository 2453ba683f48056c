//===- ElementwiseGradients.cpp - Gradients of elementwise ops ------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::detail;

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

// dx from a formula over dy, the operand x and the result y.
template <typename Op, typename Formula>
static LogicalResult unary(Op op, ImplicitLocOpBuilder &b, ValueRange dy, MutableArrayRef<Value> dx, Formula formula) {
  dx[0] = formula(Term(b, dy[0]), Term(b, op.getX()), Term(b, op.getResult()));
  return success();
}

LogicalResult AbsOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * x.apply<SignOp>(); });
}

LogicalResult NegOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return -dy; });
}

LogicalResult StopGradientOp::buildGradient(ImplicitLocOpBuilder &, ValueRange, MutableArrayRef<Value>) {
  return success(); // What the op is for.
}

// Steps: a gradient of zero, nothing to add.
LogicalResult SignOp::buildGradient(ImplicitLocOpBuilder &, ValueRange, MutableArrayRef<Value>) { return success(); }
LogicalResult FloorOp::buildGradient(ImplicitLocOpBuilder &, ValueRange, MutableArrayRef<Value>) { return success(); }
LogicalResult CeilOp::buildGradient(ImplicitLocOpBuilder &, ValueRange, MutableArrayRef<Value>) { return success(); }
LogicalResult RoundOp::buildGradient(ImplicitLocOpBuilder &, ValueRange, MutableArrayRef<Value>) { return success(); }

LogicalResult SquareOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * (x * 2.0); });
}

LogicalResult SqrtOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy / (y * 2.0); });
}

LogicalResult RsqrtOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * (y * y * y * -0.5); });
}

LogicalResult ReciprocalOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return -dy * (y * y); });
}

LogicalResult ExpOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * y; });
}

LogicalResult Exp2Op::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * (y * llvm::numbers::ln2); });
}

LogicalResult Expm1Op::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * (y + 1.0); });
}

LogicalResult LogOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy / x; });
}

LogicalResult Log2Op::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy / (x * llvm::numbers::ln2); });
}

LogicalResult Log10Op::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy / (x * llvm::numbers::ln10); });
}

LogicalResult Log1pOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy / (x + 1.0); });
}

LogicalResult SinOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * x.apply<CosOp>(); });
}

LogicalResult CosOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return -dy * x.apply<SinOp>(); });
}

LogicalResult TanOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * (y * y + 1.0); });
}

LogicalResult AsinOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * (1.0 - x * x).apply<RsqrtOp>(); });
}

LogicalResult AcosOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return -dy * (1.0 - x * x).apply<RsqrtOp>(); });
}

LogicalResult AtanOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy / (x * x + 1.0); });
}

LogicalResult SinhOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * x.apply<CoshOp>(); });
}

LogicalResult CoshOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * x.apply<SinhOp>(); });
}

LogicalResult TanhOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * (1.0 - y * y); });
}

LogicalResult AsinhOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * (x * x + 1.0).apply<RsqrtOp>(); });
}

LogicalResult AcoshOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * (x * x + -1.0).apply<RsqrtOp>(); });
}

LogicalResult AtanhOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy / (1.0 - x * x); });
}

LogicalResult ErfOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  double slope = 2.0 * llvm::numbers::inv_sqrtpi; // The slope at 0.
  return unary(*this, b, dys, dxs, [=](Term dy, Term x, Term y) { return dy * ((-(x * x)).apply<ExpOp>() * slope); });
}

LogicalResult ReluOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  // A gradient at NaN passes, as in PyTorch: a broken activation must not look like a dead one.
  return unary(*this, b, dys, dxs,
               [](Term dy, Term x, Term y) { return dy.except(x.compare(CompareKind::LE, 0.0), 0.0); });
}

LogicalResult SigmoidOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) { return dy * (y * (1.0 - y)); });
}

LogicalResult SiluOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return unary(*this, b, dys, dxs, [](Term dy, Term x, Term y) {
    Term sigmoid = x.apply<SigmoidOp>();
    return dy * (sigmoid + y * (1.0 - sigmoid));
  });
}

LogicalResult GeluOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  dxs[0] = GeluGradOp::create(b, b.getLoc(), getForm(), dys[0], getX());
  return success();
}

LogicalResult GeluGradOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  constexpr double kRootTwoOverPi = 0.79788456080286535588, kCubic = 0.044715, kNormal = 0.39894228040143267794;
  // Beyond 30 the curvature is 0 in every type, and squares of large numbers overflow.
  Term given(b, getRhs());
  Term x = given.apply<ClampOp>(Value(given.scalar(-30)), Value(given.scalar(30))), square = x.apply<SquareOp>();
  auto curvature = [&]() -> Term {
    if (getForm() == GeluForm::Exact) // (2 - x^2) times the normal density.
      return (2.0 - square) * (square * -0.5).apply<ExpOp>() * kNormal;
    // x s(w) with w = 2 u: 2 s' + x s'' by x, through w' and w''.
    Term s = ((x * (square * kCubic + 1.0)) * (2 * kRootTwoOverPi)).apply<SigmoidOp>();
    Term slope = (square * (3 * kCubic) + 1.0) * (2 * kRootTwoOverPi), bend = x * (12 * kCubic * kRootTwoOverPi);
    Term first = s * (1.0 - s), second = first * (1.0 - s * 2.0);
    return first * slope * 2.0 + x * (second * slope * slope + first * bend);
  };
  Term gradient(b, dys[0]);
  dxs[0] = reduceToShape(b, GeluGradOp::create(b, b.getLoc(), getForm(), dys[0], getRhs()), getLhs().getType());
  dxs[1] = reduceToShape(b, gradient * Term(b, getLhs()) * curvature(), getRhs().getType());
  return success();
}

LogicalResult CastOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (isa<FloatType>(getX().getType().getElementType()))
    dxs[0] = CastOp::create(b, b.getLoc(), getX().getType(), dys[0]);
  return success();
}

//===----------------------------------------------------------------------===//
// Two operands, broadcast
//===----------------------------------------------------------------------===//

// The gradients of both operands from formulas over dy, the operands and the result, summed where an operand was
// broadcast.
template <typename Op, typename FormulaA, typename FormulaB>
static LogicalResult binary(Op op, ImplicitLocOpBuilder &builder, ValueRange dys, MutableArrayRef<Value> dxs,
                            FormulaA lhsFormula, FormulaB rhsFormula) {
  if (failed(requireStaticShapes(op)))
    return failure();
  Term dy(builder, dys[0]), a(builder, op.getLhs()), b(builder, op.getRhs()), y(builder, op.getResult());
  dxs[0] = reduceToShape(builder, lhsFormula(dy, a, b, y), a.getType());
  dxs[1] = reduceToShape(builder, rhsFormula(dy, a, b, y), b.getType());
  return success();
}

LogicalResult AddOp::buildGradient(ImplicitLocOpBuilder &builder, ValueRange dys, MutableArrayRef<Value> dxs) {
  return binary(
      *this, builder, dys, dxs, [](Term dy, Term a, Term b, Term y) { return dy; },
      [](Term dy, Term a, Term b, Term y) { return dy; });
}

LogicalResult SubOp::buildGradient(ImplicitLocOpBuilder &builder, ValueRange dys, MutableArrayRef<Value> dxs) {
  return binary(
      *this, builder, dys, dxs, [](Term dy, Term a, Term b, Term y) { return dy; },
      [](Term dy, Term a, Term b, Term y) { return -dy; });
}

LogicalResult MulOp::buildGradient(ImplicitLocOpBuilder &builder, ValueRange dys, MutableArrayRef<Value> dxs) {
  return binary(
      *this, builder, dys, dxs, [](Term dy, Term a, Term b, Term y) { return dy * b; },
      [](Term dy, Term a, Term b, Term y) { return dy * a; });
}

LogicalResult DivOp::buildGradient(ImplicitLocOpBuilder &builder, ValueRange dys, MutableArrayRef<Value> dxs) {
  return binary(
      *this, builder, dys, dxs, [](Term dy, Term a, Term b, Term y) { return dy / b; },
      [](Term dy, Term a, Term b, Term y) { return -dy * (y / b); });
}

LogicalResult ModOp::buildGradient(ImplicitLocOpBuilder &builder, ValueRange dys, MutableArrayRef<Value> dxs) {
  return binary(
      *this, builder, dys, dxs, [](Term dy, Term a, Term b, Term y) { return dy; },
      [](Term dy, Term a, Term b, Term y) { return -dy * (a / b).apply<FloorOp>(); });
}

LogicalResult PowOp::buildGradient(ImplicitLocOpBuilder &builder, ValueRange dys, MutableArrayRef<Value> dxs) {
  // The exceptions hide 0 * infinity: b * a^(b-1) at a = b = 0, and a^b log(a) at a = 0.
  auto base = [](Term dy, Term a, Term b, Term y) {
    Term slope = b * a.apply<PowOp>(Value(b - b.scalar(1.0)));
    return dy * slope.except(b.compare(CompareKind::EQ, 0.0), 0.0);
  };
  auto exponent = [&](Term dy, Term a, Term b, Term y) {
    Term slope = y * a.apply<LogOp>();
    Value flat =
        AndOp::create(builder, builder.getLoc(), a.compare(CompareKind::EQ, 0.0), b.compare(CompareKind::GE, 0.0));
    return dy * slope.except(flat, 0.0);
  };
  return binary(*this, builder, dys, dxs, base, exponent);
}

// Max and min: an operand gets the gradient where the other does not win (NaN wins nothing and loses nothing), and
// half of it where they are equal.
template <typename Op>
static LogicalResult extremum(Op op, ImplicitLocOpBuilder &builder, ValueRange dys, MutableArrayRef<Value> dxs,
                              CompareKind loses) {
  auto share = [&builder, loses](Term dy, Term mine, Term other) {
    Term half = dy * 0.5;
    Value equal = mine.compare(CompareKind::EQ, other);
    Term shared(builder, SelectOp::create(builder, builder.getLoc(), equal, half, dy));
    return shared.except(mine.compare(loses, other), 0.0);
  };
  return binary(
      op, builder, dys, dxs, [=](Term dy, Term a, Term b, Term y) { return share(dy, a, b); },
      [=](Term dy, Term a, Term b, Term y) { return share(dy, b, a); });
}

LogicalResult MaxOp::buildGradient(ImplicitLocOpBuilder &builder, ValueRange dys, MutableArrayRef<Value> dxs) {
  return extremum(*this, builder, dys, dxs, /*loses=*/CompareKind::LT);
}

LogicalResult MinOp::buildGradient(ImplicitLocOpBuilder &builder, ValueRange dys, MutableArrayRef<Value> dxs) {
  return extremum(*this, builder, dys, dxs, /*loses=*/CompareKind::GT);
}

LogicalResult SelectOp::buildGradient(ImplicitLocOpBuilder &builder, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  Term dy(builder, dys[0]);
  Value ifTrue = SelectOp::create(builder, builder.getLoc(), getCondition(), dy, dy.scalar(0.0));
  Value ifFalse = dy.except(getCondition(), 0.0);
  dxs[1] = reduceToShape(builder, ifTrue, getOnTrue().getType());
  dxs[2] = reduceToShape(builder, ifFalse, getOnFalse().getType());
  return success();
}

LogicalResult ClampOp::buildGradient(ImplicitLocOpBuilder &builder, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  Term dy(builder, dys[0]), x(builder, getX()), low(builder, getLow()), high(builder, getHigh());
  auto where = [&](Value condition) {
    return Term(builder, SelectOp::create(builder, builder.getLoc(), condition, dy, dy.scalar(0.0)));
  };
  Value isBelow = x.compare(CompareKind::LT, low), isAbove = x.compare(CompareKind::GT, high);
  Value isEmpty = low.compare(CompareKind::GT, high);
  Value takesHigh = OrOp::create(builder, builder.getLoc(), isAbove, isEmpty);
  dxs[0] = reduceToShape(builder, dy.except(isBelow, 0.0).except(isAbove, 0.0), getX().getType());
  dxs[1] = reduceToShape(builder, where(isBelow).except(isEmpty, 0.0), getLow().getType());
  dxs[2] = reduceToShape(builder, where(takesHigh), getHigh().getType());
  return success();
}
