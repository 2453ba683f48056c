//===- AttentionMatcher.h - Attention spelled out ---------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_ATTENTIONMATCHER_H
#define NOVA_LIB_TRANSFORMS_ATTENTIONMATCHER_H

#include "KnownValue.h"
#include "Matchers.h"

#include <string>

namespace mlir::nova {

/// An operand of one of the two products: [..., row, column], or [..., column, row] if transposed. Its leading axes are
/// those of the product in row-major order, but may be folded otherwise.
struct AttentionOperand {
  Value value;
  bool transposed;
};

/// Recognises softmax(scale * q k^T + mask) v by walking backward from its second product. What lies between the two
/// products may be, in any order: reshapes of the leading axes, scaling by a known number, and a known mask, selected
/// or added. Factors on q and k are part of the scale too.
class AttentionMatcher {
public:
  /// A finite number of at most `hiddenBelow` that a mask puts in the place of scores, or adds to them, is taken for
  /// minus infinity.
  AttentionMatcher(MatmulOp root, double hiddenBelow) : root(root), hiddenBelow(hiddenBelow) {}

  /// Fails with a reason in `why` where the product is nearly attention, without one where it is another product.
  LogicalResult match();

  AttentionOperand q, k, v;
  double scale = 1.0;
  bool causal = false;
  /// The score of what causality hides, where it is finite.
  std::optional<double> maskedValue;
  /// What is added to the scores after they are scaled, and the factor that it has there; null if there is nothing.
  Value bias;
  double biasScale = 1.0;
  /// What the user should know of a match: what was taken for what.
  std::string note;
  /// The two leading axes (batch and head) of the op.
  SmallVector<int64_t, 2> lead;
  std::string why;

private:
  LogicalResult matchProbabilities();
  LogicalResult matchScores();
  /// Steps over one op between the softmax and the scores. `x` is its result, then the operand that holds the scores.
  LogicalResult stepBack(Value &x);
  LogicalResult stepOverSelect(SelectOp select, Value &x);
  LogicalResult stepOverSum(Operation *sum, Value &x);
  /// Accepts a causal mask that puts `hidden` in the place of scores.
  LogicalResult acceptMask(const KnownValue &mask, double hidden);
  /// Accepts what is added to the scores: nothing that softmax sees, a causal mask, or `value` as the op's mask.
  LogicalResult acceptBias(const KnownValue &known, Value value, bool negated);
  /// Accepts that scores above the diagonal are hidden, by minus infinity or by a finite number.
  LogicalResult acceptTriangle(int64_t newDiagonal, double hidden);
  bool countsAsInfinite(double hidden);
  LogicalResult checkMask();
  LogicalResult checkUses();
  LogicalResult matchOperands();
  void chooseLead();

  LogicalResult fail(const Twine &reason) {
    why = reason.str();
    return failure();
  }

  MatmulOp root, product;
  const double hiddenBelow;
  SoftmaxOp softmax;
  /// Query t sees the keys up to t + diagonal.
  std::optional<int64_t> diagonal;
  /// The ops that attention replaces, without the root.
  llvm::SetVector<Operation *> inner;
};

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_ATTENTIONMATCHER_H
