//===- Programs.h - Programs as text, for tests -----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TEST_UNIT_REFERENCE_PROGRAMS_H
#define NOVA_TEST_UNIT_REFERENCE_PROGRAMS_H

#include "Nova/Reference/Evaluator.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace nova_test {

using mlir::nova::reference::DType;
using mlir::nova::reference::Tensor;
using Numbers = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// A context with the dialects of programs at every level.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// A module of text and what its functions give. Whatever is wrong with it is in `errors`.
class Program {
public:
  explicit Program(const std::string &text);

  /// The results of a function or kernel; none after an error.
  std::vector<Tensor> run(const std::string &function, const std::vector<Tensor> &arguments = {});

  mlir::nova::reference::Evaluator &evaluator() { return *evaluates; }

  std::string errors;

private:
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<mlir::nova::reference::Evaluator> evaluates;
};

/// The elements of what `%r` holds after the lines of `body`, whose type is `type`.
Numbers evaluate(const std::string &body, const std::string &type);

/// The error of evaluating the same.
std::string errorOf(const std::string &body, const std::string &type);

/// `%name = nova.constant dense<elements> : tensor<type>` as a line.
std::string constant(const std::string &name, const std::string &elements, const std::string &type);

/// Equal, or both NaN, or closer than the tolerance relative to the expected value (absolute below 1).
void expectNear(const Numbers &found, const Numbers &expected, double tolerance = 1e-6);

/// Numbers without pattern in [-1, 1), the same for the same seed.
Tensor randomTensor(std::vector<int64_t> shape, unsigned seed, DType dtype = DType::F32);
Tensor scalar(DType dtype, double value);

} // namespace nova_test

#endif // NOVA_TEST_UNIT_REFERENCE_PROGRAMS_H
