//===- Tile.cpp - --nova-tile: a kernel as a grid of blocks ---------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nova/Dialect/Nova.h"
#include "Nova/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nova {
#define GEN_PASS_DEF_TILEPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

namespace {
using Sizes = SmallVector<OpFoldResult>;

/// Where a tile lies in its tensor.
struct Box {
  Sizes offsets, sizes;
  bool operator==(const Box &other) const { return offsets == other.offsets && sizes == other.sizes; }
};

static bool isUnitStrided(SliceOp slice) {
  return llvm::all_of(slice.getStrides(), [](int64_t stride) { return stride == 1; });
}

/// Makes the tiles of one block, from the results back to the arguments.
class BlockBuilder {
public:
  BlockBuilder(OpBuilder &b) : b(b) {}

  /// The value of `tensor` in a box: a slice of an argument, or its op again on tiles of the operands. Chains of ops
  /// are as long as kernels are: what waits for operands is on a stack of its own.
  FailureOr<Value> tileOf(Value tensor, const Box &box) {
    SmallVector<Waiting> stack;
    FailureOr<Value> value = begin(tensor, box, stack);
    if (failed(value))
      return failure();
    while (!stack.empty()) {
      Waiting &last = stack.back();
      SmallVector<Value> operands = last.op.getTensorOperands();
      if (unsigned number = last.operands.size(); number < operands.size()) {
        Box part = project(b, last.op.getOperandMap(number), last.domain);
        FailureOr<Value> operand = begin(operands[number], part, stack);
        if (failed(operand))
          return failure();
        if (*operand)
          last.operands.push_back(*operand);
        continue;
      }
      value = tileOp(last);
      stack.pop_back();
      if (!stack.empty())
        stack.back().operands.push_back(*value);
    }
    return value;
  }

  /// The only tile that was made of a tensor, or that follows from the only tile of what it is a transpose or cast of.
  FailureOr<std::pair<Box, Value>> onlyTileOf(Value tensor) {
    auto &tiles = made[tensor];
    if (tiles.size() == 1)
      return tiles.front();
    auto op = tensor.getDefiningOp<IndexedOp>();
    if (!tiles.empty() || !isa_and_nonnull<TransposeOp, CastOp>(op))
      return failure();
    auto before = onlyTileOf(op->getOperand(0));
    if (failed(before))
      return failure();
    Box domain;
    domain.offsets.resize(op.getLoopExtents().size()), domain.sizes.resize(domain.offsets.size());
    for (auto [axis, loop] : llvm::enumerate(op.getOperandMap(0).getResults())) {
      unsigned position = cast<AffineDimExpr>(loop).getPosition();
      domain.offsets[position] = before->first.offsets[axis], domain.sizes[position] = before->first.sizes[axis];
    }
    tileOp({op, 0, domain, {before->second}});
    return made[tensor].front();
  }

private:
  /// An op whose operands are being tiled.
  struct Waiting {
    IndexedOp op;
    unsigned result;
    Box domain;
    SmallVector<Value> operands;
  };

  /// The tile of a tensor that needs no others; null if its op waits for them now.
  FailureOr<Value> begin(Value tensor, Box box, SmallVector<Waiting> &stack) {
    // A slice of a slice is a slice.
    AffineExpr at = b.getAffineDimExpr(0);
    for (auto slice = tensor.getDefiningOp<SliceOp>(); slice && isUnitStrided(slice);
         slice = tensor.getDefiningOp<SliceOp>()) {
      for (auto [offset, start] : llvm::zip_equal(box.offsets, slice.getStarts()))
        offset = affine::makeComposedFoldedAffineApply(b, slice.getLoc(), at + start, {offset});
      tensor = slice.getX();
    }
    FailureOr<Value> value = leafOf(tensor, box);
    if (succeeded(value) && !*value && failed(await(tensor, box, stack)))
      return failure();
    return value;
  }

  LogicalResult await(Value tensor, const Box &box, SmallVector<Waiting> &stack) {
    auto result = cast<OpResult>(tensor);
    auto op = dyn_cast<IndexedOp>(result.getOwner());
    if (!op)
      return emitError(tensor.getLoc()) << "cannot be tiled: " << result.getOwner()->getName()
                                        << " has no indexing maps";
    Box domain;
    if (failed(domainOf(op, result.getResultNumber(), box, domain)))
      return failure();
    stack.push_back({op, result.getResultNumber(), domain, {}});
    return success();
  }

