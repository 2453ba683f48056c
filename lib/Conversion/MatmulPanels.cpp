//===- MatmulPanels.cpp - Operands through shared memory ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulPanels.h"

using namespace mlir;
using namespace mlir::nova;

MatmulPanels::MatmulPanels(TileEmitter &e, MatmulOp op, int64_t step, Type stored)
    : e(e), b(e.b), op(op), element(computeType(op.getType().getElementType())), step(step), thread(e.threadIndex()),
      stored(stored) {
  ArrayRef<int64_t> tile = e.kernel.getConfigAttr().getTile();
  rows = {0, tile[tile.size() - 2], !op.getTransposeLhs(), 0, 0};
  columns = {1, tile.back(), op.getTransposeRhs(), 0, 0};
}

void MatmulPanels::allocate(Panel &panel, int64_t elements) { panel.base = e.buffer(elements, stored); }

void MatmulPanels::emit() {
  SmallVector<Value> sizes = e.sizes(op.getResult()), extents = e.sizes(op.getLhs());
  m = sizes[sizes.size() - 2], n = sizes.back();
  kSize = extents[extents.size() - (op.getTransposeLhs() ? 2 : 1)];
  e.loops(ArrayRef(sizes).drop_back(2), [&](ArrayRef<Value> at) {
    batch.assign(at.begin(), at.end());
    store(e.carry(e.cst(0), kSize, step, initial(), [&](Value from, ValueRange carried) {
      fill(rows, m, from);
      fill(columns, n, from);
      e.barrier();
      SmallVector<Value> next = multiply(carried);
      e.barrier(); // all have read before anybody fills again
      return next;
    }));
  });
}

/// Brings a step of an operand from `from` on along K into its panel, zeros beyond the edges: a thread's loads first,
/// so that none waits for another.
void MatmulPanels::fill(const Panel &panel, Value extent, Value from) {
  int64_t inner = panel.kIsLast ? step : panel.extent, total = step * panel.extent, threads = e.threadCount();
  SmallVector<std::array<Value, 3>> elements; // slot, value, whether this thread has one
  for (int64_t start = 0; start < total; start += threads) {
    Value linear = e.add(thread, start);
    Value slow = b.createOrFold<arith::DivUIOp>(linear, e.cst(inner));
    Value fast = b.createOrFold<arith::RemUIOp>(linear, e.cst(inner));
    if (threads % inner == 0) { // from one of a thread's elements to the next whole lines go by
      slow = e.add(b.createOrFold<arith::DivUIOp>(thread, e.cst(inner)), start / inner);
      fast = b.createOrFold<arith::RemUIOp>(thread, e.cst(inner));
    }
    Value k = panel.kIsLast ? fast : slow, i = panel.kIsLast ? slow : fast;
    bool all = start + threads <= total;
    Value element = toStored(load(panel, extent, e.add(from, k), i));
    elements.push_back({slot(panel, k, i), element, all ? Value() : isBelow(linear, e.cst(total))});
  }
  for (auto [slot, value, exists] : elements) {
    auto store = [&, slot = slot, value = value] { e.storeValue(value, slot); };
    exists ? e.when(exists, store) : store();
  }
}

/// The operand's element at `k`; `i` is its row or column.
Value MatmulPanels::load(const Panel &panel, Value extent, Value k, Value i) {
  Value inside = arith::AndIOp::create(b, isBelow(k, kSize), isBelow(i, extent));
  Coords loops = position(i, i);
  loops.push_back({k});
  Coords where = e.project(IndexedOp(op).getOperandMap(panel.operand), loops);
  return e.masked(inside, e.eval(op->getOperand(panel.operand), where, inside), e.constant(element, 0));
}

void MatmulPanels::store(ValueRange sums) {
  for (auto [x, sum] : llvm::enumerate(sums)) {
    auto [i, j] = positionOf(x);
    e.when(arith::AndIOp::create(b, isBelow(i, m), isBelow(j, n)), [&, i = i, j = j, sum = sum] {
      e.bind(op.getResult(), sum);
      e.store(position(i, j));
      e.unbind();
    });
  }
}

Coords MatmulPanels::position(Value i, Value j) {
  Coords at = llvm::map_to_vector<4>(batch, [](Value v) { return Coord{v}; });
  at.push_back({i});
  at.push_back({j});
  return at;
}

void nova::emitGpuMatmulBlock(TileEmitter &e, MatmulOp op) {
  (e.kernel.getConfigAttr().usesTensorCores() ? createTensorCoreSums(e, op) : createThreadSums(e, op))->emit();
}
