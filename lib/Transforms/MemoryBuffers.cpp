//===- MemoryBuffers.cpp - The buffers behind a function's tensors --------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MemoryBuffers.h"
#include "InPlace.h"
#include "Views.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nova;

static constexpr int64_t kAfterTheRun = std::numeric_limits<int64_t>::max();

static int64_t elementBytes(Type tensor) {
  return llvm::divideCeil(cast<RankedTensorType>(tensor).getElementTypeBitWidth(), 8);
}
int64_t nova::bytesOf(Type tensor) { return cast<RankedTensorType>(tensor).getNumElements() * elementBytes(tensor); }

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

FunctionBuffers::Place FunctionBuffers::placeOf(Value tensor) {
  Place place = places.lookup(tensor);
  while (place.buffer->parent)
    place = {place.buffer->parent, place.offset + place.buffer->offsetInParent};
  return place;
}

Buffer *FunctionBuffers::make(Value tensor, MemoryRegion region) {
  buffers.push_back(std::make_unique<Buffer>());
  Buffer *buffer = buffers.back().get();
  buffer->number = buffers.size();
  buffer->size = bytesOf(tensor.getType());
  buffer->region = region;
  places[tensor] = {buffer, 0};
  return buffer;
}

void FunctionBuffers::put(Buffer *part, Buffer *whole, int64_t offset) {
  part->parent = whole;
  part->offsetInParent = offset;
  for (auto &[key, at] : part->state)
    whole->state.push_back({key, at + offset});
  if (part->region != MemoryRegion::Arena)
    whole->region = part->region;
}

SmallVector<Buffer *> FunctionBuffers::roots() {
  SmallVector<Buffer *> result;
  for (auto &buffer : buffers)
    if (!buffer->parent)
      result.push_back(buffer.get());
  return result;
}

//===----------------------------------------------------------------------===//
// Collection
//===----------------------------------------------------------------------===//

LogicalResult FunctionBuffers::collect() {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError("expected one block");
  makeArguments();
  if (failed(makeValues()) || failed(donate()))
    return failure();
  findLifetimes();
  if (failed(verifyDonations()))
    return failure();
  reuseOperands();
  return success();
}

void FunctionBuffers::makeArguments() {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto role = function.getArgAttrOfType<StringAttr>(number, "nova.role");
    auto name = function.getArgAttrOfType<StringAttr>(number, "nova.name");
    bool isState = role && name && llvm::is_contained({"parameter", "m", "v"}, role.getValue());
    Buffer *buffer = make(argument, isState ? MemoryRegion::State : MemoryRegion::Io);
    if (isState)
      buffer->state.push_back({{role.str(), name.str()}, 0});
  }
}

LogicalResult FunctionBuffers::makeValues() {
  for (Operation &op : function.getBody().front()) {
    LogicalResult made =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case([&](LaunchOp launch) {
              launches.push_back(launch);
              for (Value result : launch.getOutputs())
                make(result, MemoryRegion::Arena);
              return success();
            })
            .Case([&](ConstantOp constant) { return make(constant, MemoryRegion::Constants), success(); })
            .Case([&](ReadOp read) {
              make(read, MemoryRegion::State)->state.push_back({{"parameter", read.getParameter().str()}, 0});
              return success();
            })
            .Case([](func::ReturnOp) { return success(); })
            .Default([&](Operation *op) -> LogicalResult {
              if (isView(op))
                return makeView(op);
              return op->emitOpError("is no launch, view or constant; run --nova-form-kernels first");
            });
    if (failed(made))
      return failure();
  }
  for (Value result : function.getBody().front().getTerminator()->getOperands())
    if (Buffer *buffer = placeOf(result).buffer; buffer->region == MemoryRegion::Arena)
      buffer->region = MemoryRegion::Io;
  return success();
}

LogicalResult FunctionBuffers::makeView(Operation *op) {
  Value result = op->getResult(0);
  if (Value source = getReshapeSource(op)) {
    places[result] = placeOf(source);
    return success();
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    Place place = placeOf(slice.getX());
    places[result] = {place.buffer, place.offset + *getContiguousStart(slice) * elementBytes(slice.getType())};
    return success();
  }
  auto concat = cast<ConcatOp>(op);
  Buffer *whole = make(result, MemoryRegion::Arena);
  int64_t start = 0;
  for (Value input : concat.getInputs()) {
    Place place = placeOf(input);
    if (place.offset || place.buffer->size != bytesOf(input.getType()) || place.buffer == whole ||
        place.buffer->region == MemoryRegion::Constants)
      return op->emitOpError("cannot place operand ")
             << input << ": it is a constant, or lies in another tensor; --nova-form-kernels copies such operands";
    put(place.buffer, whole, start);
    start += bytesOf(input.getType());
  }
  return success();
}

