//===- Profile.cpp - Kernels by the time they take ------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Profile.h"

#include "Nova/Training/Trainer.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

using namespace nova;

Result<void> Profile::launched(const LaunchEvent &event) {
  // What an evaluation launches is no part of a step.
  const std::string &entry = tables.entries[event.entry].name;
  if (entry != kTrainEntry && entry != kGradientEntry && entry != kUpdateEntry)
    return {};
  Row &row = rows[tables.entries[event.entry].launches[event.launch].kernel];
  ++row.launches;
  row.seconds += std::chrono::duration<double>(event.span.end - event.span.begin).count();
  return {};
}

template <typename... Ts> static std::string format(const char *pattern, Ts... values) {
  char text[200];
  std::snprintf(text, sizeof(text), pattern, values...);
  return text;
}

std::string Profile::toTable(const Limits &limits, double stepMs, double dataMs, uint64_t steps) const {
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  // Equal times are those of kernels that did not run.
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rows[a].seconds > rows[b].seconds; });
  size_t width = 6;
  double inKernels = 0;
  for (size_t i : order)
    if (rows[i].launches) {
      width = std::max(width, tables.kernels[i].name.size());
      inKernels += rows[i].seconds * 1000;
    }
  double all = std::max(stepMs, inKernels + dataMs), perStep = 1.0 / static_cast<double>(std::max<uint64_t>(steps, 1));
  int column = static_cast<int>(width);

  std::string text = "limits: " + limits.toText() + "\n";
  text += format("%-*s  family       launches  ms/step  share   us/launch   GFLOP/s     GB/s  of limit  where\n",
                 column, "kernel");
  for (size_t i : order) {
    const Kernel &kernel = tables.kernels[i];
    const Row &row = rows[i];
    if (!row.launches)
      continue;
    double count = static_cast<double>(row.launches), seconds = row.seconds / count;
    double least = limits.leastSeconds(kernel);
    text +=
        format("%-*s", column, kernel.name.c_str())
            .append(format("  %-11s %9.4g %8.3f %5.1f%% %11.2f %9.2f %8.2f %8.0f%%  ", kernel.family.c_str(),
                           count * perStep, row.seconds * 1000 * perStep, 100 * row.seconds * 1000 / all, seconds * 1e6,
                           kernel.flops / seconds / 1e9, kernel.bytes / seconds / 1e9, 100 * least / seconds));
    text += kernel.location + "\n";
  }
  auto host = [&](const char *name, double ms) {
    text += format("%-*s  host        %9s %8.3f %5.1f%%\n", column, name, "", ms * perStep, 100 * ms / all);
  };
  host("data", dataMs);
  host("other", std::max(0.0, all - inKernels - dataMs));
  return text;
}
