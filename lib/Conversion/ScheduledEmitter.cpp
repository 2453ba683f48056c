//===- ScheduledEmitter.cpp - A scheduled block, op by op -----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduledEmitter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nova;

ScheduledEmitter::ScheduledEmitter(OpBuilder &builder, KernelOp kernel, const TileEmitter::Entry &entry)
    : b(kernel.getLoc(), builder), kernel(kernel), grid(*kernel.getBody().getOps<scf::ForallOp>().begin()),
      allocation(allocateSharedMemory(kernel)) {
  thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  enterBlock(b, kernel, grid, entry, pointers, map);
}

LogicalResult ScheduledEmitter::emit() {
  if (allocation.bytes) {
    // What every block has is a variable of that size; more must be asked for at launch, and has none.
    bool isAskedFor = allocation.bytes > TileEmitter::kSharedBytes;
    auto function = cast<LLVM::LLVMFuncOp>(b.getInsertionBlock()->getParentOp());
    std::string name = (kernel.getName() + "_shared").str();
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(function);
      auto type = LLVM::LLVMArrayType::get(b.getI8Type(), isAskedFor ? 0 : allocation.bytes);
      LLVM::GlobalOp::create(b, type, /*isConstant=*/false,
                             isAskedFor ? LLVM::Linkage::External : LLVM::Linkage::Internal, name, Attribute(),
                             /*alignment=*/128, /*addrSpace=*/3);
    }
    if (isAskedFor)
      function->setAttr("nova.shared_bytes", b.getI64IntegerAttr(allocation.bytes));
    shared = LLVM::AddressOfOp::create(b, LLVM::LLVMPointerType::get(b.getContext(), 3), name);
  }
  if (failed(emit(*grid.getBody())))
    return failure();
  for (Operation &op : grid.getTerminator().getYieldingOps())
    emitStore(cast<tensor::ParallelInsertSliceOp>(op));
  return success();
}

LogicalResult ScheduledEmitter::emit(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emit(&op)))
      return failure();
  return success();
}

LogicalResult ScheduledEmitter::emit(Operation *op) {
  b.setLoc(op->getLoc());
  using Result = LogicalResult;
  auto done = [](auto &&...) { return success(); };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<CopyAsyncOp, LoadOp, ConvertLayoutOp, ContractOp, scf::ForOp, scf::IfOp>(
          [&](auto known) { return emit(known); })
      .Case([&](AllocateOp room) {
        return done(rooms[room] = offsetPointer(shared, allocation.offsets.lookup(room), b.getI8Type()));
      })
      .Case([&](CommitOp) { return done(NVVM::CpAsyncCommitGroupOp::create(b)); })
      .Case([&](WaitOp wait) { return done(NVVM::CpAsyncWaitGroupOp::create(b, wait.getPending())); })
      .Case([&](BarrierOp) { return done(NVVM::Barrier0Op::create(b)); })
      .Case([&](ConstantOp constant) { return emitConstant(constant), success(); })
      .Case([&](tensor::SplatOp splat) {
        Value value = widen(map.lookup(splat.getInput()), tensorType(splat).getElementType());
        auto layout = getRegisterLayout(splat.getType());
        registers[splat] = {SmallVector<Value>(succeeded(layout) ? layout->registers() : 1, value)};
        return success();
      })
      .Case([&](tensor::ExtractSliceOp slice) { // the part of a tile that exists: the store tests it
        registers[slice] = registers.lookup(slice.getSource());
        return success();
      })
      .Case([&](TransposeOp transpose) { return done(rooms[transpose] = rooms.lookup(transpose.getX())); })
      .Default([&](Operation *) {
        if (isa<arith::ArithDialect, affine::AffineDialect>(op->getDialect()))
          return done(b.clone(*op, map));
        return emitElementwise(op);
      });
}

void ScheduledEmitter::emitConstant(ConstantOp constant) {
  auto elements = cast<DenseElementsAttr>(constant.getValue());
  Value value = emitSplatElement(b, elements);
  bool hasLayout = bool(constant.getType().getEncoding());
  registers[constant] = {SmallVector<Value>(hasLayout ? getRegisterLayout(constant.getType())->registers() : 1, value)};
}

