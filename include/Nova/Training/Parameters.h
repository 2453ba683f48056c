//===- Parameters.h - Parameters from and to safetensors --------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_PARAMETERS_H
#define NOVA_TRAINING_PARAMETERS_H

#include "Nova/Runtime/Executable.h"

#include <string>

namespace nova {

/// Reads every parameter from a .safetensors, an index of shards (model.safetensors.index.json), or a folder with one
/// of them; under Hugging Face's names, with or without "transformer." in front, and any of the names of one with
/// aliases; f16 and bf16 convert. Ignores the buffers "attn.bias" and "attn.masked_bias". All other missing, unknown
/// and misshapen names are one error.
Result<void> loadParameters(Executable &executable, const std::string &path);

/// Writes every parameter under each of its names, as transformers and PyTorch read it.
Result<void> saveParameters(Executable &executable, const std::string &path);

} // namespace nova

#endif // NOVA_TRAINING_PARAMETERS_H
