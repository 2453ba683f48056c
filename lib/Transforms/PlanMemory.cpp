//===- PlanMemory.cpp - An address for every tensor -----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InPlace.h"
#include "MemoryLayout.h"
#include "Nova/Transforms/Passes.h"
#include "Views.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nova {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

static constexpr unsigned kRegionCount = 4;

static int64_t elementBytes(RankedTensorType type) {
  return llvm::divideCeil(type.getElementTypeBitWidth(), 8); // i1 takes a byte.
}
static int64_t bytesOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() * elementBytes(tensor);
}

namespace {
/// A tensor of the state, the same one for all functions of the module.
using StateKey = std::pair<StringRef, StringAttr>; // Role and name.

/// The launches of an entry: their numbers are its time.
struct Entry {
  func::FuncOp function;
  SmallVector<LaunchOp> launches;
  SmallVector<KernelOp> kernels;

  Operation *getReturn() { return function.getBody().front().getTerminator(); }
};

/// Part of a tensor, as it was written by one launch, or by none: arguments and constants.
struct Part {
  Value source;
  int64_t begin, end; // Bytes in the set of the source.
};

class MemoryPlanner {
public:
  explicit MemoryPlanner(ModuleOp module) : module(module) {}
  LogicalResult plan();

private:
  LogicalResult addEntry(func::FuncOp function);
  LogicalResult addTensors(Entry &entry);
  LogicalResult addView(Operation *view);
  LogicalResult tieDonated(Entry &entry);
  unsigned stateTensor(StringRef role, StringAttr name, Type type);

  void findRegions();
  void setRegion(unsigned tensor, MemoryRegion region);
  void findLifetimes(Entry &entry);
  void shareMemory(Entry &entry);
  bool canShare(Entry &entry, size_t time, unsigned result, Value operand);

  void collectParts(Value value, int64_t from, int64_t bytes, SmallVectorImpl<Part> &parts);
  LogicalResult verify(Entry &entry);
  LogicalResult verifyRead(Entry &entry, size_t time, Value operand, ArrayRef<OpResult> writes);

  void placeState();
  void placeConstants();
  void placeIo(Entry &entry);
  void placeArena(Entry &entry);
  void placeSet(unsigned tensor, MemoryRegion region, int64_t &end);
  void annotate(Entry &entry);
  AddressAttr addressOf(unsigned tensor);

  ModuleOp module;
  TiedTensors tensors;
  SmallVector<Entry, 0> entries;
  DenseMap<Value, unsigned> tensorOf;
  llvm::MapVector<StateKey, unsigned> state;
  llvm::MapVector<Attribute, unsigned> constants; // Equal constants are one.
  // By set, once all ties but those for shared memory are made.
  DenseMap<unsigned, MemoryRegion> regions;
  DenseMap<unsigned, std::pair<int64_t, int64_t>> lifetimes;
  DenseMap<unsigned, int64_t> offsets;
  int64_t regionBytes[kRegionCount] = {};
};
} // namespace

//===----------------------------------------------------------------------===//
// Tensors and what ties them
//===----------------------------------------------------------------------===//

static bool isStateRole(StringRef role) { return role == "parameter" || role == "m" || role == "v"; }

unsigned MemoryPlanner::stateTensor(StringRef role, StringAttr name, Type type) {
  auto [found, isNew] = state.try_emplace({role, name}, 0);
  if (isNew)
    found->second = tensors.add(bytesOf(type));
  return found->second;
}

LogicalResult MemoryPlanner::addEntry(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expected a function without branches");
  Entry entry{function, {}, {}};
  for (auto launch : function.getBody().front().getOps<LaunchOp>()) {
    auto kernel = module.lookupSymbol<KernelOp>(launch.getKernel());
    if (kernel.getBody().getOps<scf::ForallOp>().empty())
      return kernel.emitOpError("is not tiled; run --nova-tile first");
    entry.launches.push_back(launch);
    entry.kernels.push_back(kernel);
  }
  if (failed(addTensors(entry)) || failed(tieDonated(entry)))
    return failure();
  entries.push_back(std::move(entry));
  return success();
}

