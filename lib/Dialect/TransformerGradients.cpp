//===- TransformerGradients.cpp - Gradients of Transformer ops, read ------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"

using namespace mlir;
using namespace mlir::nova;

LogicalResult AttentionOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (dys[1])
    return emitOpError("has no gradient of its log-sum-exp, but the loss depends on it; compute the log-sum-exp of the "
                       "scores by primitive ops where its gradient is needed");
  auto gradient = AttentionGradOp::create(b, b.getLoc(), dys[0], getQ(), getK(), getV(), getResult(), getLse(),
                                          getCausalAttr(), getScaleAttr());
  dxs[0] = gradient.getDq();
  dxs[1] = gradient.getDk();
  dxs[2] = gradient.getDv();
  return success();
}

LogicalResult LayerNormOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  auto gradient =
      LayerNormGradOp::create(b, b.getLoc(), dys[0], getX(), getWeight(), getEpsAttr(), /*partials=*/IntegerAttr());
  dxs[0] = gradient.getDx();
  dxs[1] = gradient.getDweight();
  dxs[2] = gradient.getDbias();
  return success();
}

LogicalResult CrossEntropyOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  dxs[0] = CrossEntropyGradOp::create(b, b.getLoc(), dys[0], getLogits(), getTargets(), getReductionAttr(),
                                      getIgnoreIndexAttr());
  return success();
}

LogicalResult ReadOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  return success(); // No operand: gradients for parameters are asked for by `value_and_grad` over arguments.
}
