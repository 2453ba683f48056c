//===- Options.cpp - The flags of nova-run --------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "CompilerLibrary.h"
#include "Validators.h"

#include <iostream>
#include <set>

using namespace nova;

static constexpr char kExamples[] =
    "Examples:\n"
    "  nova-run train.mlir --steps 300 --data text.txt --lr 1e-3 --warmup 20 --lr-schedule cosine\n"
    "  nova-run model.mlir --inputs in.safetensors --expect out.safetensors\n"
    "  nova-run train.nova --steps 1000 --data train.bin --save model.safetensors\n"
    "\n"
    "Exit codes: 0 ok, 1 diagnostic on the input, 2 wrong usage, 3 runtime or device, 4 numerics check failed;\n"
    "130 or 143 after SIGINT or SIGTERM, when the current step is finished.";

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

namespace {

/// Help without the rules between flags: the messages name them when they matter.
class HelpFormatter final : public CLI::Formatter {
public:
  HelpFormatter() { column_width(30); }
  std::string make_usage(const CLI::App *, std::string) const override {
    return "Usage: nova-run FILE [flags]\n\nFILE is a program (.mlir, text or bytecode) or a bundle (.nova).\n";
  }
  std::string make_option_opts(const CLI::Option *option) const override {
    return option->get_type_name().empty() ? "" : "=" + option->get_type_name();
  }
};

/// Declares the flags, topic by topic.
class Declarations {
public:
  Declarations(CLI::App &app, Options &options) : app(app), options(options) {
    app.set_help_flag();
    app.add_option("FILE", options.file)->group("");
    declareTrain();
    declareData();
    declareOptimizer();
    declareState();
    declareEvaluate();
    declareDevice();
    declareReports();
    declareCompile();
    app.set_help_flag("--help,-h", "Print this help")->group("Help");
    app.set_version_flag("--version", versionText, "Print versions and what was found")->group("Help");
  }

  /// Copies what was given of the flags that a bundle has built in.
  void collectCompiledIn() {
    for (const auto &[name, option] : compiledIn)
      if (option->count() > 0)
        options.givenCompiledIn[name] = option->results().front();
  }

private:
  template <typename T> CLI::Option *flag(const char *name, const char *value, T &out, const std::string &description) {
    return app.add_option(name, out, description)->group(topic)->type_name(value);
  }
  /// Given twice it is refused like every other flag: --nesterov --nesterov=false says nothing.
  CLI::Option *boolFlag(const char *name, bool &out, const std::string &description) {
    return app.add_flag(name, out, description)->group(topic)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  }
  template <typename T>
  CLI::Option *trainFlag(const char *name, const char *value, T &out, const std::string &description) {
    return flag(name, value, out, description)->needs(steps);
  }
  template <typename T>
  CLI::Option *evaluateFlag(const char *name, const char *value, T &out, const std::string &description) {
    return flag(name, value, out, description)->excludes(steps);
  }

  void declareTrain() {
    topic = "Train";
    steps = flag("--steps", "N", options.steps, "Steps to train; without it FILE is evaluated")->check(wholeFrom(1));
    compiledIn["entry"] = trainFlag("--loss", "NAME", options.loss, "Function that gives the loss (loss)");
    flag("--seed", "N", options.seed, "Seed of initial values and data (0)")->check(wholeFrom(0));
    boolFlag("--check-finite", options.checkFinite, "Stop at the kernel that first gives NaN or infinity (slow)")
        ->needs(steps);
  }

  void declareData() {
    topic = "Data";
    CLI::Option *data = trainFlag("--data", "FILE", options.data.path,
                                  "Text, .bin of nanoGPT or llm.c, .safetensors, or a pattern (random tokens)");
    trainFlag("--data-format", "NAME", options.data.format,
              "auto, text, nanogpt, llmc, safetensors, uint32, int64 (auto)")
        ->transform(oneOf({"auto", "text", "nanogpt", "llmc", "safetensors", "uint32", "int64"}, /*asIndex=*/true))
        ->needs(data);
    trainFlag("--data-order", "NAME", options.data.order, "random, sequential (random)")
        ->transform(oneOf({"random", "sequential"}, /*asIndex=*/true))
        ->needs(data);
    CLI::Option *evalData = trainFlag("--eval-data", "FILE", options.evalData, "Data to evaluate on, as --data");
    trainFlag("--eval-every", "N", options.evalEvery, "Evaluate after every N steps, and at the end (100)")
        ->check(wholeFrom(1))
        ->needs(evalData);
    trainFlag("--eval-steps", "N", options.evalSteps, "Batches of an evaluation, at most all (20)")
        ->check(wholeFrom(1))
        ->needs(evalData);
  }

