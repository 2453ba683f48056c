//===- Windows.h - Spaces inside the generic address space ------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_WINDOWS_H
#define NOVA_LIB_EMULATOR_WINDOWS_H

#include "Types.h"

namespace nova::emulator {

// Addresses in shared, local and parameter space count from 0; generic addresses of them lie in these windows. Global
// and constant addresses are the same in both, far above.
constexpr uint64_t kWindowBytes = uint64_t(1) << 32;
constexpr uint64_t kSharedWindow = 1 * kWindowBytes;
constexpr uint64_t kLocalWindow = 2 * kWindowBytes;
constexpr uint64_t kParamWindow = 3 * kWindowBytes;

constexpr uint64_t windowOf(Space space) {
  return space == Space::Shared  ? kSharedWindow
         : space == Space::Local ? kLocalWindow
         : space == Space::Param ? kParamWindow
                                 : 0;
}

constexpr Space spaceOf(uint64_t genericAddress) {
  switch (genericAddress / kWindowBytes) {
  case 1:
    return Space::Shared;
  case 2:
    return Space::Local;
  case 3:
    return Space::Param;
  default:
    return Space::Global;
  }
}

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_WINDOWS_H
