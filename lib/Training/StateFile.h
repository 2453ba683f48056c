//===- StateFile.h - State tensors in a file --------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRAINING_STATEFILE_H
#define NOVA_LIB_TRAINING_STATEFILE_H

#include "Nova/Runtime/Executable.h"

#include <functional>
#include <string>
#include <vector>

namespace nova {

/// Writes the state tensors that `namesOf` has names for, once under each of them, as a .safetensors that transformers
/// and PyTorch read. One tensor at a time is held in memory.
Result<void> writeState(Executable &executable, const std::string &path,
                        const std::function<std::vector<std::string>(const StateTensor &)> &namesOf);

} // namespace nova

#endif // NOVA_LIB_TRAINING_STATEFILE_H
