//===- ThreadPool.cpp - Threads that run the blocks of kernels ------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The word `state` is generation << 17 | open << 16 | workers inside. A worker joins a job by incrementing the word it
// read: that fails when the job was closed meanwhile. The caller closes the job when no blocks are left and waits
// until nobody is inside; only then may the job's fields change.
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/ThreadPool.h"

#include <algorithm>
#include <immintrin.h>
#include <sched.h>
#include <system_error>

using namespace nova;

static constexpr uint64_t kInsideMask = 0xffff, kOpen = 0x10000;
static constexpr unsigned kGenerationShift = 17;

/// A few milliseconds: longer than what the training loop does between two steps.
static constexpr unsigned kSpins = 200'000;
/// Chunks per thread: enough to even out blocks of unequal cost, few enough to keep the counter cheap.
static constexpr int64_t kChunksPerThread = 8;

unsigned nova::availableCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return static_cast<unsigned>(CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

Result<std::unique_ptr<ThreadPool>> ThreadPool::create(unsigned threads) {
  std::unique_ptr<ThreadPool> pool(new ThreadPool);
  // With more threads than CPUs, a thread that spins takes the CPU from one that has work.
  pool->spins = threads <= availableCpus() ? kSpins : 0;
  pool->workers.reserve(threads);
  try {
    for (unsigned worker = 1; worker < threads; ++worker)
      pool->workers.emplace_back([raw = pool.get(), worker] { raw->workerLoop(worker); });
  } catch (const std::system_error &error) {
    return deviceError("cannot start thread " + std::to_string(pool->workers.size() + 1) + " of " +
                       std::to_string(threads) + ": " + error.what() + "; use fewer with --threads");
  }
  return pool;
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isStopping = true;
  }
  wake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::runChunks(unsigned worker) {
  for (;;) {
    int64_t first = next.fetch_add(chunk, std::memory_order_relaxed);
    if (first >= count)
      return;
    body(context, worker, first, std::min(first + chunk, count));
  }
}

void ThreadPool::run(int64_t count, const void *context, Body body) {
  if (count <= 0)
    return;
  if (count == 1 || workers.empty())
    return body(context, 0, 0, count);

  this->context = context;
  this->body = body;
  this->count = count;
  chunk = std::max<int64_t>(1, count / (threads() * kChunksPerThread));
  next.store(0, std::memory_order_relaxed);
  uint64_t generation = (state.load(std::memory_order_relaxed) >> kGenerationShift) + 1;
  // Sequentially consistent, as is the worker's pair "count as sleeper, look at state": one of the two sees the other.
  state.store(generation << kGenerationShift | kOpen);
  if (sleepers.load() > 0) {
    {
      std::lock_guard<std::mutex> lock(mutex);
    }
    wake.notify_all();
  }
  runChunks(0);
  state.fetch_and(~kOpen, std::memory_order_relaxed);
  for (unsigned tries = 0; state.load(std::memory_order_acquire) & kInsideMask; ++tries) {
    // A worker that has lost its CPU gets a chance to come back.
    if (tries >= spins / 16)
      sched_yield();
    else
      _mm_pause();
  }
}

/// The state of a job other than `seen`; anything when the pool is stopping.
uint64_t ThreadPool::waitForJobAfter(uint64_t seen) {
  for (unsigned i = 0; i < spins; ++i) {
    uint64_t now = state.load(std::memory_order_acquire);
    if (now >> kGenerationShift != seen || isStopping.load(std::memory_order_relaxed))
      return now;
    _mm_pause();
  }
  std::unique_lock<std::mutex> lock(mutex);
  ++sleepers;
  uint64_t now = seen;
  wake.wait(lock, [&] {
    now = state.load();
    return now >> kGenerationShift != seen || isStopping;
  });
  --sleepers;
  return now;
}

void ThreadPool::workerLoop(unsigned worker) {
  uint64_t seen = 0;
  while (!isStopping) {
    uint64_t now = waitForJobAfter(seen);
    seen = now >> kGenerationShift;
    // Others join at the same time: try again until in, or too late.
    while (now & kOpen && now >> kGenerationShift == seen) {
      if (!state.compare_exchange_weak(now, now + 1, std::memory_order_acquire))
        continue;
      runChunks(worker);
      state.fetch_sub(1, std::memory_order_release);
      break;
    }
  }
}
