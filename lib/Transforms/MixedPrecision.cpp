//===- MixedPrecision.cpp - Narrow types between kernels ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "Nova/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

namespace mlir::nova {
#define GEN_PASS_DEF_MIXEDPRECISIONPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

//===----------------------------------------------------------------------===//
// Kinds of ops
//===----------------------------------------------------------------------===//

static bool isF32(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isF32();
}

static bool isConstant(Value value) { return matchPattern(value, m_Constant()); }

static bool isMovement(Operation *op) { return op && op->hasTrait<NovaMovement>(); }
static bool isElementwise(Operation *op) { return op->hasTrait<NovaElementwise>() && op->getNumResults() == 1; }

/// Whether `part` has fewer elements; axes are counted where sizes are not known.
static bool isSmaller(Value part, Value whole) {
  RankedTensorType a = tensorType(part), b = tensorType(whole);
  if (a.hasStaticShape() && b.hasStaticShape())
    return a.getNumElements() < b.getNumElements();
  return a.getRank() < b.getRank();
}

/// A sum or difference of two tensors, none of which repeats.
static bool isSum(Operation *op) {
  return isa<AddOp, SubOp>(op) && llvm::none_of(op->getOperands(), [&](Value operand) {
           return isConstant(operand) || isSmaller(operand, op->getResult(0));
         });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// The ops that compute with a value, directly or after it was moved; the function's return is one of them.
static SmallVector<Operation *> getReaders(Value value) {
  SmallVector<Operation *> readers;
  SmallVector<Value> moved{value};
  while (!moved.empty())
    for (Operation *user : moved.pop_back_val().getUsers()) {
      if (isMovement(user))
        moved.push_back(user->getResult(0));
      else
        readers.push_back(user);
    }
  return readers;
}

/// Whether the reader is likely to be in the kernel that makes the value: the next op, and elementwise.
static bool isNext(Value value, Operation *reader) {
  Operation *maker = value.getDefiningOp();
  return maker && (isElementwise(maker) || isa<MatmulOp>(maker)) && isElementwise(reader) &&
         !isSmaller(value, reader->getResult(0)) &&
         llvm::none_of(getReaders(value), [&](Operation *other) { return other->isBeforeInBlock(reader); });
}

namespace {
/// Decides which values are kept narrow, and makes those that read them read what is kept.
class Narrowing {
public:
  explicit Narrowing(Type element) : element(element) {}
  void run(Block &block);

private:
  bool isKeptNarrow(Value value);
  bool decide(Value value);
  bool isStatistic(Value value);
  bool isOfStatistics(Operation *op);
  bool isFactor(OpOperand &operand);
  bool isForUpdate(Value value);
  Value narrow(Value value);
  Value widen(Value value, Operation *reader);

  Type element;
  DenseMap<Value, bool> keptNarrow, statistics, forUpdate;
  DenseMap<Value, Value> narrowed, widened; ///< The casts of each value before rounding.
};

struct MixedPrecisionPass : nova::impl::MixedPrecisionPassBase<MixedPrecisionPass> {
  using MixedPrecisionPassBase::MixedPrecisionPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (dtype != "bf16") {
      function.emitError("nova-mixed-precision: expected dtype to be bf16, found '") << dtype << "'";
      return signalPassFailure();
    }
    if (function.getBody().hasOneBlock())
      Narrowing(BFloat16Type::get(&getContext())).run(function.getBody().front());
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Which values are kept narrow
//===----------------------------------------------------------------------===//

/// Whether an op computes from statistics, constants, integers and truth values alone.
bool Narrowing::isOfStatistics(Operation *op) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    if (!isF32(operand))
      return !isa<FloatType>(getElementTypeOrSelf(operand));
    return isConstant(operand) || isStatistic(operand);
  });
}

/// Results of reductions, losses, positions, random numbers, and what is computed from such values alone.
bool Narrowing::isStatistic(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isConstant(value))
    return false;
  auto [known, isNew] = statistics.try_emplace(value, false);
  if (!isNew)
    return known->second;
  bool result = false;
  if (isElementwise(op) || isMovement(op))
    result = isOfStatistics(op);
  else if (auto mixed = dyn_cast<MixedPrecisionOp>(op))
    result = !mixed.isRoundable(cast<OpResult>(value).getResultNumber()) || isOfStatistics(op);
  else
    result = isa<IndexedOp, CompositeOp>(op);
  return statistics[value] = result;
}

