//===- nova-translate.cpp - Programs to code, bundles and graphs ----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flags.h"
#include "Nova/Target/Output.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using mlir::nova::Translation;

namespace {
enum ExitCode { Success = 0, BadInput = 1, BadUsage = 2 };
} // namespace

static int fail(ExitCode code, const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "nova-translate") << message << "\n";
  return code;
}

/// Reads the program and translates it: to a train step's code if it is one that trains.
static FailureOr<std::string> translateProgram(nova::Flags &flags, std::shared_ptr<llvm::SourceMgr> sources,
                                               MLIRContext *context, const nova::BundleTargets &targets) {
  OwningOpRef<ModuleOp> module = nova::readProgram(flags.input, sources, context);
  if (!module)
    return failure();
  nova::CompileRequest &request = flags.request;
  request.train = request.entry.empty() && (flags.isLossGiven || nova::isTrainable(*module, flags.loss));
  if (request.train)
    request.entry = flags.loss;
  return nova::translate(*module, flags.translation, request, targets);
}

static int translateFile(nova::Flags &flags, const nova::BundleTargets &targets) {
  DialectRegistry registry;
  nova::registerCompilerDialects(registry);
  MLIRContext context(registry);
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler diagnostics(*sources, &context);
  FailureOr<std::string> result = flags.translation == Translation::HfConfig
                                      ? nova::translateHfConfig(flags.input, *sources, &context, flags.batch, flags.seq)
                                      : translateProgram(flags, sources, &context, targets);
  if (failed(result))
    return BadInput;
  if (llvm::Error error = nova::writeOutput(flags.output, *result))
    return fail(BadInput, llvm::toString(std::move(error)));
  return Success;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::setBugReportMsg("this is a bug in Nova: please report it with the command line and the input\n");
  nova::Flags flags;
  if (!nova::parseFlags(argc, argv, flags))
    return BadUsage;
  if (flags.translation == Translation::None)
    return fail(BadUsage, "expected one of the flags --nova-to-... or --hf-config-to-nova; see --help");
  if (nova::isBinary(flags.translation) && flags.output == "-" && llvm::outs().is_displayed())
    return fail(BadUsage, "binary output is not written to a terminal; name a file with -o");
  auto targets = nova::lookUpTargets(flags.request);
  if (!targets)
    return fail(BadUsage, llvm::toString(targets.takeError()));
  return nova::runGuarded([&] { return translateFile(flags, *targets); }, llvm::errs());
}
