//===- MemoryTensors.cpp - What lies where in relation to what ------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryTensors.h"
#include "InPlace.h"
#include "Views.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nova;

static int64_t elementBytes(RankedTensorType type) { return llvm::divideCeil(type.getElementTypeBitWidth(), 8); }

int64_t nova::bytesOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() * elementBytes(tensor);
}

//===----------------------------------------------------------------------===//
// Tensors and what ties them
//===----------------------------------------------------------------------===//

unsigned MemoryTensors::stateTensor(StringRef role, StringAttr name, Type type) {
  auto [found, isNew] = state.try_emplace({role, name}, 0);
  if (isNew)
    found->second = ties.add(bytesOf(type));
  return found->second;
}

LogicalResult MemoryTensors::addEntry(func::FuncOp function, const SymbolTable &symbols) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expected a function without branches");
  auto verifyTypes = [](Operation *op, TypeRange types) -> LogicalResult {
    for (Type type : types)
      if (auto tensor = dyn_cast<RankedTensorType>(type); !tensor || !tensor.hasStaticShape())
        return op->emitOpError("expected tensors of static shape, which have bytes in memory, found ")
               << type << "; run --nova-form-kernels first, which names the way out";
    return success();
  };
  if (failed(verifyTypes(function, function.getArgumentTypes())))
    return failure();
  for (Operation &op : function.getBody().front())
    if (failed(verifyTypes(&op, op.getResultTypes())))
      return failure();
  Entry entry{function, {}, {}};
  for (auto launch : function.getBody().front().getOps<LaunchOp>()) {
    auto kernel = symbols.lookup<KernelOp>(launch.getKernel());
    if (kernel.getBody().getOps<scf::ForallOp>().empty())
      return kernel.emitOpError("is not tiled; run --nova-tile first");
    entry.launches.push_back(launch);
    entry.kernels.push_back(kernel);
  }
  if (failed(addArguments(function)))
    return failure();
  for (Operation &op : function.getBody().front().without_terminator())
    if (failed(addValue(&op)))
      return failure();
  if (failed(tieDonated(entry)))
    return failure();
  entries.push_back(std::move(entry));
  return success();
}

LogicalResult MemoryTensors::addArguments(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    auto role = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "nova.role");
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "nova.name");
    if (!role || !isStateRole(role)) {
      tensorOf[argument] = ties.add(bytesOf(argument.getType()));
      continue;
    }
    if (!name)
      return function.emitOpError("expected argument ")
             << argument.getArgNumber() << " of the state to have a nova.name";
    unsigned tensor = tensorOf[argument] = stateTensor(role.getValue(), name, argument.getType());
    if (ties.getBytes(tensor) != bytesOf(argument.getType()))
      return function.emitOpError("expected argument ")
             << argument.getArgNumber() << " to have the " << ties.getBytes(tensor) << " bytes of the " << role << " "
             << name << " elsewhere, found " << bytesOf(argument.getType());
  }
  return success();
}

LogicalResult MemoryTensors::addValue(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ReadOp read) {
        tensorOf[read] = stateTensor("parameter", read.getParameterAttr().getAttr(), read.getType());
        return success();
      })
      .Case([&](ConstantOp constant) {
        auto [found, isNew] = constants.try_emplace(constant.getValue(), 0);
        if (isNew)
          found->second = ties.add(bytesOf(constant.getType()));
        tensorOf[constant] = found->second;
        return success();
      })
      .Case([&](LaunchOp launch) {
        for (Value result : launch.getResults())
          tensorOf[result] = ties.add(bytesOf(result.getType()));
        return success();
      })
      .Default([&](Operation *other) { return addView(other); });
}

LogicalResult MemoryTensors::addView(Operation *view) {
  if (!isView(view))
    return view->emitOpError("has no place between launches; run --nova-form-kernels first");
  Value result = view->getResult(0);
  unsigned tensor = tensorOf[result] = ties.add(bytesOf(result.getType()));
  if (auto concat = dyn_cast<ConcatOp>(view)) {
    int64_t begin = 0;
    for (auto [number, input] : llvm::enumerate(concat.getInputs())) {
      if (!ties.tie(tensor, tensorOf[input], begin))
        return concat.emitOpError("cannot lie where its operand ")
               << number << " lies: the operand has a place already; run --nova-form-kernels, which copies it";
      begin += bytesOf(input.getType());
    }
    return success();
  }
  int64_t begin = 0;
  if (auto slice = dyn_cast<SliceOp>(view))
    begin = *getContiguousStart(slice) * elementBytes(slice.getType());
  ties.tie(tensorOf[view->getOperand(0)], tensor, begin);
  return success();
}

