//===- Limits.cpp - What the processor can do -----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Limits.h"

#include "Nova/Runtime/HostCpu.h"
#include "Nova/Runtime/Memory.h"
#include "Nova/Runtime/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace nova;
using Clock = std::chrono::steady_clock;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

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

/// The exclusive or of all bytes, a multiple of 256: loads, and nothing that takes longer than they do.
#define NOVA_READ(NAME, BYTES, TARGET)                                                                                 \
  TARGET static float NAME(const std::byte *from, uint64_t bytes) {                                                    \
    using Vector = uint32_t __attribute__((vector_size(BYTES)));                                                       \
    Vector all[4] = {};                                                                                                \
    for (uint64_t i = 0; i < bytes; i += 4 * BYTES)                                                                    \
      for (int j = 0; j < 4; ++j) {                                                                                    \
        Vector next;                                                                                                   \
        std::memcpy(&next, from + i + j * BYTES, BYTES);                                                               \
        all[j] ^= next;                                                                                                \
      }                                                                                                                \
    return static_cast<float>((all[0] ^ all[1] ^ all[2] ^ all[3])[0]);                                                 \
  }

NOVA_MULTIPLY_ADD(multiplyAddAny, 16, )
NOVA_READ(readAny, 16, )
#ifdef __x86_64__
NOVA_READ(readAvx2, 32, __attribute__((target("avx2"))))
NOVA_READ(readAvx512, 64, __attribute__((target("avx512f"))))
NOVA_MULTIPLY_ADD(multiplyAddAvx2, 32, __attribute__((target("avx2,fma"))))
NOVA_MULTIPLY_ADD(multiplyAddAvx512, 64, __attribute__((target("avx512f"))))

/// 32 products of bf16 and their sums in an instruction.
__attribute__((target("avx512f,avx512bf16"))) static float multiplyAddPairs(int64_t rounds) {
  __m512 sums[kSums];
  for (__m512 &sum : sums)
    sum = _mm512_setzero_ps();
  auto factors = (__m512bh)_mm512_set1_epi32(0x3f803c00); // Bits of 1 and of a small number.
  for (int64_t round = 0; round < rounds; ++round)
    for (int i = 0; i < kSums; ++i)
      sums[i] = _mm512_dpbf16_ps(sums[i], factors, factors);
  __m512 all = _mm512_setzero_ps();
  for (__m512 sum : sums)
    all = _mm512_add_ps(all, sum);
  return _mm512_reduce_add_ps(all);
}

/// Four products of 16 x 32 by 32 x 16 matrices a round: as many sums as leave tiles for the factors.
__attribute__((target("amx-tile,amx-bf16"))) static float multiplyAddMatrices(int64_t rounds) {
  struct alignas(64) {
    uint8_t palette = 1, startRow = 0, reserved[14] = {};
    uint16_t rowBytes[16] = {64, 64, 64, 64, 64, 64};
    uint8_t rows[16] = {16, 16, 16, 16, 16, 16};
  } shape;
  alignas(64) float sums[16 * 16] = {};
  _tile_loadconfig(&shape);
  _tile_loadd(4, sums, 64);
  _tile_loadd(5, sums, 64);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (int64_t round = 0; round < rounds; ++round) {
    _tile_dpbf16ps(0, 4, 5);
    _tile_dpbf16ps(1, 4, 5);
    _tile_dpbf16ps(2, 4, 5);
    _tile_dpbf16ps(3, 4, 5);
  }
  _tile_stored(0, sums, 64);
  _tile_release();
  return sums[0];
}
#endif

namespace {
struct MultiplyAdd {
  Unit unit;
  float (*function)(int64_t rounds);
  double flopsPerRound;
};
} // namespace

/// What the processor has of each kind.
static std::vector<MultiplyAdd> findUnits() {
  MultiplyAdd vectors = {Unit::Vectors, multiplyAddAny, 2.0 * kSums * 4};
  std::vector<MultiplyAdd> units;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    vectors = {Unit::Vectors, multiplyAddAvx512, 2.0 * kSums * 16};
  else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    vectors = {Unit::Vectors, multiplyAddAvx2, 2.0 * kSums * 8};
  if (hostCpu().features.count("avx512_bf16"))
    units.push_back({Unit::Pairs, multiplyAddPairs, 2.0 * kSums * 32});
  if (hostCpu().features.count("amx_bf16") && allowMatrices())
    units.push_back({Unit::Matrices, multiplyAddMatrices, 2.0 * 4 * 16 * 16 * 32});
#endif
  units.push_back(vectors);
  return units;
}

/// The shortest of some times, in seconds: what disturbs only adds.
template <typename WorkFn> static double bestTime(int times, WorkFn work) {
  double best = 0;
  for (int i = 0; i < times; ++i) {
    Clock::time_point start = Clock::now();
    work();
    double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = i == 0 ? seconds : std::min(best, seconds);
  }
  return best;
}

/// So that what is computed is needed.
static std::atomic<float> sink;

