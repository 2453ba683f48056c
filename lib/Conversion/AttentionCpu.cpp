//===- AttentionCpu.cpp - Flash attention for CPUs, forward and backward --===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is some rows (queries, or keys for their gradients) of one head. It goes over the other side in steps of
// `kStep` positions, so that a T x S tensor never exists: scores of one step lie in a local buffer, sums over the steps
// in another. All products are register tiles over vectors along the step or along the head.
//
//===----------------------------------------------------------------------===//

#include "AttentionWeights.h"
#include "Nova/Dialect/MovedAxes.h"
#include "TileEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nova;
using vector::CombiningKind;

namespace {
constexpr int64_t kStep = 64;              // positions of the other side at a time
constexpr int64_t kRows = 4, kVectors = 4; // the register tile

/// A local row-major buffer of floats.
struct Matrix {
  Value base;
  int64_t width = 0;
};

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

  Value at(Value tile, Value row, Value column) { return e.eval(tile, {{head[0]}, {head[1]}, {row}, {column}}); }
  Value vectorAt(Value tile, Value row, Value column, Value mask) {
    return e.eval(tile, {{head[0]}, {head[1]}, {row}, {column, 1}}, mask);
  }
  void heads(Value tile, function_ref<void()> body) {
    SmallVector<Value> sizes = e.sizes(tile);
    e.loops({sizes[0], sizes[1]}, [&](ArrayRef<Value> at) {
      head[0] = at[0], head[1] = at[1];
      body();
    });
  }
  static int64_t headSizeOf(Value tile) { return tensorType(tile).getDimSize(3); }
  static int64_t positionsOf(Value tile) { return tensorType(tile).getDimSize(2); }
  int64_t blockRows() {
    auto first = cast<tensor::ParallelInsertSliceOp>(*e.grid.getTerminator().getYieldingOps().begin());
    SmallVector<int64_t> axes = getMovedAxes(first.getSource());
    return e.blockExtent(llvm::find(axes, 2) - axes.begin());
  }
  int64_t padded(int64_t n) { return std::max<int64_t>(llvm::alignTo(n, e.lanes), e.lanes); }

  // --- Local matrices ----------------------------------------------------------------------------------------------

  Matrix matrix(int64_t rows, int64_t width) {
    return {e.buffer(std::max<int64_t>(rows, 1) * padded(width), element), padded(width)};
  }
  Value slot(Matrix m, Value row, Value column) {
    return e.pointer(m.base, e.add(e.mul(row, m.width), column), element);
  }
  Value load(Matrix m, Value row, Value column) { return e.loadVector(slot(m, row, column), element); }
  Value loadScalar(Matrix m, Value row, Value column) { return e.loadScalar(slot(m, row, column), element); }
  void store(Matrix m, Value row, Value column, Value value) { e.storeValue(value, slot(m, row, column)); }
  void clear(Matrix m, Value rows) {
    e.loop(e.cst(0), rows, 1,
           [&](Value i) { e.loop(e.cst(0), e.cst(m.width), e.lanes, [&](Value j) { store(m, i, j, constant(0)); }); });
  }

  /// Rows `from` to `from + count` of a tile as columns: [head size][kStep], zeros beyond the count. Squares are
  /// transposed in registers; in the place of rows that don't exist the last one is read.
  void packTransposed(Matrix to, Value tile, Value from, Value count) {
    int64_t headSize = headSizeOf(tile), whole = headSize / e.lanes * e.lanes;
    Value last = e.sub(count, e.cst(1));
    e.loop(e.cst(0), e.cst(kStep), e.lanes, [&](Value j) {
      Value exists = e.mask(e.sub(count, j));
      auto square = [&](Value d, int64_t columns, Value mask) {
        SmallVector<Value> rows;
        for (int64_t r = 0; r < e.lanes; ++r)
          rows.push_back(e.asVector(vectorAt(tile, e.add(from, e.minimum(e.add(j, r), last)), d, mask)));
        e.transpose(rows);
        for (int64_t r = 0; r < columns; ++r)
          store(to, e.add(d, r), j, select(exists, rows[r], constant(0)));
      };
      e.loop(e.cst(0), e.cst(whole), e.lanes, [&](Value d) { square(d, e.lanes, {}); });
      if (int64_t rest = headSize - whole)
        square(e.cst(whole), rest, e.mask(e.cst(rest)));
    });
  }

