//===- AttentionGpu.cpp - Flash attention for GPUs, forward and backward --===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp has a row of its own: a query, or a key for its gradients. Lanes share a head's elements: lane l holds the
// elements l, l + 32, ... of each, in as many registers. The other side comes in steps of 32 positions: first each lane
// gets the score of one position, a sum over the warp; then the softmax's arithmetic is done once for all of them; then
// the positions' vectors are added up, weighted by what their lanes hold. A T x S tensor never exists, and no lane
// needs what another warp computes. Tensor cores and shared memory are a schedule of their own.
//
//===----------------------------------------------------------------------===//

#include "AttentionWeights.h"
#include "TileEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nova;
using vector::CombiningKind;

namespace {
constexpr int64_t kWarp = TileEmitter::kWarp;

/// A lane's elements of a vector along the head.
using Registers = SmallVector<Value>;

class AttentionEmitter {
public:
  AttentionEmitter(TileEmitter &e, Operation *op)
      : e(e), b(e.b), element(computeType(cast<RankedTensorType>(op->getResult(0).getType()).getElementType())),
        causal(op->hasAttr("causal")), op(op) {
    if (auto value = op->getAttrOfType<FloatAttr>("masked_value"))
      maskedValue = value.getValueAsDouble();
  }

  void forward(AttentionOp op);
  void gradQuery(AttentionGradQueryOp op);
  void gradKeyValue(AttentionGradKeyValueOp op);

private:
  // --- Positions: everything is [batch, head, position, head size] -------------------------------------------------

  /// Calls body with every row of the block that is this warp's.
  void rows(Value tile, function_ref<void(Value)> body) {
    SmallVector<Value> sizes = e.sizes(tile);
    lane = e.laneIndex();
    Value warp = e.warpIndex();
    e.loops({sizes[0], sizes[1]}, [&](ArrayRef<Value> at) {
      head[0] = at[0], head[1] = at[1];
      e.loop(warp, sizes[2], e.warpCount(), body);
    });
  }
  static int64_t headSizeOf(Value tile) { return tensorType(tile).getDimSize(3); }
  static Value positionsOf(TileEmitter &e, Value tile) { return e.cst(tensorType(tile).getDimSize(2)); }

  /// Calls body with each of the lane's elements along a head: its register, its index, and whether it exists (null if
  /// it does in every lane).
  void alongHead(int64_t headSize, function_ref<void(unsigned, Value, Value)> body) {
    for (int64_t start = 0; start < headSize; start += kWarp) {
      Value d = e.add(lane, start);
      bool whole = start + kWarp <= headSize;
      Value exists = whole ? Value() : arith::CmpIOp::create(b, arith::CmpIPredicate::slt, d, e.cst(headSize));
      body(start / kWarp, d, exists);
    }
  }
  Registers load(Value tile, Value position) {
    Registers registers;
    alongHead(headSizeOf(tile), [&](unsigned, Value d, Value exists) {
      registers.push_back(e.eval(tile, {{head[0]}, {head[1]}, {position}, {d}}, exists));
    });
    return registers;
  }
  /// Stores a row of an output.
  void write(Value output, Value row, ValueRange registers) {
    alongHead(headSizeOf(output), [&](unsigned r, Value d, Value exists) {
      auto store = [&] { e.storeOutput(output, registers[r], {{head[0]}, {head[1]}, {row}, {d}}); };
      exists ? e.when(exists, store) : store();
    });
  }
  /// Statistics have one element a row: [batch, head, position].
  Value statistic(Value tile, Value position, Value mask = {}) {
    return e.eval(tile, {{head[0]}, {head[1]}, {position}}, mask);
  }

  // --- A step over the other side ----------------------------------------------------------------------------------

