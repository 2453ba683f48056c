//===- Record.h - What a step leaves in the log -----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_RECORD_H
#define NOVA_TRAINING_RECORD_H

#include "Nova/Support/Result.h"

#include <cstdint>
#include <optional>

namespace nova {

struct Record {
  uint64_t step = 0;
  double loss = 0; ///< before the step's update
  double lr = 0;
  std::optional<double> gradNorm; ///< before clipping
  double tokensPerSecond = 0;
  const char *unit = "tokens"; ///< what these tokens are, see unitOfBatch
  double stepMs = 0;
  std::optional<double> evalLoss; ///< after the step's update
  uint64_t peakMemoryBytes = 0;
};

/// Where records go.
class RecordSink {
public:
  virtual ~RecordSink() = default;

  /// Called for every step, in order; an error ends the run.
  virtual Result<void> write(const Record &record) = 0;
};

} // namespace nova

#endif // NOVA_TRAINING_RECORD_H
