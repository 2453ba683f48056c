//===- Autodiff.cpp - Reverse-mode differentiation of functions -----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineCalls.h"
#include "Nova/Dialect/Nova.h"
#include "Nova/Transforms/Passes.h"
#include "VerifyLevel.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nova {
#define GEN_PASS_DEF_AUTODIFFPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

//===----------------------------------------------------------------------===//
// A straight line of ops
//===----------------------------------------------------------------------===//

static bool isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value.getType())); }

/// Whether the op, or one in its regions, may write memory. Terminators and the parts of a parallel loop's result only
/// say what the op around them gives.
static bool mayWriteMemory(Operation *op) {
  auto mayWrite = [](Operation *inner) {
    if (inner->hasTrait<OpTrait::IsTerminator>() || isa_and_nonnull<InParallelOpInterface>(inner->getParentOp()) ||
        isa_and_nonnull<NovaDialect>(inner->getDialect()) || inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return false;
    auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
    return !effects || effects.hasEffect<MemoryEffects::Write>();
  };
  return op->walk([&](Operation *inner) { return mayWrite(inner) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

namespace {
/// Appends to a block the gradients of one of its values for some others.
class BlockGradients {
public:
  BlockGradients(Block &block, ValueRange wrt);

  LogicalResult build(Value loss);
  /// The gradient of one of the `wrt`: zeros where the loss does not depend on it.
  FailureOr<Value> getOrZeros(Value argument);

private:
  bool readsActive(Operation *op) const;
  bool capturesActive(Operation *op) const;
  LogicalResult buildOp(Operation *op);

  Block &block;
  ImplicitLocOpBuilder builder;
  /// Values that depend on `wrt`: those that need a gradient. An integer that an op of the dialect makes carries none;
  /// of other ops that is not known (a bitcast keeps all bits of a number).
  DenseSet<Value> active;
  DenseMap<Value, Value> gradients;
};
} // namespace

BlockGradients::BlockGradients(Block &block, ValueRange wrt)
    : block(block), builder(ImplicitLocOpBuilder::atBlockEnd(block.getParentOp()->getLoc(), &block)),
      active(llvm::from_range, wrt) {
  for (Operation &op : block)
    if (readsActive(&op) || capturesActive(&op))
      for (Value result : op.getResults())
        if (isFloat(result) || !isa_and_nonnull<NovaDialect>(op.getDialect()))
          active.insert(result);
}

bool BlockGradients::readsActive(Operation *op) const {
  return llvm::any_of(op->getOperands(), [&](Value operand) { return active.contains(operand); });
}

/// Whether an op in one of the op's regions reads a value that needs a gradient.
bool BlockGradients::capturesActive(Operation *op) const {
  return op->getNumRegions() != 0 && op->walk([&](Operation *inner) {
                                         return inner != op && readsActive(inner) ? WalkResult::interrupt()
                                                                                  : WalkResult::advance();
                                       }).wasInterrupted();
}

LogicalResult BlockGradients::build(Value loss) {
  // What goes through memory reaches the loss by no value.
  for (Operation &op : block)
    if ((readsActive(&op) || capturesActive(&op)) && mayWriteMemory(&op))
      return op.emitOpError("has effects on memory, through which no gradient goes, and reads a value that depends on "
                            "what the loss is differentiated for; expected ops of the nova dialect on tensors");
  if (!active.contains(loss))
    return success();
  SmallVector<Operation *> forward = llvm::map_to_vector(block, [](Operation &op) { return &op; });
  builder.setLoc(loss.getLoc());
  auto type = tensorType(loss);
  gradients[loss] = ConstantOp::create(builder, loss.getLoc(),
                                       DenseElementsAttr::get(type, builder.getFloatAttr(type.getElementType(), 1.0)));
  for (Operation *op : llvm::reverse(forward))
    if (failed(buildOp(op)))
      return failure();
  return success();
}

FailureOr<Value> BlockGradients::getOrZeros(Value argument) {
  if (Value gradient = gradients.lookup(argument))
    return gradient;
  auto type = tensorType(argument);
  if (!type.hasStaticShape())
    return emitError(argument.getLoc(),
                     "expected a static shape for the zero gradient of an argument that the loss does "
                     "not depend on, found ")
           << type;
  Attribute zero = builder.getZeroAttr(type.getElementType());
  return ConstantOp::create(builder, argument.getLoc(), DenseElementsAttr::get(type, zero)).getResult();
}

LogicalResult BlockGradients::buildOp(Operation *op) {
  SmallVector<Value> resultGradients =
      llvm::map_to_vector(op->getResults(), [&](Value v) { return gradients.lookup(v); });
  if (llvm::none_of(resultGradients, [](Value v) { return bool(v); }) || (!readsActive(op) && !capturesActive(op)))
    return success();

  if (op->getNumRegions() != 0)
    return op->emitOpError(
        "has a region, through which no gradient goes, but the loss depends on it; write branches as "
        "nova.select and loops as their steps, in ops of the nova dialect");

  if (auto exempt = dyn_cast<NotDifferentiableOp>(op))
    return op->emitOpError("has no gradient, but the loss depends on it: ") << exempt.getNotDifferentiableReason();
  if (isa<ValueAndGradOp>(op))
    return op->emitOpError("is differentiated itself: there are no second derivatives");
  auto differentiable = dyn_cast<DifferentiableOp>(op);
  if (!differentiable)
    return op->emitOpError("has no gradient, but the loss depends on it; expected ops of the nova dialect");

  builder.setLoc(op->getLoc());
  SmallVector<Value> operandGradients(op->getNumOperands());
  if (failed(differentiable.buildGradient(builder, resultGradients, operandGradients)))
    return failure();
  for (auto [operand, gradient] : llvm::zip_equal(op->getOperands(), operandGradients)) {
    if (!gradient || !active.contains(operand))
      continue;
    assert(gradient.getType() == operand.getType() && "a gradient has its operand's type");
    Value &sum = gradients[operand];
    sum = sum ? AddOp::create(builder, op->getLoc(), sum, gradient).getResult() : gradient;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

// A function of its own that returns what the op does: the callee's results, then the gradients. As its arguments are
// values of their own, the op may pass one value twice.
static FailureOr<OwningOpRef<func::FuncOp>> buildBody(ValueAndGradOp op, SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(op, op.getCalleeAttr());
  if (!callee)
    return op.emitOpError("expected ") << op.getCalleeAttr() << " to be a func.func";
  OpBuilder builder(op.getContext());
  auto type = builder.getFunctionType(op.getArguments().getTypes(), op.getResultTypes());
  OwningOpRef<func::FuncOp> body = func::FuncOp::create(builder, op.getLoc(), callee.getSymName(), type);
  Block &block = *body->addEntryBlock();
  builder.setInsertionPointToEnd(&block);
  FailureOr<SmallVector<Value>> results = cloneInlined(builder, callee, block.getArguments(), symbols);
  if (failed(results))
    return failure();

  SmallVector<Value> wrt;
  for (int64_t number : op.getWrt()) {
    wrt.push_back(block.getArgument(number));
    if (!isFloat(wrt.back()))
      return op.emitOpError("expected wrt to name floating-point arguments, found number ")
             << number << ", a " << wrt.back().getType();
  }
  BlockGradients gradients(block, wrt);
  if (failed(gradients.build(results->front())))
    return failure();
  for (Value argument : wrt) {
    FailureOr<Value> gradient = gradients.getOrZeros(argument);
    if (failed(gradient))
      return failure();
    results->push_back(*gradient);
  }
  builder.setInsertionPointToEnd(&block);
  func::ReturnOp::create(builder, op.getLoc(), *results);
  return body;
}

// Puts the body in the op's place and removes what is dead in it.
static void replace(ValueAndGradOp op, func::FuncOp body) {
  SmallVector<Operation *> inlined = llvm::map_to_vector(body.front(), [](Operation &inner) { return &inner; });
  IRRewriter rewriter(op.getContext());
  rewriter.inlineBlockBefore(&body.front(), op, op.getArguments());
  Operation *terminator = inlined.pop_back_val();
  rewriter.replaceOp(op, terminator->getOperands());
  rewriter.eraseOp(terminator);
  for (Operation *inner : llvm::reverse(inlined))
    if (isOpTriviallyDead(inner))
      rewriter.eraseOp(inner);
}

namespace {
struct AutodiffPass : nova::impl::AutodiffPassBase<AutodiffPass> {
  void runOnOperation() override {
    if (failed(verifyOneProgram(getOperation())))
      return signalPassFailure();
    SmallVector<ValueAndGradOp> ops;
    getOperation().walk([&](ValueAndGradOp op) { ops.push_back(op); });
    // All bodies are built before any op is replaced: otherwise the order of functions would decide whether a function
    // that takes gradients can itself be differentiated.
    SymbolTableCollection symbols;
    SmallVector<OwningOpRef<func::FuncOp>> bodies;
    llvm::SetVector<func::FuncOp> differentiated;
    for (ValueAndGradOp op : ops) {
      FailureOr<OwningOpRef<func::FuncOp>> body = buildBody(op, symbols);
      if (failed(body))
        return signalPassFailure();
      bodies.push_back(std::move(*body));
    }
    for (auto [op, body] : llvm::zip_equal(ops, bodies)) {
      Operation *callee = symbols.lookupNearestSymbolFrom(op, op.getCalleeAttr());
      differentiated.insert(cast<func::FuncOp>(callee));
      replace(op, *body);
    }
    for (func::FuncOp function : differentiated)
      if (function.isPrivate() && SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        function.erase();
  }
};
} // namespace
