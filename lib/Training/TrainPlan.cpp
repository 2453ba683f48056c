//===- TrainPlan.cpp - Which entries train a program ----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Trainer.h"

#include <cstdlib>

using namespace nova;

std::optional<size_t> nova::findEntry(const Bundle &tables, const std::string &name) {
  for (size_t i = 0; i < tables.entries.size(); ++i)
    if (tables.entries[i].name == name)
      return i;
  return std::nullopt;
}

std::vector<Argument> nova::dataArguments(const Entry &entry) {
  std::vector<Argument> arguments;
  for (const Argument &input : entry.inputs)
    if (input.role == "data")
      arguments.push_back(input);
  return arguments;
}

Result<TrainPlan> TrainPlan::of(const Bundle &tables) {
  TrainPlan plan;
  auto count = tables.options.find("accumulate");
  if (std::optional<size_t> step = findEntry(tables, kTrainEntry)) {
    if (count != tables.options.end() && count->second != "1")
      return usageError("expected a program whose gradients can be accumulated, found a train step that is built "
                        "already; leave --accumulate out");
    plan.gradient = *step;
    return plan;
  }
  std::optional<size_t> gradient = findEntry(tables, kGradientEntry);
  plan.update = findEntry(tables, kUpdateEntry);
  if (!gradient || !plan.update || count == tables.options.end())
    return usageError(std::string("expected an entry '") + kTrainEntry +
                      "' to train, found none; the program can only " + "be evaluated, without --steps");
  plan.gradient = *gradient;
  plan.microBatches = std::strtoull(count->second.c_str(), nullptr, 10);
  if (plan.microBatches == 0)
    return inputError("expected at least 1 micro-batch in a step, found '" + count->second + "'");
  return plan;
}

uint64_t TrainPlan::launchesPerStep(const Bundle &tables) const {
  return tables.entries[gradient].launches.size() * microBatches +
         (update ? tables.entries[*update].launches.size() : 0);
}

uint64_t TrainPlan::tokensPerStep(const Bundle &tables) const {
  return tokensPerBatch(dataArguments(tables.entries[gradient])) * microBatches;
}
