//===- SinkMovement.cpp - --nova-sink-movement: movement to its readers ---===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelShapes.h"
#include "Nova/Transforms/Passes.h"
#include "Views.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::nova {
#define GEN_PASS_DEF_SINKMOVEMENTPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

static bool isAttention(Operation *op) { return isa<AttentionOp, AttentionGradQueryOp, AttentionGradKeyValueOp>(op); }

static bool isStatic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

/// The transpose that makes a value, unless it moves no element.
static TransposeOp getTranspose(Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  return transpose && isStatic(value) && !isView(transpose) ? transpose : TransposeOp();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The slice of a reshape that equals the reshape of a slice, if the reshape only splits axes and the parts are whole
/// in each: 32 columns of 96 as 4 x 8 are 4 rows of 12 x 8.
static Value buildSliceOfReshape(OpBuilder &b, SliceOp slice, RankedTensorType type) {
  RankedTensorType from = slice.getX().getType(), part = slice.getType();
  std::optional<SmallVector<ReassociationIndices>> groups = getReassociationIndicesForReshape(part, type);
  if (!groups || part.getRank() > type.getRank())
    return {};
  SmallVector<int64_t> shape(type.getShape()), starts(type.getRank(), 0), limits(type.getShape()),
      strides(type.getRank(), 1);
  for (auto [axis, group] : llvm::enumerate(*groups)) {
    int64_t size = from.getDimSize(axis), start = slice.getStarts()[axis];
    if (size == part.getDimSize(axis))
      continue;
    // Everything behind the group's first axis is one step of it.
    int64_t step = ShapedType::getNumElements(type.getShape().slice(group.front() + 1, group.size() - 1));
    if (slice.getStrides()[axis] != 1 || step == 0 || start % step || size % step)
      return {};
    shape[group.front()] = size / step, starts[group.front()] = start / step;
    limits[group.front()] += start / step;
  }
  Value whole = b.createOrFold<ReshapeOp>(slice.getLoc(), from.clone(shape), slice.getX());
  return SliceOp::create(b, slice.getLoc(), type, whole, starts, limits, strides, /*origin=*/ValueRange());
}

/// The value again, by ops of its own between it and what was not made by moving elements.
static Value sinkOperand(OpBuilder &b, Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isStatic(value))
    return value;
  if (isWidening(op)) {
    Value x = sinkOperand(b, op->getOperand(0));
    return x == op->getOperand(0) ? value : CastOp::create(b, op->getLoc(), value.getType(), x).getResult();
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    if (Value source = skipReshapes(value); source != value && source.getType() == value.getType())
      return sinkOperand(b, source);
    auto slice = reshape.getX().getDefiningOp<SliceOp>();
    if (!slice || isView(slice) || !isStatic(slice.getX()))
      return value;
    Value moved = buildSliceOfReshape(b, slice, reshape.getType());
    if (!moved)
      return value;
    op = moved.getDefiningOp();
  }
  if (!isa<TransposeOp, SliceOp>(op) || isView(op))
    return value;
  return clone(b, op, op->getResultTypes(), sinkOperand(b, op->getOperand(0)))->getResult(0);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// What is stored of a result: itself, or the narrow numbers that alone are made of it.
static Value getStored(Value result) {
  if (result.hasOneUse() && isNarrowing(*result.user_begin()))
    return (*result.user_begin())->getResult(0);
  return result;
}

/// The permutation by which all results that have heads are transposed, or none.
static ArrayRef<int64_t> getCommonPermutation(Operation *attention) {
  ArrayRef<int64_t> common;
  for (Value result : attention->getResults()) {
    if (result.use_empty() || tensorType(result).getRank() != 4)
      continue;
    ArrayRef<int64_t> own;
    for (Operation *user : getStored(result).getUsers())
      if (auto transpose = dyn_cast<TransposeOp>(user); transpose && !isView(transpose))
        own = transpose.getPermutation();
    if (own.empty() || (!common.empty() && own != common))
      return {};
    common = own;
  }
  return common;
}

/// Moves a transpose behind the readers that can do its work in the order of its operand. What they replace is only
/// left without uses, for the pass to erase: it may be on the list of another transpose's readers.
class TransposeSinker {
public:
  void sink(TransposeOp first) {
    SmallVector<TransposeOp> transposes = {first};
    while (!transposes.empty()) {
      TransposeOp transpose = transposes.pop_back_val();
      for (Operation *user : llvm::to_vector(transpose->getUsers())) {
        if (auto other = dyn_cast<TransposeOp>(user))
          merge(transpose, other);
        else if (auto rows = dyn_cast<ReshapeOp>(user))
          sinkThroughRows(transpose, rows);
        else if (isFusible(user) && !user->use_empty())
          if (TransposeOp behind = sinkThroughElementwise(transpose, user))
            transposes.push_back(behind);
      }
    }
  }

private:
  static void merge(TransposeOp transpose, TransposeOp other) {
    auto permutation =
        llvm::map_to_vector(other.getPermutation(), [&](int64_t axis) { return transpose.getPermutation()[axis]; });
    other.setPermutation(permutation);
    other.setOperand(transpose.getX());
  }

  /// All operands have to be transposed alike, but for scalars.
  TransposeOp sinkThroughElementwise(TransposeOp transpose, Operation *op) {
    SmallVector<Value> operands;
    RankedTensorType type = tensorType(op->getResult(0));
    OpBuilder b(op);
    for (Value operand : op->getOperands()) {
      if (tensorType(operand).getRank() != 0)
        operand = shapeOf(operand) == type.getShape() ? getOperandOf(b, operand, transpose.getPermutation()) : Value();
      if (!operand)
        return {};
      operands.push_back(operand);
    }
    auto from = type.clone(transpose.getX().getType().getShape());
    Value before = clone(b, op, from, operands)->getResult(0);
    auto behind = TransposeOp::create(b, op->getLoc(), before, SmallVector<int64_t>(transpose.getPermutation()));
    op->getResult(0).replaceAllUsesWith(behind.getResult());
    return behind;
  }

  /// What a value is a transpose of by the permutation, cast as it is; null if it is none.
  static Value getOperandOf(OpBuilder &b, Value value, ArrayRef<int64_t> permutation) {
    if (TransposeOp transpose = getTranspose(value))
      return transpose.getPermutation() == permutation ? transpose.getX() : Value();
    auto cast = value.getDefiningOp<CastOp>();
    Value x = cast ? getOperandOf(b, cast.getX(), permutation) : Value();
    if (!x)
      return {};
    return CastOp::create(b, cast.getLoc(), tensorType(x).clone(cast.getType().getElementType()), x);
  }

  /// Sums over the last axis, which --nova-split-launches has written as sums over the rows of a matrix. Each of the
  /// reductions gives a transpose of its own.
  void sinkThroughRows(TransposeOp transpose, ReshapeOp rows) {
    ArrayRef<int64_t> shape = shapeOf(rows), permutation = transpose.getPermutation();
    int64_t last = int64_t(permutation.size()) - 1, width = shapeOf(transpose).back();
    auto isOverRows = [](Operation *user) {
      auto reduce = dyn_cast<ReduceOp>(user);
      return reduce && reduce.getAxes() == ArrayRef<int64_t>{1} && !reduce.getKeepDims();
    };
    if (permutation.back() != last || shape.size() != 2 || shape.back() != width ||
        !llvm::all_of(rows->getUsers(), isOverRows))
      return;
    ArrayRef<int64_t> leading = shapeOf(transpose.getX()).drop_back();
    for (Operation *user : llvm::to_vector(rows->getUsers())) {
      if (user->use_empty())
        continue;
      OpBuilder b(user);
      Location loc = user->getLoc();
      RankedTensorType type = tensorType(user->getResult(0));
      Value flat = b.createOrFold<ReshapeOp>(loc, rows.getType(), transpose.getX());
      Value sums = clone(b, user, type, flat)->getResult(0);
      sums = ReshapeOp::create(b, loc, type.clone(leading), sums);
      sums = TransposeOp::create(b, loc, sums, SmallVector<int64_t>(permutation.drop_back()));
      user->getResult(0).replaceAllUsesWith(ReshapeOp::create(b, loc, type, sums).getResult());
    }
  }
};

/// Lets transposes of the op's results stand behind it, and everybody read them.
static void sinkResults(Operation *attention) {
  SmallVector<int64_t> permutation(getCommonPermutation(attention));
  if (permutation.empty())
    return;
  for (Value result : attention->getResults()) {
    if (result.use_empty() || tensorType(result).getRank() != 4)
      continue;
    Value stored = getStored(result);
    OpBuilder b(attention->getContext());
    b.setInsertionPointAfterValue(stored);
    auto moved = TransposeOp::create(b, attention->getLoc(), stored, permutation);
    for (Operation *user : llvm::to_vector(stored.getUsers()))
      if (auto other = dyn_cast<TransposeOp>(user);
          other && other != moved && other.getPermutation() == ArrayRef(permutation)) {
        other.replaceAllUsesWith(moved.getResult());
        other.erase();
      }
    if (stored.hasOneUse())
      continue;
    b.setInsertionPointAfter(moved);
    auto back = TransposeOp::create(b, attention->getLoc(), moved, invertPermutationVector(permutation));
    stored.replaceAllUsesExcept(back, moved);
    TransposeSinker().sink(back);
  }
}

namespace {
struct SinkMovementPass : nova::impl::SinkMovementPassBase<SinkMovementPass> {
  void runOnOperation() override {
    if (getOperation().isDeclaration())
      return;
    for (Block &block : getOperation().getBody()) {
      SmallVector<Operation *> all;
      for (Operation &op : block)
        if (isAttention(&op) && llvm::all_of(op.getResults(), isStatic))
          all.push_back(&op);
      llvm::for_each(all, sinkResults);
      for (Operation *op : all) {
        OpBuilder b(op);
        for (OpOperand &operand : op->getOpOperands())
          operand.set(sinkOperand(b, operand.get()));
      }
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
        if (isOpTriviallyDead(&op))
          op.erase();
    }
  }
};
} // namespace