  void declareOptimizer() {
    topic = "Optimizer";
    compiledIn["optimizer"] = trainFlag("--optimizer", "NAME", options.optimizer, "adamw, adam, sgd (adamw)")
                                  ->check(oneOf({"adamw", "adam", "sgd"}));
    trainFlag("--lr", "X", options.schedule.lr, "Learning rate (6e-4)")->check(nonNegative());
    trainFlag("--lr-schedule", "NAME", options.schedule.kind, "constant, linear, cosine (constant)")
        ->transform(oneOf({"constant", "linear", "cosine"}, /*asIndex=*/true));
    trainFlag("--warmup", "N", options.schedule.warmup, "Steps of linear warmup (0)")->check(wholeFrom(0));
    trainFlag("--min-lr", "X", options.schedule.minLr, "Where a linear or cosine schedule ends (0)")
        ->check(nonNegative());
    compiledIn["momentum"] = trainFlag("--momentum", "X", options.momentum, "Momentum of sgd (0.9)")->check(belowOne());
    compiledIn["nesterov"] = boolFlag("--nesterov", options.nesterov, "Nesterov's momentum for sgd")->needs(steps);
    compiledIn["beta1"] =
        trainFlag("--beta1", "X", options.beta1, "Decay of the first moment (0.9)")->check(belowOne());
    compiledIn["beta2"] =
        trainFlag("--beta2", "X", options.beta2, "Decay of the second moment (0.95)")->check(belowOne());
    compiledIn["eps"] = trainFlag("--eps", "X", options.eps, "Added to the denominator (1e-8)")->check(nonNegative());
    compiledIn["weight_decay"] =
        trainFlag("--weight-decay", "X", options.weightDecay, "Decay of parameters of rank 2 and more (0.1)")
            ->check(nonNegative());
    compiledIn["clip"] =
        trainFlag("--clip", "X", options.clip, "Largest norm of all gradients, 0: off (1.0)")->check(nonNegative());
    compiledIn["accumulate"] =
        trainFlag("--accumulate", "N", options.accumulate, "Batches whose gradients make a step (1)")
            ->check(wholeFrom(1, 1 << 20));
  }

  void declareState() {
    topic = "State";
    CLI::Option *init =
        trainFlag("--init", "PATH", options.init, "Initial parameters: .safetensors, its index of shards, or a folder");
    trainFlag("--save", "FILE", options.save, "Write the parameters at the end, .safetensors");
    CLI::Option *checkpoint =
        trainFlag("--checkpoint", "DIR", options.checkpoint, "Save the whole state there, at the end and on a signal");
    trainFlag("--checkpoint-every", "N", options.checkpointEvery, "Save after every N steps, too")
        ->check(wholeFrom(1))
        ->needs(checkpoint);
    trainFlag("--keep", "N", options.keep, "Newest checkpoints to keep, beside the best (3)")
        ->check(wholeFrom(1))
        ->needs(checkpoint);
    trainFlag("--resume", "DIR", options.resume, "Go on from a checkpoint, or from the newest in DIR")->excludes(init);
  }

  void declareEvaluate() {
    topic = "Evaluate";
    evaluateFlag("--entry", "NAME", options.entry, "Function to run (the only one)");
    evaluateFlag("--inputs", "FILE", options.inputs, "Arguments by their names, .safetensors");
    evaluateFlag("--random-inputs", "SEED", options.randomInputs, "Make up the arguments that --inputs lacks")
        ->check(wholeFrom(0));
    evaluateFlag("--params", "FILE", options.params, "Parameters, .safetensors (initial values)");
    evaluateFlag("--outputs", "FILE", options.outputs, "Write the results to a .safetensors instead of printing them");
    CLI::Option *expect =
        evaluateFlag("--expect", "FILE", options.expect, "Compare the results by their names, .safetensors");
    evaluateFlag("--rtol", "X", options.tolerance.relative, "Relative tolerance (1e-5)")
        ->needs(expect)
        ->check(nonNegative());
    evaluateFlag("--atol", "X", options.tolerance.absolute, "Absolute tolerance (1e-6)")
        ->needs(expect)
        ->check(nonNegative());
  }

  void declareDevice() {
    topic = "Device";
    flag("--device", "NAME", options.device, "cpu, cuda, emulator, reference (cpu)")
        ->check(oneOf({"cpu", "cuda", "emulator", "reference"}));
    flag("--threads", "N", options.threads, "Threads of the CPU (all cores)")->check(wholeFrom(1, 1024));
  }

  void declareReports() {
    topic = "Reports";
    trainFlag("--log", "FILE", options.log, "A record per step, .csv or .jsonl")->check(logName());
    trainFlag("--tensorboard", "DIR", options.tensorboard, "The same records for TensorBoard");
    trainFlag("--plot", "FILE", options.plot, "Curves of the run, SVG");
    trainFlag("--summary", "FILE", options.summary, "The run in one object, JSON");
    trainFlag("--trace", "FILE", options.trace, "Every launch on a timeline, JSON for chrome://tracing");
    boolFlag("--profile", options.profile, "Print kernels by the time they take")->needs(steps);
    trainFlag("--log-every", "N", options.logEvery, "Without a terminal: a line every N steps (10)")
        ->check(wholeFrom(1));
    boolFlag("--quiet", options.isQuiet, "No progress and no printed results");
  }

