//===- HostCpu.h - The processor of this machine ----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_RUNTIME_HOSTCPU_H
#define NOVA_RUNTIME_HOSTCPU_H

#include "Nova/Support/Result.h"

#include <set>
#include <string>

namespace nova {

struct HostCpu {
  std::string model;
  std::set<std::string> features; ///< the flags of /proc/cpuinfo
};

/// Read once from /proc/cpuinfo; without that file, an unknown processor without features.
const HostCpu &hostCpu();

/// Asks the system to let this process use the registers of the CPU's matrix unit (AMX). Once asked, all threads may.
Result<void> allowMatrices();

/// Reads text in the format of /proc/cpuinfo, up to the end of its first processor.
HostCpu parseCpuInfo(const std::string &text);

} // namespace nova

#endif // NOVA_RUNTIME_HOSTCPU_H
