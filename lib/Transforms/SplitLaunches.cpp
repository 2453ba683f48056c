//===- SplitLaunches.cpp - One launch per op ------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "Nova/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::nova {
#define GEN_PASS_DEF_SPLITLAUNCHESPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

//===----------------------------------------------------------------------===//
// Partial results
//===----------------------------------------------------------------------===//

// A reduction is cut into partial ones when few blocks would do much work each. The numbers depend on the shape alone,
// never on the number of threads, so that the bits don't either.
static constexpr int64_t kColumnsOfBlock = 64; // Neighbouring columns that one block of a column reduction takes.
static constexpr int64_t kElementsOfBlock = 4096;
static constexpr int64_t kMaxBlocks = 1024;

/// The largest divisor of `extent` that is at most `limit`: parts of equal size need no tail.
static int64_t largestDivisor(int64_t extent, int64_t limit) {
  for (int64_t divisor = std::min(extent, limit); divisor > 1; --divisor)
    if (extent % divisor == 0)
      return divisor;
  return 1;
}

/// How many parts to cut the reduced middle axis of [outer, extent, inner] into.
static int64_t countParts(int64_t outer, int64_t extent, int64_t inner) {
  int64_t blocks = std::max<int64_t>(1, outer * llvm::divideCeil(inner, kColumnsOfBlock));
  int64_t elements = extent * std::min(inner, kColumnsOfBlock);
  return largestDivisor(extent, std::min(kMaxBlocks / blocks, elements / kElementsOfBlock));
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static int64_t count(ArrayRef<int64_t> shape) { return ShapedType::getNumElements(shape); }

static bool hasStaticShapes(Operation *op) {
  auto isStatic = [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); };
  return llvm::all_of(op->getOperandTypes(), isStatic) && llvm::all_of(op->getResultTypes(), isStatic);
}

static Value reshape(OpBuilder &b, Location loc, Value x, ArrayRef<int64_t> shape) {
  RankedTensorType type = tensorType(x).clone(shape);
  return x.getType() == type ? x : b.createOrFold<ReshapeOp>(loc, type, x);
}
static Value cast(OpBuilder &b, Location loc, Value x, Type element) {
  RankedTensorType type = tensorType(x).clone(element);
  return x.getType() == type ? x : b.createOrFold<CastOp>(loc, type, x);
}
static Value reduce(OpBuilder &b, Location loc, ReduceKind kind, Value x, ArrayRef<int64_t> axes) {
  return ReduceOp::create(b, loc, kind, x, axes, /*keep_dims=*/false);
}
static Value sumAll(OpBuilder &b, Location loc, Value x) {
  return reduce(b, loc, ReduceKind::Sum, x, llvm::to_vector(llvm::seq<int64_t>(0, tensorType(x).getRank())));
}

