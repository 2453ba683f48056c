//===- Attention.cpp - Attention and its gradients ------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

static constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

static double dot(const double *x, const double *y, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += x[i] * y[i];
  return sum;
}

namespace {
/// Sizes and scale of an attention, and which keys a query sees.
struct Geometry {
  int64_t heads, groups; ///< of q, and of k and v, in one batch
  int64_t rows;          ///< queries of all heads and batches
  int64_t queries, keys, headSize, valueSize;
  double scale;
  /// Query t sees the keys s <= t + diagonal.
  int64_t diagonal;
  /// The score of the other keys; minus infinity leaves them out.
  double maskedValue = kMinusInfinity;
  /// What is added to the scores, and where that of a row begins.
  std::vector<double> mask;
  Shape maskStrides;

  int64_t visibleKeys(int64_t query) const { return std::clamp<int64_t>(query + diagonal + 1, 0, keys); }
  /// The head of k and v, of all batches, that a row belongs to.
  int64_t groupOf(int64_t row) const {
    int64_t head = row / queries;
    return head / heads * groups + head % heads * groups / heads;
  }
  double maskAt(int64_t row, int64_t key) const {
    if (mask.empty())
      return 0;
    int64_t head = row / queries;
    return mask[head / heads * maskStrides[0] + head % heads * maskStrides[1] + row % queries * maskStrides[2] +
                key * maskStrides[3]];
  }
  /// The score of a key that causality does not hide. What a mask hides stays hidden, whatever it holds.
  double score(int64_t row, int64_t key, const double *q, const double *k) const {
    double added = maskAt(row, key);
    return added == kMinusInfinity ? added : scale * dot(q, k, headSize) + added;
  }
};
} // namespace

/// Loops of the ops along which tiles have an origin.
static constexpr unsigned queryLoop = 2, keyLoop = 3;

/// `diagonal` is that of the op if it is causal; its mask is operand number `maskOperand` if it has one.
template <typename OpT>
static Geometry geometryOf(OpT op, OpCall &call, unsigned qOperand, unsigned maskOperand, int64_t diagonal) {
  const Tensor &q = call.tensor(qOperand), &k = call.tensor(qOperand + 1), &v = call.tensor(qOperand + 2);
  Geometry g;
  g.heads = q.getSize(1), g.groups = k.getSize(1), g.rows = q.getSize(0) * q.getSize(1) * q.getSize(2);
  g.queries = q.getSize(2), g.keys = k.getSize(2), g.headSize = q.getSize(3), g.valueSize = v.getSize(3);
  g.scale = op.getScaleOrDefault();
  g.diagonal = op.getCausal() ? diagonal : g.keys;
  if (op.getMaskedValue())
    g.maskedValue = op.getMaskedValue()->convertToDouble();
  if (!op.getMask())
    return g;
  const Tensor &mask = call.tensor(maskOperand);
  g.mask = mask.toDoubles();
  if (mask.getDType() == DType::I1)
    for (double &seen : g.mask)
      seen = seen ? 0 : kMinusInfinity;
  g.maskStrides = broadcastStrides(mask, {q.getSize(0), g.heads, g.queries, g.keys});
  return g;
}

/// to += factor * x.
static void addScaled(double *to, double factor, const double *x, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] += factor * x[i];
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

