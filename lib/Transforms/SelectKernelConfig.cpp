//===- SelectKernelConfig.cpp - --nova-select-kernel-config ---------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nova/Dialect/MovedAxes.h"
#include "Nova/Dialect/Target.h"
#include "Nova/Transforms/Passes.h"
#include "ScheduleStrategy.h"

namespace mlir::nova {
#define GEN_PASS_DEF_SELECTKERNELCONFIGPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

namespace {
/// Elements that a block of a memory-bound kernel works on: enough to outweigh its start, few enough for many blocks.
constexpr int64_t kCpuBlock = 16384, kGpuBlock = 8192;
/// Blocks that keep every multiprocessor busy: before there are so many, blocks are smaller.
constexpr int64_t kGpuBlocks = 1024;
constexpr int64_t kGpuThreads = 256, kWarp = 32;
/// A row up to this length is a single warp's, which needs no barrier.
constexpr int64_t kWarpRow = 1024;
/// Rows of A that a block of a matmul reads against one packed panel of B.
constexpr int64_t kMatmulRows = 256;
/// Rows and columns of a warp's tile of tf32: two by four products of tensor cores.
constexpr int64_t kWarpTile = 32;
/// Rows and columns of a block's tile on tensor cores: four warps' sums fill half of a multiprocessor's registers; less
/// where fewer blocks of that size than a card has multiprocessors would be.
constexpr int64_t kLargeTile = 128, kSmallTile = 64, kMultiprocessors = 142;
/// The register tile of products of matrices, and the rows of a block of them: packing is what they wait for.
constexpr int64_t kMatrixRows = 32, kMatrixVectors = 8, kMatrixBlockRows = 512;
/// A transposed left operand is packed once for all panels of a block: as many as leave this many blocks, up to a
/// limit.
constexpr int64_t kTransposedBlocks = 16, kTransposedPanels = 6;
/// Queries (or keys) of a block of attention.
constexpr int64_t kAttentionRows = 64;
/// Blocks that a scatter is cut into: each reads all indices.
constexpr int64_t kScatterBlocks = 32, kGpuScatterBlocks = 128;

/// bf16 or f16, if the kernel's product is one of numbers that are widened from that.
Type pairedElementOf(KernelOp kernel) {
  Type element;
  kernel.walk([&](MatmulOp matmul) { element = matmul.getPairedElement(); });
  return element;
}

/// Whether the kernel's product has factors and sums of f32, which they may have been widened to.
bool multipliesF32(KernelOp kernel) {
  bool found = false;
  kernel.walk([&](MatmulOp matmul) { found = matmul.getType().getElementType().isF32(); });
  return found && kernel.getFamily() == Family::Matmul;
}

class ConfigChooser {
public:
  ConfigChooser(KernelOp kernel, const TargetInfo &target, MatmulPrecision precision)
      : kernel(kernel), target(target), precision(precision), type(cast<RankedTensorType>(kernel.getResultTypes()[0])),
        shape(type.getShape()) {}

  KernelConfigAttr choose() {
    switch (kernel.getFamily()) {
    case Family::Matmul:
      return matmul();
    case Family::Attention:
      return attention();
    case Family::Row:
      return row();
    case Family::Column:
      return column();
    case Family::Index:
      if (!kernel.getBody().getOps<ScatterAddOp>().empty())
        return scatter();
      [[fallthrough]];
    case Family::Elementwise:
    case Family::Generic:
      return elementwise();
    }
    llvm_unreachable("all families are above");
  }

private:
  KernelConfigAttr config(ArrayRef<int64_t> tile, ArrayRef<int64_t> micro = {}, int64_t threads = kGpuThreads,
                          bool pairs = false, bool tf32 = false) {
    return KernelConfigAttr::get(kernel.getContext(), tile, target.lanes, micro, target.gpu ? threads : 0, pairs, tf32,
                                 /*strategy=*/"", /*intrinsic=*/"", /*depth=*/0, /*stages=*/0);
  }

