//===- KnownElements.cpp - Numbers behind known values --------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownElements.h"

#include "Nova/Dialect/Nova.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nova;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

bool nova::isExact(int64_t value, Type element) {
  uint64_t magnitude = value < 0 ? -uint64_t(value) : uint64_t(value);
  if (auto type = dyn_cast<FloatType>(element))
    return magnitude <= uint64_t(1) << type.getFPMantissaWidth();
  unsigned width = element.getIntOrFloatBitWidth();
  return width == 1 ? magnitude <= 1 : width == 64 || magnitude < uint64_t(1) << (width - 1);
}

/// The number as an element of this type holds it. Integers out of range are unknown: they would wrap.
static std::optional<double> roundTo(double value, Type element) {
  if (auto type = dyn_cast<FloatType>(element)) {
    APFloat rounded(value);
    bool exact;
    rounded.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &exact);
    rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
    return rounded.convertToDouble();
  }
  // 2^53 bounds the integers that a double tells apart.
  if (std::isnan(value) || std::abs(value) > 9007199254740992.0 || !isExact(int64_t(value), element))
    return std::nullopt;
  return value;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static bool compare(CompareKind kind, double lhs, double rhs) {
  switch (kind) {
  case CompareKind::EQ:
    return lhs == rhs;
  case CompareKind::NE:
    return lhs != rhs;
  case CompareKind::LT:
    return lhs < rhs;
  case CompareKind::LE:
    return lhs <= rhs;
  case CompareKind::GT:
    return lhs > rhs;
  case CompareKind::GE:
    return lhs >= rhs;
  }
  llvm_unreachable("every kind of comparison is handled");
}

/// Integer division is by more rules than are worth knowing here.
static std::optional<double> divide(Type element, double lhs, double rhs) {
  if (!isa<FloatType>(element))
    return std::nullopt;
  return lhs / rhs;
}

static std::optional<double> castElement(CastOp op, double x) {
  Type from = op.getX().getType().getElementType(), to = op.getType().getElementType();
  if (to.isInteger(1))
    return x != 0;
  return isa<FloatType>(from) && !isa<FloatType>(to) ? std::trunc(x) : x;
}

std::optional<double> nova::computeElement(Operation *op, ArrayRef<double> x) {
  Type element = cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
  using Result = std::optional<double>;
  bool logical = element.isInteger(1);
  auto onBits = [&](bool bit) { return logical ? Result(bit) : Result(); };
  Result result = llvm::TypeSwitch<Operation *, Result>(op)
                      .Case([&](AddOp) { return x[0] + x[1]; })
                      .Case([&](SubOp) { return x[0] - x[1]; })
                      .Case([&](MulOp) { return x[0] * x[1]; })
                      .Case([&](DivOp) { return divide(element, x[0], x[1]); })
                      .Case([&](PowOp) { return std::pow(x[0], x[1]); })
                      .Case([&](NegOp) { return -x[0]; })
                      .Case([&](SquareOp) { return x[0] * x[0]; })
                      .Case([&](SqrtOp) { return std::sqrt(x[0]); })
                      .Case([&](RsqrtOp) { return 1.0 / std::sqrt(x[0]); })
                      .Case([&](ReciprocalOp) { return 1.0 / x[0]; })
                      .Case([&](AndOp) { return onBits(x[0] != 0 && x[1] != 0); })
                      .Case([&](OrOp) { return onBits(x[0] != 0 || x[1] != 0); })
                      .Case([&](XorOp) { return onBits(x[0] != x[1]); })
                      .Case([&](NotOp) { return onBits(x[0] == 0); })
                      .Case([&](CompareOp op) { return double(compare(op.getKind(), x[0], x[1])); })
                      .Case([&](SelectOp) { return x[0] != 0 ? x[1] : x[2]; })
                      .Case([&](CastOp op) { return castElement(op, x[0]); })
                      .Default([](Operation *) { return std::nullopt; });
  return result ? roundTo(*result, element) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

static double toDouble(APFloat value) {
  bool exact;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
  return value.convertToDouble();
}
static double toDouble(const APInt &value) {
  return value.getBitWidth() == 1 ? double(value.getZExtValue()) : double(value.getSExtValue());
}

static SmallVector<double> readNumbers(DenseElementsAttr elements) {
  auto convert = [](const auto &value) { return toDouble(value); };
  if (isa<FloatType>(elements.getElementType()))
    return llvm::map_to_vector(elements.getValues<APFloat>(), convert);
  return llvm::map_to_vector(elements.getValues<APInt>(), convert);
}

/// Calls `check` with every index and element, in row-major order, until it is false.
static bool allElements(ArrayRef<double> values, ArrayRef<int64_t> shape,
                        function_ref<bool(ArrayRef<int64_t>, double)> check) {
  SmallVector<int64_t> index(shape.size(), 0);
  for (double value : values) {
    if (!check(index, value))
      return false;
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis])
        break;
      index[axis] = 0;
    }
  }
  return true;
}

