//===- MatmulCpu.cpp - Register-tiled matmul for CPUs ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is some rows by one panel of columns. B is packed once per block, K-block by K-block, into a panel [KC][NR]
// of whole vectors; A is broadcast from memory; a tile of MR x NR accumulators stays in registers over the K loop. Sums
// go through a local buffer to the epilogue when there is one, or when there are several K-blocks.
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
    // A single output that is the product itself needs no buffer.
    direct = kSize <= kBlock && !operands.sumsInMemory() && e.isOutput(op.getResult()) &&
             llvm::hasSingleElement(e.grid.getTerminator().getYieldingOps());
  }

  void emit() {
    operands.allocate();
    operands.begin();
    bool several = kSize > kBlock;
    if (!direct) {
      bufferRows = several ? llvm::alignTo(blockRows, rows) : rows;
      sums = e.buffer(bufferRows * columns, element);
    }
    e.loops(ArrayRef(sizes).drop_back(2), [&](ArrayRef<Value> leading) {
      operands.batch.assign(leading.begin(), leading.end());
      e.loop(e.cst(0), n, columns, [&](Value j) { emitPanel(j, several); });
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

  void emitPanel(Value j, bool several) {
    column.clear(), masks.clear();
    for (int64_t v = 0; v < vectors; ++v) {
      column.push_back(e.add(j, v * e.lanes));
      masks.push_back(edge ? e.mask(e.sub(n, column[v])) : Value());
    }
    Value whole = e.floorTo(m, rows);
    e.loop(e.cst(0), e.cst(std::max<int64_t>(kSize, 1)), kBlock, [&](Value k) {
      Value count = e.minimum(e.sub(e.cst(kSize), k), e.cst(kBlock));
      operands.packRight(column, masks, k, count);
      operands.prepareLeft(k, count);
      Value first = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, k, e.cst(0));
      e.loop(e.cst(0), whole, rows, [&](Value i) { emitTile(i, rows, j, k, count, several, first); });
      if (tailRows)
        e.when(arith::CmpIOp::create(b, arith::CmpIPredicate::slt, whole, m),
               [&] { emitTile(whole, tailRows, j, k, count, several, first); });
    });
    if (several)
      emitEpilogue(e.cst(0), m, j, e.cst(0));
    e.unbind();
  }

  /// The lines that the epilogue of a tile reads and writes lie a row of the tensor apart, where no hardware prefetches
  /// them: they arrive while the tile computes.
  void prefetchOutputs(Value i, int64_t count) {
    e.bind(op.getResult(), {});
    for (int64_t x = 0; x < count * vectors; ++x)
      e.prefetchStore(output(e.add(i, x / vectors), column[x % vectors]));
    e.unbind();
  }

  /// `count` rows of accumulators over one K-block, and what becomes of them.
  void emitTile(Value i, int64_t count, Value j, Value k, Value kCount, bool several, Value first) {
    if (!several)
      prefetchOutputs(i, count);
    if (operands.sumsInMemory()) {
      Value accumulate = several ? arith::CmpIOp::create(b, arith::CmpIPredicate::ne, k, e.cst(0)) : Value();
      operands.sumTile(i, k, kCount, accumulate, sumSlot(several ? i : e.cst(0), 0));
      if (!several)
        emitEpilogue(i, e.cst(count), j, i);
      return;
    }
    SmallVector<Value> initial;
    Value zero = e.splat(element, 0);
    for (int64_t x = 0; x < count * vectors; ++x) {
      Value start = zero;
      if (several) { // goes on from what the K-blocks before have left
        Value before = e.loadVector(sumSlot(i, x), element);
        start = arith::SelectOp::create(b, first, zero, before);
      }
      initial.push_back(start);
    }
    auto sum = e.carry(e.cst(0), operands.units(kCount), 1, initial, [&](Value unit, ValueRange carried) {
      SmallVector<Value> next, right;
      for (int64_t v = 0; v < vectors; ++v)
        right.push_back(operands.right(unit, v));
      for (int64_t r = 0; r < count; ++r) {
        Value left = operands.left(e.add(i, r), k, unit);
        for (int64_t v = 0; v < vectors; ++v)
          next.push_back(operands.multiply(left, right[v], carried[r * vectors + v]));
      }
      return next;
    });
    for (int64_t x = 0; x < count * vectors; ++x) {
      if (direct)
        e.storeOutput(op.getResult(), sum[x], output(e.add(i, x / vectors), column[x % vectors]), masks[x % vectors]);
      else
        e.storeValue(sum[x], several ? sumSlot(i, x) : sumSlot(e.cst(0), x));
    }
    if (!direct && !several)
      emitEpilogue(i, e.cst(count), j, i);
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
  bool edge, direct;
  Value sums;
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
