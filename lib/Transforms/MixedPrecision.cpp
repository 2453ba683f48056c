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

static bool isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value)); }
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

/// More elements than tables of positions, frequencies, sines and cosines have, and fewer than an embedding or a weight
/// for which narrow types are used at all.
static constexpr int64_t kMaxTable = 1 << 20;
/// Multiplications and additions of a product of such tables, which costs little in any type.
static constexpr int64_t kMaxTableWork = 1 << 28;

/// Whether the value is a parameter that is never trained: inverse frequencies, a cache of cosines.
static bool isFrozenTable(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() > kMaxTable)
    return false;
  ParameterOp parameter;
  if (auto read = value.getDefiningOp<ReadOp>()) {
    parameter = SymbolTable::lookupNearestSymbolFrom<ParameterOp>(read, read.getParameterAttr());
  } else if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    if (!function)
      return false;
    auto role = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "nova.role");
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "nova.name");
    if (role && role == "parameter" && name)
      parameter = SymbolTable::lookupNearestSymbolFrom<ParameterOp>(function, name);
  }
  return parameter && parameter.getFrozen();
}

/// Whether a product does little work, as one of tables does.
static bool isSmallProduct(Operation *op) {
  auto indexed = dyn_cast<IndexedOp>(op);
  if (!indexed) // A convolution, attention: of tables they are unheard of, and then no smaller than others.
    return llvm::all_of(op->getOperandTypes(), [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && tensor.hasStaticShape() && tensor.getNumElements() <= kMaxTable;
    });
  int64_t work = 1;
  for (int64_t extent : indexed.getLoopExtents())
    if (ShapedType::isDynamic(extent) || llvm::MulOverflow(work, extent, work))
      return false;
  return work <= kMaxTableWork;
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
    // What is rounded is not rounded again: a second reader would find other values to round.
    if (!function.getBody().hasOneBlock() || function->hasAttr(kDtypeAttribute))
      return;
    Narrowing(BFloat16Type::get(&getContext())).run(function.getBody().front());
    function->setAttr(kDtypeAttribute, StringAttr::get(&getContext(), dtype));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Which values are kept narrow
//===----------------------------------------------------------------------===//

/// Whether an op computes from statistics, constants, frozen tables, integers and truth values alone.
bool Narrowing::isOfStatistics(Operation *op) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isFloat(operand) || isConstant(operand) || isFrozenTable(operand) || isStatistic(operand);
  });
}

/// Results of reductions, losses, positions, random numbers, and what is computed from such values alone, whatever the
/// type: an angle that is rounded once says nothing any more.
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
    result = !mixed.isRoundable(cast<OpResult>(value).getResultNumber()) || (isOfStatistics(op) && isSmallProduct(op));
  else
    result = isa<IndexedOp, CompositeOp>(op);
  return statistics[value] = result;
}

/// Whether hardware may multiply the operand's elements as narrow ones. Positions times frequencies stay exact.
bool Narrowing::isFactor(OpOperand &operand) {
  auto mixed = dyn_cast<MixedPrecisionOp>(operand.getOwner());
  return mixed && mixed.isFactor(operand.getOperandNumber()) && !(isOfStatistics(mixed) && isSmallProduct(mixed));
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
