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

namespace {
/// A kernel in one run of an entry.
struct Row {
  const ::nova::Kernel *kernel;
  size_t launches = 0;

  double bytes() const { return kernel->bytes * static_cast<double>(launches); }
  double flops() const { return kernel->flops * static_cast<double>(launches); }
};
} // namespace

static std::vector<Row> rowsOf(const ::nova::Bundle &bundle, const ::nova::Entry &entry) {
  std::vector<Row> rows;
  for (const ::nova::Kernel &kernel : bundle.kernels)
    rows.push_back({&kernel});
  for (const ::nova::Launch &launch : entry.launches)
    ++rows[launch.kernel].launches;
  llvm::erase_if(rows, [](const Row &row) { return row.launches == 0; });
  auto rank = [](const Row &row) { return std::make_pair(-row.bytes(), StringRef(row.kernel->name)); };
  llvm::sort(rows, [&](const Row &a, const Row &b) { return rank(a) < rank(b); });
  return rows;
}

static void printEntry(const ::nova::Bundle &bundle, const ::nova::Entry &entry, ArrayRef<KernelReport> reports,
                       raw_ostream &os) {
  std::vector<Row> rows = rowsOf(bundle, entry);
  llvm::StringMap<const KernelReport *> reportOf;
  for (const KernelReport &report : reports)
    reportOf[report.kernel] = &report;
  size_t width = 6;
  for (const Row &row : rows)
    width = std::max(width, row.kernel->name.size());

  bool isGpu = !reports.empty();
  os << "one run of @" << entry.name;
  if (!bundle.images.empty())
    os << " on " << bundle.images.front().target;
  os << "\n"
     << llvm::left_justify("kernel", width) << "  family      launches    blocks          MB       MFLOP   "
     << (isGpu ? "shared  registers  local" : "scratch") << "  where\n";
  size_t launches = 0;
  double bytes = 0, flops = 0;
  for (const Row &row : rows) {
    const ::nova::Kernel &kernel = *row.kernel;
    launches += row.launches;
    bytes += row.bytes();
    flops += row.flops();
    os << llvm::left_justify(kernel.name, width)
       << llvm::formatv("  {0,-11} {1,8} {2,9} {3,11:f3} {4,11:f3} ", kernel.family, row.launches, kernel.blocks,
                        row.bytes() / 1e6, row.flops() / 1e6);
    if (const KernelReport *report = reportOf.lookup(kernel.name))
      os << llvm::formatv("{0,8} {1,10} {2,6}", kernel.gpuSharedBytes + report->sharedBytes, report->registers,
                          report->stackBytes + report->spillStoreBytes);
    else
      os << llvm::formatv("{0,9}", isGpu ? kernel.gpuSharedBytes : kernel.scratchBytes);
    os << "  " << kernel.location << "\n";
  }
  os << llvm::left_justify("total", width)
     << llvm::formatv("  {0,-11} {1,8} {2,9} {3,11:f3} {4,11:f3}\n", "", launches, "", bytes / 1e6, flops / 1e6);
}

void printKernelTables(const ::nova::Bundle &bundle, ArrayRef<KernelReport> reports, raw_ostream &os) {
  for (const ::nova::Entry &entry : bundle.entries)
    if (entry.name == "train_step")
      return printEntry(bundle, entry, reports, os);
  for (const ::nova::Entry &entry : bundle.entries)
    printEntry(bundle, entry, reports, os);
}

} // namespace mlir::nova