  KernelConfigAttr matmul() {
    SmallVector<int64_t> tile(shape.size(), 1);
    int64_t &rows = tile[tile.size() - 2], &columns = tile.back();
    int64_t m = shape[shape.size() - 2], n = shape.back();
    if (target.gpu) {
      if (pairedElementOf(kernel) && kTensorCores.applies(kernel))
        return tensorCores(m, n);
      int64_t blocks = type.getNumElements() / (128 * 64); // taller register tiles, where that leaves enough of them
      rows = blocks < kGpuBlocks / 8 || m < 128 ? 64 : 128, columns = 64;
      if (precision == MatmulPrecision::Tf32 && multipliesF32(kernel)) {
        int64_t warps = rows / kWarpTile * (columns / kWarpTile);
        return config(tile, {kWarpTile, kWarpTile}, warps * kWarp, /*pairs=*/false, /*tf32=*/true);
      }
      return config(tile, {rows / 16, columns / 16});
    }
    Type element = pairedElementOf(kernel);
    bool inPairs = target.bf16Pairs && element && element.isBF16();
    if (inPairs && target.bf16Matrices && m >= kMatrixRows / 2) {
      int64_t blocks = llvm::divideCeil(m, kMatrixBlockRows);
      int64_t vectors = std::clamp<int64_t>(llvm::divideCeil(n, target.lanes), 1, kMatrixVectors);
      rows = llvm::alignTo(llvm::divideCeil(m, blocks), kMatrixRows);
      columns = vectors * target.lanes * panelsOf(blocks, llvm::divideCeil(n, vectors * target.lanes));
      return config(tile, {kMatrixRows, vectors}, /*threads=*/0, /*pairs=*/true);
    }
    // With few rows a tile that leaves none over beats a taller one.
    int64_t micro = m < 8 * target.microRows && m % target.microRows && m % 4 == 0 ? 4 : target.microRows;
    micro = std::clamp<int64_t>(m, 1, micro);
    int64_t vectors = std::clamp<int64_t>(llvm::divideCeil(n, target.lanes), 1, target.microVectors);
    int64_t blocks = std::max<int64_t>(llvm::divideCeil(m, kMatmulRows), 1);
    rows = std::max<int64_t>(llvm::alignTo(llvm::divideCeil(m, blocks), micro), micro);
    columns = vectors * target.lanes * panelsOf(blocks, llvm::divideCeil(n, vectors * target.lanes));
    // Where pairs are fast only as matrices, few rows are multiplied as floats.
    return config(tile, {micro, vectors}, /*threads=*/0, inPairs && !target.bf16Matrices);
  }

  /// A product of bf16 or f16 by the strategy of that name. Tiles as large as leave a block for each multiprocessor.
  KernelConfigAttr tensorCores(int64_t m, int64_t n) {
    int64_t batch = type.getNumElements() / std::max<int64_t>(m * n, 1);
    auto blocks = [&](int64_t size) { return batch * llvm::divideCeil(m, size) * llvm::divideCeil(n, size); };
    bool large = std::min(m, n) > kSmallTile && blocks(kLargeTile) >= kMultiprocessors;
    bool tiny = std::min(m, n) <= kSmallTile / 2;
    int64_t size = large ? kLargeTile : tiny ? kSmallTile / 2 : kSmallTile;
    SmallVector<int64_t> tile(shape.size(), 1);
    tile[tile.size() - 2] = tile.back() = size;
    StringRef intrinsic = pairedElementOf(kernel).isBF16() ? "mma.m16n8k16.bf16" : "mma.m16n8k16.f16";
    return KernelConfigAttr::get(kernel.getContext(), tile, target.lanes, {size / 2, size / 2}, 4 * kWarp,
                                 /*pairs=*/false, /*tf32=*/false, kTensorCores.name, intrinsic, /*depth=*/32,
                                 /*stages=*/large ? 3 : 4);
  }

