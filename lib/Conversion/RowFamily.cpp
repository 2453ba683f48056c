//===- RowFamily.cpp - Rows: softmax, losses, last-axis sums --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RowEmitter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nova;
using vector::CombiningKind;

static Value scalarOf(TileEmitter &e, Value value) {
  return isa<VectorType>(value.getType()) ? Value(vector::ExtractOp::create(e.b, value, 0)) : value;
}

static void emitSoftmax(TileEmitter &e, SoftmaxOp op) {
  RowEmitter r(e, op.getX(), elementOf(op.getX()));
  r.rows([&](ArrayRef<Value> row) {
    Value largest = r.largest(row, op.getX());
    auto numerator = [&](const Coords &at, Value mask) { return r.exp(r.sub(e.eval(op.getX(), at, mask), largest)); };
    Value scale = r.div(r.constant(1), r.sum(row, numerator));
    r.write(op.getResult(), row, [&](const Coords &at, Value mask) { return r.mul(numerator(at, mask), scale); });
  });
}

static void emitLogSoftmax(TileEmitter &e, LogSoftmaxOp op) {
  RowEmitter r(e, op.getX(), elementOf(op.getX()));
  r.rows([&](ArrayRef<Value> row) {
    Value largest = r.largest(row, op.getX());
    auto difference = [&](const Coords &at, Value mask) { return r.sub(e.eval(op.getX(), at, mask), largest); };
    Value sum = r.sum(row, [&](const Coords &at, Value mask) { return r.exp(difference(at, mask)); });
    Value log = e.asVector(math::LogOp::create(e.b, scalarOf(e, sum)));
    r.write(op.getResult(), row, [&](const Coords &at, Value mask) { return r.sub(difference(at, mask), log); });
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
    double smoothing = number(op.getLabelSmoothing());
    if (smoothing != 0) {
      // The target has the probability 1 - s, all classes s / V more: the mean of largest - logits has the weight s.
      Value rest =
          r.mean(row, [&](const Coords &at, Value mask) { return r.sub(largest, e.eval(op.getLogits(), at, mask)); });
      Value part = arith::MulFOp::create(e.b, scalarOf(e, rest), e.constant(element, smoothing));
      difference = arith::MulFOp::create(e.b, difference, e.constant(element, 1 - smoothing));
      difference = arith::AddFOp::create(e.b, difference, part);
    }
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
    double smoothing = number(op.getLabelSmoothing());
    Value ofTarget = smoothing == 0 ? gradient : r.mul(gradient, r.constant(1 - smoothing));
    Value ofAll = smoothing == 0 ? Value() : r.div(r.mul(gradient, r.constant(smoothing)), r.count());
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
      Value one = arith::SelectOp::create(b, hit, ofTarget, r.constant(0));
      if (ofAll)
        one = r.add(one, ofAll);
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
      result = arith::DivFOp::create(b, result, scalarOf(e, r.count()));
    storeRow(e, op.getResult(), result, row, op.getKeepDims());
  });
}

/// Sums up to each element: one after another, which is one thread's work.
static void emitCumsum(TileEmitter &e, CumsumOp op) {
  Type element = elementOf(op.getX());
  RowEmitter r(e, op.getX(), element);
  r.rows([&](ArrayRef<Value> row) {
    e.once([&] {
      e.carry(e.cst(0), r.n, 1, e.constant(element, 0), [&](Value i, ValueRange carried) {
        Coords at = RowEmitter::outer(row);
        at.push_back({op.getReverse() ? e.sub(e.sub(r.n, i), e.cst(1)) : i});
        Value sum = reductionStep(e.b, ReduceKind::Sum, carried[0], e.eval(op.getX(), at));
        e.bind(op.getResult(), sum);
        e.store(at);
        e.unbind();
        return SmallVector<Value>{sum};
      });
    });
  });
}

LogicalResult nova::emitRowBlock(TileEmitter &e, Operation *anchor) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(anchor)
      .Case([&](SoftmaxOp op) { return emitSoftmax(e, op), success(); })
      .Case([&](SoftmaxGradOp op) { return emitSoftmaxGrad(e, op), success(); })
      .Case([&](LogSoftmaxOp op) { return emitLogSoftmax(e, op), success(); })
      .Case([&](CumsumOp op) { return emitCumsum(e, op), success(); })
      .Case([&](RmsNormOp op) { return emitRmsNorm(e, op), success(); })
      .Case([&](RmsNormGradOp op) { return emitRmsNormGrad(e, op), success(); })
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
