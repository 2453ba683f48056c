//===- PlannedProgram.cpp - Runs a memory plan ----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedProgram.h"
#include "Nova/Dialect/Nova.h"

using namespace mlir;
using namespace mlir::nova;
using nova_test::Tensor;

namespace {
/// The memory of a program.
class Memory {
public:
  explicit Memory(ModuleOp module) {
    auto bytes = module->getAttrOfType<DenseI64ArrayAttr>("nova.region_bytes");
    for (int64_t size : bytes.asArrayRef())
      regions.emplace_back(size, char(0xff)); // NaN
  }
  Tensor read(Attribute address, Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return Tensor::fromMemory(*reference::dtypeOf(tensor.getElementType()), tensor.getShape(), at(address));
  }
  void write(Attribute address, const Tensor &tensor) {
    std::copy_n(tensor.getData(), tensor.getNumBytes(), at(address));
  }

private:
  char *at(Attribute attribute) {
    auto address = cast<AddressAttr>(attribute);
    return regions[unsigned(address.getRegion())].data() + address.getOffset();
  }
  std::vector<std::vector<char>> regions;
};
} // namespace

static Tensor tensorOf(ConstantOp constant) {
  auto elements = cast<DenseElementsAttr>(constant.getValue());
  auto type = cast<RankedTensorType>(constant.getType());
  auto dtype = *reference::dtypeOf(type.getElementType());
  if (isa<FloatType>(type.getElementType())) {
    std::vector<double> values;
    for (const APFloat &value : elements.getValues<APFloat>())
      values.push_back(value.convertToDouble());
    return Tensor::fromDoubles(dtype, type.getShape(), values);
  }
  std::vector<int64_t> values;
  for (const APInt &value : elements.getValues<APInt>())
    values.push_back(type.getElementType().isInteger(1) ? value.getZExtValue() : value.getSExtValue());
  return Tensor::fromInts(dtype, type.getShape(), values);
}

std::vector<Tensor> nova_test::runPlanned(ModuleOp module, func::FuncOp function, ArrayRef<Tensor> arguments) {
  Memory memory(module);
  reference::Evaluator evaluator(module);
  for (auto [number, argument] : llvm::enumerate(arguments))
    memory.write(function.getArgAttr(number, "nova.address"), argument);
  for (auto constant : function.getBody().front().getOps<ConstantOp>())
    memory.write(constant->getAttr("nova.address"), tensorOf(constant));
  for (auto launch : function.getBody().front().getOps<LaunchOp>()) {
    auto kernel = module.lookupSymbol<FunctionOpInterface>(launch.getKernel());
    ArrayRef<Attribute> addresses = launch->getAttrOfType<ArrayAttr>("nova.addresses").getValue();
    std::vector<Tensor> operands;
    for (auto [address, type] : llvm::zip(addresses, launch.getOperandTypes()))
      operands.push_back(memory.read(address, type));
    FailureOr<SmallVector<Tensor>> results = evaluator.evaluate(kernel, operands);
    if (failed(results))
      return {};
    for (auto [address, result] : llvm::zip_equal(addresses.drop_front(operands.size()), *results))
      memory.write(address, result);
  }
  std::vector<Tensor> results;
  for (auto [number, type] : llvm::enumerate(function.getResultTypes()))
    results.push_back(memory.read(function.getResultAttr(number, "nova.address"), type));
  return results;
}