  /// Lane j gets what `score` gives for j, for the first `count` lanes; the others keep `initial`.
  SmallVector<Value> perLane(Value count, ValueRange initial, function_ref<SmallVector<Value>(Value)> score) {
    return e.carry(e.cst(0), count, 1, initial, [&](Value j, ValueRange carried) {
      SmallVector<Value> scores = score(j);
      Value mine = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane, j);
      for (auto [value, before] : llvm::zip(scores, carried))
        value = select(mine, value, before);
      return scores;
    });
  }
  Value dot(ValueRange x, ValueRange y) {
    Value sum = constant(0);
    for (auto [l, r] : llvm::zip(x, y))
      sum = e.fma(l, r, sum);
    return e.combineWarp(CombiningKind::ADD, sum);
  }
  /// Adds to `sums`, for each of the first `count` lanes, its weight times the vector of position `from` + lane, unless
  /// it is hidden.
  Registers accumulate(ValueRange sums, Value weight, Value tile, Value from, Value count) {
    return e.carry(e.cst(0), count, 1, sums, [&](Value j, ValueRange carried) {
      Value w = e.fromLane(weight, j);
      Registers next = load(tile, e.add(from, j));
      Value visible = emitIsVisible(b, w);
      for (auto [value, sum] : llvm::zip(next, carried))
        value = select(visible, e.fma(w, value, sum), sum);
      return next;
    });
  }
  Registers zeros(Value tile) { return Registers(llvm::divideCeil(headSizeOf(tile), kWarp), constant(0)); }
  Value stepAt(Value from, Value limit) { return e.minimum(e.sub(limit, from), e.cst(kWarp)); }
  Value isBelow(Value x, Value y) { return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x, y); }

  // --- Masks -------------------------------------------------------------------------------------------------------

  /// The score of a query and a key with the mask added, where there is one and the lane's position exists.
  Value masked(Value score, Value mask, Value query, Value key, Value exists) {
    if (!mask)
      return score;
    unsigned number = llvm::find(op->getOperands(), mask) - op->operand_begin();
    Coords loops = {{head[0]}, {head[1]}, {query}, {key}, {e.cst(0)}, {e.cst(0)}};
    Value added = e.eval(mask, e.project(IndexedOp(op).getOperandMap(number), loops), exists);
    return select(equal(added, -std::numeric_limits<double>::infinity()), added, add(score, added)); // hides NaN too
  }
  /// The log-sum-exp of a row for a difference to its scores: 0 in place of minus infinity, which rows that a mask
  /// leaves no key have, keeps it defined.
  Value shiftOf(Value lse, Value mask) {
    return mask ? select(equal(lse, -std::numeric_limits<double>::infinity()), constant(0), lse) : lse;
  }

  // --- Arithmetic --------------------------------------------------------------------------------------------------

  Value constant(double x) { return e.constant(element, x); }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value equal(Value x, double y) { return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, constant(y)); }
  Value select(Value c, Value x, Value y) { return arith::SelectOp::create(b, c, x, y); }
  Value exp(Value x) { return math::ExpOp::create(b, x); }

  TileEmitter &e;
  ImplicitLocOpBuilder &b;
  Type element;
  bool causal;
  std::optional<double> maskedValue;
  Operation *op;
  Value lane, head[2];
};

//===----------------------------------------------------------------------===//
// Forward: online softmax
//===----------------------------------------------------------------------===//

void AttentionEmitter::forward(AttentionOp op) {
  const double infinity = std::numeric_limits<double>::infinity();
  rows(op.getQ(), [&](Value row) {
    Registers query = load(op.getQ(), row);
    Value limit = positionsOf(e, op.getK());
    Value seen = limit;
    if (causal)
      seen = e.minimum(limit, e.add(e.absolute(IndexedOp(op), 0, row), 1));
    if (!maskedValue)
      limit = seen;
    SmallVector<Value> initial = {constant(-infinity), constant(0)}; // largest score, sum of exponentials
    llvm::append_range(initial, zeros(op.getV()));
    auto state = e.carry(e.cst(0), limit, kWarp, initial, [&](Value from, ValueRange carried) {
      Value count = stepAt(from, limit), before = carried[0];
      Value score = perLane(count, constant(-infinity), [&](Value j) {
        Value sum = dot(query, load(op.getK(), e.add(from, j)));
        return SmallVector<Value>{mul(sum, constant(op.getScaleOrDefault()))};
      })[0];
      score = masked(score, op.getMask(), row, e.add(from, lane), isBelow(lane, count));
      if (maskedValue)
        score =
            select(arith::AndIOp::create(b, isBelow(lane, count), isBelow(e.sub(seen, e.cst(1)), e.add(from, lane))),
                   constant(*maskedValue), score);
      Value largest = arith::MaximumFOp::create(b, before, e.combineWarp(CombiningKind::MAXIMUMF, score));
      // All scores so far are minus infinity: 0 in its place keeps every difference defined.
      Value shift = select(equal(largest, -infinity), constant(0), largest);
      Value probability = emitWeight(b, score, shift), decay = exp(sub(before, shift));
      Value total = add(mul(carried[1], decay), e.combineWarp(CombiningKind::ADD, probability));
      Registers sums;
      for (Value sum : carried.drop_front(2))
        sums.push_back(mul(sum, decay));
      SmallVector<Value> next = {largest, total};
      llvm::append_range(next, accumulate(sums, probability, op.getV(), from, count));
      return next;
    });
    Value largest = state[0], total = state[1], none = equal(total, 0);
    Value scale = select(none, constant(0), arith::DivFOp::create(b, constant(1), total));
    write(op.getResult(), row,
          llvm::map_to_vector(ArrayRef(state).drop_front(2), [&](Value sum) { return mul(sum, scale); }));
    e.when(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane, e.cst(0)), [&] {
      Value lse = select(none, constant(-infinity), add(largest, math::LogOp::create(b, total)));
      e.storeOutput(op.getLse(), lse, {{head[0]}, {head[1]}, {row}});
    });
  });
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