  /// Rows `from` to `from + count` of a tile.
  void copyRows(Matrix to, Value tile, Value from, Value count) {
    e.loop(e.cst(0), count, 1, [&](Value i) {
      e.vectors(e.cst(headSizeOf(tile)),
                [&](Value j, Value mask) { store(to, i, j, e.asVector(vectorAt(tile, e.add(from, i), j, mask))); });
    });
  }
  /// What has to be computed is computed once: a product reads its left rows element by element, for every step.
  void placeRows(Value tile, Value count) {
    if (!isComputed(tile))
      return;
    Matrix rows = matrix(blockRows(), headSizeOf(tile));
    copyRows(rows, tile, e.cst(0), count);
    e.place(tile, rows.base, {1, 1, blockRows(), rows.width}, {head[0], head[1], e.cst(0), e.cst(0)});
  }
  static bool isComputed(Value tile) { return bool(tile.getDefiningOp<IndexedOp>()); }

  /// done(row, column, sum): sums over k of left(row, k) * right(k, column) for whole vectors of columns, from `start`.
  void product(Value rows, int64_t columns, Value kSize, function_ref<Value(Value, Value)> left,
               function_ref<Value(Value, Value)> right, function_ref<Value(Value, Value)> start,
               function_ref<void(Value, Value, Value)> done) {
    auto tile = [&](Value i, int64_t count, int64_t first, int64_t vectors) {
      SmallVector<Value> initial;
      auto row = [&](int64_t x) { return e.add(i, x / vectors); };
      auto column = [&](int64_t x) { return e.cst(first + x % vectors * e.lanes); };
      for (int64_t x = 0; x < count * vectors; ++x)
        initial.push_back(start(row(x), column(x)));
      auto sums = e.carry(e.cst(0), kSize, 1, initial, [&](Value k, ValueRange carried) {
        SmallVector<Value> next, rights;
        for (int64_t v = 0; v < vectors; ++v)
          rights.push_back(right(k, column(v)));
        for (int64_t r = 0; r < count; ++r) {
          Value l = e.asVector(left(e.add(i, r), k));
          for (int64_t v = 0; v < vectors; ++v)
            next.push_back(e.fma(l, rights[v], carried[r * vectors + v]));
        }
        return next;
      });
      for (int64_t x = 0; x < count * vectors; ++x)
        done(row(x), column(x), sums[x]);
    };
    Value whole = e.floorTo(rows, kRows);
    int64_t total = padded(columns) / e.lanes;
    for (int64_t v = 0; v < total; v += kVectors) {
      int64_t vectors = std::min(kVectors, total - v);
      e.loop(e.cst(0), whole, kRows, [&](Value i) { tile(i, kRows, v * e.lanes, vectors); });
      e.loop(whole, rows, 1, [&](Value i) { tile(i, 1, v * e.lanes, vectors); });
    }
  }
  Value zeroStart(Value, Value) { return constant(0); }

