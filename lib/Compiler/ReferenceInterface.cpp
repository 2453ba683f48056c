//===- ReferenceInterface.cpp - The evaluator through the C interface -----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Compiler/Compile.h"
#include "Nova/Compiler/Compiler.h"
#include "Nova/Target/Output.h"
#include "ReferenceProgram.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::nova;

#define NOVA_EXPORT extern "C" __attribute__((visibility("default")))

/// What an open evaluator holds. Diagnostics gather in `text` and go out when a call fails.
struct nova_reference {
  nova_reference()
      : context(MLIRContext::Threading::DISABLED), sources(std::make_shared<llvm::SourceMgr>()), stream(text),
        handler(*sources, &context, stream) {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Passes on what was said, and gives the exit code that belongs to it.
  int fail(nova_sink diagnostic, void *sinkContext) {
    constexpr int diagnosticOnInput = 1;
    diagnostic(sinkContext, text.data(), text.size());
    text.clear();
    return diagnosticOnInput;
  }

  MLIRContext context;
  std::shared_ptr<llvm::SourceMgr> sources;
  std::string text;
  llvm::raw_string_ostream stream;
  SourceMgrDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<ReferenceProgram> program;
};

static LogicalResult open(nova_reference &reference, CompileRequest &request) {
  // The judge of what raising does takes the program as it was written.
  request.step.mode = Mode::Eager;
  reference.module = readProgram(request.file, reference.sources, &reference.context);
  if (!reference.module || failed(prepareProgram(*reference.module, request)))
    return failure();
  FailureOr<std::unique_ptr<ReferenceProgram>> program = ReferenceProgram::create(*reference.module);
  if (failed(program))
    return failure();
  reference.program = std::move(*program);
  reference.program->getTables().options = describeOptions(request, /*isForGpu=*/false);
  return success();
}

NOVA_EXPORT int nova_reference_open(const char *request, nova_reference **out, nova_sink tables, nova_sink diagnostic,
                                    void *context) {
  CompileRequest parsed;
  if (llvm::Error error = parseRequest(request, parsed)) {
    constexpr int wrongUsage = 2;
    std::string message = llvm::toString(std::move(error));
    diagnostic(context, message.data(), message.size());
    return wrongUsage;
  }
  auto run = [&]() -> int {
    auto reference = std::make_unique<nova_reference>();
    if (failed(open(*reference, parsed)))
      return reference->fail(diagnostic, context);
    std::string json = ::nova::tablesToJson(reference->program->getTables());
    tables(context, json.data(), json.size());
    *out = reference.release();
    return 0;
  };
  std::string message;
  llvm::raw_string_ostream errors(message);
  int code = runGuarded(run, errors);
  if (!message.empty())
    diagnostic(context, message.data(), message.size());
  return code;
}

NOVA_EXPORT int nova_reference_state(nova_reference *reference, size_t index, void *data, int write, nova_sink,
                                     void *) {
  reference::Tensor &tensor = reference->program->getState(index);
  if (write)
    std::copy_n(static_cast<const char *>(data), tensor.getNumBytes(), tensor.getMutableData());
  else
    std::copy_n(tensor.getData(), tensor.getNumBytes(), static_cast<char *>(data));
  return 0;
}

NOVA_EXPORT int nova_reference_run(nova_reference *reference, size_t entry, const void *const *inputs,
                                   void *const *outputs, nova_sink diagnostic, void *context) {
  if (failed(reference->program->run(entry, inputs, outputs)))
    return reference->fail(diagnostic, context);
  return 0;
}

NOVA_EXPORT void nova_reference_close(nova_reference *reference) { delete reference; }
