//===- AttentionMatcher.cpp - Attention spelled out -----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMatcher.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::nova;

/// A uniform number that is added to the scores changes nothing but their rounding, which is below 1e-5 of a
/// probability up to this size in f32.
static constexpr double kLargestShift = 64;
/// A finite number of at most this that is added to scores leaves nothing of them but itself, unless they are beyond
/// 1e20 where sums are f32: people write the least finite number.
static constexpr double kAbsorbing = -1e30;

static ArrayRef<int64_t> leadOf(Value value) { return shapeOf(value).drop_back(2); }

/// The operand of a reshape of the leading axes alone.
static Value stripLeadReshape(Operation *op) {
  auto reshape = dyn_cast_or_null<ReshapeOp>(op);
  if (!reshape)
    return {};
  ArrayRef<int64_t> from = reshape.getX().getType().getShape(), to = reshape.getType().getShape();
  return from.size() >= 2 && to.size() >= 2 && from.take_back(2) == to.take_back(2) ? reshape.getX() : Value();
}

/// The operand of a transpose of the last two axes alone.
static Value stripLastTranspose(Operation *op) {
  auto transpose = dyn_cast_or_null<TransposeOp>(op);
  if (!transpose || transpose.getPermutation().size() < 2)
    return {};
  auto expected = llvm::to_vector(llvm::seq<int64_t>(0, transpose.getPermutation().size()));
  std::swap(expected.end()[-1], expected.end()[-2]);
  return transpose.getPermutation() == ArrayRef<int64_t>(expected) ? transpose.getX() : Value();
}

LogicalResult AttentionMatcher::match() {
  if (failed(matchProbabilities()) || failed(matchScores()) || failed(checkMask()) || failed(checkUses()) ||
      failed(matchOperands()))
    return failure();
  chooseLead();
  return success();
}

