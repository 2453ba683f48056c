//===- AppendedFile.h - Files that grow record by record --------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRAINING_APPENDEDFILE_H
#define NOVA_LIB_TRAINING_APPENDEDFILE_H

#include "Nova/Support/Result.h"

#include <string>
#include <string_view>

namespace nova {

/// Writes a record at the end of a file. When that fails, a part of it that was written is taken back: half a record
/// would spoil the file for its readers.
Result<void> appendWhole(int descriptor, const std::string &path, std::string_view record);

} // namespace nova

#endif // NOVA_LIB_TRAINING_APPENDEDFILE_H
