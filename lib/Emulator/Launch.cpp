//===- Launch.cpp - Running a kernel --------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Emulator/Launch.h"

#include "Block.h"

#include "Nova/Support/CheckedMath.h"

#include <algorithm>
#include <cstdio>
#include <thread>

using namespace nova;
using namespace nova::emulator;

/// What a block may have at most, on every chip that Nova knows.
static constexpr uint32_t kMaxThreads = 1024;
static constexpr uint32_t kMaxShared = 227 << 10;

static std::string toText(Dim3 size) {
  return std::to_string(size.x) + " x " + std::to_string(size.y) + " x " + std::to_string(size.z);
}

static std::string toList(Dim3 block) {
  return std::to_string(block.x) + "," + std::to_string(block.y) + "," + std::to_string(block.z);
}

Result<void> nova::emulator::checkLaunch(const Program &kernel, Dim3 grid, Dim3 block, uint32_t dynamicShared) {
  auto fail = [&](const std::string &message) { return usageError("kernel " + kernel.name + ": " + message); };
  uint64_t threads = uint64_t(block.x) * block.y;
  if (!threads || !block.z || block.x > kMaxThreads || block.y > kMaxThreads || block.z > 64 ||
      threads * block.z > kMaxThreads)
    return fail("expected a block of 1 to 1024 threads, at most 64 along z, found " + toText(block));
  threads *= block.z;
  if (threads > kernel.maxThreads)
    return fail("expected at most " + std::to_string(kernel.maxThreads) + " threads in a block (.maxntid), found " +
                std::to_string(threads));
  const auto &required = kernel.requiredBlock;
  if (required[0] && (required[0] != block.x || required[1] != block.y || required[2] != block.z))
    return fail("expected a block of " + toText({required[0], required[1], required[2]}) + " (.reqntid), found " +
                toText(block));
  const auto &cluster = kernel.cluster;
  if (cluster[0] != 1 || cluster[1] != 1 || cluster[2] != 1)
    return fail("expected clusters of one block, found " + toText({cluster[0], cluster[1], cluster[2]}) +
                " (.reqnctapercluster); compile the kernel for clusters of one block to run it here");
  if (!grid.x || !grid.y || !grid.z || grid.x > INT32_MAX || grid.y > 65535 || grid.z > 65535 ||
      uint64_t(grid.x) * grid.y > INT32_MAX || uint64_t(grid.x) * grid.y * grid.z > INT32_MAX)
    return fail("expected a grid of 1 to 2^31 - 1 blocks, at most 65535 along y and z, found " + toText(grid));
  if (dynamicShared > kMaxShared || kernel.dynamicSharedStart + dynamicShared > kMaxShared)
    return fail("expected at most " + std::to_string(kMaxShared) + " bytes of shared memory, found " +
                std::to_string(kernel.sharedBytes) + " and " + std::to_string(dynamicShared) + " dynamic ones");
  return {};
}

/// The blocks that are to run, or what is wrong with the range that was asked for.
static Result<BlockRange> selectBlocks(const Program &kernel, Dim3 grid, const std::optional<BlockRange> &range) {
  BlockRange all{{0, 0, 0}, {grid.x - 1, grid.y - 1, grid.z - 1}};
  if (!range)
    return all;
  auto isUpTo = [](Dim3 a, Dim3 b) { return a.x <= b.x && a.y <= b.y && a.z <= b.z; };
  if (!isUpTo(range->last, all.last))
    return usageError("kernel " + kernel.name + ": expected a last block of a grid of " + toText(grid) + ", found " +
                      toList(range->last));
  if (!isUpTo(range->first, range->last))
    return usageError("kernel " + kernel.name + ": expected a first block up to the last one, " + toList(range->last) +
                      ", found " + toList(range->first));
  return *range;
}

