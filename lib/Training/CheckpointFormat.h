//===- CheckpointFormat.h - Names and text of checkpoints -------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRAINING_CHECKPOINTFORMAT_H
#define NOVA_LIB_TRAINING_CHECKPOINTFORMAT_H

#include "Nova/Training/Checkpoint.h"

namespace nova {

constexpr char kModelFile[] = "model.safetensors";
constexpr char kOptimizerFile[] = "optimizer.safetensors";
constexpr char kStateFile[] = "state.json";
constexpr const char *kTensorFiles[] = {kModelFile, kOptimizerFile};

/// The name of a state tensor in its file; nothing for what lives only within a step.
struct StoredTensor {
  const char *file;
  std::string name;
};
std::optional<StoredTensor> storedAs(StateTensor::Role role, const std::string &name);

struct FileFacts {
  uint64_t bytes = 0;
  std::string checksum; ///< XXH64, in hexadecimal
};
Result<FileFacts> factsOf(const std::string &path);

/// "step-00000100".
std::string checkpointName(uint64_t step);
/// The checkpoints in a folder by their steps; none where there is no such folder.
std::map<uint64_t, std::string> listCheckpoints(const std::string &folder);

std::string stateToJson(const RunState &state, const std::map<std::string, FileFacts> &files);
Result<RunState> stateFromJson(std::string_view text, const std::string &source,
                               std::map<std::string, FileFacts> &files);

} // namespace nova

#endif // NOVA_LIB_TRAINING_CHECKPOINTFORMAT_H
