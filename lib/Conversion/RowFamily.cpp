//===- RowFamily.cpp - Rows: norms, softmax, losses, last-axis sums -------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nova;
using vector::CombiningKind;

namespace {
/// What row emitters share: passes over a row of `n` elements, in the statistics' type.
class RowEmitter {
public:
  RowEmitter(TileEmitter &e, Value rows, Type element)
      : e(e), b(e.b), element(element), sizes(e.sizes(rows)), n(sizes.back()) {}

  /// Calls body with the leading coordinates of every row.
  void rows(function_ref<void(ArrayRef<Value>)> body) { e.loops(ArrayRef(sizes).drop_back(), body); }

  /// Combines term(position, mask) over the row; every lane gets the result.
  Value combine(CombiningKind kind, double identity, ArrayRef<Value> row,
                function_ref<Value(const Coords &, Value)> term) {
    Value start = e.splat(element, identity);
    Value all = e.vectors(n, start, [&](Value j, Value mask, ValueRange carried) {
      Value value = e.masked(mask, e.asVector(term(at(row, j), mask)), start);
      return SmallVector<Value>{vector::makeArithReduction(b, b.getLoc(), kind, carried[0], value)};
    })[0];
    return e.asVector(e.combineLanes(kind, all));
  }
  Value sum(ArrayRef<Value> row, function_ref<Value(const Coords &, Value)> term) {
    return combine(CombiningKind::ADD, 0, row, term);
  }
  Value largest(ArrayRef<Value> row, Value tile) {
    return combine(CombiningKind::MAXIMUMF, -std::numeric_limits<double>::infinity(), row,
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

  /// Mean and 1 / sqrt(variance + eps) of a row, by differences to the mean.
  std::pair<Value, Value> statistics(ArrayRef<Value> row, Value x, double eps) {
    Value count = e.asVector(arith::SIToFPOp::create(b, element, arith::IndexCastOp::create(b, b.getI64Type(), n)));
    Value mean = div(sum(row, [&](const Coords &at, Value mask) { return e.eval(x, at, mask); }), count);
    Value variance = div(sum(row,
                             [&](const Coords &at, Value mask) {
                               Value d = sub(e.eval(x, at, mask), mean);
                               return mul(d, d);
                             }),
                         count);
    return {mean, div(constant(1), math::SqrtOp::create(b, add(variance, constant(eps))))};
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
} // namespace

static Type elementOf(Value tile) { return computeType(cast<RankedTensorType>(tile.getType()).getElementType()); }
static double number(const APFloat &x) { return x.convertToDouble(); }

static void emitSoftmax(TileEmitter &e, SoftmaxOp op) {
  RowEmitter r(e, op.getX(), elementOf(op.getX()));
  r.rows([&](ArrayRef<Value> row) {
    Value largest = r.largest(row, op.getX());
    auto numerator = [&](const Coords &at, Value mask) { return r.exp(r.sub(e.eval(op.getX(), at, mask), largest)); };
    Value scale = r.div(r.constant(1), r.sum(row, numerator));
    r.write(op.getResult(), row, [&](const Coords &at, Value mask) { return r.mul(numerator(at, mask), scale); });
  });
}

static void emitSoftmaxGrad(TileEmitter &e, SoftmaxGradOp op) {
  RowEmitter r(e, op.getY(), elementOf(op.getY()));
  r.rows([&](ArrayRef<Value> row) {
    Value dot = r.sum(row, [&](const Coords &at, Value mask) {
      return r.mul(e.eval(op.getResultGrad(), at, mask), e.eval(op.getY(), at, mask));
    });
    r.write(op.getResult(), row, [&](const Coords &at, Value mask) {
      return r.mul(e.eval(op.getY(), at, mask), r.sub(e.eval(op.getResultGrad(), at, mask), dot));
    });
  });
}

static void emitLayerNorm(TileEmitter &e, LayerNormOp op) {
  RowEmitter r(e, op.getX(), elementOf(op.getX()));
  r.rows([&](ArrayRef<Value> row) {
    auto [mean, scale] = r.statistics(row, op.getX(), number(op.getEps()));
    r.write(op.getResult(), row, [&, mean = mean, scale = scale](const Coords &at, Value mask) {
      Coords column = {at.back()};
      Value normalised = r.mul(r.sub(e.eval(op.getX(), at, mask), mean), scale);
      return e.fma(normalised, e.eval(op.getWeight(), column, mask), e.eval(op.getBias(), column, mask));
    });
  });
}

namespace {
/// Sums over the rows of a partial, one for each column: in a local buffer, or where that does not fit, in the output
/// itself. A column is one thread's.
class ColumnSums {
public:
  ColumnSums(RowEmitter &r, Value output, int64_t width)
      : r(r), e(r.e), output(output), needed(e.isOutput(output)),
        inPlace(cast<RankedTensorType>(output.getType()).getElementType() == r.element &&
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

/// dx row by row; the sums for weight and bias over the rows of a partial.
static void emitLayerNormGrad(TileEmitter &e, LayerNormGradOp op) {
  RowEmitter r(e, op.getX(), elementOf(op.getX()));
  int64_t width = op.getX().getType().getShape().back();
  unsigned partials = op.getPartials();
  ColumnSums dweight(r, op.getDweight(), width), dbias(r, op.getDbias(), width);
  e.loops(ArrayRef(r.sizes).take_front(partials), [&](ArrayRef<Value> outer) {
    dweight.clear(outer);
    dbias.clear(outer);
    e.loops(ArrayRef(r.sizes).drop_back().drop_front(partials), [&](ArrayRef<Value> inner) {
      SmallVector<Value> row(outer);
      llvm::append_range(row, inner);
      auto [mean, scale] = r.statistics(row, op.getX(), number(op.getEps()));
      auto normalised = [&, mean = mean, scale = scale](const Coords &at, Value mask) {
        return r.mul(r.sub(e.eval(op.getX(), at, mask), mean), scale);
      };
      auto weighted = [&](const Coords &at, Value mask) {
        return r.mul(e.eval(op.getResultGrad(), at, mask), e.eval(op.getWeight(), {at.back()}, mask));
      };
      Value count =
          e.asVector(arith::SIToFPOp::create(e.b, r.element, arith::IndexCastOp::create(e.b, e.b.getI64Type(), r.n)));
      Value meanGrad = r.div(r.sum(row, weighted), count);
      Value meanProduct = r.div(
          r.sum(row, [&](const Coords &at, Value m) { return r.mul(weighted(at, m), normalised(at, m)); }), count);
      e.vectors(r.n, [&, scale = scale](Value j, Value mask) {
        Coords at = RowEmitter::at(row, j);
        Value x = normalised(at, mask), dy = e.eval(op.getResultGrad(), at, mask);
        dweight.add(outer, j, mask, r.mul(dy, x));
        dbias.add(outer, j, mask, dy);
        Value dx = r.mul(r.sub(r.sub(weighted(at, mask), meanGrad), r.mul(x, meanProduct)), scale);
        e.storeOutput(op.getDx(), dx, at, mask);
      });
    });
    dweight.finish(outer);
    dbias.finish(outer);
  });
}

namespace {
/// The target of a row: a valid index, whether the row counts.
struct RowTarget {
  Value index, counts;
};
} // namespace

static RowTarget targetOf(TileEmitter &e, Value targets, int64_t ignored, ArrayRef<Value> row, Value classes) {
  Coords at = RowEmitter::outer(row);
  Value index = arith::IndexCastOp::create(e.b, e.b.getIndexType(), e.eval(targets, at));
  Value counts = arith::CmpIOp::create(e.b, arith::CmpIPredicate::ne, index, e.cst(ignored));
  return {e.checkedIndex(index, classes, targets, at, counts), counts};
}

/// Stores the outputs of a kernel whose results have one element a row.
static void storeRow(TileEmitter &e, Value result, Value value, ArrayRef<Value> row, bool keepDims = false) {
  Coords at = RowEmitter::outer(row);
  if (keepDims)
    at.push_back({e.cst(0)});
  e.once([&] {
    e.bind(result, value);
    e.store(at);
    e.unbind();
  });
}

static Value scalarOf(TileEmitter &e, Value value) {
  return isa<VectorType>(value.getType()) ? Value(vector::ExtractOp::create(e.b, value, 0)) : value;
}

static void emitCrossEntropy(TileEmitter &e, CrossEntropyOp op) {
  Type element = elementOf(op.getLogits());
  RowEmitter r(e, op.getLogits(), element);
  r.rows([&](ArrayRef<Value> row) {
    RowTarget target = targetOf(e, op.getTargets(), op.getIgnoreIndex(), row, r.n);
    Value largest = r.largest(row, op.getLogits());
    Value sum = r.sum(
        row, [&](const Coords &at, Value mask) { return r.exp(r.sub(e.eval(op.getLogits(), at, mask), largest)); });
    Coords hit = RowEmitter::outer(row);
    hit.push_back({target.index});
    // log(sum) + largest - logits[target], the difference first: the terms may be large.
    Value difference = arith::SubFOp::create(e.b, scalarOf(e, largest), e.eval(op.getLogits(), hit));
    Value loss = arith::AddFOp::create(e.b, math::LogOp::create(e.b, scalarOf(e, sum)), difference);
    storeRow(e, op.getResult(), arith::SelectOp::create(e.b, target.counts, loss, e.constant(element, 0)), row);
  });
}

static void emitCrossEntropyGrad(TileEmitter &e, CrossEntropyGradOp op) {
  Type element = elementOf(op.getLogits());
  RowEmitter r(e, op.getLogits(), element);
  ImplicitLocOpBuilder &b = e.b;
  r.rows([&](ArrayRef<Value> row) {
    RowTarget target = targetOf(e, op.getTargets(), op.getIgnoreIndex(), row, r.n);
    Coords where = op.getReduction() == LossReduction::None ? RowEmitter::outer(row) : Coords();
    Value gradient = e.asVector(
        arith::SelectOp::create(b, target.counts, e.eval(op.getResultGrad(), where), e.constant(element, 0)));
    Value largest = r.largest(row, op.getLogits());
    auto numerator = [&](const Coords &at, Value mask) {
      return r.exp(r.sub(e.eval(op.getLogits(), at, mask), largest));
    };
    Value scale = r.div(gradient, r.sum(row, numerator));
    r.write(op.getResult(), row, [&](const Coords &at, Value mask) {
      // Lane l holds class j + l: it is the target's if l equals target - j.
      Value hit;
      if (e.lanes == 1) {
        hit = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, at.back().at, target.index);
      } else {
        SmallVector<int32_t> numbers = llvm::to_vector(llvm::seq<int32_t>(0, e.lanes));
        Value lane = arith::ConstantOp::create(b, b.getI32VectorAttr(numbers));
        Value offset = arith::IndexCastOp::create(b, b.getI32Type(), e.sub(target.index, at.back().at));
        hit = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane, e.asVector(offset));
      }
      Value one = arith::SelectOp::create(b, hit, gradient, r.constant(0));
      return r.sub(r.mul(numerator(at, mask), scale), one);
    });
  });
}

/// Sum, max, ... over the last axis.
static void emitRowReduce(TileEmitter &e, ReduceOp op) {
  ImplicitLocOpBuilder &b = e.b;
  Type element = elementOf(op.getX());
  bool floats = isa<FloatType>(element);
  auto kindOf = [&]() -> CombiningKind {
    switch (op.getKind()) {
    case ReduceKind::Sum:
    case ReduceKind::Mean:
      return CombiningKind::ADD;
    case ReduceKind::Product:
      return CombiningKind::MUL;
    case ReduceKind::Max:
      return floats ? CombiningKind::MAXIMUMF : CombiningKind::MAXSI;
    case ReduceKind::Min:
      return floats ? CombiningKind::MINIMUMF : CombiningKind::MINSI;
    case ReduceKind::Any:
      return CombiningKind::OR;
    case ReduceKind::All:
      return CombiningKind::AND;
    }
    llvm_unreachable("all kinds are above");
  };
  CombiningKind kind = kindOf();
  RowEmitter r(e, op.getX(), element);
  Value start = e.asVector(reductionIdentity(e, op.getKind(), element));
  r.rows([&](ArrayRef<Value> row) {
    Value all = e.vectors(r.n, start, [&](Value j, Value mask, ValueRange carried) {
      Value x = e.masked(mask, e.asVector(e.eval(op.getX(), RowEmitter::at(row, j), mask)), start);
      return SmallVector<Value>{reductionStep(b, op.getKind(), carried[0], x)};
    })[0];
    Value result = e.combineLanes(kind, all);
    if (op.getKind() == ReduceKind::Mean)
      result = arith::DivFOp::create(
          b, result, arith::SIToFPOp::create(b, element, arith::IndexCastOp::create(b, b.getI64Type(), r.n)));
    storeRow(e, op.getResult(), result, row, op.getKeepDims());
  });
}

LogicalResult nova::emitRowBlock(TileEmitter &e, Operation *anchor) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(anchor)
      .Case([&](SoftmaxOp op) { return emitSoftmax(e, op), success(); })
      .Case([&](SoftmaxGradOp op) { return emitSoftmaxGrad(e, op), success(); })
      .Case([&](LayerNormOp op) { return emitLayerNorm(e, op), success(); })
      .Case([&](LayerNormGradOp op) { return emitLayerNormGrad(e, op), success(); })
      .Case([&](CrossEntropyOp op) { return emitCrossEntropy(e, op), success(); })
      .Case([&](CrossEntropyGradOp op) { return emitCrossEntropyGrad(e, op), success(); })
      .Case([&](ReduceOp op) -> LogicalResult {
        int64_t last = op.getX().getType().getRank() - 1;
        if (op.getAxes() != ArrayRef<int64_t>{last})
          return op.emitOpError("is no row reduction: expected it over the last axis alone; use family generic");
        return emitRowReduce(e, op), success();
      })
      .Default([](Operation *op) { return op->emitOpError("has no emitter in the family row"); });
}
