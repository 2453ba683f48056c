//===- ControlFlow.cpp - Calls, launches, loops and branches --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

static SmallVector<Datum> operandsOf(OpCall &call) {
  return SmallVector<Datum>(std::make_move_iterator(call.data().begin()), std::make_move_iterator(call.data().end()));
}

/// A terminator passes its operands on.
template <typename OpT> static LogicalResult evaluateTerminator(OpT op, OpCall &call) {
  call.yieldAll(operandsOf(call));
  return success();
}

static LogicalResult passOn(OpCall &call, FailureOr<SmallVector<Datum>> results) {
  if (failed(results))
    return failure();
  call.yieldAll(std::move(*results));
  return success();
}

static LogicalResult evaluateCall(func::CallOp op, OpCall &call) {
  return passOn(call, call.getContext().call(op, op.getCalleeAttr(), operandsOf(call)));
}

static LogicalResult evaluateLaunch(LaunchOp op, OpCall &call) {
  return passOn(call, call.getContext().call(op, op.getKernelAttr(), operandsOf(call)));
}

static LogicalResult evaluateIf(scf::IfOp op, OpCall &call) {
  Region &taken = call.integer(0) ? op.getThenRegion() : op.getElseRegion();
  return taken.empty() ? success() : passOn(call, call.getContext().run(taken, {}));
}

static LogicalResult evaluateFor(scf::ForOp op, OpCall &call) {
  int64_t lower = call.integer(0), upper = call.integer(1), step = call.integer(2);
  if (step <= 0)
    return op.emitOpError("expected a positive step, found ") << step;
  if (op.getUnsignedCmp() && (lower < 0 || upper < 0))
    return op.emitOpError("expected bounds of an unsigned loop below 2^63");
  SmallVector<Datum> carried(call.data().drop_front(3));
  for (int64_t i = lower; i < upper; i += step) {
    SmallVector<Datum> arguments = {Datum(i)};
    llvm::move(carried, std::back_inserter(arguments));
    FailureOr<SmallVector<Datum>> yielded = call.getContext().run(op.getRegion(), std::move(arguments));
    if (failed(yielded))
      return failure();
    carried = std::move(*yielded);
    if (step > upper - i) // The next index might not be a number any more.
      break;
  }
  call.yieldAll(std::move(carried));
  return success();
}

/// Blocks run one after another, each on the outputs as those before have left them.
static LogicalResult evaluateForall(scf::ForallOp op, OpCall &call) {
  SmallVector<int64_t> lower = call.indices(op.getMixedLowerBound()), upper = call.indices(op.getMixedUpperBound()),
                       step = call.indices(op.getMixedStep());
  Shape blocks;
  for (auto [from, to, by] : llvm::zip_equal(lower, upper, step)) {
    if (by <= 0)
      return op.emitOpError("expected positive steps, found ") << by;
    blocks.push_back(from < to ? (to - from - 1) / by + 1 : 0);
  }
  SmallVector<Datum> outputs(call.data().take_back(op.getOutputs().size()));
  Shape strides = rowMajorStrides(blocks);
  for (int64_t block = 0, count = elementCount(blocks); block < count; ++block) {
    SmallVector<Datum> arguments;
    for (size_t axis = 0; axis < blocks.size(); ++axis)
      arguments.push_back(lower[axis] + block / strides[axis] % blocks[axis] * step[axis]);
    llvm::move(outputs, std::back_inserter(arguments));
    FailureOr<SmallVector<Datum>> written = call.getContext().run(op.getRegion(), std::move(arguments));
    if (failed(written))
      return failure();
    outputs = std::move(*written);
  }
  call.yieldAll(std::move(outputs));
  return success();
}

/// Evaluates the insertions, which write into the outputs of the forall, and passes these on.
static LogicalResult evaluateInParallel(scf::InParallelOp op, OpCall &call) {
  if (failed(call.getContext().run(op.getRegion(), {})))
    return failure();
  for (BlockArgument output : cast<scf::ForallOp>(op->getParentOp()).getRegionOutArgs())
    call.yield(std::move(call.getContext().lookup(output)));
  return success();
}

void reference::registerControlFlow(EvaluatorTable &table) {
  table.add<ReturnOp>(evaluateTerminator<ReturnOp>);
  table.add<func::ReturnOp>(evaluateTerminator<func::ReturnOp>);
  table.add<scf::YieldOp>(evaluateTerminator<scf::YieldOp>);
  table.add<func::CallOp>(evaluateCall);
  table.add<LaunchOp>(evaluateLaunch);
  table.add<scf::IfOp>(evaluateIf);
  table.add<scf::ForOp>(evaluateFor);
  table.add<scf::ForallOp>(evaluateForall);
  table.add<scf::InParallelOp>(evaluateInParallel);
}