LogicalResult AttentionMatcher::matchProbabilities() {
  Value p = root.getLhs();
  while (Value x = stripLeadReshape(p.getDefiningOp())) {
    inner.insert(p.getDefiningOp());
    p = x;
  }
  softmax = p.getDefiningOp<SoftmaxOp>();
  if (!softmax)
    return failure();
  inner.insert(softmax);
  if (root.hasWideSums())
    return fail("the values are summed in f64");
  int64_t last = softmax.getType().getRank() - 1;
  if (softmax.getNormalizedAxis() != last)
    return fail(
        llvm::formatv("softmax runs over axis {0}, not over the keys, axis {1}", softmax.getNormalizedAxis(), last));
  if (root.getTransposeLhs())
    return fail("the probabilities are transposed before they meet the values");
  if (!softmax.getType().hasStaticShape() || !root.getType().hasStaticShape())
    return fail("shapes are dynamic; specialise them first");
  return success();
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

LogicalResult AttentionMatcher::matchScores() {
  Value x = softmax.getX();
  while (!(product = x.getDefiningOp<MatmulOp>()))
    if (failed(stepBack(x)))
      return failure();
  inner.insert(product);
  if (product.hasWideSums())
    return fail("the scores are summed in f64");
  return success();
}

LogicalResult AttentionMatcher::stepBack(Value &x) {
  Operation *op = x.getDefiningOp();
  if (!op)
    return fail("the scores are no product");
  inner.insert(op);
  if (std::optional<Scaled> scaled = matchScaled(op)) {
    scale *= scaled->factor;
    x = scaled->x;
    return success();
  }
  if (Value folded = stripLeadReshape(op)) {
    x = folded;
    return success();
  }
  if (auto select = dyn_cast<SelectOp>(op))
    return stepOverSelect(select, x);
  if (isa<AddOp, SubOp>(op))
    return stepOverSum(op, x);
  if (isa<MulOp, DivOp>(op))
    return fail("the scale is not known when the program is compiled");
  if (isa<CastOp>(op))
    return fail("the element type changes between the scores and the softmax");
  return fail("the scores pass through " + op->getName().getStringRef());
}

LogicalResult AttentionMatcher::stepOverSelect(SelectOp select, Value &x) {
  std::optional<double> onTrue = getUniformValue(select.getOnTrue());
  std::optional<double> onFalse = getUniformValue(select.getOnFalse());
  if (!onTrue && !onFalse)
    return fail("the mask puts a tensor in the place of scores, not a known number");
  std::optional<KnownValue> condition = getKnownValue(select.getCondition());
  if (!condition)
    return fail("the mask is not known when the program is compiled");
  KnownValue hides = *condition;
  for (double *side : {&hides.inside, &hides.outside})
    *side = (*side != 0) == onTrue.has_value();
  if (hides.kind == KnownValue::Uniform && hides.inside != 0)
    return fail("the mask hides every key");
  x = onTrue ? select.getOnFalse() : select.getOnTrue();
  if (x.getType() != select.getType())
    return fail("the mask broadcasts the scores");
  return acceptMask(hides, onTrue ? *onTrue : *onFalse);
}

LogicalResult AttentionMatcher::stepOverSum(Operation *sum, Value &x) {
  Value lhs = sum->getOperand(0), rhs = sum->getOperand(1), added = rhs;
  std::optional<KnownValue> known = getKnownValue(rhs);
  x = lhs;
  if (!known && isa<AddOp>(sum)) {
    known = getKnownValue(lhs);
    added = lhs;
    x = rhs;
  }
  if (!known)
    return fail("what is added to the scores is not known when the program is compiled");
  if (x.getType() != sum->getResult(0).getType())
    return fail("the mask broadcasts the scores");
  if (isa<SubOp>(sum)) {
    known->inside = -known->inside;
    known->outside = -known->outside;
  }
  return acceptBias(*known, added, isa<SubOp>(sum));
}

bool AttentionMatcher::countsAsInfinite(double hidden) {
  if (std::isinf(hidden))
    return hidden < 0;
  if (!(hidden <= hiddenBelow))
    return false;
  note = ", its mask of " + toText(hidden) + " taken for minus infinity, as hidden-below allows";
  return true;
}

LogicalResult AttentionMatcher::acceptMask(const KnownValue &mask, double hidden) {
  if (mask.kind == KnownValue::Uniform)
    return success(); // It hides nothing.
  std::optional<Triangle> triangle = getTriangle(mask);
  if (!triangle)
    return fail("the mask is not causal: it does not follow the diagonal of queries and keys");
  if (triangle->below != 0)
    return fail("the mask is not causal: it hides the past, not the future");
  // A factor between here and the softmax applies to the mask too.
  return acceptTriangle(triangle->diagonal, hidden * scale);
}

LogicalResult AttentionMatcher::acceptTriangle(int64_t newDiagonal, double hidden) {
  if (std::isnan(hidden) || hidden == std::numeric_limits<double>::infinity())
    return fail("the mask gives hidden scores " + toText(hidden));
  std::optional<double> finite = countsAsInfinite(hidden) ? std::nullopt : std::optional(hidden);
  if (diagonal && (maskedValue || finite))
    return fail("several masks hide keys, by finite numbers");
  if (finite && bias)
    return fail("a number is added to hidden scores, which are " + toText(*finite));
  diagonal = std::min(diagonal.value_or(newDiagonal), newDiagonal);
  maskedValue = finite;
  return success();
}

LogicalResult AttentionMatcher::acceptBias(const KnownValue &known, Value value, bool negated) {
  if (known.kind == KnownValue::Uniform) {
    if (!std::isfinite(known.inside))
      return fail("the mask hides every key");
    if (maskedValue && known.inside != 0)
      return fail("a number is added to the scores that are seen, not to hidden ones");
    // Softmax does not see a number that is added to the whole row, but for what it takes from the scores' digits.
    if (std::abs(known.inside * scale) > kLargestShift)
      return fail("a number so large that it rounds the scores is added to all of them: " +
                  toText(known.inside * scale));
    return success();
  }
  if (known.kind == KnownValue::Linear)
    return fail("a bias that varies with the position is added to the scores");
  std::optional<Triangle> triangle = getTriangle(known);
  if (!triangle)
    return fail("the mask is not causal: it does not follow the diagonal of queries and keys");
  if (triangle->below != 0 && triangle->above == 0)
    return fail("the mask is not causal: it hides the past, not the future");
  double above = triangle->above * scale;
  if (triangle->below != 0 || !(scale > 0) || !(above < 0))
    return fail(llvm::formatv("the mask adds {0} to hidden scores and {1} to others; expected less than 0 and 0",
                              toText(above), toText(triangle->below * scale)));
  Type element = softmax.getType().getElementType();
  bool absorbs = !element.isF64() && !element.isF16() && above <= kAbsorbing;
  if (absorbs || countsAsInfinite(above))
    return acceptTriangle(triangle->diagonal, above);
  if (maskedValue || bias)
    return fail("several finite masks are added to the scores");
  bias = value;
  biasScale = negated ? -scale : scale;
  return success();
}

LogicalResult AttentionMatcher::checkMask() {
  if (!diagonal)
    return success();
  if (*diagonal != 0)
    return fail(llvm::formatv("the mask is not causal: query t sees the keys up to t + {0}, expected t", *diagonal));
  causal = true;
  return success();
}

LogicalResult AttentionMatcher::checkUses() {
  Operation *used = findOutsideUse(inner, root);
  if (!used)
    return success();
  return fail("the result of " + used->getName().getStringRef() + " is used elsewhere too");
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Strips what the op can express: transposes of the last two axes, reshapes of the leading ones and, with `scale`,
/// factors.
static AttentionOperand strip(Value x, bool transposed, double *scale) {
  while (Operation *op = x.getDefiningOp()) {
    std::optional<Scaled> scaled = scale ? matchScaled(op) : std::nullopt;
    if (scaled) {
      *scale *= scaled->factor;
      x = scaled->x;
    } else if (Value folded = stripLeadReshape(op)) {
      x = folded;
    } else if (Value original = stripLastTranspose(op)) {
      x = original;
      transposed = !transposed;
    } else {
      break;
    }
  }
  return {x, transposed};
}

LogicalResult AttentionMatcher::matchOperands() {
  if (leadOf(product.getLhs()) != leadOf(product.getRhs()) || leadOf(root.getLhs()) != leadOf(root.getRhs()))
    return fail("queries, keys and values have different leading axes");
  // The products take k and v as [key, head size]; the first of them means its transpose.
  q = strip(product.getLhs(), product.getTransposeLhs(), &scale);
  k = strip(product.getRhs(), !product.getTransposeRhs(), &scale);
  v = strip(root.getRhs(), root.getTransposeRhs(), nullptr);
  if (!std::isfinite(scale))
    return fail("the scale is not finite");
  if (shapeOf(q.value)[tensorType(q.value).getRank() - (q.transposed ? 2 : 1)] == 0)
    return fail("the heads have no elements");
  return success();
}

void AttentionMatcher::chooseLead() {
  // Where one of the tensors still tells batch from head, so does the op.
  for (Value value : {Value(softmax), q.value, k.value, v.value})
    if (lead.empty() && leadOf(value).size() == 2)
      llvm::append_range(lead, leadOf(value));
  if (!lead.empty())
    return;
  ArrayRef<int64_t> axes = leadOf(softmax);
  int64_t last = axes.size() > 1 ? axes.back() : 1;
  lead = {llvm::product_of(axes) / std::max<int64_t>(last, 1), last};
}
