//===- TileEmitterMovement.cpp - Movement and reductions inside a tile ----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"

using namespace mlir;
using namespace mlir::nova;

/// Whether the coordinate lies in [from, to), lane by lane if it has lanes, and the mask is on.
Value TileEmitter::inRange(const Coord &coord, Value from, Value to, Value mask) {
  bool vectors = lanes > 1 && (coord.step || isa<VectorType>(coord.at.getType()));
  Value at = vectors ? laneIndices(coord) : coord.at;
  if (vectors)
    from = asVector(from), to = asVector(to);
  Value inside = arith::AndIOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::sge, at, from),
                                       arith::CmpIOp::create(b, arith::CmpIPredicate::slt, at, to));
  if (!mask)
    return inside;
  if (isa<VectorType>(mask.getType()) || vectors)
    return arith::AndIOp::create(b, asVector(inside), asVector(mask));
  return arith::AndIOp::create(b, inside, mask);
}

Value TileEmitter::absolute(IndexedOp op, unsigned positional, Value at) {
  auto origin = op.getTileOrigin();
  if (origin.empty())
    return at;
  Value start = map.lookupOrDefault(origin[positional]);
  return isa<VectorType>(at.getType()) ? Value(arith::AddIOp::create(b, at, asVector(start))) : add(start, at);
}

Value TileEmitter::evalIota(IotaOp op, const Coords &at) {
  Coord coord = at[op.getAxis()];
  coord.at = absolute(op, 0, coord.at);
  Value index = coord.step ? laneIndices(coord) : coord.at;
  Type element = op.getType().getElementType();
  Type integer = isa<FloatType>(element) ? b.getI64Type() : element;
  auto typed = [&](Type type) { return isa<VectorType>(index.getType()) ? vectorOf(type) : type; };
  Value value = arith::IndexCastOp::create(b, typed(integer), index);
  if (isa<FloatType>(element))
    value = arith::SIToFPOp::create(b, typed(computeType(element)), value);
  return value;
}

Value TileEmitter::evalSlice(SliceOp op, const Coords &at, Value mask) {
  Coords source;
  for (auto [d, coord] : llvm::enumerate(at)) {
    int64_t stride = op.getStrides()[d];
    Value scaled = absolute(op, d, coord.at);
    if (isa<VectorType>(scaled.getType()))
      scaled = arith::AddIOp::create(b, arith::MulIOp::create(b, scaled, asVector(cst(stride))),
                                     asVector(cst(op.getStarts()[d])));
    else
      scaled = add(mul(scaled, stride), op.getStarts()[d]);
    source.push_back({scaled, coord.step * stride});
  }
  return eval(op.getX(), source, mask);
}

Value TileEmitter::dynamicStart(Value starts, unsigned axis, RankedTensorType whole, int64_t size) {
  Value start = arith::IndexCastOp::create(b, b.getIndexType(), eval(starts, {{cst(axis)}}));
  Value last = cst(whole.getDimSize(axis) - size);
  return arith::MinSIOp::create(b, arith::MaxSIOp::create(b, start, cst(0)), last);
}

Value TileEmitter::moved(Value at, Value by) {
  return isa<VectorType>(at.getType()) ? Value(arith::AddIOp::create(b, at, asVector(by))) : add(at, by);
}

Value TileEmitter::evalDynamicSlice(DynamicSliceOp op, const Coords &at, Value mask) {
  Coords source;
  for (auto [d, coord] : llvm::enumerate(at)) {
    Value start = dynamicStart(op.getStarts(), d, op.getX().getType(), op.getSizes()[d]);
    source.push_back({moved(absolute(op, d, coord.at), start), coord.step});
  }
  return eval(op.getX(), source, mask);
}

