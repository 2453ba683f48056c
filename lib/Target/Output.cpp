//===- Output.cpp - What the compiler's tools write -----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Target/Output.h"

#include "Nova/Support/File.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::nova {

llvm::Error writeOutput(StringRef path, StringRef bytes) {
  if (path != "-") {
    ::nova::Result<void> written = ::nova::writeFile(path.str(), bytes);
    return written ? llvm::Error::success() : llvm::createStringError(written.error().message);
  }
  // Not as a file that is replaced: what stdout is redirected to may have more in it.
  llvm::outs() << bytes;
  llvm::outs().flush();
  std::error_code code = llvm::outs().error();
  llvm::outs().clear_error();
  return code ? llvm::createFileError("standard output", code) : llvm::Error::success();
}

int runGuarded(function_ref<int()> body, raw_ostream &errors) {
  constexpr unsigned kStackBytes = 512u << 20; // address space, of which only what is used takes memory
  int code = 1;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext context;
  bool survived = context.RunSafelyOnThread([&] { code = body(); }, kStackBytes);
  llvm::CrashRecoveryContext::Disable();
  if (survived)
    return code;
  errors << "error: the compiler gave up on this input (signal " << context.RetCode - 128
         << "); it is damaged, or shows a bug in Nova or LLVM: please report it with the command line and the input\n";
  errors.flush();
  return 1;
}

} // namespace mlir::nova
