//===- InlineCalls.cpp - Function bodies without calls --------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineCalls.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace {
class Inliner {
public:
  Inliner(OpBuilder &builder, SymbolTableCollection &symbols) : builder(builder), symbols(symbols) {}

  /// `call` is the call that is replaced; null for the outermost function.
  FailureOr<SmallVector<Value>> clone(func::FuncOp function, ValueRange arguments, func::CallOp call);

private:
  LogicalResult inlineInRegions(Operation *op);

  /// Far above what a model has, and soon reached by calls that double from level to level.
  static constexpr int64_t kMaxOps = 1'000'000;

  OpBuilder &builder;
  SymbolTableCollection &symbols;
  /// Functions whose bodies are being cloned, each called by the one before it.
  SmallVector<func::FuncOp> open;
  int64_t count = 0;
};
} // namespace

FailureOr<SmallVector<Value>> Inliner::clone(func::FuncOp function, ValueRange arguments, func::CallOp call) {
  Operation *user = call ? call.getOperation() : function.getOperation();
  if (llvm::is_contained(open, function))
    return user->emitError("function @") << function.getSymName() << " calls itself, so that its calls have no end";
  if (!function.getBody().hasOneBlock())
    return user->emitError("expected function @")
           << function.getSymName() << " to have a body of one block, found " << function.getBody().getBlocks().size()
           << "; write branches as nova.select";

  open.push_back(function);
  IRMapping mapping;
  mapping.map(function.getArguments(), arguments);
  for (Operation &op : function.front().without_terminator()) {
    auto inner = dyn_cast<func::CallOp>(op);
    if (!inner) {
      if (++count > kMaxOps)
        return user->emitError("expected at most ")
               << kMaxOps << " ops once calls are replaced by the bodies of their functions, found more; functions "
               << "that call others several times, level after level, have no end in practice";
      Operation *copy = builder.clone(op, mapping);
      if (failed(inlineInRegions(copy)))
        return failure();
      if (call)
        copy->setLoc(CallSiteLoc::get(op.getLoc(), call.getLoc()));
      continue;
    }
    SmallVector<Value> innerArguments;
    for (Value operand : inner.getOperands())
      innerArguments.push_back(mapping.lookup(operand));
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(inner, inner.getCalleeAttr());
    FailureOr<SmallVector<Value>> results = clone(callee, innerArguments, inner);
    if (failed(results))
      return failure();
    mapping.map(inner.getResults(), *results);
  }
  open.pop_back();

  SmallVector<Value> results;
  for (Value returned : function.front().getTerminator()->getOperands())
    results.push_back(mapping.lookup(returned));
  return results;
}

/// Replaces the calls in an op's regions, which is cloned already.
LogicalResult Inliner::inlineInRegions(Operation *op) {
  SmallVector<func::CallOp> calls;
  for (Region &region : op->getRegions())
    region.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(call);
    // The clone may be in no module yet; the function that it comes from is.
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(open.back(), call.getCalleeAttr());
    FailureOr<SmallVector<Value>> results = clone(callee, call.getOperands(), call);
    if (failed(results))
      return failure();
    call.replaceAllUsesWith(*results);
    call.erase();
  }
  return success();
}

FailureOr<SmallVector<Value>> nova::cloneInlined(OpBuilder &builder, func::FuncOp function, ValueRange arguments,
                                                 SymbolTableCollection &symbols) {
  return Inliner(builder, symbols).clone(function, arguments, /*call=*/nullptr);
}
