//===- RunsUnderWayTest.cpp -----------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Training on a device that works on its own: what the host begins, and when it waits.
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Trainer.h"

#include <csignal>
#include <deque>
#include <gtest/gtest.h>

using namespace nova;

namespace {

/// Two runs may be under way. A run's loss is its learning rate; `trace` holds what was asked for.
class Device final : public Executable {
public:
  Device() {
    Entry entry;
    entry.name = kTrainEntry;
    entry.inputs = {{{"x", DType::I32, {2, 3}}, "data", {}},
                    {{"y", DType::I32, {2, 3}}, "data", {}},
                    {{"lr", DType::F32, {}}, "lr", {}},
                    {{"step", DType::I64, {}}, "step", {}},
                    {{"seed", DType::I64, {}}, "seed", {}}};
    entry.outputs = {{{"loss", DType::F32, {}}, "loss", {}}};
    bundle.entries.push_back(entry);
  }

  const Bundle &tables() const override { return bundle; }
  DeviceInfo device() const override { return {"fake", "none", 0}; }
  Result<void> writeState(size_t, const void *) override { return {}; }
  Result<void> readState(size_t, void *) override { return {}; }
  Result<void> run(size_t entry, const std::vector<const void *> &inputs, const std::vector<void *> &outputs) override {
    Result<void> begun = begin(entry, inputs, outputs);
    return begun ? finish() : begun;
  }
  unsigned maxRunsInFlight() const override { return 2; }
  Result<void> begin(size_t, const std::vector<const void *> &inputs, const std::vector<void *> &outputs) override {
    int64_t step = *static_cast<const int64_t *>(inputs[3]);
    trace += "b" + std::to_string(step) + " ";
    underWay.push_back({step, *static_cast<const float *>(inputs[2]), outputs[0]});
    EXPECT_LE(underWay.size(), maxRunsInFlight());
    return {};
  }
  Result<void> finish() override {
    Run run = underWay.front();
    underWay.pop_front();
    trace += "f" + std::to_string(run.step) + " ";
    if (run.step == signalAt)
      raise(SIGINT);
    if (run.step == failAt)
      return deviceError("lost");
    *static_cast<float *>(run.loss) = run.rate;
    return {};
  }

  std::string trace;
  int64_t signalAt = -1, failAt = -1;

private:
  struct Run {
    int64_t step;
    float rate;
    void *loss;
  };
  Bundle bundle;
  std::deque<Run> underWay;
};

} // namespace

static Result<TrainResult> train(Device &device, uint64_t steps) {
  TrainOptions options;
  options.schedule = {Schedule::Kind::Constant, 0.5, 0, 2, steps};
  options.seed = 9;
  auto source = openData({"", DataFormat::Auto, DataOrder::Random, 9}, dataArguments(device.tables().entries[0]));
  EXPECT_TRUE(source);
  FILE *nowhere = std::fopen("/dev/null", "w");
  Progress progress({nowhere, steps, 1, true});
  StopSignals signals;
  Result<TrainResult> result = nova::train(device, **source, options, progress, signals);
  std::fclose(nowhere);
  return result;
}

TEST(RunsUnderWay, TheNextStepIsBegunBeforeTheHostWaits) {
  Device device;
  auto result = train(device, 4);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(device.trace, "b0 b1 f0 b2 f1 b3 f2 f3 ");
  EXPECT_EQ(result->losses, (std::vector<double>{0.25, 0.5, 0.5, 0.5}));
}

TEST(RunsUnderWay, ASignalEndsTheRunWithWhatWasBegun) {
  Device device;
  device.signalAt = 1;
  auto result = train(device, 100);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(device.trace, "b0 b1 f0 b2 f1 f2 ");
  EXPECT_EQ(result->losses.size(), 3u);
  EXPECT_EQ(result->signal, SIGINT);
}

TEST(RunsUnderWay, AnErrorIsTheStepsWhoseRunFailed) {
  Device device;
  device.failAt = 1;
  auto result = train(device, 100);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "lost");
  EXPECT_EQ(device.trace, "b0 b1 f0 b2 f1 ");
}
