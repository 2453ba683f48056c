//===- Evaluation.cpp - The loss on other data ----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Evaluation.h"

#include "EntryCall.h"
#include "Nova/Training/BatchLoader.h"
#include "Nova/Training/Trainer.h"

#include <algorithm>

using namespace nova;

/// The entry that takes the batch, and what its random numbers depend on, and gives the loss alone.
static std::optional<size_t> findLossEntry(const Bundle &tables) {
  auto name = tables.options.find("entry");
  std::optional<size_t> found = findEntry(tables, name == tables.options.end() ? "loss" : name->second);
  if (!found)
    return std::nullopt;
  const Entry &entry = tables.entries[*found];
  bool takesData = std::all_of(entry.inputs.begin(), entry.inputs.end(), [](const Argument &input) {
    return input.role == "data" || input.role == "seed" || input.role == "step";
  });
  bool givesLoss = entry.outputs.size() == 1 && entry.outputs[0].role == "loss";
  return takesData && givesLoss ? found : std::nullopt;
}

Result<Evaluation> Evaluation::create(Executable &executable, const DataOptions &data, uint64_t batches) {
  std::optional<size_t> entry = findLossEntry(executable.tables());
  if (!entry)
    return usageError(
        "expected a program whose loss can be computed alone, found one without such a function; make the "
        "train step from the program again, or leave --eval-data out");
  Evaluation evaluation(executable, *entry);
  evaluation.arguments = dataArguments(executable.tables().entries[*entry]);
  DataOptions options = data;
  options.order = DataOrder::Sequential;
  Result<std::unique_ptr<DataSource>> source = openData(options, evaluation.arguments);
  if (!source)
    return source.error();
  evaluation.source = std::move(*source);
  evaluation.batches = std::min(batches, evaluation.source->batchesInSequence());
  return evaluation;
}

Result<double> Evaluation::run() {
  StepScalars scalars;
  EntryCall call(executable, entry, scalars);
  BatchLoader loader(*source, arguments, 0, batches);
  double sum = 0;
  for (uint64_t batch = 0; batch < batches; ++batch) {
    scalars.step = static_cast<int64_t>(batch); // Random numbers are the same each time, so that losses compare.
    Result<const std::vector<void *> *> buffers = loader.next();
    if (!buffers)
      return buffers.error();
    if (Result<void> done = call.run(*source, batch, **buffers); !done)
      return done.error();
    sum += scalars.loss;
  }
  return sum / static_cast<double>(batches);
}
