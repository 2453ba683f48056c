//===- MatmulOperands.cpp - What a CPU's matmul multiplies ----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulOperands.h"

using namespace mlir;
using namespace mlir::nova;

//===----------------------------------------------------------------------===//
// What both have in common
//===----------------------------------------------------------------------===//

MatmulOperands::MatmulOperands(TileEmitter &e, MatmulOp op, Type stored, int64_t unit, int64_t maxKBlock)
    : element(computeType(op.getType().getElementType())), e(e), b(e.b), op(op), stored(stored), unit(unit) {
  ArrayRef<int64_t> lhs = op.getLhs().getType().getShape();
  kSize = lhs[lhs.size() - (op.getTransposeLhs() ? 2 : 1)];
  kBlock = std::clamp<int64_t>(kSize, 1, maxKBlock);
  vectors = e.kernel.getConfigAttr().getMicro()[1];
  columns = vectors * e.lanes;
}

void MatmulOperands::allocate() {
  // Squares that are transposed may end behind the last unit.
  panel = e.buffer(llvm::alignTo(llvm::divideCeil(kBlock, unit), e.lanes) * columns, stored);
}

Value MatmulOperands::units(Value count) {
  return unit == 1 ? count : b.createOrFold<arith::CeilDivUIOp>(count, e.cst(unit));
}

int64_t MatmulOperands::blockRows() { return e.blockExtent(op.getType().getRank() - 2); }

Coords MatmulOperands::where(unsigned operand, Coord row, Coord column, Coord k) {
  Coords loops;
  for (Value v : batch)
    loops.push_back({v});
  loops.append({row, column, k});
  return e.project(IndexedOp(op).getOperandMap(operand), loops);
}

