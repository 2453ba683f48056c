//===- ReferenceDevice.h - The evaluator as a device ------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TOOLS_NOVA_RUN_REFERENCEDEVICE_H
#define NOVA_TOOLS_NOVA_RUN_REFERENCEDEVICE_H

#include "CompilerLibrary.h"
#include "Nova/Runtime/Executable.h"

namespace nova {

/// Opens a program, given as the compiler's request, in the reference evaluator of the compiler library.
Result<std::unique_ptr<Executable>> openReference(const CompilerLibrary &library, const std::string &request);

} // namespace nova

#endif // NOVA_TOOLS_NOVA_RUN_REFERENCEDEVICE_H
