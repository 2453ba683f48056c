//===- Evaluate.h - Running a function once ---------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TOOLS_NOVA_RUN_EVALUATE_H
#define NOVA_TOOLS_NOVA_RUN_EVALUATE_H

#include "Options.h"

namespace nova {

/// Runs a function on inputs from a file; prints, writes or compares its results.
Result<void> evaluate(const Options &options);

} // namespace nova

#endif // NOVA_TOOLS_NOVA_RUN_EVALUATE_H