  void declareCompile() {
    topic = "Compile";
    compiledIn["mode"] =
        flag("--mode", "NAME", options.mode, "fused, eager: op by op (fused)")->check(oneOf({"fused", "eager"}));
    compiledIn["dtype"] =
        flag("--dtype", "NAME", options.dtype, "f32, bf16: mixed precision (f32)")->check(oneOf({"f32", "bf16"}));
    compiledIn["matmul_precision"] =
        flag("--matmul-precision", "NAME", options.matmulPrecision, "exact, tf32: f32 on a GPU's tensor cores (exact)")
            ->check(oneOf({"exact", "tf32"}));
    flag("--shape", "NAME=8x64", options.shapes, "Shape of an argument whose type has open sizes; one flag for each")
        ->check(shapeOfArgument())
        ->allow_extra_args(false);
    CLI::Option *folder =
        flag("--cache-dir", "DIR", options.cacheDir, "Compiled programs ($XDG_CACHE_HOME/nova or ~/.cache/nova)");
    boolFlag("--no-cache", options.noCache, "Compile anew and keep nothing")->excludes(folder);
    flag("--dump-ir", "DIR", options.dumpIr, "Write the IR after each level");
    boolFlag("--kernel-report", options.kernelReport, "Print a table of the kernels");
  }

  CLI::App &app;
  Options &options;
  const char *topic = "";
  CLI::Option *steps = nullptr;
  std::map<std::string, CLI::Option *> compiledIn;
};

} // namespace

/// A flag that may be repeated names another argument each time.
static void checkNamesOnce(const char *flag, const std::vector<std::string> &values) {
  std::set<std::string> names;
  for (const std::string &value : values)
    if (std::string name = value.substr(0, value.rfind('=')); !names.insert(name).second)
      throw CLI::ValidationError(flag, "expected one shape for '" + name + "', found two; leave one of them out");
}

/// Rules between flags that CLI11 has no words for.
static void checkTogether(const Options &options, const CLI::App &app) {
  if (options.file.empty())
    throw CLI::ValidationError("expected FILE, a program or a bundle, found none");
  checkNamesOnce("--shape", options.shapes);
  if (app.count("--min-lr") && options.schedule.kind == Schedule::Kind::Constant)
    throw CLI::ValidationError("--min-lr", "expected --lr-schedule=linear or cosine with it");
  if (options.schedule.minLr > options.schedule.lr)
    throw CLI::ValidationError("--min-lr", "expected at most --lr");
  if (options.nesterov && (options.optimizer != "sgd" || options.momentum == 0))
    throw CLI::ValidationError("--nesterov", "expected --optimizer=sgd and a positive --momentum with it");
  if (options.matmulPrecision == "tf32" && options.device != "cuda" && options.device != "emulator")
    throw CLI::ValidationError("--matmul-precision", "tf32 is for GPUs, and --device=" + options.device +
                                                         " multiplies exactly; add --device=cuda or leave it out");
  if (options.schedule.warmup > static_cast<uint64_t>(options.steps))
    throw CLI::ValidationError("--warmup", "expected at most --steps");
}

/// What is wrong with the command line: CLI11's words, or better ones.
static std::string explain(const CLI::ParseError &error, const CLI::App &app, int argc, char **argv) {
  if (dynamic_cast<const CLI::ExtrasError *>(&error))
    for (int i = 1; i < argc; ++i) {
      std::string flag = argv[i];
      flag = flag.substr(0, flag.find('='));
      if (flag.size() > 1 && flag[0] == '-' && !app.get_option_no_throw(flag))
        return "unknown flag " + flag;
    }
  std::string message = error.what();
  // Parameters are given by one flag to train with, and by another to evaluate with.
  if (message.find("--init requires --steps") == 0)
    return "--init is for training, with --steps; to evaluate, give parameters with --params";
  if (message.find("--steps") != std::string::npos && message.find("--params") != std::string::npos)
    return "--params is for evaluating, without --steps; to train, give parameters with --init";
  return message;
}

std::variant<Options, int> nova::parseOptions(int argc, char **argv) {
  Options options;
  CLI::App app("Trains a program of tensors, or evaluates it.", "nova-run");
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(kExamples);
  Declarations declarations(app, options);
  try {
    app.parse(argc, argv);
    checkTogether(options, app);
  } catch (const CLI::Success &success) {
    return app.exit(success, std::cout, std::cerr);
  } catch (const CLI::ParseError &error) {
    std::cerr << "nova-run: error: " << explain(error, app, argc, argv) << "; see nova-run --help\n";
    return static_cast<int>(ErrorKind::Usage);
  }
  declarations.collectCompiledIn();
  options.schedule.steps = static_cast<uint64_t>(options.steps);
  options.data.seed = static_cast<uint64_t>(options.seed);
  return options;
}
