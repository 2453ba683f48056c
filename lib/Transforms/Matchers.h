//===- Matchers.h - What the raising passes recognise -----------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_MATCHERS_H
#define NOVA_LIB_TRANSFORMS_MATCHERS_H

#include "Nova/Dialect/Nova.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nova {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether two numbers are equal but for the rounding of literals of this element type: 1e-6 relative for f32. In f16
/// and bf16, whose own rounding is what counts, `literals` says how many literals the number is made of.
bool isNear(double found, double expected, Type element, int literals = 1);

/// x times a number: `mul` with a uniform operand on either side, or `div` by one.
struct Scaled {
  Value x;
  double factor;
};
/// Matches an op that scales `x` and keeps its type.
std::optional<Scaled> matchScaled(Operation *op);

/// A number for each slice of a tensor along some axes (its sum, its largest element), repeated along them.
struct Statistic {
  ReduceOp reduce;
  /// What the reduction is multiplied by: 1/N makes a mean of a sum.
  double factor;

  /// Whether it is the mean over exactly its axes.
  bool isMean();
};

/// Walks backward from an operand of an elementwise op to the reduction that it comes from, through the ops that bring
/// a reduction back to the axes of its tensor (reshape, broadcast_in_dim) and through elementwise ops on the way.
class StatisticMatcher {
public:
  /// `type` is that of the elementwise op's result and of the tensor that was reduced.
  StatisticMatcher(Value value, RankedTensorType type);

  /// The op that computes the value, added axes aside; null if there is none.
  Operation *getOp();
  /// Goes on with an operand of that op, which is elementwise.
  void enter(Value operand);
  /// The statistic that the value is, with the factors before it.
  std::optional<Statistic> finish();

private:
  Value value;
  RankedTensorType type;
  /// Which axis of `type` each axis of the value lies on; -1 for those of size 1.
  SmallVector<int64_t> axes;
};

/// An operand of an elementwise op of type `type` as a statistic of a tensor of that type.
inline std::optional<Statistic> matchStatistic(Value value, RankedTensorType type) {
  return StatisticMatcher(value, type).finish();
}

/// Operands of a commutative op in both orders.
template <typename Op> std::array<std::pair<Value, Value>, 2> bothOrders(Op op) {
  return {std::pair<Value, Value>(op.getLhs(), op.getRhs()), std::pair<Value, Value>(op.getRhs(), op.getLhs())};
}

/// The number that the author wrote: the shortest decimal that the element type rounds to `value`.
double asWritten(double value, Type element);

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Applies the patterns to each op once, in program order, and removes what became dead.
LogicalResult applyRaising(Operation *root, RewritePatternSet patterns);

/// An op of `inner` with a user that is neither in `inner` nor `root`, so that replacing `root` would not make it dead;
/// null if there is none.
Operation *findOutsideUse(const llvm::SetVector<Operation *> &inner, Operation *root);

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

/// A number as remarks print it.
std::string toText(double number);

/// What a pattern tells the user: `passed` for a hit, `missed` with the reason for a near miss.
class Remarks {
public:
  /// `pass` is the pass' flag, by which remarks are filtered; `name` what it makes.
  constexpr Remarks(StringLiteral pass, StringLiteral name) : pass(pass), name(name) {}

  void hit(Operation *root, const Twine &what) const;
  /// A near miss: not fused, for this reason. Fails the match.
  LogicalResult miss(PatternRewriter &rewriter, Operation *root, const Twine &reason) const;

private:
  StringLiteral pass, name;
};

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_MATCHERS_H
