//===- EntryCall.h - An entry with its arguments bound ----------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRAINING_ENTRYCALL_H
#define NOVA_LIB_TRAINING_ENTRYCALL_H

#include "Nova/Runtime/Executable.h"
#include "Nova/Training/Data.h"

#include <cmath>

namespace nova {

/// What an entry takes and gives beside its batch and the state, by role.
struct StepScalars {
  float lr = 0, loss = NAN, gradNorm = NAN;
  int64_t step = 0, seed = 0, micro = 0;
};

/// An entry of an executable whose inputs and outputs are bound to `scalars`, which outlives the call.
class EntryCall {
public:
  EntryCall(Executable &executable, size_t entry, StepScalars &scalars);

  /// Runs the entry with a batch, a buffer per argument; `batch` is its number in the source, for messages.
  Result<void> run(const DataSource &source, uint64_t batch, const std::vector<void *> &buffers);
  /// Begins a run with a batch, which is copied before this returns; `finish` waits for the oldest that was begun.
  Result<void> begin(const std::vector<void *> &buffers);
  Result<void> finish(const DataSource &source, uint64_t batch);
  /// The same for an entry without a batch.
  Result<void> run() { return executable.run(entry, inputs, outputs); }

  bool hasGradNorm() const { return givesGradNorm; }

private:
  Error explain(Error error, const DataSource &source, uint64_t batch) const;

  Executable &executable;
  size_t entry;
  std::vector<size_t> data; ///< inputs that are fed by the batch
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  bool givesGradNorm = false;
};

} // namespace nova

#endif // NOVA_LIB_TRAINING_ENTRYCALL_H
