//===- MatmulCpu.cpp - Register-tiled matmul for CPUs ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is some rows by one or several panels of columns. B is packed once per block, K-block by K-block, into a
// panel [KC][NR] of whole vectors; A is broadcast from memory, or from a copy that all panels of the block share; a
// tile of MR x NR accumulators stays in registers over the K loop. Sums go through a local buffer to the epilogue when
// there is one, or when there are several K-blocks.
//
//===----------------------------------------------------------------------===//

#include "MatmulOperands.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
class MatmulBlock {
public:
  MatmulBlock(TileEmitter &e, MatmulOp op, MatmulOperands &operands)
      : e(e), b(e.b), op(op), operands(operands), element(operands.element), sizes(e.sizes(op.getResult())),
        rank(sizes.size()), m(sizes[rank - 2]), n(sizes[rank - 1]), kSize(operands.kSize), vectors(operands.vectors),
        columns(operands.columns), kBlock(operands.kBlock), blockRows(operands.blockRows()) {
    rows = e.kernel.getConfigAttr().getMicro()[0];
    auto result = cast<RankedTensorType>(e.kernel.getResultTypes()[0]);
    edge = result.getShape().back() % columns != 0;
    tailRows = result.getDimSize(result.getRank() - 2) % rows;
    several = kSize > kBlock;
    // A single output that is the product itself needs no buffer.
    direct = !several && !operands.sumsInMemory() && e.isOutput(op.getResult()) &&
             llvm::hasSingleElement(e.grid.getTerminator().getYieldingOps());
  }

  void emit() {
    operands.allocate();
    operands.begin();
    if (!direct) {
      bufferRows = several ? llvm::alignTo(blockRows, rows) : rows;
      allSums = e.buffer(bufferRows * (several ? llvm::alignTo(e.blockExtent(rank - 1), columns) : columns), element);
    }
    e.loops(ArrayRef(sizes).drop_back(2), [&](ArrayRef<Value> leading) {
      operands.batch.assign(leading.begin(), leading.end());
      e.loop(e.cst(0), e.cst(std::max<int64_t>(kSize, 1)), kBlock, [&](Value k) {
        Value count = e.minimum(e.sub(e.cst(kSize), k), e.cst(kBlock));
        operands.prepareLeft(k, count);
        if (several) {
          isNext = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, k, e.cst(0));
          isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, e.add(k, kBlock), e.cst(kSize));
        }
        e.loop(e.cst(0), n, columns, [&](Value j) { emitPanel(j, k, count); });
      });
    });
    operands.end();
  }