LogicalResult ScheduledEmitter::emitElementwise(Operation *op) {
  if (!op->hasTrait<NovaElementwise>())
    return op->emitOpError(
        "has no code in a scheduled kernel; a configuration without strategy leaves the kernel to its "
        "family's emitter");
  SmallVector<SmallVector<Value>> operands;
  for (Value operand : op->getOperands())
    operands.push_back(registersOf(operand, RegisterTile::Computed));
  auto type = tensorType(op->getResult(0));
  bool hasLayout = bool(type.getEncoding());
  BitMap elements = hasLayout ? getRegisterLayout(type)->ofRegisters() : BitMap();
  SmallVector<RegisterTile> tiles(op->getNumResults());
  for (uint32_t r = 0; r < uint32_t(1) << elements.size(); ++r) {
    // Registers with the same element: the one whose number lacks their bits has the value already.
    uint32_t first = r & ~elements.idle();
    if (first != r) {
      for (RegisterTile &tile : tiles)
        tile.values.push_back(tile.values[first]);
      continue;
    }
    SmallVector<Value> own, results;
    for (ArrayRef<Value> operand : operands)
      own.push_back(operand.size() == 1 ? operand[0] : operand[r]);
    if (failed(nova::emitElementwise(b, op, own, results)))
      return op->emitOpError("has no code in a scheduled kernel");
    for (auto [tile, result] : llvm::zip(tiles, results))
      tile.values.push_back(result);
  }
  for (auto [result, tile] : llvm::zip(op->getResults(), tiles))
    registers[result] = tile;
  return success();
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

SmallVector<Value> ScheduledEmitter::flatten(Value value) {
  if (auto room = rooms.find(value); room != rooms.end())
    return {room->second};
  if (isInRegisters(value.getType()))
    return registersOf(value, formOf(tensorType(value)));
  return {map.lookupOrDefault(value)};
}

void ScheduledEmitter::unflatten(Value value, ValueRange &values) {
  unsigned count = 1;
  if (isInSharedMemory(value.getType())) {
    rooms[value] = values.front();
  } else if (isInRegisters(value.getType())) {
    RegisterTile::Form form = formOf(tensorType(value));
    count = getRegisterLayout(tensorType(value))->registers();
    if (form == RegisterTile::Packed)
      count /= 32 / tensorType(value).getElementTypeBitWidth();
    registers[value] = {SmallVector<Value>(values.take_front(count)), form};
  } else {
    map.map(value, values.front());
  }
  values = values.drop_front(count);
}

LogicalResult ScheduledEmitter::emit(scf::ForOp loop) {
  SmallVector<Value> initial;
  for (Value value : loop.getInitArgs())
    llvm::append_range(initial, flatten(value));
  auto emitted =
      scf::ForOp::create(b, map.lookupOrDefault(loop.getLowerBound()), map.lookupOrDefault(loop.getUpperBound()),
                         map.lookupOrDefault(loop.getStep()), initial);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(emitted.getBody());
    // An unrolled loop needs more registers than it saves instructions, and NVIDIA's assembler would unroll it.
    LLVM::InlineAsmOp::create(b, TypeRange(), ValueRange(), ".pragma \"nounroll\";", "", /*has_side_effects=*/true,
                              /*is_align_stack=*/false, LLVM::TailCallKind::None,
                              LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr());
    map.map(loop.getInductionVar(), emitted.getInductionVar());
    ValueRange carried = emitted.getRegionIterArgs();
    for (Value argument : loop.getRegionIterArgs())
      unflatten(argument, carried);
    if (failed(emit(*loop.getBody())))
      return failure();
    SmallVector<Value> yielded;
    for (Value value : loop.getYieldedValues())
      llvm::append_range(yielded, flatten(value));
    if (!initial.empty()) // without values the builder has made the terminator
      scf::YieldOp::create(b, yielded);
  }
  ValueRange results = emitted.getResults();
  for (Value result : loop.getResults())
    unflatten(result, results);
  return success();
}

