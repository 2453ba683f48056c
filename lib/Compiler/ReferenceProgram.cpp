//===- ReferenceProgram.cpp - Entries and state of the evaluator ----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReferenceProgram.h"
#include "Nova/Dialect/Nova.h"
#include "Nova/Target/BundleTables.h"

namespace mlir::nova {

using reference::Tensor;
using StateRole = ::nova::StateTensor::Role;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

LogicalResult ReferenceProgram::addParameters() {
  for (auto parameter : module.getOps<ParameterOp>()) {
    RankedTensorType type = parameter.getTensorType();
    reference::DType dtype = *reference::dtypeOf(type.getElementType());
    if (!reference::fitsMemory(dtype, type.getShape()))
      return parameter.emitOpError("expected a tensor that this machine's memory can hold, found ") << type;
    tables.state.push_back({{parameter.getSymName().str(), dtype, type.getShape().vec()},
                            StateRole::Parameter,
                            {},
                            toInitializer(parameter.getInit()),
                            aliasesOf(parameter)});
    state.emplace_back(dtype, type.getShape());
  }
  return success();
}

/// The row of a state tensor. Moments belong to the entries that take them, and get theirs with the first one.
FailureOr<size_t> ReferenceProgram::stateOf(FunctionOpInterface function, const ::nova::TensorInfo &tensor,
                                            StringRef roleName) {
  StateRole role = toStateRole(roleName);
  for (auto [i, row] : llvm::enumerate(tables.state)) {
    if (row.tensor.name != tensor.name || row.role != role)
      continue;
    if (row.tensor.dtype == tensor.dtype && row.tensor.shape == tensor.shape)
      return i;
    return function.emitError("expected ")
           << roleName << " '" << tensor.name << "' to be " << ::nova::typeToString(row.tensor) << ", found "
           << ::nova::typeToString(tensor);
  }
  if (role == StateRole::Parameter)
    return function.emitError("expected the name of a nova.parameter of this module, found '") << tensor.name << "'";
  tables.state.push_back({tensor, role, {}, {}});
  state.emplace_back(tensor.dtype, tensor.shape);
  return state.size() - 1;
}

LogicalResult ReferenceProgram::addTensor(FunctionOpInterface function, Type type, DictionaryAttr attributes,
                                          const std::string &defaultName, std::vector<::nova::Argument> &list,
                                          SmallVector<Slot> &slots) {
  auto attribute = [&](StringRef name) { return attributes ? attributes.get(name) : Attribute(); };
  auto name = dyn_cast_or_null<StringAttr>(attribute("nova.name"));
  auto role = dyn_cast_or_null<StringAttr>(attribute("nova.role"));
  auto tensorType = dyn_cast<RankedTensorType>(type);
  std::optional<reference::DType> dtype = tensorType ? reference::dtypeOf(tensorType.getElementType()) : std::nullopt;
  if (!dtype || !tensorType.hasStaticShape())
    return function.emitError("expected ")
           << defaultName << " to be a tensor of static shape with elements of the nova dialect, found " << type;
  ::nova::TensorInfo tensor = {name ? name.str() : defaultName, *dtype, tensorType.getShape().vec()};
  if (role && isStateRole(role)) {
    FailureOr<size_t> index = stateOf(function, tensor, role);
    if (failed(index))
      return failure();
    slots.push_back({true, *index});
    return success();
  }
  auto bound = dyn_cast_or_null<IntegerAttr>(attribute("nova.bound"));
  slots.push_back({false, list.size()});
  list.push_back({std::move(tensor), role ? role.str() : "data", {}, bound ? bound.getInt() : 0});
  return success();
}

LogicalResult ReferenceProgram::addEntry(FunctionOpInterface function) {
  Entry entry = {function, {}, {}};
  ::nova::Entry row;
  row.name = function.getName().str();
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (failed(addTensor(function, type, function.getArgAttrDict(i), "arg" + std::to_string(i), row.inputs,
                         entry.arguments)))
      return failure();
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(addTensor(function, type, function.getResultAttrDict(i), "result" + std::to_string(i), row.outputs,
                         entry.results)))
      return failure();
  entries.push_back(std::move(entry));
  tables.entries.push_back(std::move(row));
  return success();
}

FailureOr<std::unique_ptr<ReferenceProgram>> ReferenceProgram::create(ModuleOp module) {
  std::unique_ptr<ReferenceProgram> program(new ReferenceProgram(module));
  if (failed(program->addParameters()))
    return failure();
  for (auto function : module.getOps<FunctionOpInterface>())
    if (function.isPublic() && !function.isExternal() && !isa<KernelOp>(function.getOperation()))
      if (failed(program->addEntry(function)))
        return failure();
  return program;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

LogicalResult ReferenceProgram::run(size_t index, const void *const *inputs, void *const *outputs) {
  const Entry &entry = entries[index];
  const ::nova::Entry &row = tables.entries[index];
  for (auto [value, tensor] : llvm::zip(state, tables.state))
    if (tensor.role == StateRole::Parameter)
      evaluator.getParameters()[tensor.tensor.name] = value;

  SmallVector<Tensor> arguments;
  for (Slot slot : entry.arguments) {
    if (slot.isState) {
      arguments.push_back(state[slot.index]);
      continue;
    }
    const ::nova::TensorInfo &tensor = row.inputs[slot.index].tensor;
    arguments.push_back(Tensor::fromMemory(tensor.dtype, tensor.shape, inputs[slot.index]));
  }
  FailureOr<SmallVector<Tensor>> results = evaluator.evaluate(entry.function, arguments);
  if (failed(results))
    return failure();
  for (auto [slot, result] : llvm::zip(entry.results, *results)) {
    if (slot.isState)
      state[slot.index] = std::move(result);
    else if (outputs[slot.index])
      std::copy_n(result.getData(), result.getNumBytes(), static_cast<char *>(outputs[slot.index]));
  }
  return success();
}

} // namespace mlir::nova
