//===- MatmulVnni.cpp - Matmul of bf16 by pairs --------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// vdpbf16ps adds two products to each lane of f32 sums: those of neighbours along K. A unit is such a pair in
// 32 bits, the first in the low half. Where K is the operand's last axis, pairs lie in memory as they are; else
// two rows are interleaved (VNNI packing). An odd K ends with a zero.
//
// AMX does that for matrices: 16 rows of 16 pairs of the left operand by 16 pairs of 16 columns of a panel, which are
// where the pairs lie already. Zeros make K whole. Two by two such products share what they load.
//
//===----------------------------------------------------------------------===//

#include "MatmulOperands.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
class VnniOperands : public MatmulOperands {
public:
  /// K is made whole in `grain` pairs. `maxKBlock` is a multiple of them, and of a vector of pairs.
  VnniOperands(TileEmitter &e, MatmulOp op, int64_t grain = 1, int64_t maxKBlock = 2048)
      : MatmulOperands(e, op, e.b.getI32Type(), 2, maxKBlock), half(e.b.getI16Type()), lhs(sourceOf(op.getLhs())),
        rhs(sourceOf(op.getRhs())), grain(grain), isRagged(kSize % (2 * grain) != 0) {}

  void packRight(ArrayRef<Value> column, ArrayRef<Value> masks, Value k, Value count) override {
    if (op.getTransposeRhs()) {
      Value n = e.sizes(op.getRhs())[op.getRhs().getType().getRank() - 2];
      return packSquares(column[0], n, count, [&](Value j, Value pair) {
        Value at = e.mul(pair, 2);
        return loadPairs(e.pointerTo(rhs, where(1, {}, {j}, {e.add(k, at)})), e.sub(count, at));
      });
    }
    e.loop(e.cst(0), wholeUnits(count), 1, [&](Value pair) {
      for (int64_t v = 0; v < vectors; ++v) {
        auto row = [&](Value kk) { return e.pointerTo(rhs, where(1, {}, {column[v]}, {kk})); };
        e.storeValue(packRowsVnni(row, k, pair, count, masks[v]), slot(pair, v * e.lanes), {}, 64);
      }
    });
  }