  /// sums[row][:] += scores[row][k] * tile[from + k][:] over the step. What is hidden takes no part, not even
  /// where its zero meets NaN or infinity; only then are elements looked at one by one.
  void accumulate(Matrix sums, Matrix scores, Value tile, Value rows, Value from, Value count) {
    int64_t headSize = headSizeOf(tile);
    Matrix copy;
    if (isComputed(tile)) {
      copy = matrix(kStep, headSize);
      copyRows(copy, tile, from, count);
    }
    auto row = [&](Value k, Value j) {
      if (copy.base)
        return load(copy, k, j);
      Value mask = headSize % e.lanes ? e.mask(e.sub(e.cst(headSize), j)) : Value();
      Value elements = vectorAt(tile, e.add(from, k), j, mask);
      return mask ? select(mask, elements, constant(0)) : elements;
    };
    int64_t width = padded(headSize);
    auto choice = scf::IfOp::create(b, isFinite(count, width, row), /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    product(
        rows, headSize, count, [&](Value i, Value k) { return loadScalar(scores, i, k); }, row,
        [&](Value i, Value j) { return load(sums, i, j); },
        [&](Value i, Value j, Value sum) { store(sums, i, j, sum); });
    b.setInsertionPointToStart(choice.elseBlock());
    e.loop(e.cst(0), rows, 1, [&](Value i) {
      e.loop(e.cst(0), count, 1, [&](Value k) {
        Value weight = loadScalar(scores, i, k);
        e.when(emitIsVisible(b, weight), [&] {
          e.loop(e.cst(0), e.cst(width), e.lanes,
                 [&](Value j) { store(sums, i, j, e.fma(e.asVector(weight), row(k, j), load(sums, i, j))); });
        });
      });
    });
  }
  /// Whether all elements of a step's rows are finite: the difference of others to themselves is NaN.
  Value isFinite(Value count, int64_t width, function_ref<Value(Value, Value)> row) {
    auto sum = e.carry(e.cst(0), count, 1, {constant(0)}, [&](Value k, ValueRange outer) {
      return e.carry(e.cst(0), e.cst(width), e.lanes, outer, [&](Value j, ValueRange inner) {
        Value x = row(k, j);
        return SmallVector<Value>{arith::AddFOp::create(b, inner[0], sub(x, x))};
      });
    });
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, e.combineLanes(CombiningKind::ADD, sum[0]), scalar(0));
  }
  /// scores[row][j] = finish(row, j, tile[row][:] . columns[:][j]).
  void scoresOf(Matrix scores, Value tile, Matrix columns, Value rows,
                function_ref<Value(Value, Value, Value)> finish) {
    product(
        rows, kStep, e.cst(headSizeOf(tile)), [&](Value i, Value d) { return at(tile, i, d); },
        [&](Value d, Value j) { return load(columns, d, j); }, [&](Value i, Value j) { return zeroStart(i, j); },
        [&](Value i, Value j, Value sum) { store(scores, i, j, finish(i, j, sum)); });
  }
  /// Writes rows of an output, value(row, column) vector by vector.
  void write(Value output, Value rows, function_ref<Value(Value, Value)> value) {
    e.loop(e.cst(0), rows, 1, [&](Value i) {
      e.vectors(e.cst(headSizeOf(output)), [&](Value j, Value mask) {
        e.storeOutput(output, value(i, j), {{head[0]}, {head[1]}, {i}, {j, 1}}, mask);
      });
    });
  }

  // --- Masks -------------------------------------------------------------------------------------------------------

  Value weightOf(Value score, Value shift) { return emitWeight(b, score, shift); }
  Value gradientOf(Value weight, Value difference, double scale) {
    return emitScoreGradient(b, weight, difference, constant(scale));
  }
  Value equal(Value x, double y) {
    Value number = isa<VectorType>(x.getType()) ? constant(y) : scalar(y);
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, number);
  }

  /// The scores of queries and keys, one of which runs along lanes, with the mask added where there is one. Lanes that
  /// are not `seen` have any value.
  Value masked(Value scores, Value mask, Coord query, Coord key, Value seen) {
    if (!mask)
      return scores;
    unsigned number = llvm::find(op->getOperands(), mask) - op->operand_begin();
    Coords loops = {{head[0]}, {head[1]}, query, key, {e.cst(0)}, {e.cst(0)}};
    Value added = e.asVector(e.eval(mask, e.project(IndexedOp(op).getOperandMap(number), loops), seen));
    Value sum = arith::AddFOp::create(b, scores, added); // NaN for a hidden NaN
    return select(equal(added, -std::numeric_limits<double>::infinity()), added, sum);
  }
  /// The log-sum-exp of rows for a difference to their scores: 0 in place of minus infinity, which rows that a mask
  /// leaves no key have, keeps it defined.
  Value shiftOf(Value lse, Value mask) {
    if (!mask)
      return lse;
    Value zero = isa<VectorType>(lse.getType()) ? constant(0) : scalar(0);
    return select(equal(lse, -std::numeric_limits<double>::infinity()), zero, lse);
  }
  /// Whether masked_value has a weight beside a row's largest score, or its log-sum-exp: below the limit its
  /// exponential is 0. True for NaN.
  Value counts(Value shift) {
    double limit = element.isF64() ? -746 : -104;
    Value difference = sub(isa<VectorType>(shift.getType()) ? constant(*maskedValue) : scalar(*maskedValue), shift);
    Value bound = isa<VectorType>(shift.getType()) ? constant(limit) : scalar(limit);
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UGT, difference, bound);
  }

  // --- Arithmetic --------------------------------------------------------------------------------------------------

  Value constant(double x) { return e.splat(element, x); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value select(Value c, Value x, Value y) { return arith::SelectOp::create(b, c, x, y); }
  Value exp(Value x) { return math::ExpOp::create(b, x); }
  Value scalar(double x) { return e.constant(element, x); }

  /// The lanes of a step, from position `first + j` on, that are below `limit`.
  Value below(Value limit, Value first, Value j) { return e.mask(e.sub(limit, e.add(first, j))); }
  /// Statistics have one element a row: [batch, head, position].
  Value rowStatistic(Value tile, Value row) { return e.eval(tile, {{head[0]}, {head[1]}, {row}}); }

  TileEmitter &e;
  ImplicitLocOpBuilder &b;
  Type element;
  bool causal;
  std::optional<double> maskedValue;
  Operation *op;
  Value head[2];
};

