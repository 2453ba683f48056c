//===- KnownValue.cpp - Tensors that follow from position alone -----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownValue.h"
#include "KnownElements.h"

#include "Nova/Dialect/Nova.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nova;

/// Constants of a model are a few ops deep; the limit keeps a search from walking through the whole model.
static constexpr unsigned kMaxDepth = 32;
/// Slopes and offsets stay far below overflow.
static constexpr int64_t kMaxCoefficient = int64_t(1) << 40;

using Known = std::optional<KnownValue>;

static Known uniform(std::optional<double> value) {
  if (!value)
    return std::nullopt;
  return KnownValue{KnownValue::Uniform, {}, *value, *value};
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// The least and the greatest value of a line over a tensor's indices.
static std::pair<int64_t, int64_t> rangeOf(const Line &line, ArrayRef<int64_t> shape) {
  int64_t least = line.offset, greatest = line.offset;
  for (auto [slope, size] : llvm::zip_equal(line.slopes, shape))
    (slope < 0 ? least : greatest) += slope * (size - 1);
  return {least, greatest};
}

/// Brings a line or step to its normal form: no slope along axes of size 1, uniform where nothing varies. Unknown if
/// the element type cannot hold a line's values, which then are not those of the line.
static Known normalize(KnownValue value, RankedTensorType type) {
  if (value.kind == KnownValue::Uniform)
    return value;
  for (auto [slope, size] : llvm::zip_equal(value.line.slopes, type.getShape())) {
    if (size == 1)
      slope = 0;
    if (ShapedType::isDynamic(size) || size == 0 || std::abs(slope) > kMaxCoefficient / size)
      return std::nullopt;
  }
  if (std::abs(value.line.offset) > kMaxCoefficient)
    return std::nullopt;
  auto [least, greatest] = rangeOf(value.line, type.getShape());
  if (value.kind == KnownValue::Step) {
    if (greatest <= 0 || value.inside == value.outside)
      return uniform(value.inside);
    return least > 0 ? uniform(value.outside) : value;
  }
  if (!isExact(least, type.getElementType()) || !isExact(greatest, type.getElementType()))
    return std::nullopt;
  return least == greatest ? uniform(double(least)) : value;
}

/// Slopes of an operand along the axes of a result that it broadcasts to.
static KnownValue broadcast(KnownValue value, int64_t resultRank) {
  if (value.kind != KnownValue::Uniform)
    value.line.slopes.insert(value.line.slopes.begin(), resultRank - value.line.slopes.size(), 0);
  return value;
}

static std::optional<Line> asLine(const KnownValue &value, size_t rank) {
  if (value.kind == KnownValue::Linear)
    return value.line;
  if (value.kind == KnownValue::Step || value.inside != std::floor(value.inside) ||
      std::abs(value.inside) > double(kMaxCoefficient))
    return std::nullopt;
  return Line{SmallVector<int64_t, 4>(rank, 0), int64_t(value.inside)};
}

/// a + factor * b.
static Line combine(Line a, const Line &b, int64_t factor) {
  for (auto [x, y] : llvm::zip_equal(a.slopes, b.slopes))
    x += factor * y;
  a.offset += factor * b.offset;
  return a;
}

/// The step that says where two lines compare as `kind`: always as `difference <= 0`.
static Known compareLines(CompareKind kind, const Line &lhs, const Line &rhs) {
  Line difference = combine(lhs, rhs, -1);
  if (kind == CompareKind::GE || kind == CompareKind::GT)
    difference = combine(rhs, lhs, -1);
  if (kind == CompareKind::LT || kind == CompareKind::GT)
    difference.offset += 1;
  if (kind == CompareKind::EQ || kind == CompareKind::NE)
    return std::nullopt;
  return KnownValue{KnownValue::Step, difference, 1.0, 0.0};
}

/// Ops on lines that give lines, and comparisons of lines.
static Known onLines(Operation *op, ArrayRef<KnownValue> operands) {
  size_t rank = tensorType(op->getResult(0)).getRank();
  SmallVector<Line, 2> lines;
  for (const KnownValue &operand : operands) {
    std::optional<Line> line = asLine(operand, rank);
    if (!line)
      return std::nullopt;
    lines.push_back(*line);
  }
  auto linear = [](Line line) { return Known(KnownValue{KnownValue::Linear, std::move(line)}); };
  Line zero{SmallVector<int64_t, 4>(rank, 0), 0};
  return llvm::TypeSwitch<Operation *, Known>(op)
      .Case([&](AddOp) { return linear(combine(lines[0], lines[1], 1)); })
      .Case([&](SubOp) { return linear(combine(lines[0], lines[1], -1)); })
      .Case([&](NegOp) { return linear(combine(zero, lines[0], -1)); })
      .Case([&](MulOp) -> Known {
        bool first = operands[0].kind == KnownValue::Uniform;
        if (!first && operands[1].kind != KnownValue::Uniform)
          return std::nullopt;
        int64_t factor = lines[first ? 0 : 1].offset;
        const Line &line = lines[first ? 1 : 0];
        // The product's coefficients must stay in range before they are computed.
        auto fits = [&](int64_t c) { return factor == 0 || std::abs(c) <= kMaxCoefficient / std::abs(factor); };
        if (!fits(line.offset) || !llvm::all_of(line.slopes, fits))
          return std::nullopt;
        return linear(combine(zero, line, factor));
      })
      .Case([&](CastOp cast) -> Known {
        if (cast.getType().getElementType().isInteger(1))
          return std::nullopt;
        return linear(lines[0]);
      })
      .Case([&](CompareOp compare) { return compareLines(compare.getKind(), lines[0], lines[1]); })
      .Default([](Operation *) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Elementwise ops: on numbers, or on each side of a step, or on lines.
static Known onElements(Operation *op, MutableArrayRef<KnownValue> operands) {
  RankedTensorType type = tensorType(op->getResult(0));
  bool lines = false;
  const Line *step = nullptr;
  for (KnownValue &operand : operands) {
    operand = broadcast(operand, type.getRank());
    lines |= operand.kind == KnownValue::Linear;
    if (operand.kind != KnownValue::Step)
      continue;
    // Steps at different places make more than two parts.
    if (step && !(*step == operand.line))
      return std::nullopt;
    step = &operand.line;
  }
  if (lines) {
    Known result = onLines(op, operands);
    return result ? normalize(*result, type) : std::nullopt;
  }
  SmallVector<double, 3> inside, outside;
  for (const KnownValue &operand : operands) {
    inside.push_back(operand.inside);
    outside.push_back(operand.kind == KnownValue::Step ? operand.outside : operand.inside);
  }
  std::optional<double> first = computeElement(op, inside);
  if (!step || !first)
    return uniform(first);
  std::optional<double> second = computeElement(op, outside);
  return second ? normalize({KnownValue::Step, *step, *first, *second}, type) : std::nullopt;
}

/// Ops that move elements: the line's slopes move with their axes.
static Known onMovement(Operation *op, KnownValue value) {
  RankedTensorType from = tensorType(op->getOperand(0)), to = tensorType(op->getResult(0));
  if (value.kind == KnownValue::Uniform)
    return isa<BroadcastInDimOp, ReshapeOp, TransposeOp, SliceOp>(op) ? Known(value) : std::nullopt;
  Line moved{SmallVector<int64_t, 4>(to.getRank(), 0), value.line.offset};
  ArrayRef<int64_t> slopes = value.line.slopes;
  bool known = llvm::TypeSwitch<Operation *, bool>(op)
                   .Case([&](BroadcastInDimOp broadcast) {
                     for (auto [i, axis] : llvm::enumerate(broadcast.getDims()))
                       moved.slopes[axis] = slopes[i];
                     return true;
                   })
                   .Case([&](TransposeOp transpose) {
                     for (auto [i, axis] : llvm::enumerate(transpose.getPermutation()))
                       moved.slopes[i] = slopes[axis];
                     return true;
                   })
                   .Case([&](SliceOp slice) {
                     for (auto [i, start, stride] : llvm::enumerate(slice.getStarts(), slice.getStrides())) {
                       moved.slopes[i] = slopes[i] * stride;
                       moved.offset += slopes[i] * start;
                     }
                     return slice.getOrigin().empty();
                   })
                   .Case([&](ReshapeOp) {
                     // Axes of size 1 come and go; the others must stay as they are.
                     std::optional<SmallVector<int64_t>> axes = getUnitReshapeAxes(from.getShape(), to.getShape());
                     for (int64_t i = 0; axes && i < from.getRank(); ++i)
                       if ((*axes)[i] >= 0)
                         moved.slopes[(*axes)[i]] = slopes[i];
                     return axes.has_value();
                   })
                   .Default(false);
  if (!known)
    return std::nullopt;
  value.line = std::move(moved);
  return normalize(std::move(value), to);
}

namespace {
class Evaluator {
public:
  Known get(Value value, unsigned depth);

private:
  Known compute(Operation *op, unsigned depth);
  llvm::DenseMap<Value, Known> cache;
};
} // namespace

Known Evaluator::get(Value value, unsigned depth) {
  auto found = cache.find(value);
  if (found != cache.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  Known known = op && depth < kMaxDepth ? compute(op, depth) : std::nullopt;
  cache[value] = known;
  return known;
}

Known Evaluator::compute(Operation *op, unsigned depth) {
  if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()))
    return std::nullopt;
  RankedTensorType type = tensorType(op->getResult(0));
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    Known known = readElements(constant.getValue());
    return known ? normalize(*known, type) : std::nullopt;
  }
  if (auto iota = dyn_cast<IotaOp>(op)) {
    Line line{SmallVector<int64_t, 4>(type.getRank(), 0), 0};
    line.slopes[iota.getAxis()] = 1;
    return iota.getOrigin().empty() ? normalize({KnownValue::Linear, line}, type) : std::nullopt;
  }
  bool elementwise = isa_and_nonnull<NovaDialect>(op->getDialect()) && op->hasTrait<NovaElementwise>();
  if (!elementwise && !isa<BroadcastInDimOp, ReshapeOp, TransposeOp, SliceOp>(op))
    return std::nullopt;
  SmallVector<KnownValue, 3> operands;
  for (Value operand : op->getOperands()) {
    Known known = get(operand, depth + 1);
    if (!known)
      return std::nullopt;
    operands.push_back(*known);
  }
  return elementwise ? onElements(op, operands) : onMovement(op, operands.front());
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

Known nova::getKnownValue(Value value) { return Evaluator().get(value, 0); }

std::optional<double> nova::getUniformValue(Value value) {
  Known known = getKnownValue(value);
  if (!known || known->kind != KnownValue::Uniform)
    return std::nullopt;
  return known->inside;
}

std::optional<Triangle> nova::getTriangle(const KnownValue &known) {
  ArrayRef<int64_t> slopes = known.line.slopes;
  if (known.kind != KnownValue::Step || slopes.size() < 2 ||
      llvm::any_of(slopes.drop_back(2), [](int64_t slope) { return slope != 0; }))
    return std::nullopt;
  int64_t slope = slopes.back();
  if (slope == 0 || slopes[slopes.size() - 2] != -slope)
    return std::nullopt;
  // slope * (column - row) + offset <= 0, solved for column - row.
  if (slope > 0)
    return Triangle{llvm::divideFloorSigned(-known.line.offset, slope), known.inside, known.outside};
  return Triangle{llvm::divideCeilSigned(known.line.offset, -slope) - 1, known.outside, known.inside};
}
