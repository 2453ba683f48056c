//===- FileKind.h - What a data file is, by its bytes -----------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any bytes can be read as text or as tokens of two bytes, and a model trained on the wrong ones trains without a word.
// So a file whose format is guessed from its name must not contradict the guess by what it holds.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRAINING_FILEKIND_H
#define NOVA_LIB_TRAINING_FILEKIND_H

#include "Nova/Support/Result.h"

#include <string>
#include <string_view>

namespace nova {

/// Whether the bytes begin as a .safetensors file does.
bool isSafetensorsContent(std::string_view bytes);

/// What a file is that begins as one of another program's formats, and what to do with it; empty where none is known.
std::string describeOtherFormat(std::string_view bytes);

/// Fails where a file cannot be text.
Result<void> checkIsText(std::string_view bytes);

/// Fails where a file without a header cannot be tokens of two bytes. `vocabulary` is that of the program, or 0.
Result<void> checkIsUint16(std::string_view bytes, uint64_t vocabulary);

} // namespace nova

#endif // NOVA_LIB_TRAINING_FILEKIND_H