//===----------------------------------------------------------------------===//
// Forward: online softmax
//===----------------------------------------------------------------------===//

void AttentionEmitter::forward(AttentionOp op) {
  const double infinity = std::numeric_limits<double>::infinity();
  int64_t rows = blockRows();
  Matrix keys = matrix(headSizeOf(op.getQ()), kStep), scores = matrix(rows, kStep);
  Matrix sums = matrix(rows, headSizeOf(op.getV())), statistics = matrix(rows, 2); // largest score, sum of exponentials
  Value largestAt = e.cst(0), totalAt = e.cst(1);
  heads(op.getQ(), [&] {
    Value count = e.sizes(op.getQ())[2], keyCount = e.cst(positionsOf(op.getK()));
    placeRows(op.getQ(), count);
    clear(sums, count);
    e.loop(e.cst(0), count, 1, [&](Value i) {
      store(statistics, i, largestAt, scalar(-infinity));
      store(statistics, i, totalAt, scalar(0));
    });
    // Keys after the block's last query are never seen.
    Value first = e.absolute(IndexedOp(op), 0, e.cst(0));
    Value limit = causal ? e.minimum(keyCount, e.add(first, count)) : keyCount;
    if (maskedValue) // whole steps: hidden keys beside seen ones have scores
      limit = e.minimum(keyCount, e.floorTo(e.add(limit, kStep - 1), kStep));
    auto goOver = [&](Value from) {
      Value step = e.minimum(e.sub(limit, from), e.cst(kStep));
      packTransposed(keys, op.getK(), from, step);
      scoresOf(scores, op.getQ(), keys, count, [&](Value i, Value j, Value sum) {
        Value seen = causal ? e.minimum(limit, e.add(e.add(first, i), 1)) : limit;
        Value exists = below(seen, from, j);
        Value score =
            masked(mul(sum, constant(op.getScaleOrDefault())), op.getMask(), {i}, {e.add(from, j), 1}, exists);
        Value hidden = constant(maskedValue.value_or(-infinity));
        if (maskedValue)
          hidden = select(below(limit, from, j), hidden, constant(-infinity));
        return select(exists, score, hidden);
      });
      e.loop(e.cst(0), count, 1, [&](Value i) {
        Value best = constant(-infinity);
        for (int64_t j = 0; j < kStep; j += e.lanes)
          best = arith::MaximumFOp::create(b, best, load(scores, i, e.cst(j)));
        Value before = loadScalar(statistics, i, largestAt);
        Value largest = arith::MaximumFOp::create(b, before, e.combineLanes(CombiningKind::MAXIMUMF, best));
        // A row that has seen no key yet: 0 in place of minus infinity keeps every difference defined.
        Value none = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, largest, scalar(-infinity));
        Value shift = select(none, scalar(0), largest);
        Value total = constant(0);
        for (int64_t j = 0; j < kStep; j += e.lanes) {
          Value p = weightOf(load(scores, i, e.cst(j)), e.asVector(shift));
          store(scores, i, e.cst(j), p);
          total = arith::AddFOp::create(b, total, p);
        }
        Value decay = exp(sub(before, shift));
        Value old = mul(loadScalar(statistics, i, totalAt), decay);
        store(statistics, i, largestAt, largest);
        store(statistics, i, totalAt, arith::AddFOp::create(b, old, e.combineLanes(CombiningKind::ADD, total)));
        e.loop(e.cst(0), e.cst(sums.width), e.lanes,
               [&](Value j) { store(sums, i, j, mul(load(sums, i, j), e.asVector(decay))); });
      });
      accumulate(sums, scores, op.getV(), count, from, step);
    };
    e.loop(e.cst(0), limit, kStep, goOver);
    if (maskedValue) { // The keys behind matter to rows whose scores are not far above their score.
      auto any = e.carry(e.cst(0), count, 1, {e.constant(b.getI1Type(), 0)}, [&](Value i, ValueRange carried) {
        Value row = counts(loadScalar(statistics, i, largestAt));
        return SmallVector<Value>{arith::OrIOp::create(b, carried[0], row)};
      });
      Value behind = limit;
      limit = keyCount;
      e.when(any[0], [&] { e.loop(behind, keyCount, kStep, goOver); });
    }
    e.loop(e.cst(0), count, 1, [&](Value i) {
      Value total = loadScalar(statistics, i, totalAt);
      Value none = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, total, scalar(0));
      Value scale = select(none, scalar(0), arith::DivFOp::create(b, scalar(1), total));
      e.vectors(e.cst(headSizeOf(op.getV())), [&](Value j, Value mask) {
        Value result = mul(load(sums, i, j), e.asVector(scale));
        e.storeOutput(op.getResult(), result, {{head[0]}, {head[1]}, {i}, {j, 1}}, mask);
      });
      Value lse = arith::AddFOp::create(b, loadScalar(statistics, i, largestAt), math::LogOp::create(b, total));
      lse = select(none, scalar(-infinity), lse);
      e.storeOutput(op.getLse(), lse, {{head[0]}, {head[1]}, {i}});
    });
    e.unplace(op.getQ());
  });
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

