//===- VerifyLevel.cpp - What may remain at a level of the IR -------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyLevel.h"
#include "Nova/Transforms/Passes.h"
#include "Views.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::nova {
#define GEN_PASS_DEF_VERIFYLEVELPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

LogicalResult nova::verifyOneProgram(ModuleOp module) {
  for (auto inner : module.getOps<ModuleOp>())
    if (!inner.getBody()->empty())
      return inner.emitOpError(
          "expected functions, parameters and kernels in a program, found a module, which would stay "
          "as it is; give its ops to the module around it, or run the pass on it alone");
  return success();
}

namespace {
struct VerifyLevelPass : nova::impl::VerifyLevelPassBase<VerifyLevelPass> {
  using VerifyLevelPassBase::VerifyLevelPassBase;
  void runOnOperation() override;

private:
  /// An error on an op that may not remain, and the way out.
  LogicalResult remains(Operation *op, const Twine &wayOut);
  LogicalResult verifyModule();
  LogicalResult verifyProgramOp(Operation *op);
  LogicalResult verifyBetweenLaunches(Operation *op);
  LogicalResult verifyKernel(KernelOp kernel);
  LogicalResult verifyTiledKernel(KernelOp kernel);
  LogicalResult verifyOfBlock(Operation *op);
};
} // namespace

LogicalResult VerifyLevelPass::remains(Operation *op, const Twine &wayOut) {
  StringRef name = level == Level::Program     ? "program"
                   : level == Level::TrainStep ? "train-step"
                   : level == Level::Kernels   ? "kernels"
                   : level == Level::Tiled     ? "tiled"
                                               : "scheduled";
  return op->emitOpError("may not remain at the level ") << name << "; " << wayOut;
}

/// Programs and train steps: ops of the dialect on whole tensors.
LogicalResult VerifyLevelPass::verifyProgramOp(Operation *op) {
  if (isa<KernelOp, LaunchOp>(op))
    return remains(op, "kernels come later, by --nova-form-kernels");
  if (level == Level::TrainStep && isa<ValueAndGradOp>(op))
    return remains(op, "--nova-autodiff replaces it by forward and backward");
  if (auto indexed = dyn_cast<IndexedOp>(op); indexed && !indexed.getTileOrigin().empty())
    return remains(op, "only tiles have an origin, after --nova-tile");
  if (!isa<NovaDialect>(op->getDialect()) && !isa<func::FuncDialect>(op->getDialect()))
    return remains(op, "expected ops of the dialects nova and func");
  return success();
}

LogicalResult VerifyLevelPass::verifyBetweenLaunches(Operation *op) {
  if (isa<LaunchOp, ConstantOp, ReadOp, func::ReturnOp>(op))
    return success();
  if (!isView(op))
    return remains(op, "expected launches and views; --nova-form-kernels puts it into a kernel");
  auto isFlat = [](Type type) { return cast<RankedTensorType>(type).getRank() == 1; };
  if (isa<SliceOp, ConcatOp>(op) && !isFlat(op->getResult(0).getType()))
    return remains(op, "expected slices and concats of rank 1; --nova-form-kernels flattens them");
  return success();
}

LogicalResult VerifyLevelPass::verifyKernel(KernelOp kernel) {
  for (Operation &op : kernel.getBody().front())
    if (!isa<IndexedOp, ConstantOp, ReturnOp>(op))
      return remains(&op, "expected computations in a kernel; --nova-form-kernels puts nothing else there");
  return success();
}

LogicalResult VerifyLevelPass::verifyOfBlock(Operation *op) {
  auto hasLayout = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getEncoding();
  };
  if (level == Level::Tiled && llvm::any_of(op->getResultTypes(), hasLayout))
    return remains(op, "tiles have layouts only after --nova-schedule");
  bool isIndexArithmetic = isa<arith::ArithDialect, affine::AffineDialect>(op->getDialect());
  if (isIndexArithmetic || isa<IndexedOp, tensor::ExtractSliceOp, tensor::SplatOp, tensor::ParallelInsertSliceOp,
                               scf::InParallelOp, ConstantOp>(op))
    return success();
  if (level == Level::Scheduled && (isa<NovaDialect>(op->getDialect()) || isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op)))
    return success();
  return remains(op, "expected slices and computations on tiles; --nova-tile puts nothing else into a block");
}

/// A configuration, and a body of one grid.
LogicalResult VerifyLevelPass::verifyTiledKernel(KernelOp kernel) {
  if (!kernel.getConfig())
    return remains(kernel, "expected a configuration; --nova-select-kernel-config chooses one");
  auto grids = kernel.getBody().getOps<scf::ForallOp>();
  if (!llvm::hasSingleElement(grids))
    return remains(kernel, "expected one scf.forall over blocks; --nova-tile makes it");
  for (Operation &op : kernel.getBody().front())
    if (!isa<scf::ForallOp, tensor::EmptyOp, ConstantOp, ReturnOp>(op) &&
        !isa<arith::ArithDialect, affine::AffineDialect>(op.getDialect()))
      return remains(&op, "expected one scf.forall over blocks; --nova-tile makes it");
  WalkResult walk = (*grids.begin()).getRegion().walk([&](Operation *op) {
    return failed(verifyOfBlock(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult VerifyLevelPass::verifyModule() {
  bool hasKernels = level == Level::Kernels || level == Level::Tiled || level == Level::Scheduled;
  for (Operation &op : *getOperation().getBody()) {
    if (auto kernel = dyn_cast<KernelOp>(op); kernel && hasKernels) {
      if (failed(level == Level::Kernels ? verifyKernel(kernel) : verifyTiledKernel(kernel)))
        return failure();
      continue;
    }
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      for (Operation &inner : function.getOps())
        if (failed(hasKernels ? verifyBetweenLaunches(&inner) : verifyProgramOp(&inner)))
          return failure();
      continue;
    }
    if (!isa<ParameterOp>(op))
      return remains(&op, "expected functions, parameters and, once they are formed, kernels");
  }
  return success();
}

void VerifyLevelPass::runOnOperation() {
  if (failed(verifyOneProgram(getOperation())) || failed(verifyModule()))
    signalPassFailure();
  markAllAnalysesPreserved();
}
