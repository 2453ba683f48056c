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

TEST_F(Coverage, NoOpHasAnEffectButWhatDeclaresOrReturns) {
  const llvm::StringSet<> declares = {"nova.parameter", "nova.kernel"};
  forEachOp([&](RegisteredOperationName op, const std::string &name) {
    bool pure = op.hasInterface<MemoryEffectOpInterface>() && op.hasInterface<ConditionallySpeculatable>();
    EXPECT_EQ(pure, !declares.contains(name)) << name;
  });
}
