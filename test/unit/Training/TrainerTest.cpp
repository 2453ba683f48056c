//===- TrainerTest.cpp ----------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Trainer.h"
#include "FakeExecutable.h"
#include "Nova/Training/LogFile.h"
#include "Nova/Training/Plot.h"
#include "Nova/Training/Summary.h"
#include "TempFolder.h"

#include <cmath>
#include <csignal>
#include <gtest/gtest.h>
#include <malloc.h>
#include <nlohmann/json.hpp>
#include <set>

using namespace nova;

/// A train step (x, y: tensor<2x3xi32>, lr, step, seed) -> (loss, grad_norm) without kernels.
static FakeExecutable trainable() {
  Bundle bundle;
  bundle.options = {{"mode", "fused"}, {"dtype", "f32"}};
  bundle.state.push_back({{"w", DType::F32, {5, 2}}, StateTensor::Role::Parameter, {}, {}});
  bundle.regionBytes[static_cast<size_t>(Region::Arena)] = 640;
  Entry entry;
  entry.name = kTrainEntry;
  entry.inputs = {{{"x", DType::I32, {2, 3}}, "data", {}},
                  {{"lr", DType::F32, {}}, "lr", {}},
                  {{"y", DType::I32, {2, 3}}, "data", {}},
                  {{"step", DType::I64, {}}, "step", {}},
                  {{"seed", DType::I64, {}}, "seed", {}}};
  entry.outputs = {{{"grad_norm", DType::F32, {}}, "grad_norm", {}}, {{"loss", DType::F32, {}}, "loss", {}}};
  bundle.entries.push_back(entry);
  return FakeExecutable(std::move(bundle));
}

static const float &floatInput(const std::vector<const void *> &inputs, size_t i) {
  return *static_cast<const float *>(inputs[i]);
}
static int64_t integerInput(const std::vector<const void *> &inputs, size_t i) {
  return *static_cast<const int64_t *>(inputs[i]);
}
static void setOutputs(const std::vector<void *> &outputs, float norm, float loss) {
  *static_cast<float *>(outputs[0]) = norm;
  *static_cast<float *>(outputs[1]) = loss;
}

static Result<TrainResult> run(FakeExecutable &executable, uint64_t steps, FILE *out, TrainOptions options = {},
                               const std::string &data = "") {
  options.schedule = {Schedule::Kind::Constant, 0.5, 0, 2, steps};
  options.seed = 9;
  auto source =
      openData({data, DataFormat::Auto, DataOrder::Sequential, 9}, dataArguments(executable.bundle.entries[0]));
  EXPECT_TRUE(source);
  Progress progress({out, steps, 1, false});
  StopSignals signals;
  return train(executable, **source, options, progress, signals);
}

/// A stream that throws away what is written.
static FILE *nowhere() {
  static FILE *file = std::fopen("/dev/null", "w");
  return file;
}

TEST(Trainer, FeedsTheStepAndReadsItsLoss) {
  FakeExecutable executable = trainable();
  std::vector<int64_t> steps;
  std::vector<float> rates;
  executable.onRun = [&](const std::vector<const void *> &inputs, const std::vector<void *> &outputs) -> Result<void> {
    rates.push_back(floatInput(inputs, 1));
    steps.push_back(integerInput(inputs, 3));
    EXPECT_EQ(integerInput(inputs, 4), 9);
    EXPECT_EQ(static_cast<const int32_t *>(inputs[0])[1], static_cast<const int32_t *>(inputs[2])[0]);
    setOutputs(outputs, 0.25f, 4.0f - static_cast<float>(steps.size()));
    return {};
  };
  TempFolder folder;
  auto log = LogFile::create(folder.path("a.jsonl"));
  ASSERT_TRUE(log);
  TrainOptions options;
  options.sinks = {&*log};
  auto result = run(executable, 3, nowhere(), options);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->losses, (std::vector<double>{3, 2, 1}));
  EXPECT_EQ(steps, (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(rates, (std::vector<float>{0.25f, 0.5f, 0.5f}));
  EXPECT_EQ(result->signal, 0);
  std::istringstream lines(folder.read("a.jsonl"));
  std::string line;
  for (int step = 0; std::getline(lines, line); ++step) {
    auto record = nlohmann::json::parse(line);
    EXPECT_EQ(record["step"], step);
    EXPECT_EQ(record["loss"], 3 - step);
    EXPECT_EQ(record["grad_norm"], 0.25);
    EXPECT_GT(record["tokens_per_s"], 0);
    EXPECT_GT(record["peak_memory_bytes"], 0);
    EXPECT_TRUE(record["eval_loss"].is_null());
  }
}

TEST(Trainer, ASignalEndsTheRunAfterTheStep) {
  FakeExecutable executable = trainable();
  int runs = 0;
  executable.onRun = [&](const std::vector<const void *> &, const std::vector<void *> &outputs) -> Result<void> {
    setOutputs(outputs, 1, 1);
    if (++runs == 3)
      raise(SIGINT);
    return {};
  };
  auto result = run(executable, 100, nowhere());
  ASSERT_TRUE(result);
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(result->losses.size(), 3u);
  EXPECT_EQ(result->signal, SIGINT);
}

TEST(Trainer, ALossThatIsNoNumberIsSaidOnce) {
  FakeExecutable executable = trainable();
  executable.onRun = [&](const std::vector<const void *> &, const std::vector<void *> &outputs) -> Result<void> {
    setOutputs(outputs, 1, NAN);
    return {};
  };
  char *text = nullptr;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  auto result = run(executable, 5, out);
  std::fclose(out);
  std::string shown(text, size);
  free(text);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->losses.size(), 5u);
  size_t at = shown.find("warning: the loss is nan at step 1");
  EXPECT_NE(at, std::string::npos);
  EXPECT_EQ(shown.find("warning", at + 1), std::string::npos);
}

