//===- Train.cpp - Training a program -------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Train.h"

#include "Nova/Support/File.h"
#include "Nova/Training/Parameters.h"
#include "Nova/Training/Summary.h"
#include "Program.h"

using namespace nova;

/// What would otherwise fail after the program is compiled, or after hours of training.
static Result<void> checkFiles(const Options &options) {
  for (const std::string *input : {&options.data.path, &options.init})
    if (!input->empty())
      if (Result<MappedFile> file = MappedFile::open(*input); !file)
        return file.error();
  for (const std::string *output : {&options.save, &options.summary, &options.log})
    if (!output->empty())
      if (Result<void> checked = checkWritable(*output); !checked)
        return checked;
  return {};
}

/// "train.mlir: 124,439,808 parameters, 57 kernels, cpu with 2 threads, compiled in 3.1 s".
static std::string headline(const Options &options, const Program &program) {
  const Bundle &tables = program.executable->tables();
  DeviceInfo device = program.executable->device();
  uint64_t parameters = 0;
  for (const StateTensor &state : tables.state)
    if (state.role == StateTensor::Role::Parameter)
      parameters += *elementCount(state.tensor);
  char compiled[40] = "";
  if (program.compileSeconds > 0)
    std::snprintf(compiled, sizeof(compiled), ", compiled in %.1f s", program.compileSeconds);
  else if (program.isCacheHit)
    std::snprintf(compiled, sizeof(compiled), ", from the cache");
  std::string with = device.threads == 0   ? "on " + device.chip
                     : device.threads == 1 ? "with 1 thread"
                                           : "with " + std::to_string(device.threads) + " threads";
  return options.file + ": " + formatCount(static_cast<double>(parameters)) + " parameters, " +
         std::to_string(tables.kernels.size()) + " kernels, " + device.name + " " + with + compiled;
}

Result<int> nova::trainProgram(const Options &options) {
  if (Result<void> checked = checkFiles(options); !checked)
    return checked.error();
  Result<Program> program = loadProgram(options);
  if (!program)
    return program.error();
  Executable &executable = *program->executable;
  std::optional<size_t> entry = findEntry(executable.tables(), kTrainEntry);
  if (!entry)
    return usageError(options.file + ": expected a bundle with a train step, found one without; it can only be " +
                      "evaluated, without --steps");
  auto data = openData(options.data, dataArguments(executable.tables().entries[*entry]));
  if (!data)
    return data.error();

  // Only now: a program that does not compile leaves the log of an earlier run as it was.
  std::optional<LogFile> log;
  if (!options.log.empty()) {
    Result<LogFile> created = LogFile::create(options.log);
    if (!created)
      return created.error();
    log.emplace(std::move(*created));
  }

  Progress progress({stderr, options.schedule.steps, static_cast<uint64_t>(options.logEvery), options.isQuiet});
  if (!options.isQuiet)
    progress.note(headline(options, *program));
  if (std::string notice = (*data)->notice(); !notice.empty())
    progress.note(notice);
  uint64_t seed = static_cast<uint64_t>(options.seed);
  Result<void> initialized =
      options.init.empty() ? initializeState(executable, seed) : loadParameters(executable, options.init);
  if (!initialized)
    return initialized.error();

  StopSignals signals;
  Result<TrainResult> result =
      train(executable, **data, {options.schedule, seed}, progress, log ? &*log : nullptr, signals);
  if (!result)
    return result.error();
  if (!options.save.empty())
    if (Result<void> saved = saveParameters(executable, options.save); !saved)
      return saved.error();
  if (!options.summary.empty()) {
    SummaryInfo info = {NOVA_VERSION, program->compileSeconds, program->isCacheHit};
    if (Result<void> written = writeFile(options.summary, summarize(executable, *result, info)); !written)
      return written.error();
  }
  return result->signal ? 128 + result->signal : 0;
}
