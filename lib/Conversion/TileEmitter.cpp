//===- TileEmitter.cpp - Tiles as values at a position --------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nova;

Type nova::computeType(Type element) {
  return element.isF16() || element.isBF16() ? Float32Type::get(element.getContext()) : element;
}

Type nova::storageType(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8) : element;
}

static Type elementOf(Value tile) { return tensorType(tile).getElementType(); }

void nova::enterBlock(ImplicitLocOpBuilder &b, KernelOp kernel, scf::ForallOp grid, const TileEmitter::Entry &entry,
                      DenseMap<Value, Value> &pointers, IRMapping &map) {
  unsigned arguments = kernel.getNumArguments();
  for (auto [argument, pointer] : llvm::zip(kernel.getArguments(), entry.pointers))
    pointers[argument] = pointer;
  for (auto [i, result] : llvm::enumerate(kernel.getReturned()))
    pointers[grid.getTiedBlockArgument(cast<OpResult>(result))] = entry.pointers[arguments + i];
  for (Operation &op : kernel.getBody().front())
    if (isa<arith::ConstantOp>(op))
      b.clone(op, map);
  Value rest = entry.block;
  auto variables = grid.getInductionVars();
  auto lower = grid.getLowerBound(b), upper = grid.getUpperBound(b), step = grid.getStep(b);
  for (int d = variables.size() - 1; d >= 0; --d) {
    Value extent = b.createOrFold<arith::SubIOp>(upper[d], lower[d]);
    Value count = b.createOrFold<arith::CeilDivUIOp>(extent, step[d]);
    Value at = d ? b.createOrFold<arith::RemUIOp>(rest, count) : rest;
    map.map(variables[d], b.createOrFold<arith::AddIOp>(lower[d], b.createOrFold<arith::MulIOp>(at, step[d])));
    if (d)
      rest = b.createOrFold<arith::DivUIOp>(rest, count);
  }
}

Value nova::emitSplatElement(ImplicitLocOpBuilder &b, DenseElementsAttr elements) {
  Type element = computeType(elements.getElementType());
  if (!isa<FloatType>(element))
    return arith::ConstantOp::create(b, b.getIntegerAttr(element, elements.getSplatValue<APInt>()));
  return arith::ConstantOp::create(b, b.getFloatAttr(element, elements.getSplatValue<APFloat>().convertToDouble()));
}

TileEmitter::TileEmitter(OpBuilder &builder, KernelOp kernel, Device device, const Entry &entry)
    : b(kernel.getLoc(), builder), kernel(kernel), grid(*kernel.getBody().getOps<scf::ForallOp>().begin()),
      device(device), lanes(device == Device::Gpu ? 1 : kernel.getConfigAttr().getLanes()),
      threads(kernel.getConfigAttr().getThreads()), status(entry.status), scratch(entry.scratch) {
  enterBlock(b, kernel, grid, entry, base, map);
  for (Operation &op : grid.getTerminator().getYieldingOps())
    if (auto insert = cast<tensor::ParallelInsertSliceOp>(op); base.contains(insert.getDest()))
      outputs[insert.getSource()] = insert;

  for (Operation &op : grid.getBody()->without_terminator())
    if (isa<affine::AffineDialect, arith::ArithDialect>(op.getDialect()))
      b.clone(op, map);
  readScalars();
}