void AttentionEmitter::gradQuery(AttentionGradQueryOp op) {
  int64_t rows = blockRows();
  double scale = op.getScaleOrDefault();
  Matrix keys = matrix(headSizeOf(op.getK()), kStep), values = matrix(headSizeOf(op.getV()), kStep);
  Matrix probabilities = matrix(rows, kStep), scores = matrix(rows, kStep), sums = matrix(rows, headSizeOf(op.getK()));
  heads(op.getQ(), [&] {
    Value count = e.sizes(op.getQ())[2], keyCount = e.cst(positionsOf(op.getK()));
    placeRows(op.getQ(), count);
    placeRows(op.getResultGrad(), count);
    clear(sums, count);
    Value first = e.absolute(IndexedOp(op), 0, e.cst(0));
    Value limit = causal ? e.minimum(keyCount, e.add(first, count)) : keyCount;
    e.loop(e.cst(0), limit, kStep, [&](Value from) {
      Value step = e.minimum(e.sub(limit, from), e.cst(kStep));
      packTransposed(keys, op.getK(), from, step);
      packTransposed(values, op.getV(), from, step);
      scoresOf(probabilities, op.getQ(), keys, count, [&](Value i, Value j, Value sum) {
        Value seen = causal ? e.minimum(limit, e.add(e.add(first, i), 1)) : limit;
        Value exists = below(seen, from, j);
        Value score = masked(mul(sum, constant(scale)), op.getMask(), {i}, {e.add(from, j), 1}, exists);
        Value lse = shiftOf(rowStatistic(op.getLse(), i), op.getMask());
        return select(exists, weightOf(score, e.asVector(lse)), constant(-0.0));
      });
      scoresOf(scores, op.getResultGrad(), values, count, [&](Value i, Value j, Value sum) {
        Value difference = sub(sum, e.asVector(rowStatistic(op.getDelta(), i)));
        return gradientOf(load(probabilities, i, j), difference, scale);
      });
      accumulate(sums, scores, op.getK(), count, from, step);
    });
    write(op.getDq(), count, [&](Value i, Value j) { return load(sums, i, j); });
    e.unplace(op.getQ());
    e.unplace(op.getResultGrad());
  });
}

