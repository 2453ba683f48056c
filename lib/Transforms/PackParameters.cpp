//===- PackParameters.cpp - One optimizer launch per class ----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelShapes.h"
#include "Nova/Dialect/Nova.h"
#include "Nova/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::nova {
#define GEN_PASS_DEF_PACKPARAMETERSPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

namespace {
/// The optimizer ops of one class of parameters, in the order in which their tensors lie in memory.
using Class = SmallVector<Operation *>;

/// One operand of every op of a class, laid side by side.
struct Pack {
  SmallVector<Value> tensors;
  Value packed;
};

struct PackParametersPass : nova::impl::PackParametersPassBase<PackParametersPass> {
  void runOnOperation() override;
};
} // namespace

/// The parameter, its gradient and the state; each of them but the gradient has a result.
static OperandRange getTensors(Operation *optimizer) {
  return optimizer->getOperands().take_front(optimizer->getNumResults() + 1);
}
static OperandRange getScalars(Operation *optimizer) {
  return optimizer->getOperands().drop_front(optimizer->getNumResults() + 1);
}

static int64_t countElements(Operation *optimizer) { return tensorType(optimizer->getOperand(0)).getNumElements(); }

/// Whether one op can take the place of both: the same types of elements, scalars and attributes.
static bool isSameClass(Operation *a, Operation *b) {
  if (a->getName() != b->getName() || a->getAttrDictionary() != b->getAttrDictionary())
    return false;
  return llvm::all_of(llvm::zip_equal(getTensors(a), getTensors(b)),
                      [](auto pair) {
                        auto [x, y] = pair;
                        return tensorType(x).getElementType() == tensorType(y).getElementType();
                      }) &&
         getScalars(a) == getScalars(b);
}

/// Tensors whose number of elements a high power of two divides come first, so that those after them stay aligned;
/// beyond 64 elements there is nothing to gain. Among equals the program's order stays.
static Class sortedByAlignment(const Class &ops) {
  constexpr int kHighest = 6;
  Class sorted;
  for (int power = kHighest; power >= 0; --power)
    for (Operation *op : ops)
      if (std::min(kHighest, llvm::countr_zero(uint64_t(countElements(op)))) == power)
        sorted.push_back(op);
  return sorted;
}

/// Whether all ops can move to the place of the last one.
static bool canMoveToLast(const Class &ops, Operation *last) {
  return llvm::all_of(ops, [&](Operation *op) {
    return op->getBlock() == last->getBlock() && llvm::all_of(op->getUsers(), [&](Operation *user) {
             return user->getBlock() == last->getBlock() && last->isBeforeInBlock(user);
           });
  });
}

/// The tensors as one of rank 1, made as early as all of them are there.
static Pack pack(OpBuilder &b, Location loc, Block *block, SmallVector<Value> tensors) {
  OpBuilder::InsertionGuard guard(b);
  Operation *last = nullptr;
  for (Value tensor : tensors)
    if (Operation *op = tensor.getDefiningOp(); op && (!last || last->isBeforeInBlock(op)))
      last = op;
  if (last)
    b.setInsertionPointAfter(last);
  else
    b.setInsertionPointToStart(block);

  SmallVector<Value> flat;
  int64_t total = 0;
  for (Value tensor : tensors) {
    RankedTensorType type = tensorType(tensor);
    total += type.getNumElements();
    flat.push_back(b.createOrFold<ReshapeOp>(loc, type.clone({type.getNumElements()}), tensor));
  }
  Type packed = tensorType(tensors[0]).clone({total});
  return {tensors, b.createOrFold<ConcatOp>(loc, packed, flat, /*axis=*/0, /*origin=*/ValueRange())};
}

