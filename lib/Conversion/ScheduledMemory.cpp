//===- ScheduledMemory.cpp - Copies, loads, stores and conversions --------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduledEmitter.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::nova;

/// The largest access in bytes.
static constexpr int64_t kAccess = 16;

static BitMap identity(unsigned bits) {
  BitMap map;
  for (unsigned i = 0; i < bits; ++i)
    map.push_back(uint32_t(1) << i);
  return map;
}

static int64_t bytesOf(Type element) { return std::max<int64_t>(element.getIntOrFloatBitWidth() / 8, 1); }

/// Register bits whose elements one access moves: neighbours in `places`, as many as `bytes` have room for.
static unsigned runBits(const RegisterLayout &layout, const BitMap &places, Type element, int64_t bytes) {
  return std::min<unsigned>(neighbourBits(layout, places),
                            llvm::Log2_64(std::max(bytes / bytesOf(element), int64_t(1))));
}

/// Calls body with the first register of each run of 2^bits, once for all registers that have the same elements.
static void forEachRun(const RegisterLayout &layout, unsigned bits, function_ref<void(uint32_t, uint32_t)> body) {
  BitMap elements = layout.ofRegisters();
  for (uint32_t r = 0; r < layout.registers(); r += uint32_t(1) << bits)
    if (!(r & elements.idle()))
      body(r, elements(r));
}

/// Gives registers whose elements others have the values of those.
static void repeatElements(const RegisterLayout &layout, SmallVector<Value> &values) {
  uint32_t idle = layout.ofRegisters().idle();
  for (uint32_t r = 0; r < values.size(); ++r)
    if (!values[r])
      values[r] = values[r & ~idle];
}

/// What one access of a run of 2^bits moves, and a run of registers as that and back.
static Type runType(Type stored, unsigned bits) {
  return bits ? Type(VectorType::get({int64_t(1) << bits}, stored)) : stored;
}
static Value joinRun(OpBuilder &b, Location loc, ArrayRef<Value> run, Type type) {
  return run.size() == 1 ? run[0] : Value(vector::FromElementsOp::create(b, loc, cast<VectorType>(type), run));
}
static void splitRun(OpBuilder &b, Location loc, Value value, MutableArrayRef<Value> run) {
  for (auto [i, own] : llvm::enumerate(run))
    own = run.size() == 1 ? value : Value(vector::ExtractOp::create(b, loc, value, int64_t(i)));
}

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

LogicalResult ScheduledEmitter::emit(CopyAsyncOp copy) {
  RankedTensorType type = copy.getTile().getType(), source = copy.getSource().getType();
  Type element = type.getElementType();
  SharedLayout shared = *getSharedLayout(type);
  RegisterLayout layout = *getRegisterLayout(RankedTensorType::get(type.getShape(), element, Attribute(copy.getBy())));
  SmallVector<OpFoldResult> offsets = getAsOpFoldResult(copy.getOffsets());
  GlobalTile tile = globalTile(pointers.lookup(copy.getSource()), source, type.getShape(), layout, offsets,
                               boundsOf(source, offsets, copy.getInBounds()));
  unsigned bits = llvm::Log2_64(copy.getBy().getElements().back());
  int64_t bytes = bytesOf(element) << bits;
  Value room = rooms.lookup(copy.getRoom());
  BitMap places = layout.ofThreads().then(shared.map);
  // 16 bytes don't pass through the first cache, which has no use for them.
  auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
  onceFor(layout.ofThreads(), [&] {
    forEachRun(layout, bits, [&](uint32_t, uint32_t first) {
      Value to = sharedPointer(room, shared, element, places, shared.map(first)), count;
      if (Value inside = exists(tile, first)) // no byte is read then, and zeros are written
        count = arith::SelectOp::create(b, inside, i32(bytes), i32(0));
      NVVM::CpAsyncOp::create(b, to, globalPointer(tile, first), bytes, cache, count);
    });
  });
  rooms[copy.getTile()] = room;
  return success();
}

