//===- Schedule.h - The learning rate over the steps ------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_SCHEDULE_H
#define NOVA_TRAINING_SCHEDULE_H

#include <cstdint>

namespace nova {

struct Schedule {
  enum class Kind { Constant, Linear, Cosine };

  Kind kind = Kind::Constant;
  double lr = 6e-4;
  double minLr = 0; ///< reached at the last step, linear or by a cosine
  uint64_t warmup = 0;
  uint64_t steps = 0;

  /// The learning rate of step 0, 1, ..., steps - 1: lr * (step + 1) / warmup while step < warmup, then the schedule.
  double at(uint64_t step) const;
};

} // namespace nova

#endif // NOVA_TRAINING_SCHEDULE_H
