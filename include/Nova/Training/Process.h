//===- Process.h - Facts about this process ---------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_PROCESS_H
#define NOVA_TRAINING_PROCESS_H

#include <cstdint>

namespace nova {

/// The most memory that this process has had resident; 0 where the system does not tell.
uint64_t peakMemoryBytes();

/// Seconds since the process was started, loading of libraries included.
double processAge();

/// While it lives, SIGINT and SIGTERM are only noted, so that the current step can be finished; a second one ends the
/// process as usual.
class StopSignals {
public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals &) = delete;

  /// The signal that came, or 0.
  int received() const;
};

} // namespace nova

#endif // NOVA_TRAINING_PROCESS_H
