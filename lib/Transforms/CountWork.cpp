//===- CountWork.cpp - --nova-count-work: the arithmetic of kernels -------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "Nova/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nova {
#define GEN_PASS_DEF_COUNTWORKPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

/// Iterations of the op's loops.
static double iterations(IndexedOp op) {
  SmallVector<int64_t> extents = op.getLoopExtents();
  return std::accumulate(extents.begin(), extents.end(), 1.0, std::multiplies<>());
}

/// Multiplications and additions of `overHead` products along the heads of queries and keys and `overValues` along
/// that of values; a causal mask leaves half of the pairs.
template <typename AttentionOp> static double attentionWork(AttentionOp op, int overHead, int overValues) {
  auto size = [](Value tensor, unsigned axis) { return double(tensorType(tensor).getDimSize(axis)); };
  double pairs = size(op.getQ(), 0) * size(op.getQ(), 1) * size(op.getQ(), 2) * size(op.getK(), 2);
  double products = overHead * size(op.getQ(), 3) + overValues * size(op.getV(), 3);
  return 2 * pairs * products * (op.getCausal() ? 0.5 : 1.0);
}

static double elements(Value tensor) { return double(tensorType(tensor).getNumElements()); }

static double work(Operation *op) {
  return TypeSwitch<Operation *, double>(op)
      .Case([](MatmulOp matmul) { return 2 * iterations(matmul); })
      // An addition for each update: its loops over rows only look for those that meet.
      .Case([](ScatterAddOp scatter) { return elements(scatter.getUpdates()); })
      .Case<ArgMaxOp, ArgMinOp>([](auto extremum) { return elements(extremum.getX()); })
      // Scores and the weighted sum; their gradients make the scores again.
      .Case([](AttentionOp attention) { return attentionWork(attention, 1, 1); })
      .Case([](AttentionGradQueryOp grad) { return attentionWork(grad, 2, 1); })
      .Case([](AttentionGradKeyValueOp grad) { return attentionWork(grad, 2, 2); })
      .Case<ReshapeOp, TransposeOp, SliceOp, DynamicSliceOp, DynamicUpdateSliceOp, ConcatOp, PadOp, GatherOp,
            BroadcastInDimOp, IotaOp, CastOp, ConstantOp>([](auto) { return 0.0; })
      .Case([](IndexedOp other) { return iterations(other); })
      .Default(0.0);
}

//===----------------------------------------------------------------------===//
// Memory traffic
//===----------------------------------------------------------------------===//

static double bytesOfElement(Value tensor) { return llvm::divideCeil(tensorType(tensor).getElementTypeBitWidth(), 8); }

/// How many elements of a tensor its users read at least: some take a few rows of it, and casts are made where they are
/// needed.
static double elementsRead(Value tensor) {
  double read = 0;
  for (OpOperand &use : tensor.getUses())
    read += TypeSwitch<Operation *, double>(use.getOwner())
                .Case([&](GatherOp gather) {
                  return elements(use == gather.getTableMutable() ? gather.getResult() : tensor);
                })
                .Case<SliceOp, DynamicSliceOp>(
                    [&](auto slice) { return elements(use == slice.getXMutable() ? slice.getResult() : tensor); })
                .Case([](CastOp cast) { return elementsRead(cast.getResult()); })
                .Default([&](Operation *) { return elements(tensor); });
  return std::min(read, elements(tensor));
}

/// What a launch reads of its operands and writes of its results.
static double traffic(KernelOp kernel) {
  double bytes = 0;
  for (BlockArgument argument : kernel.getBody().getArguments())
    bytes += elementsRead(argument) * bytesOfElement(argument);
  for (Value result : kernel.getBody().front().getTerminator()->getOperands())
    bytes += elements(result) * bytesOfElement(result);
  return bytes;
}

namespace {
struct CountWorkPass : nova::impl::CountWorkPassBase<CountWorkPass> {
  void runOnOperation() override {
    double flops = 0;
    for (Operation &op : getOperation().getBody().front())
      flops += work(&op);
    Builder builder(&getContext());
    getOperation()->setAttr("nova.flops", builder.getF64FloatAttr(flops));
    getOperation()->setAttr("nova.bytes", builder.getF64FloatAttr(traffic(getOperation())));
    markAllAnalysesPreserved();
  }
};
} // namespace
