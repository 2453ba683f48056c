//===- FiniteDifferencesTest.cpp - Gradients against differences ----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every differentiable op of the dialect, in f64: what --nova-autodiff gives against central differences of what the
// evaluator computes. The ops are those of Inputs/finite-differences.mlir; the test walks the dialect and fails for one
// that no function there uses. Where the ops of a gradient are differentiable themselves, the gradient is
// differentiated once more.
//
// Arguments of the functions are normal numbers, or uniform ones in [test.low, test.high); integers are below
// test.bound.
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "Nova/Reference/Evaluator.h"
#include "Nova/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::nova;
using reference::DType;
using reference::Tensor;

namespace {

constexpr double kStep = 1e-5, kTolerance = 1e-7;

/// What is known of an op after all functions were checked.
struct Verdict {
  int functions = 0;
  double worst = 0;
  /// Gradients that were differentiated once more, and the ops that others stopped at.
  int second = 0;
  std::set<std::string> stops;
};

class FiniteDifferences : public testing::Test {
protected:
  FiniteDifferences() {
    context.loadDialect<NovaDialect, func::FuncDialect>();
    // For the attributes test.low, test.high and test.bound.
    context.allowUnregisteredDialects();
  }

  /// Checks the gradient of a function for all its floats; the largest error over what is allowed, 0 after a failure.
  double check(func::FuncOp function);
  /// Checks the function and, if it can be had, the gradient of its gradient.
  void checkTwice(func::FuncOp function);

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  std::map<std::string, Verdict> verdicts;
};

} // namespace

