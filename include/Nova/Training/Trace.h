//===- Trace.h - A timeline of a run ----------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_TRACE_H
#define NOVA_TRAINING_TRACE_H

#include "Nova/Runtime/Executable.h"

#include <string>

namespace nova {

/// A file in the format of Chrome's tracing (chrome://tracing, ui.perfetto.dev): what the host does, every launch, and
/// the share of it that each thread had. Written as it comes, so that its length costs no memory.
class Trace final : public LaunchObserver {
public:
  /// `tables` outlives the trace.
  static Result<Trace> create(const std::string &path, const Bundle &tables, unsigned threads);

  Trace(Trace &&other) noexcept;
  Trace &operator=(Trace &&) = delete;
  ~Trace() override;

  /// A span of the thread that trains. A write that fails is reported by `finish`.
  void hostSpan(const char *name, LaunchEvent::Clock::time_point begin, LaunchEvent::Clock::time_point end);
  Result<void> launched(const LaunchEvent &event) override;

  /// Ends the file; without it, readers still take what is there.
  Result<void> finish();

private:
  Trace(std::string path, const Bundle &tables) : path(std::move(path)), tables(&tables) {}
  void add(const std::string &name, const std::string &category, unsigned track, LaunchEvent::Span span);
  void flush();

  std::string path;
  const Bundle *tables;
  LaunchEvent::Clock::time_point start;
  std::string pending;
  int descriptor = -1;
  int failure = 0; ///< errno of the first write that failed
};

} // namespace nova

#endif // NOVA_TRAINING_TRACE_H
