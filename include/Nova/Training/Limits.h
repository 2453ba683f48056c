//===- Limits.h - What the processor can do ---------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_LIMITS_H
#define NOVA_TRAINING_LIMITS_H

#include "Nova/Support/Result.h"

namespace nova {

/// Measured, by as many threads as compute: f32 fused multiply-adds in registers (two operations each), and a copy
/// between arrays that no cache holds (bytes read and bytes written).
struct Limits {
  double flopsPerSecond = 0;
  double bytesPerSecond = 0;
};

/// Takes about a tenth of a second and 128 MB.
Result<Limits> measureLimits(unsigned threads);

} // namespace nova

#endif // NOVA_TRAINING_LIMITS_H
