//===- RowNorms.cpp - Rows: layer norm, RMS norm and their gradients ------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RowEmitter.h"

using namespace mlir;
using namespace mlir::nova;

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

namespace {
/// The statistics of a row, and with them its normalised elements. An RMS norm has no mean.
struct Normalised {
  RowEmitter &r;
  Value x, mean, scale;

  Normalised(RowEmitter &r, ArrayRef<Value> row, Value x, double eps, bool isCentred) : r(r), x(x) {
    Value variance;
    if (isCentred) {
      // By differences to a mean that may be off by what sums of large numbers lose: their own mean says by how much.
      // The sum of large numbers would be infinite: each gives its part of the mean.
      Value part = r.div(r.constant(1), r.count());
      mean = r.sum(row, [&](const Coords &at, Value mask) { return r.mul(r.e.eval(x, at, mask), part); });
      SmallVector<Value> sums = r.sums(row, 2, [&](const Coords &at, Value mask) {
        Value d = centred(at, mask);
        return SmallVector<Value>{d, r.mul(d, d)};
      });
      Value off = r.div(sums[0], r.count());
      mean = r.add(mean, off);
      variance = r.sub(r.div(sums[1], r.count()), r.mul(off, off));
      variance = arith::MaximumFOp::create(r.b, variance, r.constant(0)); // Rounding may leave less than nothing.
    } else {
      variance = r.mean(row, [&](const Coords &at, Value mask) {
        Value value = centred(at, mask);
        return r.mul(value, value);
      });
    }
    scale = r.div(r.constant(1), math::SqrtOp::create(r.b, r.add(variance, r.constant(eps))));
  }
  Value centred(const Coords &at, Value mask) const {
    Value value = r.e.eval(x, at, mask);
    return mean ? r.sub(value, mean) : value;
  }
  Value operator()(const Coords &at, Value mask) const { return r.mul(centred(at, mask), scale); }
};
} // namespace

void nova::emitLayerNorm(TileEmitter &e, LayerNormOp op) {
  RowEmitter r(e, op.getX(), elementOf(op.getX()));
  r.rows([&](ArrayRef<Value> row) {
    Normalised normalised(r, row, op.getX(), number(op.getEps()), /*isCentred=*/true);
    r.write(op.getResult(), row, [&](const Coords &at, Value mask) {
      Coords column = {at.back()};
      return e.fma(normalised(at, mask), e.eval(op.getWeight(), column, mask), e.eval(op.getBias(), column, mask));
    });
  });
}

void nova::emitRmsNorm(TileEmitter &e, RmsNormOp op) {
  RowEmitter r(e, op.getX(), elementOf(op.getX()));
  r.rows([&](ArrayRef<Value> row) {
    Normalised normalised(r, row, op.getX(), number(op.getEps()), /*isCentred=*/false);
    r.write(op.getResult(), row, [&](const Coords &at, Value mask) {
      return r.mul(normalised(at, mask), e.eval(op.getWeight(), {at.back()}, mask));
    });
  });
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

namespace {
/// Sums over the rows of a partial, one for each column: in a local buffer, or where that does not fit, in the output
/// itself. A column is one thread's.
class ColumnSums {
public:
  ColumnSums(RowEmitter &r, Value output, int64_t width)
      : r(r), e(r.e), output(output), needed(e.isOutput(output)),
        inPlace(tensorType(output).getElementType() == r.element &&
                !e.fits(width * r.element.getIntOrFloatBitWidth() / 8)) {
    // A masked vector may read past the row's end: buffers are whole cache lines.
    if (needed && !inPlace)
      buffer = e.buffer(width, r.element);
  }
  void clear(ArrayRef<Value> row) {
    each(row, [&](Value j, Value mask) { write(row, j, mask, r.constant(0)); });
  }
  void add(ArrayRef<Value> row, Value j, Value mask, Value term) {
    if (needed)
      write(row, j, mask, r.add(read(row, j, mask), term));
  }
  void finish(ArrayRef<Value> row) {
    if (!inPlace)
      each(row, [&](Value j, Value mask) { e.storeOutput(output, read(row, j, mask), RowEmitter::at(row, j), mask); });
  }

private:
  void each(ArrayRef<Value> row, function_ref<void(Value, Value)> body) {
    if (needed)
      e.vectors(r.n, body);
  }
  Value slot(Value j) { return e.pointer(buffer, j, r.element); }
  Value read(ArrayRef<Value> row, Value j, Value mask) {
    return inPlace ? e.loadOutput(output, RowEmitter::at(row, j), mask) : e.loadVector(slot(j), r.element);
  }
  void write(ArrayRef<Value> row, Value j, Value mask, Value value) {
    if (inPlace)
      e.storeOutput(output, value, RowEmitter::at(row, j), mask);
    else
      e.storeValue(value, slot(j), mask);
  }

  RowEmitter &r;
  TileEmitter &e;
  Value output, buffer;
  bool needed, inPlace;
};
} // namespace

/// dx row by row; the sums for the weight, and for a bias if there is one, over the rows of a partial.
template <typename Op> static void emitNormGrad(TileEmitter &e, Op op, std::optional<ColumnSums> dbias, RowEmitter &r) {
  constexpr bool isCentred = std::is_same_v<Op, LayerNormGradOp>;
  unsigned partials = op.getPartials();
  ColumnSums dweight(r, op.getDweight(), op.getX().getType().getShape().back());
  e.loops(ArrayRef(r.sizes).take_front(partials), [&](ArrayRef<Value> outer) {
    dweight.clear(outer);
    if (dbias)
      dbias->clear(outer);
    e.loops(ArrayRef(r.sizes).drop_back().drop_front(partials), [&](ArrayRef<Value> inner) {
      SmallVector<Value> row(outer);
      llvm::append_range(row, inner);
      Normalised normalised(r, row, op.getX(), number(op.getEps()), isCentred);
      auto weighted = [&](const Coords &at, Value mask) {
        return r.mul(e.eval(op.getResultGrad(), at, mask), e.eval(op.getWeight(), {at.back()}, mask));
      };
      Value meanGrad = isCentred ? r.mean(row, weighted) : Value();
      Value meanProduct =
          r.mean(row, [&](const Coords &at, Value m) { return r.mul(weighted(at, m), normalised(at, m)); });
      e.vectors(r.n, [&](Value j, Value mask) {
        Coords at = RowEmitter::at(row, j);
        Value x = normalised(at, mask), dy = e.eval(op.getResultGrad(), at, mask), dx = weighted(at, mask);
        dweight.add(outer, j, mask, r.mul(dy, x));
        if (dbias)
          dbias->add(outer, j, mask, dy);
        if (meanGrad)
          dx = r.sub(dx, meanGrad);
        e.storeOutput(op.getDx(), r.mul(r.sub(dx, r.mul(x, meanProduct)), normalised.scale), at, mask);
      });
    });
    dweight.finish(outer);
    if (dbias)
      dbias->finish(outer);
  });
}

void nova::emitLayerNormGrad(TileEmitter &e, LayerNormGradOp op) {
  RowEmitter r(e, op.getX(), elementOf(op.getX()));
  emitNormGrad(e, op, ColumnSums(r, op.getDbias(), op.getX().getType().getShape().back()), r);
}

void nova::emitRmsNormGrad(TileEmitter &e, RmsNormGradOp op) {
  RowEmitter r(e, op.getX(), elementOf(op.getX()));
  emitNormGrad(e, op, std::nullopt, r);
}
