//===- MatmulGpu.cpp - Matmul for GPUs ------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block goes over the depth in steps of `kStep`: all threads bring the step's part of both operands into shared
// memory, then each adds its products to a register tile. Tensor cores are a schedule of their own.
//
//===----------------------------------------------------------------------===//

#include "TileEmitter.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
constexpr int64_t kStep = 16;
/// Between the rows of a panel, so that the columns that threads write lie in different banks; of 16 bytes, so that a
/// thread's rows are one load.
constexpr int64_t kPadding = 4;

/// A step's part of an operand in shared memory: [kStep][extent], whatever the operand's layout.
struct Panel {
  Value base;
  int64_t extent;
  unsigned operand;
  bool depthIsLast; // in the operand: neighbouring threads take neighbours along it
  int64_t width() const { return extent + kPadding; }
};

class MatmulEmitter {
public:
  MatmulEmitter(TileEmitter &e, MatmulOp op)
      : e(e), b(e.b), op(op), element(computeType(op.getType().getElementType())), thread(e.threadIndex()) {
    KernelConfigAttr config = e.kernel.getConfigAttr();
    ArrayRef<int64_t> tile = config.getTile();
    eachRow = config.getMicro()[0], eachColumn = config.getMicro()[1];
    rows = panel(tile[tile.size() - 2], 0, !op.getTransposeLhs());
    columns = panel(tile.back(), 1, op.getTransposeRhs());
    // Threads are a matrix: one has `eachRow` rows side by side, and columns as far apart as the matrix is wide, so
    // that loads and stores of a row coalesce.
    int64_t across = columns.extent / eachColumn;
    firstRow = e.mul(b.createOrFold<arith::DivUIOp>(thread, e.cst(across)), eachRow);
    firstColumn = b.createOrFold<arith::RemUIOp>(thread, e.cst(across));
    columnStep = across;
  }

  void emit() {
    SmallVector<Value> sizes = e.sizes(op.getResult()), extents = e.sizes(op.getLhs());
    m = sizes[sizes.size() - 2], n = sizes.back();
    depth = extents[extents.size() - (op.getTransposeLhs() ? 2 : 1)];
    e.loops(ArrayRef(sizes).drop_back(2), [&](ArrayRef<Value> at) {
      batch.assign(at.begin(), at.end());
      SmallVector<Value> sums(eachRow * eachColumn, e.constant(element, 0));
      sums = e.carry(e.cst(0), depth, kStep, sums, [&](Value from, ValueRange carried) {
        fill(rows, m, from);
        fill(columns, n, from);
        e.barrier();
        auto next = e.carry(e.cst(0), e.cst(kStep), 1, carried, [&](Value k, ValueRange c) { return multiply(k, c); });
        e.barrier(); // all have read before anybody fills again
        return next;
      });
      store(sums);
    });
  }

private:
  Panel panel(int64_t extent, unsigned operand, bool depthIsLast) {
    Panel result{{}, extent, operand, depthIsLast};
    result.base = e.buffer(kStep * result.width(), element);
    return result;
  }
  Value slot(const Panel &panel, Value k, Value i) {
    return e.pointer(panel.base, e.add(e.mul(k, panel.width()), i), element);
  }

  /// Brings depth `from` to `from + kStep` of an operand into its panel, zeros beyond the edges: a thread's loads
  /// first, so that none waits for another.
  void fill(const Panel &panel, Value extent, Value from) {
    int64_t inner = panel.depthIsLast ? kStep : panel.extent, total = kStep * panel.extent, threads = e.threadCount();
    SmallVector<std::array<Value, 3>> elements; // slot, value, whether this thread has one
    for (int64_t start = 0; start < total; start += threads) {
      Value linear = e.add(thread, start);
      Value slow = b.createOrFold<arith::DivUIOp>(linear, e.cst(inner));
      Value fast = b.createOrFold<arith::RemUIOp>(linear, e.cst(inner));
      Value k = panel.depthIsLast ? fast : slow, i = panel.depthIsLast ? slow : fast, at = e.add(from, k);
      Value inside = arith::AndIOp::create(b, isBelow(at, depth), isBelow(i, extent));
      Coords loops = position(i, i);
      loops.push_back({at});
      Coords where;
      for (AffineExpr axis : IndexedOp(op).getOperandMap(panel.operand).getResults()) {
        auto loop = dyn_cast<AffineDimExpr>(axis);
        where.push_back(loop ? loops[loop.getPosition()] : Coord{e.cst(0)});
      }
      Value value = e.eval(op->getOperand(panel.operand), where, inside);
      bool all = start + threads <= total;
      elements.push_back({slot(panel, k, i), e.masked(inside, value, e.constant(element, 0)),
                          all ? Value() : isBelow(linear, e.cst(total))});
    }
    for (auto [slot, value, exists] : elements) {
      auto store = [&, slot = slot, value = value] { e.storeValue(value, slot); };
      exists ? e.when(exists, store) : store();
    }
  }

  SmallVector<Value> multiply(Value k, ValueRange sums) {
    SmallVector<Value> left, right, next;
    for (int64_t i = 0; i < eachRow; ++i)
      left.push_back(e.loadScalar(slot(rows, k, e.add(firstRow, i)), element));
    for (int64_t j = 0; j < eachColumn; ++j)
      right.push_back(e.loadScalar(slot(columns, k, e.add(firstColumn, j * columnStep)), element));
    for (auto [x, sum] : llvm::enumerate(sums))
      next.push_back(e.fma(left[x / eachColumn], right[x % eachColumn], sum));
    return next;
  }

  void store(ValueRange sums) {
    for (auto [x, sum] : llvm::enumerate(sums)) {
      Value i = e.add(firstRow, x / eachColumn), j = e.add(firstColumn, x % eachColumn * columnStep);
      e.when(arith::AndIOp::create(b, isBelow(i, m), isBelow(j, n)), [&, sum = sum] {
        e.bind(op.getResult(), sum);
        e.store(position(i, j));
        e.unbind();
      });
    }
  }

  Coords position(Value i, Value j) {
    Coords at = llvm::map_to_vector<4>(batch, [](Value v) { return Coord{v}; });
    at.push_back({i});
    at.push_back({j});
    return at;
  }
  Value isBelow(Value x, Value y) { return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x, y); }

  TileEmitter &e;
  ImplicitLocOpBuilder &b;
  MatmulOp op;
  Type element;
  Value thread, firstRow, firstColumn, m, n, depth;
  int64_t eachRow, eachColumn, columnStep;
  Panel rows, columns;
  SmallVector<Value> batch;
};
} // namespace

void nova::emitGpuMatmulBlock(TileEmitter &e, MatmulOp op) { MatmulEmitter(e, op).emit(); }
