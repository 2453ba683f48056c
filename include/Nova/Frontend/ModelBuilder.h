//===- ModelBuilder.h - Builds a program op by op ---------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What importers build programs (L0) with. Shapes follow from the operands, parameters are declared where they are
// read:
//
//   ModelBuilder b(location, "classifier");
//   b.function("loss", {{"x", b.tensor({32, 64})}, {"y", b.tensor({32}, b.i32())}}, [&](ValueRange batch) {
//     Value logits = b.linear(batch[0], b.parameter("w", {64, 10}, b.normal(0.02)));
//     return b.crossEntropy(logits, batch[1]);
//   });
//   OwningOpRef<ModuleOp> module = b.finish();
//
// Operands that do not fit are reported at the location, not asserted: the op's value is null, so is every value that
// depends on it, and `finish` returns null. An importer may therefore build first and look at the end.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_FRONTEND_MODELBUILDER_H
#define NOVA_FRONTEND_MODELBUILDER_H

#include "Nova/Dialect/Nova.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::nova {

class ModelBuilder {
public:
  /// Starts an empty module. `location` is where its source stands, such as the imported file.
  ModelBuilder(Location location, StringRef name);

  /// The finished module, or null after an error that has been reported.
  OwningOpRef<ModuleOp> finish();

  //===--------------------------------------------------------------------===//
  // Types and initial values
  //===--------------------------------------------------------------------===//

  Type f32() { return builder.getF32Type(); }
  Type i32() { return builder.getI32Type(); }
  /// A tensor type, of f32 unless told otherwise.
  RankedTensorType tensor(ArrayRef<int64_t> shape, Type element = {});
  Attribute normal(double std);
  Attribute constant(double value);

  //===--------------------------------------------------------------------===//
  // Functions and parameters
  //===--------------------------------------------------------------------===//

  struct Argument {
    StringRef name;
    RankedTensorType type;
  };
  /// Adds a function of the batch; `body` builds it and gives its only result.
  void function(StringRef name, ArrayRef<Argument> arguments, function_ref<Value(ValueRange)> body);

  /// The value of a parameter, which is declared when its name comes for the first time. Names are relative to the
  /// scopes that are open, `aliases` whole: further names that checkpoints have for it.
  Value parameter(StringRef name, ArrayRef<int64_t> shape, Attribute initial, ArrayRef<StringRef> aliases = {});

  /// Puts `name.` before the names of parameters while it lives.
  class Scope {
  public:
    Scope(ModelBuilder &builder, const Twine &name);
    ~Scope() { builder.prefix.resize(length); }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    ModelBuilder &builder;
    size_t length;
  };

  //===--------------------------------------------------------------------===//
  // Ops
  //===--------------------------------------------------------------------===//

  /// Any op, by its class; `type` only where it does not follow from the operands. Gives the first result.
  template <typename OpTy> Value op(ValueRange operands, ArrayRef<NamedAttribute> attributes = {}, Type type = {}) {
    return create(OperationName(OpTy::getOperationName(), builder.getContext()), operands, attributes, type);
  }
  NamedAttribute attribute(StringRef name, Attribute value) { return builder.getNamedAttr(name, value); }
  NamedAttribute flag(StringRef name) { return attribute(name, builder.getUnitAttr()); }

  Value add(Value x, Value y) { return op<AddOp>({x, y}); }
  Value matmul(Value x, Value y, bool transposeRhs = false);
  /// x w, plus the bias if there is one.
  Value linear(Value x, Value weight, Value bias = {});
  Value reshape(Value x, ArrayRef<int64_t> shape);
  Value transpose(Value x, ArrayRef<int64_t> permutation);
  /// Elements [start, limit) of one axis.
  Value slice(Value x, int64_t axis, int64_t start, int64_t limit);
  /// Rows of a table.
  Value gather(Value table, Value indices) { return op<GatherOp>({table, indices}); }
  Value layerNorm(Value x, Value weight, Value bias, double eps);
  Value gelu(Value x, GeluForm form);
  /// Attention; the scale is 1 / sqrt(head size) unless given.
  Value attention(Value q, Value k, Value v, bool causal, std::optional<double> scale = std::nullopt);
  Value crossEntropy(Value logits, Value targets) { return op<CrossEntropyOp>({logits, targets}); }

  /// Gives a value the name under which it is printed (with `OpPrintingFlags::printNameLocAsPrefix`).
  Value named(StringRef name, Value value);

private:
  Value create(OperationName name, ValueRange operands, ArrayRef<NamedAttribute> attributes, Type type);

  ImplicitLocOpBuilder builder;
  OwningOpRef<ModuleOp> module;
  /// The last declared parameter: they stand in the order of their declaration, before the functions.
  Operation *lastParameter = nullptr;
  llvm::StringMap<ParameterOp> parameters;
  std::string prefix;
  bool failed = false;
};

} // namespace mlir::nova

#endif // NOVA_FRONTEND_MODELBUILDER_H
