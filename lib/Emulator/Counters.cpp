//===- Counters.cpp - What kernels did, in numbers ------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Emulator/Counters.h"

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace nova::emulator;

void KernelCounters::add(const KernelCounters &other) {
  launches += other.launches;
  blocks += other.blocks;
  warpInstructions += other.warpInstructions;
  laneInstructions += other.laneInstructions;
  divergentBranches += other.divergentBranches;
  shuffles += other.shuffles;
  matrixInstructions += other.matrixInstructions;
  matrixMultiplyAdds += other.matrixMultiplyAdds;
  bulkCopies += other.bulkCopies;
  bulkBytes += other.bulkBytes;
  wgmmaBytes += other.wgmmaBytes;
  sharedWavefronts += other.sharedWavefronts;
  sharedIdeal += other.sharedIdeal;
  globalRequests += other.globalRequests;
  globalSectors += other.globalSectors;
  globalIdeal += other.globalIdeal;
  globalDistinct += other.globalDistinct;
  for (const auto &[opcode, count] : other.mix)
    mix[opcode] += count;
}

static double ratio(uint64_t value, uint64_t by) {
  return by ? static_cast<double>(value) / static_cast<double>(by) : 0;
}

template <typename... Values> static std::string format(const char *text, Values... values) {
  char line[256];
  std::snprintf(line, sizeof(line), text, values...);
  return line;
}

static std::vector<std::pair<std::string, uint64_t>> byFrequency(const KernelCounters &counters) {
  std::vector<std::pair<std::string, uint64_t>> mix(counters.mix.begin(), counters.mix.end());
  std::sort(mix.begin(), mix.end(), [](const auto &a, const auto &b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return mix;
}

std::string nova::emulator::countersToTable(const CountersByKernel &counters) {
  std::string table = format("%-40s %8s %8s %12s %12s %6s %9s %9s %8s\n", "kernel", "launches", "blocks", "warp instr",
                             "lane instr", "lanes", "divergent", "conflicts", "sectors");
  for (const auto &[name, kernel] : counters) {
    table +=
        format("%-40s %8llu %8llu %12llu %12llu %6.1f %9llu %8.2fx %8.2f\n", name.c_str(),
               static_cast<unsigned long long>(kernel.launches), static_cast<unsigned long long>(kernel.blocks),
               static_cast<unsigned long long>(kernel.warpInstructions),
               static_cast<unsigned long long>(kernel.laneInstructions),
               ratio(kernel.laneInstructions, kernel.warpInstructions),
               static_cast<unsigned long long>(kernel.divergentBranches),
               ratio(kernel.sharedWavefronts, kernel.sharedIdeal), ratio(kernel.globalSectors, kernel.globalRequests));
    std::string line = "  ";
    auto mix = byFrequency(kernel);
    for (size_t i = 0; i < std::min<size_t>(mix.size(), 5); ++i)
      line += (i ? ", " : "") + mix[i].first + format(" %.1f%%", 100 * ratio(mix[i].second, kernel.warpInstructions));
    table += line + "\n";
  }
  return table;
}

/// A string of JSON. Names of kernels and instructions have no control characters.
static std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string nova::emulator::countersToJson(const CountersByKernel &counters) {
  std::string json = "{";
  for (const auto &[name, kernel] : counters) {
    json += std::string(json.size() > 1 ? "," : "") + "\n  " + quoted(name) + ": {";
    std::pair<const char *, uint64_t> numbers[] = {
        {"launches", kernel.launches},
        {"blocks", kernel.blocks},
        {"warp_instructions", kernel.warpInstructions},
        {"lane_instructions", kernel.laneInstructions},
        {"divergent_branches", kernel.divergentBranches},
        {"shared_wavefronts", kernel.sharedWavefronts},
        {"shared_wavefronts_ideal", kernel.sharedIdeal},
        {"global_requests", kernel.globalRequests},
        {"global_sectors", kernel.globalSectors},
        {"global_sectors_ideal", kernel.globalIdeal},
        {"global_sectors_distinct", kernel.globalDistinct},
        {"shuffles", kernel.shuffles},
        {"matrix_instructions", kernel.matrixInstructions},
        {"matrix_multiply_adds", kernel.matrixMultiplyAdds},
        {"bulk_copies", kernel.bulkCopies},
        {"bulk_bytes", kernel.bulkBytes},
        {"wgmma_shared_bytes", kernel.wgmmaBytes},
    };
    for (const auto &[key, value] : numbers)
      json += quoted(key) + ": " + std::to_string(value) + ", ";
    json += "\"mix\": {";
    std::string mix;
    for (const auto &[opcode, count] : byFrequency(kernel))
      mix += (mix.empty() ? "" : ", ") + quoted(opcode) + ": " + std::to_string(count);
    json += mix + "}}";
  }
  return json + "\n}\n";
}
