//===- CoverageTest.cpp - What every op of the dialect must have ----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "llvm/ADT/StringSet.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::nova;

namespace {
class Coverage : public testing::Test {
protected:
  Coverage() { context.loadDialect<NovaDialect>(); }

  /// Calls `check` with every op; fails when there are none, as then nothing was checked.
  void forEachOp(llvm::function_ref<void(RegisteredOperationName, const std::string &)> check) {
    auto ops = context.getRegisteredOperationsByDialect("nova");
    ASSERT_GT(ops.size(), 50u);
    for (RegisteredOperationName op : ops)
      check(op, op.getStringRef().str());
  }

  MLIRContext context;
};
} // namespace

TEST_F(Coverage, EveryOpHasAGradientOrAReasonOrIsStructure) {
  forEachOp([](RegisteredOperationName op, const std::string &name) {
    int answers =
        op.hasInterface<DifferentiableOp>() + op.hasInterface<NotDifferentiableOp>() + op.hasTrait<NovaStructure>();
    EXPECT_EQ(answers, 1) << name << " is to be exactly one of differentiable, not differentiable and structure";
    if (auto *exempt = op.getInterface<NotDifferentiableOp>()) {
      StringRef reason = exempt->getNotDifferentiableReason();
      EXPECT_FALSE(reason.empty()) << name;
      EXPECT_FALSE(reason.ends_with(".")) << name << ": the reason is part of a diagnostic";
    }
  });
}

TEST_F(Coverage, EveryOpThatComputesSaysHowItsLoopsReachOperands) {
  // These have no loops of their own: they hold or reinterpret a tensor, or become several launches first, as composite
  // ops do.
  const llvm::StringSet<> without = {"nova.constant", "nova.read", "nova.reshape", "nova.global_norm",
                                     "nova.attention_grad"};
  forEachOp([&](RegisteredOperationName op, const std::string &name) {
    bool expected = !op.hasTrait<NovaStructure>() && !op.hasInterface<CompositeOp>() && !without.contains(name);
    EXPECT_EQ(op.hasInterface<IndexedOp>(), expected) << name;
  });
}

TEST_F(Coverage, EveryOpSaysWhatMixedPrecisionMayRound) {
  // Sums over many elements, what is read to the last bit, and what holds a tensor: f32 stays f32.
  const llvm::StringSet<> exact = {"nova.constant",      "nova.read",       "nova.iota",        "nova.random_uniform",
                                   "nova.random_normal", "nova.reduce",     "nova.argmax",      "nova.argmin",
                                   "nova.cumsum",        "nova.logsumexp",  "nova.log_softmax", "nova.scatter_add",
                                   "nova.mse",           "nova.mae",        "nova.bce",         "nova.cce",
                                   "nova.cross_entropy", "nova.global_norm"};
  forEachOp([&](RegisteredOperationName op, const std::string &name) {
    int answers = op.hasTrait<NovaElementwise>() + op.hasTrait<NovaMovement>() + op.hasInterface<MixedPrecisionOp>() +
                  op.hasTrait<NovaStructure>() + exact.contains(name);
    EXPECT_EQ(answers, 1) << name
                          << " is to be exactly one of elementwise, movement, mixed precision, structure, exact";
  });
}

TEST_F(Coverage, NoOpHasAnEffectButWhatDeclaresOrReturns) {
  // In a scheduled block some ops order shared memory and copies.
  const llvm::StringSet<> declares = {"nova.parameter",      "nova.kernel", "nova.allocate", "nova.copy_async",
                                      "nova.convert_layout", "nova.commit", "nova.wait",     "nova.barrier"};
  forEachOp([&](RegisteredOperationName op, const std::string &name) {
    bool pure = op.hasInterface<MemoryEffectOpInterface>() && op.hasInterface<ConditionallySpeculatable>();
    EXPECT_EQ(pure, !declares.contains(name)) << name;
  });
}