static bool isHalf(Type element) { return element.isF16() || element.isBF16(); }

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {
/// The last reduced axes of a shape that lie side by side, as the middle one of three. Axes of size 1 don't count.
struct ReducedAxes {
  int64_t outer = 1, extent = 1, inner = 1;
  SmallVector<int64_t> keptShape;     // The shape with these axes reduced to size 1.
  SmallVector<int64_t> remainingAxes; // What is left to reduce.

  ReducedAxes(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes) : keptShape(shape) {
    auto isReduced = [&](int64_t axis) { return llvm::is_contained(axes, axis); };
    int64_t axis = shape.size() - 1;
    for (; axis >= 0 && !(isReduced(axis) && shape[axis] != 1); --axis)
      inner *= shape[axis];
    for (; axis >= 0 && (isReduced(axis) || shape[axis] == 1); --axis) {
      extent *= shape[axis];
      keptShape[axis] = 1;
    }
    for (; axis >= 0; --axis) {
      outer *= shape[axis];
      if (isReduced(axis) && shape[axis] != 1)
        remainingAxes.insert(remainingAxes.begin(), axis);
    }
  }
  /// [outer, extent] over the last axis (family row) or [outer, extent, inner] over the middle one (family column),
  /// with the extent cut into parts.
  SmallVector<int64_t> shape(int64_t parts) const {
    SmallVector<int64_t> result = {outer * parts, extent / parts};
    if (inner != 1)
      result.push_back(inner);
    return result;
  }
};

/// Any reduction becomes reductions over axis 1 of [M, N] or [P, R, N], one after another where the axes don't lie side
/// by side, in two stages where one would leave most of a machine idle.
struct SplitReduce : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &b) const override {
    if (!hasStaticShapes(op))
      return b.notifyMatchFailure(op, "its shape is dynamic");
    Location loc = op.getLoc();
    RankedTensorType type = op.getX().getType();
    ReducedAxes axes(type.getShape(), op.getAxes());
    if (axes.extent == 1 && llvm::all_of(op.getAxes(), [&](int64_t a) { return type.getDimSize(a) == 1; })) {
      b.replaceOp(op, reshape(b, loc, op.getX(), op.getType().getShape()));
      return success();
    }
    int64_t parts = countParts(axes.outer, axes.extent, axes.inner);
    bool several = parts > 1 || !axes.remainingAxes.empty();
    if (!several && type.getShape() == ArrayRef(axes.shape(1)) && !op.getKeepDims())
      return b.notifyMatchFailure(op, "it takes one launch");

    Value x = op.getX();
    // Partial sums that pass through memory are f32: one launch accumulates in f32 too.
    bool widened = several && isHalf(type.getElementType());
    if (widened)
      x = cast(b, loc, x, b.getF32Type());
    x = reduce(b, loc, op.getKind(), reshape(b, loc, x, axes.shape(parts)), {1});
    if (parts > 1) {
      SmallVector<int64_t> partials = axes.shape(1);
      partials[1] = parts;
      x = reduce(b, loc, op.getKind(), reshape(b, loc, x, partials), {1});
    }
    if (!axes.remainingAxes.empty())
      x = reduce(b, loc, op.getKind(), reshape(b, loc, x, axes.keptShape), axes.remainingAxes);
    x = reshape(b, loc, x, op.getType().getShape());
    b.replaceOp(op, widened ? cast(b, loc, x, type.getElementType()) : x);
    return success();
  }
};

/// Ops that work on rows: another axis than the last is brought there and back.
template <typename Op> struct OverLastAxis : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    int64_t last = op.getType().getRank() - 1, axis = op.getNormalizedAxis();
    if (axis == last)
      return b.notifyMatchFailure(op, "its axis is the last one");
    SmallVector<int64_t> swapped = llvm::to_vector(llvm::seq<int64_t>(0, last + 1));
    std::swap(swapped[axis], swapped[last]);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(TransposeOp::create(b, op.getLoc(), operand, swapped));
    Op rows = cast<Op>(b.clone(*op));
    rows->setOperands(operands);
    rows->getResult(0).setType(operands[0].getType());
    rows.removeAxisAttr(); // The last one.
    b.replaceOpWithNewOp<TransposeOp>(op, rows, swapped);
    return success();
  }
};

