//===- BatchLoaderTest.cpp ------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/BatchLoader.h"

#include <atomic>
#include <gtest/gtest.h>

using namespace nova;

namespace {

/// Batches that hold their number; from `failAt` on there are none.
class NumberedData final : public DataSource {
public:
  explicit NumberedData(uint64_t failAt = UINT64_MAX) : failAt(failAt) {}

  Result<void> fill(uint64_t batch, const std::vector<void *> &buffers) override {
    if (isFilling.exchange(true))
      return inputError("two at a time");
    if (batch >= failAt)
      return inputError("no batch " + std::to_string(batch));
    *static_cast<int64_t *>(buffers[0]) = static_cast<int64_t>(batch);
    std::this_thread::sleep_for(cost);
    filledByCaller += std::this_thread::get_id() == caller;
    ++filled;
    isFilling = false;
    return {};
  }
  std::string locate(uint64_t, size_t, uint64_t) const override { return ""; }
  uint64_t batchesInSequence() const override { return UINT64_MAX; }
  std::string extent() const override { return ""; }

  uint64_t failAt;
  std::chrono::milliseconds cost{0};
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<uint64_t> filledByCaller{0};
  std::atomic<bool> isFilling{false};
  std::atomic<uint64_t> filled{0};
};

} // namespace

static std::vector<Argument> numberArgument() { return {{{"n", DType::I64, {}}, "data", {}, 0}}; }

TEST(BatchLoader, GivesBatchesInOrderAndNoMore) {
  NumberedData data;
  {
    BatchLoader loader(data, numberArgument(), 5, 505);
    for (int64_t batch = 5; batch < 505; ++batch) {
      auto buffers = loader.next();
      ASSERT_TRUE(buffers) << buffers.error().message;
      EXPECT_EQ(*static_cast<int64_t *>((**buffers)[0]), batch);
    }
  }
  EXPECT_EQ(data.filled, 500u);
}

TEST(BatchLoader, PreparesTheNextBatchMeanwhile) {
  NumberedData data;
  data.cost = std::chrono::milliseconds(1);
  BatchLoader loader(data, numberArgument(), 0, 10);
  ASSERT_TRUE(loader.next());
  for (int i = 0; i < 5000 && data.filled < 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(data.filled, 2u); // One ahead, and not more.
}

TEST(BatchLoader, BatchesThatCostNothingTakeNoThread) {
  NumberedData data;
  BatchLoader loader(data, numberArgument(), 0, 1000);
  for (int i = 0; i < 1000; ++i)
    ASSERT_TRUE(loader.next());
  EXPECT_GT(data.filledByCaller, 500u); // All but the first, where the machine is not busy.
}

TEST(BatchLoader, HandsErrorsOn) {
  NumberedData data(2);
  BatchLoader loader(data, numberArgument(), 0, 10);
  ASSERT_TRUE(loader.next());
  ASSERT_TRUE(loader.next());
  auto failed = loader.next();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no batch 2");
}

TEST(BatchLoader, MayBeLeftUnused) {
  NumberedData data;
  BatchLoader full(data, numberArgument(), 0, 10);
  NumberedData none;
  BatchLoader empty(none, numberArgument(), 3, 3);
}
