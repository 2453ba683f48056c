//===- LevelsTest.cpp - Every level means the same ------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The evaluator's results of a program stay what they are when it becomes kernels, tiles, and a plan, fused and eager.
// Sums are cut into partial sums on the way: f64 programs are compared to 1e-9, f32 ones to 1e-4.
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "Nova/Pipelines/Pipelines.h"
#include "Nova/Support/Safetensors.h"
#include "Nova/Transforms/Passes.h"
#include "PlannedProgram.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <cmath>
#include <optional>
#include <random>

using namespace mlir;
using namespace mlir::nova;
using namespace nova_test;
using reference::DType;

namespace {
class LevelsTest : public testing::TestWithParam<Mode> {
protected:
  void SetUp() override {
    DialectRegistry registry;
    registry.insert<NovaDialect, func::FuncDialect>();
    context.appendDialectRegistry(registry);
  }

  /// The entries of the program give at every level what they give before.
  void expectSameResults(OwningOpRef<ModuleOp> module) {
    ASSERT_TRUE(module);
    run(*module, [](OpPassManager &manager) { manager.addPass(createAutodiffPass()); });
    std::vector<std::vector<Tensor>> expected;
    for (auto function : entries(*module)) {
      expected.push_back(evaluate(*module, function));
      ASSERT_FALSE(expected.back().empty()) << function.getName().str();
    }
    ASSERT_FALSE(expected.empty());

    run(*module, [](OpPassManager &manager) { buildKernelPipeline(manager, "avx512", GetParam()); });
    auto evaluate = [&](ModuleOp level, func::FuncOp function) { return this->evaluate(level, function); };
    compare(*module, "kernels", expected, evaluate);
    run(*module, [](OpPassManager &manager) { buildTilePipeline(manager, "avx512"); });
    compare(*module, "tiles", expected, evaluate);
    compare(*module, "plan", expected,
            [&](ModuleOp level, func::FuncOp function) { return runPlanned(level, function, argumentsOf(function)); });
  }

  /// The same of the train step that a program becomes.
  void expectSameTrainStep(OwningOpRef<ModuleOp> module) {
    ASSERT_TRUE(module);
    TrainPipelineOptions options;
    options.mode = GetParam();
    run(*module, [&](OpPassManager &manager) { buildTrainPipeline(manager, options); });
    expectSameResults(std::move(module));
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::optional<::nova::SafetensorsFile> inputs; ///< Arguments by their names; the others are random.

private:
  using Evaluate = function_ref<std::vector<Tensor>(ModuleOp, func::FuncOp)>;

  void run(ModuleOp module, function_ref<void(OpPassManager &)> build) {
    PassManager manager(&context);
    build(manager);
    ASSERT_TRUE(succeeded(manager.run(module)));
  }

  static std::vector<func::FuncOp> entries(ModuleOp module) {
    std::vector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPublic())
        functions.push_back(function);
    return functions;
  }

  /// The same for the same function. Integers are small enough to be indices.
  std::vector<Tensor> argumentsOf(func::FuncOp function) const {
    std::mt19937 generator(1);
    std::vector<Tensor> arguments;
    for (auto [number, argument] : llvm::enumerate(function.getArgumentTypes())) {
      auto name = function.getArgAttrOfType<StringAttr>(number, "nova.name");
      const auto *stored = inputs && name ? inputs->find(name.str()) : nullptr;
      if (stored) {
        ::nova::TensorRef tensor = *inputs->tensor(*stored);
        arguments.push_back(Tensor::fromMemory(tensor.info.dtype, tensor.info.shape, tensor.data));
        continue;
      }
      auto type = cast<RankedTensorType>(argument);
      std::vector<double> values(type.getNumElements());
      for (double &value : values)
        value = isa<FloatType>(type.getElementType()) ? (generator() % 2000 + 1) / 2000.0 : double(generator() % 2);
      arguments.push_back(Tensor::fromDoubles(*reference::dtypeOf(type.getElementType()), type.getShape(), values));
    }
    return arguments;
  }

  std::vector<Tensor> evaluate(ModuleOp module, func::FuncOp function) const {
    reference::Evaluator evaluator(module);
    auto results = evaluator.evaluate(function, argumentsOf(function));
    return failed(results) ? std::vector<Tensor>() : std::vector<Tensor>(results->begin(), results->end());
  }

  void compare(ModuleOp module, const char *level, const std::vector<std::vector<Tensor>> &expected,
               Evaluate evaluate) {
    SCOPED_TRACE(level);
    auto functions = entries(module);
    ASSERT_EQ(functions.size(), expected.size());
    for (size_t i = 0; i < functions.size(); ++i) {
      SCOPED_TRACE(functions[i].getName().str());
      std::vector<Tensor> found = evaluate(module, functions[i]);
      ASSERT_EQ(found.size(), expected[i].size());
      for (size_t result = 0; result < found.size(); ++result)
        expectNear(found[result], expected[i][result], "result " + std::to_string(result));
    }
  }

