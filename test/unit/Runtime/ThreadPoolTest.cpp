//===- ThreadPoolTest.cpp -------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/ThreadPool.h"

#include <chrono>
#include <gtest/gtest.h>

using namespace nova;

static std::unique_ptr<ThreadPool> poolOf(unsigned threads) {
  auto pool = ThreadPool::create(threads);
  EXPECT_TRUE(pool);
  return std::move(*pool);
}

TEST(ThreadPool, EveryBlockRunsOnceWhateverTheThreads) {
  for (unsigned threads : {1u, 2u, 3u, 8u}) {
    auto pool = poolOf(threads);
    EXPECT_EQ(pool->threads(), threads);
    for (int64_t count : {0, 1, 2, 7, 100, 10000}) {
      std::vector<std::atomic<int>> runs(count);
      pool->parallelFor(count, [&](unsigned worker, int64_t first, int64_t last) {
        ASSERT_LT(worker, threads);
        ASSERT_LT(first, last);
        for (int64_t i = first; i < last; ++i)
          ++runs[i];
      });
      for (const std::atomic<int> &times : runs)
        ASSERT_EQ(times, 1);
    }
  }
}

TEST(ThreadPool, EachWorkerSeesAscendingRanges) {
  auto pool = poolOf(4);
  std::vector<int64_t> lastSeen(4, -1);
  pool->parallelFor(10000, [&](unsigned worker, int64_t first, int64_t) {
    EXPECT_GT(first, lastSeen[worker]);
    lastSeen[worker] = first;
  });
}

TEST(ThreadPool, ManyShortJobsInARow) {
  auto pool = poolOf(2);
  std::vector<int64_t> values(64);
  for (int round = 0; round < 20000; ++round)
    pool->parallelFor(64, [&](unsigned, int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i)
        ++values[i]; // Each job sees what the one before wrote.
    });
  for (int64_t value : values)
    EXPECT_EQ(value, 20000);
}

TEST(ThreadPool, ParkedWorkersWakeUp) {
  // More threads than CPUs park at once.
  auto pool = poolOf(availableCpus() + 2);
  for (int round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::atomic<int> blocks{0};
    std::atomic<unsigned> workers{0};
    pool->parallelFor(64, [&](unsigned worker, int64_t first, int64_t last) {
      blocks += static_cast<int>(last - first);
      workers |= 1u << worker;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    EXPECT_EQ(blocks, 64);
    if (round > 0)
      EXPECT_NE(workers & ~1u, 0u);
  }
}