Value TileEmitter::evalDynamicUpdateSlice(DynamicUpdateSliceOp op, const Coords &at, Value mask) {
  Value inside = mask;
  Coords whole, part;
  for (auto [d, coord] : llvm::enumerate(at)) {
    int64_t size = op.getUpdate().getType().getDimSize(d);
    Value start = dynamicStart(op.getStarts(), d, op.getX().getType(), size);
    whole.push_back({absolute(op, d, coord.at), coord.step});
    part.push_back({moved(whole.back().at, sub(cst(0), start)), coord.step});
    inside = inRange(part.back(), cst(0), cst(size), inside);
  }
  if (at.empty())
    return eval(op.getUpdate(), part, mask);
  bool vectors = hasLanes(at);
  Value old = eval(op.getX(), whole, mask), update = eval(op.getUpdate(), part, vectors ? asVector(inside) : inside);
  if (vectors)
    return arith::SelectOp::create(b, asVector(inside), asVector(update), asVector(old));
  return arith::SelectOp::create(b, inside, update, old);
}

template <typename Op> Value TileEmitter::evalRandom(Op op, const Coords &at) {
  // A tile has one axis or none.
  Coord coord = at.empty() ? Coord{cst(0)} : Coord{absolute(op, 0, at[0].at), at[0].step};
  Value index = coord.step ? laneIndices(coord) : coord.at;
  Type wide = isa<VectorType>(index.getType()) ? vectorOf(b.getI64Type()) : b.getI64Type();
  index = arith::IndexCastOp::create(b, wide, index);
  // This is ::nova::streamOf in code.
  auto constant = [&](int64_t value) { return arith::ConstantIntOp::create(b, b.getI64Type(), value); };
  Value step = arith::AndIOp::create(b, eval(op.getStep(), {}), constant((int64_t(1) << 40) - 1));
  Value stream = arith::OrIOp::create(b, step, constant(int64_t(op.getStream()) << 40)), seed = eval(op.getSeed(), {});
  if constexpr (std::is_same_v<Op, RandomUniformOp>)
    return emitCast(b, emitRandomUniform(b, seed, stream, index), b.getF32Type(), op.getType().getElementType());
  return emitCast(b, emitRandomNormal(b, seed, stream, index), b.getF32Type(), op.getType().getElementType());
}
template Value TileEmitter::evalRandom(RandomUniformOp, const Coords &);
template Value TileEmitter::evalRandom(RandomNormalOp, const Coords &);

Value TileEmitter::evalPad(PadOp op, const Coords &at, Value mask) {
  Value inside = mask;
  Coords source;
  for (auto [d, coord] : llvm::enumerate(at)) {
    int64_t low = op.getLow()[d], spacing = op.getInterior()[d] + 1, size = op.getX().getType().getDimSize(d);
    Coord shifted{absolute(op, d, coord.at), coord.step};
    shifted.at = isa<VectorType>(shifted.at.getType()) ? Value(arith::SubIOp::create(b, shifted.at, asVector(cst(low))))
                                                       : sub(shifted.at, cst(low));
    int64_t extent = size ? (size - 1) * spacing + 1 : 0;
    inside = inRange(shifted, cst(0), cst(extent), inside);
    if (spacing > 1) { // only every spacing-th element comes from the operand
      Value index = shifted.step ? laneIndices(shifted) : shifted.at;
      Value step = isa<VectorType>(index.getType()) ? asVector(cst(spacing)) : cst(spacing);
      Value zero = isa<VectorType>(index.getType()) ? asVector(cst(0)) : cst(0);
      Value hit = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, arith::RemSIOp::create(b, index, step), zero);
      bool vectors = isa<VectorType>(hit.getType()) || isa<VectorType>(inside.getType());
      inside = arith::AndIOp::create(b, vectors ? asVector(hit) : hit, vectors ? asVector(inside) : inside);
      shifted = {arith::DivSIOp::create(b, index, step), 0};
    }
    source.push_back(shifted);
  }
  if (at.empty())
    return eval(op.getX(), source, mask);
  bool vectors = hasLanes(at);
  Value x = eval(op.getX(), source, vectors ? asVector(inside) : inside), padding = eval(op.getValue(), {});
  if (vectors)
    return arith::SelectOp::create(b, asVector(inside), asVector(x), asVector(padding));
  return arith::SelectOp::create(b, inside, x, padding);
}

