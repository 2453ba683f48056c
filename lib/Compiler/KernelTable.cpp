//===- KernelTable.cpp - What --kernel-report prints ----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTable.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::nova {

void printKernelTable(const ::nova::Bundle &bundle, ArrayRef<KernelReport> reports, raw_ostream &os) {
  std::vector<size_t> launches(bundle.kernels.size());
  for (const ::nova::Entry &entry : bundle.entries)
    for (const ::nova::Launch &launch : entry.launches)
      ++launches[launch.kernel];
  llvm::StringMap<const KernelReport *> reportOf;
  for (const KernelReport &report : reports)
    reportOf[report.kernel] = &report;
  size_t width = 6;
  for (const ::nova::Kernel &kernel : bundle.kernels)
    width = std::max(width, kernel.name.size());

  bool isGpu = !reports.empty();
  os << (bundle.images.empty() ? "kernels" : "kernels for " + bundle.images.front().target) << "\n";
  os << llvm::left_justify("kernel", width) << "  family      launches    blocks   MB/launch  MFLOP/launch   "
     << (isGpu ? "shared  registers  local" : "scratch") << "  where\n";
  for (auto [kernel, count] : llvm::zip_equal(bundle.kernels, launches)) {
    os << llvm::left_justify(kernel.name, width)
       << llvm::formatv("  {0,-11} {1,8} {2,9} {3,11:f3} {4,13:f3} ", kernel.family, count, kernel.blocks,
                        kernel.bytes / 1e6, kernel.flops / 1e6);
    if (const KernelReport *report = reportOf.lookup(kernel.name))
      os << llvm::formatv("{0,8} {1,10} {2,6}", kernel.gpuSharedBytes + report->sharedBytes, report->registers,
                          report->stackBytes + report->spillStoreBytes);
    else
      os << llvm::formatv("{0,9}", isGpu ? kernel.gpuSharedBytes : kernel.scratchBytes);
    os << "  " << kernel.location << "\n";
  }
}

} // namespace mlir::nova