  /// Panels of a block of a product, of which there are `panels` for each of `blocks` blocks of rows.
  int64_t panelsOf(int64_t blocks, int64_t panels) {
    bool isTransposed = false;
    kernel.walk([&](MatmulOp matmul) { isTransposed = matmul.getTransposeLhs(); });
    return isTransposed ? std::clamp<int64_t>(blocks * panels / kTransposedBlocks, 1, kTransposedPanels) : 1;
  }

  KernelConfigAttr attention() {
    // Of batch, head, position and head size, in the order of the first result. On a GPU a warp has a row of its own.
    const int64_t sizes[] = {1, 1, target.gpu ? kGpuThreads / kWarp : kAttentionRows, 0};
    Value result = cast<ReturnOp>(kernel.getBody().front().getTerminator()).getValues().front();
    return config(llvm::map_to_vector(getMovedAxes(result), [&](int64_t axis) { return sizes[axis]; }));
  }

  KernelConfigAttr row() {
    if (std::optional<unsigned> partials = countPartialAxes()) { // a block for each partial sum
      SmallVector<int64_t> tile(shape.size(), 0);
      std::fill_n(tile.begin(), *partials, 1);
      return config(tile, {}, threadsFor(shape.back()));
    }
    // Axes that the row's op keeps apart are cut; the row itself is whole.
    auto anchor = llvm::find_if(kernel.getBody().front(), [](Operation &op) {
      return isa<SoftmaxOp, SoftmaxGradOp, LogSoftmaxOp, CumsumOp, LayerNormOp, RmsNormOp, CrossEntropyOp,
                 CrossEntropyGradOp, ReduceOp>(op);
    });
    if (anchor == kernel.getBody().front().end())
      return elementwise();
    int64_t length = 1;
    for (Value operand : anchor->getOperands())
      if (auto operandType = dyn_cast<RankedTensorType>(operand.getType()); operandType && operandType.getRank())
        length = std::max(length, operandType.getShape().back());
    SmallVector<int64_t> tile(shape.size(), 0);
    bool rowIsInResult = !isa<CrossEntropyOp, ReduceOp>(*anchor);
    if (auto reduce = dyn_cast<ReduceOp>(*anchor))
      rowIsInResult = reduce.getKeepDims();
    int64_t axes = int64_t(shape.size()) - rowIsInResult;
    int64_t rows = ShapedType::getNumElements(shape.take_front(axes));
    fillFromTheEnd(MutableArrayRef(tile).take_front(axes), shape, std::max<int64_t>(budget(rows * length) / length, 1));
    return config(tile, {}, length <= kWarpRow ? kWarp : kGpuThreads);
  }

  /// Axes along which the gradient of a norm keeps its sums apart, if there is one in the kernel.
  std::optional<unsigned> countPartialAxes() {
    for (LayerNormGradOp grad : kernel.getBody().getOps<LayerNormGradOp>())
      return grad.getPartials();
    for (RmsNormGradOp grad : kernel.getBody().getOps<RmsNormGradOp>())
      return grad.getPartials();
    return std::nullopt;
  }

  KernelConfigAttr column() {
    SmallVector<int64_t> tile(shape.size(), 1);
    int64_t threads = threadsFor(shape.back());
    tile.back() = target.gpu ? threads : 16 * target.lanes;
    return config(tile, {}, threads);
  }

  KernelConfigAttr scatter() {
    SmallVector<int64_t> tile(shape.size(), 0);
    tile[0] = std::max<int64_t>(llvm::divideCeil(shape[0], target.gpu ? kGpuScatterBlocks : kScatterBlocks), 1);
    return config(tile);
  }

  KernelConfigAttr elementwise() {
    SmallVector<int64_t> tile(shape.size(), 0);
    fillFromTheEnd(tile, shape, budget(type.getNumElements()));
    return config(tile);
  }

