//===- Program.cpp - Programs as they come in -----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Compiler/Compile.h"
#include "Nova/Dialect/Nova.h"
#include "Nova/Runtime/Bundle.h"
#include "Nova/Support/Hash.h"
#include "Nova/Target/BytecodeCheck.h"
#include "Nova/Target/Registration.h"
#include "Nova/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::nova {

/// A train step: one function, or two where gradients are accumulated.
static constexpr StringLiteral kStepName = "train_step", kGradientStepName = "gradient_step";
static constexpr StringLiteral kLossName = "loss";

void registerCompilerDialects(DialectRegistry &registry) {
  registry.insert<NovaDialect, arith::ArithDialect, func::FuncDialect, scf::SCFDialect, tensor::TensorDialect>();
  registerTargetDialects(registry);
}

/// What a file is, and what to do with it, that can be no program; empty where it may be one. To the parser such files
/// are one long line of which it shows every byte.
static StringRef describeForeign(StringRef bytes) {
  if (bytes.starts_with(StringRef(::nova::kBundleMagic, sizeof(::nova::kBundleMagic))))
    return "a bundle, which is compiled already; nova-run runs it";
  if (bytes.size() > 8 && bytes[8] == '{' && bytes.take_front(8).contains('\0'))
    return "a safetensors file, which nova-run reads with --inputs, --params or --data";
  bool isBytecode = bytes.starts_with("ML\xefR");
  if (!isBytecode && bytes.take_front(4096).contains('\0'))
    return "binary data";
  return "";
}

OwningOpRef<ModuleOp> readProgram(StringRef file, std::shared_ptr<llvm::SourceMgr> sources, MLIRContext *context) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (!buffer) {
    emitError(FileLineColLoc::get(context, file, 0, 0), "can't read the program: ") << buffer.getError().message();
    return nullptr;
  }
  if (StringRef foreign = describeForeign((*buffer)->getBuffer()); !foreign.empty()) {
    emitError(FileLineColLoc::get(context, (*buffer)->getBufferIdentifier(), 0, 0),
              "expected a program, as text or bytecode of MLIR, found ")
        << foreign;
    return nullptr;
  }
  if (std::optional<std::string> damage = findDamage(**buffer, context->getDialectRegistry())) {
    emitError(FileLineColLoc::get(context, (*buffer)->getBufferIdentifier(), 0, 0)) << *damage;
    return nullptr;
  }
  // The line of the source says more than the op in its generic form.
  context->printOpOnDiagnostic(false);
  sources->AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, context);
}

bool isTrainable(ModuleOp program, StringRef loss) {
  return program.lookupSymbol<func::FuncOp>(kStepName) || program.lookupSymbol<func::FuncOp>(kGradientStepName) ||
         (program.lookupSymbol<func::FuncOp>(loss) && !program.getOps<ParameterOp>().empty());
}

/// The function of that name, or the only one.
static FailureOr<func::FuncOp> findEntry(ModuleOp program, StringRef name) {
  SmallVector<func::FuncOp> functions;
  for (auto function : program.getOps<func::FuncOp>())
    if (!function.isExternal() && function.isPublic())
      functions.push_back(function);
  for (func::FuncOp function : functions)
    if (function.getName() == name)
      return function;
  if (name.empty() && functions.size() == 1)
    return functions.front();
  std::string names =
      llvm::join(llvm::map_range(functions, [](func::FuncOp function) { return function.getName(); }), ", ");
  if (functions.empty())
    return emitError(program.getLoc(), "expected a program with a function to run, found none");
  if (name.empty())
    return emitError(program.getLoc(), "expected one function to run, found ")
           << functions.size() << " (" << names << "); name one of them with --entry";
  return emitError(program.getLoc(), "expected a function @") << name << " to run, found only " << names;
}

/// Erases every public function but the entry and those that it reaches.
static void keepOnly(ModuleOp program, func::FuncOp entry) {
  SymbolTable symbols(program);
  llvm::SetVector<Operation *> reached;
  reached.insert(entry);
  for (unsigned next = 0; next != reached.size(); ++next)
    if (auto uses = SymbolTable::getSymbolUses(reached[next]))
      for (const SymbolTable::SymbolUse &use : *uses)
        if (Operation *symbol = symbols.lookup(use.getSymbolRef().getRootReference()))
          reached.insert(symbol);
  for (auto function : llvm::make_early_inc_range(program.getOps<func::FuncOp>()))
    if (!reached.contains(function))
      function.erase();
}

