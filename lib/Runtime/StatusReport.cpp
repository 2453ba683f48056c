//===- StatusReport.cpp - What a kernel's status says ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StatusReport.h"

using namespace nova;

Error nova::reportStatus(const Bundle &bundle, const Entry &entry, const Launch &launch, const Status &status,
                         std::optional<DataFault> &fault) {
  const Kernel &kernel = bundle.kernels[launch.kernel];
  std::string operand = "operand " + std::to_string(status.operand);
  if (status.operand >= 0 && static_cast<size_t>(status.operand) < launch.arguments.size()) {
    Address address = launch.arguments[status.operand];
    for (size_t i = 0; i < entry.inputs.size(); ++i)
      if (address.region == Region::Io && entry.inputs[i].address.offset == address.offset) {
        operand = "input '" + entry.inputs[i].tensor.name + "'";
        fault = {i, status.position, status.value, status.bound};
      }
  }
  return inputError((kernel.location.empty() ? "" : kernel.location + ": ") + "kernel '" + kernel.name +
                    "': expected 0 <= value < " + std::to_string(status.bound) + " in " + operand + ", found " +
                    std::to_string(status.value) + " at position " + std::to_string(status.position));
}
