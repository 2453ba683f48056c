//===- Findings.cpp - Collecting what checks find -------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"

#include <algorithm>

using namespace nova;
using namespace nova::emulator;

static bool isBefore(uint64_t block, uint32_t thread, const Finding &other) {
  return block != other.block ? block < other.block : thread < other.thread;
}

bool Findings::isNew(Finding::Kind kind, uint32_t line, uint64_t block, uint32_t thread) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = byLine.find({kind, line});
  return found == byLine.end() || isBefore(block, thread, found->second);
}

void Findings::add(Finding finding) {
  std::lock_guard<std::mutex> lock(mutex);
  auto [found, isNew] = byLine.try_emplace({finding.kind, finding.line}, finding);
  if (!isNew && isBefore(finding.block, finding.thread, found->second))
    found->second = std::move(finding);
}

std::vector<Finding> Findings::take() {
  std::vector<Finding> findings;
  for (auto &entry : byLine)
    findings.push_back(std::move(entry.second));
  byLine.clear();
  std::sort(findings.begin(), findings.end(), [](const Finding &a, const Finding &b) {
    return a.block != b.block ? a.block < b.block : a.thread != b.thread ? a.thread < b.thread : a.line < b.line;
  });
  return findings;
}

static std::string describe(Dim3 index) {
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " + std::to_string(index.z) + ")";
}

std::string nova::emulator::describeThread(const LaunchState &launch, uint32_t thread) {
  Dim3 shape = launch.blockShape;
  return "thread " + describe({thread % shape.x, thread / shape.x % shape.y, thread / shape.x / shape.y});
}

std::string nova::emulator::describeInstruction(const Program &program, uint32_t pc) {
  const Instruction &instruction = program.code[pc];
  return "line " + std::to_string(instruction.line) + " '" + std::string(program.textOf(instruction)) + "'";
}

static const char *nameOfKind(Finding::Kind kind) {
  switch (kind) {
  case Finding::Kind::Bounds:
    return "access out of bounds";
  case Finding::Kind::Misaligned:
    return "misaligned access";
  case Finding::Kind::Uninitialised:
    return "read of memory that nothing wrote";
  case Finding::Kind::SharedRace:
    return "race in shared memory";
  case Finding::Kind::GlobalRace:
    return "race between blocks";
  case Finding::Kind::ProxyFence:
    return "missing proxy fence";
  case Finding::Kind::Mbarrier:
    return "wrong use of an mbarrier";
  case Finding::Kind::Wgmma:
    return "wrong use of wgmma";
  case Finding::Kind::TensorMap:
    return "wrong tensor map";
  case Finding::Kind::Barrier:
    return "divergent synchronisation";
  case Finding::Kind::Deadlock:
    return "deadlock";
  case Finding::Kind::Trap:
    return "trap";
  }
  return "";
}

void nova::emulator::report(Warp &warp, const Instruction &instruction, Finding::Kind kind, unsigned lane,
                            const std::string &detail) {
  Block &block = *warp.block;
  LaunchState &launch = block.launch;
  uint32_t thread = warp.firstThread + lane;
  if (!launch.findings.isNew(kind, instruction.line, block.number, thread))
    return;
  const Program &program = launch.program;
  std::string message = std::string(nameOfKind(kind)) + ": kernel " + program.name + ", " +
                        describeInstruction(program, static_cast<uint32_t>(&instruction - program.code.data())) +
                        ", block " + describe(block.index) + ", " + describeThread(launch, thread) + ": " + detail;
  launch.findings.add({kind, instruction.line, block.number, thread, std::move(message)});
}

//===----------------------------------------------------------------------===//
// Names of what is checked
//===----------------------------------------------------------------------===//

Result<Checks> Checks::parse(std::string_view list) {
  Checks checks = none();
  while (!list.empty()) {
    size_t comma = list.find(',');
    std::string_view name = list.substr(0, comma);
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    if (name == "all")
      checks.races = checks.bounds = checks.uninitialised = checks.barriers = true;
    else if (name == "races")
      checks.races = true;
    else if (name == "bounds")
      checks.bounds = true;
    else if (name == "uninitialised")
      checks.uninitialised = true;
    else if (name == "barriers")
      checks.barriers = true;
    else if (name == "strict-races")
      checks.races = checks.strictRaces = true;
    else if (name != "none")
      return usageError("expected checks as all, none or a list of races, bounds, uninitialised, barriers, "
                        "strict-races, found '" +
                        std::string(name) + "'");
  }
  return checks;
}

Result<WarpOrder> nova::emulator::parseWarpOrder(std::string_view name) {
  if (name == "normal")
    return WarpOrder::Normal;
  if (name == "reversed")
    return WarpOrder::Reversed;
  if (name == "round-robin")
    return WarpOrder::RoundRobin;
  return usageError("expected an order of warps, normal, reversed or round-robin, found '" + std::string(name) + "'");
}
