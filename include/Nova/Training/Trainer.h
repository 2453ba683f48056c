//===- Trainer.h - The training loop ----------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_TRAINER_H
#define NOVA_TRAINING_TRAINER_H

#include "Nova/Training/Checkpoint.h"
#include "Nova/Training/Evaluation.h"
#include "Nova/Training/Process.h"
#include "Nova/Training/Progress.h"
#include "Nova/Training/Record.h"
#include "Nova/Training/Schedule.h"
#include "Nova/Training/Trace.h"

#include <optional>
#include <vector>

namespace nova {

/// The entries that Training runs: a step as a whole; or, where gradients are accumulated, one for each micro-batch and
/// one for the update after them.
constexpr char kTrainEntry[] = "train_step";
constexpr char kGradientEntry[] = "gradient_step";
constexpr char kUpdateEntry[] = "update_step";

/// Index of an entry, or nothing.
std::optional<size_t> findEntry(const Bundle &tables, const std::string &name);

/// The inputs of an entry that data feeds.
std::vector<Argument> dataArguments(const Entry &entry);

/// How a program is trained: the entries by their indices, and how often the first one runs in a step.
struct TrainPlan {
  size_t gradient = 0;          ///< the train step itself where there is no update
  std::optional<size_t> update; ///< with accumulation
  uint64_t microBatches = 1;

  /// Fails where the tables have nothing to train.
  static Result<TrainPlan> of(const Bundle &tables);

  uint64_t launchesPerStep(const Bundle &tables) const;
  /// Of all micro-batches.
  uint64_t tokensPerStep(const Bundle &tables) const;
};

struct TrainOptions {
  Schedule schedule; ///< with the number of steps
  uint64_t seed = 0;

  /// Where an earlier run stopped; its best evaluation is to be beaten.
  RunState start;

  /// Evaluates after every so many steps, and after the last one; null: never.
  Evaluation *evaluation = nullptr;
  uint64_t evalEvery = 0;

  /// Saves after every so many steps (0: never), after the last one, after a signal, and where an evaluation was the
  /// best so far; null: never.
  CheckpointFolder *checkpoints = nullptr;
  uint64_t checkpointEvery = 0;

  std::vector<RecordSink *> sinks;
  Trace *trace = nullptr; ///< of what the host does; null: none
};

struct TrainResult {
  std::vector<double> losses; ///< of the steps of this run
  std::vector<double> stepMs;
  std::optional<double> evalLoss; ///< the last one
  std::optional<RunState::Best> best;
  double dataMs = 0;             ///< spent on waiting for batches, in all
  double secondsToFirstStep = 0; ///< since the process was started
  int signal = 0;                ///< the signal that ended the run early, or 0
};

/// Runs the steps from `start` on. Every step is shown and handed to the sinks; a signal ends the run after the current
/// one. An error of a run that has saved checkpoints names the last one.
Result<TrainResult> train(Executable &executable, DataSource &data, const TrainOptions &options, Progress &progress,
                          const StopSignals &signals);

} // namespace nova

#endif // NOVA_TRAINING_TRAINER_H
