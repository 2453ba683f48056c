//===- Limits.h - What this machine can do at most --------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_LIMITS_H
#define NOVA_TRAINING_LIMITS_H

#include "Nova/Runtime/Executable.h"

#include <vector>

namespace nova {

/// The speeds that no kernel exceeds.
struct Limits {
  /// How fast a launch can move data that takes `bytes` or more: less of it fits into the faster caches.
  struct Memory {
    double bytes = 0, bytesPerSecond = 0;
  };

  /// By the unit that a kernel computes with, two operations for a multiplication and an addition; 0: unknown.
  double flopsPerSecond[kUnitCount] = {};
  std::vector<Memory> memory; ///< by ascending sizes, ever slower
  double cacheBytes = 0;      ///< that come from a cache of unknown speed

  /// The limits that a device states.
  static Limits of(const DeviceInfo &device);

  /// The time that a launch of the kernel takes at least.
  double leastSeconds(const Kernel &kernel) const;
  std::string toText() const;
};

/// Measured, by as many threads as compute: multiply-adds in registers for every unit that the processor has, and
/// reads and copies of arrays of several sizes. Takes about a second and 128 MB.
Result<Limits> measureLimits(unsigned threads);

} // namespace nova

#endif // NOVA_TRAINING_LIMITS_H