/// Scalars are read once, so that what follows from them alone can be computed once. Results of one element may take a
/// scalar's memory: their kernels read where they need it.
void TileEmitter::readScalars() {
  if (cast<RankedTensorType>(kernel.getResultTypes()[0]).getNumElements() == 1)
    return;
  auto read = [&](Value tile) {
    if (tensorType(tile).getRank() == 0)
      scalars[tile] = load(viewOf(tile), {}, {});
  };
  llvm::for_each(kernel.getArguments(), read);
  for (auto slice : grid.getOps<tensor::ExtractSliceOp>())
    read(slice);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Value TileEmitter::indexValue(OpFoldResult value) {
  if (auto constant = getConstantIntValue(value))
    return cst(*constant);
  return map.lookupOrDefault(cast<Value>(value));
}

TileEmitter::View TileEmitter::wholeTensor(Value pointer, RankedTensorType type) {
  View view;
  view.base = pointer;
  view.element = type.getElementType();
  view.strides.assign(type.getRank(), 1);
  for (int64_t d = type.getRank() - 2; d >= 0; --d)
    view.strides[d] = view.strides[d + 1] * type.getDimSize(d + 1);
  view.offsets.assign(type.getRank(), cst(0));
  view.steps.assign(type.getRank(), 1);
  return view;
}

TileEmitter::View TileEmitter::viewOf(Value tile) {
  auto slice = tile.getDefiningOp<tensor::ExtractSliceOp>();
  Value source = slice ? slice.getSource() : tile;
  View view = wholeTensor(base.lookup(source), tensorType(source));
  if (slice)
    for (auto [d, offset] : llvm::enumerate(slice.getMixedOffsets())) {
      view.offsets[d] = indexValue(offset);
      view.steps[d] = *getConstantIntValue(slice.getMixedStrides()[d]);
    }
  return view;
}

TileEmitter::View TileEmitter::viewOf(tensor::ParallelInsertSliceOp insert) {
  View view = wholeTensor(base.lookup(insert.getDest()), insert.getDestType());
  for (auto [d, offset] : llvm::enumerate(insert.getMixedOffsets()))
    view.offsets[d] = indexValue(offset);
  return view;
}

void TileEmitter::place(Value tile, Value buffer, ArrayRef<int64_t> shape, ArrayRef<Value> origin) {
  memo.clear();
  View view = wholeTensor(buffer, RankedTensorType::get(shape, computeType(elementOf(tile))));
  for (auto [d, start] : llvm::enumerate(origin))
    view.offsets[d] = sub(cst(0), start);
  view.isLocal = true;
  local[tile] = view;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

bool TileEmitter::hasLanes(const Coords &at) {
  return lanes > 1 && llvm::any_of(at, [](const Coord &c) { return c.step || isa<VectorType>(c.at.getType()); });
}

Value TileEmitter::laneIndices(const Coord &coord) {
  if (lanes == 1 || isa<VectorType>(coord.at.getType()))
    return coord.at;
  Value start = vector::BroadcastOp::create(b, VectorType::get({lanes}, b.getIndexType()), coord.at);
  if (!coord.step)
    return start;
  SmallVector<int64_t> steps;
  for (int64_t i = 0; i < lanes; ++i)
    steps.push_back(i * coord.step);
  Value offsets = arith::ConstantOp::create(b, b.getIndexVectorAttr(steps));
  return arith::AddIOp::create(b, start, offsets);
}

TileEmitter::Address TileEmitter::address(const View &view, const Coords &at, Type element) {
  Value linear = cst(0), scattered;
  int64_t laneStride = 0;
  for (auto [d, coord] : llvm::enumerate(at)) {
    int64_t stride = view.strides[d] * view.steps[d];
    if (isa<VectorType>(coord.at.getType())) {
      Value scaled = arith::MulIOp::create(b, coord.at, asVector(cst(stride)));
      scattered = scattered ? Value(arith::AddIOp::create(b, scattered, scaled)) : scaled;
      linear = add(linear, mul(view.offsets[d], view.strides[d]));
      continue;
    }
    linear = add(linear, add(mul(view.offsets[d], view.strides[d]), mul(coord.at, stride)));
    laneStride += coord.step * stride;
  }
  Address result{pointer(view.base, linear, element), {}};
  if (lanes == 1 || (!scattered && laneStride == 1))
    return scattered ? Address{pointer(result.pointer, scattered, element), {}} : result;
  if (laneStride) {
    Value steps = laneIndices({cst(0), laneStride});
    scattered = scattered ? Value(arith::AddIOp::create(b, scattered, steps)) : steps;
  }
  result.laneOffsets = scattered; // null: one element for all lanes
  return result;
}

Value TileEmitter::widen(Value value, Type element) {
  Type type = computeType(element);
  if (element == type && !element.isInteger(1))
    return value;
  Type target = isa<VectorType>(value.getType()) ? vectorOf(type) : type;
  if (element.isInteger(1)) {
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(value.getType()));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value, zero);
  }
  if (element.isBF16() && device == Device::Cpu) { // loaded as integers: the upper half of an f32
    Type bits = isa<VectorType>(value.getType()) ? vectorOf(b.getI32Type()) : b.getI32Type();
    Value sixteen = constant(b.getI32Type(), 16), shift = isa<VectorType>(bits) ? asVector(sixteen) : sixteen;
    Value upper = arith::ShLIOp::create(b, arith::ExtUIOp::create(b, bits, value), shift);
    return arith::BitcastOp::create(b, target, upper);
  }
  return arith::ExtFOp::create(b, target, value);
}