/// A result that replaces an argument lies where the argument lies.
LogicalResult MemoryTensors::tieDonated(const Entry &entry) {
  func::FuncOp function = entry.function;
  for (BlockArgument argument : function.getArguments()) {
    auto donated = function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "nova.donated");
    if (donated && !ties.tie(tensorOf[argument], tensorOf[entry.getReturn()->getOperand(donated.getInt())], 0))
      return function.emitOpError("result ")
             << donated.getInt() << " cannot lie where argument " << argument.getArgNumber()
             << " lies, which it replaces; run --nova-form-kernels, which copies it";
  }
  return success();
}

LogicalResult MemoryTensors::collect() {
  for (auto parameter : module.getOps<ParameterOp>())
    stateTensor("parameter", parameter.getSymNameAttr(), parameter.getTensorType());
  SymbolTable symbols(module);
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isDeclaration() && failed(addEntry(function, symbols)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Verification: no launch writes over what a later one reads
//===----------------------------------------------------------------------===//

/// The parts, each of one writer, that make up some bytes of a value.
void MemoryTensors::collectParts(Value value, int64_t from, int64_t bytes, SmallVectorImpl<Part> &parts) const {
  Operation *op = value.getDefiningOp();
  if (!op || !isView(op)) {
    int64_t begin = ties.getOffset(lookup(value)) + from;
    parts.push_back({value, begin, begin + bytes});
  } else if (auto concat = dyn_cast<ConcatOp>(op)) {
    int64_t begin = 0;
    for (Value input : concat.getInputs()) {
      int64_t end = begin + bytesOf(input.getType());
      int64_t first = std::max(from, begin), last = std::min(from + bytes, end);
      if (first < last)
        collectParts(input, first - begin, last - first, parts);
      begin = end;
    }
  } else {
    auto slice = dyn_cast<SliceOp>(op);
    int64_t start = slice ? *getContiguousStart(slice) * elementBytes(slice.getType()) : 0;
    collectParts(op->getOperand(0), from + start, bytes, parts);
  }
}

/// Of what `operand` holds when a launch, or the function's return, reads it, nothing may have been written over since
/// its part was written.
LogicalResult MemoryTensors::verifyRead(Operation *reader, KernelOp kernel, Value operand,
                                        const LastWrites &writes) const {
  auto fail = [&](OpResult write) {
    return write.getOwner()->emitOpError("writes over a tensor that ")
           << (write.getOwner() == reader ? "it" : "a later launch")
           << " reads; run --nova-form-kernels, which copies what must stay";
  };
  auto isInPlace = [&](OpResult write) {
    return ties.getOffset(lookup(write)) == ties.getOffset(lookup(operand)) &&
           llvm::all_of(llvm::enumerate(reader->getOperands()), [&](auto other) {
             return other.value() != operand || canWriteOver(kernel, other.index(), write.getResultNumber());
           });
  };
  SmallVector<Part> parts;
  collectParts(operand, 0, bytesOf(operand.getType()), parts);
  for (const Part &part : parts) {
    unsigned set = getSet(part.source);
    if (auto found = writes.find(set); found != writes.end()) {
      const std::map<int64_t, Written> &ranges = found->second;
      auto range = ranges.upper_bound(part.begin);
      if (range != ranges.begin() && std::prev(range)->second.end > part.begin)
        --range;
      for (; range != ranges.end() && range->first < part.end; ++range)
        if (range->second.writer != part.source)
          return fail(range->second.writer);
    }
    for (OpResult write : reader->getResults()) {
      int64_t begin = ties.getOffset(lookup(write));
      if (getSet(write) == set && begin < part.end && begin + bytesOf(write.getType()) > part.begin &&
          !isInPlace(write))
        return fail(write);
    }
  }
  return success();
}

/// The result is what wrote its bytes last; of what it covers in part the rest stays.
void MemoryTensors::noteWrite(OpResult write, LastWrites &writes) const {
  int64_t begin = ties.getOffset(lookup(write)), end = begin + bytesOf(write.getType());
  if (begin == end)
    return;
  std::map<int64_t, Written> &ranges = writes[getSet(write)];
  auto range = ranges.upper_bound(begin);
  if (range != ranges.begin() && std::prev(range)->second.end > begin)
    --range;
  while (range != ranges.end() && range->first < end) {
    auto [from, before] = *range;
    range = ranges.erase(range);
    if (from < begin)
      ranges[from] = {begin, before.writer};
    if (before.end > end)
      ranges[end] = before;
  }
  ranges[begin] = {end, write};
}

LogicalResult MemoryTensors::verify(const Entry &entry) const {
  LastWrites writes;
  for (auto [launch, kernel] : llvm::zip_equal(entry.launches, entry.kernels)) {
    Operation *reader = launch;
    for (Value operand : reader->getOperands())
      if (failed(verifyRead(reader, kernel, operand, writes)))
        return failure();
    for (OpResult result : reader->getResults())
      noteWrite(result, writes);
  }
  for (Value result : entry.getReturn()->getOperands())
    if (failed(verifyRead(entry.getReturn(), KernelOp(), result, writes)))
      return failure();
  return success();
}
