//===- OpEvaluators.h - What the evaluator of an op sees --------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_REFERENCE_OPEVALUATORS_H
#define NOVA_REFERENCE_OPEVALUATORS_H

#include "Nova/Dialect/Nova.h"
#include "Nova/Reference/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <variant>

namespace mlir::nova::reference {

/// What a value holds during evaluation: a tensor, an index or integer (sign-extended, i1 as 0 or 1), or a float.
using Datum = std::variant<std::monostate, Tensor, int64_t, double>;

/// What an op needs from around it.
class Context {
public:
  virtual ~Context() = default;
  /// The datum of a value in sight of the op; regions of ops use it, others have their operands.
  virtual Datum &lookup(Value value) = 0;
  /// Evaluates a region of the op and returns what its terminator passes on.
  virtual FailureOr<SmallVector<Datum>> run(Region &region, SmallVector<Datum> arguments) = 0;
  /// Evaluates a function or kernel of the module by its name.
  virtual FailureOr<SmallVector<Datum>> call(Operation *caller, FlatSymbolRefAttr callee,
                                             SmallVector<Datum> arguments) = 0;
  /// The value of a parameter; null if nobody has set it.
  virtual const Tensor *getParameter(StringRef name) = 0;
};

/// One evaluation of one op.
class OpCall {
public:
  OpCall(Operation *op, Context &context, SmallVector<Datum> operands)
      : op(op), context(context), operands(std::move(operands)) {}

  Context &getContext() { return context; }

  const Tensor &tensor(unsigned operand) const { return std::get<Tensor>(operands[operand]); }
  int64_t integer(unsigned operand) const { return std::get<int64_t>(operands[operand]); }
  double real(unsigned operand) const { return std::get<double>(operands[operand]); }
  /// All operands; they may be moved from.
  MutableArrayRef<Datum> data() { return operands; }
  /// An index of an op that takes static and dynamic ones.
  int64_t index(OpFoldResult index);
  SmallVector<int64_t> indices(ArrayRef<OpFoldResult> list);
  /// The tile's origin along each loop of the op; zeros if it is no tile.
  SmallVector<int64_t> tileOrigin();

  /// Shape of a result: from its type, and where the type leaves it open from the operands, see Extents.cpp.
  ArrayRef<int64_t> resultShape(unsigned result = 0) const { return *shapes[result]; }
  DType resultType(unsigned result = 0) const {
    return *dtypeOf(getElementTypeOrSelf(op->getResult(result).getType()));
  }
  /// Fills in what `resultShape` returns. Fails if sizes of operands contradict each other or memory can't hold a
  /// result.
  LogicalResult inferShapes();

  /// Passes on the next result, as it is or as numbers that are rounded or cut to its type.
  void yield(Datum datum) { results.push_back(std::move(datum)); }
  void yield(unsigned result, ArrayRef<double> values) {
    yield(Tensor::fromDoubles(resultType(result), resultShape(result), values));
  }
  void yield(unsigned result, ArrayRef<int64_t> values) {
    yield(Tensor::fromInts(resultType(result), resultShape(result), values));
  }
  void yieldAll(SmallVector<Datum> data) { results = std::move(data); }
  SmallVector<Datum> takeResults() { return std::move(results); }

private:
  Operation *op;
  Context &context;
  SmallVector<Datum> operands;
  SmallVector<Datum> results;
  SmallVector<std::optional<Shape>, 1> shapes;
};

using OpEvaluator = std::function<LogicalResult(Operation *, OpCall &)>;

/// Evaluators by the names of ops.
class EvaluatorTable {
public:
  template <typename OpT, typename Function> void add(Function evaluate) {
    evaluators[OpT::getOperationName()] = [evaluate](Operation *op, OpCall &call) -> LogicalResult {
      return evaluate(cast<OpT>(op), call);
    };
  }
  /// Null for an unknown op.
  const OpEvaluator *find(StringRef name) const {
    auto it = evaluators.find(name);
    return it == evaluators.end() ? nullptr : &it->second;
  }

private:
  llvm::StringMap<OpEvaluator> evaluators;
};

/// Reports an index that is negative or not below the bound, by its position in the tensor that holds it.
LogicalResult reportIndex(Operation *op, StringRef what, const Tensor &indices, int64_t position,
                          std::optional<int64_t> bound);

/// Strides of an operand along the axes of the result: 0 where NumPy broadcasting repeats it.
Shape broadcastStrides(const Tensor &operand, ArrayRef<int64_t> shape);

/// Calls `body(first, count, stride)` for every line of elements along an axis.
template <typename Body> void forEachLine(ArrayRef<int64_t> shape, int64_t axis, Body body) {
  Shape lines(shape), strides = rowMajorStrides(shape);
  lines[axis] = 1;
  forEachIndex<1>(lines, {strides}, [&](int64_t, auto at) { body(at[0], shape[axis], strides[axis]); });
}

// One per file.
void registerAttention(EvaluatorTable &table);
void registerArgExtrema(EvaluatorTable &table);
void registerControlFlow(EvaluatorTable &table);
void registerConvolution(EvaluatorTable &table);
void registerCrossEntropy(EvaluatorTable &table);
void registerElementwise(EvaluatorTable &table);
void registerGatherScatter(EvaluatorTable &table);
void registerNorms(EvaluatorTable &table);
void registerPairLosses(EvaluatorTable &table);
void registerRandom(EvaluatorTable &table);
void registerRotaryEmbedding(EvaluatorTable &table);
void registerMatmul(EvaluatorTable &table);
void registerMovement(EvaluatorTable &table);
void registerReductions(EvaluatorTable &table);
void registerScalars(EvaluatorTable &table);
void registerSchedule(EvaluatorTable &table);
void registerTensorSlices(EvaluatorTable &table);
void registerTraining(EvaluatorTable &table);

/// All of them.
const EvaluatorTable &getEvaluators();

} // namespace mlir::nova::reference

#endif // NOVA_REFERENCE_OPEVALUATORS_H
