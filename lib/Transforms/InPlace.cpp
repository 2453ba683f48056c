//===- InPlace.cpp - Which operand a launch may write over ----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InPlace.h"
#include "Views.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::nova;

/// Rows are read whole before their first element is written.
static bool readsRowsFirst(Operation *op) {
  return isa<SoftmaxOp, SoftmaxGradOp, LayerNormOp, LayerNormGradOp, CrossEntropyGradOp, ScatterAddOp>(op);
}

/// Whether all that becomes of `tile` is written at the tile's own position.
static bool staysInPosition(Value tile, tensor::ParallelInsertSliceOp target) {
  for (OpOperand &use : tile.getUses()) {
    if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(use.getOwner())) {
      if (insert.getMixedOffsets() != target.getMixedOffsets() || insert.getMixedSizes() != target.getMixedSizes())
        return false;
      continue;
    }
    auto op = dyn_cast<IndexedOp>(use.getOwner());
    if (!op || !(op->hasTrait<NovaElementwise>() || readsRowsFirst(op)))
      return false;
    // The operand's elements meet the result's one to one. Sums beside them (a weight's gradient) are kept elsewhere.
    if (op.getOperandMap(use.getOperandNumber()) != op.getResultMap(0))
      return false;
    if (op->hasTrait<NovaElementwise>()) {
      for (Value result : op->getResults())
        if (!staysInPosition(result, target))
          return false;
    } else if (!staysInPosition(op->getResult(0), target)) {
      return false;
    }
  }
  return true;
}

bool nova::canWriteInPlace(LaunchOp launch, unsigned operand, unsigned result) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<KernelOp>(launch, launch.getKernelAttr());
  auto grids = kernel.getBody().getOps<scf::ForallOp>();
  if (!llvm::hasSingleElement(grids) || kernel.getArgumentTypes()[operand] != kernel.getResultTypes()[result])
    return false;
  scf::ForallOp grid = *grids.begin();
  BlockArgument out = grid.getTiedBlockArgument(cast<OpResult>(kernel.getReturned()[result]));
  tensor::ParallelInsertSliceOp target;
  for (Operation &op : grid.getTerminator().getYieldingOps())
    if (auto insert = cast<tensor::ParallelInsertSliceOp>(op); insert.getDest() == out)
      target = insert;
  for (Operation *user : kernel.getBody().getArgument(operand).getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || slice.getMixedOffsets() != target.getMixedOffsets() ||
        slice.getMixedSizes() != target.getMixedSizes() || !slice.hasUnitStride() ||
        !staysInPosition(slice.getResult(), target))
      return false;
  }
  return true;
}

bool nova::isDerivedFrom(Value tensor, LaunchOp launch) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (op == launch)
      return true;
    if (!isView(op) || isa<ConcatOp>(op))
      return false;
    tensor = op->getOperand(0);
  }
  return false;
}
