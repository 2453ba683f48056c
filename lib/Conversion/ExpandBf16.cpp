//===- ExpandBf16.cpp - --nova-expand-bf16: rounding by integers -------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::nova {
#define GEN_PASS_DEF_EXPANDBF16PASS
#include "Nova/Conversion/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

namespace {
/// To nearest, ties to even: what is added carries into the upper half, and into the exponent where it has to. All in
/// integers up to the last bits: code generation takes other ops on bf16 for calls of a library.
struct ExpandRounding : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isBF16() || !getElementTypeOrSelf(op.getIn()).isF32())
      return rewriter.notifyMatchFailure(op, "expected f32 to bf16");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto like = [&](Type element) -> Type {
      auto shaped = dyn_cast<ShapedType>(op.getType());
      return shaped ? Type(shaped.clone(element)) : element;
    };
    Type wide = like(b.getI32Type());
    auto constant = [&](int64_t value) -> Value {
      TypedAttr one = b.getI32IntegerAttr(value);
      if (auto shaped = dyn_cast<ShapedType>(wide))
        one = DenseElementsAttr::get(shaped, Attribute(one));
      return arith::ConstantOp::create(b, wide, one);
    };
    Value bits = arith::BitcastOp::create(b, wide, op.getIn());
    Value odd = arith::AndIOp::create(b, arith::ShRUIOp::create(b, bits, constant(16)), constant(1));
    Value sum = arith::AddIOp::create(b, bits, arith::AddIOp::create(b, odd, constant(0x7fff)));
    Value rounded = arith::ShRUIOp::create(b, sum, constant(16));
    Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, op.getIn(), op.getIn());
    rounded = arith::SelectOp::create(b, isNan, constant(0x7fc0), rounded);
    Value half = arith::TruncIOp::create(b, like(b.getI16Type()), rounded);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), half);
    return success();
  }
};

struct ExpandBf16Pass : nova::impl::ExpandBf16PassBase<ExpandBf16Pass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandRounding>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