  /// The tile of what is made already, of an argument or of a constant; null for others.
  FailureOr<Value> leafOf(Value tensor, const Box &box) {
    for (auto &[known, value] : made[tensor])
      if (known == box)
        return value;
    if (auto constant = tensor.getDefiningOp<ConstantOp>())
      return tileOfConstant(constant, box);
    if (!isa<BlockArgument>(tensor))
      return Value();
    if (tensorType(tensor).getNumElements() == 0) // there is nothing to slice
      return tensor;
    Sizes ones(box.offsets.size(), b.getIndexAttr(1));
    Value slice = tensor::ExtractSliceOp::create(b, tensor.getLoc(), tensor, box.offsets, box.sizes, ones);
    made[tensor].push_back({box, slice});
    return slice;
  }

  static Box project(OpBuilder &b, AffineMap map, const Box &domain) {
    return {IndexedOp::project<OpFoldResult>(map, domain.offsets, b.getIndexAttr(0)),
            IndexedOp::project<OpFoldResult>(map, domain.sizes, b.getIndexAttr(1))};
  }

  /// The loops that a box of a result needs.
  LogicalResult domainOf(IndexedOp op, unsigned result, const Box &box, Box &domain) {
    auto kinds = op.getLoopKinds();
    domain.offsets.assign(kinds.size(), b.getIndexAttr(0));
    domain.sizes = getAsIndexOpFoldResult(b.getContext(), op.getLoopExtents());
    for (auto [axis, expression] : llvm::enumerate(op.getResultMap(result).getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expression);
      if (!dim)
        continue;
      unsigned loop = dim.getPosition();
      // A norm needs its whole row: part of the row can't be made from part of the loops.
      if (kinds[loop] == utils::IteratorType::reduction &&
          !(isZeroInteger(box.offsets[axis]) && box.sizes[axis] == domain.sizes[loop]))
        return op->emitOpError("cannot be made in part along axis ")
               << axis << ": choose a tile that holds it whole (0 in the kernel's config)";
      domain.offsets[loop] = box.offsets[axis], domain.sizes[loop] = box.sizes[axis];
    }
    return success();
  }

  Value tileOp(const Waiting &waiting) {
    const Box &domain = waiting.domain;
    IndexedOp op = waiting.op;
    SmallVector<Value> operands = waiting.operands;
    SmallVector<unsigned> positional = op.getPositionalLoops();
    for (unsigned loop : positional)
      operands.push_back(getValueOrCreateConstantIndexOp(b, op.getLoc(), domain.offsets[loop]));
    SmallVector<Type> types;
    for (auto [i, value] : llvm::enumerate(op->getResults())) {
      Box box = project(b, op.getResultMap(i), domain);
      auto type = tensorType(value);
      types.push_back(type.clone(decomposeMixedValues(box.sizes).first));
    }
    Operation *tiled = mlir::clone(b, op, types, operands);
    llvm::TypeSwitch<Operation *>(tiled) // the origin is a segment of its own
        .Case<ConcatOp, AttentionOp, AttentionGradQueryOp, AttentionGradKeyValueOp>(
            [&](auto op) { op.getProperties().operandSegmentSizes.back() = positional.size(); });
    for (auto [i, value] : llvm::enumerate(op->getResults()))
      made[value].push_back({project(b, op.getResultMap(i), domain), tiled->getResult(i)});
    return tiled->getResult(waiting.result);
  }

  FailureOr<Value> tileOfConstant(ConstantOp constant, const Box &box) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements || !elements.isSplat())
      return FailureOr<Value>(constant.emitOpError("cannot be tiled: expected one value for all elements; pass other "
                                                   "constants to the kernel as arguments"));
    auto value = cast<TypedAttr>(elements.getSplatValue<Attribute>());
    Value scalar = arith::ConstantOp::create(b, constant.getLoc(), value);
    auto [shape, dynamic] = decomposeMixedValues(box.sizes);
    auto type = constant.getType().clone(shape);
    Value splat = tensor::SplatOp::create(b, constant.getLoc(), type, scalar, dynamic);
    made[constant].push_back({box, splat});
    return splat;
  }

  OpBuilder &b;
  DenseMap<Value, SmallVector<std::pair<Box, Value>, 1>> made;
};

