//===- ScheduledPlaces.cpp - Addresses from layouts -----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduledEmitter.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::nova;

Value ScheduledEmitter::offsetPointer(Value pointer, Value elements, Type element) {
  if (getConstantIntValue(elements) == 0)
    return pointer;
  Value i = elements;
  if (i.getType().isIndex())
    i = b.createOrFold<arith::IndexCastOp>(b.getI64Type(), i);
  else if (i.getType().isInteger(32))
    i = b.createOrFold<arith::ExtUIOp>(b.getI64Type(), i);
  return LLVM::GEPOp::create(b, pointer.getType(), element, pointer, ValueRange{i}, LLVM::GEPNoWrapFlags::inbounds);
}

Value ScheduledEmitter::offsetPointer(Value pointer, int64_t elements, Type element) {
  if (!elements)
    return pointer;
  return LLVM::GEPOp::create(b, pointer.getType(), element, pointer, ArrayRef<LLVM::GEPArg>{int32_t(elements)},
                             LLVM::GEPNoWrapFlags::inbounds);
}

/// Bits that move by the same distance move together.
Value ScheduledEmitter::ofThread(const BitMap &map) {
  std::map<int, uint32_t> masks; // distance -> bits of the thread's number
  for (unsigned from = 0; from < map.size(); ++from)
    for (int to = 0; to < 32; ++to)
      if (map[from] >> to & 1)
        masks[to - int(from)] |= uint32_t(1) << from;
  Value result;
  for (auto [distance, mask] : masks) {
    Value part = thread;
    if (mask != (uint32_t(1) << map.size()) - 1)
      part = arith::AndIOp::create(b, part, i32(mask));
    if (distance > 0)
      part = arith::ShLIOp::create(b, part, i32(distance));
    else if (distance < 0)
      part = arith::ShRUIOp::create(b, part, i32(-distance));
    result = result ? Value(arith::XOrIOp::create(b, result, part)) : part;
  }
  return result ? result : i32(0);
}

ScheduledEmitter::Place ScheduledEmitter::placeOf(const BitMap &threads, uint32_t registers) {
  uint32_t both = registers & threads.reach();
  Value varying = ofThread(threads);
  if (both)
    varying = arith::XOrIOp::create(b, varying, i32(both));
  return {varying, int64_t(registers & ~both)};
}

Value ScheduledEmitter::sharedPointer(Value room, const SharedLayout &layout, Type element, const BitMap &threads,
                                      uint32_t registers) {
  Place place = placeOf(threads, registers);
  // The two have no bit in common, so padding adds up as well.
  if (layout.every) {
    Value lines = arith::ShRUIOp::create(b, place.varying, i32(llvm::Log2_64(layout.every)));
    place.varying = arith::AddIOp::create(b, place.varying, arith::MulIOp::create(b, lines, i32(layout.extra)));
    place.constant = layout.pad(place.constant);
  }
  return offsetPointer(offsetPointer(room, place.varying, element), place.constant, element);
}

//===----------------------------------------------------------------------===//
// Tiles of arguments and results
//===----------------------------------------------------------------------===//

SmallVector<Value> ScheduledEmitter::boundsOf(RankedTensorType type, ArrayRef<OpFoldResult> offsets,
                                              ArrayRef<bool> inBounds) {
  SmallVector<Value> bounds;
  for (auto [i, isInside] : llvm::enumerate(inBounds)) {
    unsigned axis = type.getRank() - inBounds.size() + i;
    Value left = isInside ? Value() : b.createOrFold<arith::SubIOp>(cst(type.getDimSize(axis)), indexOf(offsets[axis]));
    bounds.push_back(left);
  }
  return bounds;
}

ScheduledEmitter::GlobalTile ScheduledEmitter::globalTile(Value pointer, RankedTensorType type, ArrayRef<int64_t> shape,
                                                          const RegisterLayout &layout, ArrayRef<OpFoldResult> offsets,
                                                          ArrayRef<Value> bounds) {
  GlobalTile tile{
      type, pointer, pointer, {}, SmallVector<Value>(bounds), SmallVector<int64_t>(shape), layout.ofThreads(), {}};
  Type element = storageType(type.getElementType());
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (int64_t axis = type.getRank() - 2; axis >= 0; --axis)
    strides[axis] = strides[axis + 1] * type.getDimSize(axis + 1);
  tile.strides.assign(strides.end() - shape.size(), strides.end());
  for (unsigned axis = 0; axis < shape.size(); ++axis) {
    BitMap along;
    for (unsigned bit = 0; bit < tile.threads.size(); ++bit)
      along.push_back(coordinatesOf(shape, tile.threads[bit])[axis]);
    tile.coordinates.push_back(ofThread(along));
    Value wide = arith::ExtUIOp::create(b, b.getI64Type(), tile.coordinates.back());
    Value scale = arith::ConstantIntOp::create(b, b.getI64Type(), tile.strides[axis]);
    tile.origin = offsetPointer(tile.origin, b.createOrFold<arith::MulIOp>(wide, scale), element);
  }
  // What a loop changes comes last: the rest is computed before it.
  auto isFixed = [&](OpFoldResult offset) {
    auto value = dyn_cast<Value>(offset);
    return !value || value.getParentRegion()->isAncestor(&grid.getRegion());
  };
  for (bool fixed : {true, false})
    for (auto [axis, offset] : llvm::enumerate(offsets))
      if (isFixed(offset) == fixed)
        tile.origin =
            offsetPointer(tile.origin, b.createOrFold<arith::MulIOp>(indexOf(offset), cst(strides[axis])), element);
  return tile;
}

Value ScheduledEmitter::globalPointer(const GlobalTile &tile, uint32_t registers) {
  int64_t linear = 0;
  for (auto [at, stride] : llvm::zip(coordinatesOf(tile.shape, registers), tile.strides))
    linear += at * stride;
  return offsetPointer(tile.origin, cst(linear), storageType(tile.type.getElementType()));
}

Value ScheduledEmitter::exists(const GlobalTile &tile, uint32_t registers) {
  Value all;
  for (auto [axis, at] : llvm::enumerate(coordinatesOf(tile.shape, registers))) {
    if (!tile.bounds[axis])
      continue;
    Value own = arith::IndexCastUIOp::create(b, b.getIndexType(), tile.coordinates[axis]);
    own = at ? Value(arith::AddIOp::create(b, own, cst(at))) : own;
    Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, own, tile.bounds[axis]);
    all = all ? Value(arith::AndIOp::create(b, all, inside)) : inside;
  }
  return all;
}

void ScheduledEmitter::onceFor(const BitMap &threads, function_ref<void()> body) {
  uint32_t same = threads.idle();
  if (!same)
    return body();
  Value first = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, arith::AndIOp::create(b, thread, i32(same)), i32(0));
  auto choice = scf::IfOp::create(b, first, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  body();
}
