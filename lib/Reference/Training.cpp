//===- Training.cpp - Parameters and optimizers ---------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

static LogicalResult evaluateRead(ReadOp op, OpCall &call) {
  const Tensor *value = call.getContext().getParameter(op.getParameter());
  if (!value)
    return op.emitOpError("expected a value of parameter ") << op.getParameterAttr() << ", found none: set it first";
  call.yield(*value);
  return success();
}

static LogicalResult evaluateValueAndGrad(ValueAndGradOp op, OpCall &call) {
  return op.emitOpError("has no reference evaluation: run --nova-autodiff first");
}

/// Adam and AdamW, which differ in where the decay goes.
template <typename OpT> static LogicalResult evaluateAdam(OpT op, OpCall &call) {
  constexpr bool isDecoupled = std::is_same_v<OpT, AdamWOp>;
  std::vector<double> p = call.tensor(0).toDoubles(), gradient = call.tensor(1).toDoubles(),
                      m = call.tensor(2).toDoubles(), v = call.tensor(3).toDoubles();
  double lr = call.tensor(4).getDouble(0), scale = call.tensor(6).getDouble(0);
  double t = static_cast<double>(call.tensor(5).getInt(0)) + 1;
  double beta1 = op.getBeta1().convertToDouble(), beta2 = op.getBeta2().convertToDouble();
  double eps = op.getEps().convertToDouble(), decay = op.getWeightDecay().convertToDouble();
  double bias1 = 1 - std::pow(beta1, t), bias2 = 1 - std::pow(beta2, t);
  for (size_t i = 0; i < p.size(); ++i) {
    double g = gradient[i] * scale + (isDecoupled ? 0 : decay * p[i]);
    m[i] = beta1 * m[i] + (1 - beta1) * g;
    v[i] = beta2 * v[i] + (1 - beta2) * g * g;
    if (isDecoupled)
      p[i] *= 1 - lr * decay;
    p[i] -= lr * (m[i] / bias1) / (std::sqrt(v[i] / bias2) + eps);
  }
  call.yield(0, p);
  call.yield(1, m);
  call.yield(2, v);
  return success();
}

static LogicalResult evaluateSgd(SgdOp op, OpCall &call) {
  std::vector<double> p = call.tensor(0).toDoubles(), gradient = call.tensor(1).toDoubles(),
                      m = call.tensor(2).toDoubles();
  double lr = call.tensor(3).getDouble(0), scale = call.tensor(4).getDouble(0);
  double momentum = op.getMomentum().convertToDouble(), decay = op.getWeightDecay().convertToDouble();
  for (size_t i = 0; i < p.size(); ++i) {
    double g = gradient[i] * scale + decay * p[i];
    m[i] = momentum * m[i] + g;
    p[i] -= lr * (op.getNesterov() ? g + momentum * m[i] : m[i]);
  }
  call.yield(0, p);
  call.yield(1, m);
  return success();
}

static LogicalResult evaluateGlobalNorm(GlobalNormOp op, OpCall &call) {
  double sum = 0;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    for (double x : call.tensor(i).toDoubles())
      sum += x * x;
  call.yield(0, ArrayRef<double>(std::sqrt(sum)));
  return success();
}

void reference::registerTraining(EvaluatorTable &table) {
  table.add<ReadOp>(evaluateRead);
  table.add<ValueAndGradOp>(evaluateValueAndGrad);
  table.add<AdamWOp>(evaluateAdam<AdamWOp>);
  table.add<AdamOp>(evaluateAdam<AdamOp>);
  table.add<SgdOp>(evaluateSgd);
  table.add<GlobalNormOp>(evaluateGlobalNorm);
}
