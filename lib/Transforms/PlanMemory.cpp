//===- PlanMemory.cpp - An address for every tensor -----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InPlace.h"
#include "MemoryTensors.h"
#include "Nova/Transforms/Passes.h"
#include "VerifyLevel.h"
#include "mlir/IR/Remarks.h"

namespace mlir::nova {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

namespace {
class MemoryPlanner {
public:
  explicit MemoryPlanner(ModuleOp module) : module(module), tensors(module) {}
  LogicalResult plan();

private:
  void findRegions();
  void setRegion(unsigned tensor, MemoryRegion region);
  void findLifetimes(Entry &entry);
  void shareMemory(Entry &entry);
  bool canShare(Entry &entry, size_t time, unsigned result, Value operand);

  void placeState();
  void placeConstants();
  void placeIo(Entry &entry);
  void placeArena(Entry &entry);
  void placeSet(unsigned tensor, MemoryRegion region, int64_t &end);
  void annotate(Entry &entry);
  AddressAttr addressOf(unsigned tensor);

  ModuleOp module;
  MemoryTensors tensors;
  // Tensors are placed set by set.
  DenseMap<unsigned, MemoryRegion> regions;
  DenseMap<unsigned, std::pair<int64_t, int64_t>> lifetimes;
  DenseMap<unsigned, int64_t> offsets;
  int64_t regionBytes[4] = {};
};
} // namespace

//===----------------------------------------------------------------------===//
// Regions and lifetimes
//===----------------------------------------------------------------------===//

void MemoryPlanner::setRegion(unsigned tensor, MemoryRegion region) {
  regions.try_emplace(tensors.ties.getSet(tensor), region);
}

/// Tensors that lie together lie in one region: the state before all others.
void MemoryPlanner::findRegions() {
  for (auto &[key, tensor] : tensors.state)
    setRegion(tensor, MemoryRegion::State);
  for (auto &[value, tensor] : tensors.constants)
    setRegion(tensor, MemoryRegion::Constants);
  for (Entry &entry : tensors.entries) {
    for (Value argument : entry.function.getArguments())
      setRegion(tensors.lookup(argument), MemoryRegion::Io);
    for (Value result : entry.getReturn()->getOperands())
      setRegion(tensors.lookup(result), MemoryRegion::Io);
  }
  for (unsigned tensor = 0; tensor < tensors.ties.size(); ++tensor)
    setRegion(tensor, MemoryRegion::Arena);
}

void MemoryPlanner::findLifetimes(Entry &entry) {
  for (auto [time, launch] : llvm::enumerate(entry.launches)) {
    auto touch = [&, time = int64_t(time)](Value value) {
      auto [found, isNew] = lifetimes.try_emplace(tensors.getSet(value), time, time);
      found->second.second = time;
    };
    llvm::for_each(launch.getOperands(), touch);
    llvm::for_each(launch.getResults(), touch);
  }
}

/// Whether a result of a launch can be written over an operand, all of a set in the arena that nothing needs later. The
/// result itself may be part of a larger set.
bool MemoryPlanner::canShare(Entry &entry, size_t time, unsigned result, Value operand) {
  LaunchOp launch = entry.launches[time];
  unsigned from = tensors.getSet(operand), to = tensors.getSet(launch.getResult(result));
  int64_t bytes = bytesOf(launch.getResult(result).getType());
  if (from == to || regions[from] != MemoryRegion::Arena || regions[to] != MemoryRegion::Arena ||
      tensors.ties.getSetBytes(from) != bytes || bytesOf(operand.getType()) != bytes ||
      lifetimes[from].second != int64_t(time))
    return false;
  return llvm::all_of(llvm::enumerate(launch.getOperands()), [&](auto other) {
    return tensors.getSet(other.value()) != from || canWriteOver(entry.kernels[time], other.index(), result);
  });
}

void MemoryPlanner::shareMemory(Entry &entry) {
  for (auto [time, launch] : llvm::enumerate(entry.launches)) {
    SmallVector<unsigned> taken; // One result may be written over an operand.
    for (auto [number, result] : llvm::enumerate(launch.getResults())) {
      for (Value operand : launch.getOperands()) {
        unsigned from = tensors.getSet(operand), to = tensors.getSet(result);
        if (llvm::is_contained(taken, from) || !canShare(entry, time, number, operand))
          continue;
        std::pair<int64_t, int64_t> lifetime = {std::min(lifetimes[from].first, lifetimes[to].first),
                                                lifetimes[to].second};
        tensors.ties.tie(tensors.lookup(operand), tensors.lookup(result), 0);
        unsigned both = tensors.ties.getSet(to);
        regions[both] = MemoryRegion::Arena;
        lifetimes[both] = lifetime;
        taken.push_back(both);
        break;
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Puts the set of a tensor at the end of a region, if it belongs there and has no place yet.
void MemoryPlanner::placeSet(unsigned tensor, MemoryRegion region, int64_t &end) {
  unsigned set = tensors.ties.getSet(tensor);
  if (regions[set] != region || !offsets.try_emplace(set, end).second)
    return;
  end = llvm::alignTo(end + tensors.ties.getSetBytes(tensor), kBlockAlignment);
}

/// Parameters, then first and second moments: those of one class lie together already.
void MemoryPlanner::placeState() {
  for (StringRef role : {"parameter", "m", "v", "accumulator", "narrow"})
    for (auto &[key, tensor] : tensors.state)
      if (key.first == role)
        placeSet(tensor, MemoryRegion::State, regionBytes[unsigned(MemoryRegion::State)]);
}

void MemoryPlanner::placeConstants() {
  for (auto &[value, tensor] : tensors.constants)
    placeSet(tensor, MemoryRegion::Constants, regionBytes[unsigned(MemoryRegion::Constants)]);
}

/// Entries don't run at the same time: each begins at the start.
void MemoryPlanner::placeIo(Entry &entry) {
  int64_t end = 0;
  for (Value argument : entry.function.getArguments())
    placeSet(tensors.lookup(argument), MemoryRegion::Io, end);
  for (Value result : entry.getReturn()->getOperands())
    placeSet(tensors.lookup(result), MemoryRegion::Io, end);
  int64_t &bytes = regionBytes[unsigned(MemoryRegion::Io)];
  bytes = std::max(bytes, end);
}

void MemoryPlanner::placeArena(Entry &entry) {
  llvm::MapVector<unsigned, unsigned> blockOf;
  SmallVector<MemoryBlock> blocks;
  DenseSet<std::pair<unsigned, int64_t>> spans; // Where they begin in which set.
  for (auto [time, launch] : llvm::enumerate(entry.launches)) {
    for (Value result : launch.getResults()) {
      unsigned set = tensors.getSet(result);
      if (regions[set] != MemoryRegion::Arena)
        continue;
      auto [found, isNew] = blockOf.insert({set, unsigned(blocks.size())});
      if (isNew)
        blocks.push_back({tensors.ties.getSetBytes(set), {}});
      // A result needs its part of the set from now on; one that shares it with an earlier result adds nothing.
      MemoryBlock &block = blocks[found->second];
      int64_t begin = tensors.ties.getOffset(tensors.lookup(result));
      if (spans.insert({set, begin}).second)
        block.spans.push_back({begin, begin + bytesOf(result.getType()), int64_t(time), lifetimes[set].second});
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
  unsigned set = tensors.ties.getSet(tensor);
  return AddressAttr::get(module.getContext(), regions[set], offsets[set] + tensors.ties.getOffset(tensor));
}

void MemoryPlanner::annotate(Entry &entry) {
  func::FuncOp function = entry.function;
  auto addressOfValue = [&](Value value) -> Attribute { return addressOf(tensors.lookup(value)); };
  auto withAddress = [&](DictionaryAttr attributes, Value value) {
    NamedAttrList list(attributes);
    list.set("nova.address", addressOfValue(value));
    return list.getDictionary(module.getContext());
  };
  // All at once: a list of attributes is made anew, and kept, for every change.
  SmallVector<DictionaryAttr> arguments, results;
  for (BlockArgument argument : function.getArguments())
    arguments.push_back(withAddress(function.getArgAttrDict(argument.getArgNumber()), argument));
  for (OpOperand &result : entry.getReturn()->getOpOperands())
    results.push_back(withAddress(function.getResultAttrDict(result.getOperandNumber()), result.get()));
  function.setAllArgAttrs(arguments);
  function.setAllResultAttrs(results);
  for (auto constant : function.getBody().front().getOps<ConstantOp>())
    constant->setAttr("nova.address", addressOfValue(constant));
  for (LaunchOp launch : entry.launches) {
    SmallVector<Attribute> addresses = llvm::map_to_vector(launch.getOperands(), addressOfValue);
    llvm::append_range(addresses, llvm::map_range(launch.getResults(), addressOfValue));
    launch->setAttr("nova.addresses", ArrayAttr::get(module.getContext(), addresses));
  }
}

LogicalResult MemoryPlanner::plan() {
  if (failed(tensors.collect()))
    return failure();
  findRegions();
  for (Entry &entry : tensors.entries) {
    findLifetimes(entry);
    shareMemory(entry);
    if (failed(tensors.verify(entry)))
      return failure();
  }
  placeState();
  placeConstants();
  for (Entry &entry : tensors.entries) {
    placeIo(entry);
    placeArena(entry);
    annotate(entry);
  }
  for (auto parameter : module.getOps<ParameterOp>())
    parameter->setAttr("nova.address", addressOf(tensors.state.lookup({"parameter", parameter.getSymNameAttr()})));
  module->setAttr("nova.region_bytes", DenseI64ArrayAttr::get(module.getContext(), regionBytes));
  return success();
}

namespace {
struct PlanMemoryPass : nova::impl::PlanMemoryPassBase<PlanMemoryPass> {
  void runOnOperation() override {
    if (failed(verifyOneProgram(getOperation())) || failed(MemoryPlanner(getOperation()).plan()))
      signalPassFailure();
  }
};
} // namespace
