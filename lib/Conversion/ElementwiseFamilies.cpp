//===- ElementwiseFamilies.cpp - Elementwise, index, generic and column blocks ===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nova;

static Coords position(ArrayRef<Value> outer, Value last) {
  Coords at;
  for (Value v : outer)
    at.push_back({v});
  at.push_back({last, 1});
  return at;
}

/// The output element by element: rows of vectors on a CPU, dealt out to threads on a GPU. Serves the families
/// elementwise, index and generic: what an element is comes from TileEmitter::eval.
void nova::emitElementwiseBlock(TileEmitter &e) {
  SmallVector<Value> sizes = e.outputSizes();
  if (sizes.empty()) // a scalar
    return e.once([&] {
      e.enterRow({});
      e.store({});
    });
  if (e.device == Device::Gpu)
    return e.elements(sizes, [&](const Coords &at) { e.store(at); });
  e.loops(ArrayRef(sizes).drop_back(), [&](ArrayRef<Value> row) {
    e.enterRow(row);
    e.vectors(sizes.back(), [&](Value j, Value mask) { e.store(position(row, j), mask); });
  });
}

void nova::emitGenericBlock(TileEmitter &e) { emitElementwiseBlock(e); }

//===----------------------------------------------------------------------===//
// Column: [P, R, N] to [P, N]
//===----------------------------------------------------------------------===//

Value nova::reductionIdentity(TileEmitter &e, ReduceKind kind, Type element) {
  double infinity = std::numeric_limits<double>::infinity();
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
  case ReduceKind::Any:
    return e.constant(element, 0);
  case ReduceKind::Product:
    return e.constant(element, 1);
  case ReduceKind::All:
    return e.constant(element, -1);
  case ReduceKind::Max:
  case ReduceKind::Min:
    break;
  }
  bool max = kind == ReduceKind::Max;
  if (isa<FloatType>(element))
    return e.constant(element, max ? -infinity : infinity);
  unsigned width = element.getIntOrFloatBitWidth();
  APInt limit = max ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width);
  return arith::ConstantOp::create(e.b, e.b.getIntegerAttr(element, limit));
}

Value nova::reductionStep(ImplicitLocOpBuilder &b, ReduceKind kind, Value accumulator, Value value) {
  // A splat of the kernel is one scalar for all lanes.
  if (isa<VectorType>(accumulator.getType()) && !isa<VectorType>(value.getType()))
    value = vector::BroadcastOp::create(b, accumulator.getType(), value);
  bool floats = isa<FloatType>(getElementTypeOrSelf(value));
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    return floats ? Value(arith::AddFOp::create(b, accumulator, value))
                  : Value(arith::AddIOp::create(b, accumulator, value));
  case ReduceKind::Product:
    return floats ? Value(arith::MulFOp::create(b, accumulator, value))
                  : Value(arith::MulIOp::create(b, accumulator, value));
  case ReduceKind::Max:
    return floats ? Value(arith::MaximumFOp::create(b, accumulator, value))
                  : Value(arith::MaxSIOp::create(b, accumulator, value));
  case ReduceKind::Min:
    return floats ? Value(arith::MinimumFOp::create(b, accumulator, value))
                  : Value(arith::MinSIOp::create(b, accumulator, value));
  case ReduceKind::Any:
    return arith::OrIOp::create(b, accumulator, value);
  case ReduceKind::All:
    return arith::AndIOp::create(b, accumulator, value);
  }
  return {};
}

