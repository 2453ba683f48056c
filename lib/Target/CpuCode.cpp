//===- CpuCode.cpp - LLVM dialect to assembly, object and shared object ---===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Target/Cpu.h"
#include "Nova/Target/KernelCode.h"
#include "Nova/Target/Toolchain.h"
#include "TargetMachines.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Threading.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::nova {

//===----------------------------------------------------------------------===//
// Code of one module
//===----------------------------------------------------------------------===//

/// What every function needs to be compiled for `cpu` by whoever reads the IR.
static void setFunctionAttributes(llvm::Module &module, const CpuTarget &cpu) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", cpu.name);
    if (!cpu.features.empty())
      function.addFnAttr("target-features", cpu.features);
    // Without it LLVM keeps to 256 bits on most CPUs with AVX-512.
    function.addFnAttr("prefer-vector-width", std::to_string(cpu.vectorBits));
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

static FailureOr<std::string> emit(ModuleOp module, const CpuTarget &cpu, CpuFormat format) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine = createCpuMachine(cpu);
  std::unique_ptr<llvm::Module> llvmModule = translateToLLVM(module, context, *machine);
  if (!llvmModule)
    return failure();
  setFunctionAttributes(*llvmModule, cpu);
  if (failed(optimize(module, *llvmModule, *machine)))
    return failure();
  if (format == CpuFormat::LLVMIR) {
    std::string text;
    llvm::raw_string_ostream(text) << *llvmModule;
    return text;
  }
  return generateCode(module, *llvmModule, *machine,
                      format == CpuFormat::Object ? llvm::CodeGenFileType::ObjectFile
                                                  : llvm::CodeGenFileType::AssemblyFile);
}

/// The module with the kernels' functions: nested in a program, or the module itself.
static ModuleOp codeOf(ModuleOp module) {
  auto nested = dyn_cast_or_null<ModuleOp>(findKernelCode(module));
  return nested ? nested : module;
}

static bool isLLVMOp(Operation &op) { return isa<LLVM::LLVMDialect>(op.getDialect()); }

static InFlightDiagnostic noKernels(ModuleOp module) {
  return emitError(module.getLoc(), "expected functions of the LLVM dialect to make code from, found none");
}

FailureOr<std::string> emitCpuCode(ModuleOp module, const CpuTarget &cpu, CpuFormat format) {
  module = codeOf(module);
  OwningOpRef<ModuleOp> code = ModuleOp::create(module.getLoc(), module.getName());
  for (Operation &op : module.getOps())
    if (isLLVMOp(op))
      code->push_back(op.clone());
  if (code->getBody()->empty())
    return noKernels(module);
  return emit(*code, cpu, format);
}

//===----------------------------------------------------------------------===//
// Shared object
//===----------------------------------------------------------------------===//

/// A module with `kernel` and the symbols that it uses, directly or through others.
static OwningOpRef<ModuleOp> isolate(LLVM::LLVMFuncOp kernel, const SymbolTable &symbols) {
  llvm::SetVector<Operation *> needed;
  needed.insert(kernel);
  for (unsigned next = 0; next != needed.size(); ++next)
    if (auto uses = SymbolTable::getSymbolUses(needed[next]))
      for (const SymbolTable::SymbolUse &use : *uses)
        if (Operation *symbol = symbols.lookup(use.getSymbolRef().getRootReference()); symbol && isLLVMOp(*symbol))
          needed.insert(symbol);
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc(), kernel.getName());
  for (Operation *op : needed)
    module->push_back(op->clone());
  return module;
}

/// An archive of the objects, named after their kernels.
static llvm::Expected<std::string> archive(ArrayRef<std::string> objects, MutableArrayRef<LLVM::LLVMFuncOp> kernels) {
  std::vector<llvm::NewArchiveMember> members;
  for (auto [object, kernel] : llvm::zip_equal(objects, kernels))
    members.emplace_back(llvm::MemoryBufferRef(object, kernel.getName()));
  auto buffer = llvm::writeArchiveToBuffer(members, llvm::SymtabWritingMode::NoSymtab, llvm::object::Archive::K_GNU,
                                           /*Deterministic=*/true, /*Thin=*/false);
  if (!buffer)
    return buffer.takeError();
  return (*buffer)->getBuffer().str();
}

static llvm::Expected<std::string> link(StringRef objects) {
  auto linker = findLinker();
  if (!linker)
    return linker.takeError();
  auto input = TemporaryFile::create("a"), output = TemporaryFile::create("so");
  if (!input || !output)
    return llvm::joinErrors(input.takeError(), output.takeError());
  if (llvm::Error error = input->write(objects))
    return error;
  auto log = runProgram(*linker, {"-m", "elf_x86_64", "-shared", "--build-id=sha1", "--whole-archive", input->path(),
                                  "-o", output->path()});
  if (!log)
    return log.takeError();
  return output->read();
}

/// The process that opens the image has the C library and its mathematics, and nothing else: a symbol of another kind
/// (LLVM's run-time library, say) is found here, where the kernel is known, not when the image is opened.
static LogicalResult checkUndefined(LLVM::LLVMFuncOp kernel, StringRef bytes) {
  auto object = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(bytes, kernel.getName()));
  if (!object)
    return emitError(kernel.getLoc()) << llvm::toString(object.takeError());
  llvm::TargetLibraryInfoImpl library((*object)->makeTriple());
  for (const llvm::object::SymbolRef &symbol : (*object)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags || !name)
      return emitError(kernel.getLoc()) << llvm::toString(llvm::joinErrors(flags.takeError(), name.takeError()));
    llvm::LibFunc function;
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) && !name->empty() && *name != "_GLOBAL_OFFSET_TABLE_" &&
        !library.getLibFunc(*name, function))
      return emitError(kernel.getLoc()) << "expected kernel '" << kernel.getName()
                                        << "' to call only the C library, found a call of '" << *name << "'";
  }
  return success();
}

FailureOr<std::string> emitCpuImage(ModuleOp module, const CpuTarget &cpu) {
  bool isProgram = findKernelCode(module);
  module = codeOf(module);
  SmallVector<LLVM::LLVMFuncOp> kernels;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal() && function.getLinkage() == LLVM::Linkage::External)
      kernels.push_back(function);
  // A program that only returns constants, or nothing, has an image without functions.
  if (kernels.empty() && !isProgram)
    return noKernels(module);

  SymbolTable symbols(module);
  std::vector<std::string> objects(kernels.size());
  auto compile = [&](size_t i) {
    OwningOpRef<ModuleOp> isolated = isolate(kernels[i], symbols);
    FailureOr<std::string> object = emit(*isolated, cpu, CpuFormat::Object);
    if (failed(object) || failed(checkUndefined(kernels[i], *object)))
      return failure();
    objects[i] = std::move(*object);
    return success();
  };
  if (failed(failableParallelForEachN(module.getContext(), 0, kernels.size(), compile)))
    return failure();

  auto objectArchive = archive(objects, kernels);
  auto image = objectArchive ? link(*objectArchive) : objectArchive.takeError();
  if (!image)
    return emitError(module.getLoc()) << llvm::toString(image.takeError());
  return std::move(*image);
}

} // namespace mlir::nova