/// The narrow copies of new parameters become parts of one, which the optimizer's kernel can write.
static void packCopies(OpBuilder &b, ArrayRef<Operation *> ops, Value packed) {
  SmallVector<std::pair<CastOp, int64_t>> copies;
  int64_t start = 0;
  for (Operation *op : ops) {
    for (Operation *user : op->getResult(0).getUsers())
      if (isNarrowing(user))
        copies.push_back({cast<CastOp>(user), start});
    start += countElements(op);
  }
  if (copies.empty())
    return;
  Type element = copies.front().first.getType().getElementType();
  Value whole = CastOp::create(b, packed.getLoc(), tensorType(packed).clone(element), packed);
  for (auto [copy, begin] : copies) {
    RankedTensorType type = copy.getType();
    if (type.getElementType() != element)
      continue;
    Value part =
        b.createOrFold<SliceOp>(copy.getLoc(), whole, ArrayRef(begin), ArrayRef(begin + type.getNumElements()));
    copy.replaceAllUsesWith(b.createOrFold<ReshapeOp>(copy.getLoc(), type, part));
    copy.erase();
  }
}

/// Replaces the ops by one on packed tensors; returns the packed gradients.
static Pack packClass(const Class &unsorted, Operation *last) {
  OpBuilder b(last);
  Location loc = last->getLoc();
  Class ops = sortedByAlignment(unsorted);
  SmallVector<Pack> packs;
  SmallVector<Value> operands;
  for (unsigned tensor = 0; tensor < getTensors(last).size(); ++tensor) {
    auto operand = [&](Operation *op) { return op->getOperand(tensor); };
    packs.push_back(pack(b, loc, last->getBlock(), llvm::map_to_vector(ops, operand)));
    operands.push_back(packs.back().packed);
  }
  llvm::append_range(operands, getScalars(last));
  SmallVector<Type> types(last->getNumResults(), operands.front().getType());
  Operation *packed = b.create(loc, last->getName().getIdentifier(), operands, types, last->getAttrs());
  packCopies(b, ops, packed->getResult(0));
  int64_t start = 0;
  for (Operation *op : ops) {
    int64_t limit = start + countElements(op);
    for (auto [result, whole] : llvm::zip_equal(op->getResults(), packed->getResults())) {
      Value part = b.createOrFold<SliceOp>(loc, whole, ArrayRef(start), ArrayRef(limit));
      result.replaceAllUsesWith(b.createOrFold<ReshapeOp>(loc, result.getType(), part));
    }
    start = limit;
  }
  for (Operation *op : ops)
    op->erase();
  return packs[1]; // After the parameters.
}

/// A norm over whole packs takes the packs.
static void packNorm(GlobalNormOp norm, ArrayRef<Pack> packs) {
  SmallVector<Value> tensors(norm.getInputs()), packed;
  for (Pack pack : packs) {
    Operation *maker = pack.packed.getDefiningOp();
    bool available = pack.packed.getParentBlock() == norm->getBlock() && (!maker || maker->isBeforeInBlock(norm));
    SmallVector<Value> rest = tensors;
    bool holdsAll = llvm::all_of(pack.tensors, [&](Value tensor) {
      auto *found = llvm::find(rest, tensor);
      return found != rest.end() && (rest.erase(found), true);
    });
    if (!available || !holdsAll)
      continue;
    tensors = rest;
    packed.push_back(pack.packed);
  }
  packed.append(tensors);
  norm.getInputsMutable().assign(packed);
}

void PackParametersPass::runOnOperation() {
  SmallVector<Class> classes;
  getOperation().walk([&](Operation *op) {
    if (!op->hasTrait<NovaOptimizer>() || !tensorType(op->getOperand(0)).hasStaticShape())
      return;
    auto *found = llvm::find_if(classes, [&](const Class &ops) { return isSameClass(ops.front(), op); });
    (found == classes.end() ? classes.emplace_back() : *found).push_back(op);
  });
  SmallVector<Pack> gradients;
  for (const Class &ops : classes) {
    Operation *last = ops.back(); // The walk is in program order.
    if (canMoveToLast(ops, last))
      gradients.push_back(packClass(ops, last));
  }
  getOperation().walk([&](GlobalNormOp norm) { packNorm(norm, gradients); });
}
