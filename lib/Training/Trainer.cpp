//===- Trainer.cpp - The training loop ------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Trainer.h"

#include "EntryCall.h"
#include "Nova/Training/BatchLoader.h"

#include <chrono>
#include <cmath>

using namespace nova;
using Clock = std::chrono::steady_clock;

static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

//===----------------------------------------------------------------------===//
// One step
//===----------------------------------------------------------------------===//

namespace {

/// Runs the entries of a step, for one micro-batch after the other. On a device that works on its own, a step of one
/// entry is begun before the one before is waited for, so that the device never waits for the host.
class StepRunner {
public:
  StepRunner(Executable &executable, DataSource &data, const TrainPlan &plan, const TrainOptions &options)
      : executable(executable), data(data), plan(plan), options(options), gradient(executable, plan.gradient, scalars),
        loader(data, dataArguments(executable.tables().entries[plan.gradient]), options.start.step * plan.microBatches,
               options.schedule.steps * plan.microBatches) {
    scalars.seed = static_cast<int64_t>(options.seed);
    if (plan.update)
      update.emplace(executable, *plan.update, scalars);
  }

  /// Fills in what the step says about itself. With `mayBeginNext` the next step may be in flight afterwards.
  Result<void> run(uint64_t step, Record &record, bool mayBeginNext) {
    bool overlaps = executable.maxRunsInFlight() > 1 && plan.microBatches == 1 && !update;
    if (Result<void> done = overlaps ? runAhead(step, mayBeginNext) : runAlone(step); !done)
      return done;
    record.step = step;
    record.loss = losses / static_cast<double>(plan.microBatches);
    record.lr = static_cast<float>(options.schedule.at(step));
    if (gradient.hasGradNorm() || update)
      record.gradNorm = scalars.gradNorm;
    return {};
  }

  /// Whether a step is in flight.
  bool hasBegun(uint64_t step) const { return step < begun; }

  double dataMs = 0;

private:
  void setStep(uint64_t step) {
    scalars.step = static_cast<int64_t>(step);
    scalars.lr = static_cast<float>(options.schedule.at(step));
  }

  Result<const std::vector<void *> *> nextBatch() {
    Clock::time_point start = Clock::now();
    Result<const std::vector<void *> *> buffers = loader.next();
    dataMs += millisecondsSince(start);
    span("data", start);
    return buffers;
  }

  Result<void> runAhead(uint64_t step, bool mayBeginNext) {
    uint64_t end = std::max(begun, step + (mayBeginNext ? 2 : 1));
    for (begun = std::max(begun, step); begun < end; ++begun) {
      setStep(begun);
      Result<const std::vector<void *> *> buffers = nextBatch();
      if (!buffers)
        return buffers.error();
      if (Result<void> done = gradient.begin(**buffers); !done)
        return done;
    }
    if (Result<void> done = gradient.finish(data, step); !done)
      return done;
    losses = scalars.loss;
    return {};
  }

  Result<void> runAlone(uint64_t step) {
    setStep(step);
    losses = 0;
    for (uint64_t micro = 0; micro < plan.microBatches; ++micro) {
      Result<const std::vector<void *> *> buffers = nextBatch();
      if (!buffers)
        return buffers.error();
      scalars.micro = static_cast<int64_t>(micro);
      if (Result<void> done = gradient.run(data, step * plan.microBatches + micro, **buffers); !done)
        return done;
      losses += scalars.loss;
    }
    if (update)
      return update->run();
    return {};
  }

  void span(const char *name, Clock::time_point start) {
    if (options.trace)
      options.trace->hostSpan(name, start, Clock::now());
  }

  Executable &executable;
  DataSource &data;
  const TrainPlan &plan;
  const TrainOptions &options;
  uint64_t begun = 0; ///< steps before this one were begun
  double losses = 0;
  StepScalars scalars;
  EntryCall gradient;
  std::optional<EntryCall> update;
  BatchLoader loader;
};

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

class Trainer {
public:
  Trainer(Executable &executable, DataSource &data, const TrainPlan &plan, const TrainOptions &options,
          Progress &progress, const StopSignals &signals)
      : executable(executable), data(data), plan(plan), options(options), progress(progress), signals(signals),
        state(options.start) {
    record.unit = unitOfBatch(dataArguments(executable.tables().entries[plan.gradient]));
  }

  Result<TrainResult> run();

private:
  Result<void> runStep(StepRunner &runner, uint64_t step);
  Result<void> evaluate();
  Result<void> report();
  Result<void> checkpoint(bool isLast);
  bool evaluatesAfter(uint64_t step) const {
    return options.evaluation && ((step + 1) % options.evalEvery == 0 || step + 1 == options.schedule.steps);
  }
  bool checkpointIsDue(uint64_t step) const {
    return options.checkpoints && options.checkpointEvery != 0 && (step + 1) % options.checkpointEvery == 0;
  }
  template <typename WorkFn> auto traced(const char *name, WorkFn work) {
    Clock::time_point start = Clock::now();
    auto result = work();
    if (options.trace)
      options.trace->hostSpan(name, start, Clock::now());
    return result;
  }