TEST(Trainer, AValueThatTheProgramRefusesIsNamedWithItsPlace) {
  TempFolder folder;
  std::string path = folder.write("t.txt", "abcdefghijklmnopqrstuvwxyz");
  FakeExecutable executable = trainable();
  executable.onRun = [&](const std::vector<const void *> &inputs, const std::vector<void *> &outputs) -> Result<void> {
    setOutputs(outputs, 1, 1);
    if (integerInput(inputs, 3) < 2)
      return {};
    executable.fault = DataFault{2, 4, 'r', 100};
    return inputError("a.mlir:1:1: kernel 'k': bad");
  };
  auto result = run(executable, 5, nowhere(), {}, path);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, path +
                                        ": token 17: a.mlir:1:1: kernel 'k': bad; use data for this vocabulary, or a "
                                        "model with a larger one");
}

TEST(Trainer, MicroBatchesMakeAStepOfTheirMean) {
  FakeExecutable executable = trainable();
  Entry &gradient = executable.bundle.entries[0];
  gradient.name = kGradientEntry;
  gradient.inputs[1] = {{"micro", DType::I64, {}}, "micro", {}};
  gradient.outputs.erase(gradient.outputs.begin());
  Entry update;
  update.name = kUpdateEntry;
  update.inputs = {{{"lr", DType::F32, {}}, "lr", {}}, {{"step", DType::I64, {}}, "step", {}}};
  update.outputs = {{{"grad_norm", DType::F32, {}}, "grad_norm", {}}};
  executable.bundle.entries.push_back(update);
  executable.bundle.options["accumulate"] = "3";
  std::string order;
  std::set<int32_t> firstTokens;
  executable.onRun = [&](const std::vector<const void *> &inputs, const std::vector<void *> &outputs) -> Result<void> {
    if (executable.lastEntry == 1) {
      order += 'u' + std::to_string(integerInput(inputs, 1));
      *static_cast<float *>(outputs[0]) = 0.5f;
      return {};
    }
    int64_t micro = integerInput(inputs, 1);
    order += std::to_string(micro);
    firstTokens.insert(*static_cast<const int32_t *>(inputs[0]));
    *static_cast<float *>(outputs[0]) = static_cast<float>(micro);
    return {};
  };
  auto result = run(executable, 2, nowhere());
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(order, "012u0012u1");
  EXPECT_EQ(result->losses, (std::vector<double>{1, 1}));
  EXPECT_GT(firstTokens.size(), 3u); // Each micro-batch has rows of its own.
}

TEST(Trainer, AWholeStepDoesNotAccumulate) {
  FakeExecutable executable = trainable();
  executable.bundle.options["accumulate"] = "4";
  auto result = run(executable, 1, nowhere());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::Usage);
  executable.bundle.options["accumulate"] = "1";
  EXPECT_TRUE(TrainPlan::of(executable.bundle));
}

