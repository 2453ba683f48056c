//===- CoverageTest.cpp - Every op has a reference evaluation -------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "Programs.h"

TEST(Coverage, EveryOpThatComputesHasAnEvaluator) {
  auto context = nova_test::makeContext();
  unsigned count = 0;
  for (mlir::RegisteredOperationName name : context->getRegisteredOperationsByDialect("nova")) {
    if (name.hasTrait<mlir::nova::NovaStructure>())
      continue;
    ++count;
    EXPECT_TRUE(mlir::nova::reference::hasEvaluator(name)) << name.getStringRef().str();
  }
  EXPECT_GT(count, 40u);
}
