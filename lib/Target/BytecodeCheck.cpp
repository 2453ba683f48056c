//===- BytecodeCheck.cpp - Bytecode that may be damaged -------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Target/BytecodeCheck.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/Errno.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace mlir::nova {

/// What the child does: its exit code says whether the program can be read, what it writes to `report` why not.
static int readInChild(llvm::MemoryBufferRef program, const DialectRegistry &registry, int report) {
  constexpr unsigned kSeconds = 120; // A reader whose memory is damaged may also wait for ever.
  for (int number : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP})
    signal(number, SIG_DFL);
  alarm(kSeconds);
  // The last words of malloc and LLVM are no diagnostic.
  close(STDERR_FILENO);
  llvm::raw_fd_ostream messages(report, /*shouldClose=*/false, /*unbuffered=*/true);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(); // Which dialects may be there is decided by whoever reads it next.
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      messages << diagnostic << "\n";
  });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(program, /*RequiresNullTerminator=*/false), {});
  Block block;
  bool isRead = succeeded(parseSourceFile(sources, &block, ParserConfig(&context, /*verifyAfterParse=*/false)));
  block.clear();
  return isRead ? 0 : 1;
}

static std::string readAll(int descriptor) {
  std::string text;
  char bytes[4096];
  for (ssize_t count; (count = read(descriptor, bytes, sizeof(bytes))) != 0;) {
    if (count > 0)
      text.append(bytes, count);
    else if (errno != EINTR)
      break;
  }
  return text;
}

std::optional<std::string> findDamage(llvm::MemoryBufferRef program, const DialectRegistry &registry) {
  if (!isBytecode(program))
    return std::nullopt;
  int ends[2];
  pid_t child = pipe(ends) == 0 ? fork() : -1;
  if (child < 0)
    return "cannot start a process that reads the bytecode: " + llvm::sys::StrError();
  if (child == 0) {
    close(ends[0]);
    // Nothing of the parent's is flushed or destroyed twice.
    _exit(readInChild(program, registry, ends[1]));
  }
  close(ends[1]);
  std::string report = StringRef(readAll(ends[0])).split('\n').first.str(); // The first error; others follow from it.
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return std::nullopt;
  return "damaged bytecode" + (report.empty() ? "" : ": " + report) + "; write the program anew, or as text";
}

} // namespace mlir::nova