void AttentionEmitter::gradQuery(AttentionGradQueryOp op) {
  Value scale = constant(op.getScaleOrDefault());
  rows(op.getQ(), [&](Value row) {
    Registers query = load(op.getQ(), row), gradient = load(op.getResultGrad(), row);
    Value lse = statistic(op.getLse(), row), delta = statistic(op.getDelta(), row);
    Value limit = positionsOf(e, op.getK());
    if (causal)
      limit = e.minimum(limit, e.add(e.absolute(IndexedOp(op), 0, row), 1));
    Registers sums = e.carry(e.cst(0), limit, kWarp, zeros(op.getK()), [&](Value from, ValueRange carried) {
      Value count = stepAt(from, limit);
      auto scores = perLane(count, {constant(0), constant(0)}, [&](Value j) {
        Value position = e.add(from, j);
        return SmallVector<Value>{dot(query, load(op.getK(), position)), dot(gradient, load(op.getV(), position))};
      });
      Value score = masked(mul(scores[0], scale), op.getMask(), row, e.add(from, lane), isBelow(lane, count));
      Value probability = emitWeight(b, score, shiftOf(lse, op.getMask()));
      Value weight = emitScoreGradient(b, probability, sub(scores[1], delta), scale);
      return accumulate(carried, weight, op.getK(), from, count); // takes only lanes that have a key
    });
    write(op.getDq(), row, sums);
  });
}

/// Works as gradQuery does, with a key's row and steps over the queries, each of which has a lane's statistics.
void AttentionEmitter::gradKeyValue(AttentionGradKeyValueOp op) {
  Value scale = constant(op.getScaleOrDefault());
  rows(op.getK(), [&](Value row) {
    Registers key = load(op.getK(), row), value = load(op.getV(), row);
    Value limit = positionsOf(e, op.getQ()), start = e.cst(0);
    Value first = e.absolute(IndexedOp(op), 0, row);
    if (causal && !maskedValue) // queries before the key don't see it
      start = arith::MaxSIOp::create(b, start, first);
    SmallVector<Value> initial = zeros(op.getK());
    llvm::append_range(initial, zeros(op.getV()));
    size_t keyRegisters = zeros(op.getK()).size();
    Registers sums = e.carry(start, limit, kWarp, initial, [&](Value from, ValueRange carried) {
      Value count = stepAt(from, limit), query = e.add(from, lane), exists = isBelow(query, limit);
      auto scores = perLane(count, {constant(0), constant(0)}, [&](Value j) {
        Value position = e.add(from, j);
        return SmallVector<Value>{dot(key, load(op.getQ(), position)), dot(value, load(op.getResultGrad(), position))};
      });
      Value score = masked(mul(scores[0], scale), op.getMask(), query, row, exists);
      if (maskedValue)
        score = select(isBelow(query, first), constant(*maskedValue), score);
      Value probability = emitWeight(b, score, shiftOf(statistic(op.getLse(), query, exists), op.getMask()));
      Value difference = sub(scores[1], statistic(op.getDelta(), query, exists));
      Value weight = emitScoreGradient(b, probability, difference, scale);
      if (maskedValue) // what the score replaces has no influence
        weight = select(isBelow(query, first), constant(-0.0), weight);
      Registers next = accumulate(carried.take_front(keyRegisters), weight, op.getQ(), from, count);
      llvm::append_range(next,
                         accumulate(carried.drop_front(keyRegisters), probability, op.getResultGrad(), from, count));
      return next;
    });
    write(op.getDk(), row, ArrayRef(sums).take_front(keyRegisters));
    write(op.getDv(), row, ArrayRef(sums).drop_front(keyRegisters));
  });
}
} // namespace

void nova::emitGpuAttentionBlock(TileEmitter &e, Operation *anchor) {
  AttentionEmitter emitter(e, anchor);
  if (auto op = dyn_cast<AttentionOp>(anchor))
    return emitter.forward(op);
  if (auto op = dyn_cast<AttentionGradQueryOp>(anchor))
    return emitter.gradQuery(op);
  emitter.gradKeyValue(cast<AttentionGradKeyValueOp>(anchor));
}
