//===- Program.h - From FILE to something that runs -------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TOOLS_NOVA_RUN_PROGRAM_H
#define NOVA_TOOLS_NOVA_RUN_PROGRAM_H

#include "Nova/Runtime/Executable.h"
#include "Options.h"

namespace nova {

struct Program {
  std::unique_ptr<Executable> executable;
  double compileSeconds = 0;
  std::optional<bool> isCacheHit; ///< nothing where the cache was not asked
};

/// Loads a bundle, or compiles a program unless the cache has it, for the device that the options name.
Result<Program> loadProgram(const Options &options);

} // namespace nova

#endif // NOVA_TOOLS_NOVA_RUN_PROGRAM_H
