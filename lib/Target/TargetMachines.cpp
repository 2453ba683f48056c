//===- TargetMachines.cpp - LLVM's side of Target -------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetMachines.h"
#include "Nova/Target/Registration.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace mlir::nova {

void registerTargetDialects(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

const Target &lookUpCodeGenerator(const Triple &triple) {
  // Once, for all: the registry is a list without a lock, and a bundle's targets are compiled side by side.
  [[maybe_unused]] static const bool isRegistered = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    report_fatal_error(Twine("LLVM was built without a target that Nova needs: ") + error);
  return *target;
}

namespace {
/// Turns LLVM's errors into errors of an op for as long as it lives. LLVM otherwise prints them and exits.
class ErrorScope {
public:
  ErrorScope(Operation *op, LLVMContext &context) : op(op), context(context) {
    context.setDiagnosticHandlerCallBack(
        [](const DiagnosticInfo *info, void *scope) {
          if (info->getSeverity() == DS_Error)
            static_cast<ErrorScope *>(scope)->report(*info);
        },
        this);
  }
  ~ErrorScope() { context.setDiagnosticHandlerCallBack(nullptr); }
  LogicalResult result() const { return failure(failed); }

private:
  void report(const DiagnosticInfo &info) {
    failed = true;
    std::string text;
    raw_string_ostream os(text);
    DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    emitError(op->getLoc(), "code generation failed: ") << text;
  }

  Operation *op;
  LLVMContext &context;
  bool failed = false;
};
} // namespace

std::unique_ptr<Module> translateToLLVM(Operation *op, LLVMContext &context, TargetMachine &machine) {
  std::unique_ptr<Module> module = translateModuleToLLVMIR(op, context, "nova");
  if (!module)
    return nullptr;
  module->setDataLayout(machine.createDataLayout());
  module->setTargetTriple(machine.getTargetTriple());
  return module;
}

LogicalResult optimize(Operation *op, Module &module, TargetMachine &machine) {
  ErrorScope scope(op, module.getContext());
  if (Error error = makeOptimizingTransformer(/*optLevel=*/1, /*sizeLevel=*/0, &machine)(&module))
    return emitError(op->getLoc(), "optimization failed: ") << toString(std::move(error));
  return scope.result();
}

FailureOr<std::string> generateCode(Operation *op, Module &module, TargetMachine &machine, CodeGenFileType type) {
  ErrorScope scope(op, module.getContext());
  SmallVector<char, 0> bytes;
  raw_svector_ostream os(bytes);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, /*DwoOut=*/nullptr, type))
    return emitError(op->getLoc(), "LLVM can't write this kind of file for ") << machine.getTargetTriple().str();
  passes.run(module);
  if (failed(scope.result()))
    return failure();
  return std::string(bytes.begin(), bytes.end());
}

} // namespace mlir::nova
