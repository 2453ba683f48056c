//===- MatmulGpu.cpp - Plain matmul for GPUs ------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"

using namespace mlir;
using namespace mlir::nova;

/// 64 x 64 elements by 16 x 16 threads of 4 x 4 each, straight from global memory: neighbouring threads take
/// neighbouring columns, so that loads and stores of a row coalesce. Tensor cores and shared memory are a schedule of
/// their own.
void nova::emitGpuMatmulBlock(TileEmitter &e, MatmulOp op) {
  constexpr int64_t kSide = 16, kEach = 4;
  ImplicitLocOpBuilder &b = e.b;
  IndexedOp indexed(op);
  SmallVector<Value> sizes = e.sizes(op.getResult());
  Value m = sizes[sizes.size() - 2], n = sizes.back();
  SmallVector<Value> extents = e.sizes(op.getLhs());
  Value depth = extents[extents.size() - (op.getTransposeLhs() ? 2 : 1)];
  Type element = computeType(op.getType().getElementType());
  Value thread = e.threadIndex();
  Value row = arith::DivUIOp::create(b, thread, e.cst(kSide)), column = arith::RemUIOp::create(b, thread, e.cst(kSide));

  e.loops(ArrayRef(sizes).drop_back(2), [&](ArrayRef<Value> batch) {
    SmallVector<Value> rows, columns;
    for (int64_t i = 0; i < kEach; ++i) {
      rows.push_back(e.add(row, i * kSide));
      columns.push_back(e.add(column, i * kSide));
    }
    auto position = [&](Value i, Value j) {
      Coords at;
      for (Value v : batch)
        at.push_back({v});
      at.push_back({i});
      at.push_back({j});
      return at;
    };
    auto operand = [&](unsigned number, Value i, Value j, Value k) {
      Coords loops = position(i, j), at;
      loops.push_back({k});
      for (AffineExpr axis : indexed.getOperandMap(number).getResults()) {
        auto loop = dyn_cast<AffineDimExpr>(axis);
        at.push_back(loop ? loops[loop.getPosition()] : Coord{e.cst(0)});
      }
      return e.eval(op->getOperand(number), at);
    };
    // Rows and columns beyond the edge repeat the last one, and are not stored.
    auto inside = [&](Value at, Value extent) { return e.minimum(at, e.sub(extent, e.cst(1))); };
    SmallVector<Value> initial(kEach * kEach, e.constant(element, 0));
    auto sums = e.carry(e.cst(0), depth, 1, initial, [&](Value k, ValueRange carried) {
      SmallVector<Value> left, right, next;
      for (int64_t i = 0; i < kEach; ++i) {
        left.push_back(operand(0, inside(rows[i], m), {}, k));
        right.push_back(operand(1, {}, inside(columns[i], n), k));
      }
      for (int64_t x = 0; x < kEach * kEach; ++x)
        next.push_back(e.fma(left[x / kEach], right[x % kEach], carried[x]));
      return next;
    });
    for (int64_t x = 0; x < kEach * kEach; ++x) {
      Value i = rows[x / kEach], j = columns[x % kEach];
      Value exists = arith::AndIOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::slt, i, m),
                                           arith::CmpIOp::create(b, arith::CmpIPredicate::slt, j, n));
      e.when(exists, [&] {
        e.bind(op.getResult(), sums[x]);
        e.store(position(i, j));
        e.unbind();
      });
    }
  });
}
