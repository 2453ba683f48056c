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

#include "MatmulFactors.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
class MatmulBlock {
public:
  MatmulBlock(TileEmitter &e, MatmulOp op, MatmulFactors &factors)
      : e(e), b(e.b), op(op), factors(factors), element(factors.element), sizes(e.sizes(op.getResult())),
        rank(sizes.size()), m(sizes[rank - 2]), n(sizes[rank - 1]), depth(factors.depth), vectors(factors.vectors),
        columns(factors.columns), depthBlock(factors.depthBlock), blockRows(factors.blockRows()) {
    rows = e.kernel.getConfigAttr().getMicro()[0];
    auto result = cast<RankedTensorType>(e.kernel.getResultTypes()[0]);
    edge = result.getShape().back() % columns != 0;
    tailRows = result.getDimSize(result.getRank() - 2) % rows;
    // A single output that is the product itself needs no buffer.
    direct = depth <= depthBlock && !factors.sumsInMemory() && e.isOutput(op.getResult()) &&
             llvm::hasSingleElement(e.grid.getTerminator().getYieldingOps());
  }

  void emit() {
    factors.allocate();
    factors.begin();
    bool several = depth > depthBlock;
    if (!direct) {
      bufferRows = several ? llvm::alignTo(blockRows, rows) : rows;
      sums = e.buffer(bufferRows * columns, element);
    }
    e.loops(ArrayRef(sizes).drop_back(2), [&](ArrayRef<Value> leading) {
      factors.batch.assign(leading.begin(), leading.end());
      e.loop(e.cst(0), n, columns, [&](Value j) { emitPanel(j, several); });
    });
    factors.end();
  }

private:
  Coords output(Value row, Value column) {
    Coords where;
    for (Value v : factors.batch)
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
    e.loop(e.cst(0), e.cst(std::max<int64_t>(depth, 1)), depthBlock, [&](Value k) {
      Value count = e.minimum(e.sub(e.cst(depth), k), e.cst(depthBlock));
      factors.packRight(column, masks, k, count);
      factors.prepareLeft(k, count);
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

  /// `count` rows of accumulators over one K-block, and what becomes of them.
  void emitTile(Value i, int64_t count, Value j, Value k, Value depthCount, bool several, Value first) {
    if (factors.sumsInMemory()) {
      Value goesOn = several ? arith::CmpIOp::create(b, arith::CmpIPredicate::ne, k, e.cst(0)) : Value();
      factors.sumTile(i, k, depthCount, goesOn, sumSlot(several ? i : e.cst(0), 0));
      if (!several)
        emitEpilogue(i, e.cst(count), j, i);
      return;
    }
    SmallVector<Value> initial;
    Value zero = e.splat(element, 0);
    if (direct) // the lines that the tile writes arrive while it computes
      for (int64_t x = 0; x < count * vectors; ++x)
        e.prefetchOutput(op.getResult(), output(e.add(i, x / vectors), column[x % vectors]));
    for (int64_t x = 0; x < count * vectors; ++x) {
      Value start = zero;
      if (several) { // goes on from what the K-blocks before have left
        Value before = e.loadVector(sumSlot(i, x), element);
        start = arith::SelectOp::create(b, first, zero, before);
      }
      initial.push_back(start);
    }
    auto sum = e.carry(e.cst(0), factors.units(depthCount), 1, initial, [&](Value unit, ValueRange carried) {
      SmallVector<Value> next, right;
      for (int64_t v = 0; v < vectors; ++v)
        right.push_back(factors.right(unit, v));
      for (int64_t r = 0; r < count; ++r) {
        Value left = factors.left(e.add(i, r), k, unit);
        for (int64_t v = 0; v < vectors; ++v)
          next.push_back(factors.multiply(left, right[v], carried[r * vectors + v]));
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
    SmallVector<Value> start(factors.batch);
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
  MatmulFactors &factors;
  Type element;
  SmallVector<Value> sizes;
  int64_t rank;
  Value m, n;
  int64_t depth, vectors, columns, depthBlock, blockRows, rows, tailRows, bufferRows = 0;
  bool edge, direct;
  Value sums;
  SmallVector<Value> column, masks;
};
} // namespace

static std::unique_ptr<MatmulFactors> createFactors(TileEmitter &e, MatmulOp matmul) {
  KernelConfigAttr config = e.kernel.getConfigAttr();
  if (!config.getPairs())
    return createFloatFactors(e, matmul);
  return config.usesMatrices() ? createMatrixFactors(e, matmul) : createPairFactors(e, matmul);
}

void nova::emitCpuMatmulBlock(TileEmitter &e, MatmulOp matmul) {
  std::unique_ptr<MatmulFactors> factors = createFactors(e, matmul);
  MatmulBlock(e, matmul, *factors).emit();
}