Value TileEmitter::narrow(Value value, Type element) {
  Type type = storageType(element);
  if (computeType(element) == type)
    return value;
  auto like = [&](Type t) { return isa<VectorType>(value.getType()) ? vectorOf(t) : t; };
  if (element.isInteger(1))
    return arith::ExtUIOp::create(b, like(type), value);
  value = arith::TruncFOp::create(b, like(type), value);
  // A CPU stores integers: without masks for 16 bits a vector is taken apart, and bf16 scalars need a library.
  return type.isBF16() && device == Device::Cpu ? arith::BitcastOp::create(b, like(b.getI16Type()), value) : value;
}

Value TileEmitter::load(const View &view, const Coords &at, Value mask) {
  Type element = view.isLocal ? view.element : storageType(view.element);
  if (element.isBF16() && device == Device::Cpu)
    element = b.getI16Type(); // as `narrow` makes them
  auto widened = [&](Value v) { return view.isLocal ? v : widen(v, view.element); };
  Address where = address(view, at, element);
  bool vectors = hasLanes(at) && (where.laneOffsets || llvm::any_of(at, [](const Coord &c) { return c.step; }));
  if (!vectors) {
    if (!mask || isa<VectorType>(mask.getType()))
      return widened(loadScalar(where.pointer, element));
    auto choice = scf::IfOp::create(b, element, mask, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    scf::YieldOp::create(b, loadScalar(where.pointer, element));
    b.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(b, Value(arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(element)))));
    b.setInsertionPointAfter(choice);
    return widened(choice.getResult(0));
  }
  if (!where.laneOffsets && !mask)
    return widened(loadVector(where.pointer, element));
  Value on = mask ? asVector(mask) : this->mask(cst(lanes));
  auto type = cast<VectorType>(vectorOf(element));
  Value zero = arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(type)));
  IntegerAttr align = b.getI32IntegerAttr(element.getIntOrFloatBitWidth() / 8);
  if (!where.laneOffsets)
    return widened(LLVM::MaskedLoadOp::create(b, type, where.pointer, on, zero, align, UnitAttr()));
  auto wide = VectorType::get({lanes}, b.getI64Type());
  Value offsets = arith::IndexCastOp::create(b, wide, where.laneOffsets);
  auto pointers = VectorType::get({lanes}, where.pointer.getType());
  Value addresses = LLVM::GEPOp::create(b, pointers, element, where.pointer, ValueRange{offsets});
  return widened(LLVM::masked_gather::create(b, type, addresses, on, zero, align));
}

void TileEmitter::storeTo(const View &view, Value value, const Coords &at, Value mask) {
  Type element = storageType(view.element);
  Value stored = narrow(hasLanes(at) ? asVector(value) : value, view.element);
  Address where = address(view, at, element);
  if (!where.laneOffsets)
    return storeValue(stored, where.pointer, mask);
  Value on = mask ? asVector(mask) : this->mask(cst(lanes));
  Value offsets = arith::IndexCastOp::create(b, VectorType::get({lanes}, b.getI64Type()), where.laneOffsets);
  auto pointers = VectorType::get({lanes}, where.pointer.getType());
  Value addresses = LLVM::GEPOp::create(b, pointers, element, where.pointer, ValueRange{offsets});
  LLVM::masked_scatter::create(b, stored, addresses, on, b.getI32IntegerAttr(element.getIntOrFloatBitWidth() / 8));
}

static bool isFloatCast(Operation *op) {
  auto cast = dyn_cast<CastOp>(op);
  return cast && isa<FloatType>(elementOf(cast.getX())) && isa<FloatType>(elementOf(cast.getResult()));
}

bool TileEmitter::isOutput(Value tile) {
  return outputs.contains(tile) || llvm::any_of(tile.getUsers(), [&](Operation *user) {
           return (isFloatCast(user) || isa<TransposeOp>(user)) && isOutput(user->getResult(0));
         });
}

void TileEmitter::storeOutput(Value tile, Value value, const Coords &at, Value mask) {
  if (auto insert = outputs.lookup(tile))
    storeTo(viewOf(insert), value, at, mask);
  for (Operation *user : tile.getUsers()) {
    if (auto transpose = dyn_cast<TransposeOp>(user)) {
      auto moved = llvm::map_to_vector(transpose.getPermutation(), [&](int64_t axis) { return at[axis]; });
      storeOutput(transpose.getResult(), value, Coords(moved), mask);
    } else if (isFloatCast(user) && isOutput(user->getResult(0))) {
      // Stores round f32 to what fits.
      Type from = elementOf(tile), to = elementOf(user->getResult(0));
      storeOutput(user->getResult(0), computeType(to) == from ? value : emitCast(b, value, from, to), at, mask);
    }
  }
}