/// The result that replaces an argument lies where the argument does.
LogicalResult FunctionBuffers::donate() {
  Operation *ret = function.getBody().front().getTerminator();
  for (BlockArgument argument : function.getArguments()) {
    auto donated = function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "nova.donated");
    if (!donated)
      continue;
    Place from = placeOf(argument), to = placeOf(ret->getOperand(donated.getInt()));
    if (from.buffer == to.buffer) {
      if (from.offset != to.offset)
        return function.emitOpError("cannot put result ")
               << donated.getInt() << " where argument " << argument.getArgNumber() << " lies";
      continue;
    }
    int64_t offset = from.offset - to.offset;
    if (offset < 0 || offset + to.buffer->size > from.buffer->size || !to.buffer->state.empty())
      return function.emitOpError("cannot put result ")
             << donated.getInt() << " where argument " << argument.getArgNumber()
             << " lies: the two are packed in different ways";
    to.buffer->region = MemoryRegion::Arena; // it takes the argument's
    put(to.buffer, from.buffer, offset);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Lifetimes
//===----------------------------------------------------------------------===//

void FunctionBuffers::findLifetimes() {
  for (Buffer *buffer : roots())
    buffer->first = kAfterTheRun, buffer->last = -1;
  for (auto [number, launch] : llvm::enumerate(launches))
    for (Value tensor :
         llvm::concat<const Value>(SmallVector<Value>(launch.getInputs()), SmallVector<Value>(launch.getOutputs()))) {
      Buffer *buffer = placeOf(tensor).buffer;
      buffer->first = std::min<int64_t>(buffer->first, number);
      buffer->last = std::max<int64_t>(buffer->last, number);
    }
}

/// A launch that writes over a donated argument must be the last to read it, and able to write in place.
LogicalResult FunctionBuffers::verifyDonations() {
  for (auto [number, launch] : llvm::enumerate(launches))
    for (OpResult output : launch.getOutputs()) {
      Place written = placeOf(output);
      if (written.buffer->region != MemoryRegion::State)
        continue;
      int64_t end = written.offset + bytesOf(output.getType());
      for (LaunchOp reader : ArrayRef(launches).drop_front(number))
        for (OpOperand &operand : reader.getInputsMutable()) {
          Place read = placeOf(operand.get());
          // What the launch itself wrote may be read after it.
          bool overlaps = read.buffer == written.buffer && read.offset < end &&
                          written.offset < read.offset + bytesOf(operand.get().getType());
          if (!overlaps || isDerivedFrom(operand.get(), launch))
            continue;
          if (reader != launch || read.offset != written.offset ||
              !canWriteInPlace(launch, operand.getOperandNumber(), output.getResultNumber()))
            return reader.emitOpError("reads a donated argument that ")
                   << launch.getKernelAttr() << " has written over; donate another argument, or none";
        }
    }
  return success();
}

/// Gives a result the memory of an operand that nobody needs after the launch.
void FunctionBuffers::reuseOperands() {
  for (auto [number, launch] : llvm::enumerate(launches)) {
    for (OpResult output : launch.getOutputs()) {
      Place to = placeOf(output);
      if (to.buffer->region != MemoryRegion::Arena || to.buffer->first != int64_t(number) ||
          to.buffer->size != bytesOf(output.getType()))
        continue;
      for (OpOperand &operand : launch.getInputsMutable()) {
        Place from = placeOf(operand.get());
        if (from.buffer == to.buffer || from.buffer->region != MemoryRegion::Arena ||
            from.buffer->last != int64_t(number) || from.buffer->size != to.buffer->size || from.offset ||
            !canWriteInPlace(launch, operand.getOperandNumber(), output.getResultNumber()))
          continue;
        from.buffer->last = to.buffer->last;
        put(to.buffer, from.buffer, 0);
        break;
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

AddressAttr FunctionBuffers::addressOf(Value tensor) {
  Place place = placeOf(tensor);
  return AddressAttr::get(function.getContext(), place.buffer->region, place.buffer->offset + place.offset);
}

void FunctionBuffers::writeAddresses() {
  for (BlockArgument argument : function.getArguments())
    function.setArgAttr(argument.getArgNumber(), "nova.address", addressOf(argument));
  for (OpOperand &result : function.getBody().front().getTerminator()->getOpOperands())
    function.setResultAttr(result.getOperandNumber(), "nova.address", addressOf(result.get()));
  for (LaunchOp launch : launches) {
    SmallVector<Attribute> addresses;
    for (Value tensor : launch.getInputs())
      addresses.push_back(addressOf(tensor));
    for (Value tensor : launch.getOutputs())
      addresses.push_back(addressOf(tensor));
    launch->setAttr("nova.addresses", ArrayAttr::get(function.getContext(), addresses));
  }
  for (ConstantOp constant : function.getOps<ConstantOp>())
    constant->setAttr("nova.address", addressOf(constant));
}