/// The norm is the root of a sum of sums of squares, one a tensor, which are laid side by side.
struct SplitGlobalNorm : OpRewritePattern<GlobalNormOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GlobalNormOp op, PatternRewriter &b) const override {
    if (!hasStaticShapes(op))
      return b.notifyMatchFailure(op, "an operand's shape is dynamic");
    Location loc = op.getLoc();
    // The squares of f64 need f64 up to the root.
    bool isDouble = llvm::any_of(op.getInputs(), [](Value x) { return tensorType(x).getElementType().isF64(); });
    Type element = isDouble ? b.getF64Type() : b.getF32Type();
    SmallVector<Value> sums;
    for (Value x : op.getInputs()) {
      if (isHalf(tensorType(x).getElementType()))
        x = cast(b, loc, x, b.getF32Type()); // Squares of f16 overflow.
      Value sum = sumAll(b, loc, SquareOp::create(b, loc, x));
      sums.push_back(reshape(b, loc, cast(b, loc, sum, element), {1}));
    }
    Value total;
    if (sums.size() == 1) {
      total = reshape(b, loc, sums[0], {});
    } else if (sums.empty()) {
      total = ConstantOp::create(b, loc, DenseElementsAttr::get(op.getType(), 0.0f));
    } else {
      auto type = RankedTensorType::get({int64_t(sums.size())}, element);
      total = sumAll(b, loc, ConcatOp::create(b, loc, type, sums, /*axis=*/0, /*origin=*/ValueRange()));
    }
    b.replaceOp(op, cast(b, loc, SqrtOp::create(b, loc, total), b.getF32Type()));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

/// How many targets count, as a scalar of the loss' type.
static Value countRows(OpBuilder &b, Location loc, Value targets, int64_t ignored, Type element) {
  auto scalar = RankedTensorType::get({}, tensorType(targets).getElementType());
  if (!llvm::isIntN(scalar.getElementTypeBitWidth(), ignored)) { // No target can be it.
    double rows = tensorType(targets).getNumElements();
    return ConstantOp::create(b, loc, DenseElementsAttr::get(scalar.clone(element), b.getFloatAttr(element, rows)));
  }
  Attribute ignoredElement = b.getIntegerAttr(scalar.getElementType(), ignored);
  Value ignoredTarget = ConstantOp::create(b, loc, DenseElementsAttr::get(scalar, ignoredElement));
  Value counts = CompareOp::create(b, loc, CompareKind::NE, targets, ignoredTarget);
  return sumAll(b, loc, cast(b, loc, counts, element));
}

struct SplitCrossEntropy : OpRewritePattern<CrossEntropyOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CrossEntropyOp op, PatternRewriter &b) const override {
    if (op.getReduction() == LossReduction::None || !hasStaticShapes(op))
      return b.notifyMatchFailure(op, "it gives a loss for every row already, or its shape is dynamic");
    Location loc = op.getLoc();
    Value rows = CrossEntropyOp::create(b, loc, op.getLogits(), op.getTargets(), LossReduction::None,
                                        op.getIgnoreIndex(), op.getLabelSmoothing());
    Value loss = sumAll(b, loc, rows);
    if (op.getReduction() == LossReduction::Mean)
      loss = DivOp::create(b, loc, loss,
                           countRows(b, loc, op.getTargets(), op.getIgnoreIndex(), op.getType().getElementType()));
    b.replaceOp(op, loss);
    return success();
  }
};

struct SplitCrossEntropyGrad : OpRewritePattern<CrossEntropyGradOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CrossEntropyGradOp op, PatternRewriter &b) const override {
    if (op.getReduction() == LossReduction::None || !hasStaticShapes(op))
      return b.notifyMatchFailure(op, "it takes a gradient for every row already, or its shape is dynamic");
    Location loc = op.getLoc();
    RankedTensorType scalar = op.getResultGrad().getType();
    Value rows = b.createOrFold<BroadcastInDimOp>(loc, scalar.clone(op.getTargets().getType().getShape()),
                                                  op.getResultGrad(), ArrayRef<int64_t>());
    if (op.getReduction() == LossReduction::Mean)
      rows =
          DivOp::create(b, loc, rows, countRows(b, loc, op.getTargets(), op.getIgnoreIndex(), scalar.getElementType()));
    b.replaceOpWithNewOp<CrossEntropyGradOp>(op, rows, op.getLogits(), op.getTargets(), LossReduction::None,
                                             op.getIgnoreIndex(), op.getLabelSmoothing());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Norms and attention
//===----------------------------------------------------------------------===//

/// The gradients of a norm's parameters are summed over parts of the rows, then over the parts.
template <typename Op> struct SplitNormGrad : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    if (op.getPartials() != 0 || !hasStaticShapes(op))
      return b.notifyMatchFailure(op, "it gives partial sums already, or its shape is dynamic");
    Location loc = op.getLoc();
    ArrayRef<int64_t> shape = op.getX().getType().getShape();
    Type element = op.getX().getType().getElementType(), sums = isHalf(element) ? b.getF32Type() : element;
    int64_t width = shape.back(), rows = count(shape.drop_back());
    int64_t parts = largestDivisor(rows, std::min(kMaxBlocks, rows * width / kElementsOfBlock));
    auto inParts = [&](Value x) { return cast(b, loc, reshape(b, loc, x, {parts, rows / parts, width}), sums); };
    auto grad = Op::create(b, loc, inParts(op.getResultGrad()), inParts(op.getX()), cast(b, loc, op.getWeight(), sums),
                           op.getEpsAttr(), b.getI64IntegerAttr(1));
    SmallVector<Value> results = {reshape(b, loc, cast(b, loc, grad.getDx(), element), shape)};
    for (Value partial : grad->getResults().drop_front())
      results.push_back(cast(b, loc, reduce(b, loc, ReduceKind::Sum, partial, {0}), element));
    b.replaceOp(op, results);
    return success();
  }
};

