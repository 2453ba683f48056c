//===- MatmulPairs.cpp - Matmul of bf16 by pairs --------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// vdpbf16ps adds two products to each lane of f32 sums: those of neighbours along the depth. A unit is such a pair in
// 32 bits, the first in the low half. Where the depth is the operand's last axis, pairs lie in memory as they are; else
// two rows are woven into one. A depth that is odd ends with a zero.
//
//===----------------------------------------------------------------------===//

#include "MatmulFactors.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
class PairFactors final : public MatmulFactors {
public:
  PairFactors(TileEmitter &e, MatmulOp op)
      : MatmulFactors(e, op, e.b.getI32Type(), 2, kDeepest), half(e.b.getI16Type()), lhs(sourceOf(op.getLhs())),
        rhs(sourceOf(op.getRhs())) {}

  void packRight(ArrayRef<Value> column, ArrayRef<Value> masks, Value k, Value count) override {
    if (op.getTransposeRhs()) {
      Value n = e.sizes(op.getRhs())[op.getRhs().getType().getRank() - 2];
      return packSquares(column[0], n, count, [&](Value j, Value pair) {
        Value at = e.mul(pair, 2);
        return loadPairs(e.pointerTo(rhs, where(1, {}, {j}, {e.add(k, at)})), e.sub(count, at));
      });
    }
    e.loop(e.cst(0), units(count), 1, [&](Value pair) {
      for (int64_t v = 0; v < vectors; ++v) {
        auto row = [&](Value kk) { return e.pointerTo(rhs, where(1, {}, {column[v]}, {kk})); };
        e.storeValue(weave(row, k, pair, count, masks[v]), slot(pair, v * e.lanes), {}, 64);
      }
    });
  }

  void prepareLeft(Value k, Value count) override {
    if (!copies())
      return;
    Value rows = e.sizes(op.getResult())[op.getType().getRank() - 2];
    int64_t pairs = llvm::alignTo(llvm::divideCeil(depthBlock, 2), e.lanes);
    // An odd number of cache lines from row to row spreads a column over all sets.
    width = (llvm::divideCeil(op.getTransposeLhs() ? blockRows() : pairs, e.lanes) | 1) * e.lanes;
    if (!copy)
      copy = e.buffer((op.getTransposeLhs() ? pairs : blockRows()) * width, stored);
    if (op.getTransposeLhs())
      e.loop(e.cst(0), units(count), 1, [&](Value pair) {
        e.vectors(rows, [&](Value i, Value mask) {
          auto row = [&](Value kk) { return e.pointerTo(lhs, where(0, {i}, {}, {kk})); };
          e.storeValue(weave(row, k, pair, count, mask), copySlot(pair, i));
        });
      });
    else
      e.loop(e.cst(0), rows, 1, [&](Value i) {
        e.loop(e.cst(0), units(count), e.lanes, [&](Value pair) {
          Value at = e.mul(pair, 2);
          Value value = loadPairs(e.pointerTo(lhs, where(0, {i}, {}, {e.add(k, at)})), e.sub(count, at));
          e.storeValue(value, copySlot(i, pair));
        });
      });
  }

  Value left(Value row, Value k, Value unitAt) override {
    Value from;
    if (copies())
      from = op.getTransposeLhs() ? copySlot(unitAt, row) : copySlot(row, unitAt);
    else
      from = e.pointerTo(lhs, where(0, {row}, {}, {e.add(k, e.mul(unitAt, 2))}));
    return e.asVector(LLVM::LoadOp::create(b, stored, from, copies() ? 4 : 2));
  }

  Value multiply(Value left, Value right, Value sum) override {
    auto type = VectorType::get({2 * e.lanes}, b.getBF16Type());
    auto asBf16 = [&](Value pairs) -> Value { return LLVM::BitcastOp::create(b, type, pairs); };
    return LLVM::CallIntrinsicOp::create(b, sum.getType(), b.getStringAttr("llvm.x86.avx512bf16.dpbf16ps.512"),
                                         ValueRange{sum, asBf16(left), asBf16(right)})
        .getResults();
  }

private:
  static constexpr int64_t kDeepest = 2048;

  /// What is widened: bf16 in memory.
  static Value sourceOf(Value operand) { return operand.getDefiningOp<CastOp>().getX(); }
  /// Whether the left operand is read from a copy.
  bool copies() { return op.getTransposeLhs() || depth % 2; }
  Value copySlot(Value row, Value column) { return e.pointer(copy, e.add(e.mul(row, width), column), stored); }

  /// A vector of pairs that lie in memory, of which `count` elements exist; zeros behind them.
  Value loadPairs(Value pointer, Value count) {
    auto type = VectorType::get({2 * e.lanes}, half);
    Value halves;
    if (depth % (2 * e.lanes) == 0 && kDeepest % (2 * e.lanes) == 0)
      halves = LLVM::LoadOp::create(b, type, pointer, 2);
    else
      halves = e.loadMasked(pointer, type,
                            vector::CreateMaskOp::create(b, VectorType::get({2 * e.lanes}, b.getI1Type()), count));
    return LLVM::BitcastOp::create(b, e.vectorOf(stored), halves);
  }

  /// A vector of pairs from two rows of the depth, the second of which is zero behind the last one.
  Value weave(function_ref<Value(Value)> row, Value k, Value pair, Value count, Value mask) {
    auto type = cast<VectorType>(e.vectorOf(half));
    auto load = [&](Value kk, Value on) -> Value {
      Value pointer = row(e.add(k, kk));
      Value halves = on ? e.loadMasked(pointer, type, on) : e.loadVector(pointer, half);
      return arith::ExtUIOp::create(b, e.vectorOf(stored), halves);
    };
    Value first = e.mul(pair, 2), second = e.add(first, 1), exists = mask;
    if (depth % 2) {
      Value isInside = e.asVector(arith::CmpIOp::create(b, arith::CmpIPredicate::slt, second, count));
      exists = mask ? Value(arith::AndIOp::create(b, mask, isInside)) : isInside;
    }
    Value low = load(first, mask), high = load(second, exists);
    return arith::OrIOp::create(b, low, arith::ShLIOp::create(b, high, e.splat(stored, 16)));
  }

  const Type half;
  const Value lhs, rhs;
  Value copy;
  int64_t width = 0;
};
} // namespace

std::unique_ptr<MatmulFactors> nova::createPairFactors(TileEmitter &e, MatmulOp op) {
  return std::make_unique<PairFactors>(e, op);
}