Value TileEmitter::loadOutput(Value tile, const Coords &at, Value mask) {
  return load(viewOf(outputs.lookup(tile)), at, mask);
}

/// Asks for what elementwise ops read of the kernel's arguments. What does not run along the rows is in the cache after
/// the first of them, and a bound or placed tile is there already.
void TileEmitter::prefetchOperands(Value result, const Coords &position, int64_t offset,
                                   llvm::SmallDenseSet<Value> &seen) {
  SmallVector<std::pair<Value, Coords>> rest = {{result, position}};
  while (!rest.empty()) {
    auto [tile, at] = rest.pop_back_val();
    if (!seen.insert(tile).second || bound.contains(tile) || scalars.contains(tile) || local.contains(tile))
      continue;
    Operation *op = tile.getDefiningOp();
    if (op && op->hasTrait<NovaElementwise>()) {
      auto indexed = cast<IndexedOp>(op);
      SmallVector<Value> operands = indexed.getTensorOperands();
      for (size_t i = operands.size(); i-- > 0;) // The first is the next.
        if (tensorType(operands[i]).getRank() == int64_t(at.size()))
          rest.emplace_back(operands[i], project(indexed.getOperandMap(i), at));
      continue;
    }
    bool isArgument = !op || isa<tensor::ExtractSliceOp>(op);
    if (isArgument && at.back().step && !getConstantIntValue(at[at.size() - 2].at))
      prefetch(viewOf(tile), at, offset, /*write=*/false);
  }
}

void TileEmitter::prefetch(const View &view, const Coords &at, int64_t offset, bool write) {
  constexpr int64_t kLine = 64;
  Type element = storageType(view.element);
  if (offset * element.getIntOrFloatBitWidth() / 8 % kLine == 0)
    LLVM::Prefetch::create(b, address(view, at, element).pointer, write, /*hint=*/3, /*cache=*/1);
}

void TileEmitter::prefetchStore(const Coords &at, int64_t offset) {
  llvm::SmallDenseSet<Value> seen;
  for (Operation &op : grid.getTerminator().getYieldingOps()) {
    auto insert = cast<tensor::ParallelInsertSliceOp>(op);
    if (!base.contains(insert.getDest()) || insert.getSourceType().getRank() != int64_t(at.size()))
      continue;
    prefetchOperands(insert.getSource(), at, offset, seen);
    prefetch(viewOf(insert), at, offset, /*write=*/true);
  }
}

