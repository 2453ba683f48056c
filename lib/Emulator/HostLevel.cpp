//===- HostLevel.cpp - What the host's processor can do -------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include <cstdlib>

using namespace nova::emulator;

HostLevel nova::emulator::hostLevel() {
#if defined(__x86_64__) && !defined(NOVA_EMULATOR_PORTABLE)
  static const HostLevel level = [] {
    __builtin_cpu_init();
    bool hasAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") &&
                   __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt");
    bool hasAvx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                     __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                     __builtin_cpu_supports("avx512vl");
    // NOVA_EMULATOR_HOST takes less than the processor has.
    const char *wanted = std::getenv("NOVA_EMULATOR_HOST");
    bool isPortable = wanted && !std::strcmp(wanted, "portable"), isAvx2 = wanted && !std::strcmp(wanted, "avx2");
    if (isPortable || !hasAvx2)
      return HostLevel::Portable;
    return isAvx2 || !hasAvx512 ? HostLevel::Avx2 : HostLevel::Avx512;
  }();
  return level;
#else
  return HostLevel::Portable;
#endif
}
