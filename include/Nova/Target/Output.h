//===- Output.h - What the compiler's tools write ---------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TARGET_OUTPUT_H
#define NOVA_TARGET_OUTPUT_H

#include "mlir/Support/LLVM.h"

#include "llvm/Support/Error.h"

namespace mlir::nova {

/// Writes all of a file or nothing; what lay there before stays until the new bytes are safe. "-" is standard output.
llvm::Error writeOutput(StringRef path, StringRef bytes);

/// Runs `body` on a stack that deeply nested input doesn't exhaust. Input that LLVM gives up on (by a signal or by
/// `abort`) costs a message on `errors` and the exit code 1, not the process.
int runGuarded(function_ref<int()> body, raw_ostream &errors);

} // namespace mlir::nova

#endif // NOVA_TARGET_OUTPUT_H