Value TileEmitter::evalConcat(ConcatOp op, const Coords &at, Value mask) {
  SmallVector<int64_t> starts = op.getInputStarts();
  bool vectors = hasLanes(at);
  Value result;
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    if (starts[i] == starts[i + 1])
      continue;
    Coords source = at;
    Coord &axis = source[op.getAxis()];
    axis.at = absolute(op, 0, axis.at);
    Value inside = inRange(axis, cst(starts[i]), cst(starts[i + 1]), mask);
    axis.at = isa<VectorType>(axis.at.getType()) ? Value(arith::SubIOp::create(b, axis.at, asVector(cst(starts[i]))))
                                                 : sub(axis.at, cst(starts[i]));
    Value value = eval(input, source, vectors ? asVector(inside) : inside);
    if (vectors)
      value = asVector(value), inside = asVector(inside);
    result = result ? Value(arith::SelectOp::create(b, inside, value, result)) : value;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

static Value indexOf(ImplicitLocOpBuilder &b, Value integer) {
  Type type = b.getIndexType();
  if (auto vector = dyn_cast<VectorType>(integer.getType()))
    type = vector.clone(type);
  return arith::IndexCastOp::create(b, type, integer);
}

Value TileEmitter::checkedIndex(Value index, Value bound, Value tile, const Coords &at, Value valid) {
  if (isa<VectorType>(index.getType())) { // each lane for itself: rows of one element are rare
    Value result = asVector(cst(0));
    for (int64_t lane = 0; lane < lanes; ++lane) {
      Coords single;
      for (const Coord &coord : at)
        single.push_back({isa<VectorType>(coord.at.getType()) ? Value(vector::ExtractOp::create(b, coord.at, lane))
                                                              : add(coord.at, lane * coord.step)});
      Value on = valid ? Value(vector::ExtractOp::create(b, valid, lane)) : Value();
      Value one = checkedIndex(vector::ExtractOp::create(b, index, lane), bound, tile, single, on);
      result = vector::InsertOp::create(b, one, result, lane);
    }
    return result;
  }
  Value bad = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, index, bound);
  if (valid)
    bad = arith::AndIOp::create(b, bad, valid);
  when(bad, [&] {
    // The first error wins: status.code goes from 0 to 1 once.
    Type i32 = b.getI32Type(), i64 = b.getI64Type();
    Value zero = arith::ConstantIntOp::create(b, i32, 0), one = arith::ConstantIntOp::create(b, i32, 1);
    auto exchange = LLVM::AtomicCmpXchgOp::create(b, status, zero, one, LLVM::AtomicOrdering::monotonic,
                                                  LLVM::AtomicOrdering::monotonic);
    Value won = LLVM::ExtractValueOp::create(b, exchange, 1);
    when(won, [&] {
      View view = viewOf(tile);
      Value linear = cst(0);
      for (auto [d, coord] : llvm::enumerate(at))
        linear = add(linear, mul(add(view.offsets[d], mul(coord.at, view.steps[d])), view.strides[d]));
      auto slice = tile.getDefiningOp<tensor::ExtractSliceOp>();
      auto argument = cast<BlockArgument>(slice ? slice.getSource() : tile);
      auto put = [&](Value value, int64_t byte) {
        LLVM::StoreOp::create(b, value, pointer(status, cst(byte), b.getI8Type()));
      };
      auto wide = [&](Value v) { return arith::IndexCastOp::create(b, i64, v); };
      // The layout of ::nova::Status in Runtime/Bundle.h.
      put(arith::ConstantIntOp::create(b, i32, argument.getArgNumber()), 4);
      put(wide(linear), 8);
      put(wide(index), 16);
      put(wide(bound), 24);
    });
  });
  Value safe = arith::SelectOp::create(b, bad, cst(0), index);
  return valid ? Value(arith::SelectOp::create(b, valid, safe, cst(0))) : safe;
}

