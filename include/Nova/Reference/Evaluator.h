//===- Evaluator.h - Runs programs, slowly and obviously --------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The judge of every other room: each op of the dialect in plain loops, with f64 arithmetic whose results are rounded
// to the op's type. Programs run at every level that has tensors: as written, as a train step, as kernels, and as
// kernels on tiles (scf.forall over slices).
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_REFERENCE_EVALUATOR_H
#define NOVA_REFERENCE_EVALUATOR_H

#include "Nova/Reference/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"

#include <memory>

namespace mlir::nova::reference {

/// Whether the evaluator knows an op.
bool hasEvaluator(OperationName name);

class Interpreter;

/// Evaluates functions of one module. Errors are reported on the op that causes them.
class Evaluator {
public:
  /// The module has to outlive the evaluator, and to stay as it is.
  explicit Evaluator(ModuleOp module);
  ~Evaluator();

  /// The values that `nova.read` reads, by the names of the parameters.
  llvm::StringMap<Tensor> &getParameters();

  /// The results of a function or kernel. What evaluation needs to know about it is worked out once.
  FailureOr<SmallVector<Tensor>> evaluate(FunctionOpInterface function, ArrayRef<Tensor> arguments);

private:
  std::unique_ptr<Interpreter> interpreter;
};

} // namespace mlir::nova::reference

#endif // NOVA_REFERENCE_EVALUATOR_H
