//===- Flags.cpp - The flags of nova-translate ----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flags.h"

#include "Nova/Target/Toolchain.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using mlir::nova::Translation;
namespace cl = llvm::cl;

static constexpr llvm::StringLiteral kOverview =
    "Nova's translator: a program, or code that is lowered already, to what other tools read\n\n"
    "  nova-translate examples/gpt2-tiny.mlir --nova-to-bundle --targets=cpu,sm_89 -o tiny.nova\n"
    "  nova-translate examples/gpt2-124m.json --hf-config-to-nova --batch=4 --seq=256 -o gpt2.mlir\n"
    "  nova-translate examples/mlp.mlir --nova-to-dot | dot -Tsvg > mlp.svg\n\n"
    "Exit codes: 0 ok, 1 diagnostic on the input, 2 wrong usage.\n"
    "Defaults are in parentheses.\n";

// Categories are shown in the order of their names: what there is to make comes first.
static cl::OptionCategory translations("Code, bundle, graph or program (one of them)");
static cl::opt<Translation> translation(
    cl::desc("What to make:"), cl::init(Translation::None), cl::cat(translations),
    cl::values(clEnumValN(Translation::LLVMIR, "nova-to-llvmir", "LLVM IR for the CPU"),
               clEnumValN(Translation::Assembly, "nova-to-asm", "Assembly for the CPU"),
               clEnumValN(Translation::Object, "nova-to-object", "Object file for the CPU"),
               clEnumValN(Translation::SharedObject, "nova-to-shared-object", "Shared object with the kernels, by lld"),
               clEnumValN(Translation::PTX, "nova-to-ptx", "PTX for a GPU; needs nothing of NVIDIA's"),
               clEnumValN(Translation::Cubin, "nova-to-cubin", "Machine code for a GPU, by NVIDIA's ptxas"),
               clEnumValN(Translation::Bundle, "nova-to-bundle", "Bundle for nova-run, for the --targets"),
               clEnumValN(Translation::Dot, "nova-to-dot", "The program's or kernels' graph for Graphviz"),
               clEnumValN(Translation::HfConfig, "hf-config-to-nova",
                          "Training program of a Hugging Face GPT-2 config.json")));

static cl::OptionCategory files("Files");
static cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"), cl::init("-"), cl::cat(files));
static cl::opt<std::string> output("o", cl::desc("Output file (standard output)"), cl::value_desc("file"),
                                   cl::init("-"), cl::cat(files));

static cl::OptionCategory targetFlags("Targets");
static cl::opt<std::string> cpu("cpu", cl::desc("CPU: native, or LLVM's name of one (native)"), cl::init("native"),
                                cl::cat(targetFlags));
static cl::opt<std::string> chip("chip", cl::desc("GPU: sm_80, sm_89 or sm_90 (sm_89)"), cl::init("sm_89"),
                                 cl::cat(targetFlags));

static cl::list<std::string> bundleTargets("targets", cl::desc("Targets of a bundle: cpu, sm_80, sm_89, sm_90 (cpu)"),
                                           cl::CommaSeparated, cl::cat(targetFlags));

static cl::OptionCategory programFlags("Program (compiled in)");
static cl::opt<std::string> entry("entry", cl::desc("Function to take as it stands, instead of a train step"),
                                  cl::cat(programFlags));
static cl::opt<std::string> loss("loss", cl::desc("Function that gives the loss of the train step (loss)"),
                                 cl::init("loss"), cl::cat(programFlags));
static cl::opt<nova::Mode> mode("mode", cl::desc("How much of the program a kernel holds (fused):"),
                                cl::init(nova::Mode::Fused), cl::cat(programFlags),
                                cl::values(clEnumValN(nova::Mode::Fused, "fused", "As much as fits"),
                                           clEnumValN(nova::Mode::Eager, "eager", "One op")));
static cl::opt<std::string> dtype("dtype", cl::desc("Between kernels: f32, or bf16 (mixed precision)"), cl::init("f32"),
                                  cl::cat(programFlags));
