//===- nova-translate.cpp - Programs to code, bundles and graphs ----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "Nova/Target/Cpu.h"
#include "Nova/Target/Dot.h"
#include "Nova/Target/Gpu.h"
#include "Nova/Target/Registration.h"
#include "Nova/Target/Toolchain.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
namespace cl = llvm::cl;

static constexpr llvm::StringLiteral kOverview =
    "Nova's translator: a program, or code that is lowered already, to what other tools read\n\n"
    "  nova-translate train.mlir --nova-to-ptx --chip=sm_89 -o train.ptx\n"
    "  nova-opt train.mlir --nova-train-pipeline | nova-translate --nova-to-dot | dot -Tsvg > train.svg\n";

namespace {
enum class Action { None, LLVMIR, Assembly, Object, SharedObject, PTX, Cubin, Dot };

enum ExitCode { Success = 0, BadInput = 1, BadUsage = 2 };
} // namespace

static cl::OptionCategory actions("Translations (one of them)");
static cl::opt<Action> action(
    cl::desc("What to make:"), cl::init(Action::None), cl::cat(actions),
    cl::values(clEnumValN(Action::LLVMIR, "nova-to-llvmir", "LLVM IR for the CPU"),
               clEnumValN(Action::Assembly, "nova-to-asm", "Assembly for the CPU"),
               clEnumValN(Action::Object, "nova-to-object", "Object file for the CPU"),
               clEnumValN(Action::SharedObject, "nova-to-shared-object", "Shared object with the kernels, by lld"),
               clEnumValN(Action::PTX, "nova-to-ptx", "PTX for a GPU; needs nothing of NVIDIA's"),
               clEnumValN(Action::Cubin, "nova-to-cubin", "Machine code for a GPU, by NVIDIA's ptxas"),
               clEnumValN(Action::Dot, "nova-to-dot", "The program's or kernels' graph for Graphviz")));

static cl::OptionCategory files("Files");
static cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"), cl::init("-"), cl::cat(files));
static cl::opt<std::string> output("o", cl::desc("Output file"), cl::value_desc("file"), cl::init("-"), cl::cat(files));

static cl::OptionCategory targets("Targets");
static cl::opt<std::string> cpu("cpu", cl::desc("CPU: native, or LLVM's name of one"), cl::init("native"),
                                cl::cat(targets));
static cl::opt<std::string> chip("chip", cl::desc("GPU: sm_80, sm_89 or sm_90"), cl::init("sm_89"), cl::cat(targets));

static FailureOr<std::string> translate(ModuleOp module, const nova::CpuTarget &cpu, const nova::GpuTarget &gpu) {
  switch (action) {
  case Action::None:
    break;
  case Action::LLVMIR:
    return nova::emitCpuCode(module, cpu, nova::CpuFormat::LLVMIR);
  case Action::Assembly:
    return nova::emitCpuCode(module, cpu, nova::CpuFormat::Assembly);
  case Action::Object:
    return nova::emitCpuCode(module, cpu, nova::CpuFormat::Object);
  case Action::SharedObject:
    return nova::emitCpuImage(module, cpu);
  case Action::PTX:
    return nova::emitPtx(module, gpu);
  case Action::Cubin: {
    FailureOr<std::string> ptx = nova::emitPtx(module, gpu);
    if (failed(ptx))
      return failure();
    llvm::Expected<nova::Cubin> cubin = nova::assemblePtx(*ptx, gpu);
    if (!cubin)
      return emitError(module.getLoc()) << llvm::toString(cubin.takeError());
    nova::warnAboutLocalMemory(module, cubin->kernels);
    return std::move(cubin->bytes);
  }
  case Action::Dot: {
    std::string text;
    llvm::raw_string_ostream os(text);
    nova::printDot(module, os);
    return text;
  }
  }
  llvm_unreachable("main has asked for an action");
}

static int fail(ExitCode code, const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "nova-translate") << message << "\n";
  return code;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::setBugReportMsg("this is a bug in Nova: please report it with the command line and the input\n");
  registerMLIRContextCLOptions();
  cl::HideUnrelatedOptions({&actions, &files, &targets});
  cl::SetVersionPrinter(nova::printVersion);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return BadUsage;
  if (action == Action::None)
    return fail(BadUsage, "expected one of the flags --nova-to-...; see --help");
  auto cpuTarget = nova::lookUpCpu(cpu);
  if (!cpuTarget)
    return fail(BadUsage, llvm::toString(cpuTarget.takeError()));
  auto gpuTarget = nova::lookUpGpu(chip);
  if (!gpuTarget)
    return fail(BadUsage, llvm::toString(gpuTarget.takeError()));
  bool isBinary = action == Action::Object || action == Action::SharedObject || action == Action::Cubin;
  if (isBinary && output == "-" && llvm::outs().is_displayed())
    return fail(BadUsage, "binary output is not written to a terminal; name a file with -o");

  DialectRegistry registry;
  registry.insert<nova::NovaDialect, func::FuncDialect>();
  nova::registerTargetDialects(registry);
  MLIRContext context(registry);
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler diagnostics(*sources, &context);
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(input);
  if (!buffer)
    return fail(BadInput, "can't read '" + input + "': " + buffer.getError().message());
  sources->AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return BadInput;

  FailureOr<std::string> result = translate(*module, *cpuTarget, *gpuTarget);
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
