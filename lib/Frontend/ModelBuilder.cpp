//===- ModelBuilder.cpp - Builds a program op by op -----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Frontend/ModelBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::nova;

ModelBuilder::ModelBuilder(Location location, StringRef name)
    : builder(location, location.getContext()), module(ModuleOp::create(location, name)) {
  location.getContext()->loadDialect<NovaDialect, func::FuncDialect>();
}

OwningOpRef<ModuleOp> ModelBuilder::finish() {
  if (failed || mlir::failed(verify(*module)))
    return {};
  return std::move(module);
}

RankedTensorType ModelBuilder::tensor(ArrayRef<int64_t> shape, Type element) {
  return RankedTensorType::get(shape, element ? element : f32());
}
Attribute ModelBuilder::normal(double std) { return NormalAttr::get(builder.getContext(), APFloat(0.0), APFloat(std)); }
Attribute ModelBuilder::constant(double value) { return ConstantInitAttr::get(builder.getContext(), APFloat(value)); }

//===----------------------------------------------------------------------===//
// Functions and parameters
//===----------------------------------------------------------------------===//

void ModelBuilder::function(StringRef name, ArrayRef<Argument> arguments, function_ref<Value(ValueRange)> body) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> types = llvm::map_to_vector(arguments, [](const Argument &a) { return Type(a.type); });
  auto function = func::FuncOp::create(builder, name, builder.getFunctionType(types, {}));
  Block *entry = function.addEntryBlock();
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    function.setArgAttr(i, "nova.name", builder.getStringAttr(argument.name));
    named(argument.name, entry->getArgument(i));
  }

  builder.setInsertionPointToEnd(entry);
  Value result = body(entry->getArguments());
  if (!result) {
    failed = true;
    return;
  }
  func::ReturnOp::create(builder, result);
  function.setType(builder.getFunctionType(types, result.getType()));
}

Value ModelBuilder::parameter(StringRef name, ArrayRef<int64_t> shape, Attribute initial, ArrayRef<StringRef> aliases) {
  std::string symbol = prefix + name.str();
  RankedTensorType type = tensor(shape);
  ParameterOp &declared = parameters[symbol];
  if (!declared) {
    OpBuilder::InsertionGuard guard(builder);
    if (lastParameter)
      builder.setInsertionPointAfter(lastParameter);
    else
      builder.setInsertionPointToStart(module->getBody());
    declared = ParameterOp::create(builder, symbol, type, initial, /*decay=*/Attribute(), /*lr_factor=*/FloatAttr(),
                                   /*frozen=*/false, aliases.empty() ? ArrayAttr() : builder.getStrArrayAttr(aliases));
    lastParameter = declared;
  }
  if (declared.getTensorType() != type) {
    emitError(builder.getLoc()) << "parameter " << symbol << " is read as " << declared.getTensorType() << " and as "
                                << type << "; give the second another name";
    failed = true;
    return {};
  }
  // The last two components are enough to recognise it: `c_attn.weight`.
  auto [before, last] = StringRef(symbol).rsplit('.');
  StringRef shortName = StringRef(symbol).drop_front(last.empty() ? 0 : before.rfind('.') + 1);
  return named(shortName, op<ReadOp>({}, attribute("parameter", FlatSymbolRefAttr::get(declared)), type));
}

ModelBuilder::Scope::Scope(ModelBuilder &builder, const Twine &name) : builder(builder), length(builder.prefix.size()) {
  builder.prefix += (name + ".").str();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value ModelBuilder::create(OperationName name, ValueRange operands, ArrayRef<NamedAttribute> attributes, Type type) {
  if (failed || llvm::is_contained(operands, Value()))
    return {};
  MLIRContext *context = builder.getContext();
  OperationState state(builder.getLoc(), name, operands, {}, attributes);
  if (type) {
    state.addTypes(type);
  } else {
    auto *inference = name.getInterface<InferTypeOpInterface>();
    assert(inference && "the type of this op does not follow from its operands");
    failed = mlir::failed(inference->inferReturnTypes(context, state.location, state.operands,
                                                      state.attributes.getDictionary(context), state.getRawProperties(),
                                                      {}, state.types));
  }
  return failed ? Value() : builder.create(state)->getResult(0);
}

Value ModelBuilder::matmul(Value x, Value y, bool transposeRhs) {
  return transposeRhs ? op<MatmulOp>({x, y}, flag("transpose_rhs")) : op<MatmulOp>({x, y});
}

Value ModelBuilder::linear(Value x, Value weight, Value bias) {
  Value product = matmul(x, weight);
  return bias ? add(product, bias) : product;
}

Value ModelBuilder::reshape(Value x, ArrayRef<int64_t> shape) {
  return x ? op<ReshapeOp>({x}, {}, cast<RankedTensorType>(x.getType()).clone(shape)) : Value();
}

Value ModelBuilder::transpose(Value x, ArrayRef<int64_t> permutation) {
  return op<TransposeOp>({x}, attribute("permutation", builder.getDenseI64ArrayAttr(permutation)));
}

Value ModelBuilder::slice(Value x, int64_t axis, int64_t start, int64_t limit) {
  if (!x)
    return {};
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape()), strides(type.getRank(), 1);
  SmallVector<int64_t> shape(type.getShape());
  starts[axis] = start;
  limits[axis] = limit;
  shape[axis] = limit - start;
  return op<SliceOp>({x},
                     {attribute("starts", builder.getDenseI64ArrayAttr(starts)),
                      attribute("limits", builder.getDenseI64ArrayAttr(limits)),
                      attribute("strides", builder.getDenseI64ArrayAttr(strides))},
                     type.clone(shape));
}

Value ModelBuilder::layerNorm(Value x, Value weight, Value bias, double eps) {
  return op<LayerNormOp>({x, weight, bias}, attribute("eps", builder.getF64FloatAttr(eps)));
}

Value ModelBuilder::gelu(Value x, GeluForm form) {
  return op<GeluOp>({x}, attribute("form", GeluFormAttr::get(builder.getContext(), form)));
}

Value ModelBuilder::attention(Value q, Value k, Value v, bool causal, std::optional<double> scale) {
  // No mask, no origin.
  SmallVector<NamedAttribute> attributes = {
      attribute("operandSegmentSizes", builder.getDenseI32ArrayAttr({1, 1, 1, 0, 0}))};
  if (causal)
    attributes.push_back(flag("causal"));
  if (scale)
    attributes.push_back(attribute("scale", builder.getF64FloatAttr(*scale)));
  return op<AttentionOp>({q, k, v}, attributes);
}

Value ModelBuilder::named(StringRef name, Value value) {
  if (value)
    value.setLoc(NameLoc::get(builder.getStringAttr(name), builder.getLoc()));
  return value;
}