/// Whether a kernel can take the mask, which may be null, beside scores of an element type.
static bool isKernelMask(Value mask, Type element) { return !mask || tensorType(mask).getElementType() == element; }
static Value kernelMask(ImplicitLocOpBuilder &b, Value mask, Type element) {
  return isKernelMask(mask, element) ? mask : nova::detail::additiveMask(b, mask, element);
}

/// Without keys there is nothing to attend to.
struct AttentionToNothing : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op, PatternRewriter &b) const override {
    if (!hasStaticShapes(op) || op.getK().getType().getDimSize(2) != 0)
      return b.notifyMatchFailure(op, "it has keys");
    double least = -std::numeric_limits<double>::infinity();
    RankedTensorType lse = op.getLse().getType();
    auto filled = [&](RankedTensorType type, double value) -> Value {
      Attribute element = b.getFloatAttr(type.getElementType(), value);
      return ConstantOp::create(b, op.getLoc(), DenseElementsAttr::get(type, element));
    };
    b.replaceOp(op, {filled(op.getResult().getType(), 0), filled(lse, least)});
    return success();
  }
};

/// Kernels of attention have as many heads of keys as of queries, and masks that are added.
struct SimplifyAttention : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op, PatternRewriter &rewriter) const override {
    int64_t heads = op.getQ().getType().getDimSize(1);
    Type element = op.getLse().getType().getElementType();
    if (!hasStaticShapes(op) || (op.getK().getType().getDimSize(1) == heads && isKernelMask(op.getMask(), element)))
      return rewriter.notifyMatchFailure(op,
                                         "its heads are not grouped, and its mask is added, or its shape is dynamic");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOpWithNewOp<AttentionOp>(op, op.getQ(), nova::detail::repeatHeads(b, op.getK(), heads),
                                             nova::detail::repeatHeads(b, op.getV(), heads),
                                             kernelMask(b, op.getMask(), element), op.getCausalAttr(),
                                             op.getScaleAttr(), op.getMaskedValueAttr(), ValueRange());
    return success();
  }
};

