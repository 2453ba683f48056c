//===- Summary.cpp - A run in one JSON object -----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Summary.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

using namespace nova;
using nlohmann::ordered_json;

/// Without the first two steps, which touch memory for the first time; with them when there are no others.
static std::optional<double> medianStepMs(std::vector<double> times) {
  if (times.empty())
    return std::nullopt;
  if (times.size() > 2)
    times.erase(times.begin(), times.begin() + 2);
  std::sort(times.begin(), times.end());
  size_t middle = times.size() / 2;
  return times.size() % 2 ? times[middle] : (times[middle - 1] + times[middle]) / 2;
}

static std::optional<double> meanOfLast(const std::vector<double> &values, size_t count) {
  if (values.empty())
    return std::nullopt;
  count = std::min(count, values.size());
  return std::accumulate(values.end() - static_cast<std::ptrdiff_t>(count), values.end(), 0.0) /
         static_cast<double>(count);
}

static ordered_json toJson(std::optional<double> value) {
  if (!value || !std::isfinite(*value))
    return nullptr;
  return *value;
}

std::string nova::summarize(const Executable &executable, const TrainResult &result, const SummaryInfo &info) {
  const Bundle &tables = executable.tables();
  DeviceInfo device = executable.device();
  auto option = [&](const char *name) {
    auto found = tables.options.find(name);
    return found == tables.options.end() ? ordered_json() : ordered_json(found->second);
  };
  uint64_t parameters = 0;
  for (const StateTensor &state : tables.state)
    if (state.role == StateTensor::Role::Parameter)
      parameters += *elementCount(state.tensor);
  Result<TrainPlan> plan = TrainPlan::of(tables);
  assert(plan && "the executable has been trained");
  uint64_t tokens = plan->tokensPerStep(tables);
  std::optional<double> stepMs = medianStepMs(result.stepMs);
  std::optional<double> first, last, tokensPerSecond;
  if (!result.losses.empty()) {
    first = result.losses.front();
    last = result.losses.back();
  }
  if (stepMs)
    tokensPerSecond = static_cast<double>(tokens) * 1000 / *stepMs;
  std::optional<double> bestLoss;
  ordered_json bestStep;
  if (result.best) {
    bestLoss = result.best->evalLoss;
    bestStep = result.best->step;
  }
  ordered_json cache;
  if (info.isCacheHit)
    cache = *info.isCacheHit ? "hit" : "miss";
  ordered_json summary = {{"version", info.version},
                          {"device", device.name},
                          {"chip", device.chip},
                          {"mode", option("mode")},
                          {"dtype", option("dtype")},
                          {"matmul_precision", option("matmul_precision")},
                          {"threads", device.threads},
                          {"steps", result.losses.size()},
                          {"tokens_per_step", tokens},
                          {"tokens_per_s", toJson(tokensPerSecond)},
                          {"step_ms", toJson(stepMs)},
                          {"first_loss", toJson(first)},
                          {"final_loss", toJson(last)},
                          {"mean_last_20_loss", toJson(meanOfLast(result.losses, 20))},
                          {"eval_loss", toJson(result.evalLoss)},
                          {"best_eval_loss", toJson(bestLoss)},
                          {"best_step", bestStep},
                          {"data_ms", result.dataMs},
                          {"start_s", result.secondsToFirstStep},
                          {"compile_s", info.compileSeconds},
                          {"cache", cache},
                          {"peak_memory_bytes", peakMemoryBytes()},
                          {"arena_bytes", tables.regionBytes[static_cast<size_t>(Region::Arena)]},
                          {"parameters", parameters},
                          {"kernels", tables.kernels.size()},
                          {"launches_per_step", plan->launchesPerStep(tables)}};
  return summary.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}