/// A program whose types --nova-mixed-precision has chosen keeps them, whatever the request says.
static void readDtype(ModuleOp program, CompileRequest &request) {
  for (auto function : program.getOps<func::FuncOp>())
    if (auto dtype = function->getAttrOfType<StringAttr>(kDtypeAttribute))
      request.step.dtype = dtype.getValue();
}

LogicalResult readBuiltStep(ModuleOp program, CompileRequest &request) {
  readDtype(program, request);
  auto gradientStep = program.lookupSymbol<func::FuncOp>(kGradientStepName);
  request.isBuiltStep = request.train && (gradientStep || program.lookupSymbol<func::FuncOp>(kStepName));
  if (!request.isBuiltStep)
    return success();
  request.step.accumulate = 1;
  if (!gradientStep)
    return success();
  auto count = gradientStep->getAttrOfType<IntegerAttr>("nova.micro_batches");
  if (!count || !count.getType().isSignlessInteger(64) || count.getInt() < 1)
    return gradientStep.emitOpError("expected nova.micro_batches to be a positive i64, the batches of a step, found ")
           << gradientStep->getAttr("nova.micro_batches");
  request.step.accumulate = count.getInt();
  return success();
}

namespace {
/// Hashes what is printed to it, so that a program with large constants is never held as text.
class HashStream final : public raw_ostream {
public:
  HashStream() : raw_ostream(/*unbuffered=*/false) {}
  ~HashStream() override { flush(); }

  std::string digest() {
    flush();
    return ::nova::toHex(hash.digest());
  }

private:
  void write_impl(const char *bytes, size_t size) override {
    hash.update({bytes, size});
    written += size;
  }
  uint64_t current_pos() const override { return written; }

  ::nova::Hash64 hash;
  uint64_t written = 0;
};
} // namespace

void identifyProgram(ModuleOp program, CompileRequest &request) {
  HashStream stream;
  // Without locations: a file that was moved or laid out anew is still the same program.
  program.print(stream, OpPrintingFlags().enableDebugInfo(false));
  request.programHash = stream.digest();
}

LogicalResult prepareProgram(ModuleOp program, CompileRequest &request) {
  identifyProgram(program, request);
  if (request.train && request.entry.empty())
    request.entry = kLossName;
  if (failed(dumpLevel(program, request, "0-program")))
    return failure();
  // A program may come as kernels, or as a train step, which then is what there is to run.
  PassManager manager(program.getContext());
  if (failed(readBuiltStep(program, request)))
    return failure();
  if (!program.getOps<KernelOp>().empty()) {
    if (request.matmulPrecision != MatmulPrecision::Exact && program->hasAttr("nova.region_bytes"))
      return program.emitError(
          "expected matmul precision exact for a program of tiled kernels, which have their "
          "configurations already, found tf32; leave it out, or give the program they were made of");
    auto hasDtype = [](func::FuncOp function) { return function->hasAttr(kDtypeAttribute); };
    if (request.step.dtype == "f32" || llvm::any_of(program.getOps<func::FuncOp>(), hasDtype))
      return success();
    return program.emitError("expected dtype f32 for a program of kernels, whose types are chosen already, found ")
           << request.step.dtype;
  }
  if (request.isBuiltStep) {
    buildPrecisionPipeline(manager, request.step.dtype);
    return manager.run(program);
  }
  FailureOr<func::FuncOp> entry = findEntry(program, request.entry);
  if (failed(entry))
    return failure();
  request.entry = entry->getName();
  keepOnly(program, *entry);

  SpecializeShapesPassOptions specialize;
  specialize.shapes = llvm::to_vector(request.shapes);
  specialize.inputShapes = llvm::to_vector(request.inputShapes);
  manager.addPass(createSpecializeShapesPass(specialize));
  if (request.train) {
    request.step.function = request.entry;
    buildTrainPipeline(manager, request.step);
  } else {
    buildRaisePipeline(manager, request.step.mode);
    buildPrecisionPipeline(manager, request.step.dtype);
  }
  if (failed(manager.run(program)))
    return failure();
  return dumpLevel(program, request, request.train ? "2-train-step" : "1-raised");
}

} // namespace mlir::nova
