//===- Views.cpp - Ops that compute nothing -------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Views.h"

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

/// Whether a tensor may begin that many elements behind a block's start: at a multiple of the power of two in its
/// number of elements, up to what one access moves. Kernels rely on it for accesses of several elements.
static bool isAligned(int64_t start, RankedTensorType part) {
  constexpr int64_t kAccess = 16;
  int64_t elements = part.getNumElements(), own = elements & -elements;
  int64_t wide = kAccess / std::max<int64_t>(part.getElementTypeBitWidth() / 8, 1);
  return !own || start % std::min(own, wide) == 0;
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

bool nova::isContiguous(ConcatOp concat) {
  int64_t start = 0;
  for (Value input : concat.getInputs()) {
    if (!isAligned(start, tensorType(input)))
      return false;
    start += tensorType(input).getNumElements();
  }
  return llvm::all_of(concat.getType().getShape().take_front(concat.getAxis()), isUnit);
}

bool nova::isView(Operation *op) {
  if (auto slice = dyn_cast<SliceOp>(op))
    return getContiguousStart(slice).has_value();
  if (auto concat = dyn_cast<ConcatOp>(op))
    return isContiguous(concat);
  return getReshapeSource(op) != Value();
}

static void collectUsers(Value value, function_ref<bool(Operation *)> isTransparent,
                         SmallVectorImpl<Operation *> &users) {
  for (Operation *user : value.getUsers()) {
    if (isTransparent(user))
      collectUsers(user->getResult(0), isTransparent, users);
    else
      users.push_back(user);
  }
}

SmallVector<Operation *> nova::getConsumers(Value value) {
  SmallVector<Operation *> users;
  collectUsers(value, isView, users);
  return users;
}

SmallVector<Operation *> nova::getUsersThroughReshapes(Value value) {
  SmallVector<Operation *> users;
  collectUsers(value, [](Operation *op) { return getReshapeSource(op) != Value(); }, users);
  return users;
}