/// One launch with a block per group of queries, one with a block per group of keys: neither needs atomics. Both want
/// the sums of dy * y over each row.
struct SplitAttentionGrad : OpRewritePattern<AttentionGradOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionGradOp op, PatternRewriter &rewriter) const override {
    if (!hasStaticShapes(op))
      return rewriter.notifyMatchFailure(op, "its shape is dynamic");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Location loc = op.getLoc();
    if (op.getK().getType().getDimSize(2) == 0) { // No key, no influence.
      auto zeros = [&](Value x) -> Value {
        Attribute zero = b.getZeroAttr(tensorType(x).getElementType());
        return ConstantOp::create(b, loc, DenseElementsAttr::get(tensorType(x), zero));
      };
      rewriter.replaceOp(op, {zeros(op.getQ()), zeros(op.getK()), zeros(op.getV())});
      return success();
    }
    Type sums = op.getLse().getType().getElementType();
    int64_t heads = op.getQ().getType().getDimSize(1), groups = op.getK().getType().getDimSize(1);
    Value k = nova::detail::repeatHeads(b, op.getK(), heads), v = nova::detail::repeatHeads(b, op.getV(), heads);
    Value mask = kernelMask(b, op.getMask(), sums);
    Value product = MulOp::create(b, loc, cast(b, loc, op.getResultGrad(), sums), cast(b, loc, op.getY(), sums));
    Value delta = reduce(b, loc, ReduceKind::Sum, product, {3});
    auto query =
        AttentionGradQueryOp::create(b, loc, op.getResultGrad(), op.getQ(), k, v, op.getLse(), delta, mask,
                                     op.getCausalAttr(), op.getScaleAttr(), op.getMaskedValueAttr(), ValueRange());
    auto keyValue =
        AttentionGradKeyValueOp::create(b, loc, op.getResultGrad(), op.getQ(), k, v, op.getLse(), delta, mask,
                                        op.getCausalAttr(), op.getScaleAttr(), op.getMaskedValueAttr(), ValueRange());
    // A head's gradient is the sum of those of all heads of queries that it serves.
    auto ofGroup = [&](Value gradient) {
      if (groups == heads)
        return gradient;
      ArrayRef<int64_t> shape = shapeOf(gradient);
      gradient = reshape(b, loc, gradient, {shape[0], groups, heads / groups, shape[2], shape[3]});
      return reduce(b, loc, ReduceKind::Sum, gradient, {2});
    };
    rewriter.replaceOp(op, {query.getDq(), ofGroup(keyValue.getDk()), ofGroup(keyValue.getDv())});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Composite ops
//===----------------------------------------------------------------------===//

struct Decompose : OpInterfaceRewritePattern<CompositeOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(CompositeOp op, PatternRewriter &rewriter) const override {
    if (!hasStaticShapes(op))
      return rewriter.notifyMatchFailure(op, "its shape is dynamic");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> results;
    op.decompose(b, results);
    rewriter.replaceOp(op, results);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Products with wide sums
//===----------------------------------------------------------------------===//

/// Sums wider than the families' own are those of wider matrices.
struct WidenSums : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    if (!op.hasWideSums())
      return rewriter.notifyMatchFailure(op, "its sums are of the default type");
    Location loc = op.getLoc();
    Type sums = *op.getAccumulate();
    Value lhs = cast(rewriter, loc, op.getLhs(), sums), rhs = cast(rewriter, loc, op.getRhs(), sums);
    Value wide = MatmulOp::create(rewriter, loc, lhs, rhs, op.getTransposeLhs(), op.getTransposeRhs(),
                                  /*accumulate=*/TypeAttr());
    rewriter.replaceOp(op, cast(rewriter, loc, wide, op.getType().getElementType()));
    return success();
  }
};

struct SplitLaunchesPass : nova::impl::SplitLaunchesPassBase<SplitLaunchesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitReduce, OverLastAxis<SoftmaxOp>, OverLastAxis<SoftmaxGradOp>, OverLastAxis<LogSoftmaxOp>,
                 OverLastAxis<CumsumOp>, SplitGlobalNorm, SplitCrossEntropy, SplitCrossEntropyGrad,
                 SplitNormGrad<LayerNormGradOp>, SplitNormGrad<RmsNormGradOp>, AttentionToNothing, SimplifyAttention,
                 SplitAttentionGrad, Decompose, WidenSums>(&getContext());
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    // A concat of thousands of gradients, and a return of thousands of results, would be folded once for each of their
    // operands that changes, at the price of all of them.
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (op != getOperation() && !isa<ConcatOp>(op) && !op->hasTrait<OpTrait::IsTerminator>())
        ops.push_back(op);
    });
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
