//===- ScheduleTensorCores.cpp - A product on matrix instructions ---------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block multiplies [rows, depth] by [depth, columns] in each step along K. Operands go to shared memory in the order
// in which memory has them, 16 bytes at a time where rows are aligned to that, and are transposed as fragments are
// loaded. Warps have a part of the sums each, in registers; what follows the product is computed on them.
//
//===----------------------------------------------------------------------===//

#include "ScheduleStrategy.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
/// The parameters, by their names in this file.
struct Parameters {
  explicit Parameters(KernelConfigAttr config)
      : rows(config.getTile()[config.getTile().size() - 2]), columns(config.getTile().back()), depth(config.getDepth()),
        warpRows(config.getMicro()[0]), warpColumns(config.getMicro()[1]), stages(config.getStages()),
        threads(config.getThreads()), intrinsic(*lookupIntrinsic(config.getIntrinsic())) {}

  int64_t rows, columns, depth, warpRows, warpColumns, stages, threads;
  const MatrixIntrinsic &intrinsic;

  FragmentAttr fragment(MLIRContext *context, MatrixOperand operand) const {
    return FragmentAttr::get(context, intrinsic.name, operand, {rows / warpRows, columns / warpColumns});
  }
};

/// The kernel's only product, if its operands are read as memory has them: the type of their elements there.
struct Product {
  MatmulOp op;
  Value lhs, rhs; // slices of arguments, or arguments
  Type factor;
};

class BlockBuilder {
public:
  BlockBuilder(OpBuilder &b, Product product, const Parameters &p)
      : b(b), loc(product.op.getLoc()), product(product), p(p) {}

  /// The product's sums, a tile of registers.
  Value build() {
    MLIRContext *context = b.getContext();
    auto type = RankedTensorType::get({p.rows, p.columns}, b.getF32Type(), p.fragment(context, MatrixOperand::Sums));
    Value zero = ConstantOp::create(b, loc, DenseElementsAttr::get(type, 0.0f));
    ArrayRef<int64_t> lhs = product.op.getLhs().getType().getShape();
    int64_t depth = lhs[lhs.size() - (product.op.getTransposeLhs() ? 2 : 1)];
    Value from = index(0), to = index(depth), step = index(p.depth);
    auto loop = scf::ForOp::create(b, loc, from, to, step, zero);
    loop->setAttr("nova.stages", b.getI64IntegerAttr(p.stages));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value x = copy(product.lhs, product.op.getTransposeLhs(), p.rows, loop.getInductionVar());
    Value y = copy(product.rhs, !product.op.getTransposeRhs(), p.columns, loop.getInductionVar());
    CommitOp::create(b, loc);
    WaitOp::create(b, loc, b.getI64IntegerAttr(0));
    BarrierOp::create(b, loc);
    Value left = fragment(x, product.op.getTransposeLhs(), MatrixOperand::Lhs);
    Value right = fragment(y, product.op.getTransposeRhs(), MatrixOperand::Rhs);
    Value sums = ContractOp::create(b, loc, type, left, right, loop.getRegionIterArg(0));
    BarrierOp::create(b, loc);
    scf::YieldOp::create(b, loc, sums);
    return loop.getResult(0);
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  /// The step's part of an operand, in shared memory as memory has it: [K, extent] if K is its slower axis.
  Value copy(Value operand, bool kIsSlow, int64_t extent, Value k) {
    auto slice = operand.getDefiningOp<tensor::ExtractSliceOp>();
    auto source = cast<TypedValue<RankedTensorType>>(slice ? slice.getSource() : operand);
    int64_t rank = source.getType().getRank();
    SmallVector<int64_t> shape =
        kIsSlow ? SmallVector<int64_t>{p.depth, extent} : SmallVector<int64_t>{extent, p.depth};
    SmallVector<Value> offsets;
    for (int64_t axis = 0; axis < rank; ++axis)
      offsets.push_back(slice ? getValueOrCreateConstantIndexOp(b, loc, slice.getMixedOffsets()[axis]) : index(0));
    offsets[kIsSlow ? rank - 2 : rank - 1] = k;
    SmallVector<bool> inBounds;
    for (unsigned i : {0, 1})
      inBounds.push_back(source.getType().getDimSize(rank - 2 + i) % shape[i] == 0);
    Type element = product.factor;
    unsigned bits = element.getIntOrFloatBitWidth();
    auto type = RankedTensorType::get(shape, element, swizzledRows(b.getContext(), shape, bits));
    Value room = AllocateOp::create(b, loc, type);
    // As many bytes at once as rows are aligned to. Copies of fewer than 4 go through registers.
    int64_t width = std::min<int64_t>(128 / bits, shape[1]);
    while (width > 1 && knownAlignment(source.getType(), getAsOpFoldResult(offsets), width) * 8 < width * int64_t(bits))
      width /= 2;
    ThreadsAttr by = rowsByThreads(b.getContext(), shape, width, p.threads);
    if (width * bits >= 32)
      return CopyAsyncOp::create(b, loc, type, source, room, offsets, by, b.getDenseBoolArrayAttr(inBounds));
    Value loaded = LoadOp::create(b, loc, RankedTensorType::get(shape, element, by), source, offsets, inBounds);
    return ConvertLayoutOp::create(b, loc, type, loaded, room);
  }

  Value fragment(Value tile, bool isTransposed, MatrixOperand which) {
    if (isTransposed)
      tile = TransposeOp::create(b, loc, tile, ArrayRef<int64_t>{1, 0});
    auto type = RankedTensorType::get(shapeOf(tile), product.factor, p.fragment(b.getContext(), which));
    return ConvertLayoutOp::create(b, loc, type, tile, Value());
  }

  OpBuilder &b;
  Location loc;
  Product product;
  const Parameters &p;
};
} // namespace

