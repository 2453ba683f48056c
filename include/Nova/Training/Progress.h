//===- Progress.h - What the user sees of a run -----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_PROGRESS_H
#define NOVA_TRAINING_PROGRESS_H

#include "Nova/Training/Record.h"

#include <chrono>
#include <cstdio>
#include <string>

namespace nova {

/// One line that is drawn again and again on a terminal; elsewhere a line now and then.
class Progress {
public:
  struct Options {
    FILE *out = stderr;
    uint64_t steps = 0;
    uint64_t logEvery = 10; ///< not on a terminal: a line every so many steps, and for the last
    bool isQuiet = false;
  };

  explicit Progress(const Options &options);
  ~Progress() { finish(); }

  void show(const Record &record);
  /// A line that stays, with the evaluation loss and the perplexity.
  void showEvaluation(const Record &record);
  /// A line of its own that stays, drawn above the progress line; not silenced.
  void note(const std::string &line);
  /// Ends the progress line.
  void finish();

private:
  /// As many of the parts as fit, the most important ones first.
  std::string lineOf(const Record &record, size_t width) const;

  Options options;
  bool isTerminal;
  bool isDrawn = false;
  double smoothedStepMs = 0;
  std::chrono::steady_clock::time_point lastDrawn;
};

/// "0:07", "12:05", "3:00:00".
std::string formatDuration(double seconds);
/// "12,345".
std::string formatCount(double value);

} // namespace nova

#endif // NOVA_TRAINING_PROGRESS_H
