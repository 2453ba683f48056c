//===- Compile.cpp - From a program to a bundle ---------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Compiler/Compile.h"
#include "KernelTable.h"
#include "Nova/Target/BundleImages.h"
#include "Nova/Target/BundleTables.h"
#include "Nova/Target/KernelCode.h"

#include "mlir/IR/Threading.h"

namespace mlir::nova {

namespace {
/// One target's part of a bundle file.
struct Part {
  OwningOpRef<ModuleOp> module;   ///< lowered
  const GpuTarget *gpu = nullptr; ///< null: the CPU
  ::nova::Bundle bundle = {};
  std::vector<KernelReport> reports = {};
};
} // namespace

/// Tables from the module, and images from its code.
static LogicalResult buildPart(Part &part, const CompileRequest &request, const BundleTargets &targets) {
  FailureOr<::nova::Bundle> tables = buildBundleTables(*part.module);
  if (failed(tables))
    return failure();
  part.bundle = std::move(*tables);
  part.bundle.producer = "Nova " NOVA_VERSION;
  part.bundle.options = describeOptions(request, part.gpu != nullptr);
  if (!part.gpu) {
    FailureOr<::nova::Image> image = buildCpuImage(*part.module, *targets.cpu);
    if (failed(image))
      return failure();
    part.bundle.images.push_back(std::move(*image));
    return success();
  }
  FailureOr<GpuImages> images = buildGpuImages(*part.module, *part.gpu, request.assemble);
  if (failed(images))
    return failure();
  part.bundle.images = std::move(images->images);
  part.reports = std::move(images->kernels);
  return success();
}

/// A part for every target, lowered from the same program.
static FailureOr<std::vector<Part>> lowerForAll(ModuleOp program, const CompileRequest &request,
                                                const BundleTargets &targets) {
  std::vector<Part> parts;
  if (targets.cpu) {
    parts.push_back({program.clone()});
    if (failed(lowerForCpu(*parts.back().module, request, *targets.cpu)))
      return failure();
  }
  for (const GpuTarget &gpu : targets.gpus) {
    parts.push_back({program.clone(), &gpu});
    if (failed(lowerForGpu(*parts.back().module, request, gpu)))
      return failure();
  }
  return parts;
}

/// The part that a program is which comes lowered.
static FailureOr<std::vector<Part>> takeLowered(ModuleOp program, const BundleTargets &targets) {
  bool isForCpu = isa_and_nonnull<ModuleOp>(findKernelCode(program));
  if (isForCpu ? !targets.cpu : targets.gpus.empty())
    return emitError(program.getLoc(), "expected ")
           << (isForCpu ? "cpu" : "a GPU") << " as target for kernels that are lowered for it already";
  std::vector<Part> parts;
  parts.push_back({program.clone(), isForCpu ? nullptr : &targets.gpus.front()});
  return parts;
}

FailureOr<std::string> compileToBundle(ModuleOp program, CompileRequest &request, const BundleTargets &targets,
                                       raw_ostream &report) {
  FailureOr<std::vector<Part>> parts;
  if (isLowered(program)) {
    identifyProgram(program, request);
    if (failed(readBuiltStep(program, request)))
      return failure();
    request.isBuiltStep = request.train;
    parts = takeLowered(program, targets);
  } else {
    if (failed(prepareProgram(program, request)))
      return failure();
    parts = lowerForAll(program, request, targets);
  }
  if (failed(parts))
    return failure();

  // NVIDIA's assembler takes longest; it works on one target while another's code is generated.
  auto build = [&](Part &part) { return buildPart(part, request, targets); };
  if (failed(failableParallelForEach(program.getContext(), *parts, build)))
    return failure();
  std::vector<const ::nova::Bundle *> bundles;
  for (const Part &part : *parts) {
    bundles.push_back(&part.bundle);
    if (request.kernelReport)
      printKernelTables(part.bundle, part.reports, report);
  }
  return ::nova::serialize(bundles);
}

} // namespace mlir::nova
