//===- TrainingOps.cpp - Parameters and optimizers --------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"

#include "llvm/ADT/StringSet.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nova;

double ParameterOp::getDecayFactor() {
  Attribute decay = getDecayAttr();
  if (auto flag = dyn_cast_or_null<BoolAttr>(decay))
    return flag.getValue() ? 1.0 : 0.0;
  if (auto factor = dyn_cast_or_null<FloatAttr>(decay))
    return factor.getValueAsDouble();
  return getTensorType().getRank() >= 2 ? 1.0 : 0.0;
}

/// A name in checkpoints belongs to one parameter.
static LogicalResult verifyAliases(ParameterOp op) {
  if (!op.getAliases())
    return success();
  llvm::StringSet<> others;
  for (auto parameter : op->getParentOp()->getRegion(0).getOps<ParameterOp>()) {
    others.insert(parameter.getSymName());
    if (parameter != op && parameter.getAliases())
      for (StringRef alias : parameter.getAliases()->getAsValueRange<StringAttr>())
        others.insert(alias);
  }
  for (StringRef alias : op.getAliases()->getAsValueRange<StringAttr>())
    if (alias.empty() || !others.insert(alias).second)
      return op.emitOpError("expected aliases that no parameter of the module has yet, found '") << alias << "'";
  return success();
}

LogicalResult ParameterOp::verify() {
  if (!getTensorType().hasStaticShape())
    return emitOpError("expected a static shape, found ") << getTensorType();
  // Written so that NaN is refused too.
  for (const auto &[name, value] : {std::pair("decay", getDecayFactor()), std::pair("lr_factor", getLrFactorOrOne())})
    if (!(value >= 0 && std::isfinite(value)))
      return emitOpError("expected a finite ") << name << " of at least 0, found " << value;
  return verifyAliases(*this);
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto parameter = symbols.lookupNearestSymbolFrom<ParameterOp>(*this, getParameterAttr());
  if (!parameter)
    return emitOpError("reads ") << getParameterAttr() << ", which is no nova.parameter of this module";
  if (parameter.getTensorType() != getType())
    return emitOpError("expected the type of ")
           << getParameterAttr() << ", " << parameter.getTensorType() << ", found " << getType();
  return success();
}

LogicalResult ValueAndGradOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getCalleeAttr());
  if (!function)
    return emitOpError("differentiates ") << getCalleeAttr() << ", which is no function of this module";
  if (TypeRange(function.getArgumentTypes()) != TypeRange(getArguments().getTypes()))
    return emitOpError("expected the argument types of ") << getCalleeAttr();
  ArrayRef<Type> results = function.getResultTypes();
  auto loss = results.empty() ? RankedTensorType() : dyn_cast<RankedTensorType>(results[0]);
  if (!loss || loss.getRank() != 0 || !isa<FloatType>(loss.getElementType()))
    return emitOpError("expected the first result of ") << getCalleeAttr() << " to be a scalar float";
  SmallVector<Type> expected(results);
  for (int64_t argument : getWrt()) {
    if (argument < 0 || argument >= int64_t(getArguments().size()))
      return emitOpError("expected wrt to name arguments below ") << getArguments().size() << ", found " << argument;
    expected.push_back(getArguments()[argument].getType());
  }
  if (TypeRange(expected) != TypeRange(getResultTypes()))
    return emitOpError("expected the results of ") << getCalleeAttr() << ", then the types of the arguments in wrt";
  return success();
}

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

/// As many results as the optimizer has state, the parameter included.
template <typename Adaptor>
static LogicalResult inferOptimizer(std::optional<Location> location, Adaptor adaptor, unsigned results,
                                    SmallVectorImpl<Type> &types) {
  auto parameter = cast<RankedTensorType>(adaptor.getParameter().getType());
  auto gradient = cast<RankedTensorType>(adaptor.getGradient().getType());
  if (parameter.getShape() != gradient.getShape())
    return emitOptionalError(location, "expected a gradient of the parameter's shape ", parameter, ", found ",
                             gradient);
  types.append(results, parameter);
  return success();
}

LogicalResult AdamWOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  return inferOptimizer(location, adaptor, 3, types);
}
LogicalResult AdamOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  return inferOptimizer(location, adaptor, 3, types);
}
LogicalResult SgdOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  return inferOptimizer(location, adaptor, 2, types);
}

static LogicalResult verifyDecay(Operation *op, StringRef name, const APFloat &value) {
  if (!(value.convertToDouble() >= 0 && value.convertToDouble() < 1))
    return op->emitOpError("expected 0 <= ") << name << " < 1, found " << value.convertToDouble();
  return success();
}

static LogicalResult verifyNotNegative(Operation *op, StringRef name, const APFloat &value) {
  if (!value.isFinite() || value.isNegative())
    return op->emitOpError("expected a finite ") << name << " of at least 0, found " << value.convertToDouble();
  return success();
}

template <typename Op> static LogicalResult verifyAdam(Op op) {
  return success(succeeded(verifyDecay(op, "beta1", op.getBeta1())) &&
                 succeeded(verifyDecay(op, "beta2", op.getBeta2())) &&
                 succeeded(verifyNotNegative(op, "eps", op.getEps())) &&
                 succeeded(verifyNotNegative(op, "weight_decay", op.getWeightDecay())));
}

LogicalResult AdamWOp::verify() { return verifyAdam(*this); }
LogicalResult AdamOp::verify() { return verifyAdam(*this); }

LogicalResult SgdOp::verify() {
  if (failed(verifyDecay(*this, "momentum", getMomentum())) ||
      failed(verifyNotNegative(*this, "weight_decay", getWeightDecay())))
    return failure();
  if (getNesterov() && getMomentum().isZero())
    return emitOpError("expected a positive momentum for nesterov, found 0");
  return success();
}