/// Multiply-adds of a warp instruction that multiplies matrices, 0 of others. Shapes are in the name: m16n8k16.
static uint32_t multiplyAddsOf(const Program &program, const Instruction &instruction) {
  const std::string &opcode = program.opcodes[instruction.opcode];
  bool isWgmma = opcode.rfind("wgmma.mma_async.", 0) == 0;
  size_t shape = isWgmma || opcode.rfind("mma.", 0) == 0 ? opcode.find(".m") : std::string::npos;
  unsigned m = 0, n = 0, k = 0;
  while (shape != std::string::npos && std::sscanf(opcode.c_str() + shape, ".m%un%uk%u", &m, &n, &k) != 3)
    shape = opcode.find(".m", shape + 1);
  return shape == std::string::npos ? 0 : (isWgmma ? m / 4 : m) * n * k;
}

static void countInstructions(const Block &block, KernelCounters &counters) {
  for (size_t pc = 0; pc < block.program.code.size(); ++pc) {
    if (!block.executions[pc])
      continue;
    counters.warpInstructions += block.executions[pc];
    counters.laneInstructions += block.laneExecutions[pc];
    const Instruction &instruction = block.program.code[pc];
    const std::string &opcode = block.program.opcodes[instruction.opcode];
    counters.mix[opcode] += block.executions[pc];
    counters.shuffles += opcode.rfind("shfl.", 0) == 0 ? block.executions[pc] : 0;
    if (uint32_t products = multiplyAddsOf(block.program, instruction)) {
      counters.matrixInstructions += block.executions[pc];
      counters.matrixMultiplyAdds += block.executions[pc] * products;
    }
  }
}

Result<LaunchResult> nova::emulator::launch(const Program &kernel, DeviceMemory &memory, Dim3 grid, Dim3 block,
                                            uint32_t dynamicShared, const std::vector<uint8_t> &parameters,
                                            const Options &options) {
  if (Result<void> checked = checkLaunch(kernel, grid, block, dynamicShared); !checked)
    return checked.error();
  if (parameters.size() != kernel.parameterBytes)
    return usageError("kernel " + kernel.name + ": expected " + std::to_string(kernel.parameterBytes) +
                      " bytes of parameters, found " + std::to_string(parameters.size()));
  Result<BlockRange> range = selectBlocks(kernel, grid, options.range);
  if (!range)
    return range.error();
  Dim3 first = range->first;
  Dim3 part{range->last.x - first.x + 1, range->last.y - first.y + 1, range->last.z - first.z + 1};
  uint64_t count = uint64_t(part.x) * part.y * part.z;
  LaunchState state(kernel, memory, options);
  state.grid = grid;
  state.blockShape = block;
  state.threadsPerBlock = block.x * block.y * block.z;
  state.warpsPerBlock = (state.threadsPerBlock + kLanes - 1) / kLanes;
  state.dynamicShared = dynamicShared;
  state.sharedBytes = dynamicShared ? kernel.dynamicSharedStart + dynamicShared : kernel.sharedBytes;
  state.blocks = uint64_t(grid.x) * grid.y * grid.z;
  state.parameters = &parameters;
  state.firstBlockNumber = memory.takeBlockNumbers(static_cast<uint32_t>(state.blocks));
  state.fences = std::vector<std::atomic<uint8_t>>(state.blocks);

  // Atomics whose results depend on their order run block after block: the same every time.
  unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  uint64_t threads =
      kernel.needsOrderedBlocks ? 1 : std::min<uint64_t>(options.threads ? options.threads : cores, count);
  state.isParallel = threads > 1;
  std::atomic<uint64_t> next{0};
  std::mutex mutex;
  LaunchResult result;
  auto work = [&] {
    Block runner(state);
    for (uint64_t i = next++; i < count; i = next++) {
      uint64_t x = first.x + i % part.x, y = first.y + i / part.x % part.y, z = first.z + i / part.x / part.y;
      runner.run((z * grid.y + y) * grid.x + x);
    }
    KernelCounters counters = runner.counters;
    countInstructions(runner, counters);
    std::lock_guard<std::mutex> lock(mutex);
    result.counters.add(counters);
  };
  std::vector<std::thread> helpers;
  for (uint64_t i = 1; i < threads; ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread &helper : helpers)
    helper.join();
  result.counters.launches = 1;
  result.counters.blocks = count;
  result.findings = state.findings.take();
  return result;
}
