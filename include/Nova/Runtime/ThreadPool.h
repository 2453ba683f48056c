//===- ThreadPool.h - Threads that run the blocks of kernels ----*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A train step is hundreds of launches of some microseconds: threads that sleep in between would cost more than the
// work. Workers spin for a while after each job and then park. A job never waits for a thread that is not there: the
// caller starts at once, workers join as they come, and the job ends when the blocks are done and the joined have
// left, so that a core shared with another process costs its share and no more.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_RUNTIME_THREADPOOL_H
#define NOVA_RUNTIME_THREADPOOL_H

#include "Nova/Support/Result.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace nova {

/// CPUs that this process may run on.
unsigned availableCpus();

class ThreadPool {
public:
  /// `threads` counts the calling thread, which works too.
  static Result<std::unique_ptr<ThreadPool>> create(unsigned threads);
  ~ThreadPool();

  unsigned threads() const { return static_cast<unsigned>(workers.size()) + 1; }

  /// Calls body(worker, first, last) until [0, count) is done, each worker (0 to threads() - 1) with ascending ranges.
  /// Which worker gets which range is a matter of chance. One job at a time, from the thread that made the pool.
  template <typename BodyFn> void parallelFor(int64_t count, const BodyFn &body) {
    run(count, &body, [](const void *context, unsigned worker, int64_t first, int64_t last) {
      (*static_cast<const BodyFn *>(context))(worker, first, last);
    });
  }

private:
  using Body = void (*)(const void *context, unsigned worker, int64_t first, int64_t last);

  ThreadPool() = default;
  void run(int64_t count, const void *context, Body body);
  void runChunks(unsigned worker);
  void workerLoop(unsigned worker);
  uint64_t waitForJobAfter(uint64_t seen);

  // The job; written only while `state` is closed and nobody is inside.
  const void *context = nullptr;
  Body body = nullptr;
  int64_t count = 0;
  int64_t chunk = 1;

  /// Generation of the job, whether it may be joined, and how many workers are inside (see ThreadPool.cpp).
  alignas(64) std::atomic<uint64_t> state{0};
  alignas(64) std::atomic<int64_t> next{0};
  alignas(64) std::atomic<unsigned> sleepers{0};
  std::atomic<bool> isStopping{false};
  std::mutex mutex;
  std::condition_variable wake;
  unsigned spins = 0;
  std::vector<std::thread> workers;
};

} // namespace nova

#endif // NOVA_RUNTIME_THREADPOOL_H
