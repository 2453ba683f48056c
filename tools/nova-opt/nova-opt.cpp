//===- nova-opt.cpp - mlir-opt with Nova's dialect and passes -------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Conversion/Passes.h"
#include "Nova/Dialect/Nova.h"
#include "Nova/Pipelines/Pipelines.h"
#include "Nova/Target/BytecodeCheck.h"
#include "Nova/Target/Output.h"
#include "Nova/Target/Toolchain.h"
#include "Nova/Transforms/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"

namespace cl = llvm::cl;

static constexpr llvm::StringLiteral kOverview =
    "Nova's optimizer driver: mlir-opt with Nova's dialect, passes and pipelines\n\n"
    "  nova-opt examples/gpt2-primitive.mlir --nova-fuse-attention\n"
    "  nova-opt examples/mlp.mlir --nova-train-pipeline --nova-cpu-pipeline\n\n"
    "Exit codes: 0 ok, 1 diagnostic on the input, 2 wrong usage.\n\n"
    "Nova's pipelines and passes, from a program to code; their options are below and in docs/passes:\n\n";

/// The passes in the order in which they run.
static constexpr llvm::StringLiteral kPipelines[] = {"nova-train-pipeline", "nova-cpu-pipeline", "nova-cuda-pipeline"};
static constexpr llvm::StringLiteral kPasses[] = {"nova-specialize-shapes",
                                                  "nova-fuse-attention",
                                                  "nova-fuse-norm",
                                                  "nova-fuse-activation",
                                                  "nova-build-train-step",
                                                  "nova-autodiff",
                                                  "nova-mixed-precision",
                                                  "nova-keep-narrow-weights",
                                                  "nova-infer-bounds",
                                                  "nova-pack-parameters",
                                                  "nova-split-launches",
                                                  "nova-sink-movement",
                                                  "nova-form-kernels",
                                                  "nova-count-work",
                                                  "nova-select-kernel-config",
                                                  "nova-tile",
                                                  "nova-plan-memory",
                                                  "nova-schedule",
                                                  "nova-pipeline",
                                                  "nova-emit-cpu",
                                                  "nova-emit-gpu",
                                                  "nova-approximate-math",
                                                  "nova-expand-bf16",
                                                  "nova-verify-level"};

/// What stands above the list of flags, in which Nova's are some of hundreds.
static std::string makeOverview() {
  std::string text = kOverview.str();
  auto add = [&](const mlir::PassRegistryEntry *entry, llvm::StringRef name) {
    assert(entry && "not registered");
    text += llvm::formatv("  --{0,-27} {1}\n", name, entry->getPassDescription());
  };
  for (llvm::StringRef name : kPipelines)
    add(mlir::PassPipelineInfo::lookup(name), name);
  text += "\n";
  for (llvm::StringRef name : kPasses)
    add(mlir::PassInfo::lookup(name), name);
  return text;
}

/// What MlirOptMain does with files, except that the output is written whole or not at all.
static int optimize(llvm::StringRef input, llvm::StringRef output, const mlir::MlirOptMainConfig &config,
                    mlir::DialectRegistry &registry) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = mlir::openInputFile(input, &message);
  if (!file) {
    llvm::errs() << message << "\n";
    return 1;
  }
  if (std::optional<std::string> damage = mlir::nova::findDamage(*file, registry)) {
    llvm::errs() << input << ":0:0: error: " << *damage << "\n";
    return 1;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  bool succeeded = mlir::succeeded(mlir::MlirOptMain(os, std::move(file), registry, config));
  // With several inputs in one file, or reports on standard output, a failure has something to show too.
  if (!succeeded && output != "-")
    return 1;
  if (llvm::Error error = mlir::nova::writeOutput(output, text)) {
    llvm::errs() << "nova-opt: error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return succeeded ? 0 : 1;
}

int main(int argc, char **argv) {
  llvm::setBugReportMsg("this is a bug in Nova: please report it with the command line and the input\n");
  // The options that LLVM's libraries register by themselves stay usable, but --help is about IR and passes.
  for (auto &entry : cl::getRegisteredOptions())
    if (entry.second->Categories.front() == &cl::getGeneralCategory())
      entry.second->setHiddenFlag(cl::Hidden);

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mlir::nova::NovaDialect>();
  mlir::registerAllPasses();
  mlir::nova::registerNovaConversionPasses();
  mlir::nova::registerNovaTransformsPasses();
  mlir::nova::registerPipelines();

  static cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"), cl::init("-"));
  static cl::opt<std::string> output("o", cl::desc("Output file"), cl::value_desc("file"), cl::init("-"));
  cl::SetVersionPrinter(mlir::nova::printVersion);
  std::string overview = mlir::registerCLIOptions(makeOverview(), registry);
  // Arguments of a train step are called by what they are.
  if (cl::Option *named = cl::getRegisteredOptions().lookup("mlir-use-nameloc-as-prefix"))
    static_cast<cl::opt<bool> *>(named)->setInitialValue(true);
  // The line of the source says more than the op with all that is in it, which may be a whole train step.
  if (cl::Option *printed = cl::getRegisteredOptions().lookup("mlir-print-op-on-diagnostic"))
    static_cast<cl::opt<bool> *>(printed)->setInitialValue(false);

  // MlirOptMain answers an unknown flag with exit code 1, which here means a diagnostic on the input.
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return 2;
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  return mlir::nova::runGuarded([&] { return optimize(input, output, config, registry); }, llvm::errs());
}
