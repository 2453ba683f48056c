//===- RowEmitter.h - What emitters of rows share ---------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_CONVERSION_ROWEMITTER_H
#define NOVA_LIB_CONVERSION_ROWEMITTER_H

#include "TileEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::nova {

/// Passes over a row of `n` elements, in the statistics' type.
class RowEmitter {
public:
  RowEmitter(TileEmitter &e, Value rows, Type element)
      : e(e), b(e.b), element(element), sizes(e.sizes(rows)), n(sizes.back()) {}

  /// Calls body with the leading coordinates of every row.
  void rows(function_ref<void(ArrayRef<Value>)> body) { e.loops(ArrayRef(sizes).drop_back(), body); }

  /// Combines term(position, mask) over the row; every lane gets the result.
  Value combine(vector::CombiningKind kind, double identity, ArrayRef<Value> row,
                function_ref<Value(const Coords &, Value)> term) {
    Value start = e.splat(element, identity);
    Value all = e.vectors(n, start, [&](Value j, Value mask, ValueRange carried) {
      Value value = e.masked(mask, e.asVector(term(at(row, j), mask)), start);
      return SmallVector<Value>{vector::makeArithReduction(b, b.getLoc(), kind, carried[0], value)};
    })[0];
    return e.asVector(e.combineLanes(kind, all));
  }
  Value sum(ArrayRef<Value> row, function_ref<Value(const Coords &, Value)> term) {
    return combine(vector::CombiningKind::ADD, 0, row, term);
  }
  Value largest(ArrayRef<Value> row, Value tile) {
    return combine(vector::CombiningKind::MAXIMUMF, -std::numeric_limits<double>::infinity(), row,
                   [&](const Coords &at, Value mask) { return e.eval(tile, at, mask); });
  }
  /// Writes a row of `result`: value(position, mask) for every element.
  void write(Value result, ArrayRef<Value> row, function_ref<Value(const Coords &, Value)> value) {
    e.vectors(n, [&](Value j, Value mask) {
      Coords where = at(row, j);
      e.bind(result, value(where, mask));
      e.store(where, mask);
      e.unbind();
    });
  }

  static Coords outer(ArrayRef<Value> row) {
    Coords at;
    for (Value v : row)
      at.push_back({v});
    return at;
  }
  static Coords at(ArrayRef<Value> row, Value j) {
    Coords at = outer(row);
    at.push_back({j, 1});
    return at;
  }

  Value constant(double x) { return e.splat(element, x); }
  Value add(Value x, Value y) { return binary<arith::AddFOp>(x, y, arith::FastMathFlags::contract); }
  Value sub(Value x, Value y) { return binary<arith::SubFOp>(x, y, arith::FastMathFlags::contract); }
  Value mul(Value x, Value y) { return binary<arith::MulFOp>(x, y, arith::FastMathFlags::contract); }
  Value div(Value x, Value y) { return binary<arith::DivFOp>(x, y); }
  Value exp(Value x) { return math::ExpOp::create(b, x); }

  /// Sums of several terms in one pass over the row; every lane gets them.
  SmallVector<Value> sums(ArrayRef<Value> row, unsigned count,
                          function_ref<SmallVector<Value>(const Coords &, Value)> terms) {
    Value zero = constant(0);
    SmallVector<Value> totals =
        e.vectors(n, SmallVector<Value>(count, zero), [&](Value j, Value mask, ValueRange carried) {
          SmallVector<Value> next = terms(at(row, j), mask);
          for (auto [term, total] : llvm::zip_equal(next, carried))
            term = add(total, e.masked(mask, e.asVector(term), zero));
          return next;
        });
    for (Value &total : totals)
      total = e.asVector(e.combineLanes(vector::CombiningKind::ADD, total));
    return totals;
  }
  /// The mean of term(position, mask) over the row.
  Value mean(ArrayRef<Value> row, function_ref<Value(const Coords &, Value)> term) {
    return div(sum(row, term), count());
  }
  /// How many elements a row has.
  Value count() {
    return e.asVector(arith::SIToFPOp::create(b, element, arith::IndexCastOp::create(b, b.getI64Type(), n)));
  }

  /// A splat of the kernel (a norm without weights) is one scalar for all lanes.
  template <typename Op, typename... Flags> Value binary(Value x, Value y, Flags... flags) {
    if (isa<VectorType>(x.getType()) || isa<VectorType>(y.getType()))
      x = e.asVector(x), y = e.asVector(y);
    return Op::create(b, x, y, flags...);
  }

  TileEmitter &e;
  ImplicitLocOpBuilder &b;
  Type element;
  SmallVector<Value> sizes;
  Value n;
};

/// The type in which a tile's elements are computed.
inline Type elementOf(Value tile) { return computeType(tensorType(tile).getElementType()); }
inline double number(const APFloat &x) { return x.convertToDouble(); }

// Rows of norms (RowNorms.cpp).
void emitLayerNorm(TileEmitter &e, LayerNormOp op);
void emitLayerNormGrad(TileEmitter &e, LayerNormGradOp op);
void emitRmsNorm(TileEmitter &e, RmsNormOp op);
void emitRmsNormGrad(TileEmitter &e, RmsNormGradOp op);

} // namespace mlir::nova

#endif // NOVA_LIB_CONVERSION_ROWEMITTER_H