  /// Elements of a block, of `total` in all.
  int64_t budget(int64_t total) {
    if (!target.gpu)
      return kCpuBlock;
    return std::clamp<int64_t>(llvm::alignTo(llvm::divideCeil(total, kGpuBlocks), kGpuThreads), kGpuThreads, kGpuBlock);
  }
  /// A thread for each column, up to a full block.
  static int64_t threadsFor(int64_t columns) {
    return std::clamp<int64_t>(llvm::alignTo(columns, kWarp), kWarp, kGpuThreads);
  }

  /// Whole axes from the last on while `budget` elements allow, then a part of one, then 1.
  static void fillFromTheEnd(MutableArrayRef<int64_t> tile, ArrayRef<int64_t> shape, int64_t budget) {
    for (int64_t d = int64_t(tile.size()) - 1; d >= 0; --d) {
      tile[d] = std::clamp<int64_t>(budget, 1, std::max<int64_t>(shape[d], 1));
      budget /= tile[d];
    }
  }

  KernelOp kernel;
  const TargetInfo &target;
  MatmulPrecision precision;
  RankedTensorType type;
  ArrayRef<int64_t> shape;
};

struct SelectKernelConfigPass : nova::impl::SelectKernelConfigPassBase<SelectKernelConfigPass> {
  using SelectKernelConfigPassBase::SelectKernelConfigPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    auto info = lookupTarget(target);
    if (!info) {
      kernel.emitOpError("unknown target ") << target << "; expected one of " << targetNames();
      return signalPassFailure();
    }
    if (kernel.getResultTypes().empty()) {
      kernel.emitOpError("has no result");
      return signalPassFailure();
    }
    if (!kernel.getConfig())
      kernel.setConfigAttr(ConfigChooser(kernel, *info, precision).choose());
    if (failed(verifyConfig(kernel, *info)))
      signalPassFailure();
  }

  /// A configuration written by hand must fit the kernel and the target as well.
  static LogicalResult verifyConfig(KernelOp kernel, const TargetInfo &target) {
    KernelConfigAttr config = kernel.getConfigAttr();
    auto type = cast<RankedTensorType>(kernel.getResultTypes()[0]);
    if (int64_t(config.getTile().size()) != type.getRank())
      return kernel.emitOpError("expected a tile of rank ")
             << type.getRank() << ", that of the first result, found [" << config.getTile() << "]";
    if (config.getLanes() != target.lanes)
      return kernel.emitOpError("expected ")
             << target.lanes << " lanes for " << target.name << ", found " << config.getLanes();
    if (failed(verifyStrategy(kernel, target.sharedBytes)))
      return failure();
    Type element = pairedElementOf(kernel);
    if (config.getPairs() && !(target.bf16Pairs && element && element.isBF16()))
      return kernel.emitOpError(
          "expected pairs only for a product of widened bf16 on avx512_bf16 or amx_bf16; leave them out");
    if (target.gpu != (config.getThreads() != 0))
      return kernel.emitOpError(target.gpu ? "expected threads on a GPU" : "expected no threads on a CPU")
             << ", found " << config.getThreads();
    if (config.getTf32() && !multipliesF32(kernel))
      return kernel.emitOpError("expected tf32 only for a product of f32; leave it out");
    if (kernel.getFamily() != Family::Matmul || target.gpu) // the op verifies what threads are given
      return success();
    ArrayRef<int64_t> tile = config.getTile(), micro = config.getMicro();
    if (config.usesMatrices() && target.bf16Matrices) {
      if (micro.size() != 2 || micro[0] > kMatrixRows || micro[1] < 1 || micro[1] > kMatrixVectors ||
          tile[tile.size() - 2] % micro[0] || !tile[tile.size() - 2])
        return kernel.emitOpError("expected a register tile of 16 or 32 rows, which divide the tile's, and of at most ")
               << kMatrixVectors << " vectors, found tile = [" << tile << "] and micro = [" << micro << "]";
      return success();
    }
    if (micro.size() != 2 || micro[0] * micro[1] > 24)
      return kernel.emitOpError("expected a register tile of at most 24 vectors, found micro = [") << micro << "]";
    return success();
  }
};
} // namespace
