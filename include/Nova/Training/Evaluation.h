//===- Evaluation.h - The loss on other data --------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_EVALUATION_H
#define NOVA_TRAINING_EVALUATION_H

#include "Nova/Runtime/Executable.h"
#include "Nova/Training/Data.h"

namespace nova {

/// The loss on data that the program is not trained on: the mean over the first batches of a sequence, which are the
/// same ones each time.
class Evaluation {
public:
  /// `data` is sequential. Its first `batches` are used, or all of it if it has fewer. Fails where the executable has
  /// no entry that computes the loss alone.
  static Result<Evaluation> create(Executable &executable, const DataOptions &data, uint64_t batches);

  /// With the parameters as they are now.
  Result<double> run();

  const DataSource &data() const { return *source; }
  uint64_t batchCount() const { return batches; }

private:
  Evaluation(Executable &executable, size_t entry) : executable(executable), entry(entry) {}

  Executable &executable;
  size_t entry;
  std::unique_ptr<DataSource> source;
  std::vector<Argument> arguments;
  uint64_t batches = 0;
};

} // namespace nova

#endif // NOVA_TRAINING_EVALUATION_H