LogicalResult ScheduledEmitter::emit(LoadOp load) {
  RankedTensorType type = load.getTile().getType(), source = load.getSource().getType();
  RegisterLayout layout = *getRegisterLayout(type);
  Type stored = storageType(type.getElementType());
  SmallVector<OpFoldResult> offsets = getAsOpFoldResult(load.getOffsets());
  GlobalTile tile = globalTile(pointers.lookup(load.getSource()), source, type.getShape(), layout, offsets,
                               boundsOf(source, offsets, load.getInBounds()));
  int64_t most = kAccess / bytesOf(stored);
  unsigned bits = runBits(layout, identity(layout.map.size()), stored, knownAlignment(source, offsets, most));
  SmallVector<Value> values(layout.registers());
  forEachRun(layout, bits, [&](uint32_t r, uint32_t first) {
    Type run = runType(stored, bits);
    Value pointer = globalPointer(tile, first), inside = exists(tile, first);
    if (inside) // some element that exists is read in the place of those that don't
      pointer = arith::SelectOp::create(b, inside, pointer, tile.base);
    Value value = LLVM::LoadOp::create(b, run, pointer, bytesOf(stored) << bits);
    if (inside)
      value = arith::SelectOp::create(b, inside, value, arith::ConstantOp::create(b, b.getZeroAttr(run)));
    splitRun(b, b.getLoc(), value, MutableArrayRef(values).slice(r, size_t(1) << bits));
  });
  repeatElements(layout, values);
  registers[load.getTile()] = {values, RegisterTile::Stored};
  return success();
}

void ScheduledEmitter::emitStore(tensor::ParallelInsertSliceOp insert) {
  Value tile = insert.getSource();
  if (auto part = tile.getDefiningOp<tensor::ExtractSliceOp>())
    tile = part.getSource();
  RankedTensorType type = tensorType(tile), target = insert.getDestType();
  RegisterLayout layout = *getRegisterLayout(type);
  Type stored = storageType(type.getElementType());
  SmallVector<OpFoldResult> offsets = insert.getMixedOffsets();
  SmallVector<Value> bounds;
  for (auto [size, whole] : llvm::zip(ArrayRef(insert.getMixedSizes()).take_back(type.getRank()), type.getShape()))
    bounds.push_back(getConstantIntValue(size) == whole ? Value() : indexOf(size));
  GlobalTile to = globalTile(pointers.lookup(insert.getDest()), target, type.getShape(), layout, offsets, bounds);
  int64_t most = kAccess / bytesOf(stored);
  unsigned bits = runBits(layout, identity(layout.map.size()), stored, knownAlignment(target, offsets, most));
  SmallVector<Value> values = registersOf(tile, RegisterTile::Stored);
  onceFor(layout.ofThreads(), [&] {
    forEachRun(layout, bits, [&](uint32_t r, uint32_t first) {
      auto store = [&] {
        auto run = ArrayRef(values).slice(r, size_t(1) << bits);
        Value value = joinRun(b, b.getLoc(), run, runType(stored, bits));
        LLVM::StoreOp::create(b, value, globalPointer(to, first), bytesOf(stored) << bits);
      };
      Value inside = exists(to, first);
      if (!inside)
        return store();
      auto choice = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(choice.thenBlock());
      store();
    });
  });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

LogicalResult ScheduledEmitter::emit(ConvertLayoutOp convert) {
  RankedTensorType from = convert.getX().getType(), to = convert.getResult().getType();
  if (isInSharedMemory(to))
    return storeShared(convert), success();
  if (!isInSharedMemory(from))
    return moveRegisters(convert), success();
  SharedLayout places = *getSharedLayout(from);
  RegisterLayout layout = *getRegisterLayout(to);
  if (auto load = matchMatrixLoad(places, layout, from.getElementTypeBitWidth()))
    loadMatrices(convert, places, layout, *load);
  else
    loadShared(convert, places, layout);
  return success();
}

void ScheduledEmitter::loadMatrices(ConvertLayoutOp convert, const SharedLayout &from, const RegisterLayout &to,
                                    const MatrixLoad &load) {
  Type element = tensorType(convert.getX()).getElementType(), word = b.getI32Type();
  Value room = rooms.lookup(convert.getX());
  unsigned count = 1 << load.matrixBits, below = load.firstBit + load.matrixBits;
  BitMap places = to.ofRegisters().then(from.map);
  Type result = count == 1 ? word : LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(count, word));
  auto shape = NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8);
  SmallVector<Value> words;
  for (uint32_t r = 0; r < to.registers(); r += uint32_t(1) << below) {
    Value row = sharedPointer(room, from, element, load.rows, places(r));
    Value loaded =
        NVVM::LdMatrixOp::create(b, result, row, count, load.transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
                                 shape, NVVM::LdStMatrixEltType::B16);
    for (unsigned i = 0; i < count; ++i)
      words.push_back(count == 1 ? loaded : Value(LLVM::ExtractValueOp::create(b, loaded, i)));
  }
  registers[convert.getResult()] = {words, RegisterTile::Packed};
}

