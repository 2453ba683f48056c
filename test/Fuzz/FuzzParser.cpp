//===- FuzzParser.cpp - Any text as a program -----------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static MLIRContext *context = [] {
    auto *made = new MLIRContext(MLIRContext::Threading::DISABLED);
    made->loadDialect<nova::NovaDialect, func::FuncDialect>();
    made->getDiagEngine().registerHandler([](Diagnostic &) { return success(); });
    return made;
  }();
  // Bytecode is MLIR's own, and crashes by itself on broken files.
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  if (text.starts_with("ML\xEFR"))
    return 0;
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
  if (!module)
    return 0;
  // What parses prints, and what was printed parses.
  std::string printed;
  llvm::raw_string_ostream(printed) << *module;
  if (!parseSourceString<ModuleOp>(printed, context))
    __builtin_trap();
  return 0;
}