/// Whether hardware may multiply the operand's elements as narrow ones. Positions times frequencies stay exact.
bool Narrowing::isFactor(OpOperand &operand) {
  auto mixed = dyn_cast<MixedPrecisionOp>(operand.getOwner());
  return mixed && mixed.isFactor(operand.getOperandNumber()) && !isOfStatistics(mixed);
}

/// Whether nothing but the optimizer, the norm of all gradients and the caller reads the value, or what is made of it.
bool Narrowing::isForUpdate(Value value) {
  auto [known, isNew] = forUpdate.try_emplace(value, true);
  if (!isNew)
    return known->second;
  bool result = llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (user->hasTrait<NovaOptimizer>() || isa<GlobalNormOp, func::ReturnOp>(user))
      return true;
    return (isElementwise(user) || isMovement(user) || isa<ScatterAddOp>(user)) && isForUpdate(user->getResult(0));
  });
  return forUpdate[value] = result;
}

bool Narrowing::isKeptNarrow(Value value) {
  if (auto known = keptNarrow.find(value); known != keptNarrow.end())
    return known->second;
  bool result = isF32(value) && decide(value);
  return keptNarrow[value] = result;
}

bool Narrowing::decide(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isConstant(value) || tensorType(value).getRank() == 0)
    return false;
  if (isMovement(op)) { // The result has the type of what it moves; constants are of any type.
    auto isNarrow = [&](Value operand) { return isKeptNarrow(operand); };
    auto canBeNarrow = [&](Value operand) { return !isF32(operand) || isConstant(operand) || isKeptNarrow(operand); };
    return llvm::any_of(op->getOperands(), isNarrow) && llvm::all_of(op->getOperands(), canBeNarrow);
  }
  if (!isElementwise(op) && !isa<MixedPrecisionOp>(op))
    return false;
  if (isSum(op) || isStatistic(value) || isForUpdate(value))
    return false;
  SmallVector<Operation *> readers = getReaders(value);
  if (llvm::any_of(readers, [](Operation *reader) { return isSum(reader) || isa<func::ReturnOp>(reader); }))
    return false;
  return !llvm::all_of(readers, [&](Operation *reader) { return isNext(value, reader); });
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// The value in the narrow type, made where the value is.
Value Narrowing::narrow(Value value) {
  if (Value known = narrowed.lookup(value))
    return known;
  RankedTensorType type = tensorType(value).clone(element);
  Operation *op = value.getDefiningOp();
  Value result;
  if (auto cast = dyn_cast_or_null<CastOp>(op); cast && cast.getX().getType() == type) {
    result = cast.getX(); // It was widened, which loses nothing.
  } else if (isMovement(op)) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isF32(operand) ? narrow(operand) : operand);
    OpBuilder b(op);
    result = clone(b, op, type, operands)->getResult(0);
  } else {
    OpBuilder b(value.getContext());
    b.setInsertionPointAfterValue(value);
    result = b.createOrFold<CastOp>(value.getLoc(), type, value);
  }
  return narrowed[value] = result;
}

/// The value as it is after rounding, first needed by `reader`.
Value Narrowing::widen(Value value, Operation *reader) {
  Value kept = narrow(value);
  if (auto cast = value.getDefiningOp<CastOp>(); cast && cast.getX() == kept)
    return value;
  Value &result = widened[value];
  if (!result) {
    OpBuilder b(reader);
    result = b.createOrFold<CastOp>(value.getLoc(), value.getType(), kept);
  }
  return result;
}

void Narrowing::run(Block &block) {
  SmallVector<Operation *> ops = llvm::map_to_vector(block, [](Operation &op) { return &op; });
  // All decisions first: casts are readers too.
  SmallVector<OpOperand *> rounded;
  for (Operation *op : ops)
    for (OpOperand &operand : op->getOpOperands())
      if (!isMovement(op) && isF32(operand.get()) &&
          (isFactor(operand) || (isKeptNarrow(operand.get()) && !isNext(operand.get(), op))))
        rounded.push_back(&operand);
  for (OpOperand *operand : rounded)
    operand->set(widen(operand->get(), operand->getOwner()));
  for (Operation *op : llvm::reverse(ops)) // What moved values that are moved narrow now.
    if (isMovement(op) && op->use_empty())
      op->erase();
}
