//===- nova-opt.cpp - mlir-opt with Nova's dialect and passes -------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Conversion/Passes.h"
#include "Nova/Dialect/Nova.h"
#include "Nova/Pipelines/Pipelines.h"
#include "Nova/Target/Output.h"
#include "Nova/Target/Toolchain.h"
#include "Nova/Transforms/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"

namespace cl = llvm::cl;

static constexpr llvm::StringLiteral kOverview =
    "Nova's optimizer driver: mlir-opt with Nova's dialect, passes (--nova-...) and pipelines\n\n"
    "  nova-opt model.mlir --nova-fuse-attention\n"
    "  nova-opt train.mlir --nova-train-pipeline --nova-cpu-pipeline\n";

/// What MlirOptMain does with files, except that the output is written whole or not at all.
static int optimize(llvm::StringRef input, llvm::StringRef output, const mlir::MlirOptMainConfig &config,
                    mlir::DialectRegistry &registry) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = mlir::openInputFile(input, &message);
  if (!file) {
    llvm::errs() << message << "\n";
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
  std::string overview = mlir::registerCLIOptions(kOverview, registry);

  // MlirOptMain answers an unknown flag with exit code 1, which here means a diagnostic on the input.
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return 2;
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  return mlir::nova::runGuarded([&] { return optimize(input, output, config, registry); }, llvm::errs());
}
