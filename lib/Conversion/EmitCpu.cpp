//===- EmitCpu.cpp - --nova-emit-cpu: tiled kernels to loops over vectors -===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nova/Conversion/Passes.h"
#include "TileEmitter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::nova {
#define GEN_PASS_DEF_EMITCPUPASS
#include "Nova/Conversion/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

namespace {
/// void k(ptr args, ptr scratch, ptr status, i64 first, i64 last): the blocks first to last.
LogicalResult emitKernel(KernelOp kernel, ModuleOp code) {
  OpBuilder builder = OpBuilder::atBlockEnd(code.getBody());
  Location loc = kernel.getLoc();
  Type i64 = builder.getI64Type(), pointer = LLVM::LLVMPointerType::get(kernel.getContext());
  auto type = builder.getFunctionType({pointer, pointer, pointer, i64, i64}, {});
  auto function = func::FuncOp::create(builder, loc, kernel.getName(), type);
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);

  TileEmitter::Entry entry;
  entry.scratch = body->getArgument(1);
  entry.status = body->getArgument(2);
  unsigned count = kernel.getNumArguments() + kernel.getReturned().size();
  for (unsigned i = 0; i < count; ++i) {
    Value slot =
        LLVM::GEPOp::create(builder, loc, pointer, pointer, body->getArgument(0), ArrayRef<LLVM::GEPArg>{int32_t(i)});
    entry.pointers.push_back(LLVM::LoadOp::create(builder, loc, pointer, slot));
  }
  auto toIndex = [&](Value v) -> Value { return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), v); };
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto blocks = scf::ForOp::create(builder, loc, toIndex(body->getArgument(3)), toIndex(body->getArgument(4)), one);
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(blocks.getBody());
  entry.block = blocks.getInductionVar();

  TileEmitter emitter(builder, kernel, Device::Cpu, entry);
  if (failed(emitBlock(emitter)))
    return failure();
  function->setAttr("nova.scratch_bytes", builder.getI64IntegerAttr(emitter.scratchBytes()));
  return success();
}

struct EmitCpuPass : nova::impl::EmitCpuPassBase<EmitCpuPass> {
  void runOnOperation() override {
    for (Operation &op : *getOperation().getBody())
      if (isa<ModuleOp>(op)) {
        op.emitOpError("expected functions, parameters and kernels in a program, found a module, such as the code that "
                       "kernels have once they are emitted; kernels are emitted once");
        return signalPassFailure();
      }
    // In a module of its own: the passes to LLVM convert all that they are run on, and what launches the kernels stays
    // as it is.
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    auto code = ModuleOp::create(builder, getOperation().getLoc(), StringRef("kernels"));
    for (KernelOp kernel : getOperation().getOps<KernelOp>()) {
      if (!kernel.getConfig() || !llvm::hasSingleElement(kernel.getBody().getOps<scf::ForallOp>())) {
        kernel.emitOpError("is not tiled; run --nova-select-kernel-config and --nova-tile first");
        return signalPassFailure();
      }
      if (failed(emitKernel(kernel, code)))
        return signalPassFailure();
    }
  }
};
} // namespace