static double measureFlops(ThreadPool &pool, const MultiplyAdd &unit) {
  // A thread that was asleep joins a job late. Shares of a job of some milliseconds make up for that: with a job of a
  // tenth of it, one thread does most of the work and the limit is half of what it is.
  constexpr double kSecondsPerJob = 0.012;
  constexpr int64_t kTrial = 2000, kSharesPerThread = 8;
  sink = unit.function(kTrial);
  double trial = bestTime(3, [&] { sink = unit.function(kTrial); });
  int64_t rounds = std::max<int64_t>(kTrial, static_cast<int64_t>(kTrial * kSecondsPerJob / kSharesPerThread / trial));
  int64_t shares = static_cast<int64_t>(pool.threads()) * kSharesPerThread;
  double seconds = bestTime(4, [&] {
    pool.parallelFor(shares, [&](unsigned, int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i)
        sink = unit.function(rounds);
    });
  });
  return unit.flopsPerRound * static_cast<double>(rounds * shares) / seconds;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

using ReadFn = float (*)(const std::byte *from, uint64_t bytes);

static ReadFn findRead() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return readAvx512;
  if (__builtin_cpu_supports("avx2"))
    return readAvx2;
#endif
  return readAny;
}

/// How fast all threads together read two arrays of `bytes`, or copy one to the other, whichever is faster: a kernel
/// may do little but read, as a sum does, or write as much as it reads.
static double measureMemory(ThreadPool &pool, std::byte *from, std::byte *to, uint64_t bytes) {
  constexpr uint64_t kBytesPerJob = uint64_t(256) << 20;
  uint64_t each = bytes / 2 / pool.threads() / 256 * 256;
  uint64_t rounds = std::max<uint64_t>(1, kBytesPerJob / std::max<uint64_t>(1, 2 * each * pool.threads()));
  auto timeOf = [&](auto work) {
    return bestTime(3, [&] {
      pool.parallelFor(pool.threads(), [&](unsigned, int64_t first, int64_t last) {
        for (auto share = static_cast<uint64_t>(first); share < static_cast<uint64_t>(last); ++share)
          for (uint64_t round = 0; round < rounds; ++round) {
            work(from + share * each, to + share * each);
            // Memory may have changed: each round is needed.
            asm volatile("" : : "r"(from), "r"(to) : "memory");
          }
      });
    });
  };
  double copy = timeOf([&](std::byte *source, std::byte *target) { std::memcpy(target, source, each); });
  ReadFn readAll = findRead();
  double read = timeOf([&](std::byte *one, std::byte *other) { sink = readAll(one, each) + readAll(other, each); });
  return 2.0 * static_cast<double>(each * pool.threads() * rounds) / std::min(copy, read);
}

Result<Limits> nova::measureLimits(unsigned threads) {
  auto pool = ThreadPool::create(threads);
  if (!pool)
    return pool.error();
  constexpr uint64_t kBytes = uint64_t(128) << 20, kLeastBytesPerThread = 16 << 10;
  Result<Memory> from = Memory::allocate(kBytes / 2, "the measurement of a copy");
  Result<Memory> to = Memory::allocate(kBytes / 2, "the measurement of a copy");
  if (!from || !to)
    return from ? to.error() : from.error();
  std::memset(from->data(), 0, kBytes / 2); // Pages of zeros are not in memory yet.
  std::memset(to->data(), 0, kBytes / 2);

  Limits limits;
  for (const MultiplyAdd &unit : findUnits())
    limits.flopsPerSecond[static_cast<size_t>(unit.unit)] = measureFlops(**pool, unit);
  double fastest = 0;
  for (uint64_t bytes = kBytes; bytes >= kLeastBytesPerThread * (*pool)->threads(); bytes /= 4) {
    // Fewer bytes are never slower: what is measured otherwise is a disturbance.
    fastest = std::max(fastest, measureMemory(**pool, from->data(), to->data(), bytes));
    limits.memory.insert(limits.memory.begin(), {static_cast<double>(bytes), fastest});
  }
  if (!limits.memory.empty())
    limits.memory.front().bytes = 0; // What is smaller still is no faster.
  return limits;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

Limits Limits::of(const DeviceInfo &device) {
  Limits limits;
  std::copy(std::begin(device.flopsPerSecond), std::end(device.flopsPerSecond), limits.flopsPerSecond);
  limits.cacheBytes = device.cacheBytes;
  if (device.bytesPerSecond > 0)
    limits.memory = {{0, device.bytesPerSecond}};
  return limits;
}

double Limits::leastSeconds(const Kernel &kernel) const {
  double rate = flopsPerSecond[static_cast<size_t>(kernel.unit)];
  double least = rate > 0 ? kernel.flops / rate : 0;
  for (auto level = memory.rbegin(); level != memory.rend(); ++level)
    if (level->bytes <= kernel.bytes)
      return std::max(least, std::max(0.0, kernel.bytes - cacheBytes) / level->bytesPerSecond);
  return least;
}

std::string Limits::toText() const {
  static constexpr const char *kNames[kUnitCount] = {"f32", "bf16 pairs", "bf16 matrices", "tensor cores",
                                                     "tensor cores, tf32"};
  std::string text;
  auto add = [&](double value, const char *unit, const std::string &name) {
    char number[60];
    std::snprintf(number, sizeof(number), "%s%.1f %s (", text.empty() ? "" : ", ", value / 1e9, unit);
    text += number + name + ")";
  };
  for (size_t i = 0; i < kUnitCount; ++i)
    if (flopsPerSecond[i] > 0)
      add(flopsPerSecond[i], "GFLOP/s", kNames[i]);
  if (!memory.empty())
    add(memory.back().bytesPerSecond, "GB/s", "memory");
  if (memory.size() > 1)
    add(memory.front().bytesPerSecond, "GB/s", "caches");
  return text;
}
