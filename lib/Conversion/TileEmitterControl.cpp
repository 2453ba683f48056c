//===- TileEmitterControl.cpp - Loops, arithmetic and memory of emitters --===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nova;

static constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

//===----------------------------------------------------------------------===//
// The block
//===----------------------------------------------------------------------===//

SmallVector<Value> TileEmitter::sizes(Value tile) {
  auto type = tensorType(tile);
  SmallVector<Value> result;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (!type.isDynamicDim(d)) {
      result.push_back(cst(type.getDimSize(d)));
      continue;
    }
    if (auto slice = tile.getDefiningOp<tensor::ExtractSliceOp>()) {
      result.push_back(indexValue(slice.getMixedSizes()[d]));
      continue;
    }
    if (auto splat = tile.getDefiningOp<tensor::SplatOp>()) {
      unsigned dynamic = type.getDynamicDimIndex(d);
      result.push_back(map.lookupOrDefault(splat.getDynamicSizes()[dynamic]));
      continue;
    }
    // The size of the loop that gives this axis, from an operand that has it.
    auto op = tile.getDefiningOp<IndexedOp>();
    AffineMap own = op.getResultMap(cast<OpResult>(tile).getResultNumber());
    Value found;
    for (auto [i, operand] : llvm::enumerate(op.getTensorOperands()))
      for (auto [axis, expression] : llvm::enumerate(op.getOperandMap(i).getResults()))
        if (!found && expression == own.getResult(d))
          found = sizes(operand)[axis];
    if (!found) // an axis that no operand has: the output's
      found = indexValue(outputs.lookup(tile).getMixedSizes()[d]);
    result.push_back(found);
  }
  return result;
}

SmallVector<Value> TileEmitter::outputSizes() {
  for (Operation &op : grid.getTerminator().getYieldingOps()) {
    auto insert = cast<tensor::ParallelInsertSliceOp>(op);
    if (base.contains(insert.getDest()))
      return llvm::map_to_vector(insert.getMixedSizes(), [&](OpFoldResult s) { return indexValue(s); });
  }
  return {};
}

Value TileEmitter::buffer(int64_t elements, Type element) {
  int64_t bytes = llvm::alignTo(elements * (element.getIntOrFloatBitWidth() / 8), 64);
  int64_t at = scratchUsed;
  scratchUsed += bytes;
  if (device == Device::Cpu)
    return pointer(scratch, cst(at), b.getI8Type());
  // Shared memory of the block: a global of the GPU module.
  Operation *module = b.getInsertionBlock()->getParentOp();
  while (!module->hasTrait<OpTrait::SymbolTable>())
    module = module->getParentOp();
  std::string name = (kernel.getName() + "_shared_" + Twine(at)).str();
  Type type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&module->getRegion(0).front());
    LLVM::GlobalOp::create(b, type, /*isConstant=*/false, LLVM::Linkage::Internal, name, Attribute(),
                           /*alignment=*/64, /*addrSpace=*/3);
  }
  return LLVM::AddressOfOp::create(b, LLVM::LLVMPointerType::get(b.getContext(), 3), name);
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