void MatmulOperands::packSquares(Value first, Value n, Value count, function_ref<Value(Value, Value)> load) {
  Value last = e.sub(n, e.cst(1));
  e.loop(e.cst(0), units(count), e.lanes, [&](Value unitAt) {
    e.loop(e.cst(0), e.cst(columns), e.lanes, [&](Value j) {
      SmallVector<Value> square;
      for (int64_t r = 0; r < e.lanes; ++r)
        square.push_back(load(e.minimum(e.add(e.add(first, j), r), last), unitAt));
      e.transpose(square);
      for (int64_t r = 0; r < e.lanes; ++r)
        e.storeValue(square[r], e.pointer(panel, e.add(e.mul(e.add(unitAt, r), columns), j), stored), {}, 64);
    });
  });
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

namespace {
class FloatOperands final : public MatmulOperands {
public:
  FloatOperands(TileEmitter &e, MatmulOp op)
      : MatmulOperands(e, op, computeType(op.getType().getElementType()), 1,
                       isComputed(op.getLhs()) || op.getTransposeLhs() ? kDeepest / 2 : kDeepest) {}

  void packRight(ArrayRef<Value> column, ArrayRef<Value> masks, Value k, Value count) override {
    if (op.getTransposeRhs()) {
      Value n = e.sizes(op.getRhs())[op.getRhs().getType().getRank() - 2];
      return packSquares(column[0], n, count, [&](Value j, Value kk) {
        Value mask = kSize % e.lanes ? e.mask(e.sub(count, kk)) : Value();
        return e.asVector(e.eval(op.getRhs(), where(1, {}, {j}, {e.add(k, kk), 1}), mask));
      });
    }
    e.loop(e.cst(0), count, 1, [&](Value kk) {
      for (int64_t v = 0; v < vectors; ++v) {
        Value value = e.eval(op.getRhs(), where(1, {}, {column[v], 1}, {e.add(k, kk)}), masks[v]);
        e.storeValue(value, slot(kk, v * e.lanes), {}, 64);
      }
    });
  }

  /// Work before the matmul is done once per block, not once per use: the left operand's part of this K-block lies in a
  /// local buffer. So does a transposed one: its rows lie a row of the tensor apart from each k to the next, often
  /// whole pages, and a column of it has few sets of the caches.
  void prepareLeft(Value k, Value count) override {
    if (op.getTransposeLhs())
      copyStrips(k, count);
    else if (isComputed(op.getLhs()))
      copyRows(k, count);
  }

  Value left(Value row, Value k, Value unitAt) override {
    if (!op.getTransposeLhs())
      return e.asVector(e.eval(op.getLhs(), where(0, {row}, {}, {e.add(k, unitAt)})));
    Value lane = b.createOrFold<arith::RemUIOp>(row, e.cst(e.lanes));
    return e.asVector(e.loadScalar(stripSlot(e.sub(row, lane), e.add(e.mul(unitAt, e.lanes), lane)), element));
  }
  Value multiply(Value left, Value right, Value sum) override { return e.fma(left, right, sum); }

private:
  /// A vector of rows for each k, [rows / lanes][KC][lanes]: what a register tile reads lies side by side.
  void copyStrips(Value k, Value count) {
    Value rows = e.sizes(op.getResult())[op.getType().getRank() - 2];
    if (!copy)
      copy = e.buffer(llvm::divideCeil(blockRows(), e.lanes) * stripSize(), element);
    e.loop(e.cst(0), count, 1, [&](Value kk) {
      e.vectors(rows, [&](Value i, Value mask) {
        Value value = e.asVector(e.eval(op.getLhs(), where(0, {i, 1}, {}, {e.add(k, kk)}), mask));
        e.storeValue(value, stripSlot(i, e.mul(kk, e.lanes)), {}, 64);
      });
    });
  }
  /// An odd number of cache lines from strip to strip spreads what is stored for one k over all sets.
  int64_t stripSize() { return (kBlock | 1) * e.lanes; }
  Value stripSlot(Value firstRow, Value offset) {
    Value strip = b.createOrFold<arith::DivUIOp>(firstRow, e.cst(e.lanes));
    return e.pointer(copy, e.add(e.mul(strip, stripSize()), offset), element);
  }

  void copyRows(Value k, Value count) {
    Value lhs = op.getLhs();
    auto type = tensorType(lhs);
    SmallVector<Value> origin(type.getRank(), e.cst(0)), extents = e.sizes(lhs);
    SmallVector<int64_t> shape(type.getRank(), 1);
    unsigned last = type.getRank() - 1;
    // An odd number of cache lines from row to row spreads a column over all sets.
    int64_t line = 64 / (element.getIntOrFloatBitWidth() / 8);
    shape[last - 1] = blockRows();
    shape[last] = (llvm::divideCeil(kBlock, line) | 1) * line;
    if (!copy)
      copy = e.buffer(shape[last - 1] * shape[last], element);
    e.unplace(lhs);
    Coords lead;
    for (unsigned d = 0; d + 1 < last; ++d) {
      Value at = batch[batch.size() - (last - 1) + d];
      origin[d] = type.getDimSize(d) == 1 ? e.cst(0) : at;
      lead.push_back({origin[d]});
    }
    origin[last] = k;
    extents[last] = count;
    e.loop(e.cst(0), extents[last - 1], 1, [&](Value i) {
      e.vectors(extents[last], [&](Value j, Value mask) {
        Coords at = lead;
        at.push_back({i});
        at.push_back({e.add(k, j), 1});
        Value value = e.asVector(e.eval(lhs, at, mask));
        e.storeValue(value, e.pointer(copy, e.add(e.mul(i, shape[last]), j), element), mask);
      });
    });
    e.place(lhs, copy, shape, origin);
  }

  static constexpr int64_t kDeepest = 1024;
  static bool isComputed(Value tile) { return bool(tile.getDefiningOp<IndexedOp>()); }

  Value copy;
};
} // namespace

std::unique_ptr<MatmulOperands> nova::createFloatOperands(TileEmitter &e, MatmulOp op) {
  return std::make_unique<FloatOperands>(e, op);
}
