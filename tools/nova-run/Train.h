//===- Train.h - Training a program -----------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TOOLS_NOVA_RUN_TRAIN_H
#define NOVA_TOOLS_NOVA_RUN_TRAIN_H

#include "Options.h"

namespace nova {

/// Trains and writes what was asked for; the exit code: 0, or 128 and the signal that ended the run early.
Result<int> trainProgram(const Options &options);

} // namespace nova

#endif // NOVA_TOOLS_NOVA_RUN_TRAIN_H
