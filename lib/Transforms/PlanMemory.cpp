//===- PlanMemory.cpp - --nova-plan-memory: an address for every tensor ---===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InPlace.h"
#include "MemoryBuffers.h"
#include "Nova/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::nova {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

namespace {
/// The addresses that all functions of a module share, and how far each region is filled.
struct ModulePlan {
  int64_t bytes[4] = {};
  std::map<StateKey, int64_t> state;

  int64_t allocate(MemoryRegion region, int64_t size) {
    int64_t offset = llvm::alignTo(bytes[unsigned(region)], kBufferAlignment);
    bytes[unsigned(region)] = offset + size;
    return offset;
  }
};

struct PlanMemoryPass : nova::impl::PlanMemoryPassBase<PlanMemoryPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::vector<std::unique_ptr<FunctionBuffers>> functions;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      functions.push_back(std::make_unique<FunctionBuffers>(function));
      if (failed(functions.back()->collect()))
        return signalPassFailure();
    }
    // Packed state fixes where its members lie; whoever uses them singly follows.
    for (bool packed : {true, false})
      for (auto &function : functions)
        if (failed(placeState(*function, packed)))
          return signalPassFailure();
    for (ParameterOp parameter : module.getOps<ParameterOp>()) {
      StateKey key{"parameter", parameter.getSymName().str()};
      if (!plan.state.count(key)) // no function reads it
        plan.state[key] = plan.allocate(MemoryRegion::State, bytesOf(parameter.getTensorType()));
      parameter->setAttr("nova.address", AddressAttr::get(&getContext(), MemoryRegion::State, plan.state[key]));
    }
    for (auto &function : functions) {
      placeWholeRun(*function);
      placeArena(*function);
      function->writeAddresses();
    }
    module->setAttr("nova.region_bytes", DenseI64ArrayAttr::get(&getContext(), plan.bytes));
  }

  LogicalResult placeState(FunctionBuffers &function, bool packed) {
    for (Buffer *buffer : function.roots()) {
      if (buffer->region != MemoryRegion::State || (buffer->state.size() > 1) != packed)
        continue;
      std::optional<int64_t> base;
      for (auto &[key, offset] : buffer->state)
        if (auto known = plan.state.find(key); known != plan.state.end())
          base = known->second - offset;
      buffer->offset = base ? *base : plan.allocate(MemoryRegion::State, buffer->size);
      for (auto &[key, offset] : buffer->state) {
        auto [known, fresh] = plan.state.try_emplace(key, buffer->offset + offset);
        if (!fresh && known->second != buffer->offset + offset)
          return function.function.emitOpError("packs ")
                 << key.second << " at another place than a function before it does";
      }
    }
    return success();
  }

  /// Inputs, outputs and constants keep their place for the whole run.
  void placeWholeRun(FunctionBuffers &function) {
    for (Buffer *buffer : function.roots())
      if (buffer->region == MemoryRegion::Io || buffer->region == MemoryRegion::Constants)
        buffer->offset = plan.allocate(buffer->region, buffer->size);
  }

  /// The largest buffers first, each at the lowest offset that is free while it lives.
  void placeArena(FunctionBuffers &function) {
    SmallVector<Buffer *> waiting, placed;
    llvm::copy_if(function.roots(), std::back_inserter(waiting),
                  [](Buffer *buffer) { return buffer->region == MemoryRegion::Arena; });
    llvm::sort(waiting, [](Buffer *x, Buffer *y) {
      return std::tie(y->size, x->first, x->number) < std::tie(x->size, y->first, y->number);
    });
    for (Buffer *buffer : waiting) {
      int64_t offset = 0;
      for (Buffer *other : placed) { // by rising offset
        if (other->last < buffer->first || buffer->last < other->first)
          continue;
        if (offset + buffer->size <= other->offset)
          break;
        offset = std::max<int64_t>(offset, llvm::alignTo(other->offset + other->size, kBufferAlignment));
      }
      buffer->offset = offset;
      placed.insert(llvm::upper_bound(placed, buffer, [](Buffer *x, Buffer *y) { return x->offset < y->offset; }),
                    buffer);
      int64_t &arena = plan.bytes[unsigned(MemoryRegion::Arena)];
      arena = std::max(arena, offset + buffer->size);
    }
  }

  ModulePlan plan;
};
} // namespace
