//===- SystemCalls.h - What drivers provide to kernels ----------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_SYSTEMCALLS_H
#define NOVA_LIB_EMULATOR_SYSTEMCALLS_H

#include "Program.h"

#include <string_view>
#include <vector>

namespace nova::emulator {

/// A function that PTX declares and the driver has.
struct SystemCall {
  std::string_view name;
  ExecuteFn execute;
  std::vector<uint32_t> parameterBytes;
  uint32_t resultBytes; ///< 0: none
  bool changesMemory;   ///< so that blocks have to run one after the other
};

/// Null for names that it does not have.
const SystemCall *systemCall(std::string_view name);

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_SYSTEMCALLS_H