  void expectNear(const Tensor &found, const Tensor &expected, const std::string &what) {
    ASSERT_EQ(found.getDType(), expected.getDType()) << what;
    ASSERT_EQ(found.getShape(), expected.getShape()) << what;
    double tolerance = expected.getDType() == DType::F64 ? 1e-9 : expected.getDType() == DType::BF16 ? 2e-2 : 1e-4;
    std::vector<double> x = found.toDoubles(), y = expected.toDoubles();
    for (size_t i = 0; i < x.size(); ++i)
      if (x[i] != y[i]) // NaN is never as near as that.
        ASSERT_LE(std::fabs(x[i] - y[i]), tolerance * std::max(1.0, std::fabs(y[i]))) << what << ", element " << i;
  }
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Modes, LevelsTest, testing::Values(Mode::Fused, Mode::Eager),
                         [](auto info) { return info.param == Mode::Fused ? "Fused" : "Eager"; });

static std::string source(const char *path) { return std::string(NOVA_SOURCE "/") + path; }

// Where every function is defined: acosh above 1, atanh below.
TEST_P(LevelsTest, EveryOpsGradient) {
  auto file = ::nova::SafetensorsFile::open(source("test/Goldens/Inputs/op-gradients.safetensors"));
  ASSERT_TRUE(file) << file.error().message;
  inputs = std::move(*file);
  expectSameResults(parseSourceFile<ModuleOp>(source("test/Goldens/op-gradients.mlir"), &context));
}

TEST_P(LevelsTest, TrainStepOfAGpt) {
  expectSameTrainStep(parseSourceFile<ModuleOp>(source("examples/gpt2-tiny.mlir"), &context));
}

// Casts are in the kernels around them; what lies between them in memory is narrow.
TEST_P(LevelsTest, GradientsOfAGptInMixedPrecision) {
  auto module = parseSourceFile<ModuleOp>(source("examples/gpt2-tiny.mlir"), &context);
  PassManager manager(&context);
  BuildTrainStepPassOptions step;
  step.gradients = true;
  manager.addPass(createBuildTrainStepPass(step));
  manager.addPass(createAutodiffPass());
  buildPrecisionPipeline(manager, "bf16");
  ASSERT_TRUE(succeeded(manager.run(*module)));
  module->lookupSymbol<func::FuncOp>("train_step").erase();
  expectSameResults(std::move(module));
}

// A program that lays parameters side by side in another way than the optimizer does.
TEST_P(LevelsTest, TrainStepOverPackedParameters) {
  expectSameTrainStep(parseSourceString<ModuleOp>(R"(
    nova.parameter @b : tensor<4xf64> = #nova.constant<0.5>
    nova.parameter @u : tensor<3x4xf64> = #nova.constant<0.5>
    nova.parameter @w : tensor<4x4xf64> = #nova.constant<0.25>
    func.func @loss(%x: tensor<2x7xf64> {nova.name = "x"}) -> tensor<f64> {
      %u = nova.read @u : tensor<3x4xf64>
      %w = nova.read @w : tensor<4x4xf64>
      %b = nova.read @b : tensor<4xf64>
      %uw = nova.concat %u, %w axis = 0 : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<7x4xf64>
      %y = nova.matmul %x, %uw : tensor<2x7xf64>, tensor<7x4xf64>
      %z = nova.add %y, %b : tensor<2x4xf64>, tensor<4xf64>
      %s = nova.square %z : tensor<2x4xf64>
      %l = nova.reduce mean %s over [0, 1] : tensor<2x4xf64>
      return %l : tensor<f64>
    })",
                                                  &context));
}

// Reductions of every shape, large enough for partial sums.
TEST_P(LevelsTest, Reductions) {
  expectSameResults(parseSourceString<ModuleOp>(R"(
    func.func @f(%x: tensor<4x1x96x131xf64>, %y: tensor<65536xf64>, %h: tensor<512x64xbf16>)
        -> (tensor<131xf64>, tensor<4x1x1x1xf64>, tensor<f64>, tensor<4x131xf64>, tensor<4x96x131xf64>, tensor<f64>,
            tensor<64xbf16>, tensor<96xf64>, tensor<131xf64>) {
      %0 = nova.reduce sum %x over [0, 1, 2] : tensor<4x1x96x131xf64>
      %1 = nova.reduce max %x over [2, 3] {keep_dims} : tensor<4x1x96x131xf64>
      %2 = nova.reduce mean %x over [0, 1, 2, 3] : tensor<4x1x96x131xf64>
      %3 = nova.reduce product %x over [1, 2] : tensor<4x1x96x131xf64>
      %4 = nova.reduce min %x over [1] : tensor<4x1x96x131xf64>
      %5 = nova.reduce sum %y over [0] : tensor<65536xf64>
      %6 = nova.reduce mean %h over [0] : tensor<512x64xbf16>
      %7 = nova.reduce mean %x over [0, 1, 3] : tensor<4x1x96x131xf64>
      %z = nova.exp %x : tensor<4x1x96x131xf64>
      %8 = nova.reduce sum %z over [0, 1, 2] : tensor<4x1x96x131xf64>
      return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<131xf64>, tensor<4x1x1x1xf64>, tensor<f64>, tensor<4x131xf64>,
        tensor<4x96x131xf64>, tensor<f64>, tensor<64xbf16>, tensor<96xf64>, tensor<131xf64>
    })",
                                                &context));
}

