//===- HostCpu.cpp - The processor of this machine ------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/HostCpu.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <sys/syscall.h>
#include <unistd.h>

using namespace nova;

HostCpu nova::parseCpuInfo(const std::string &text) {
  HostCpu cpu;
  cpu.model = "unknown processor";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    size_t colon = line.find(':');
    if (colon == std::string::npos)
      continue;
    std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    std::istringstream value(line.substr(colon + 1));
    if (key == "model name")
      std::getline(value >> std::ws, cpu.model);
    if (key == "flags")
      for (std::string flag; value >> flag;)
        cpu.features.insert(flag);
  }
  return cpu;
}

const HostCpu &nova::hostCpu() {
  static const HostCpu cpu = [] {
    std::ostringstream text;
    text << std::ifstream("/proc/cpuinfo").rdbuf();
    return parseCpuInfo(text.str());
  }();
  return cpu;
}

Result<void> nova::allowMatrices() {
  // ARCH_REQ_XCOMP_PERM of asm/prctl.h, and the number of the tiles' state: older headers don't have them.
  constexpr int kRequest = 0x1023, kTiles = 18;
  if (syscall(SYS_arch_prctl, kRequest, kTiles) == 0)
    return {};
  return deviceError(std::string("the kernels need the CPU's matrix unit (AMX), and the system does not allow it: ") +
                     std::strerror(errno) +
                     "; compile for a CPU without it, as by nova-translate --cpu=icelake-server");
}
