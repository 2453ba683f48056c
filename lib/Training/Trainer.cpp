//===- Trainer.cpp - The training loop ------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Trainer.h"

#include <chrono>
#include <cmath>

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

namespace {

/// The entry's inputs and outputs in host memory.
class StepBuffers {
public:
  explicit StepBuffers(const Entry &entry) {
    storage.reserve(entry.inputs.size());
    for (const Argument &input : entry.inputs) {
      if (input.role == "data") {
        storage.emplace_back(*byteCount(input.tensor));
        data.push_back(storage.back().data());
        inputs.push_back(storage.back().data());
      } else {
        inputs.push_back(input.role == "lr"     ? static_cast<const void *>(&lr)
                         : input.role == "step" ? static_cast<const void *>(&step)
                                                : static_cast<const void *>(&seed));
      }
    }
    for (const Argument &output : entry.outputs) {
      hasGradNorm |= output.role == "grad_norm";
      outputs.push_back(output.role == "loss" ? &loss : output.role == "grad_norm" ? &gradNorm : nullptr);
    }
  }

  float lr = 0, loss = NAN, gradNorm = NAN;
  int64_t step = 0, seed = 0;
  bool hasGradNorm = false;
  std::vector<void *> data;
  std::vector<const void *> inputs;
  std::vector<void *> outputs;

private:
  std::vector<std::vector<char>> storage;
};

} // namespace

/// Adds where in the data a value lies that the program cannot take.
static Error explain(Error error, const Executable &executable, const DataSource &data, uint64_t step,
                     const Entry &entry) {
  std::optional<DataFault> fault = executable.dataFault();
  if (!fault || entry.inputs[fault->input].role != "data")
    return error;
  size_t argument = 0;
  for (size_t i = 0; i < fault->input; ++i)
    argument += entry.inputs[i].role == "data";
  error.message = data.locate(step, argument, static_cast<uint64_t>(fault->position)) + ": " + error.message +
                  "; use data for this vocabulary, or a model with a larger one";
  return error;
}

Result<TrainResult> nova::train(Executable &executable, DataSource &data, const TrainOptions &options,
                                Progress &progress, LogFile *log, const StopSignals &signals) {
  std::optional<size_t> entryIndex = findEntry(executable.tables(), kTrainEntry);
  if (!entryIndex)
    return inputError(std::string("expected an entry '") + kTrainEntry + "' to train, found none");
  const Entry &entry = executable.tables().entries[*entryIndex];
  StepBuffers buffers(entry);
  buffers.seed = static_cast<int64_t>(options.seed);
  double tokens = static_cast<double>(tokensPerBatch(dataArguments(entry)));

  using Clock = std::chrono::steady_clock;
  TrainResult result;
  Record record;
  Clock::time_point memoryRead;
  bool saidNotFinite = false;
  result.secondsToFirstStep = processAge();
  for (uint64_t step = 0; step < options.schedule.steps; ++step) {
    Clock::time_point start = Clock::now();
    buffers.step = static_cast<int64_t>(step);
    buffers.lr = static_cast<float>(options.schedule.at(step));
    if (Result<void> filled = data.fill(step, buffers.data); !filled)
      return filled.error();
    if (Result<void> done = executable.run(*entryIndex, buffers.inputs, buffers.outputs); !done)
      return explain(done.error(), executable, data, step, entry);
    Clock::time_point end = Clock::now();

    record.step = step;
    record.loss = buffers.loss;
    record.lr = buffers.lr;
    if (buffers.hasGradNorm)
      record.gradNorm = buffers.gradNorm;
    record.stepMs = std::chrono::duration<double, std::milli>(end - start).count();
    record.tokensPerSecond = tokens * 1000 / record.stepMs;
    // Asking the system takes longer than the shortest steps.
    if (step == 0 || end - memoryRead > std::chrono::milliseconds(100)) {
      record.peakMemoryBytes = peakMemoryBytes();
      memoryRead = end;
    }
    result.losses.push_back(record.loss);
    result.stepMs.push_back(record.stepMs);
    if (!std::isfinite(record.loss) && !saidNotFinite) {
      progress.note("warning: the loss is " + std::to_string(record.loss) + " at step " + std::to_string(step + 1) +
                    "; a smaller --lr or a --warmup may help");
      saidNotFinite = true;
    }
    progress.show(record);
    if (log)
      if (Result<void> written = log->write(record); !written)
        return written.error();
    result.signal = signals.received();
    if (result.signal)
      break;
  }
  progress.finish();
  return result;
}
