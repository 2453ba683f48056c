//===- PlannedProgram.h - Runs a memory plan --------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TEST_UNIT_TRANSFORMS_PLANNEDPROGRAM_H
#define NOVA_TEST_UNIT_TRANSFORMS_PLANNEDPROGRAM_H

#include "Nova/Reference/Evaluator.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace nova_test {

using mlir::nova::reference::Tensor;

/// The results of a function as a device gives them: regions are memory, arguments are written to their addresses,
/// launches run in order on theirs, results are read from theirs at the end. Kernels are evaluated. Memory that nothing
/// wrote holds NaN. Empty after an error.
std::vector<Tensor> runPlanned(mlir::ModuleOp module, mlir::func::FuncOp function, mlir::ArrayRef<Tensor> arguments);

} // namespace nova_test

#endif // NOVA_TEST_UNIT_TRANSFORMS_PLANNEDPROGRAM_H