  Executable &executable;
  DataSource &data;
  const TrainPlan &plan;
  const TrainOptions &options;
  Progress &progress;
  const StopSignals &signals;

  RunState state;
  Record record;
  TrainResult result;
  Clock::time_point memoryRead;
  bool isBestNow = false;
  bool saidNotFinite = false;
};

} // namespace

Result<TrainResult> Trainer::run() {
  StepRunner runner(executable, data, plan, options);
  result.best = state.best;
  result.secondsToFirstStep = processAge();
  // A signal ends the run after what is in flight: the state holds it.
  for (uint64_t step = state.step; step < options.schedule.steps && (!result.signal || runner.hasBegun(step)); ++step) {
    if (Result<void> done = runStep(runner, step); !done)
      return done.error();
    result.dataMs = runner.dataMs;
    result.signal = signals.received();
    bool isLast = (result.signal && !runner.hasBegun(step + 1)) || step + 1 == options.schedule.steps;
    if (evaluatesAfter(step))
      if (Result<void> done = traced("evaluate", [&] { return evaluate(); }); !done)
        return done.error();
    if (Result<void> done = traced("report", [&] { return report(); }); !done)
      return done.error();
    if (Result<void> done = checkpoint(isLast); !done)
      return done.error();
  }
  progress.finish();
  return std::move(result);
}

Result<void> Trainer::runStep(StepRunner &runner, uint64_t step) {
  Clock::time_point start = Clock::now();
  // Evaluations and checkpoints want the state as this step leaves it.
  bool mayBeginNext = step + 1 < options.schedule.steps && !result.signal && !signals.received() &&
                      !evaluatesAfter(step) && !checkpointIsDue(step);
  if (Result<void> done = traced("step", [&] { return runner.run(step, record, mayBeginNext); }); !done) {
    // Errors of data have a place of their own.
    if (done.error().kind == ErrorKind::Numerics)
      done.error().message.insert(0, "step " + std::to_string(step + 1) + ": ");
    return done;
  }
  record.stepMs = millisecondsSince(start);
  record.tokensPerSecond = static_cast<double>(plan.tokensPerStep(executable.tables())) * 1000 / record.stepMs;
  record.evalLoss.reset();
  // Asking the system takes longer than the shortest steps.
  if (result.losses.empty() || Clock::now() - memoryRead > std::chrono::milliseconds(100)) {
    record.peakMemoryBytes = peakMemoryBytes();
    memoryRead = Clock::now();
  }
  state.step = step + 1;
  state.batch = state.step * plan.microBatches;
  result.losses.push_back(record.loss);
  result.stepMs.push_back(record.stepMs);
  return {};
}

Result<void> Trainer::evaluate() {
  Result<double> loss = options.evaluation->run();
  if (!loss)
    return loss.error();
  record.evalLoss = result.evalLoss = *loss;
  // An evaluation that overflowed is no loss to be beaten, and NaN compares with nothing.
  isBestNow = std::isfinite(*loss) && (!state.best || *loss < state.best->evalLoss);
  if (isBestNow)
    state.best = result.best = RunState::Best{state.step, *loss};
  return {};
}

Result<void> Trainer::report() {
  if (!std::isfinite(record.loss) && !saidNotFinite) {
    progress.note("warning: the loss is " + std::to_string(record.loss) + " at step " + std::to_string(state.step) +
                  "; a smaller --lr or a --warmup may help, --check-finite finds the kernel");
    saidNotFinite = true;
  }
  progress.show(record);
  if (record.evalLoss)
    progress.showEvaluation(record);
  for (RecordSink *sink : options.sinks)
    if (Result<void> written = sink->write(record); !written)
      return written;
  return {};
}

Result<void> Trainer::checkpoint(bool isLast) {
  if (!options.checkpoints || !(isLast || checkpointIsDue(state.step - 1) || isBestNow))
    return {};
  isBestNow = false;
  return traced("checkpoint", [&] { return options.checkpoints->save(executable, state); });
}

Result<TrainResult> nova::train(Executable &executable, DataSource &data, const TrainOptions &options,
                                Progress &progress, const StopSignals &signals) {
  Result<TrainPlan> plan = TrainPlan::of(executable.tables());
  if (!plan)
    return plan.error();
  Result<TrainResult> result = Trainer(executable, data, *plan, options, progress, signals).run();
  if (!result && options.checkpoints)
    if (std::string last = options.checkpoints->newest(); !last.empty())
      result.error().message += "; the last good checkpoint is " + last;
  return result;
}
