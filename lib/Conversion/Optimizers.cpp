//===- Optimizers.cpp - The meaning of optimizers -------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Formula.h"
#include "TileEmitter.h"

using namespace mlir;
using namespace mlir::nova;

static double number(const APFloat &x) { return x.convertToDouble(); }

/// 1 - beta^(step + 1) in f64, by squaring: exact to rounding, and needs no exp. Made where `step` is, once for a
/// block.
static Value biasCorrection(ImplicitLocOpBuilder &b, double beta, Value step) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(step);
  auto integer = [&](int64_t x) -> Value { return arith::ConstantIntOp::create(b, b.getI64Type(), x); };
  Float base = Float(b, arith::ConstantOp::create(b, b.getF64FloatAttr(beta)));
  auto loop = scf::WhileOp::create(
      b, TypeRange{b.getI64Type(), b.getF64Type(), b.getF64Type()}, ValueRange{step, base.v, base.v},
      [&](OpBuilder &, Location, ValueRange carried) {
        Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, carried[0], integer(0));
        scf::ConditionOp::create(b, more, carried);
      },
      [&](OpBuilder &, Location, ValueRange carried) {
        Float square(b, carried[1]), product(b, carried[2]);
        Value odd = arith::TruncIOp::create(b, b.getI1Type(), carried[0]);
        Value rest = arith::ShRUIOp::create(b, carried[0], integer(1));
        scf::YieldOp::create(b, ValueRange{rest, (square * square).v, select(odd, product * square, product).v});
      });
  return (base.constant(1) - Float(b, loop.getResult(2))).v;
}

/// Adam and AdamW, which differ in where the decay goes.
template <typename Op>
static void emitAdam(ImplicitLocOpBuilder &b, Op op, ValueRange operands, SmallVectorImpl<Value> &results) {
  constexpr bool isDecoupled = std::is_same_v<Op, AdamWOp>;
  double beta1 = number(op.getBeta1()), beta2 = number(op.getBeta2()), decay = number(op.getWeightDecay());
  // Parameter and moments have one type; the others come to it.
  Type element = getElementTypeOrSelf(operands[0]);
  auto asParameter = [&](Value x) -> Float { return {b, emitCast(b, x, getElementTypeOrSelf(x), element)}; };
  Float p{b, operands[0]}, g = asParameter(operands[1]), m{b, operands[2]}, v{b, operands[3]},
                           lr = asParameter(operands[4]), scale = asParameter(operands[6]);
  Value step = operands[5];
  if (auto splat = step.getDefiningOp<vector::BroadcastOp>())
    step = splat.getSource();
  auto correction = [&](double beta) -> Float {
    // Where the step is known, outside all loops over elements.
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfterValue(step);
    Value c = biasCorrection(b, beta, step);
    if (!element.isF64())
      c = arith::TruncFOp::create(b, element, c);
    if (auto vector = dyn_cast<VectorType>(p.v.getType()))
      c = vector::BroadcastOp::create(b, vector, c);
    return {b, c};
  };
  g = g * scale;
  if (!isDecoupled && decay != 0)
    g = g + p * decay;
  m = m * beta1 + g * (1 - beta1);
  v = v * beta2 + (g * (1 - beta2)) * g; // The square alone may be infinite.
  // The quotient of the roots: v / (1 - beta2) may be infinite where the root is not.
  Float denominator = sqrt(v) / sqrt(correction(beta2)) + number(op.getEps());
  if (isDecoupled && decay != 0)
    p = p - p * (lr * decay);
  p = p - (lr / correction(beta1)) * (m / denominator);
  results.append({p.v, m.v, v.v});
}

static void emitSgd(ImplicitLocOpBuilder &b, SgdOp op, ValueRange operands, SmallVectorImpl<Value> &results) {
  Type element = getElementTypeOrSelf(operands[0]);
  auto asParameter = [&](Value x) -> Float { return {b, emitCast(b, x, getElementTypeOrSelf(x), element)}; };
  double momentum = number(op.getMomentum()), decay = number(op.getWeightDecay());
  Float p{b, operands[0]}, g = asParameter(operands[1]), m{b, operands[2]};
  g = g * asParameter(operands[4]);
  if (decay != 0)
    g = g + p * decay;
  m = m * momentum + g;
  p = p - asParameter(operands[3]) * (op.getNesterov() ? m * momentum + g : m);
  results.append({p.v, m.v});
}

void nova::emitOptimizer(ImplicitLocOpBuilder &b, Operation *op, ValueRange operands, SmallVectorImpl<Value> &results) {
  if (auto adamw = dyn_cast<AdamWOp>(op))
    return emitAdam(b, adamw, operands, results);
  if (auto adam = dyn_cast<AdamOp>(op))
    return emitAdam(b, adam, operands, results);
  emitSgd(b, cast<SgdOp>(op), operands, results);
}