TEST(Trainer, ARunStartsWhereAnotherStopped) {
  FakeExecutable executable = trainable();
  std::vector<int64_t> steps;
  std::vector<int32_t> tokens;
  executable.onRun = [&](const std::vector<const void *> &inputs, const std::vector<void *> &outputs) -> Result<void> {
    steps.push_back(integerInput(inputs, 3));
    tokens.push_back(*static_cast<const int32_t *>(inputs[0]));
    setOutputs(outputs, 1, 1);
    return {};
  };
  ASSERT_TRUE(run(executable, 5, nowhere()));
  std::vector<int32_t> whole = std::exchange(tokens, {});
  steps.clear();
  TrainOptions options;
  options.start.step = 3;
  ASSERT_TRUE(run(executable, 5, nowhere(), options));
  EXPECT_EQ(steps, (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(tokens, (std::vector<int32_t>{whole[3], whole[4]}));
}

/// Adds an entry that computes the loss alone.
static void addLoss(FakeExecutable &executable) {
  Entry loss;
  loss.name = "loss";
  loss.inputs = {executable.bundle.entries[0].inputs[0], executable.bundle.entries[0].inputs[2]};
  loss.outputs = {{{"loss", DType::F32, {}}, "loss", {}}};
  executable.bundle.entries.push_back(loss);
}

TEST(Trainer, EvaluatesNowAndThenAndAtTheEnd) {
  TempFolder folder;
  FakeExecutable executable = trainable();
  addLoss(executable);
  int evaluated = 0;
  executable.onRun = [&](const std::vector<const void *> &inputs, const std::vector<void *> &outputs) -> Result<void> {
    if (executable.lastEntry == 0)
      setOutputs(outputs, 1, 1);
    else
      *static_cast<float *>(outputs[0]) =
          static_cast<float>(*static_cast<const int32_t *>(inputs[0]) + 10 * evaluated++);
    return {};
  };
  // Two batches of 2 rows of 3, and the start of a third one.
  DataOptions data = {folder.write("e.txt", "\1.....\3......."), DataFormat::Auto, DataOrder::Random, 0};
  auto evaluation = Evaluation::create(executable, data, 50);
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  EXPECT_EQ(evaluation->batchCount(), 2u);
  auto log = LogFile::create(folder.path("a.jsonl"));
  TrainOptions options;
  options.sinks = {&*log};
  options.evaluation = &*evaluation;
  options.evalEvery = 2;
  auto result = run(executable, 5, nowhere(), options);
  ASSERT_TRUE(result) << result.error().message;
  std::vector<double> losses;
  std::istringstream lines(folder.read("a.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    auto loss = nlohmann::json::parse(line)["eval_loss"];
    losses.push_back(loss.is_null() ? -1 : loss.get<double>());
  }
  // (1 + 13) / 2, then both 20 more each time.
  EXPECT_EQ(losses, (std::vector<double>{-1, 7, -1, 27, 47}));
  EXPECT_EQ(result->best->step, 2u);
  EXPECT_EQ(result->best->evalLoss, 7);
  EXPECT_EQ(result->evalLoss, 47);
}

TEST(Trainer, WhatIsNotFiniteIsNeverTheBest) {
  const double inf = INFINITY, nan = NAN;
  struct Case {
    std::vector<double> evaluations;
    uint64_t bestStep; ///< 0: none
    std::optional<RunState::Best> before;
  };
  const Case cases[] = {{{nan, 0.5, 0.25}, 3, {}},
                        {{nan, nan, nan}, 0, {}},
                        {{inf, inf, 2}, 3, {}},
                        {{-inf, 1, nan}, 2, {}},
                        {{1, nan, 2}, 1, {}},
                        {{1, nan, 0.5}, 3, {}},
                        {{nan, inf, -inf}, 0, {}},
                        {{1, 1, 1}, 1, {}},
                        {{nan, 3, 2}, 3, {}},
                        {{nan, 3, 2}, 7, RunState::Best{7, 1.5}},
                        {{nan, nan, 1}, 3, RunState::Best{7, 1.5}}};
  for (const Case &test : cases) {
    TempFolder folder;
    FakeExecutable executable = trainable();
    addLoss(executable);
    size_t evaluated = 0;
    executable.onRun = [&](const std::vector<const void *> &, const std::vector<void *> &outputs) -> Result<void> {
      if (executable.lastEntry == 0)
        setOutputs(outputs, 1, 1);
      else
        *static_cast<float *>(outputs[0]) = static_cast<float>(test.evaluations[evaluated++]);
      return {};
    };
    auto evaluation = Evaluation::create(
        executable, {folder.write("e.txt", "abcdefghij"), DataFormat::Auto, DataOrder::Random, 0}, 1);
    auto checkpoints = CheckpointFolder::open(folder.path("c"), 0, 5);
    ASSERT_TRUE(evaluation && checkpoints);
    TrainOptions options;
    options.evaluation = &*evaluation;
    options.evalEvery = 1;
    options.checkpoints = &*checkpoints;
    options.start.best = test.before;
    auto result = run(executable, 3, nowhere(), options);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->best ? result->best->step : 0, test.bestStep);
    // The link names it, where it is one of this run.
    std::string link = folder.path("c/best");
    EXPECT_EQ(std::filesystem::is_symlink(link), test.bestStep > 0 && test.bestStep <= 3);
    if (std::filesystem::is_symlink(link))
      EXPECT_EQ(std::filesystem::read_symlink(link).string(), "step-0000000" + std::to_string(test.bestStep));
  }
}

TEST(Trainer, WithoutALossOfItsOwnNothingIsEvaluated) {
  FakeExecutable executable = trainable();
  auto evaluation = Evaluation::create(executable, {}, 1);
  ASSERT_FALSE(evaluation);
  EXPECT_EQ(evaluation.error().kind, ErrorKind::Usage);
}

TEST(Trainer, MemoryAndHandlesStayFlat) {
  FakeExecutable executable = trainable();
  addLoss(executable);
  TempFolder folder;
  folder.write("t.txt", "abcdefghijklmnopqrstuvwxyz");
  executable.onRun = [&](const std::vector<const void *> &, const std::vector<void *> &outputs) -> Result<void> {
    *static_cast<float *>(outputs[executable.lastEntry == 0]) = 1;
    return {};
  };
  auto handles = [] {
    auto list = std::filesystem::directory_iterator("/proc/self/fd");
    return std::distance(begin(list), end(list));
  };
  auto evaluation = Evaluation::create(executable, {folder.path("t.txt"), DataFormat::Auto, DataOrder::Random, 0}, 1);
  auto log = LogFile::create(folder.path("a.csv"));
  auto checkpoints = CheckpointFolder::open(folder.path("c"), 0, 2);
  ASSERT_TRUE(evaluation && log && checkpoints);
  Plot plot;
  TrainOptions options;
  options.sinks = {&*log, &plot};
  options.evaluation = &*evaluation;
  options.evalEvery = 50;
  options.checkpoints = &*checkpoints;
  options.checkpointEvery = 500;
  nowhere(); // It stays open once it is.
  auto before = handles();
  ASSERT_TRUE(run(executable, 200, nowhere(), options));
  struct mallinfo2 first = mallinfo2();
  options.start.step = 200;
  auto result = run(executable, 2200, nowhere(), options);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(handles(), before);
  // Two numbers a step are kept, and lists grow by doubling.
  EXPECT_LT(mallinfo2().uordblks, first.uordblks + 200'000);
}

TEST(Trainer, OnlyATrainStepTrains) {
  FakeExecutable executable = trainable();
  executable.bundle.entries[0].name = "loss";
  auto result = run(executable, 1, nowhere());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "expected an entry 'train_step' to train, found none; the program can only be "
                                    "evaluated, without --steps");
}

TEST(Summary, SaysWhatTheContractNames) {
  FakeExecutable executable = trainable();
  executable.bundle.entries[0].launches.resize(7);
  executable.bundle.kernels.resize(4);
  TrainResult result;
  for (int i = 0; i < 30; ++i) {
    result.losses.push_back(30 - i);
    result.stepMs.push_back(i < 2 ? 1000 : 10 + i % 2);
  }
  result.secondsToFirstStep = 0.25;
  auto summary = nlohmann::json::parse(summarize(executable, result, {"0.1.0", 1.5, false}));
  EXPECT_EQ(summary["version"], "0.1.0");
  EXPECT_EQ(summary["device"], "fake");
  EXPECT_EQ(summary["mode"], "fused");
  EXPECT_EQ(summary["dtype"], "f32");
  EXPECT_EQ(summary["threads"], 1);
  EXPECT_EQ(summary["steps"], 30);
  EXPECT_EQ(summary["tokens_per_step"], 6);
  EXPECT_EQ(summary["step_ms"], 10.5); // The median, without the first two.
  EXPECT_NEAR(summary["tokens_per_s"].get<double>(), 6000 / 10.5, 1e-9);
  EXPECT_EQ(summary["first_loss"], 30);
  EXPECT_EQ(summary["final_loss"], 1);
  EXPECT_EQ(summary["mean_last_20_loss"], 10.5);
  EXPECT_EQ(summary["start_s"], 0.25);
  EXPECT_EQ(summary["compile_s"], 1.5);
  EXPECT_EQ(summary["cache"], "miss");
  EXPECT_EQ(summary["arena_bytes"], 640);
  EXPECT_EQ(summary["parameters"], 10);
  EXPECT_EQ(summary["kernels"], 4);
  EXPECT_EQ(summary["launches_per_step"], 7);
  EXPECT_GT(summary["peak_memory_bytes"], 0);
  EXPECT_TRUE(nlohmann::json::parse(summarize(executable, result, {"0.1.0", 0, std::nullopt}))["cache"].is_null());
}