SmallVector<Value> TileEmitter::carry(Value from, Value to, int64_t step, ValueRange initial,
                                      function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto first = getConstantIntValue(from), last = getConstantIntValue(to);
  if (first && last && *first >= *last)
    return llvm::to_vector(initial);
  auto loop = scf::ForOp::create(b, from, to, cst(step), initial);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!initial.empty()) // without values the builder has made the terminator
    scf::YieldOp::create(b, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

void TileEmitter::loop(Value from, Value to, int64_t step, function_ref<void(Value)> body) {
  carry(from, to, step, {}, [&](Value i, ValueRange) {
    body(i);
    return SmallVector<Value>();
  });
}

void TileEmitter::loops(ArrayRef<Value> sizes, function_ref<void(ArrayRef<Value>)> body) {
  SmallVector<Value> at;
  std::function<void()> nest = [&] {
    if (at.size() == sizes.size())
      return body(at);
    loop(cst(0), sizes[at.size()], 1, [&](Value i) {
      at.push_back(i);
      nest();
      at.pop_back();
    });
  };
  nest();
}

SmallVector<Value> TileEmitter::vectors(Value n, ValueRange initial,
                                        function_ref<SmallVector<Value>(Value, Value, ValueRange)> body) {
  if (device == Device::Gpu)
    return carry(threadIndex(), n, threads, initial, [&](Value j, ValueRange c) { return body(j, {}, c); });
  Value whole = floorTo(n, lanes);
  auto main = carry(cst(0), whole, lanes, initial, [&](Value j, ValueRange c) { return body(j, {}, c); });
  return carry(whole, n, lanes, main, [&](Value j, ValueRange c) { return body(j, mask(sub(n, j)), c); });
}

void TileEmitter::vectors(Value n, function_ref<void(Value, Value)> body) {
  vectors(n, {}, [&](Value j, Value mask, ValueRange) {
    body(j, mask);
    return SmallVector<Value>();
  });
}

void TileEmitter::when(Value condition, function_ref<void()> body) {
  auto choice = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  body();
}

Value TileEmitter::combineLanes(vector::CombiningKind kind, Value value) {
  if (device == Device::Gpu)
    return combineThreads(kind, value);
  if (!isa<VectorType>(value.getType()))
    return value;
  auto fast = kind == vector::CombiningKind::ADD || kind == vector::CombiningKind::MUL ? arith::FastMathFlags::reassoc
                                                                                       : arith::FastMathFlags::none;
  return vector::ReductionOp::create(b, kind, value, fast);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value TileEmitter::cst(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
Value TileEmitter::add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(x, y, kNoWrap); }
Value TileEmitter::sub(Value x, Value y) { return b.createOrFold<arith::SubIOp>(x, y, kNoWrap); }
Value TileEmitter::mul(Value x, Value y) { return b.createOrFold<arith::MulIOp>(x, y, kNoWrap); }
Value TileEmitter::minimum(Value x, Value y) { return b.createOrFold<arith::MinSIOp>(x, y); }
Value TileEmitter::floorTo(Value x, int64_t step) {
  return step == 1 ? x : mul(b.createOrFold<arith::DivUIOp>(x, cst(step)), step);
}

Value TileEmitter::constant(Type type, double value) {
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  return arith::ConstantOp::create(b, b.getIntegerAttr(type, int64_t(value)));
}

Type TileEmitter::vectorOf(Type element) { return lanes == 1 ? element : VectorType::get({lanes}, element); }

Value TileEmitter::asVector(Value value) {
  if (lanes == 1 || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(b, VectorType::get({lanes}, value.getType()), value);
}

Value TileEmitter::mask(Value count) {
  return vector::CreateMaskOp::create(b, VectorType::get({lanes}, b.getI1Type()), ValueRange{count});
}

Value TileEmitter::masked(Value mask, Value value, Value other) {
  return mask ? Value(arith::SelectOp::create(b, mask, value, other)) : value;
}

Value TileEmitter::fma(Value x, Value y, Value z) {
  // A splat of the kernel (a norm without weights) is one scalar for all lanes.
  if (llvm::any_of(ValueRange{x, y, z}, [](Value value) { return isa<VectorType>(value.getType()); }))
    x = asVector(x), y = asVector(y), z = asVector(z);
  if (isa<FloatType>(getElementTypeOrSelf(x)))
    return math::FmaOp::create(b, x, y, z);
  return arith::AddIOp::create(b, arith::MulIOp::create(b, x, y), z);
}

/// Takes log2(lanes) stages: rows d apart exchange the halves of blocks of 2d elements.
void TileEmitter::transpose(SmallVector<Value> &square) {
  for (int64_t d = lanes / 2; d; d /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t i = 0; i < lanes; ++i) {
      bool upper = i & d;
      low.push_back(upper ? lanes + i - d : i);
      high.push_back(upper ? lanes + i : i + d);
    }
    for (int64_t r = 0; r < lanes; ++r) {
      if (r & d)
        continue;
      Value x = square[r], y = square[r + d];
      square[r] = vector::ShuffleOp::create(b, x, y, low);
      square[r + d] = vector::ShuffleOp::create(b, x, y, high);
    }
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value TileEmitter::pointer(Value base, Value element, Type type) {
  if (getConstantIntValue(element) == 0)
    return base;
  Value i = b.createOrFold<arith::IndexCastOp>(b.getI64Type(), element);
  return LLVM::GEPOp::create(b, base.getType(), type, base, ValueRange{i}, LLVM::GEPNoWrapFlags::inbounds);
}

static int64_t bytesOf(Type element) { return element.getIntOrFloatBitWidth() / 8; }

Value TileEmitter::loadVector(Value pointer, Type element, int64_t align) {
  return LLVM::LoadOp::create(b, vectorOf(element), pointer, align ? align : bytesOf(element));
}
Value TileEmitter::loadScalar(Value pointer, Type element) {
  return LLVM::LoadOp::create(b, element, pointer, bytesOf(element));
}
Value TileEmitter::loadMasked(Value pointer, VectorType type, Value mask) {
  Value zero = arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(type)));
  IntegerAttr align = b.getI32IntegerAttr(bytesOf(type.getElementType()));
  return LLVM::MaskedLoadOp::create(b, type, pointer, mask, zero, align, UnitAttr());
}
Value TileEmitter::pointerTo(Value tile, const Coords &at) {
  View view = viewOf(tile);
  return address(view, at, storageType(view.element)).pointer;
}
void TileEmitter::storeValue(Value value, Value pointer, Value mask, int64_t align) {
  align = align ? align : bytesOf(getElementTypeOrSelf(value));
  if (mask && isa<VectorType>(value.getType()))
    LLVM::MaskedStoreOp::create(b, value, pointer, asVector(mask), b.getI32IntegerAttr(align));
  else
    LLVM::StoreOp::create(b, value, pointer, align);
}
