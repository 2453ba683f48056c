//===- Schedule.cpp - The learning rate over the steps --------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Schedule.h"

#include <cmath>

using namespace nova;

double Schedule::at(uint64_t step) const {
  if (step < warmup)
    return lr * static_cast<double>(step + 1) / static_cast<double>(warmup);
  if (kind == Kind::Constant)
    return lr;
  if (step + 1 >= steps)
    return minLr;
  // From 0 at the first step after the warmup to 1 at the last one.
  double progress = static_cast<double>(step - warmup) / static_cast<double>(steps - 1 - warmup);
  double left = kind == Kind::Linear ? 1 - progress : 0.5 * (1 + std::cos(M_PI * progress));
  return minLr + (lr - minLr) * left;
}
