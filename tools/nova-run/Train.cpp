//===- Train.cpp - Training a program -------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Train.h"

#include "Nova/Support/File.h"
#include "Nova/Support/Hash.h"
#include "Nova/Training/Parameters.h"
#include "Nova/Training/Summary.h"
#include "Program.h"
#include "Reports.h"

#include <algorithm>

using namespace nova;

/// Before the program is compiled: whether files can be read and written.
static Result<void> checkFiles(const Options &options) {
  for (const std::string *data : {&options.data.path, &options.evalData}) {
    if (data->empty())
      continue;
    Result<std::vector<std::string>> files = findDataFiles(*data);
    if (!files)
      return files.error();
    for (const std::string &name : *files)
      if (Result<MappedFile> file = MappedFile::open(name); !file)
        return file.error();
  }
  for (const std::string *output : {&options.save, &options.summary, &options.log, &options.plot, &options.trace})
    if (!output->empty())
      if (Result<void> checked = checkWritable(*output); !checked)
        return checked;
  return {};
}

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

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

static std::string toText(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

/// A program and the bundles that are made of it name one hash. A bundle that names none, as earlier versions made
/// them, is known by its bytes.
static Result<std::string> programChecksum(const Options &options, const Bundle &tables) {
  if (auto found = tables.options.find("program"); found != tables.options.end())
    return found->second;
  Result<MappedFile> file = MappedFile::open(options.file);
  if (!file)
    return file.error();
  return toHex(hash64(file->bytes()));
}

/// What a checkpoint says about the flags of its run, by their names.
static Result<RunState> describeRun(const Options &options, const Bundle &tables, const DataSource &data) {
  static constexpr const char *kSchedules[] = {"constant", "linear", "cosine"};
  RunState state;
  state.fixed = {{"--seed", std::to_string(options.seed)}, {"--data", data.extent()}};
  if (Result<TrainPlan> plan = TrainPlan::of(tables); plan)
    for (const Argument &argument : dataArguments(tables.entries[plan->gradient]))
      state.fixed["batch's " + argument.tensor.name] = typeToString(argument.tensor);
  if (!options.data.path.empty())
    state.fixed["--data-order"] = options.data.order == DataOrder::Random ? "random" : "sequential";
  state.settings = {{"--lr", toText(options.schedule.lr)},
                    {"--lr-schedule", kSchedules[static_cast<size_t>(options.schedule.kind)]},
                    {"--warmup", std::to_string(options.schedule.warmup)},
                    {"--device", options.device}};
  if (options.schedule.kind != Schedule::Kind::Constant) {
    state.settings["--steps"] = std::to_string(options.steps);
    state.settings["--min-lr"] = toText(options.schedule.minLr);
  }
  for (const auto &[name, value] : tables.options) {
    if (name == "program")
      continue;
    bool isFixed = name == "optimizer" || name == "accumulate" || name == "dtype";
    std::string flag = "--" + name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    (isFixed ? state.fixed : state.settings)[name == "entry" ? "--loss" : flag] = value;
  }
  Result<std::string> checksum = programChecksum(options, tables);
  if (!checksum)
    return checksum.error();
  state.settings["program"] = "checksum " + *checksum;
  return state;
}

/// Gives the executable its first state; the result says where the run starts.
static Result<RunState> startState(const Options &options, Executable &executable, RunState state,
                                   const std::optional<Checkpoint> &resumed, Progress &progress) {
  Result<void> done;
  if (resumed) {
    Result<std::string> warning = resumed->compare(state);
    if (!warning)
      return warning.error();
    if (!warning->empty())
      progress.note(*warning);
    state.step = resumed->state().step;
    state.batch = resumed->state().batch;
    state.best = resumed->state().best;
    if (state.step >= options.schedule.steps)
      return usageError("--steps: expected more than the " + std::to_string(state.step) + " steps of " +
                        resumed->path() + ", found " + std::to_string(options.steps));
    done = resumed->restore(executable);
  } else if (!options.init.empty()) {
    done = loadParameters(executable, options.init);
  } else {
    done = initializeState(executable, static_cast<uint64_t>(options.seed));
  }
  if (!done)
    return done.error();
  return state;
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

namespace {

/// A program that is ready to be trained, with all that flags put around it.
struct Session {
  Program program;
  std::unique_ptr<DataSource> data;
  std::optional<Evaluation> evaluation;
  std::optional<CheckpointFolder> checkpoints;
  TrainOptions train;
};

} // namespace

static Result<void> openSources(const Options &options, Session &session) {
  Executable &executable = *session.program.executable;
  Result<TrainPlan> plan = TrainPlan::of(executable.tables());
  if (!plan)
    return Error{plan.error().kind, options.file + ": " + plan.error().message};
  auto data = openData(options.data, dataArguments(executable.tables().entries[plan->gradient]));
  if (!data)
    return data.error();
  session.data = std::move(*data);
  if (options.evalData.empty())
    return {};
  DataOptions evalOptions = options.data;
  evalOptions.path = options.evalData;
  Result<Evaluation> evaluation = Evaluation::create(executable, evalOptions, static_cast<uint64_t>(options.evalSteps));
  if (!evaluation)
    return evaluation.error();
  if (!options.data.path.empty() && session.data->isText() != evaluation->data().isText())
    return inputError(options.evalData + ": expected " + (session.data->isText() ? "text" : "tokens") + " as in " +
                      options.data.path + ", found " + (session.data->isText() ? "tokens" : "text") +
                      "; give data of one kind to both, or say with --data-format what both are");
  session.evaluation.emplace(std::move(*evaluation));
  session.train.evaluation = &*session.evaluation;
  session.train.evalEvery = static_cast<uint64_t>(options.evalEvery);
  return {};
}

static Result<void> openCheckpoints(const Options &options, Session &session) {
  if (options.checkpoint.empty())
    return {};
  Result<CheckpointFolder> folder =
      CheckpointFolder::open(options.checkpoint, session.train.start.step, static_cast<uint64_t>(options.keep));
  if (!folder)
    return folder.error();
  session.checkpoints.emplace(std::move(*folder));
  session.train.checkpoints = &*session.checkpoints;
  session.train.checkpointEvery = static_cast<uint64_t>(options.checkpointEvery);
  return {};
}

/// Opens everything and says what there is to train.
static Result<void> start(const Options &options, Session &session, Progress &progress) {
  std::optional<Checkpoint> resumed;
  if (!options.resume.empty()) {
    Result<Checkpoint> opened = Checkpoint::open(options.resume);
    if (!opened)
      return opened.error();
    resumed = std::move(*opened);
  }
  Result<Program> program = loadProgram(options);
  if (!program)
    return program.error();
  session.program = std::move(*program);
  Executable &executable = *session.program.executable;
  if (Result<void> opened = openSources(options, session); !opened)
    return opened;

  if (!options.isQuiet)
    progress.note(headline(options, session.program));
  if (std::string notice = session.data->notice(); !notice.empty())
    progress.note(notice);
  Result<RunState> state = describeRun(options, executable.tables(), *session.data);
  if (state)
    state = startState(options, executable, std::move(*state), resumed, progress);
  if (!state)
    return state.error();
  session.train.schedule = options.schedule;
  session.train.seed = static_cast<uint64_t>(options.seed);
  session.train.start = std::move(*state);
  if (resumed && !options.isQuiet)
    progress.note("goes on after step " + std::to_string(session.train.start.step) + ", from " + resumed->path());
  return openCheckpoints(options, session);
}

Result<int> nova::trainProgram(const Options &options) {
  if (Result<void> checked = checkFiles(options); !checked)
    return checked.error();
  Session session;
  Progress progress({stderr, options.schedule.steps, static_cast<uint64_t>(options.logEvery), options.isQuiet});
  if (Result<void> started = start(options, session, progress); !started)
    return started.error();
  Executable &executable = *session.program.executable;
  // Only now: a program that does not compile leaves the log of an earlier run as it was.
  auto reports = Reports::create(options, executable, session.train.start.step);
  if (!reports)
    return reports.error();
  (*reports)->addTo(session.train);

  StopSignals signals;
  Result<TrainResult> result = train(executable, *session.data, session.train, progress, signals);
  if (!result)
    return result.error();
  if (!options.save.empty())
    if (Result<void> saved = saveParameters(executable, options.save); !saved)
      return saved.error();
  if (Result<void> finished = (*reports)->finish(*result); !finished)
    return finished.error();
  if (!options.summary.empty()) {
    SummaryInfo info = {NOVA_VERSION, session.program.compileSeconds, session.program.isCacheHit};
    if (Result<void> written = writeFile(options.summary, summarize(executable, *result, info)); !written)
      return written.error();
  }
  return result->signal ? 128 + result->signal : 0;
}
