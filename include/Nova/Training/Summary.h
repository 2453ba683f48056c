//===- Summary.h - A run in one JSON object ---------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_SUMMARY_H
#define NOVA_TRAINING_SUMMARY_H

#include "Nova/Training/Trainer.h"

namespace nova {

/// What the summary says that neither the executable nor the result knows.
struct SummaryInfo {
  std::string version;
  double compileSeconds = 0;
  std::optional<bool> isCacheHit; ///< nothing where the cache was not asked
};

/// The text of the summary file.
std::string summarize(const Executable &executable, const TrainResult &result, const SummaryInfo &info);

} // namespace nova

#endif // NOVA_TRAINING_SUMMARY_H
