//===- Programs.cpp - Programs as text, for tests -------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "Nova/Dialect/Nova.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <random>

using namespace mlir;
using namespace nova_test;

std::unique_ptr<MLIRContext> nova_test::makeContext() {
  auto context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  context->loadDialect<mlir::nova::NovaDialect, affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                       scf::SCFDialect, tensor::TensorDialect>();
  return context;
}

Program::Program(const std::string &text) : context(makeContext()) {
  context->getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    errors += diagnostic.str() + "\n";
    return success();
  });
  module = parseSourceString<ModuleOp>(text, context.get());
  EXPECT_TRUE(module) << errors;
  if (module)
    evaluates = std::make_unique<mlir::nova::reference::Evaluator>(*module);
}

std::vector<Tensor> Program::run(const std::string &function, const std::vector<Tensor> &arguments) {
  if (!module)
    return {};
  auto op = module->lookupSymbol<FunctionOpInterface>(function);
  EXPECT_TRUE(op) << function;
  auto results = evaluates->evaluate(op, arguments);
  if (failed(results))
    return {};
  return std::vector<Tensor>(results->begin(), results->end());
}

static Program programOf(const std::string &body, const std::string &type) {
  return Program("func.func @f() -> tensor<" + type + "> {\n" + body + "\nreturn %r : tensor<" + type + ">\n}");
}

Numbers nova_test::evaluate(const std::string &body, const std::string &type) {
  Program program = programOf(body, type);
  std::vector<Tensor> results = program.run("f");
  EXPECT_EQ(program.errors, "");
  return results.empty() ? Numbers() : results[0].toDoubles();
}

std::string nova_test::errorOf(const std::string &body, const std::string &type) {
  Program program = programOf(body, type);
  EXPECT_TRUE(program.run("f").empty());
  return program.errors;
}

std::string nova_test::constant(const std::string &name, const std::string &elements, const std::string &type) {
  return "%" + name + " = nova.constant dense<" + elements + "> : tensor<" + type + ">\n";
}

void nova_test::expectNear(const Numbers &found, const Numbers &expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i])))
      continue;
    EXPECT_LE(std::fabs(found[i] - expected[i]), tolerance * std::max(1.0, std::fabs(expected[i])))
        << "element " << i << ": expected " << expected[i] << ", found " << found[i];
    EXPECT_FALSE(std::isnan(found[i]) || std::isnan(expected[i]))
        << "element " << i << ": expected " << expected[i] << ", found " << found[i];
  }
}

Tensor nova_test::randomTensor(std::vector<int64_t> shape, unsigned seed, DType dtype) {
  std::mt19937 generator(seed);
  Numbers values(mlir::nova::reference::elementCount(shape));
  for (double &value : values)
    value = double(generator()) / 2147483648.0 - 1;
  return Tensor::fromDoubles(dtype, shape, values);
}

Tensor nova_test::scalar(DType dtype, double value) { return Tensor::fromDoubles(dtype, {}, value); }
