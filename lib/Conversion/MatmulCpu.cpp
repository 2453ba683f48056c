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

#include "TileEmitter.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
class MatmulBlock {
public:
  MatmulBlock(TileEmitter &e, MatmulOp op)
      : e(e), b(e.b), op(op), element(computeType(op.getType().getElementType())), sizes(e.sizes(op.getResult())),
        rank(sizes.size()), m(sizes[rank - 2]), n(sizes[rank - 1]) {
    ArrayRef<int64_t> lhs = op.getLhs().getType().getShape();
    depth = lhs[lhs.size() - (op.getTransposeLhs() ? 2 : 1)];
    auto micro = e.kernel.getConfigAttr().getMicro();
    rows = micro[0], vectors = micro[1], columns = vectors * e.lanes;
    copiesLhs = bool(op.getLhs().getDefiningOp<IndexedOp>());
    int64_t maxDepth = copiesLhs ? kMaxDepth / 2 : kMaxDepth;
    depthBlock = std::clamp<int64_t>(depth, 1, maxDepth);
    blockRows = e.kernel.getConfigAttr().getTile()[rank - 2];
    if (!blockRows)
      blockRows = cast<RankedTensorType>(e.kernel.getResultTypes()[0]).getDimSize(rank - 2);
    auto result = cast<RankedTensorType>(e.kernel.getResultTypes()[0]);
    edge = result.getShape().back() % columns != 0;
    tailRows = result.getDimSize(result.getRank() - 2) % rows;
    // A single output that is the product itself needs no buffer.
    direct = depth <= maxDepth && e.isOutput(op.getResult()) &&
             llvm::hasSingleElement(e.grid.getTerminator().getYieldingOps());
  }

  void emit() {
    panel = e.buffer(depthBlock * columns, element);
    bool several = depth > depthBlock;
    if (!direct) {
      bufferRows = several ? llvm::alignTo(blockRows, rows) : rows;
      sums = e.buffer(bufferRows * columns, element);
    }
    e.loops(ArrayRef(sizes).drop_back(2), [&](ArrayRef<Value> leading) {
      batch.assign(leading.begin(), leading.end());
      e.loop(e.cst(0), n, columns, [&](Value j) { emitPanel(j, several); });
    });
  }

private:
  static constexpr int64_t kMaxDepth = 1024;

  /// The coordinates in an operand of the loops batch, m, n and k, of which the op's map takes what it needs.
  Value at(unsigned operand, Coord row, Coord column, Coord k, Value mask = {}) {
    Coords loops;
    for (Value v : batch)
      loops.push_back({v});
    loops.append({row, column, k});
    Coords where;
    for (AffineExpr axis : IndexedOp(op).getOperandMap(operand).getResults()) {
      auto loop = dyn_cast<AffineDimExpr>(axis);
      where.push_back(loop ? loops[loop.getPosition()] : Coord{e.cst(0)});
    }
    return e.eval(op->getOperand(operand), where, mask);
  }
  Coords output(Value row, Value column) {
    Coords where;
    for (Value v : batch)
      where.push_back({v});
    where.push_back({row});
    where.push_back({column, 1});
    return where;
  }

  /// Work before the matmul is done once per block, not once per use: the left operand's part of this K-block lies in a
  /// local buffer.
  void materialiseLhs(Value k, Value count) {
    Value lhs = op.getLhs();
    if (!copiesLhs)
      return;
    auto type = cast<RankedTensorType>(lhs.getType());
    SmallVector<Value> origin(type.getRank(), e.cst(0)), extents = e.sizes(lhs);
    SmallVector<int64_t> shape(type.getRank(), 1);
    unsigned last = type.getRank() - 1, depthAxis = op.getTransposeLhs() ? last - 1 : last;
    // An odd number of cache lines from row to row spreads a column over all sets.
    int64_t line = 64 / (element.getIntOrFloatBitWidth() / 8);
    shape[last - 1] = op.getTransposeLhs() ? depthBlock : blockRows;
    shape[last] = (llvm::divideCeil(op.getTransposeLhs() ? blockRows : depthBlock, line) | 1) * line;
    if (!lhsCopy)
      lhsCopy = e.buffer(shape[last - 1] * shape[last], element);
    e.unplace(lhs);
    Coords lead;
    for (unsigned d = 0; d + 1 < last; ++d) {
      Value at = batch[batch.size() - (last - 1) + d];
      origin[d] = type.getDimSize(d) == 1 ? e.cst(0) : at;
      lead.push_back({origin[d]});
    }
    origin[depthAxis] = k;
    extents[depthAxis] = count;
    auto from = [&](Value at, unsigned axis) { return axis == depthAxis ? e.add(k, at) : at; };
    e.loop(e.cst(0), extents[last - 1], 1, [&](Value i) {
      e.vectors(extents[last], [&](Value j, Value mask) {
        Coords where = lead;
        where.push_back({from(i, last - 1)});
        where.push_back({from(j, last), 1});
        Value value = e.asVector(e.eval(lhs, where, mask));
        e.storeValue(value, e.pointer(lhsCopy, e.add(e.mul(i, shape[last]), j), element), mask);
      });
    });
    e.place(lhs, lhsCopy, shape, origin);
  }

