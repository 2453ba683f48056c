//===- StateFile.cpp - State tensors in a file ----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StateFile.h"

#include "Nova/Support/Safetensors.h"

using namespace nova;

Result<void> nova::writeState(Executable &executable, const std::string &path,
                              const std::function<std::vector<std::string>(const StateTensor &)> &namesOf) {
  const std::vector<StateTensor> &state = executable.tables().state;
  std::vector<size_t> indices;
  std::vector<TensorInfo> tensors;
  for (size_t i = 0; i < state.size(); ++i)
    for (const std::string &name : namesOf(state[i])) {
      indices.push_back(i);
      tensors.push_back({name, state[i].tensor.dtype, state[i].tensor.shape});
    }
  std::vector<char> data;
  auto dataOf = [&](size_t index) -> Result<const void *> {
    data.resize(*byteCount(tensors[index]));
    if (Result<void> read = executable.readState(indices[index], data.data()); !read)
      return read.error();
    return static_cast<const void *>(data.data());
  };
  // transformers refuses files that do not say which framework wrote them.
  return writeSafetensors(path, tensors, dataOf, {{"format", "pt"}});
}
