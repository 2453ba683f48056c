//===- Flags.h - The flags of nova-translate --------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TOOLS_NOVA_TRANSLATE_FLAGS_H
#define NOVA_TOOLS_NOVA_TRANSLATE_FLAGS_H

#include "Translations.h"

namespace mlir::nova {

/// What the command line asks for.
struct Flags {
  Translation translation = Translation::None;
  std::string input, output;
  /// Without `train`, which only the program shows.
  CompileRequest request;
  std::string loss;
  bool isLossGiven = false; ///< the program is to be trained, and not only if it can be
  /// The batch of an imported model.
  int64_t batch = 1, seq = 0;
};

/// Reads the command line; false after wrong usage, which has been reported.
bool parseFlags(int argc, char **argv, Flags &flags);

} // namespace mlir::nova

#endif // NOVA_TOOLS_NOVA_TRANSLATE_FLAGS_H
