//===- ApproximateMath.cpp - --nova-approximate-math: polynomials ---------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DoubleMath.h"
#include "Nova/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::nova {
#define GEN_PASS_DEF_APPROXIMATEMATHPASS
#include "Nova/Conversion/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

namespace {
struct ApproximateMathPass : nova::impl::ApproximateMathPassBase<ApproximateMathPass> {
  using ApproximateMathPassBase::ApproximateMathPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    // The functions whose approximation is accurate enough.
    populateMathPolynomialApproximationPatterns(
        patterns, [](StringRef name) { return llvm::is_contained({"math.tanh", "math.erf"}, name); });
    populateSingleMathPatterns(patterns);
    if (noLibrary)
      populateDoubleMathPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))) || (noLibrary && failed(verify())))
      signalPassFailure();
  }

  /// What is left must be an instruction: code generation stops dead at other functions.
  LogicalResult verify() {
    WalkResult result = getOperation()->walk([](Operation *op) {
      using namespace math;
      if (op->getDialect()->getNamespace() != MathDialect::getDialectNamespace() ||
          isa<AbsFOp, AbsIOp, CeilOp, CopySignOp, FloorOp, FmaOp, RoundEvenOp, SqrtOp, TruncOp>(op))
        return WalkResult::advance();
      op->emitError("has no code without a math library: expected a function of f32 or f64, found ")
          << op->getName() << " of " << op->getResultTypes().front();
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
