//===- StatusReport.h - What a kernel's status says -------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_RUNTIME_STATUSREPORT_H
#define NOVA_LIB_RUNTIME_STATUSREPORT_H

#include "Nova/Runtime/Executable.h"

namespace nova {

/// The error that a launch noted in its status. `fault` is set where the value came with an input of the entry.
Error reportStatus(const Bundle &bundle, const Entry &entry, const Launch &launch, const Status &status,
                   std::optional<DataFault> &fault);

} // namespace nova

#endif // NOVA_LIB_RUNTIME_STATUSREPORT_H