/// Works as gradQuery does with keys for rows: probabilities are transposed, and lanes run along the queries.
void AttentionEmitter::gradKeyValue(AttentionGradKeyValueOp op) {
  int64_t rows = blockRows();
  double scale = op.getScaleOrDefault();
  Matrix queries = matrix(headSizeOf(op.getQ()), kStep), gradients = matrix(headSizeOf(op.getV()), kStep);
  Matrix probabilities = matrix(rows, kStep), scores = matrix(rows, kStep);
  Matrix keySums = matrix(rows, headSizeOf(op.getK())), valueSums = matrix(rows, headSizeOf(op.getV()));
  heads(op.getK(), [&] {
    Value count = e.sizes(op.getK())[2], queryCount = e.cst(positionsOf(op.getQ()));
    placeRows(op.getK(), count);
    placeRows(op.getV(), count);
    clear(keySums, count);
    clear(valueSums, count);
    Value first = e.absolute(IndexedOp(op), 0, e.cst(0));
    auto goOver = [&](Value from) {
      Value step = e.minimum(e.sub(queryCount, from), e.cst(kStep));
      packTransposed(queries, op.getQ(), from, step);
      packTransposed(gradients, op.getResultGrad(), from, step);
      auto statistic = [&](Value tile, Value j, Value mask) {
        return e.eval(tile, {{head[0]}, {head[1]}, {e.add(from, j), 1}}, mask);
      };
      // Lane l is query from + j + l, which sees no key after it.
      auto earlier = [&](Value i, Value j) { return below(e.add(first, i), from, j); };
      scoresOf(probabilities, op.getK(), queries, count, [&](Value i, Value j, Value sum) {
        Value exists = below(queryCount, from, j);
        Value score = masked(mul(sum, constant(scale)), op.getMask(), {e.add(from, j), 1}, {i}, exists);
        if (causal)
          score =
              select(earlier(i, j), constant(maskedValue.value_or(-std::numeric_limits<double>::infinity())), score);
        Value p = weightOf(score, shiftOf(statistic(op.getLse(), j, exists), op.getMask()));
        return select(exists, p, constant(-0.0));
      });
      scoresOf(scores, op.getV(), gradients, count, [&](Value i, Value j, Value sum) {
        Value difference = sub(sum, statistic(op.getDelta(), j, below(queryCount, from, j)));
        Value gradient = gradientOf(load(probabilities, i, j), difference, scale);
        return maskedValue ? select(earlier(i, j), constant(-0.0), gradient) : gradient;
      });
      accumulate(valueSums, probabilities, op.getResultGrad(), count, from, step);
      accumulate(keySums, scores, op.getQ(), count, from, step);
    };
    // Queries before the block's first key see none of its keys.
    Value start = causal ? e.floorTo(first, kStep) : e.cst(0);
    if (maskedValue)
      e.loop(e.cst(0), e.minimum(start, queryCount), kStep, [&](Value from) {
        Value any = e.constant(b.getI1Type(), 0);
        for (int64_t j = 0; j < kStep; j += e.lanes) {
          Value exists = below(queryCount, from, e.cst(j));
          Value lse = e.eval(op.getLse(), {{head[0]}, {head[1]}, {e.add(from, j), 1}}, exists);
          Value lanes = arith::AndIOp::create(b, exists, counts(lse));
          any = arith::OrIOp::create(b, any, e.combineLanes(CombiningKind::OR, lanes));
        }
        e.when(any, [&] { goOver(from); });
      });
    e.loop(start, queryCount, kStep, goOver);
    write(op.getDk(), count, [&](Value i, Value j) { return load(keySums, i, j); });
    write(op.getDv(), count, [&](Value i, Value j) { return load(valueSums, i, j); });
    e.unplace(op.getK());
    e.unplace(op.getV());
  });
}
} // namespace

void nova::emitCpuAttentionBlock(TileEmitter &e, Operation *anchor) {
  AttentionEmitter emitter(e, anchor);
  if (auto op = dyn_cast<AttentionOp>(anchor))
    return emitter.forward(op);
  if (auto op = dyn_cast<AttentionGradQueryOp>(anchor))
    return emitter.gradQuery(op);
  emitter.gradKeyValue(cast<AttentionGradKeyValueOp>(anchor));
}
