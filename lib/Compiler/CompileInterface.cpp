//===- CompileInterface.cpp - The compiler as a shared library ------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Compiler/Compile.h"
#include "Nova/Compiler/Compiler.h"
#include "Nova/Target/Output.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::nova;

#define NOVA_EXPORT extern "C" __attribute__((visibility("default")))

enum ExitCode { Success = 0, BadInput = 1, BadUsage = 2 };

namespace {
/// Passes on what is written, a piece at a time.
class SinkStream final : public llvm::raw_ostream {
public:
  SinkStream(nova_sink sink, void *context) : sink(sink), context(context) {}
  ~SinkStream() override { flush(); }

private:
  void write_impl(const char *bytes, size_t size) override {
    sink(context, bytes, size);
    position += size;
  }
  uint64_t current_pos() const override { return position; }

  nova_sink sink;
  void *context;
  uint64_t position = 0;
};
} // namespace

NOVA_EXPORT int nova_compiler_abi(void) { return NOVA_COMPILER_ABI; }

NOVA_EXPORT const char *nova_compiler_version(void) {
  return "LLVM " LLVM_VERSION_STRING ", targets cpu (" LLVM_DEFAULT_TARGET_TRIPLE "), sm_80, sm_89, sm_90";
}

static FailureOr<std::string> compile(CompileRequest &request, const BundleTargets &targets, raw_ostream &messages) {
  DialectRegistry registry;
  registerCompilerDialects(registry);
  MLIRContext context(registry);
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler handler(*sources, &context, messages);
  OwningOpRef<ModuleOp> program = readProgram(request.file, sources, &context);
  if (!program)
    return failure();
  return compileToBundle(*program, request, targets, messages);
}

NOVA_EXPORT int nova_compile(const char *text, nova_sink bundle, nova_sink diagnostic, void *context) {
  SinkStream messages(diagnostic, context);
  CompileRequest request;
  if (llvm::Error error = parseRequest(text, request)) {
    messages << llvm::toString(std::move(error)) << "\n";
    return BadUsage;
  }
  llvm::Expected<BundleTargets> targets = lookUpTargets(request);
  if (!targets) {
    messages << llvm::toString(targets.takeError()) << "\n";
    return BadUsage;
  }
  auto run = [&]() -> int {
    FailureOr<std::string> bytes = compile(request, *targets, messages);
    if (failed(bytes))
      return BadInput;
    bundle(context, bytes->data(), bytes->size());
    return Success;
  };
  return runGuarded(run, messages);
}
