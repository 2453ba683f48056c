//===- Translations.cpp - What nova-translate can make --------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Translations.h"
#include "Nova/Frontend/HfConfig.h"
#include "Nova/Target/Dot.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::nova {

bool isBinary(Translation translation) {
  switch (translation) {
  case Translation::Object:
  case Translation::SharedObject:
  case Translation::Cubin:
  case Translation::Bundle:
    return true;
  default:
    return false;
  }
}

static FailureOr<std::string> makeCubin(ModuleOp module, const GpuTarget &gpu) {
  FailureOr<std::string> ptx = emitPtx(module, gpu);
  if (failed(ptx))
    return failure();
  llvm::Expected<Cubin> cubin = assemblePtx(*ptx, gpu);
  if (!cubin)
    return emitError(module.getLoc()) << llvm::toString(cubin.takeError());
  warnAboutLocalMemory(module, cubin->kernels);
  return std::move(cubin->bytes);
}

static std::string makeDot(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printDot(module, os);
  return text;
}

FailureOr<std::string> translate(ModuleOp module, Translation translation, CompileRequest &request,
                                 const BundleTargets &targets) {
  bool isCode = translation != Translation::Bundle && translation != Translation::Dot;
  if (isCode && failed(lowerProgram(module, request, targets)))
    return failure();
  switch (translation) {
  case Translation::None:
  case Translation::HfConfig:
    break;
  case Translation::LLVMIR:
    return emitCpuCode(module, *targets.cpu, CpuFormat::LLVMIR);
  case Translation::Assembly:
    return emitCpuCode(module, *targets.cpu, CpuFormat::Assembly);
  case Translation::Object:
    return emitCpuCode(module, *targets.cpu, CpuFormat::Object);
  case Translation::SharedObject:
    return emitCpuImage(module, *targets.cpu);
  case Translation::PTX:
    return emitPtx(module, targets.gpus.front());
  case Translation::Cubin:
    return makeCubin(module, targets.gpus.front());
  case Translation::Bundle:
    return compileToBundle(module, request, targets, llvm::errs());
  case Translation::Dot:
    return makeDot(module);
  }
  llvm_unreachable("the caller names a translation of a program");
}

FailureOr<std::string> translateHfConfig(StringRef file, llvm::SourceMgr &sources, MLIRContext *context, int64_t batch,
                                         int64_t seq) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (!buffer)
    return emitError(FileLineColLoc::get(context, file, 0, 0), "can't read the configuration: ")
           << buffer.getError().message();
  StringRef text = (*buffer)->getBuffer(), name = (*buffer)->getBufferIdentifier();
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = importHfConfig(text, name, context, batch, seq);
  if (!module)
    return failure();
  std::string program;
  llvm::raw_string_ostream os(program);
  module->print(os, OpPrintingFlags().printNameLocAsPrefix());
  os << "\n";
  return program;
}

} // namespace mlir::nova
