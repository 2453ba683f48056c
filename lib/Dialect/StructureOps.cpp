//===- StructureOps.cpp - Kernels and launches ------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "Nova/Dialect/Schedule.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace mlir::nova;

#define GET_OP_CLASSES
#include "Nova/Dialect/NovaOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Kernel:  nova.kernel @name(arguments) -> results family F [config #c] [attributes {..}] { body }
//===----------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> results;
  SmallVector<DictionaryAttr> resultAttributes;
  bool variadic = false;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name), result.attributes) ||
      function_interface_impl::parseFunctionSignatureWithArguments(parser, /*allowVariadic=*/false, arguments, variadic,
                                                                   results, resultAttributes))
    return failure();
  SmallVector<Type> inputs = llvm::map_to_vector(arguments, [](auto &argument) { return argument.type; });
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(parser.getBuilder().getFunctionType(inputs, results)));
  FamilyAttr family;
  if (parser.parseKeyword("family") ||
      parser.parseCustomAttributeWithFallback(family, Type(), getFamilyAttrName(result.name), result.attributes))
    return failure();
  KernelConfigAttr config;
  if (succeeded(parser.parseOptionalKeyword("config")) &&
      parser.parseAttribute(config, getConfigAttrName(result.name), result.attributes))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  call_interface_impl::addArgAndResultAttrs(parser.getBuilder(), result, arguments, resultAttributes,
                                            getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
  return parser.parseRegion(*result.addRegion(), arguments);
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getName());
  call_interface_impl::printFunctionSignature(printer, getArgumentTypes(), getArgAttrsAttr(), /*isVariadic=*/false,
                                              getResultTypes(), getResAttrsAttr(), &getBody(),
                                              /*printEmptyResult=*/false);
  printer << " family " << stringifyFamily(getFamily());
  if (auto config = getConfigAttr())
    printer << " config " << config;
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getSymNameAttrName(), getFunctionTypeAttrName(), getFamilyAttrName(),
                                            getConfigAttrName(), getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// What code for the tile of a GPU's matmul relies on, whoever wrote the configuration.
static LogicalResult verifyThreadTile(KernelOp kernel, KernelConfigAttr config) {
  ArrayRef<int64_t> tile = config.getTile(), micro = config.getMicro();
  int64_t parts = 0; // of the tile, each a thread's or a warp's
  if (tile.size() >= 2 && micro.size() == 2 && tile.back() % micro[1] == 0 && tile[tile.size() - 2] % micro[0] == 0)
    if (llvm::MulOverflow(tile[tile.size() - 2] / micro[0], tile.back() / micro[1], parts))
      parts = 0;
  auto describe = [&](InFlightDiagnostic &&error) -> LogicalResult {
    return error << ", found tile = [" << tile << "], micro = [" << micro << "] and " << config.getThreads()
                 << " threads";
  };
  if (!config.usesTensorCores()) {
    if (parts == config.getThreads() && micro[0] * micro[1] <= 64)
      return success();
    return describe(kernel.emitOpError("expected a register tile of at most 64 elements, one for each thread of the "
                                       "tile"));
  }
  // A lane of a warp has a 32nd of its tile.
  if (parts * 32 == config.getThreads() && micro[0] % 16 == 0 && micro[1] % 8 == 0 && micro[0] * micro[1] <= 32 * 64)
    return success();
  return describe(
      kernel.emitOpError("expected on tensor cores a register tile of at most 2048 elements, rows in sixteens and "
                         "columns in eights, one for each warp of the tile"));
}

LogicalResult KernelOp::verify() {
  if (getBody().front().empty() || !isa<ReturnOp>(getBody().front().back()))
    return emitOpError("expected a body that ends with nova.return");
  for (Type type : llvm::concat<const Type>(getArgumentTypes(), getResultTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type); !tensor || !tensor.hasStaticShape())
      return emitOpError("expected arguments and results to be tensors of static shape, found ") << type;
  KernelConfigAttr config = getConfigAttr();
  if (config && config.getThreads() && getFamily() == Family::Matmul && config.getStrategy().empty())
    return verifyThreadTile(*this, config);
  return success();
}

LogicalResult KernelOp::verifyRegions() { return verifySchedule(*this); }

OperandRange KernelOp::getReturned() { return cast<ReturnOp>(getBody().front().getTerminator()).getValues(); }

LogicalResult ReturnOp::verify() {
  auto kernel = cast<KernelOp>((*this)->getParentOp());
  if (TypeRange(kernel.getResultTypes()) != TypeRange(getValues().getTypes()))
    return emitOpError("expected the kernel's result types ")
           << kernel.getResultTypes() << ", found " << getValues().getTypes();
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError("launches ") << getKernelAttr() << ", which is no nova.kernel of this module";
  auto matches = [](ArrayRef<Type> expected, TypeRange found) { return TypeRange(expected) == found; };
  if (!matches(kernel.getArgumentTypes(), getInputs().getTypes()) ||
      !matches(kernel.getResultTypes(), getOutputs().getTypes()))
    return emitOpError("expected the argument and result types of ")
           << getKernelAttr() << ", " << kernel.getFunctionType();
  return success();
}
