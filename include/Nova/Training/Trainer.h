//===- Trainer.h - The training loop ----------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_TRAINER_H
#define NOVA_TRAINING_TRAINER_H

#include "Nova/Runtime/Executable.h"
#include "Nova/Training/Data.h"
#include "Nova/Training/LogFile.h"
#include "Nova/Training/Process.h"
#include "Nova/Training/Progress.h"
#include "Nova/Training/Schedule.h"

#include <optional>
#include <vector>

namespace nova {

/// The entry that Training runs.
constexpr char kTrainEntry[] = "train_step";

/// Index of an entry, or nothing.
std::optional<size_t> findEntry(const Bundle &tables, const std::string &name);

/// The inputs of an entry that data feeds.
std::vector<Argument> dataArguments(const Entry &entry);

struct TrainOptions {
  Schedule schedule; ///< with the number of steps
  uint64_t seed = 0;
};

struct TrainResult {
  std::vector<double> losses;
  std::vector<double> stepMs;
  double secondsToFirstStep = 0; ///< since the process was started
  int signal = 0;                ///< the signal that ended the run early, or 0
};

/// Runs the steps. Every step is shown and logged; a signal ends the run after the current one.
Result<TrainResult> train(Executable &executable, DataSource &data, const TrainOptions &options, Progress &progress,
                          LogFile *log, const StopSignals &signals);

} // namespace nova

#endif // NOVA_TRAINING_TRAINER_H