LogicalResult MemoryPlanner::addTensors(Entry &entry) {
  func::FuncOp function = entry.function;
  for (BlockArgument argument : function.getArguments()) {
    auto role = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "nova.role");
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "nova.name");
    bool isState = role && isStateRole(role);
    if (isState && !name)
      return function.emitOpError("expected argument ")
             << argument.getArgNumber() << " of the state to have a nova.name";
    if (!isState) {
      tensorOf[argument] = tensors.add(bytesOf(argument.getType()));
      continue;
    }
    unsigned tensor = tensorOf[argument] = stateTensor(role.getValue(), name, argument.getType());
    if (tensors.getBytes(tensor) != bytesOf(argument.getType()))
      return function.emitOpError("expected argument ")
             << argument.getArgNumber() << " to have the " << tensors.getBytes(tensor) << " bytes of the " << role
             << " " << name << " elsewhere, found " << bytesOf(argument.getType());
  }
  for (Operation &op : function.getBody().front().without_terminator()) {
    LogicalResult added = TypeSwitch<Operation *, LogicalResult>(&op)
                              .Case([&](ReadOp read) {
                                tensorOf[read] =
                                    stateTensor("parameter", read.getParameterAttr().getAttr(), read.getType());
                                return success();
                              })
                              .Case([&](ConstantOp constant) {
                                auto [found, isNew] = constants.try_emplace(constant.getValue(), 0);
                                if (isNew)
                                  found->second = tensors.add(bytesOf(constant.getType()));
                                tensorOf[constant] = found->second;
                                return success();
                              })
                              .Case([&](LaunchOp launch) {
                                for (Value result : launch.getResults())
                                  tensorOf[result] = tensors.add(bytesOf(result.getType()));
                                return success();
                              })
                              .Default([&](Operation *other) { return addView(other); });
    if (failed(added))
      return failure();
  }
  return success();
}

LogicalResult MemoryPlanner::addView(Operation *view) {
  if (!isView(view))
    return view->emitOpError("has no place between launches; run --nova-form-kernels first");
  Value result = view->getResult(0);
  unsigned tensor = tensorOf[result] = tensors.add(bytesOf(result.getType()));
  if (auto concat = dyn_cast<ConcatOp>(view)) {
    int64_t begin = 0;
    for (auto [number, input] : llvm::enumerate(concat.getInputs())) {
      if (!tensors.tie(tensor, tensorOf[input], begin))
        return concat.emitOpError("cannot lie where its operand ")
               << number << " lies: the operand has a place already; run --nova-form-kernels, which copies it";
      begin += bytesOf(input.getType());
    }
    return success();
  }
  int64_t begin = 0;
  if (auto slice = dyn_cast<SliceOp>(view))
    begin = *getContiguousStart(slice) * elementBytes(slice.getType());
  tensors.tie(tensorOf[view->getOperand(0)], tensor, begin);
  return success();
}