void TileEmitter::enterRow(ArrayRef<Value> row) {
  rowIndices.clear();
  for (GatherOp gather : grid.getOps<GatherOp>()) {
    AffineMap indices = IndexedOp(gather).getOperandMap(1);
    if (llvm::any_of(indices.getResults(),
                     [&](AffineExpr e) { return cast<AffineDimExpr>(e).getPosition() >= row.size(); }))
      continue;
    Coords at;
    for (Value v : row)
      at.push_back({v});
    Coords where = project(indices, at);
    Value index = indexOf(b, eval(gather.getIndices(), where));
    int64_t bound = gather.getTable().getType().getDimSize(gather.getAxis());
    rowIndices[gather] = checkedIndex(index, cst(bound), gather.getIndices(), where);
  }
}

Value TileEmitter::evalGather(GatherOp op, const Coords &at, Value mask) {
  Value index = rowIndices.lookup(op);
  if (!index) {
    Coords where = project(IndexedOp(op).getOperandMap(1), at);
    Value loaded = indexOf(b, eval(op.getIndices(), where, mask));
    int64_t bound = op.getTable().getType().getDimSize(op.getAxis());
    Value valid = mask && isa<VectorType>(loaded.getType()) == isa<VectorType>(mask.getType()) ? mask : Value();
    index = checkedIndex(loaded, cst(bound), op.getIndices(), where, valid);
  }
  Coords all(at);
  all.push_back({index}); // the loop along the table's axis
  return eval(op.getTable(), project(IndexedOp(op).getOperandMap(0), all), mask);
}

//===----------------------------------------------------------------------===//
// Reductions, one result element at a time (the family `generic`)
//===----------------------------------------------------------------------===//

Value TileEmitter::evalReduce(ReduceOp op, const Coords &at, Value mask) {
  SmallVector<Value> extents = sizes(op.getX());
  Type element = computeType(op.getType().getElementType());
  Value initial = reductionIdentity(*this, op.getKind(), element);
  if (hasLanes(at))
    initial = asVector(initial);
  Coords source(extents.size());
  unsigned next = 0;
  for (unsigned d = 0; d < extents.size(); ++d) {
    bool reduced = llvm::is_contained(op.getAxes(), int64_t(d));
    if (!reduced)
      source[d] = at[next++];
    else if (op.getKeepDims())
      ++next;
  }
  // Loops over the reduced axes, the accumulator carried through all of them.
  std::function<Value(unsigned, Value)> nest = [&](unsigned i, Value accumulator) -> Value {
    if (i == op.getAxes().size()) {
      return reductionStep(b, op.getKind(), accumulator, eval(op.getX(), source, mask));
    }
    int64_t axis = op.getAxes()[i];
    return carry(cst(0), extents[axis], 1, accumulator, [&](Value r, ValueRange carried) {
      source[axis] = {r};
      return SmallVector<Value>{nest(i + 1, carried[0])};
    })[0];
  };
  Value sum = nest(0, initial);
  if (op.getKind() != ReduceKind::Mean)
    return sum;
  Value count = cst(1);
  for (int64_t axis : op.getAxes())
    count = mul(count, extents[axis]);
  Value divisor = arith::SIToFPOp::create(b, element, arith::IndexCastOp::create(b, b.getI64Type(), count));
  return arith::DivFOp::create(b, sum, isa<VectorType>(sum.getType()) ? asVector(divisor) : divisor);
}

Value TileEmitter::evalMatmul(MatmulOp op, const Coords &at, Value mask) {
  IndexedOp indexed(op);
  Type element = computeType(op.getType().getElementType());
  Value initial = constant(element, 0);
  if (hasLanes(at))
    initial = asVector(initial);
  auto extents = sizes(op.getLhs());
  Value depth = extents[extents.size() - (op.getTransposeLhs() ? 2 : 1)];
  return carry(cst(0), depth, 1, initial, [&](Value k, ValueRange carried) {
    Coords all(at);
    all.push_back({k});
    Value x = eval(op.getLhs(), project(indexed.getOperandMap(0), all), mask);
    Value y = eval(op.getRhs(), project(indexed.getOperandMap(1), all), mask);
    if (isa<VectorType>(initial.getType()))
      x = asVector(x), y = asVector(y);
    return SmallVector<Value>{fma(x, y, carried[0])};
  })[0];
}
