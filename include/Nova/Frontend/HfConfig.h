//===- HfConfig.h - Programs from Hugging Face's configurations -*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_FRONTEND_HFCONFIG_H
#define NOVA_FRONTEND_HFCONFIG_H

#include "Nova/Frontend/Gpt2.h"

namespace mlir::nova {

/// What a GPT-2 `config.json` says. `fileName` names the text in diagnostics, which are emitted on the context: what is
/// missing, of the wrong kind, contradictory or not supported is an error, dropout a warning that it is left out.
FailureOr<Gpt2Config> parseHfConfig(StringRef json, StringRef fileName, MLIRContext *context);

/// The training program of a GPT-2 `config.json` for batches of `batch` rows of `seq` tokens (0: all positions), or null
/// after an error that has been reported.
OwningOpRef<ModuleOp> importHfConfig(StringRef json, StringRef fileName, MLIRContext *context, int64_t batch,
                                     int64_t seq);

} // namespace mlir::nova

#endif // NOVA_FRONTEND_HFCONFIG_H
