//===- BundleImages.h - Bundles of code that is lowered ---------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TARGET_BUNDLEIMAGES_H
#define NOVA_TARGET_BUNDLEIMAGES_H

#include "Nova/Runtime/Bundle.h"
#include "Nova/Target/Cpu.h"
#include "Nova/Target/Gpu.h"

namespace mlir::nova {

/// A shared object for a bundle.
FailureOr<::nova::Image> buildCpuImage(ModuleOp module, const CpuTarget &cpu);

/// Code of one GPU for a bundle: PTX and, with `assemble`, what ptxas makes of it where there is one (else a warning:
/// the driver then compiles the PTX when it loads the bundle).
struct GpuImages {
  std::vector<::nova::Image> images;
  std::vector<KernelReport> kernels;
};
FailureOr<GpuImages> buildGpuImages(ModuleOp module, const GpuTarget &gpu, bool assemble = true);

} // namespace mlir::nova

#endif // NOVA_TARGET_BUNDLEIMAGES_H