static LogicalResult evaluateAttention(AttentionOp op, OpCall &call) {
  Geometry g = geometryOf(op, call, 0, 3, call.tileOrigin()[queryLoop]);
  std::vector<double> q = call.tensor(0).toDoubles(), k = call.tensor(1).toDoubles(), v = call.tensor(2).toDoubles();
  std::vector<double> result(g.rows * g.valueSize), lse(g.rows), scores(g.keys);
  for (int64_t row = 0; row < g.rows; ++row) {
    int64_t head = g.groupOf(row), visible = g.visibleKeys(row % g.queries);
    double largest = kMinusInfinity, sum = 0;
    for (int64_t s = 0; s < g.keys; ++s) {
      scores[s] = s < visible
                      ? g.score(row, s, q.data() + row * g.headSize, k.data() + (head * g.keys + s) * g.headSize)
                      : g.maskedValue;
      largest = std::isnan(scores[s]) ? scores[s] : std::max(largest, scores[s]);
    }
    lse[row] = largest;
    if (largest == kMinusInfinity)
      continue; // A row that sees no key.
    for (double score : scores)
      sum += std::exp(score - largest);
    for (int64_t s = 0; s < g.keys; ++s)
      if (scores[s] != kMinusInfinity)
        addScaled(result.data() + row * g.valueSize, std::exp(scores[s] - largest) / sum,
                  v.data() + (head * g.keys + s) * g.valueSize, g.valueSize);
    lse[row] += std::log(sum);
  }
  call.yield(0, result);
  call.yield(1, lse);
  return success();
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

namespace {
struct Gradients {
  std::vector<double> q, k, v;
};
} // namespace

/// With P the probabilities and delta the sum of dy * y: dv = P^T dy, dS = P * (dy v^T - delta), dq = scale dS k,
/// dk = scale dS^T q.
static Gradients attentionGradients(const Geometry &g, const std::vector<double> &dy, const Tensor &qs,
                                    const Tensor &ks, const Tensor &vs, const std::vector<double> &lse,
                                    const std::vector<double> &delta) {
  std::vector<double> q = qs.toDoubles(), k = ks.toDoubles(), v = vs.toDoubles();
  Gradients d{std::vector<double>(q.size()), std::vector<double>(k.size()), std::vector<double>(v.size())};
  for (int64_t row = 0; row < g.rows; ++row) {
    if (lse[row] == kMinusInfinity)
      continue; // A row that sees no key.
    int64_t head = g.groupOf(row), visible = g.visibleKeys(row % g.queries);
    const double *query = q.data() + row * g.headSize, *gradient = dy.data() + row * g.valueSize;
    for (int64_t s = 0; s < g.keys; ++s) {
      int64_t key = (head * g.keys + s) * g.headSize, value = (head * g.keys + s) * g.valueSize;
      double score = s < visible ? g.score(row, s, query, k.data() + key) : g.maskedValue;
      if (score == kMinusInfinity)
        continue;
      double probability = std::exp(score - lse[row]);
      addScaled(d.v.data() + value, probability, gradient, g.valueSize);
      if (s >= visible)
        continue; // The score is a constant.
      double dScore = probability * (dot(gradient, v.data() + value, g.valueSize) - delta[row]);
      addScaled(d.q.data() + row * g.headSize, g.scale * dScore, k.data() + key, g.headSize);
      addScaled(d.k.data() + key, g.scale * dScore, query, g.headSize);
    }
  }
  return d;
}

static LogicalResult evaluateAttentionGrad(AttentionGradOp op, OpCall &call) {
  auto isStatic = [](Type type) { return cast<ShapedType>(type).hasStaticShape(); };
  if (!llvm::all_of(op->getOperandTypes(), isStatic)) // It has no maps by which sizes could be verified here.
    return op.emitOpError("expected operands of static shape; nova-specialize-shapes gives arguments static ones");
  const Tensor &q = call.tensor(1), &k = call.tensor(2), &v = call.tensor(3);
  Geometry g = geometryOf(op, call, 1, 6, 0);
  std::vector<double> dy = call.tensor(0).toDoubles(), y = call.tensor(4).toDoubles(), delta(g.rows);
  for (size_t row = 0; row < delta.size(); ++row)
    delta[row] = dot(dy.data() + row * g.valueSize, y.data() + row * g.valueSize, g.valueSize);
  Gradients d = attentionGradients(g, dy, q, k, v, call.tensor(5).toDoubles(), delta);
  call.yield(0, d.q);
  call.yield(1, d.k);
  call.yield(2, d.v);
  return success();
}

/// `attention_grad_query` and `attention_grad_key_value`, which know delta.
static Gradients partOfGradients(OpCall &call, const Geometry &g) {
  return attentionGradients(g, call.tensor(0).toDoubles(), call.tensor(1), call.tensor(2), call.tensor(3),
                            call.tensor(4).toDoubles(), call.tensor(5).toDoubles());
}

static LogicalResult evaluateAttentionGradQuery(AttentionGradQueryOp op, OpCall &call) {
  Geometry g = geometryOf(op, call, 1, 6, call.tileOrigin()[queryLoop]);
  call.yield(0, partOfGradients(call, g).q);
  return success();
}

static LogicalResult evaluateAttentionGradKeyValue(AttentionGradKeyValueOp op, OpCall &call) {
  Geometry g = geometryOf(op, call, 1, 6, -call.tileOrigin()[keyLoop]);
  Gradients d = partOfGradients(call, g);
  call.yield(0, d.k);
  call.yield(1, d.v);
  return success();
}

void reference::registerAttention(EvaluatorTable &table) {
  table.add<AttentionOp>(evaluateAttention);
  table.add<AttentionGradOp>(evaluateAttentionGrad);
  table.add<AttentionGradQueryOp>(evaluateAttentionGradQuery);
  table.add<AttentionGradKeyValueOp>(evaluateAttentionGradKeyValue);
}
