//===- Views.cpp - Ops that compute nothing -------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Views.h"
#include "Nova/Dialect/Schedule.h"

using namespace mlir;
using namespace mlir::nova;

static bool isUnit(int64_t size) { return size == 1; }

/// Whether the axes of more than one element keep their order.
static bool movesUnitAxesOnly(TransposeOp op) {
  int64_t last = -1;
  for (int64_t axis : op.getPermutation()) {
    if (isUnit(op.getX().getType().getDimSize(axis)))
      continue;
    if (axis < last)
      return false;
    last = axis;
  }
  return true;
}

Value nova::getReshapeSource(Operation *op) {
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(op))
    return reshape.getX();
  if (auto transpose = dyn_cast_or_null<TransposeOp>(op))
    return movesUnitAxesOnly(transpose) ? transpose.getX() : Value();
  if (auto broadcast = dyn_cast_or_null<BroadcastInDimOp>(op)) {
    RankedTensorType from = broadcast.getX().getType(), to = broadcast.getType();
    // One that changes nothing stands for a copy.
    return from != to && from.getNumElements() == to.getNumElements() ? broadcast.getX() : Value();
  }
  return {};
}

Value nova::skipReshapes(Value value) {
  while (Value source = getReshapeSource(value.getDefiningOp()))
    value = source;
  return value;
}

/// Whether a tensor may begin that many elements behind a block's start. Kernels rely on it for accesses of several
/// elements; one without elements has none.
static bool isAligned(int64_t start, RankedTensorType part) {
  return part.getNumElements() == 0 || start % startAlignment(part) == 0;
}

std::optional<int64_t> nova::getContiguousStart(SliceOp slice) {
  ArrayRef<int64_t> from = slice.getX().getType().getShape(), to = slice.getType().getShape();
  // Axes of size 1, then one in part, then whole ones.
  size_t axis = 0;
  while (axis < to.size() && isUnit(to[axis]))
    ++axis;
  if (axis < to.size() && slice.getStrides()[axis] != 1)
    return std::nullopt;
  if (axis < to.size() && from.drop_front(axis + 1) != to.drop_front(axis + 1))
    return std::nullopt;
  int64_t start = 0;
  for (auto [size, first] : llvm::zip_equal(from, slice.getStarts()))
    start = start * size + first;
  return isAligned(start, slice.getType()) ? std::optional(start) : std::nullopt;
}

/// On a concat that has an operand where kernels may not read it.
static constexpr StringLiteral kUnaligned = "nova.unaligned";

void nova::markUnalignedConcats(Block &block) {
  for (ConcatOp concat : block.getOps<ConcatOp>()) {
    int64_t start = 0;
    bool isWhole = llvm::all_of(concat.getInputs(), [&](Value input) {
      int64_t begin = start;
      start += tensorType(input).getNumElements();
      return isAligned(begin, tensorType(input));
    });
    if (!isWhole)
      concat->setAttr(kUnaligned, UnitAttr::get(concat.getContext()));
  }
}

void nova::removeUnalignedMark(Operation *op) { op->removeDiscardableAttr(kUnaligned); }

bool nova::isContiguous(ConcatOp concat) {
  return !concat->hasAttr(kUnaligned) && llvm::all_of(concat.getType().getShape().take_front(concat.getAxis()), isUnit);
}

bool nova::isView(Operation *op) {
  if (auto slice = dyn_cast<SliceOp>(op))
    return getContiguousStart(slice).has_value();
  if (auto concat = dyn_cast<ConcatOp>(op))
    return isContiguous(concat);
  return getReshapeSource(op) != Value();
}

/// Calls `visit` with the users, seen through the ops that are transparent, until it is false. A view of a view that is
/// reached on several ways is entered once: their number doubles with every concat of a value with itself.
static bool visitUsers(Value value, function_ref<bool(Operation *)> isTransparent,
                       function_ref<bool(Operation *)> visit) {
  using Users = std::pair<Value::user_iterator, Value::user_iterator>;
  SmallVector<Users> rest = {{value.user_begin(), value.user_end()}};
  llvm::SmallPtrSet<Operation *, 8> entered;
  while (!rest.empty()) {
    auto &[next, end] = rest.back();
    if (next == end) {
      rest.pop_back();
      continue;
    }
    Operation *user = *next++;
    if (!isTransparent(user)) {
      if (!visit(user))
        return false;
    } else if (entered.insert(user).second) {
      // Depth first, so that the first of thousands of readers is seen before the second is looked for.
      rest.emplace_back(user->getResult(0).user_begin(), user->getResult(0).user_end());
    }
  }
  return true;
}

static bool isReshape(Operation *op) { return getReshapeSource(op) != Value(); }

SmallVector<Operation *> nova::getConsumers(Value value) {
  SmallVector<Operation *> users;
  visitUsers(value, isView, [&](Operation *user) {
    users.push_back(user);
    return true;
  });
  return users;
}

bool nova::allConsumers(Value value, function_ref<bool(Operation *)> holds) { return visitUsers(value, isView, holds); }

bool nova::allUsersThroughReshapes(Value value, function_ref<bool(Operation *)> holds) {
  return visitUsers(value, isReshape, holds);
}
