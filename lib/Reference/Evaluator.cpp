//===- Evaluator.cpp - Runs programs, slowly and obviously ----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Reference/Evaluator.h"
#include "Program.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

const EvaluatorTable &reference::getEvaluators() {
  static const EvaluatorTable table = [] {
    EvaluatorTable table;
    registerAttention(table);
    registerArgExtrema(table);
    registerControlFlow(table);
    registerConvolution(table);
    registerCrossEntropy(table);
    registerElementwise(table);
    registerGatherScatter(table);
    registerNorms(table);
    registerPairLosses(table);
    registerRandom(table);
    registerRotaryEmbedding(table);
    registerMatmul(table);
    registerMovement(table);
    registerReductions(table);
    registerScalars(table);
    registerSchedule(table);
    registerTensorSlices(table);
    registerTraining(table);
    return table;
  }();
  return table;
}

bool reference::hasEvaluator(OperationName name) { return getEvaluators().find(name.getStringRef()); }

//===----------------------------------------------------------------------===//
// Types and data
//===----------------------------------------------------------------------===//

static std::string describe(const Tensor &tensor) {
  std::string text = "tensor<";
  for (int64_t size : tensor.getShape())
    text += std::to_string(size) + "x";
  return text + std::string(::nova::nameOf(tensor.getDType())) + ">";
}

/// Whether a value of this type may hold the datum.
static bool holds(Type type, const Datum &datum) {
  if (auto *tensor = std::get_if<Tensor>(&datum)) {
    auto expected = dyn_cast<RankedTensorType>(type);
    return expected && dtypeOf(expected.getElementType()) == tensor->getDType() &&
           succeeded(verifyCompatibleShape(expected.getShape(), tensor->getShape()));
  }
  return std::holds_alternative<int64_t>(datum) ? type.isIntOrIndex() : isa<FloatType>(type);
}