/// A result that replaces an argument lies where the argument lies.
LogicalResult MemoryPlanner::tieDonated(Entry &entry) {
  for (BlockArgument argument : entry.function.getArguments()) {
    auto donated = entry.function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "nova.donated");
    if (donated && !tensors.tie(tensorOf[argument], tensorOf[entry.getReturn()->getOperand(donated.getInt())], 0))
      return entry.function.emitOpError("result ")
             << donated.getInt() << " cannot lie where argument " << argument.getArgNumber()
             << " lies, which it replaces; run --nova-form-kernels, which copies it";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Regions and lifetimes
//===----------------------------------------------------------------------===//

void MemoryPlanner::setRegion(unsigned tensor, MemoryRegion region) {
  regions.try_emplace(tensors.getSet(tensor), region);
}

/// Tensors that lie together lie in one region: the state before all others.
void MemoryPlanner::findRegions() {
  for (auto &[key, tensor] : state)
    setRegion(tensor, MemoryRegion::State);
  for (auto &[value, tensor] : constants)
    setRegion(tensor, MemoryRegion::Constants);
  for (Entry &entry : entries) {
    for (Value argument : entry.function.getArguments())
      setRegion(tensorOf[argument], MemoryRegion::Io);
    for (Value result : entry.getReturn()->getOperands())
      setRegion(tensorOf[result], MemoryRegion::Io);
  }
  for (unsigned tensor = 0; tensor < tensors.size(); ++tensor)
    setRegion(tensor, MemoryRegion::Arena);
}

void MemoryPlanner::findLifetimes(Entry &entry) {
  for (auto [time, launch] : llvm::enumerate(entry.launches)) {
    auto touch = [&, time = int64_t(time)](Value value) {
      auto [found, isNew] = lifetimes.try_emplace(tensors.getSet(tensorOf[value]), time, time);
      found->second.second = time;
    };
    llvm::for_each(launch.getOperands(), touch);
    llvm::for_each(launch.getResults(), touch);
  }
}

/// Whether a result of a launch can be written over an operand: both have sets of their own size in the arena, and
/// nothing needs the operand's later.
bool MemoryPlanner::canShare(Entry &entry, size_t time, unsigned result, Value operand) {
  LaunchOp launch = entry.launches[time];
  unsigned from = tensors.getSet(tensorOf[operand]), to = tensors.getSet(tensorOf[launch.getResult(result)]);
  int64_t bytes = bytesOf(launch.getResult(result).getType());
  if (from == to || regions[from] != MemoryRegion::Arena || regions[to] != MemoryRegion::Arena ||
      tensors.getSetBytes(from) != bytes || tensors.getSetBytes(to) != bytes || bytesOf(operand.getType()) != bytes ||
      lifetimes[from].second != int64_t(time) || lifetimes[to].first != int64_t(time))
    return false;
  return llvm::all_of(llvm::enumerate(launch.getOperands()), [&](auto other) {
    return tensors.getSet(tensorOf[other.value()]) != from || canWriteOver(entry.kernels[time], other.index(), result);
  });
}

void MemoryPlanner::shareMemory(Entry &entry) {
  for (auto [time, launch] : llvm::enumerate(entry.launches)) {
    SmallVector<unsigned> taken; // One result may be written over an operand.
    for (auto [number, result] : llvm::enumerate(launch.getResults())) {
      for (Value operand : launch.getOperands()) {
        unsigned from = tensors.getSet(tensorOf[operand]), to = tensors.getSet(tensorOf[result]);
        if (llvm::is_contained(taken, from) || !canShare(entry, time, number, operand))
          continue;
        std::pair<int64_t, int64_t> lifetime = {lifetimes[from].first, lifetimes[to].second};
        tensors.tie(from, to, 0);
        unsigned both = tensors.getSet(to);
        regions[both] = MemoryRegion::Arena;
        lifetimes[both] = lifetime;
        taken.push_back(both);
        break;
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Verification: no launch writes over what a later one reads
//===----------------------------------------------------------------------===//

/// The parts, each of one writer, that make up some bytes of a value.
void MemoryPlanner::collectParts(Value value, int64_t from, int64_t bytes, SmallVectorImpl<Part> &parts) {
  Operation *op = value.getDefiningOp();
  if (!op || !isView(op)) {
    int64_t begin = tensors.getOffset(tensorOf[value]) + from;
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

/// Of what `operand` holds at a time, nothing may have been written over since its part was written.
LogicalResult MemoryPlanner::verifyRead(Entry &entry, size_t time, Value operand, ArrayRef<OpResult> writes) {
  SmallVector<Part> parts;
  collectParts(operand, 0, bytesOf(operand.getType()), parts);
  for (const Part &part : parts) {
    unsigned set = tensors.getSet(tensorOf[part.source]);
    auto *after = llvm::find(writes, part.source); // No write: from the start on.
    for (OpResult write : llvm::drop_begin(writes, after == writes.end() ? 0 : after - writes.begin() + 1)) {
      int64_t begin = tensors.getOffset(tensorOf[write]);
      if (write == part.source || tensors.getSet(tensorOf[write]) != set || begin >= part.end ||
          begin + bytesOf(write.getType()) <= part.begin)
        continue;
      bool isNow = time < entry.launches.size() && write.getOwner() == entry.launches[time];
      bool inPlace = isNow && begin == tensors.getOffset(tensorOf[operand]) &&
                     llvm::all_of(llvm::enumerate(entry.launches[time].getOperands()), [&](auto other) {
                       return other.value() != operand ||
                              canWriteOver(entry.kernels[time], other.index(), write.getResultNumber());
                     });
      if (!inPlace)
        return write.getOwner()->emitOpError("writes over a tensor that ")
               << (isNow ? "it" : "a later launch") << " reads; run --nova-form-kernels, which copies what must stay";
    }
  }
  return success();
}

LogicalResult MemoryPlanner::verify(Entry &entry) {
  SmallVector<OpResult> writes;
  for (auto [time, launch] : llvm::enumerate(entry.launches)) {
    llvm::append_range(writes, launch->getResults());
    for (Value operand : launch.getOperands())
      if (failed(verifyRead(entry, time, operand, writes)))
        return failure();
  }
  for (Value result : entry.getReturn()->getOperands())
    if (failed(verifyRead(entry, entry.launches.size(), result, writes)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Puts the set of a tensor at the end of a region, if it belongs there and has no place yet.
void MemoryPlanner::placeSet(unsigned tensor, MemoryRegion region, int64_t &end) {
  unsigned set = tensors.getSet(tensor);
  if (regions[set] != region || !offsets.try_emplace(set, end).second)
    return;
  end = llvm::alignTo(end + tensors.getSetBytes(tensor), kBlockAlignment);
}

/// Parameters, then first and second moments: those of one class lie together already.
void MemoryPlanner::placeState() {
  for (StringRef role : {"parameter", "m", "v"})
    for (auto &[key, tensor] : state)
      if (key.first == role)
        placeSet(tensor, MemoryRegion::State, regionBytes[unsigned(MemoryRegion::State)]);
}

void MemoryPlanner::placeConstants() {
  for (auto &[value, tensor] : constants)
    placeSet(tensor, MemoryRegion::Constants, regionBytes[unsigned(MemoryRegion::Constants)]);
}

/// Entries don't run at the same time: each begins at the start.
void MemoryPlanner::placeIo(Entry &entry) {
  int64_t end = 0;
  for (Value argument : entry.function.getArguments())
    placeSet(tensorOf[argument], MemoryRegion::Io, end);
  for (Value result : entry.getReturn()->getOperands())
    placeSet(tensorOf[result], MemoryRegion::Io, end);
  int64_t &bytes = regionBytes[unsigned(MemoryRegion::Io)];
  bytes = std::max(bytes, end);
}

void MemoryPlanner::placeArena(Entry &entry) {
  llvm::MapVector<unsigned, unsigned> blockOf;
  SmallVector<MemoryBlock> blocks;
  for (LaunchOp launch : entry.launches) {
    for (Value result : launch.getResults()) {
      unsigned set = tensors.getSet(tensorOf[result]);
      if (regions[set] != MemoryRegion::Arena || !blockOf.insert({set, unsigned(blocks.size())}).second)
        continue;
      blocks.push_back({tensors.getSetBytes(set), lifetimes[set].first, lifetimes[set].second});
    }
  }
  int64_t total = assignOffsets(blocks);
  for (auto [set, block] : blockOf)
    offsets[set] = blocks[block].offset;
  int64_t &bytes = regionBytes[unsigned(MemoryRegion::Arena)];
  bytes = std::max(bytes, total);
  remark::analysis(entry.function.getLoc(), remark::RemarkOpts::name("arena").category("nova-plan-memory"))
      << remark::add("the arena of @{0} has {1} bytes, of which {2} are needed at once", entry.function.getName(),
                     total, countLiveBytes(blocks));
}

AddressAttr MemoryPlanner::addressOf(unsigned tensor) {
  unsigned set = tensors.getSet(tensor);
  return AddressAttr::get(module.getContext(), regions[set], offsets[set] + tensors.getOffset(tensor));
}

void MemoryPlanner::annotate(Entry &entry) {
  func::FuncOp function = entry.function;
  auto addressOfValue = [&](Value value) -> Attribute { return addressOf(tensorOf[value]); };
  for (BlockArgument argument : function.getArguments())
    function.setArgAttr(argument.getArgNumber(), "nova.address", addressOfValue(argument));
  for (OpOperand &result : entry.getReturn()->getOpOperands())
    function.setResultAttr(result.getOperandNumber(), "nova.address", addressOfValue(result.get()));
  for (auto constant : function.getBody().front().getOps<ConstantOp>())
    constant->setAttr("nova.address", addressOfValue(constant));
  for (LaunchOp launch : entry.launches) {
    SmallVector<Attribute> addresses = llvm::map_to_vector(launch.getOperands(), addressOfValue);
    llvm::append_range(addresses, llvm::map_range(launch.getResults(), addressOfValue));
    launch->setAttr("nova.addresses", ArrayAttr::get(module.getContext(), addresses));
  }
}

LogicalResult MemoryPlanner::plan() {
  for (auto parameter : module.getOps<ParameterOp>())
    stateTensor("parameter", parameter.getSymNameAttr(), parameter.getTensorType());
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isDeclaration() && failed(addEntry(function)))
      return failure();
  findRegions();
  for (Entry &entry : entries) {
    findLifetimes(entry);
    shareMemory(entry);
    if (failed(verify(entry)))
      return failure();
  }
  placeState();
  placeConstants();
  for (Entry &entry : entries) {
    placeIo(entry);
    placeArena(entry);
    annotate(entry);
  }
  for (auto parameter : module.getOps<ParameterOp>())
    parameter->setAttr("nova.address", addressOf(state.lookup({"parameter", parameter.getSymNameAttr()})));
  module->setAttr("nova.region_bytes", DenseI64ArrayAttr::get(module.getContext(), regionBytes));
  return success();
}

namespace {
struct PlanMemoryPass : nova::impl::PlanMemoryPassBase<PlanMemoryPass> {
  void runOnOperation() override {
    if (failed(MemoryPlanner(getOperation()).plan()))
      signalPassFailure();
  }
};
} // namespace
