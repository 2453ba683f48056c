//===- Limits.cpp - What the processor can do -----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Limits.h"

#include "Nova/Runtime/Memory.h"
#include "Nova/Runtime/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <cstring>

using namespace nova;
using Clock = std::chrono::steady_clock;

/// Independent sums: enough to hide the latency of two units, few enough for the registers.
static constexpr int kSums = 12;

// One function per width of vectors; the compiler turns the product and the sum into one instruction.
#define NOVA_MULTIPLY_ADD(NAME, BYTES, TARGET)                                                                         \
  TARGET static float NAME(int64_t rounds) {                                                                           \
    using Vector = float __attribute__((vector_size(BYTES)));                                                          \
    Vector sums[kSums] = {}, factor = Vector{} + 0.999f, term = Vector{} + 0.001f;                                     \
    for (int64_t round = 0; round < rounds; ++round)                                                                   \
      for (int i = 0; i < kSums; ++i)                                                                                  \
        sums[i] = sums[i] * factor + term;                                                                             \
    Vector all = {};                                                                                                   \
    for (Vector sum : sums)                                                                                            \
      all += sum;                                                                                                      \
    return all[0];                                                                                                     \
  }

NOVA_MULTIPLY_ADD(multiplyAddAny, 16, )
#ifdef __x86_64__
NOVA_MULTIPLY_ADD(multiplyAddAvx2, 32, __attribute__((target("avx2,fma"))))
NOVA_MULTIPLY_ADD(multiplyAddAvx512, 64, __attribute__((target("avx512f"))))
#endif

namespace {
struct MultiplyAdd {
  float (*function)(int64_t rounds) = multiplyAddAny;
  int lanes = 4;
};
} // namespace

static MultiplyAdd selectMultiplyAdd() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return {multiplyAddAvx512, 16};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {multiplyAddAvx2, 8};
#endif
  return {};
}

/// The shortest of some times, in seconds: what disturbs only adds.
template <typename WorkFn> static double bestTime(WorkFn work) {
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    Clock::time_point start = Clock::now();
    work();
    double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = i == 0 ? seconds : std::min(best, seconds);
  }
  return best;
}

Result<Limits> nova::measureLimits(unsigned threads) {
  auto pool = ThreadPool::create(threads);
  if (!pool)
    return pool.error();
  constexpr uint64_t kBytes = uint64_t(64) << 20;
  constexpr int64_t kRounds = 200'000, kBlocks = 64;
  Result<Memory> from = Memory::allocate(kBytes, "the measurement of a copy");
  Result<Memory> to = Memory::allocate(kBytes, "the measurement of a copy");
  if (!from || !to)
    return from ? to.error() : from.error();

  MultiplyAdd multiplyAdd = selectMultiplyAdd();
  static std::atomic<float> sink; // So that the sums are needed.
  int64_t shares = static_cast<int64_t>((*pool)->threads()) * 4;
  double seconds = bestTime([&] {
    (*pool)->parallelFor(shares, [&](unsigned, int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i)
        sink = multiplyAdd.function(kRounds / 4);
    });
  });
  Limits limits;
  limits.flopsPerSecond = 2.0 * kSums * multiplyAdd.lanes * static_cast<double>(kRounds / 4 * shares) / seconds;
  seconds = bestTime([&] {
    (*pool)->parallelFor(kBlocks, [&](unsigned, int64_t first, int64_t last) {
      uint64_t begin = static_cast<uint64_t>(first) * (kBytes / kBlocks);
      uint64_t end = static_cast<uint64_t>(last) * (kBytes / kBlocks);
      std::memcpy(to->data() + begin, from->data() + begin, end - begin);
    });
  });
  limits.bytesPerSecond = 2.0 * kBytes / seconds;
  return limits;
}