static cl::opt<nova::MatmulPrecision>
    matmulPrecision("matmul-precision", cl::desc("Products of f32 on GPUs; a CPU's are exact (exact):"),
                    cl::init(nova::MatmulPrecision::Exact), cl::cat(programFlags),
                    cl::values(clEnumValN(nova::MatmulPrecision::Exact, "exact", "In f32"),
                               clEnumValN(nova::MatmulPrecision::Tf32, "tf32", "Of tf32, on tensor cores")));
static cl::opt<std::string> optimizer("optimizer", cl::desc("Optimizer: adamw, adam or sgd"), cl::init("adamw"),
                                      cl::cat(programFlags));
static cl::opt<double> momentum("momentum", cl::desc("Momentum of sgd (0.9)"), cl::init(0.9), cl::cat(programFlags));
static cl::opt<bool> nesterov("nesterov", cl::desc("Nesterov's momentum for sgd"), cl::cat(programFlags));
static cl::opt<double> beta1("beta1", cl::desc("Decay of the first moment (0.9)"), cl::init(0.9),
                             cl::cat(programFlags));
static cl::opt<double> beta2("beta2", cl::desc("Decay of the second moment (0.95)"), cl::init(0.95),
                             cl::cat(programFlags));
static cl::opt<double> eps("eps", cl::desc("Added to the root of the second moment (1e-8)"), cl::init(1e-8),
                           cl::cat(programFlags));
static cl::opt<double> weightDecay("weight-decay", cl::desc("Weight decay; decoupled for adamw"), cl::init(0.1),
                                   cl::cat(programFlags));
static cl::opt<double> clip("clip", cl::desc("Largest global norm of the gradients, 0: off (1.0)"), cl::init(1.0),
                            cl::cat(programFlags));
static cl::opt<int64_t> accumulate("accumulate", cl::desc("Micro-batches of a step"), cl::init(1),
                                   cl::cat(programFlags));
static cl::list<std::string> shapes("shape", cl::desc("Shape of an argument whose type has open sizes: x=8x64"),
                                    cl::value_desc("name=sizes"), cl::cat(programFlags));
static cl::opt<bool> kernelReport("kernel-report", cl::desc("Print a table of a bundle's kernels"),
                                  cl::cat(programFlags));

static cl::OptionCategory importFlags("Imported models");
static cl::opt<unsigned> batch("batch", cl::desc("Rows of a batch (1)"), cl::init(1), cl::cat(importFlags));
static cl::opt<unsigned> seq("seq", cl::desc("Tokens of a row (all positions of the model)"), cl::init(0),
                             cl::cat(importFlags));

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

bool nova::parseFlags(int argc, char **argv, Flags &flags) {
  registerMLIRContextCLOptions();
  cl::HideUnrelatedOptions({&translations, &files, &targetFlags, &programFlags, &importFlags});
  cl::SetVersionPrinter(printVersion);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return false;
  if (dtype != "f32" && dtype != "bf16") {
    llvm::errs() << "nova-translate: error: expected --dtype=f32 or bf16, found '" << dtype << "'\n";
    return false;
  }
  llvm::StringSet<> shaped;
  for (StringRef shape : shapes)
    if (StringRef name = shape.rsplit('=').first; !shaped.insert(name).second) {
      llvm::errs() << "nova-translate: error: --shape: expected one shape for '" << name
                   << "', found two; leave one of them out\n";
      return false;
    }
  flags.translation = translation;
  flags.input = input;
  flags.output = output;
  flags.loss = loss;
  flags.isLossGiven = loss.getNumOccurrences() > 0;
  flags.batch = batch;
  flags.seq = seq;
  CompileRequest &request = flags.request;
  request.cpu = cpu;
  request.targets = targetsOf(translation);
  request.entry = entry;
  request.step.dtype = dtype;
  request.step.mode = mode;
  request.matmulPrecision = matmulPrecision;
  request.step.optimizer = optimizer;
  request.step.beta1 = beta1;
  request.step.beta2 = beta2;
  request.step.eps = eps;
  request.step.weightDecay = weightDecay;
  request.step.clip = clip;
  request.step.momentum = momentum;
  request.step.nesterov = nesterov;
  request.step.accumulate = accumulate;
  request.shapes = shapes;
  request.kernelReport = kernelReport;
  return true;
}
