//===- Compile.cpp - From a program to a bundle ---------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Compiler/Compile.h"
#include "Nova/Target/BundleImages.h"
#include "Nova/Target/BundleTables.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::nova {

llvm::Expected<BundleTargets> lookUpTargets(const CompileRequest &request) {
  BundleTargets targets;
  for (StringRef name : request.targets) {
    if (name == "cpu") {
      llvm::Expected<CpuTarget> cpu = lookUpCpu(request.cpu);
      if (!cpu)
        return cpu.takeError();
      targets.cpu = std::move(*cpu);
      continue;
    }
    if (!name.starts_with("sm_"))
      return llvm::createStringError("unknown target '" + name + "'; expected cpu or a GPU such as sm_89");
    llvm::Expected<GpuTarget> gpu = lookUpGpu(name);
    if (!gpu)
      return gpu.takeError();
    if (llvm::none_of(targets.gpus, [&](const GpuTarget &other) { return other.name == gpu->name; }))
      targets.gpus.push_back(*gpu);
  }
  if (!targets.cpu && targets.gpus.empty())
    return llvm::createStringError("expected a target to compile for, found none; name cpu or a GPU such as sm_89");
  return targets;
}

std::map<std::string, std::string> describeOptions(const CompileRequest &request) {
  std::map<std::string, std::string> options = {{"mode", request.step.mode == Mode::Eager ? "eager" : "fused"},
                                                {"dtype", request.dtype}};
  if (!request.entry.empty())
    options["entry"] = request.entry;
  if (!request.train)
    return options;
  auto number = [](double value) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.17g", value);
    return text;
  };
  options["optimizer"] = request.step.optimizer;
  options["beta1"] = number(request.step.beta1);
  options["beta2"] = number(request.step.beta2);
  options["eps"] = number(request.step.eps);
  options["weight_decay"] = number(request.step.weightDecay);
  options["clip"] = number(request.step.clip);
  return options;
}

/// Tables and images of a module that is lowered for one kind of target; a GPU's code serves every GPU of the request.
static FailureOr<::nova::Bundle> bundleLowered(ModuleOp module, const CompileRequest &request,
                                               const BundleTargets &targets) {
  FailureOr<::nova::Bundle> bundle = buildBundleTables(module);
  if (failed(bundle))
    return failure();
  bundle->producer = "Nova " NOVA_VERSION;
  bundle->options = describeOptions(request);
  if (isa<ModuleOp>(findKernelCode(module))) {
    if (!targets.cpu)
      return emitError(module.getLoc(), "expected a target cpu for kernels that are lowered for the CPU, found none");
    FailureOr<::nova::Image> image = buildCpuImage(module, *targets.cpu);
    if (failed(image))
      return failure();
    bundle->images.push_back(std::move(*image));
    return bundle;
  }
  if (targets.gpus.empty())
    return emitError(module.getLoc(), "expected a GPU as target for kernels that are lowered for one, found none");
  for (const GpuTarget &gpu : targets.gpus) {
    FailureOr<GpuImages> images = buildGpuImages(module, gpu);
    if (failed(images))
      return failure();
    llvm::append_range(bundle->images, images->images);
  }
  return bundle;
}

FailureOr<std::string> compileToBundle(ModuleOp program, const CompileRequest &request, const BundleTargets &targets) {
  FailureOr<::nova::Bundle> bundle = bundleLowered(program, request, targets);
  if (failed(bundle))
    return failure();
  return ::nova::serialize(*bundle);
}

} // namespace mlir::nova
