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
/// What a card of a GPU target can do at most, with products of bf16 and f16 on its matrix units. docs/GpuModel.md
/// names the sources.
struct Card {
  StringLiteral target, name;
  int64_t multiprocessors;
  double bandwidth, products, arithmetic; ///< bytes/s, FLOP/s

  /// The seconds that one launch takes at least, and of which of the card's resources.
  std::pair<double, StringRef> bound(const ::nova::Kernel &kernel) const {
    bool isProduct = kernel.family == "matmul" || kernel.family == "attention";
    bool isNarrow = !kernel.argumentTypes.empty() && (kernel.argumentTypes.front() == ::nova::DType::BF16 ||
                                                      kernel.argumentTypes.front() == ::nova::DType::F16);
    bool hasMatrix = isProduct && isNarrow;
    // The multiprocessor with most blocks is the last to end.
    int64_t blocks = std::max<int64_t>(kernel.blocks, 1), rounds = llvm::divideCeil(blocks, multiprocessors);
    double uneven = static_cast<double>(rounds * multiprocessors) / static_cast<double>(blocks);
    double moving = kernel.bytes / bandwidth, computing = kernel.flops * uneven / (hasMatrix ? products : arithmetic);
    if (moving >= computing)
      return {moving, "DRAM"};
    return {computing, hasMatrix ? "matrix" : "arithmetic"};
  }
};

constexpr Card kCards[] = {
    {"sm_80", "A100", 108, 2.04e12, 312e12, 19.5e12},
    {"sm_89", "RTX 6000 Ada", 142, 0.96e12, 364e12, 91e12},
    {"sm_90", "H200", 132, 4.8e12, 946e12, 59e12},
};

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
  StringRef target = bundle.images.empty() ? StringRef() : StringRef(bundle.images.front().target);
  const Card *card = llvm::find_if(kCards, [&](const Card &c) { return c.target == target; });
  if (card == std::end(kCards))
    card = nullptr;
  os << "one run of @" << entry.name;
  if (!target.empty())
    os << " on " << target;
  if (card)
    os << "; us: the least that all launches take on an " << card->name << ", by its figures";
  os << "\n"
     << llvm::left_justify("kernel", width) << "  family      launches    blocks          MB       MFLOP   "
     << (isGpu ? "shared  registers  local" : "scratch") << (card ? "         us  bound     " : "") << "  where\n";
  size_t launches = 0;
  double bytes = 0, flops = 0, seconds = 0;
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
    if (card) {
      auto [least, by] = card->bound(kernel);
      least *= static_cast<double>(row.launches);
      seconds += least;
      os << llvm::formatv(" {0,10:f1}  {1,-10}", least * 1e6, by);
    }
    os << "  " << kernel.location << "\n";
  }
  os << llvm::left_justify("total", width)
     << llvm::formatv("  {0,-11} {1,8} {2,9} {3,11:f3} {4,11:f3}", "", launches, "", bytes / 1e6, flops / 1e6);
  if (card)
    os << llvm::formatv("{0} {1,10:f1}", std::string(isGpu ? 27 : 10, ' '), seconds * 1e6);
  os << "\n";
}

void printKernelTables(const ::nova::Bundle &bundle, ArrayRef<KernelReport> reports, raw_ostream &os) {
  for (const ::nova::Entry &entry : bundle.entries)
    if (entry.name == "train_step")
      return printEntry(bundle, entry, reports, os);
  for (const ::nova::Entry &entry : bundle.entries)
    printEntry(bundle, entry, reports, os);
}

} // namespace mlir::nova
