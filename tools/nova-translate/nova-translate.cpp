//===- nova-translate.cpp - Programs to code, bundles and graphs ----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Target/Toolchain.h"
#include "Translations.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using mlir::nova::Translation;
namespace cl = llvm::cl;

static constexpr llvm::StringLiteral kOverview =
    "Nova's translator: a program, or code that is lowered already, to what other tools read\n\n"
    "  nova-translate train.mlir --nova-to-ptx --chip=sm_89 -o train.ptx\n"
    "  nova-opt train.mlir --nova-train-pipeline | nova-translate --nova-to-dot | dot -Tsvg > train.svg\n";

namespace {
enum ExitCode { Success = 0, BadInput = 1, BadUsage = 2 };
} // namespace

static cl::OptionCategory translations("Translations (one of them)");
static cl::opt<Translation> translation(
    cl::desc("What to make:"), cl::init(Translation::None), cl::cat(translations),
    cl::values(clEnumValN(Translation::LLVMIR, "nova-to-llvmir", "LLVM IR for the CPU"),
               clEnumValN(Translation::Assembly, "nova-to-asm", "Assembly for the CPU"),
               clEnumValN(Translation::Object, "nova-to-object", "Object file for the CPU"),
               clEnumValN(Translation::SharedObject, "nova-to-shared-object", "Shared object with the kernels, by lld"),
               clEnumValN(Translation::PTX, "nova-to-ptx", "PTX for a GPU; needs nothing of NVIDIA's"),
               clEnumValN(Translation::Cubin, "nova-to-cubin", "Machine code for a GPU, by NVIDIA's ptxas"),
               clEnumValN(Translation::Bundle, "nova-to-bundle", "Bundle for nova-run, for the --targets"),
               clEnumValN(Translation::Dot, "nova-to-dot", "The program's or kernels' graph for Graphviz")));

static cl::OptionCategory files("Files");
static cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"), cl::init("-"), cl::cat(files));
static cl::opt<std::string> output("o", cl::desc("Output file"), cl::value_desc("file"), cl::init("-"), cl::cat(files));

static cl::OptionCategory targetFlags("Targets");
static cl::opt<std::string> cpu("cpu", cl::desc("CPU: native, or LLVM's name of one"), cl::init("native"),
                                cl::cat(targetFlags));
static cl::opt<std::string> chip("chip", cl::desc("GPU: sm_80, sm_89 or sm_90"), cl::init("sm_89"),
                                 cl::cat(targetFlags));

static cl::list<std::string> bundleTargets("targets", cl::desc("Targets of a bundle: cpu, sm_80, sm_89, sm_90"),
                                           cl::CommaSeparated, cl::cat(targetFlags));

static cl::OptionCategory programFlags("Program (compiled in)");
static cl::opt<std::string> entry("entry", cl::desc("Function to run; a train step is made only without it"),
                                  cl::cat(programFlags));
static cl::opt<std::string> loss("loss", cl::desc("Loss function of the train step"), cl::init("loss"),
                                 cl::cat(programFlags));
static cl::opt<nova::Mode> mode("mode", cl::desc("How much of the program a kernel holds:"),
                                cl::init(nova::Mode::Fused), cl::cat(programFlags),
                                cl::values(clEnumValN(nova::Mode::Fused, "fused", "As much as fits"),
                                           clEnumValN(nova::Mode::Eager, "eager", "One op")));
static cl::opt<std::string> optimizer("optimizer", cl::desc("Optimizer: adamw"), cl::init("adamw"),
                                      cl::cat(programFlags));
static cl::opt<double> beta1("beta1", cl::desc("Decay of the first moment"), cl::init(0.9), cl::cat(programFlags));
static cl::opt<double> beta2("beta2", cl::desc("Decay of the second moment"), cl::init(0.95), cl::cat(programFlags));
static cl::opt<double> eps("eps", cl::desc("Added to the root of the second moment"), cl::init(1e-8),
                           cl::cat(programFlags));
static cl::opt<double> weightDecay("weight-decay", cl::desc("Decoupled weight decay"), cl::init(0.1),
                                   cl::cat(programFlags));
static cl::opt<double> clip("clip", cl::desc("Largest global norm of the gradients; 0: off"), cl::init(1.0),
                            cl::cat(programFlags));
static cl::opt<bool> kernelReport("kernel-report", cl::desc("Print a table of a bundle's kernels"),
                                  cl::cat(programFlags));

static std::vector<std::string> targetsOf(Translation translation) {
  switch (translation) {
  case Translation::PTX:
  case Translation::Cubin:
    return {chip};
  case Translation::Bundle:
    if (bundleTargets.getNumOccurrences())
      return bundleTargets;
    [[fallthrough]];
  default:
    return {"cpu"};
  }
}

/// The request, but for what only the program shows.
static void readFlags(nova::CompileRequest &request) {
  request.cpu = cpu;
  request.targets = targetsOf(translation);
  request.entry = entry;
  request.step.mode = mode;
  request.step.optimizer = optimizer;
  request.step.beta1 = beta1;
  request.step.beta2 = beta2;
  request.step.eps = eps;
  request.step.weightDecay = weightDecay;
  request.step.clip = clip;
  request.kernelReport = kernelReport;
}

static int fail(ExitCode code, const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "nova-translate") << message << "\n";
  return code;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::setBugReportMsg("this is a bug in Nova: please report it with the command line and the input\n");
  registerMLIRContextCLOptions();
  cl::HideUnrelatedOptions({&translations, &files, &targetFlags, &programFlags});
  cl::SetVersionPrinter(nova::printVersion);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return BadUsage;
  if (translation == Translation::None)
    return fail(BadUsage, "expected one of the flags --nova-to-...; see --help");
  if (nova::isBinary(translation) && output == "-" && llvm::outs().is_displayed())
    return fail(BadUsage, "binary output is not written to a terminal; name a file with -o");

  nova::CompileRequest request;
  readFlags(request);
  auto targets = nova::lookUpTargets(request);
  if (!targets)
    return fail(BadUsage, llvm::toString(targets.takeError()));

  DialectRegistry registry;
  nova::registerCompilerDialects(registry);
  MLIRContext context(registry);
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler diagnostics(*sources, &context);
  OwningOpRef<ModuleOp> module = nova::readProgram(input, sources, &context);
  if (!module)
    return BadInput;
  request.train = entry.empty() && nova::isTrainable(*module, loss);
  if (request.train)
    request.entry = loss;
  FailureOr<std::string> result = nova::translate(*module, translation, request, *targets);
  if (failed(result))
    return BadInput;
  // Written beside and renamed: no partial file under the final name.
  auto write = [&](raw_ostream &os) {
    os << *result;
    return llvm::Error::success();
  };
  if (llvm::Error error = llvm::writeToOutput(output, write))
    return fail(BadInput, "can't write " + llvm::toString(std::move(error)));
  return Success;
}