void nova::emitColumnBlock(TileEmitter &e, ReduceOp reduce) {
  SmallVector<Value> sizes = e.sizes(reduce.getX());
  Type element = computeType(reduce.getType().getElementType());
  Value initial = e.asVector(reductionIdentity(e, reduce.getKind(), element));
  bool keep = reduce.getKeepDims();
  // Four vectors side by side: independent accumulators, and whole cache lines of a row at a time.
  int64_t wide = e.device == Device::Cpu ? 4 : 1, step = wide * e.lanes;
  auto columns = [&](Value p, Value j, ArrayRef<Value> masks, int64_t count) {
    auto sums = e.carry(e.cst(0), sizes[1], 1, SmallVector<Value>(count, initial), [&](Value r, ValueRange carried) {
      SmallVector<Value> next;
      for (int64_t v = 0; v < count; ++v) {
        Value x = e.eval(reduce.getX(), {{p}, {r}, {e.add(j, v * e.lanes), 1}}, masks[v]);
        next.push_back(reductionStep(e.b, reduce.getKind(), carried[v], x));
      }
      return next;
    });
    for (int64_t v = 0; v < count; ++v) {
      Value sum = sums[v];
      if (reduce.getKind() == ReduceKind::Mean) {
        Value n = arith::IndexCastOp::create(e.b, e.b.getI64Type(), sizes[1]);
        sum = arith::DivFOp::create(e.b, sum, e.asVector(arith::SIToFPOp::create(e.b, element, n)));
      }
      e.bind(reduce.getResult(), sum);
      Coords at = {{p}};
      if (keep)
        at.push_back({e.cst(0)});
      at.push_back({e.add(j, v * e.lanes), 1});
      e.store(at, masks[v]);
      e.unbind();
    }
  };
  e.loop(e.cst(0), sizes[0], 1, [&](Value p) {
    if (wide == 1)
      return e.vectors(sizes[2], [&](Value j, Value mask) { columns(p, j, {mask}, 1); });
    Value whole = e.floorTo(sizes[2], step);
    e.loop(e.cst(0), whole, step, [&](Value j) { columns(p, j, SmallVector<Value>(wide), wide); });
    e.loop(whole, sizes[2], e.lanes, [&](Value j) { columns(p, j, {e.mask(e.sub(sizes[2], j))}, 1); });
  });
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

/// A block owns some rows of the result and reads all indices: sums come in the order of the indices, whatever the
/// number of threads.
void nova::emitScatterAddBlock(TileEmitter &e, ScatterAddOp scatter) {
  ImplicitLocOpBuilder &b = e.b;
  SmallVector<Value> sizes = e.sizes(scatter.getInto()), counts = e.sizes(scatter.getIndices());
  // First the rows as they are ...
  auto copy = [&](const Coords &at, Value mask) {
    e.storeOutput(scatter.getResult(), e.eval(scatter.getInto(), at, mask), at, mask);
  };
  if (e.device == Device::Gpu)
    e.elements(sizes, [&](const Coords &at) { copy(at, {}); });
  else
    e.loops(ArrayRef(sizes).drop_back(), [&](ArrayRef<Value> row) {
      e.vectors(sizes.back(), [&](Value j, Value mask) { copy(position(row, j), mask); });
    });
  e.barrier();
  // ... then each update that belongs to one of them.
  int64_t vocabulary = cast<RankedTensorType>(e.kernel.getResultTypes()[0]).getDimSize(0);
  Value first = e.absolute(IndexedOp(scatter), 0, e.cst(0));
  e.loops(counts, [&](ArrayRef<Value> n) {
    Coords where;
    for (Value v : n)
      where.push_back({v});
    Value index = arith::IndexCastOp::create(b, b.getIndexType(), e.eval(scatter.getIndices(), where));
    Value outside = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, index, e.cst(vocabulary));
    e.checkedIndex(index, e.cst(vocabulary), scatter.getIndices(), where);
    Value row = arith::SubIOp::create(b, index, first);
    Value mine = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, row, sizes[0]);
    mine = arith::AndIOp::create(b, mine,
                                 arith::XOrIOp::create(b, outside, arith::ConstantIntOp::create(b, b.getI1Type(), 1)));
    e.when(mine, [&] {
      SmallVector<Value> inner(ArrayRef(sizes).drop_front());
      bool vectors = !inner.empty();
      SmallVector<Value> outer = vectors ? SmallVector<Value>(ArrayRef(inner).drop_back()) : SmallVector<Value>();
      e.loops(outer, [&](ArrayRef<Value> axes) {
        auto add = [&](Value j, Value mask) {
          Coords at = {{row}}, update = where;
          for (Value v : axes)
            at.push_back({v}), update.push_back({v});
          if (vectors)
            at.push_back({j, 1}), update.push_back({j, 1});
          Value old = e.loadOutput(scatter.getResult(), at, mask);
          e.storeOutput(scatter.getResult(),
                        reductionStep(b, ReduceKind::Sum, old, e.eval(scatter.getUpdates(), update, mask)), at, mask);
        };
        if (vectors)
          e.vectors(inner.back(), add);
        else
          e.once([&] { add({}, {}); });
      });
    });
  });
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

static LogicalResult emitByFamily(TileEmitter &e) {
  auto anchor = [&](auto type) { return llvm::to_vector(e.grid.getOps<decltype(type)>()); };
  bool cpu = e.device == Device::Cpu;
  switch (e.kernel.getFamily()) {
  case Family::Matmul: {
    auto found = anchor(MatmulOp());
    if (found.size() != 1)
      break;
    if (!found[0].getType().getElementType().isF32())
      return emitGenericBlock(e), success();
    return cpu ? emitCpuMatmulBlock(e, found[0]) : emitGpuMatmulBlock(e, found[0]), success();
  }
  case Family::Attention:
    for (Operation &op : e.grid.getBody()->without_terminator())
      if (isa<AttentionOp, AttentionGradQueryOp, AttentionGradKeyValueOp>(op))
        return cpu ? emitCpuAttentionBlock(e, &op) : emitGpuAttentionBlock(e, &op), success();
    break;
  case Family::Row:
    for (Operation &op : e.grid.getBody()->without_terminator())
      if (isa<SoftmaxOp, SoftmaxGradOp, LogSoftmaxOp, CumsumOp, LayerNormOp, LayerNormGradOp, RmsNormOp, RmsNormGradOp,
              CrossEntropyOp, CrossEntropyGradOp, ReduceOp>(op))
        return emitRowBlock(e, &op);
    break;
  case Family::Column: {
    auto found = anchor(ReduceOp());
    if (found.size() != 1 || found[0].getX().getType().getRank() != 3 || found[0].getAxes() != ArrayRef<int64_t>{1})
      break;
    return emitColumnBlock(e, found[0]), success();
  }
  case Family::Index:
    for (ScatterAddOp scatter : anchor(ScatterAddOp()))
      return emitScatterAddBlock(e, scatter), success();
    return emitElementwiseBlock(e), success();
  case Family::Elementwise:
    return emitElementwiseBlock(e), success();
  case Family::Generic:
    return emitGenericBlock(e), success();
  }
  return e.kernel.emitOpError("has no op that the family ")
         << stringifyFamily(e.kernel.getFamily()) << " can be built on; use family generic";
}

LogicalResult nova::emitBlock(TileEmitter &e) {
  if (failed(emitByFamily(e)))
    return failure();
  if (e.withoutCode)
    return e.withoutCode->emitOpError("has no code in a kernel of family ")
           << stringifyFamily(e.kernel.getFamily())
           << "; lib/Conversion/Elementwise.cpp has that of elementwise ops, TileEmitter::evalOp that of others";
  return success();
}
