//===- Libraries.h - Libraries that nova-run opens --------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TOOLS_NOVA_RUN_LIBRARIES_H
#define NOVA_TOOLS_NOVA_RUN_LIBRARIES_H

#include "Nova/Support/Result.h"

namespace nova {

/// The path of a library of Nova's: beside nova-run or in the lib folder next to it. The error names the places, and
/// the library by `what`.
Result<std::string> findLibrary(const std::string &name, const std::string &what);

} // namespace nova

#endif // NOVA_TOOLS_NOVA_RUN_LIBRARIES_H