/// Reports a datum that its value's type doesn't allow: only sizes that the type leaves open, or a broken evaluator,
/// can be the reason.
static LogicalResult verifyData(Operation *op, StringRef what, TypeRange types, ArrayRef<Datum> data) {
  if (types.size() != data.size())
    return op->emitError("expected ") << types.size() << " " << what << "s, found " << data.size();
  for (auto [i, type, datum] : llvm::enumerate(types, data)) {
    if (holds(type, datum))
      continue;
    auto error = op->emitError("expected ") << what << " #" << i << " to be " << type << ", found ";
    if (auto *tensor = std::get_if<Tensor>(&datum))
      return error << describe(*tensor);
    return error << "a value of another kind";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

class reference::Interpreter {
public:
  explicit Interpreter(ModuleOp module) : module(module) {}

  FailureOr<SmallVector<Datum>> call(Operation *caller, FunctionOpInterface function, SmallVector<Datum> arguments);

  ModuleOp module;
  SymbolTableCollection symbols;
  llvm::StringMap<Tensor> parameters;

private:
  FailureOr<const PreparedFunction *> prepare(FunctionOpInterface function);

  DenseMap<Operation *, std::unique_ptr<PreparedFunction>> functions;
  unsigned depth = 0;
};

namespace {
/// One call of a function. Ops in it see their surroundings through it.
class Frame final : public Context {
public:
  Frame(Interpreter &interpreter, const PreparedFunction &function)
      : interpreter(interpreter), function(function), slots(function.getSlotCount()) {}

  FailureOr<SmallVector<Datum>> run(Region &region, SmallVector<Datum> arguments) override;
  Datum &lookup(Value value) override { return slots[function.getSlot(value)]; }
  FailureOr<SmallVector<Datum>> call(Operation *caller, FlatSymbolRefAttr callee,
                                     SmallVector<Datum> arguments) override;
  const Tensor *getParameter(StringRef name) override;

private:
  Interpreter &interpreter;
  const PreparedFunction &function;
  std::vector<Datum> slots;
};
} // namespace

FailureOr<SmallVector<Datum>> Frame::run(Region &region, SmallVector<Datum> arguments) {
  const PreparedBlock &block = function.getBlock(&region.front());
  for (auto [slot, argument] : llvm::zip_equal(block.arguments, arguments))
    slots[slot] = std::move(argument);

  for (const PreparedOp &entry : block.ops) {
    SmallVector<Datum> operands;
    for (auto [slot, isLastUse] : entry.operands)
      operands.push_back(isLastUse ? std::move(slots[slot]) : slots[slot]);

    Operation *op = entry.op;
    OpCall call(op, *this, std::move(operands));
    if (failed(call.inferShapes()) || failed((*entry.evaluate)(op, call)))
      return failure();
    SmallVector<Datum> results = call.takeResults();
    for (unsigned slot : entry.dead)
      slots[slot] = {};
    if (op->hasTrait<OpTrait::IsTerminator>())
      return results;
    if (failed(verifyData(op, "result", op->getResultTypes(), results)))
      return failure();
    for (auto [i, value] : llvm::enumerate(op->getResults()))
      if (!value.use_empty())
        slots[entry.results + i] = std::move(results[i]);
  }
  return SmallVector<Datum>();
}

FailureOr<SmallVector<Datum>> Frame::call(Operation *caller, FlatSymbolRefAttr callee, SmallVector<Datum> arguments) {
  auto function = interpreter.symbols.lookupSymbolIn<FunctionOpInterface>(interpreter.module, callee);
  if (!function)
    return caller->emitOpError("expected the name of a function or kernel of the module, found ") << callee;
  return interpreter.call(caller, function, std::move(arguments));
}

const Tensor *Frame::getParameter(StringRef name) {
  auto it = interpreter.parameters.find(name);
  return it == interpreter.parameters.end() ? nullptr : &it->second;
}

FailureOr<const PreparedFunction *> Interpreter::prepare(FunctionOpInterface function) {
  std::unique_ptr<PreparedFunction> &entry = functions[function];
  if (!entry) {
    auto prepared = PreparedFunction::prepare(function, getEvaluators());
    if (failed(prepared))
      return failure();
    entry = std::move(*prepared);
  }
  return entry.get();
}

FailureOr<SmallVector<Datum>> Interpreter::call(Operation *caller, FunctionOpInterface function,
                                                SmallVector<Datum> arguments) {
  // A program that calls itself for ever would end in a stack overflow.
  constexpr unsigned deepest = 256;
  llvm::SaveAndRestore<unsigned> restore(depth, depth + 1);
  if (depth > deepest)
    return caller->emitError("expected calls nested at most ") << deepest << " deep, found a recursion";
  FailureOr<const PreparedFunction *> prepared = prepare(function);
  if (failed(prepared) || failed(verifyData(caller, "argument", function.getArgumentTypes(), arguments)))
    return failure();
  Frame frame(*this, **prepared);
  FailureOr<SmallVector<Datum>> results = frame.run(function.getFunctionBody(), std::move(arguments));
  if (failed(results) || failed(verifyData(caller, "result", function.getResultTypes(), *results)))
    return failure();
  return results;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

Evaluator::Evaluator(ModuleOp module) : interpreter(std::make_unique<Interpreter>(module)) {}
Evaluator::~Evaluator() = default;

llvm::StringMap<Tensor> &Evaluator::getParameters() { return interpreter->parameters; }

FailureOr<SmallVector<Tensor>> Evaluator::evaluate(FunctionOpInterface function, ArrayRef<Tensor> arguments) {
  SmallVector<Datum> data(arguments.begin(), arguments.end());
  FailureOr<SmallVector<Datum>> results = interpreter->call(function, function, std::move(data));
  if (failed(results))
    return failure();
  SmallVector<Tensor> tensors;
  for (auto [i, datum] : llvm::enumerate(*results)) {
    auto *tensor = std::get_if<Tensor>(&datum);
    if (!tensor)
      return function.emitError("expected result #") << i << " to be a tensor, found " << function.getResultTypes()[i];
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}
