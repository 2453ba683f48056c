//===- Threads.cpp - The threads of a GPU block ---------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"

using namespace mlir;
using namespace mlir::nova;

Value TileEmitter::threadIndex() {
  return arith::IndexCastUIOp::create(b, b.getIndexType(), NVVM::ThreadIdXOp::create(b, b.getI32Type()));
}
Value TileEmitter::warpIndex() { return arith::DivUIOp::create(b, threadIndex(), cst(kWarp)); }
Value TileEmitter::laneIndex() { return arith::RemUIOp::create(b, threadIndex(), cst(kWarp)); }

void TileEmitter::barrier() {
  if (device == Device::Gpu)
    NVVM::Barrier0Op::create(b);
}

void TileEmitter::once(function_ref<void()> body) {
  if (device == Device::Cpu)
    return body();
  when(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, threadIndex(), cst(0)), body);
}

void TileEmitter::elements(ArrayRef<Value> sizes, function_ref<void(const Coords &)> body) {
  Value total = cst(1);
  for (Value size : sizes)
    total = mul(total, size);
  vectors(total, [&](Value linear, Value) {
    Coords at(sizes.size());
    Value rest = linear;
    for (int64_t d = int64_t(sizes.size()) - 1; d > 0; --d) {
      at[d].at = b.createOrFold<arith::RemUIOp>(rest, sizes[d]);
      rest = b.createOrFold<arith::DivUIOp>(rest, sizes[d]);
    }
    if (!sizes.empty())
      at[0].at = rest;
    body(at);
  });
}

/// Shuffles move 32 bits: narrower integers travel in 32, wider types in two halves.
Value TileEmitter::shuffle(Value value, Value lane, NVVM::ShflKind kind) {
  Type type = value.getType(), i32 = b.getI32Type();
  Value all = arith::ConstantIntOp::create(b, i32, -1), clamp = arith::ConstantIntOp::create(b, i32, kWarp - 1);
  auto move = [&](Value v) -> Value {
    return NVVM::ShflOp::create(b, v.getType(), all, v, lane, clamp, kind, UnitAttr());
  };
  if (type.isF32() || type == i32)
    return move(value);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 32)
    return arith::TruncIOp::create(b, type, move(arith::ExtUIOp::create(b, i32, value)));
  Type i64 = b.getI64Type();
  Value bits = type == i64 ? value : Value(arith::BitcastOp::create(b, i64, value));
  Value half = arith::ConstantIntOp::create(b, i64, 32);
  Value low = move(arith::TruncIOp::create(b, i32, bits));
  Value high = move(arith::TruncIOp::create(b, i32, arith::ShRUIOp::create(b, bits, half)));
  Value upper = arith::ShLIOp::create(b, arith::ExtUIOp::create(b, i64, high), half);
  bits = arith::OrIOp::create(b, upper, arith::ExtUIOp::create(b, i64, low));
  return type == i64 ? bits : Value(arith::BitcastOp::create(b, type, bits));
}

Value TileEmitter::fromLane(Value value, Value lane) {
  return shuffle(value, arith::IndexCastOp::create(b, b.getI32Type(), lane), NVVM::ShflKind::idx);
}

Value TileEmitter::combineWarp(vector::CombiningKind kind, Value value) {
  for (int64_t distance = kWarp / 2; distance; distance /= 2) {
    Value other = shuffle(value, arith::ConstantIntOp::create(b, b.getI32Type(), distance), NVVM::ShflKind::bfly);
    value = vector::makeArithReduction(b, b.getLoc(), kind, value, other);
  }
  return value;
}

/// Warp by warp, then the warps' results in order: the bits depend on the number of threads alone, which is part of the
/// kernel's configuration.
Value TileEmitter::combineThreads(vector::CombiningKind kind, Value value) {
  value = combineWarp(kind, value);
  if (warpCount() == 1)
    return value;
  Type type = value.getType(), stored = storageType(type);
  if (!reductionBuffer) {
    OpBuilder::InsertionGuard guard(b);
    Block *entry = b.getInsertionBlock();
    while (!isa<FunctionOpInterface>(entry->getParentOp()))
      entry = entry->getParentOp()->getBlock();
    b.setInsertionPointToStart(entry);
    int64_t slots = llvm::PowerOf2Ceil(warpCount());
    reductionBuffer = buffer(slots, b.getF64Type());
    // LLVM reads three neighbours by one load of four: all that it reads has a value.
    if (slots != warpCount()) {
      once([&] {
        Value zero = arith::ConstantOp::create(b, b.getI64IntegerAttr(0));
        for (int64_t slot = 0; slot < slots; ++slot)
          storeValue(zero, pointer(reductionBuffer, cst(slot), b.getI64Type()));
      });
      barrier();
    }
  }
  Value firstLane = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, laneIndex(), cst(0));
  when(firstLane, [&] { storeValue(narrow(value, type), pointer(reductionBuffer, warpIndex(), stored)); });
  barrier();
  Value all;
  for (int64_t warp = 0; warp < warpCount(); ++warp) {
    Value one = widen(loadScalar(pointer(reductionBuffer, cst(warp), stored), stored), type);
    all = all ? vector::makeArithReduction(b, b.getLoc(), kind, all, one) : one;
  }
  barrier(); // nobody writes the next round's values before all have read this one's
  return all;
}
