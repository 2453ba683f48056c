//===- CompilerLibrary.h - The compiler, opened when needed -----*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TOOLS_NOVA_RUN_COMPILERLIBRARY_H
#define NOVA_TOOLS_NOVA_RUN_COMPILERLIBRARY_H

#include "Nova/Compiler/Compiler.h"
#include "Nova/Support/Result.h"

#include <string>

namespace nova {

/// The functions of libNovaCompiler.so. Once opened it stays: LLVM is not made to be unloaded.
struct CompilerLibrary {
  /// Where the library lies: beside nova-run or in the lib folder next to it.
  static Result<std::string> find();
  static Result<CompilerLibrary> open(const std::string &path);

  /// The bundle's bytes. Diagnostics go to stderr; the error of a failed compilation has no message of its own.
  Result<std::string> compile(const std::string &request) const;

  decltype(&nova_compile) compileFunction = nullptr;
  decltype(&nova_reference_open) referenceOpen = nullptr;
  decltype(&nova_reference_state) referenceState = nullptr;
  decltype(&nova_reference_run) referenceRun = nullptr;
  decltype(&nova_reference_close) referenceClose = nullptr;
  decltype(&nova_compiler_version) version = nullptr;
};

/// Answer to --version.
std::string versionText();

} // namespace nova

#endif // NOVA_TOOLS_NOVA_RUN_COMPILERLIBRARY_H
