//===- CpuTarget.cpp - The CPUs that code is made for ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Target/Cpu.h"
#include "TargetMachines.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;

namespace mlir::nova {

/// The extensions that code generation uses by itself, as LLVM and as /proc/cpuinfo call them. Those that only explicit
/// instructions reach (crypto, transactions, state saving) would keep code from machines that can run it.
static constexpr std::pair<StringLiteral, StringLiteral> kExtensions[] = {
    {"sse3", "pni"},
    {"ssse3", "ssse3"},
    {"sse4.1", "sse4_1"},
    {"sse4.2", "sse4_2"},
    {"popcnt", "popcnt"},
    {"movbe", "movbe"},
    {"lzcnt", "abm"},
    {"bmi", "bmi1"},
    {"bmi2", "bmi2"},
    {"f16c", "f16c"},
    {"fma", "fma"},
    {"avx", "avx"},
    {"avx2", "avx2"},
    {"avxvnni", "avx_vnni"},
    {"avx512f", "avx512f"},
    {"avx512cd", "avx512cd"},
    {"avx512bw", "avx512bw"},
    {"avx512dq", "avx512dq"},
    {"avx512vl", "avx512vl"},
    {"avx512ifma", "avx512ifma"},
    {"avx512vbmi", "avx512vbmi"},
    {"avx512vbmi2", "avx512_vbmi2"},
    {"avx512vnni", "avx512_vnni"},
    {"avx512bitalg", "avx512_bitalg"},
    {"avx512vpopcntdq", "avx512_vpopcntdq"},
    {"avx512bf16", "avx512_bf16"},
    {"avx512fp16", "avx512_fp16"},
    {"gfni", "gfni"},
    {"amx-tile", "amx_tile"},
    {"amx-bf16", "amx_bf16"},
};

std::unique_ptr<TargetMachine> createCpuMachine(const CpuTarget &cpu) {
  Triple triple(sys::getDefaultTargetTriple());
  // Kernels live in a shared object. Code generation above O0 is what their speed needs (docs/Decisions).
  return std::unique_ptr<TargetMachine>(lookUpCodeGenerator(triple).createTargetMachine(
      triple, cpu.name, cpu.features, TargetOptions(), Reloc::PIC_, std::nullopt, CodeGenOptLevel::Default));
}

/// Whether a process may ask the system for the registers of the matrix unit (AMX): kernels before 5.16, and sandboxes,
/// don't let it.
static bool systemHasMatrices() {
  // ARCH_GET_XCOMP_SUPP of asm/prctl.h, and the number of the tiles' state: older headers don't have them.
  constexpr int kSupported = 0x1021, kTiles = 18;
  uint64_t states = 0;
  return syscall(SYS_arch_prctl, kSupported, &states) == 0 && (states >> kTiles & 1);
}

Expected<CpuTarget> lookUpCpu(StringRef name) {
  CpuTarget cpu;
  if (name == "native") {
    cpu.name = sys::getHostCPUName().str();
    // A virtual machine may hide extensions that the model has.
    std::vector<std::string> features;
    for (const auto &feature : sys::getHostCPUFeatures())
      features.push_back(((feature.second ? "+" : "-") + feature.first()).str());
    if (!systemHasMatrices())
      features.insert(features.end(), {"-amx-tile", "-amx-bf16", "-amx-int8"});
    llvm::sort(features);
    cpu.features = join(features, ",");
  } else {
    // Asked before the name is used: LLVM prints a warning for one it doesn't know and goes on.
    CpuTarget generic;
    generic.name = "x86-64";
    if (!createCpuMachine(generic)->getMCSubtargetInfo()->isCPUStringValid(name))
      return createStringError("unknown CPU '" + name +
                               "'; expected 'native' or one of the names that "
                               "'llc -march=x86-64 -mcpu=help' lists, such as 'x86-64-v3' or 'znver4'");
    cpu.name = name.str();
  }

  std::unique_ptr<TargetMachine> machine = createCpuMachine(cpu);
  if (!machine->getMCSubtargetInfo()->checkFeatures("+64bit"))
    return createStringError("expected a CPU with 64-bit code, found '" + name + "'; such as 'x86-64-v3'");
  StringSet<> enabled;
  for (const SubtargetFeatureKV &feature : machine->getMCSubtargetInfo()->getEnabledProcessorFeatures())
    enabled.insert(feature.Key);
  for (auto [llvmName, cpuinfoName] : kExtensions)
    if (enabled.contains(llvmName))
      cpu.extensions.push_back(cpuinfoName.str());
  cpu.vectorBits = enabled.contains("avx512f") ? 512 : enabled.contains("avx") ? 256 : 128;
  return cpu;
}

} // namespace mlir::nova