static std::optional<KnownValue> readLine(ArrayRef<double> values, ArrayRef<int64_t> shape) {
  Line line{SmallVector<int64_t, 4>(shape.size(), 0), int64_t(values[0])};
  int64_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0; stride *= shape[axis])
    line.slopes[axis] = shape[axis] > 1 ? int64_t(values[stride]) - line.offset : 0;
  bool found = allElements(values, shape, [&](ArrayRef<int64_t> index, double value) {
    double expected = double(line.offset);
    for (auto [i, slope] : llvm::zip_equal(index, line.slopes))
      expected += double(i * slope);
    return value == expected;
  });
  return found ? std::optional(KnownValue{KnownValue::Linear, line}) : std::nullopt;
}

static std::optional<KnownValue> readTriangle(ArrayRef<double> values, ArrayRef<int64_t> shape) {
  if (shape.size() < 2)
    return std::nullopt;
  size_t row = shape.size() - 2, column = row + 1;
  // The corners farthest from the diagonal tell the two parts apart.
  double below = values[(shape[row] - 1) * shape[column]], above = values[shape[column] - 1];
  int64_t diagonal = std::numeric_limits<int64_t>::min(), firstAbove = std::numeric_limits<int64_t>::max();
  bool found = allElements(values, shape, [&](ArrayRef<int64_t> index, double value) {
    int64_t distance = index[column] - index[row];
    if (value == below)
      diagonal = std::max(diagonal, distance);
    else
      firstAbove = std::min(firstAbove, distance);
    return value == below || value == above;
  });
  if (!found || diagonal >= firstAbove)
    return std::nullopt;
  Line line{SmallVector<int64_t, 4>(shape.size(), 0), -diagonal};
  line.slopes[row] = -1;
  line.slopes[column] = 1;
  return KnownValue{KnownValue::Step, line, below, above};
}

/// Whether a double holds the element: not every integer of 64 bits.
static bool isHeld(DenseElementsAttr elements) {
  return !elements.getElementType().isInteger(64) || llvm::all_of(elements.getValues<APInt>(), [](const APInt &value) {
    return value.abs().ule(uint64_t(1) << 53);
  });
}

std::optional<KnownValue> nova::readElements(ElementsAttr attribute) {
  auto elements = dyn_cast<DenseElementsAttr>(attribute);
  if (!elements || elements.empty())
    return std::nullopt;
  // A mask of 4096 by 4096; what is larger is a table, not a mask.
  constexpr int64_t maxElements = int64_t(1) << 24;
  if (!elements.isSplat() && elements.getNumElements() > maxElements)
    return std::nullopt;
  if (!isHeld(elements))
    return std::nullopt;
  if (elements.isSplat()) {
    double value = isa<FloatType>(elements.getElementType()) ? toDouble(elements.getSplatValue<APFloat>())
                                                             : toDouble(elements.getSplatValue<APInt>());
    return KnownValue{KnownValue::Uniform, {}, value, value};
  }
  ArrayRef<int64_t> shape = elements.getType().getShape();
  SmallVector<double> values = readNumbers(elements);
  bool number = !elements.getElementType().isInteger(1) &&
                llvm::all_of(values, [](double value) { return std::abs(value) < 1e12; });
  std::optional<KnownValue> line = number ? readLine(values, shape) : std::nullopt;
  return line ? line : readTriangle(values, shape);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

std::optional<SmallVector<int64_t>> nova::getUnitReshapeAxes(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> axes;
  size_t next = 0;
  for (int64_t size : from) {
    if (size == 1) {
      axes.push_back(-1);
      continue;
    }
    while (next < to.size() && to[next] == 1)
      ++next;
    if (next == to.size() || to[next] != size)
      return std::nullopt;
    axes.push_back(next++);
  }
  if (llvm::any_of(to.drop_front(next), [](int64_t size) { return size != 1; }))
    return std::nullopt;
  return axes;
}
