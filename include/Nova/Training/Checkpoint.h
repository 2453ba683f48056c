//===- Checkpoint.h - State of a run on the disk ----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A checkpoint is a folder: model.safetensors (parameters under their own names), optimizer.safetensors (m.NAME,
// v.NAME) and state.json. It is written under a hidden name, synced and renamed, so that a folder named step-N is
// always whole, whenever the process or the machine stops. Reading verifies everything before anything is changed.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_CHECKPOINT_H
#define NOVA_TRAINING_CHECKPOINT_H

#include "Nova/Runtime/Executable.h"

#include <map>
#include <string>

namespace nova {

/// What state.json says beside the checksums.
struct RunState {
  struct Best {
    uint64_t step = 0; ///< the number of steps after which it was reached
    double evalLoss = 0;
  };

  uint64_t step = 0;        ///< steps that are done
  uint64_t batch = 0;       ///< batches that were used, which says where the data goes on
  std::optional<Best> best; ///< the lowest evaluation so far; one that is not finite is never it
  /// What later steps depend on and cannot be changed on the way: names to values.
  std::map<std::string, std::string> fixed;
  /// What shapes the curve, but may be changed.
  std::map<std::string, std::string> settings;
};

/// The folder of a run's checkpoints.
class CheckpointFolder {
public:
  /// Makes the folder if it is not there, removes what killed runs left half written, and locks it against other runs.
  /// Fails where it holds checkpoints after `step`: those of a run that this one does not continue.
  static Result<CheckpointFolder> open(const std::string &path, uint64_t step, uint64_t keep);

  CheckpointFolder(CheckpointFolder &&other) noexcept;
  CheckpointFolder &operator=(CheckpointFolder &&) = delete;
  ~CheckpointFolder();

  /// Writes a checkpoint, then removes older ones: the newest `keep` stay, and the best, which the link `best` names.
  Result<void> save(Executable &executable, const RunState &state);

  /// The newest checkpoint, or an empty string.
  std::string newest() const;
  /// Whether there is one of that many steps.
  bool has(uint64_t step) const;

private:
  CheckpointFolder() = default;
  void prune(const RunState &state) const;

  std::string path;
  uint64_t keep = 1;
  int descriptor = -1; ///< holds the lock
};

/// A checkpoint that was found to be whole.
class Checkpoint {
public:
  /// `path` is a checkpoint, or a folder of them, of which the newest is taken. Verifies state.json, sizes and
  /// checksums.
  static Result<Checkpoint> open(const std::string &path);

  const std::string &path() const { return folder; }
  const RunState &state() const { return run; }

  /// Compares with how the run goes on: an error for what is fixed, a warning (or an empty string) for settings.
  Result<std::string> compare(const RunState &now) const;

  /// Writes parameters and optimizer state, once it is clear that all of them fit.
  Result<void> restore(Executable &executable) const;

private:
  std::string folder;
  RunState run;
};

} // namespace nova

#endif // NOVA_TRAINING_CHECKPOINT_H
