//===- BatchLoader.h - Batches prepared ahead -------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_BATCHLOADER_H
#define NOVA_TRAINING_BATCHLOADER_H

#include "Nova/Training/Data.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace nova {

/// Batches in order. While one is in use, the next is prepared on a thread of its own; where that thread has not come
/// to run yet, `next` does its work, so that a busy machine waits for nobody. Batches that are prepared sooner than
/// handed over, as where a few tokens are copied from memory, take no thread.
class BatchLoader {
public:
  /// Batches `first` to `end` - 1 of the source, which nobody else uses meanwhile.
  BatchLoader(DataSource &source, const std::vector<Argument> &arguments, uint64_t first, uint64_t end);
  ~BatchLoader();
  BatchLoader(const BatchLoader &) = delete;

  /// The next batch, a buffer per argument, valid until the next call; to be called at most `end` - `first` times.
  Result<const std::vector<void *> *> next();

private:
  struct Slot {
    std::vector<std::vector<char>> storage;
    std::vector<void *> buffers;
    Result<void> filled;
  };
  /// None is for `next` to do, where there is a batch to come.
  enum class Work { None, Offered, Taken, Done };

  void loop();
  void fillNext();

  DataSource &source;
  uint64_t batch; ///< that `next` returns next
  uint64_t end;
  Slot slots[2]; ///< batch b is in slot b % 2

  std::mutex mutex;
  std::condition_variable changed;
  Work work = Work::None; ///< on `batch`
  bool isWorthAThread = true;
  bool isStopping = false;
  std::thread thread;
};

} // namespace nova

#endif // NOVA_TRAINING_BATCHLOADER_H