  void prepareLeft(Value k, Value count) override {
    if (!copies())
      return;
    Value rows = e.sizes(op.getResult())[op.getType().getRank() - 2];
    int64_t pairs = llvm::alignTo(llvm::divideCeil(kBlock, 2), e.lanes);
    // An odd number of cache lines from row to row spreads a column over all sets.
    width = (llvm::divideCeil(op.getTransposeLhs() ? blockRows() : pairs, e.lanes) | 1) * e.lanes;
    if (!copy)
      copy = e.buffer((op.getTransposeLhs() ? pairs : blockRows()) * width, stored);
    if (op.getTransposeLhs())
      e.loop(e.cst(0), units(count), 1, [&](Value pair) {
        e.vectors(rows, [&](Value i, Value mask) {
          auto row = [&](Value kk) { return e.pointerTo(lhs, where(0, {i}, {}, {kk})); };
          e.storeValue(packRowsVnni(row, k, pair, count, mask), copySlot(pair, i));
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

protected:
  /// What is widened: bf16 in memory.
  static Value sourceOf(Value operand) { return operand.getDefiningOp<CastOp>().getX(); }
  /// Whether the left operand is read from a copy.
  virtual bool copies() { return op.getTransposeLhs() || isRagged; }
  /// Pairs of a K-block of `count` elements, those of zeros included.
  Value wholeUnits(Value count) {
    return isRagged ? e.mul(b.createOrFold<arith::CeilDivUIOp>(count, e.cst(2 * grain)), grain) : units(count);
  }
  Value copySlot(Value row, Value column) { return e.pointer(copy, e.add(e.mul(row, width), column), stored); }

  /// A vector of pairs that lie in memory, of which `count` elements exist; zeros behind them.
  Value loadPairs(Value pointer, Value count) {
    auto type = VectorType::get({2 * e.lanes}, half);
    Value halves;
    if (kSize % (2 * e.lanes) == 0)
      halves = LLVM::LoadOp::create(b, type, pointer, 2);
    else
      halves = e.loadMasked(pointer, type,
                            vector::CreateMaskOp::create(b, VectorType::get({2 * e.lanes}, b.getI1Type()), count));
    return LLVM::BitcastOp::create(b, e.vectorOf(stored), halves);
  }

  /// A vector in VNNI packing: pairs from two rows along K, of which those behind the last one are zero.
  Value packRowsVnni(function_ref<Value(Value)> row, Value k, Value pair, Value count, Value mask) {
    auto type = cast<VectorType>(e.vectorOf(half));
    auto load = [&](Value kk, Value on) -> Value {
      Value pointer = row(e.add(k, kk));
      Value halves = on ? e.loadMasked(pointer, type, on) : e.loadVector(pointer, half);
      return arith::ExtUIOp::create(b, e.vectorOf(stored), halves);
    };
    auto inside = [&](Value kk) -> Value {
      Value isInside = e.asVector(arith::CmpIOp::create(b, arith::CmpIPredicate::slt, kk, count));
      return mask ? Value(arith::AndIOp::create(b, mask, isInside)) : isInside;
    };
    Value first = e.mul(pair, 2), second = e.add(first, 1);
    Value low = load(first, isRagged && grain > 1 ? inside(first) : mask);
    Value high = load(second, isRagged ? inside(second) : mask);
    return arith::OrIOp::create(b, low, arith::ShLIOp::create(b, high, e.splat(stored, 16)));
  }

  const Type half;
  const Value lhs, rhs;
  const int64_t grain;
  const bool isRagged;
  Value copy;
  int64_t width = 0;
};

class AmxOperands final : public VnniOperands {
public:
  AmxOperands(TileEmitter &e, MatmulOp op)
      : VnniOperands(e, op, kSide, /*maxKBlock=*/1024), rows(e.kernel.getConfigAttr().getMicro()[0]) {}

  bool sumsInMemory() const override { return true; }

  /// Every register is a square: 16 rows of 64 bytes.
  void begin() override {
    constexpr int32_t kBytes = 64 | 64 << 16, kRows = 0x10101010;
    const int32_t shapes[16] = {1, 0, 0, 0, kBytes, kBytes, kBytes, kBytes, 0, 0, 0, 0, kRows, kRows, 0, 0};
    Value memory = e.buffer(kSide, stored);
    auto constant = DenseElementsAttr::get(VectorType::get({kSide}, stored), ArrayRef(shapes));
    e.storeValue(arith::ConstantOp::create(b, cast<TypedAttr>(constant)), memory, {}, 64);
    call("llvm.x86.ldtilecfg", {memory});
  }
  void end() override { call("llvm.x86.tilerelease", {}); }

  void prepareLeft(Value k, Value count) override {
    if (!copies())
      return;
    if (!copy) {
      // An odd number of cache lines from row to row spreads a column over all sets.
      width = (llvm::divideCeil(llvm::divideCeil(kBlock, 2), kSide) | 1) * kSide;
      copy = e.buffer(llvm::alignTo(blockRows(), rows) * width, stored);
    }
    Value height = e.sizes(op.getResult())[op.getType().getRank() - 2];
    e.loop(e.cst(0), wholeUnits(count), kSide, [&](Value pair) {
      if (op.getTransposeLhs())
        e.loop(e.cst(0), height, kSide, [&](Value i) { copySquare(k, count, i, pair, e.sub(height, i)); });
      else
        e.loop(e.cst(0), height, 1, [&](Value i) {
          Value at = e.mul(pair, 2);
          Value value = loadPairs(e.pointerTo(lhs, where(0, {i}, {}, {e.add(k, at)})), e.sub(count, at));
          e.storeValue(value, copySlot(i, pair), {}, 64);
        });
    });
  }

  void sumTile(Value row, Value k, Value count, Value accumulate, Value sums, Ahead ahead) override {
    auto sumsAt = [&](int64_t t, int64_t v) {
      return e.pointer(sums, e.cst(t * kSide * columns + v * kSide), element);
    };
    if (accumulate) // The first K-block adds to zeros.
      e.when(arith::XOrIOp::create(b, accumulate, arith::ConstantOp::create(b, b.getBoolAttr(true))), [&] {
        e.loop(e.cst(0), e.cst(rows * columns), kSide,
               [&](Value at) { e.storeValue(e.splat(element, 0), e.pointer(sums, at, element), {}, 64); });
      });
    Value sumStride = bytes(columns), panelStride = bytes(columns), leftStride = strideOfLeft(row, k);
    for (int64_t v = 0; v < vectors; v += 2) {
      int64_t across = std::min<int64_t>(2, vectors - v), down = rows / kSide;
      auto forEachSum = [&](function_ref<void(int64_t, int64_t, Value)> body) {
        for (int64_t t = 0; t < down; ++t)
          for (int64_t x = 0; x < across; ++x)
            body(t, x, number(2 * t + x));
      };
      forEachSum([&](int64_t t, int64_t x, Value sum) {
        if (accumulate)
          call("llvm.x86.tileloadd64", {sum, sumsAt(t, v + x), sumStride});
        else
          call("llvm.x86.tilezero", {sum});
      });
      // A part of the rows at a time: a core has few buffers for lines in flight.
      int64_t height = kSide / 2, parts = rows / height;
      Value share = e.mul(b.createOrFold<arith::CeilDivUIOp>(wholeUnits(count), e.cst(parts * kSide)), kSide);
      e.loop(e.cst(0), e.cst(parts), 1, [&](Value part) {
        ahead(e.add(row, e.mul(part, height)), height, v, across);
        Value from = e.mul(part, share), to = e.minimum(wholeUnits(count), e.add(from, share));
        e.loop(from, to, kSide, [&](Value pair) {
          for (int64_t t = 0; t < down; ++t)
            call("llvm.x86.tileloadd64", {number(4 + t), leftAt(e.add(row, t * kSide), k, pair), leftStride});
          for (int64_t x = 0; x < across; ++x)
            call("llvm.x86.tileloadd64", {number(6 + x), slot(pair, (v + x) * kSide), panelStride});
          forEachSum([&](int64_t t, int64_t x, Value sum) {
            call("llvm.x86.tdpbf16ps", {sum, number(4 + t), number(6 + x)});
          });
        });
      });
      forEachSum(
          [&](int64_t t, int64_t x, Value sum) { call("llvm.x86.tilestored64", {sum, sumsAt(t, v + x), sumStride}); });
    }
  }

private:
  static constexpr int64_t kSide = 16;

  /// A matrix is read whole: what the operand lacks of one is in a copy.
  bool copies() override {
    auto result = cast<RankedTensorType>(e.kernel.getResultTypes()[0]);
    return VnniOperands::copies() || result.getDimSize(result.getRank() - 2) % rows;
  }

  /// Transposes 16 pairs of 16 rows, of which `height` exist.
  void copySquare(Value k, Value count, Value i, Value pair, Value height) {
    auto row = [&](Value kk) { return e.pointerTo(lhs, where(0, {i}, {}, {kk})); };
    auto result = cast<RankedTensorType>(e.kernel.getResultTypes()[0]);
    Value mask = result.getDimSize(result.getRank() - 2) % kSide ? e.mask(height) : Value();
    SmallVector<Value> square;
    for (int64_t x = 0; x < kSide; ++x)
      square.push_back(packRowsVnni(row, k, e.add(pair, x), count, mask));
    e.transpose(square);
    for (int64_t x = 0; x < kSide; ++x)
      e.storeValue(square[x], copySlot(e.add(i, x), pair), {}, 64);
  }

  Value leftAt(Value row, Value k, Value pair) {
    return copies() ? copySlot(row, pair) : e.pointerTo(lhs, where(0, {row}, {}, {e.add(k, e.mul(pair, 2))}));
  }
  /// Bytes from row to row.
  Value strideOfLeft(Value row, Value k) {
    if (copies())
      return bytes(width);
    auto address = [&](Value at) -> Value {
      return LLVM::PtrToIntOp::create(b, b.getI64Type(), leftAt(at, k, e.cst(0)));
    };
    return LLVM::SubOp::create(b, address(e.add(row, 1)), address(row));
  }
  Value bytes(int64_t units) { return LLVM::ConstantOp::create(b, b.getI64IntegerAttr(4 * units)); }
  /// The width of a tile register in bytes.
  Value number(int64_t i) { return LLVM::ConstantOp::create(b, b.getI8IntegerAttr(i)); }
  void call(StringRef intrinsic, ValueRange operands) {
    LLVM::CallIntrinsicOp::create(b, b.getStringAttr(intrinsic), operands);
  }

  const int64_t rows;
};
} // namespace

std::unique_ptr<MatmulOperands> nova::createVnniOperands(TileEmitter &e, MatmulOp op) {
  return std::make_unique<VnniOperands>(e, op);
}

std::unique_ptr<MatmulOperands> nova::createAmxOperands(TileEmitter &e, MatmulOp op) {
  return std::make_unique<AmxOperands>(e, op);
}