void ScheduledEmitter::loadShared(ConvertLayoutOp convert, const SharedLayout &from, const RegisterLayout &to) {
  Type element = tensorType(convert.getX()).getElementType(), stored = storageType(element);
  Value room = rooms.lookup(convert.getX());
  unsigned bits = runBits(to, from.map, stored, from.every ? bytesOf(stored) : kAccess);
  SmallVector<Value> values(to.registers());
  BitMap threads = to.ofThreads().then(from.map);
  forEachRun(to, bits, [&](uint32_t r, uint32_t first) {
    Value pointer = sharedPointer(room, from, stored, threads, from.map(first));
    Value value = LLVM::LoadOp::create(b, runType(stored, bits), pointer, bytesOf(stored) << bits);
    splitRun(b, b.getLoc(), value, MutableArrayRef(values).slice(r, size_t(1) << bits));
  });
  repeatElements(to, values);
  registers[convert.getResult()] = {values, RegisterTile::Stored};
}

void ScheduledEmitter::storeShared(ConvertLayoutOp convert) {
  Type stored = storageType(tensorType(convert.getX()).getElementType());
  SharedLayout to = *getSharedLayout(convert.getResult().getType());
  RegisterLayout layout = *getRegisterLayout(convert.getX().getType());
  Value room = rooms.lookup(convert.getRoom());
  unsigned bits = runBits(layout, to.map, stored, to.every ? bytesOf(stored) : kAccess);
  SmallVector<Value> values = registersOf(convert.getX(), RegisterTile::Stored);
  BitMap threads = layout.ofThreads().then(to.map);
  onceFor(layout.ofThreads(), [&] {
    forEachRun(layout, bits, [&](uint32_t r, uint32_t first) {
      auto run = ArrayRef(values).slice(r, size_t(1) << bits);
      Value value = joinRun(b, b.getLoc(), run, runType(stored, bits));
      LLVM::StoreOp::create(b, value, sharedPointer(room, to, stored, threads, to.map(first)), bytesOf(stored) << bits);
    });
  });
  rooms[convert.getResult()] = room;
}

/// Each thread has its elements: only the order of its registers changes.
void ScheduledEmitter::moveRegisters(ConvertLayoutOp convert) {
  RegisterLayout from = *getRegisterLayout(convert.getX().getType()),
                 to = *getRegisterLayout(convert.getResult().getType());
  if (conversionBetween(from, to) == Conversion::None) {
    registers[convert.getResult()] = registers.lookup(convert.getX());
    return;
  }
  SmallVector<Value> old = registersOf(convert.getX(), RegisterTile::Stored), values;
  BitMap own = from.ofRegisters();
  // Where threads begin at different elements, registers make up for it by the same difference for all.
  for (uint32_t r = 0; r < to.registers(); ++r)
    for (uint32_t x = 0; x < from.registers(); ++x)
      if (own(x) == to.ofRegisters()(r)) {
        values.push_back(old[x]);
        break;
      }
  registers[convert.getResult()] = {values, RegisterTile::Stored};
}