struct TilePass : nova::impl::TilePassBase<TilePass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (!kernel.getConfig()) {
      kernel.emitOpError("has no configuration; run --nova-select-kernel-config first");
      return signalPassFailure();
    }
    if (kernel.getBody().getOps<scf::ForallOp>().empty() && failed(tile(kernel)))
      signalPassFailure();
  }

  LogicalResult tile(KernelOp kernel) {
    Location loc = kernel.getLoc();
    auto ret = cast<ReturnOp>(kernel.getBody().front().getTerminator());
    if (ret.getValues().empty())
      return kernel.emitOpError("has no result");
    IRRewriter b(ret);
    auto lead = cast<RankedTensorType>(ret.getValues()[0].getType());
    ArrayRef<int64_t> tile = kernel.getConfigAttr().getTile();
    if (int64_t(tile.size()) != lead.getRank())
      return kernel.emitOpError("expected a tile of rank ") << lead.getRank() << ", found [" << tile << "]";
    SmallVector<Value> outs;
    for (Value v : ret.getValues()) {
      auto type = tensorType(v);
      outs.push_back(tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType()));
    }
    // The grid runs over the axes that the tile divides; a kernel of one block has a grid of one step.
    Sizes lower, upper, step;
    SmallVector<int64_t> divided;
    for (auto [axis, size] : llvm::enumerate(tile))
      if (size && size < lead.getDimSize(axis)) {
        divided.push_back(axis);
        lower.push_back(b.getIndexAttr(0));
        upper.push_back(b.getIndexAttr(lead.getDimSize(axis)));
        step.push_back(b.getIndexAttr(size));
      }
    if (divided.empty())
      lower = {b.getIndexAttr(0)}, upper = {b.getIndexAttr(1)}, step = {b.getIndexAttr(1)};
    auto grid = scf::ForallOp::create(b, loc, lower, upper, step, outs, std::nullopt);

    OpBuilder in = OpBuilder::atBlockBegin(grid.getBody());
    Box box;
    for (int64_t extent : lead.getShape())
      box.offsets.push_back(in.getIndexAttr(0)), box.sizes.push_back(in.getIndexAttr(extent));
    for (auto [i, axis] : llvm::enumerate(divided)) {
      Value at = grid.getInductionVar(i);
      box.offsets[axis] = at;
      box.sizes[axis] = in.getIndexAttr(tile[axis]);
      if (lead.getDimSize(axis) % tile[axis]) { // the last block is smaller
        AffineExpr left = in.getAffineConstantExpr(lead.getDimSize(axis)) - in.getAffineDimExpr(0);
        AffineMap map = AffineMap::get(1, 0, {left, in.getAffineConstantExpr(tile[axis])}, &getContext());
        box.sizes[axis] = Value(affine::AffineMinOp::create(in, loc, map, at));
      }
    }

    BlockBuilder block(in);
    SmallVector<std::pair<Box, Value>> results;
    for (Value v : ret.getValues()) {
      if (v.getType() == lead || shapeOf(v) == lead.getShape()) {
        auto part = block.tileOf(v, box);
        if (failed(part))
          return failure();
        results.push_back({box, *part});
      } else if (auto tile = block.onlyTileOf(v); succeeded(tile)) { // another result of an op, such as a log-sum-exp
        results.push_back(*tile);
      } else {
        return kernel.emitOpError("cannot be tiled: result ")
               << results.size() << " has another shape than the first and is no result of an op that makes the first";
      }
    }
    in.setInsertionPointToStart(grid.getTerminator().getBody());
    for (auto [i, result] : llvm::enumerate(results)) {
      auto &[where, value] = result;
      Sizes ones(where.offsets.size(), b.getIndexAttr(1));
      tensor::ParallelInsertSliceOp::create(in, loc, value, grid.getRegionOutArgs()[i], where.offsets, where.sizes,
                                            ones);
    }
    ret->setOperands(grid.getResults());
    (void)runRegionDCE(b, kernel->getRegions());
    return success();
  }
};
} // namespace
