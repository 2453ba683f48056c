//===- InferBounds.cpp - Which values an integer argument may have --------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "Nova/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nova {
#define GEN_PASS_DEF_INFERBOUNDSPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

/// The size of the axis that `use` indexes, or nothing.
static std::optional<int64_t> boundOfUse(OpOperand &use) {
  auto size = [](Value tensor, int64_t axis) {
    auto type = tensorType(tensor);
    return type.getDimSize(axis < 0 ? axis + type.getRank() : axis);
  };
  return TypeSwitch<Operation *, std::optional<int64_t>>(use.getOwner())
      .Case([&](GatherOp op) -> std::optional<int64_t> {
        return use == op.getIndicesMutable() ? std::optional(size(op.getTable(), op.getAxis())) : std::nullopt;
      })
      .Case([&](ScatterAddOp op) -> std::optional<int64_t> {
        return use == op.getIndicesMutable() ? std::optional(size(op.getInto(), 0)) : std::nullopt;
      })
      .Case<CrossEntropyOp, CrossEntropyGradOp>([&](auto op) -> std::optional<int64_t> {
        // A class beyond the others marks targets to ignore: such a target is no fault.
        if (int64_t(op.getIgnoreIndex()) >= size(op.getLogits(), -1))
          return std::nullopt;
        return use == op.getTargetsMutable() ? std::optional(size(op.getLogits(), -1)) : std::nullopt;
      })
      .Default(std::nullopt);
}

/// Ops whose result has no elements but those of the operand.
static bool movesElements(Operation *op) {
  // Integers that become wider stay what they are; from i64 to i32 they do as long as they are tokens.
  if (auto cast = dyn_cast<CastOp>(op)) {
    auto from = dyn_cast<IntegerType>(getElementTypeOrSelf(cast.getX().getType()));
    auto to = dyn_cast<IntegerType>(getElementTypeOrSelf(cast.getResult().getType()));
    return from && to && from.getWidth() > 1 && (to.getWidth() >= from.getWidth() || to.getWidth() >= 32);
  }
  return isa<ReshapeOp, TransposeOp, SliceOp, ConcatOp, BroadcastInDimOp>(op);
}

namespace {
struct InferBoundsPass : nova::impl::InferBoundsPassBase<InferBoundsPass> {
  using InferBoundsPassBase::InferBoundsPassBase;
  void runOnOperation() override;
};
} // namespace

void InferBoundsPass::runOnOperation() {
  func::FuncOp function = getOperation();
  if (function.isExternal())
    return;
  for (BlockArgument argument : function.getArguments()) {
    if (!isa<IntegerType>(getElementTypeOrSelf(argument.getType())))
      continue;
    std::optional<int64_t> least;
    SmallVector<Value> moved{argument};
    while (!moved.empty())
      for (OpOperand &use : moved.pop_back_val().getUses()) {
        if (movesElements(use.getOwner()))
          moved.push_back(use.getOwner()->getResult(0));
        std::optional<int64_t> bound = boundOfUse(use);
        if (bound && *bound > 0 && (!least || *bound < *least))
          least = bound;
      }
    if (least)
      function.setArgAttr(argument.getArgNumber(), "nova.bound", Builder(&getContext()).getI64IntegerAttr(*least));
  }
}
