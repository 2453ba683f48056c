//===- BundleImages.cpp - Bundles of code that is lowered -----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Target/BundleImages.h"
#include "Nova/Target/Toolchain.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::nova {

/// Whether the code uses the CPU's matrix unit, for which a process needs a permission.
static bool usesMatrices(ModuleOp module) {
  auto isOfTiles = [](LLVM::CallIntrinsicOp call) {
    return call.getIntrin() == "llvm.x86.ldtilecfg" ? WalkResult::interrupt() : WalkResult::advance();
  };
  return module.walk(isOfTiles).wasInterrupted();
}

FailureOr<::nova::Image> buildCpuImage(ModuleOp module, const CpuTarget &cpu) {
  FailureOr<std::string> bytes = emitCpuImage(module, cpu);
  if (failed(bytes))
    return failure();
  std::vector<std::string> extensions = cpu.extensions;
  if (!usesMatrices(module))
    llvm::erase_if(extensions, [](StringRef extension) { return extension.starts_with("amx"); });
  return ::nova::Image{"cpu", "elf", std::move(extensions), std::move(*bytes)};
}

FailureOr<GpuImages> buildGpuImages(ModuleOp module, const GpuTarget &gpu, bool assemble) {
  FailureOr<std::string> ptx = emitPtx(module, gpu);
  if (failed(ptx))
    return failure();
  GpuImages result;
  if (!assemble) {
    result.images.push_back({gpu.name.str(), "ptx", {}, std::move(*ptx)});
    return result;
  }
  llvm::Expected<std::string> ptxas = findPtxas();
  if (ptxas) {
    llvm::Expected<Cubin> cubin = assemblePtx(*ptx, gpu);
    if (!cubin)
      return emitError(module.getLoc()) << llvm::toString(cubin.takeError());
    warnAboutLocalMemory(module, cubin->kernels);
    result.kernels = std::move(cubin->kernels);
    result.images.push_back({gpu.name.str(), "cubin", {}, std::move(cubin->bytes)});
  } else {
    emitWarning(module.getLoc(), "no machine code for ")
        << gpu.name << ", only PTX: " << llvm::toString(ptxas.takeError());
  }
  result.images.push_back({gpu.name.str(), "ptx", {}, std::move(*ptx)});
  return result;
}

} // namespace mlir::nova