/// Where a product's factor lies, if it is read as it is: under the cast that widens it, if there is one.
static std::optional<Product> findProduct(KernelOp kernel) {
  MatmulOp matmul;
  unsigned count = 0;
  kernel.walk([&](MatmulOp op) { matmul = op, ++count; });
  if (count != 1 || !matmul.getType().getElementType().isF32())
    return std::nullopt;
  auto rawOf = [](Value factor) {
    if (auto cast = factor.getDefiningOp<CastOp>())
      factor = cast.getX();
    Operation *op = factor.getDefiningOp();
    return !op || isa<tensor::ExtractSliceOp>(op) ? factor : Value();
  };
  Product product{matmul, rawOf(matmul.getLhs()), rawOf(matmul.getRhs()), {}};
  if (!product.lhs || !product.rhs)
    return std::nullopt;
  product.factor = tensorType(product.lhs).getElementType();
  bool isKnown = product.factor.isBF16() || product.factor.isF16() || product.factor.isF32();
  if (!isKnown || tensorType(product.rhs).getElementType() != product.factor)
    return std::nullopt;
  return product;
}

/// What the kernel's results are made of: stored tiles in a grid, or returned tensors.
static SmallVector<Value> storedValues(KernelOp kernel) {
  auto grids = kernel.getBody().getOps<scf::ForallOp>();
  if (grids.empty())
    return SmallVector<Value>(kernel.getReturned());
  SmallVector<Value> stored;
  for (Operation &op : (*grids.begin()).getTerminator().getYieldingOps())
    stored.push_back(cast<tensor::ParallelInsertSliceOp>(op).getSource());
  return stored;
}

static bool appliesTensorCores(KernelOp kernel) {
  std::optional<Product> product = findProduct(kernel);
  // A product without elements has no tiles.
  return product && product->op.getType().getRank() >= 2 &&
         llvm::all_of(kernel.getArgumentTypes(),
                      [](Type t) { return cast<RankedTensorType>(t).getNumElements() > 0; }) &&
         EpilogueBuilder::canBuild(product->op.getResult(), storedValues(kernel));
}

static LogicalResult verifyTensorCores(KernelOp kernel, int64_t sharedBytes) {
  KernelConfigAttr config = kernel.getConfigAttr();
  ArrayRef<int64_t> tile = config.getTile();
  const MatrixIntrinsic *intrinsic = lookupIntrinsic(config.getIntrinsic());
  Type factor = findProduct(kernel)->factor;
  if (!intrinsic || intrinsic->factorType(kernel.getContext()) != factor)
    return kernel.emitOpError("expected an intrinsic for factors of ")
           << factor << ", found '" << config.getIntrinsic() << "'";
  if (tile.size() < 2 || config.getMicro().size() != 2 || !config.getDepth() || !config.getStages())
    return kernel.emitOpError("expected a tile of at least two axes, micro, depth and stages with the strategy "
                              "tensor_cores");
  if (llvm::any_of(tile.drop_back(2), [](int64_t size) { return size != 1; }))
    return kernel.emitOpError("expected a tile of 1 along leading axes, found [") << tile << "]";
  Parameters p(config);
  bool arePowers = llvm::all_of(ArrayRef<int64_t>{p.rows, p.columns, p.warpRows, p.warpColumns, p.depth, p.threads},
                                [](int64_t size) { return size > 0 && llvm::isPowerOf2_64(size); });
  if (!arePowers || p.rows % p.warpRows || p.columns % p.warpColumns || p.warpRows % intrinsic->m ||
      p.warpColumns % intrinsic->n || p.depth % intrinsic->k ||
      p.rows / p.warpRows * (p.columns / p.warpColumns) * 32 != p.threads)
    return kernel.emitOpError("expected powers of two that the instruction's ")
           << intrinsic->m << "x" << intrinsic->n << "x" << intrinsic->k
           << " divides, and a warp for each part of the tile, found tile = [" << tile << "], micro = ["
           << config.getMicro() << "], depth = " << p.depth << " and " << p.threads << " threads";
  if (p.warpRows * p.warpColumns > 32 * 128)
    return kernel.emitOpError("expected at most 128 sums for each thread, found micro = [") << config.getMicro() << "]";
  int64_t bytes = p.stages * p.depth * (p.rows + p.columns) * factor.getIntOrFloatBitWidth() / 8;
  bytes = std::max(bytes, p.rows * p.columns * 2); // results of 16 bits go through shared memory
  if (bytes > sharedBytes)
    return kernel.emitOpError("needs ") << bytes << " bytes of shared memory for " << p.stages
                                        << " stages, but a block has " << sharedBytes
                                        << "; a smaller tile or fewer stages need less";
  return success();
}

static LogicalResult buildTensorCores(KernelOp kernel, scf::ForallOp grid) {
  Parameters p(kernel.getConfigAttr());
  Product product = *findProduct(kernel);
  OpBuilder b(grid.getTerminator());
  Value sums = BlockBuilder(b, product, p).build();
  return EpilogueBuilder(b, product.op.getResult(), sums, p.threads).store(grid);
}

const ScheduleStrategy nova::kTensorCores = {"tensor_cores", appliesTensorCores, verifyTensorCores, buildTensorCores};
