//===- FiniteCheck.h - Which kernel first gave NaN or infinity --*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_FINITECHECK_H
#define NOVA_TRAINING_FINITECHECK_H

#include "Nova/Runtime/Executable.h"

namespace nova {

/// Looks at the results of every launch, and ends the run at the first one that is no finite number: a numerics error
/// with kernel, place in the program, and element. Training adds the step.
class FiniteCheck final : public LaunchObserver {
public:
  explicit FiniteCheck(Executable &executable) : executable(executable) {}

  Result<void> launched(const LaunchEvent &event) override;

private:
  Executable &executable;
  std::vector<char> data;
};

/// The first element that is NaN or infinite; nothing for types without such values.
std::optional<uint64_t> findNotFinite(DType type, const void *data, uint64_t count);

} // namespace nova

#endif // NOVA_TRAINING_FINITECHECK_H
