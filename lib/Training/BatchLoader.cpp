//===- BatchLoader.cpp - Batches prepared ahead ---------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/BatchLoader.h"

#include <chrono>

using namespace nova;
using Clock = std::chrono::steady_clock;

/// Longer than it takes to wake a thread up and to wait for it.
static constexpr std::chrono::microseconds kHandover{100};

BatchLoader::BatchLoader(DataSource &source, const std::vector<Argument> &arguments, uint64_t first, uint64_t end)
    : source(source), batch(first), end(end) {
  for (Slot &slot : slots)
    for (const Argument &argument : arguments) {
      slot.storage.emplace_back(*byteCount(argument.tensor));
      slot.buffers.push_back(slot.storage.back().data());
    }
  work = first < end ? Work::Offered : Work::None;
  thread = std::thread([this] { loop(); });
}

BatchLoader::~BatchLoader() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isStopping = true;
  }
  changed.notify_all();
  thread.join();
}

/// Without the lock: whoever took the work has the source and the slot to itself.
void BatchLoader::fillNext() {
  Clock::time_point start = Clock::now();
  slots[batch % 2].filled = source.fill(batch, slots[batch % 2].buffers);
  isWorthAThread = Clock::now() - start > kHandover;
}

void BatchLoader::loop() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return isStopping || work == Work::Offered; });
    if (isStopping)
      return;
    work = Work::Taken;
    lock.unlock();
    fillNext();
    lock.lock();
    work = Work::Done;
    changed.notify_all();
  }
}

Result<const std::vector<void *> *> BatchLoader::next() {
  Slot &slot = slots[batch % 2];
  bool isOffered;
  {
    std::unique_lock<std::mutex> lock(mutex);
    if (work == Work::Offered || work == Work::None) {
      work = Work::Taken;
      lock.unlock();
      fillNext();
      lock.lock();
    } else {
      changed.wait(lock, [this] { return work == Work::Done; });
    }
    ++batch;
    // After an error nobody asks again; the last batch has no next one.
    isOffered = slot.filled && batch < end && isWorthAThread;
    work = isOffered ? Work::Offered : Work::None;
  }
  if (isOffered)
    changed.notify_all();
  if (!slot.filled)
    return slot.filled.error();
  return const_cast<const std::vector<void *> *>(&slot.buffers);
}