// Products of every layout, with what follows them; views of parts; copies for what cannot lie in place.
TEST_P(LevelsTest, ProductsAndViews) {
  expectSameResults(parseSourceString<ModuleOp>(R"(
    func.func @products(%x: tensor<2x3x5x7xf64>, %y: tensor<2x3x7x4xf64>, %w: tensor<7x4xf64>, %v: tensor<1x3x7x4xf64>,
                        %b: tensor<4xf64>, %r: tensor<2x3x5x4xf64>, %c: tensor<3x1x4xf64>)
        -> (tensor<2x3x5x4xf64>, tensor<2x3x5x4xf64>, tensor<2x3x5x4xf64>, tensor<2x3x5x5xf64>, tensor<4x4xf64>) {
      %0 = nova.matmul %x, %y : tensor<2x3x5x7xf64>, tensor<2x3x7x4xf64>
      %1 = nova.add %0, %b : tensor<2x3x5x4xf64>, tensor<4xf64>
      %2 = nova.gelu tanh %1 : tensor<2x3x5x4xf64>
      %3 = nova.matmul %x, %w : tensor<2x3x5x7xf64>, tensor<7x4xf64>
      %4 = nova.mul %3, %r : tensor<2x3x5x4xf64>, tensor<2x3x5x4xf64>
      %5 = nova.add %4, %c : tensor<2x3x5x4xf64>, tensor<3x1x4xf64>
      %6 = nova.matmul %x, %v : tensor<2x3x5x7xf64>, tensor<1x3x7x4xf64>
      %7 = nova.sub %6, %4 : tensor<2x3x5x4xf64>, tensor<2x3x5x4xf64>
      %8 = nova.matmul %7, %r {transpose_rhs} : tensor<2x3x5x4xf64>, tensor<2x3x5x4xf64>
      %9 = nova.matmul %w, %w {transpose_lhs} : tensor<7x4xf64>, tensor<7x4xf64>
      return %1, %2, %5, %8, %9 : tensor<2x3x5x4xf64>, tensor<2x3x5x4xf64>, tensor<2x3x5x4xf64>, tensor<2x3x5x5xf64>,
        tensor<4x4xf64>
    }
    func.func @views(%p: tensor<4x3xf64> {nova.role = "parameter", nova.name = "p", nova.donated = 0 : i64},
                     %q: tensor<4x3xf64> {nova.role = "parameter", nova.name = "q", nova.donated = 1 : i64},
                     %r: tensor<4x3xf64> {nova.role = "parameter", nova.name = "r", nova.donated = 2 : i64},
                     %s: tensor<3x3xf64> {nova.role = "parameter", nova.name = "s", nova.donated = 3 : i64})
        -> (tensor<4x3xf64>, tensor<4x3xf64>, tensor<4x3xf64>, tensor<3x3xf64>, tensor<8x3xf64>, tensor<4x3xf64>,
            tensor<2x3xf64>, tensor<3x4xf64>, tensor<2x2xf64>) {
      %twice = nova.concat %p, %q axis = 0 : (tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<8x3xf64>
      %e = nova.exp %p : tensor<4x3xf64>
      %both = nova.concat %e, %e axis = 0 : (tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<8x3xf64>
      %sum = nova.add %both, %twice : tensor<8x3xf64>, tensor<8x3xf64>
      %part = nova.slice %sum starts = [3, 0] limits = [7, 3] strides = [1, 1] : tensor<8x3xf64> -> tensor<4x3xf64>
      %s1 = nova.matmul %s, %s : tensor<3x3xf64>, tensor<3x3xf64>
      %late = nova.neg %r : tensor<4x3xf64>
      %t = nova.transpose %late [1, 0] : tensor<4x3xf64>
      %ones = nova.constant dense<1.0> : tensor<2x3xf64>
      %c = nova.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
      return %q, %p, %part, %s1, %twice, %late, %ones, %t, %c : tensor<4x3xf64>, tensor<4x3xf64>, tensor<4x3xf64>,
        tensor<3x3xf64>, tensor<8x3xf64>, tensor<4x3xf64>, tensor<2x3xf64>, tensor<3x4xf64>, tensor<2x2xf64>
    })",
                                                &context));
}
