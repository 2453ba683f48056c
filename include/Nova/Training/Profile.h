//===- Profile.h - Kernels by the time they take ----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_PROFILE_H
#define NOVA_TRAINING_PROFILE_H

#include "Nova/Runtime/Executable.h"
#include "Nova/Training/Limits.h"

#include <string>

namespace nova {

/// Adds up the times of the launches of steps by kernel.
class Profile final : public LaunchObserver {
public:
  /// `tables` outlives the profile.
  explicit Profile(const Bundle &tables) : tables(tables), rows(tables.kernels.size()) {}

  Result<void> launched(const LaunchEvent &event) override;

  /// A table: kernels by time, with what they do in a second and the share of what the limits allow, then the host.
  /// `stepMs` and `dataMs` are of all steps together: in all, and waiting for batches.
  std::string toTable(const Limits &limits, double stepMs, double dataMs, uint64_t steps) const;

private:
  struct Row {
    uint64_t launches = 0;
    double seconds = 0;
  };

  const Bundle &tables;
  std::vector<Row> rows; ///< by kernel
};

} // namespace nova

#endif // NOVA_TRAINING_PROFILE_H