static bool isFloat(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

/// The same for the same argument of the same function.
static Tensor randomArgument(func::FuncOp function, unsigned index) {
  auto type = cast<RankedTensorType>(function.getArgumentTypes()[index]);
  std::mt19937_64 generator(llvm::hash_value(function.getName()) * 31 + index);
  std::vector<double> values(type.getNumElements());
  auto low = function.getArgAttrOfType<FloatAttr>(index, "test.low");
  auto high = function.getArgAttrOfType<FloatAttr>(index, "test.high");
  auto bound = function.getArgAttrOfType<IntegerAttr>(index, "test.bound");
  for (double &value : values)
    if (!isFloat(type))
      value = double(generator() % (bound ? bound.getInt() : 2));
    else if (low)
      value = std::uniform_real_distribution<>(low.getValueAsDouble(), high.getValueAsDouble())(generator);
    else
      value = std::normal_distribution<>()(generator);
  return Tensor::fromDoubles(*reference::dtypeOf(type.getElementType()), type.getShape(), values);
}

static std::vector<Tensor> randomArguments(func::FuncOp function) {
  std::vector<Tensor> arguments;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    arguments.push_back(randomArgument(function, i));
  return arguments;
}

/// NAME_loss: the sum of all float results, each times a tensor of weights, which are further arguments.
static func::FuncOp buildLoss(func::FuncOp function) {
  OpBuilder builder(function);
  auto loss = cast<func::FuncOp>(builder.clone(*function));
  loss.setName((function.getName() + "_loss").str());
  Operation *end = loss.front().getTerminator();
  ImplicitLocOpBuilder b(end->getLoc(), end);
  Value sum;
  for (Value result : end->getOperands()) {
    auto type = cast<RankedTensorType>(result.getType());
    if (!isFloat(type))
      continue;
    (void)loss.insertArgument(loss.getNumArguments(), type, {}, b.getLoc());
    Value product = MulOp::create(b, result, loss.getArguments().back());
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    Value term = ReduceOp::create(b, ReduceKind::Sum, product, axes, /*keep_dims=*/false);
    sum = sum ? Value(AddOp::create(b, sum, term)) : term;
  }
  end->setOperands(sum);
  loss.setFunctionType(b.getFunctionType(loss.getArgumentTypes(), sum.getType()));
  loss.removeResAttrsAttr();
  return loss;
}

/// NAME_gradient: the gradients of a loss for those of its arguments.
static func::FuncOp buildGradient(func::FuncOp loss, ArrayRef<int64_t> wrt, StringRef name) {
  OpBuilder builder(loss);
  SmallVector<Type> types;
  for (int64_t index : wrt)
    types.push_back(loss.getArgumentTypes()[index]);
  auto gradient = func::FuncOp::create(builder, loss.getLoc(), (name + "_gradient").str(),
                                       builder.getFunctionType(loss.getArgumentTypes(), types));
  if (ArrayAttr attributes = loss.getArgAttrsAttr())
    gradient.setArgAttrsAttr(attributes);
  ImplicitLocOpBuilder b(loss.getLoc(), OpBuilder::atBlockBegin(gradient.addEntryBlock()));
  types.insert(types.begin(), loss.getResultTypes()[0]);
  auto values = ValueAndGradOp::create(b, types, loss.getName(), gradient.getArguments(), wrt);
  func::ReturnOp::create(b, values.getResults().drop_front());
  return gradient;
}

double FiniteDifferences::check(func::FuncOp function) {
  std::string name = function.getName().str();
  SCOPED_TRACE(name);
  func::FuncOp loss = buildLoss(function);
  SmallVector<int64_t> wrt;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (isFloat(function.getArgumentTypes()[i]))
      wrt.push_back(i);
  func::FuncOp gradient = buildGradient(loss, wrt, name);
  PassManager manager(&context);
  manager.addPass(createAutodiffPass());
  if (failed(manager.run(*module))) {
    ADD_FAILURE() << "autodiff failed";
    return 0;
  }

  reference::Evaluator evaluator(*module);
  for (auto parameter : module->getOps<ParameterOp>())
    evaluator.getParameters()[parameter.getSymName()] = randomArgument(loss, 0);
  std::vector<Tensor> arguments = randomArguments(loss);
  auto found = evaluator.evaluate(gradient, arguments);
  if (failed(found)) {
    ADD_FAILURE() << "the gradient cannot be evaluated";
    return 0;
  }
  auto at = [&](unsigned argument, int64_t element, double step) {
    std::vector<Tensor> moved = arguments;
    std::vector<double> values = moved[argument].toDoubles();
    values[element] += step;
    moved[argument] = Tensor::fromDoubles(DType::F64, moved[argument].getShape(), values);
    return (*evaluator.evaluate(loss, moved))[0].getDouble(0);
  };
  double worst = 0;
  for (auto [argument, tensor] : llvm::zip_equal(wrt, *found)) {
    std::vector<double> gradients = tensor.toDoubles();
    for (int64_t i = 0, n = gradients.size(); i < n; ++i) {
      double expected = (at(argument, i, kStep) - at(argument, i, -kStep)) / (2 * kStep);
      double error = std::fabs(gradients[i] - expected) / std::max(1.0, std::fabs(expected));
      EXPECT_LE(error, kTolerance) << "argument " << argument << ", element " << i << ": expected " << expected
                                   << ", found " << gradients[i];
      worst = std::max(worst, error);
    }
  }
  return worst;
}

/// An op through which nothing can be differentiated although floats pass it.
static std::string stopOf(func::FuncOp function) {
  std::string found;
  function.walk([&](NotDifferentiableOp op) {
    if (llvm::any_of(op->getResultTypes(), isFloat) && llvm::any_of(op->getOperandTypes(), isFloat))
      found = op->getName().getStringRef().str();
  });
  return found;
}

void FiniteDifferences::checkTwice(func::FuncOp function) {
  std::set<std::string> ops;
  function.walk([&](DifferentiableOp op) { ops.insert(op->getName().getStringRef().str()); });
  std::string name = function.getName().str();
  double worst = check(function);
  auto gradient = module->lookupSymbol<func::FuncOp>(name + "_gradient");
  ASSERT_TRUE(gradient);
  std::string stop = stopOf(gradient);
  if (stop.empty())
    worst = std::max(worst, check(gradient));
  for (const std::string &op : ops) {
    Verdict &verdict = verdicts[op];
    ++verdict.functions;
    verdict.worst = std::max(verdict.worst, worst);
    if (stop.empty())
      ++verdict.second;
    else
      verdict.stops.insert(stop);
  }
}

TEST_F(FiniteDifferences, EveryDifferentiableOpAgrees) {
  module = parseSourceFile<ModuleOp>(NOVA_SOURCE "/test/unit/Transforms/Inputs/finite-differences.mlir", &context);
  ASSERT_TRUE(module);
  for (auto function : llvm::to_vector(module->getOps<func::FuncOp>()))
    checkTwice(function);

  for (RegisteredOperationName op : context.getRegisteredOperationsByDialect("nova")) {
    std::string name = op.getStringRef().str();
    if (auto *reason = op.getInterface<NotDifferentiableOp>()) {
      std::printf("%-32s not differentiable: %s\n", name.c_str(), reason->getNotDifferentiableReason().str().c_str());
    } else if (op.hasInterface<DifferentiableOp>()) {
      auto found = verdicts.find(name);
      if (found == verdicts.end()) {
        ADD_FAILURE() << name << ": expected a function in finite-differences.mlir that uses it, found none";
        continue;
      }
      const Verdict &verdict = found->second;
      std::printf("%-32s agrees in %d functions, largest error %.1e; second derivatives in %d%s%s\n", name.c_str(),
                  verdict.functions, verdict.worst, verdict.second, verdict.stops.empty() ? "" : ", else stopped by ",
                  llvm::join(verdict.stops, ", ").c_str());
    } else {
      std::printf("%-32s structure\n", name.c_str());
    }
  }
}