  Value slot(Value k, int64_t offset) { return e.pointer(panel, e.add(e.mul(k, columns), offset), element); }

  void emitPanel(Value j, bool several) {
    for (int64_t v = 0; v < vectors; ++v) {
      column[v] = e.add(j, v * e.lanes);
      masks[v] = edge ? e.mask(e.sub(n, column[v])) : Value();
    }
    Value whole = e.floorTo(m, rows);
    e.loop(e.cst(0), e.cst(std::max<int64_t>(depth, 1)), depthBlock, [&](Value k) {
      Value count = e.minimum(e.sub(e.cst(depth), k), e.cst(depthBlock));
      pack(k, count);
      materialiseLhs(k, count);
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

  /// B's rows k to k + count of this panel, zeros beyond the last column.
  void pack(Value k, Value count) {
    if (op.getTransposeRhs())
      return packTransposed(k, count);
    e.loop(e.cst(0), count, 1, [&](Value kk) {
      for (int64_t v = 0; v < vectors; ++v)
        e.storeValue(at(1, {}, {column[v], 1}, {e.add(k, kk)}, masks[v]), slot(kk, v * e.lanes), {}, 64);
    });
  }

  /// B stands as [N, K]: squares of lanes x lanes are transposed in registers, what is left is gathered.
  void packTransposed(Value k, Value count) {
    auto gather = [&](Value from) {
      e.loop(from, count, 1, [&](Value kk) {
        for (int64_t v = 0; v < vectors; ++v)
          e.storeValue(at(1, {}, {column[v], 1}, {e.add(k, kk)}, masks[v]), slot(kk, v * e.lanes), {}, 64);
      });
    };
    Value whole = e.floorTo(count, e.lanes);
    auto squares = [&] {
      e.loop(e.cst(0), whole, e.lanes, [&](Value kk) {
        e.loop(e.cst(0), e.cst(columns), e.lanes, [&](Value jj) {
          SmallVector<Value> square;
          for (int64_t r = 0; r < e.lanes; ++r)
            square.push_back(at(1, {}, {e.add(e.add(column[0], jj), r)}, {e.add(k, kk), 1}));
          transpose(square);
          for (int64_t r = 0; r < e.lanes; ++r)
            e.storeValue(square[r], e.pointer(panel, e.add(e.mul(e.add(kk, r), columns), jj), element), {}, 64);
        });
      });
      gather(whole);
    };
    if (!edge)
      return squares();
    // The last panel has columns that don't exist: rows of B that may not be read.
    Value full = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, e.sub(n, column[0]), e.cst(columns));
    auto choice = scf::IfOp::create(b, full, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    squares();
    b.setInsertionPointToStart(choice.elseBlock());
    gather(e.cst(0));
  }

  /// A square of vectors transposed by log2(lanes) stages: rows d apart exchange the halves of blocks of 2d elements.
  void transpose(SmallVector<Value> &square) {
    for (int64_t d = e.lanes / 2; d; d /= 2) {
      SmallVector<int64_t> low, high;
      for (int64_t i = 0; i < e.lanes; ++i) {
        bool upper = i & d;
        low.push_back(upper ? e.lanes + i - d : i);
        high.push_back(upper ? e.lanes + i : i + d);
      }
      for (int64_t r = 0; r < e.lanes; ++r) {
        if (r & d)
          continue;
        Value x = square[r], y = square[r + d];
        square[r] = vector::ShuffleOp::create(b, x, y, low);
        square[r + d] = vector::ShuffleOp::create(b, x, y, high);
      }
    }
  }

  /// `count` rows of accumulators over one K-block, and what becomes of them.
  void emitTile(Value i, int64_t count, Value j, Value k, Value depthCount, bool several, Value first) {
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
    auto sum = e.carry(e.cst(0), depthCount, 1, initial, [&](Value kk, ValueRange carried) {
      SmallVector<Value> next, right;
      for (int64_t v = 0; v < vectors; ++v)
        right.push_back(e.loadVector(slot(kk, v * e.lanes), element, 64));
      Value depthAt = e.add(k, kk);
      for (int64_t r = 0; r < count; ++r) {
        Value left = e.asVector(at(0, {e.add(i, r)}, {}, {depthAt}));
        for (int64_t v = 0; v < vectors; ++v)
          next.push_back(e.fma(left, right[v], carried[r * vectors + v]));
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
    SmallVector<Value> start(batch.begin(), batch.end());
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
  Type element;
  SmallVector<Value> sizes;
  int64_t rank;
  Value m, n;
  int64_t depth, rows, vectors, columns, depthBlock, blockRows, tailRows, bufferRows = 0;
  bool copiesLhs, edge, direct;
  SmallVector<Value> batch;
  Value panel, sums, lhsCopy;
  std::map<int64_t, Value> column, masks;
};
} // namespace

void nova::emitCpuMatmulBlock(TileEmitter &e, MatmulOp matmul) { MatmulBlock(e, matmul).emit(); }