LogicalResult ScheduledEmitter::emit(scf::IfOp choice) {
  auto build = [&](Block *from, Block *to) -> LogicalResult {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(to);
    SmallVector<Value> yielded;
    if (failed(emit(*from)))
      return failure();
    for (Value value : from->getTerminator()->getOperands())
      llvm::append_range(yielded, flatten(value));
    scf::YieldOp::create(b, yielded);
    return success();
  };
  SmallVector<Type> types;
  for (Value result : choice.getResults()) {
    if (!isInSharedMemory(result.getType()) && isInRegisters(result.getType()))
      return choice.emitOpError("may not have tiles in registers as results");
    types.push_back(isInSharedMemory(result.getType()) ? shared.getType() : result.getType());
  }
  auto emitted = scf::IfOp::create(b, types, map.lookupOrDefault(choice.getCondition()), bool(choice.elseBlock()));
  emitted.thenBlock()->clear();
  if (failed(build(choice.thenBlock(), emitted.thenBlock())))
    return failure();
  if (choice.elseBlock()) {
    emitted.elseBlock()->clear();
    if (failed(build(choice.elseBlock(), emitted.elseBlock())))
      return failure();
  }
  ValueRange results = emitted.getResults();
  for (Value result : choice.getResults())
    unflatten(result, results);
  return success();
}

Value ScheduledEmitter::indexOf(OpFoldResult value) {
  if (auto constant = getConstantIntValue(value))
    return cst(*constant);
  return map.lookupOrDefault(cast<Value>(value));
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Factors travel as their instruction wants them.
RegisterTile::Form ScheduledEmitter::formOf(RankedTensorType type) {
  auto fragment = dyn_cast_or_null<FragmentAttr>(type.getEncoding());
  bool isFactor = fragment && fragment.getOperand() != MatrixOperand::Sums && type.getElementTypeBitWidth() == 16;
  return isFactor ? RegisterTile::Packed : RegisterTile::Computed;
}

SmallVector<Value> ScheduledEmitter::registersOf(Value tile, RegisterTile::Form form) {
  return convert(registers.lookup(tile), tensorType(tile).getElementType(), form).values;
}

Value ScheduledEmitter::widen(Value value, Type element) {
  if (element.isInteger(1) && !value.getType().isInteger(1))
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value,
                                 arith::ConstantOp::create(b, b.getZeroAttr(value.getType())));
  Type type = computeType(element);
  return value.getType() == type ? value : Value(arith::ExtFOp::create(b, type, value));
}

Value ScheduledEmitter::narrow(Value value, Type element) {
  Type type = storageType(element);
  if (value.getType() == type)
    return value;
  if (element.isInteger(1))
    return arith::ExtUIOp::create(b, type, value);
  return arith::TruncFOp::create(b, type, value);
}

RegisterTile ScheduledEmitter::convert(const RegisterTile &tile, Type element, RegisterTile::Form form) {
  if (tile.form == form)
    return tile;
  RegisterTile result{{}, form};
  unsigned each = form == RegisterTile::Packed || tile.form == RegisterTile::Packed
                      ? std::max(32 / element.getIntOrFloatBitWidth(), 1u)
                      : 1;
  auto pair = VectorType::get({each}, element);
  if (tile.form == RegisterTile::Packed) {
    for (Value word : tile.values) {
      if (each == 1) {
        result.values.push_back(LLVM::BitcastOp::create(b, element, word));
        continue;
      }
      Value both = LLVM::BitcastOp::create(b, pair, word);
      for (unsigned i = 0; i < each; ++i)
        result.values.push_back(vector::ExtractOp::create(b, both, i));
    }
    if (form == RegisterTile::Computed)
      for (Value &value : result.values)
        value = widen(value, element);
    return result;
  }
  SmallVector<Value> values;
  for (Value value : tile.values)
    values.push_back(form == RegisterTile::Computed ? widen(value, element) : narrow(value, element));
  if (form != RegisterTile::Packed) {
    result.values = values;
    return result;
  }
  for (size_t i = 0; i < values.size(); i += each) {
    Value word =
        each == 1 ? values[i] : Value(vector::FromElementsOp::create(b, pair, ArrayRef(values).slice(i, each)));
    result.values.push_back(LLVM::BitcastOp::create(b, b.getI32Type(), word));
  }
  return result;
}