private:
  Coords output(Value row, Value column) {
    Coords where;
    for (Value v : operands.batch)
      where.push_back({v});
    where.push_back({row});
    where.push_back({column, 1});
    return where;
  }

  /// One panel's part of a K-block.
  void emitPanel(Value j, Value k, Value count) {
    if (!direct) // Sums of several K-blocks lie panel after panel.
      sums = several ? e.pointer(allSums, e.mul(j, bufferRows), element) : allSums;
    column.clear(), masks.clear();
    for (int64_t v = 0; v < vectors; ++v) {
      column.push_back(e.add(j, v * e.lanes));
      masks.push_back(edge ? e.mask(e.sub(n, column[v])) : Value());
    }
    Value whole = e.floorTo(m, rows);
    operands.packRight(column, masks, k, count);
    e.loop(e.cst(0), whole, rows, [&](Value i) { emitTile(i, rows, j, k, count); });
    if (tailRows)
      e.when(arith::CmpIOp::create(b, arith::CmpIPredicate::slt, whole, m),
             [&] { emitTile(whole, tailRows, j, k, count); });
    e.unbind();
  }

  /// Runs the body in the last K-block.
  void whenLast(function_ref<void()> body) { several ? e.when(isLast, body) : body(); }

  /// `count` rows of accumulators over one K-block, and what becomes of them: after the last one the epilogue, while
  /// the sums are in the nearest cache.
  void emitTile(Value i, int64_t count, Value j, Value k, Value kCount) {
    Value slot = several ? i : e.cst(0); // the tile's row of the buffer
    if (operands.sumsInMemory())
      operands.sumTile(
          i, k, kCount, isNext, sumSlot(slot, 0), [&](Value row, int64_t height, int64_t v, int64_t width) {
            whenLast([&] { e.loop(row, e.add(row, height), 1, [&](Value r) { prefetchRow(r, v, width); }); });
          });
    else
      sumInRegisters(i, count, k, operands.units(kCount), slot);
    if (!direct)
      whenLast([&] { emitEpilogue(i, e.cst(count), j, several ? e.cst(0) : i); });
  }

  /// Asks for the lines that the epilogue reads and writes in a row, in `width` vectors from the panel's `v` on.
  void prefetchRow(Value row, int64_t v, int64_t width) {
    e.bind(op.getResult(), {});
    for (int64_t x = v; x < v + width; ++x)
      e.prefetchStore(output(row, column[x]), x * e.lanes);
    e.unbind();
  }

  void sumInRegisters(Value i, int64_t count, Value k, Value total, Value slot) {
    SmallVector<Value> initial(count * vectors, e.splat(element, 0));
    if (several) // goes on from what the K-blocks before have left
      for (auto [x, start] : llvm::enumerate(initial))
        start = arith::SelectOp::create(b, isNext, e.loadVector(sumSlot(slot, x), element), start);
    SmallVector<Value> sum = accumulate(i, count, k, total, initial);
    for (int64_t x = 0; x < count * vectors; ++x)
      if (direct)
        e.storeOutput(op.getResult(), sum[x], output(e.add(i, x / vectors), column[x % vectors]), masks[x % vectors]);
      else
        e.storeValue(sum[x], sumSlot(slot, x));
  }

  /// Adds the products of `total` units to a tile's accumulators. What the epilogue reads and writes lies a row of the
  /// tensor apart, where no hardware prefetches it: the lines arrive meanwhile, row by row, as a core has few buffers
  /// for lines in flight, and the panel's lines wait for them too.
  SmallVector<Value> accumulate(Value i, int64_t count, Value k, Value total, ValueRange initial) {
    // Several units an iteration: short loops with few iterations are predicted, and a row's lines have time to arrive.
    constexpr int64_t kUnroll = 8, kPartUnits = 2 * kUnroll;
    int64_t parts = std::clamp<int64_t>(kBlock / kPartUnits, 1, count), height = llvm::divideCeil(count, parts);
    Value share = b.createOrFold<arith::CeilDivUIOp>(total, e.cst(parts * kUnroll));
    share = e.mul(share, kUnroll);
    return e.carry(e.cst(0), e.cst(parts), 1, initial, [&](Value part, ValueRange sums) {
      whenLast([&] {
        for (int64_t r = 0; r < height; ++r)
          prefetchRow(e.add(e.add(i, e.mul(part, height)), r), 0, vectors);
      });
      Value from = e.minimum(total, e.mul(part, share)), to = e.minimum(total, e.add(from, share));
      Value whole = e.add(from, e.floorTo(e.sub(to, from), kUnroll));
      SmallVector<Value> next = e.carry(from, whole, kUnroll, sums, [&](Value unit, ValueRange carried) {
        SmallVector<Value> unrolled(carried);
        for (int64_t u = 0; u < kUnroll; ++u)
          unrolled = multiplyUnit(i, count, k, e.add(unit, u), unrolled);
        return unrolled;
      });
      if (kSize % kUnroll == 0)
        return next;
      return e.carry(whole, to, 1, next, [&](Value unit, ValueRange carried) {
        return multiplyUnit(i, count, k, unit, SmallVector<Value>(carried));
      });
    });
  }

  /// Adds the products of one unit to a tile's accumulators.
  SmallVector<Value> multiplyUnit(Value i, int64_t count, Value k, Value unit, ArrayRef<Value> sums) {
    SmallVector<Value> next, right;
    for (int64_t v = 0; v < vectors; ++v)
      right.push_back(operands.right(unit, v));
    for (int64_t r = 0; r < count; ++r) {
      Value left = operands.left(e.add(i, r), k, unit);
      for (int64_t v = 0; v < vectors; ++v)
        next.push_back(operands.multiply(left, right[v], sums[r * vectors + v]));
    }
    return next;
  }

  /// Row x / vectors of the tile that begins at row i of the buffer.
  Value sumSlot(Value i, int64_t x) {
    Value row = e.add(i, x / vectors);
    return e.pointer(sums, e.add(e.mul(row, columns), x % vectors * e.lanes), element);
  }

  /// The outputs for `count` rows from row `i` of the block; the buffer begins at row `origin`.
  void emitEpilogue(Value i, Value count, Value j, Value origin) {
    SmallVector<int64_t> shape(rank, 1);
    SmallVector<Value> start(operands.batch);
    shape[rank - 2] = bufferRows, shape[rank - 1] = columns;
    start.append({origin, j});
    e.place(op.getResult(), sums, shape, start);
    Value width = e.minimum(e.sub(n, j), e.cst(columns));
    e.loop(e.cst(0), count, 1, [&](Value r) {
      e.vectors(width, [&](Value jj, Value mask) { e.store(output(e.add(i, r), e.add(j, jj)), mask); });
    });
    e.unplace(op.getResult());
  }

  TileEmitter &e;
  ImplicitLocOpBuilder &b;
  MatmulOp op;
  MatmulOperands &operands;
  Type element;
  SmallVector<Value> sizes;
  int64_t rank;
  Value m, n;
  int64_t kSize, vectors, columns, kBlock, blockRows, rows, tailRows, bufferRows = 0;
  bool edge, direct, several; ///< several K-blocks
  Value isNext, isLast;       ///< whether a K-block is not the first, and the last; null: it is alone
  Value allSums, sums;        ///< of the block, and of the current panel
  SmallVector<Value> column, masks;
};
} // namespace

static std::unique_ptr<MatmulOperands> createOperands(TileEmitter &e, MatmulOp matmul) {
  KernelConfigAttr config = e.kernel.getConfigAttr();
  if (!config.getPairs())
    return createFloatOperands(e, matmul);
  return config.usesMatrices() ? createAmxOperands(e, matmul) : createVnniOperands(e, matmul);
}

void nova::emitCpuMatmulBlock(TileEmitter &e, MatmulOp matmul) {
  std::unique_ptr<MatmulOperands> operands = createOperands(e, matmul);
  MatmulBlock(e, matmul, *operands).emit();
}
