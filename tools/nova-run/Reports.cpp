//===- Reports.cpp - What a run leaves behind -----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"

#include "Nova/Support/File.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <numeric>

using namespace nova;

/// Takes the value out of a result, or returns its error.
template <typename T> static Result<void> take(std::optional<T> &out, Result<T> result) {
  if (!result)
    return result.error();
  out.emplace(std::move(*result));
  return {};
}

Result<std::unique_ptr<Reports>> Reports::create(const Options &options, Executable &executable, uint64_t firstStep) {
  std::unique_ptr<Reports> reports(new Reports(options, executable));
  if (!options.log.empty()) {
    Result<LogFile> log = firstStep ? LogFile::resume(options.log, firstStep) : LogFile::create(options.log);
    if (Result<void> taken = take(reports->log, std::move(log)); !taken)
      return taken.error();
  }
  if (!options.tensorboard.empty())
    if (Result<void> taken = take(reports->tensorboard, TensorBoard::create(options.tensorboard, firstStep)); !taken)
      return taken.error();
  if (!options.plot.empty())
    reports->plot.emplace();
  if (Result<void> watched = reports->watch(); !watched)
    return watched.error();
  return reports;
}

Reports::~Reports() { executable.observe(nullptr); }

Result<void> Reports::watch() {
  const char *flag = "";
  if (!options.trace.empty()) {
    Result<Trace> made = Trace::create(options.trace, executable.tables(), executable.device().threads);
    if (Result<void> taken = take(trace, std::move(made)); !taken)
      return taken;
    observers.list.push_back(&*trace);
    flag = "--trace";
  }
  if (options.profile) {
    observers.list.push_back(&profile.emplace(executable.tables()));
    flag = "--profile";
  }
  if (options.checkFinite) {
    // Last: its copies are no part of what the others see.
    observers.list.push_back(&finite.emplace(executable));
    flag = "--check-finite";
  }
  if (!observers.list.empty() && !executable.observe(&observers))
    return usageError(std::string(flag) + ": expected a device whose launches can be watched, found " +
                      executable.device().name + "; use --device=cpu");
  return {};
}

Result<void> Reports::Observers::launched(const LaunchEvent &event) {
  for (LaunchObserver *observer : list)
    if (Result<void> done = observer->launched(event); !done)
      return done;
  return {};
}

void Reports::addTo(TrainOptions &train) {
  if (log)
    train.sinks.push_back(&*log);
  if (tensorboard)
    train.sinks.push_back(&*tensorboard);
  if (plot)
    train.sinks.push_back(&*plot);
  train.trace = trace ? &*trace : nullptr;
}

Result<void> Reports::finish(const TrainResult &result) {
  executable.observe(nullptr);
  if (plot)
    if (Result<void> written = writeFile(options.plot, plot->toSvg(options.file)); !written)
      return written;
  if (trace)
    if (Result<void> finished = trace->finish(); !finished)
      return finished;
  if (!profile)
    return {};
  DeviceInfo device = executable.device();
  Result<Limits> limits = Limits::of(device);
  if (device.flopsPerSecond[static_cast<size_t>(Unit::Vectors)] == 0)
    limits = measureLimits(device.threads);
  if (!limits)
    return limits.error();
  double stepMs = std::accumulate(result.stepMs.begin(), result.stepMs.end(), 0.0);
  std::fputs(profile->toTable(*limits, stepMs, result.dataMs, result.stepMs.size()).c_str(), stdout);
  if (std::fflush(stdout) != 0)
    return inputError(std::string("cannot write to stdout: ") + std::strerror(errno));
  return {};
}
