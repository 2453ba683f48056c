//===- Schedule.cpp - --nova-schedule: the inside of a GPU's blocks -------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nova/Transforms/Passes.h"
#include "ScheduleStrategy.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::nova {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

static const ScheduleStrategy *const kStrategies[] = {&kTensorCores};

const ScheduleStrategy *nova::lookupStrategy(StringRef name) {
  for (const ScheduleStrategy *strategy : kStrategies)
    if (strategy->name == name)
      return strategy;
  return nullptr;
}

std::string nova::strategyNames() {
  return llvm::join(llvm::map_range(kStrategies, [](const ScheduleStrategy *s) { return s->name; }), ", ");
}

LogicalResult nova::verifyStrategy(KernelOp kernel, int64_t sharedBytes) {
  StringRef name = kernel.getConfigAttr().getStrategy();
  if (name.empty())
    return success();
  const ScheduleStrategy *strategy = lookupStrategy(name);
  if (!strategy)
    return kernel.emitOpError("unknown strategy ") << name << "; expected one of " << strategyNames();
  if (!strategy->applies(kernel))
    return kernel.emitOpError("is none for the strategy ")
           << name << "; leave it out of the #nova.kernel_config, and the family's emitter takes the kernel";
  return strategy->verify(kernel, sharedBytes);
}

namespace {
struct SchedulePass : nova::impl::SchedulePassBase<SchedulePass> {
  void runOnOperation() override {
    if (failed(schedule(getOperation())))
      signalPassFailure();
  }

  static LogicalResult schedule(KernelOp kernel) {
    KernelConfigAttr config = kernel.getConfigAttr();
    if (!config || config.getStrategy().empty() || isScheduled(kernel))
      return success();
    auto grids = kernel.getBody().getOps<scf::ForallOp>();
    if (!llvm::hasSingleElement(grids))
      return kernel.emitOpError("is not tiled; run --nova-tile first");
    if (failed(verifyStrategy(kernel, kMostSharedBytes)) ||
        failed(lookupStrategy(config.getStrategy())->build(kernel, *grids.begin())))
      return failure();
    IRRewriter rewriter(kernel);
    (void)runRegionDCE(rewriter, kernel->getRegions());
    return success();
  }
};
} // namespace
