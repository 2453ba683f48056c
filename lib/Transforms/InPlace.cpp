//===- InPlace.cpp - Results that take an argument's memory ---------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InPlace.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::nova;

/// Where a block writes a result of the kernel.
static tensor::ParallelInsertSliceOp getInsert(KernelOp kernel, unsigned result) {
  auto returned = dyn_cast<OpResult>(kernel.getReturned()[result]);
  auto grid = returned ? dyn_cast<scf::ForallOp>(returned.getOwner()) : scf::ForallOp();
  if (!grid)
    return {};
  Value out = grid.getRegionOutArgs()[returned.getResultNumber()];
  for (Operation &op : grid.getTerminator().getYieldingOps())
    if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op); insert && insert.getDest() == out)
      return insert;
  return {};
}

static bool isSameBox(tensor::ExtractSliceOp from, tensor::ParallelInsertSliceOp to) {
  return from.getMixedOffsets() == to.getMixedOffsets() && from.getMixedSizes() == to.getMixedSizes() &&
         from.getMixedStrides() == to.getMixedStrides();
}

/// Whether an op reads this operand only at the elements, or in the rows, that it makes at the same time.
static bool readsWhereItWrites(OpOperand &operand) {
  Operation *op = operand.getOwner();
  unsigned number = operand.getOperandNumber();
  if (op->hasTrait<NovaElementwise>() || isa<SoftmaxOp, SoftmaxGradOp, LogSoftmaxOp, CumsumOp>(op))
    return true;
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op))
    return broadcast.getX().getType() == broadcast.getType();
  if (isa<LayerNormOp, RmsNormOp, ScatterAddOp>(op)) // x, and the table that updates are added to
    return number == 0;
  if (isa<LayerNormGradOp, RmsNormGradOp>(op)) // dy and x
    return number <= 1;
  return isa<CrossEntropyGradOp>(op) && number == 1; // the logits
}

/// Whether what is computed from a slice of the argument goes nowhere but, element by element, where `insert` writes,
/// or into sums that a row op keeps elsewhere until the end.
static bool flowsInto(tensor::ParallelInsertSliceOp insert, Value value) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto other = dyn_cast<tensor::ParallelInsertSliceOp>(op))
      return other.getMixedOffsets() == insert.getMixedOffsets() && other.getMixedSizes() == insert.getMixedSizes();
    if (!readsWhereItWrites(use))
      return false;
    if (op->hasTrait<NovaElementwise>())
      return llvm::all_of(op->getResults(), [&](Value result) { return flowsInto(insert, result); });
    return flowsInto(insert, op->getResult(0));
  });
}

bool nova::canWriteOver(KernelOp kernel, unsigned argument, unsigned result) {
  Value tensor = kernel.getBody().getArgument(argument);
  tensor::ParallelInsertSliceOp insert = getInsert(kernel, result);
  auto bits = [](Type type) { return cast<RankedTensorType>(type).getElementTypeBitWidth(); };
  auto type = cast<RankedTensorType>(kernel.getResultTypes()[result]);
  // An element has the same place in both only if they have one shape.
  if (!insert || bits(tensor.getType()) != bits(type) || shapeOf(tensor) != type.getShape())
    return false;
  return llvm::all_of(tensor.getUsers(), [&](Operation *user) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    return slice && slice->getParentOp() == insert->getParentOp()->getParentOp() && isSameBox(slice, insert) &&
           flowsInto(insert, slice);
  });
}
