//===- EmitGpu.cpp - --nova-emit-gpu: tiled kernels to GPU functions ------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nova/Conversion/Passes.h"
#include "Nova/Dialect/Schedule.h"
#include "ScheduledEmitter.h"
#include "TileEmitter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::nova {
#define GEN_PASS_DEF_EMITGPUPASS
#include "Nova/Conversion/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

/// The address space of global memory.
static constexpr unsigned kGlobal = 1;

/// What memory arguments share, so that others are read through the read-only cache: the memory plan puts a result
/// where an operand was, but only one of its own type.
static void addMemoryAttributes(KernelOp kernel, LLVM::LLVMFuncOp function) {
  UnitAttr unit = UnitAttr::get(kernel.getContext());
  ArrayRef<Type> operands = kernel.getArgumentTypes(), results = kernel.getResultTypes();
  for (auto [i, type] : llvm::enumerate(operands)) {
    function.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(), unit);
    if (!llvm::is_contained(results, type))
      function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), unit);
  }
  for (auto [i, type] : llvm::enumerate(results))
    if (!llvm::is_contained(operands, type))
      function.setArgAttr(operands.size() + i, LLVM::LLVMDialect::getNoAliasAttrName(), unit);
  function.setArgAttr(operands.size() + results.size(), LLVM::LLVMDialect::getNoAliasAttrName(), unit);
}

/// Blocks of the grid: a product of constants.
static std::optional<int64_t> blocksOf(KernelOp kernel) {
  int64_t blocks = 1;
  for (scf::ForallOp grid : kernel.getBody().getOps<scf::ForallOp>())
    for (auto [lower, upper, step] :
         llvm::zip(grid.getStaticLowerBound(), grid.getStaticUpperBound(), grid.getStaticStep()))
      if (llvm::MulOverflow(blocks, int64_t(llvm::divideCeil(upper - lower, step)), blocks))
        return std::nullopt;
  return blocks;
}

/// k(ptr... operands, ptr... results, ptr status): one block of the grid, numbered by blockIdx.x.
static LogicalResult emitKernel(KernelOp kernel, gpu::GPUModuleOp code) {
  MLIRContext *context = kernel.getContext();
  Location loc = kernel.getLoc();
  std::optional<int64_t> blocks = blocksOf(kernel);
  if (!blocks || *blocks > std::numeric_limits<int32_t>::max())
    return kernel.emitOpError("has more blocks than a grid can have, 2147483647; a larger tile in its "
                              "#nova.kernel_config makes fewer");
  OpBuilder builder = OpBuilder::atBlockEnd(code.getBody());
  unsigned tensors = kernel.getNumArguments() + kernel.getResultTypes().size();
  SmallVector<Type> types(tensors + 1, LLVM::LLVMPointerType::get(context, kGlobal));
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types);
  auto function = LLVM::LLVMFuncOp::create(builder, loc, kernel.getName(), type);
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  int32_t threads = kernel.getConfigAttr().getThreads();
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), builder.getDenseI32ArrayAttr({threads}));
  // Said aloud: else NVIDIA's assembler wishes for more blocks on a multiprocessor, and spills registers to get them.
  function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), builder.getI32IntegerAttr(1));
  addMemoryAttributes(kernel, function);

  Block *body = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(body);
  TileEmitter::Entry entry;
  llvm::append_range(entry.pointers, body->getArguments().drop_back());
  entry.status = body->getArguments().back();
  Value number = NVVM::BlockIdXOp::create(builder, loc, builder.getI32Type());
  entry.block = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), number);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  builder.setInsertionPoint(body->getTerminator());

  if (isScheduled(kernel))
    return ScheduledEmitter(builder, kernel, entry).emit();
  TileEmitter emitter(builder, kernel, Device::Gpu, entry);
  if (failed(emitBlock(emitter)))
    return failure();
  if (emitter.scratchBytes() > TileEmitter::kSharedBytes)
    return kernel.emitOpError("needs ")
           << emitter.scratchBytes() << " bytes of shared memory, but a block has " << TileEmitter::kSharedBytes
           << "; a smaller tile in its #nova.kernel_config, or the family generic, needs less";
  return success();
}

namespace {
struct EmitGpuPass : nova::impl::EmitGpuPassBase<EmitGpuPass> {
  void runOnOperation() override {
    for (Operation &op : *getOperation().getBody())
      if (isa<ModuleOp, gpu::GPUModuleOp>(op)) {
        op.emitOpError("expected functions, parameters and kernels in a program, found a module, such as the code that "
                       "kernels have once they are emitted; kernels are emitted once");
        return signalPassFailure();
      }
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    auto code = gpu::GPUModuleOp::create(builder, getOperation().getLoc(), "kernels");
    for (KernelOp kernel : getOperation().getOps<KernelOp>()) {
      if (!kernel.getConfig() || !llvm::hasSingleElement(kernel.getBody().getOps<scf::ForallOp>())) {
        kernel.emitOpError("is not tiled; run --nova-select-kernel-config and --nova-tile first");
        return signalPassFailure();
      }
      if (!kernel.getConfigAttr().getThreads()) {
        kernel.emitOpError("is configured for a CPU: expected threads in its #nova.kernel_config, found none; "
                           "run --nova-select-kernel-config with a GPU as target");
        return signalPassFailure();
      }
      if (failed(emitKernel(kernel, code)))
        return signalPassFailure();
    }
  }
};
} // namespace
