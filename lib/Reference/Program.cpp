//===- Program.cpp - Functions made ready for evaluation ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

FailureOr<std::unique_ptr<PreparedFunction>> PreparedFunction::prepare(FunctionOpInterface function,
                                                                       const EvaluatorTable &evaluators) {
  Region &body = function.getFunctionBody();
  if (body.empty())
    return function.emitError("expected a body to evaluate, found a declaration");
  auto prepared = std::make_unique<PreparedFunction>();
  if (!body.hasOneBlock())
    return function.emitError("expected a body of one block, found several: use structured control flow (scf)");
  if (failed(prepared->prepareBlock(body.front(), evaluators)))
    return failure();
  return prepared;
}

unsigned PreparedFunction::addSlot(Value value) {
  unsigned slot = slots.size();
  slots[value] = slot;
  return slot;
}

/// The last op of the value's block that uses it, itself or in its regions; null without a use.
static Operation *findLastUser(Value value) {
  Operation *last = nullptr;
  Block *block = value.getParentBlock();
  for (Operation *user : value.getUsers()) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    if (!last || last->isBeforeInBlock(ancestor))
      last = ancestor;
  }
  return last;
}

LogicalResult PreparedFunction::prepareBlock(Block &block, const EvaluatorTable &evaluators) {
  auto prepared = std::make_unique<PreparedBlock>();
  DenseMap<Operation *, SmallVector<unsigned>> lastUses;
  for (BlockArgument argument : block.getArguments()) {
    prepared->arguments.push_back(addSlot(argument));
    if (Operation *last = findLastUser(argument))
      lastUses[last].push_back(prepared->arguments.back());
  }

  LogicalResult result = success();
  for (Operation &op : block) {
    PreparedOp &entry = prepared->ops.emplace_back();
    entry.op = &op;
    entry.evaluate = evaluators.find(op.getName().getStringRef());
    entry.dead = lastUses.lookup(&op);
    for (OpOperand &operand : op.getOpOperands()) {
      // Regions may still look the value up, and so may a later operand. Scalars are looked up as sizes of slices.
      unsigned slot = slots.at(operand.get());
      bool comesAgain = llvm::is_contained(op.getOperands().drop_front(operand.getOperandNumber() + 1), operand.get());
      bool isLastUse = isa<TensorType>(operand.get().getType()) && op.getNumRegions() == 0 && !comesAgain &&
                       llvm::is_contained(entry.dead, slot);
      entry.operands.push_back({slot, isLastUse});
    }
    entry.results = slots.size();
    for (OpResult value : op.getResults()) {
      unsigned slot = addSlot(value);
      Operation *last = findLastUser(value);
      (last ? lastUses[last] : entry.dead).push_back(slot);
    }
    if (!entry.evaluate) { // Go on, so that all of them are named at once.
      result =
          op.emitOpError("has no reference evaluation: expected an op of the nova dialect, or of arith, affine, scf "
                         "and tensor as they stand in kernels");
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        if (failed(prepareBlock(inner, evaluators)))
          result = failure();
  }
  blocks[&block] = std::move(prepared);
  return result;
}