void TileEmitter::store(const Coords &at, Value mask) {
  // All values before the first store: a result may lie where an operand does (--nova-plan-memory). In the order of the
  // results, as code must not depend on pointers.
  SmallVector<std::pair<tensor::ParallelInsertSliceOp, Value>> values;
  for (Operation &op : grid.getTerminator().getYieldingOps()) {
    auto insert = cast<tensor::ParallelInsertSliceOp>(op);
    if (base.contains(insert.getDest()) && insert.getSourceType().getRank() == int64_t(at.size()))
      values.push_back({insert, eval(insert.getSource(), at, mask)});
  }
  for (auto &[insert, value] : values)
    storeTo(viewOf(insert), value, at, mask);
  memo.clear();
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

Coords TileEmitter::project(AffineMap map, const Coords &at) { return IndexedOp::project<Coord>(map, at, {cst(0)}); }

Value &TileEmitter::remembered(Value tile, const Coords &at, Value mask) {
  std::vector<const void *> key{tile.getAsOpaquePointer(), b.getInsertionBlock(), mask.getAsOpaquePointer()};
  for (const Coord &coord : at) {
    key.push_back(coord.at.getAsOpaquePointer());
    key.push_back(reinterpret_cast<const void *>(coord.step));
  }
  return memo[std::move(key)];
}

/// Whether an element is made from one element of each operand, wherever the loops reach it.
static bool isPointwise(Operation *op) {
  return op && (op->hasTrait<NovaElementwise>() || isa<TransposeOp, BroadcastInDimOp>(op));
}

Value TileEmitter::eval(Value tile, const Coords &at, Value mask) {
  if (Value value = bound.lookup(tile))
    return value;
  if (Value value = scalars.lookup(tile))
    return value;
  if (Value value = remembered(tile, at, mask))
    return value;
  Value value;
  Operation *op = tile.getDefiningOp();
  if (auto found = local.find(tile); found != local.end())
    value = load(View(found->second), at, mask);
  else if (!op || isa<tensor::ExtractSliceOp>(op))
    value = load(viewOf(tile), at, mask);
  else if (isPointwise(op))
    value = evalPointwise(cast<OpResult>(tile), at, mask);
  else
    value = evalOp(cast<OpResult>(tile), at, mask);
  return remembered(tile, at, mask) = value;
}

/// Chains of these ops are as long as kernels are: what waits for operands is on a stack of its own.
Value TileEmitter::evalPointwise(OpResult tile, const Coords &at, Value mask) {
  struct Waiting {
    OpResult tile;
    Coords at;
    SmallVector<Value> operands;
  };
  SmallVector<Waiting> stack = {{tile, at, {}}};
  while (true) {
    Waiting &last = stack.back();
    auto op = cast<IndexedOp>(last.tile.getOwner());
    SmallVector<Value> tiles = op.getTensorOperands();
    if (unsigned number = last.operands.size(); number < tiles.size()) {
      Coords where = project(op.getOperandMap(number), last.at);
      bool waits = isPointwise(tiles[number].getDefiningOp()) && !bound.contains(tiles[number]) &&
                   !local.contains(tiles[number]) && !remembered(tiles[number], where, mask);
      if (waits)
        stack.push_back({cast<OpResult>(tiles[number]), where, {}});
      else
        last.operands.push_back(eval(tiles[number], where, mask));
      continue;
    }
    Value value = emitPointwise(last.tile, last.operands, last.at);
    remembered(last.tile, last.at, mask) = value;
    stack.pop_back();
    if (stack.empty())
      return value;
    stack.back().operands.push_back(value);
  }
}

Value TileEmitter::emitPointwise(OpResult tile, SmallVector<Value> &operands, const Coords &at) {
  Operation *op = tile.getOwner();
  if (!op->hasTrait<NovaElementwise>())
    return operands.front();
  if (llvm::any_of(operands, [](Value v) { return isa<VectorType>(v.getType()); }))
    for (Value &operand : operands)
      operand = asVector(operand);
  SmallVector<Value> results;
  return succeeded(emitElementwise(b, op, operands, results)) ? results[tile.getResultNumber()] : noCode(tile, at);
}

Value TileEmitter::evalOp(OpResult tile, const Coords &at, Value mask) {
  // Where lanes differ in their position, a splat is a vector like everything else.
  auto everyLane = [&](Value value) { return hasLanes(at) ? asVector(value) : value; };
  return llvm::TypeSwitch<Operation *, Value>(tile.getOwner())
      .Case([&](tensor::SplatOp splat) {
        Value value = map.lookupOrDefault(splat.getInput());
        Type element = value.getType();
        if (isa<FloatType>(element) && computeType(element) != element)
          value = arith::ExtFOp::create(b, computeType(element), value);
        return everyLane(value);
      })
      .Case([&](ConstantOp constant) {
        return everyLane(emitSplatElement(b, cast<DenseElementsAttr>(constant.getValue())));
      })
      .Case([&](IotaOp iota) { return evalIota(iota, at); })
      .Case([&](SliceOp slice) { return evalSlice(slice, at, mask); })
      .Case([&](DynamicSliceOp slice) { return evalDynamicSlice(slice, at, mask); })
      .Case([&](DynamicUpdateSliceOp update) { return evalDynamicUpdateSlice(update, at, mask); })
      .Case([&](RandomUniformOp random) { return evalRandom(random, at); })
      .Case([&](RandomNormalOp random) { return evalRandom(random, at); })
      .Case([&](PadOp pad) { return evalPad(pad, at, mask); })
      .Case([&](ConcatOp concat) { return evalConcat(concat, at, mask); })
      .Case([&](GatherOp gather) { return evalGather(gather, at, mask); })
      .Case([&](ReduceOp reduce) { return evalReduce(reduce, at, mask); })
      .Case([&](MatmulOp matmul) { return evalMatmul(matmul, at, mask); })
      .Default([&](Operation *) { return noCode(tile, at); });
}

/// emitBlock reports the op; what is built around this zero is thrown away.
Value TileEmitter::noCode(Value tile, const Coords &at) {
  if (!withoutCode)
    withoutCode = tile.getDefiningOp();
  Type element = computeType(elementOf(tile));
  Value zero = arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(element)));
  return hasLanes(at) ? asVector(zero) : zero;
}
