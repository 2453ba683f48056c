//===- GpuCode.cpp - NVVM dialect to PTX and cubin ------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Target/Gpu.h"
#include "Nova/Target/Toolchain.h"
#include "TargetMachines.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Regex.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::nova {

//===----------------------------------------------------------------------===//
// Architectures
//===----------------------------------------------------------------------===//

static constexpr GpuTarget kGpuTargets[] = {{"sm_80", 70}, {"sm_89", 78}, {"sm_90", 78}};

ArrayRef<GpuTarget> gpuTargets() { return kGpuTargets; }

llvm::Expected<GpuTarget> lookUpGpu(StringRef name) {
  for (const GpuTarget &gpu : kGpuTargets)
    if (gpu.name == name)
      return gpu;
  auto names = llvm::map_range(kGpuTargets, [](const GpuTarget &gpu) { return gpu.name.str(); });
  return llvm::createStringError("unknown GPU '" + name + "'; expected one of " + llvm::join(names, ", "));
}

//===----------------------------------------------------------------------===//
// PTX
//===----------------------------------------------------------------------===//

static std::unique_ptr<llvm::TargetMachine> createGpuMachine(const GpuTarget &gpu) {
  llvm::Triple triple("nvptx64-nvidia-cuda");
  return std::unique_ptr<llvm::TargetMachine>(lookUpCodeGenerator(triple).createTargetMachine(
      triple, gpu.name, "+ptx" + std::to_string(gpu.ptxVersion), llvm::TargetOptions(), std::nullopt));
}

FailureOr<std::string> emitPtx(ModuleOp module, const GpuTarget &gpu) {
  auto kernels = llvm::to_vector(module.getOps<gpu::GPUModuleOp>());
  if (kernels.size() != 1)
    return emitError(module.getLoc(), "expected one gpu.module with the kernels, found ") << kernels.size();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine = createGpuMachine(gpu);
  std::unique_ptr<llvm::Module> llvmModule = translateToLLVM(kernels.front(), context, *machine);
  if (!llvmModule || failed(optimize(module, *llvmModule, *machine)))
    return failure();
  return generateCode(module, *llvmModule, *machine, llvm::CodeGenFileType::AssemblyFile);
}

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

std::vector<KernelReport> parsePtxasOutput(StringRef output) {
  llvm::Regex function("Function properties for '?([^ ']+)");
  llvm::Regex memory("([0-9]+) bytes stack frame, ([0-9]+) bytes spill stores, ([0-9]+) bytes spill loads");
  llvm::Regex registers("Used ([0-9]+) registers");
  llvm::Regex shared("([0-9]+) bytes smem");

  std::vector<KernelReport> reports;
  auto number = [](StringRef digits) {
    unsigned value = 0;
    digits.getAsInteger(10, value);
    return value;
  };
  for (StringRef line : llvm::split(output, '\n')) {
    SmallVector<StringRef> match;
    if (function.match(line, &match)) {
      reports.emplace_back().kernel = match[1].str();
    } else if (reports.empty()) {
      continue;
    } else if (memory.match(line, &match)) {
      reports.back().stackBytes = number(match[1]);
      reports.back().spillStoreBytes = number(match[2]);
      reports.back().spillLoadBytes = number(match[3]);
    } else if (registers.match(line, &match)) {
      reports.back().registers = number(match[1]);
      if (shared.match(line, &match))
        reports.back().sharedBytes = number(match[1]);
    }
  }
  return reports;
}

llvm::Expected<Cubin> assemblePtx(StringRef ptx, const GpuTarget &gpu) {
  auto ptxas = findPtxas();
  if (!ptxas)
    return ptxas.takeError();
  auto input = TemporaryFile::create("ptx"), output = TemporaryFile::create("cubin");
  if (!input || !output)
    return llvm::joinErrors(input.takeError(), output.takeError());
  if (llvm::Error error = input->write(ptx))
    return error;
  std::string architecture = ("-arch=" + gpu.name).str();
  auto log = runProgram(*ptxas, {architecture, "-v", input->path(), "-o", output->path()});
  if (!log)
    return log.takeError();
  auto bytes = output->read();
  if (!bytes)
    return bytes.takeError();
  if (bytes->empty())
    return llvm::createStringError(*ptxas + " succeeded but wrote no machine code; is it NVIDIA's assembler?");
  return Cubin{std::move(*bytes), parsePtxasOutput(*log)};
}

void warnAboutLocalMemory(ModuleOp module, ArrayRef<KernelReport> kernels) {
  for (const KernelReport &kernel : kernels)
    if (kernel.usesLocalMemory())
      emitWarning(module.getLoc(), "kernel '")
          << kernel.kernel << "' uses local memory: expected none, found a stack of " << kernel.stackBytes << " bytes, "
          << kernel.spillStoreBytes << " bytes of spill stores and " << kernel.spillLoadBytes
          << " of spill loads; a smaller tile in its #nova.kernel_config needs fewer registers";
}

} // namespace mlir::nova
