//===- nova-opt.cpp - mlir-opt with Nova's dialect and passes -------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Conversion/Passes.h"
#include "Nova/Dialect/Nova.h"
#include "Nova/Pipelines/Pipelines.h"
#include "Nova/Target/Toolchain.h"
#include "Nova/Transforms/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"

namespace cl = llvm::cl;

static constexpr llvm::StringLiteral kOverview =
    "Nova's optimizer driver: mlir-opt with Nova's dialect, passes (--nova-...) and pipelines\n\n"
    "  nova-opt model.mlir --nova-fuse-attention\n"
    "  nova-opt train.mlir --nova-train-pipeline --nova-cpu-pipeline\n";

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
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
}
