//===- Elementwise.cpp - Elementwise ops ----------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every op is a function of f64 numbers, and one of i64 numbers if it takes integers. Integers wrap because they are
// added, subtracted and multiplied as unsigned ones and then cut to their type.
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Shape reference::broadcastStrides(const Tensor &operand, ArrayRef<int64_t> shape) {
  Shape own = rowMajorStrides(operand.getShape()), strides(shape.size(), 0);
  size_t lead = shape.size() - operand.getRank();
  for (size_t axis = lead; axis < shape.size(); ++axis)
    if (operand.getSize(axis - lead) != 1)
      strides[axis] = own[axis - lead];
  return strides;
}

template <typename Number> static std::vector<Number> numbersOf(const Tensor &tensor) {
  if constexpr (std::is_same_v<Number, double>)
    return tensor.toDoubles();
  else
    return tensor.toInts();
}

/// The result of `function` on the numbers of one operand, and of two.
template <typename Number, typename Function> static LogicalResult mapOne(OpCall &call, Function function) {
  std::vector<Number> values = numbersOf<Number>(call.tensor(0));
  for (Number &value : values)
    value = function(value);
  call.yield(0, values);
  return success();
}

template <typename Number, typename Function> static LogicalResult mapTwo(OpCall &call, Function function) {
  std::vector<Number> lhs = numbersOf<Number>(call.tensor(0)), rhs = numbersOf<Number>(call.tensor(1));
  ArrayRef<int64_t> shape = call.resultShape();
  std::vector<Number> values(elementCount(shape));
  forEachIndex<2>(shape, {broadcastStrides(call.tensor(0), shape), broadcastStrides(call.tensor(1), shape)},
                  [&](int64_t i, auto at) { values[i] = function(lhs[at[0]], rhs[at[1]]); });
  call.yield(0, values);
  return success();
}

template <typename Number, typename Function> static LogicalResult mapThree(OpCall &call, Function function) {
  ArrayRef<int64_t> shape = call.resultShape();
  std::array<std::vector<Number>, 3> operands;
  std::array<Shape, 3> strides;
  for (unsigned i = 0; i < 3; ++i) {
    operands[i] = numbersOf<Number>(call.tensor(i));
    strides[i] = broadcastStrides(call.tensor(i), shape);
  }
  std::vector<Number> values(elementCount(shape));
  forEachIndex<3>(shape, strides, [&](int64_t i, auto at) {
    values[i] = function(operands[0][at[0]], operands[1][at[1]], operands[2][at[2]]);
  });
  call.yield(0, values);
  return success();
}

/// Registers a function of floats, or one of floats and one of integers.
template <typename OpT, typename OnFloats> static void addUnary(EvaluatorTable &table, OnFloats onFloats) {
  table.add<OpT>([=](OpT op, OpCall &call) { return mapOne<double>(call, onFloats); });
}
template <typename OpT, typename OnFloats, typename OnInts>
static void addUnary(EvaluatorTable &table, OnFloats onFloats, OnInts onInts) {
  table.add<OpT>([=](OpT op, OpCall &call) {
    return ::nova::isFloat(call.tensor(0).getDType()) ? mapOne<double>(call, onFloats) : mapOne<int64_t>(call, onInts);
  });
}
template <typename OpT, typename OnInts> static void addBitwise(EvaluatorTable &table, OnInts onInts) {
  table.add<OpT>([=](OpT op, OpCall &call) { return mapTwo<int64_t>(call, onInts); });
}
template <typename OpT, typename OnFloats, typename OnInts>
static void addBinary(EvaluatorTable &table, OnFloats onFloats, OnInts onInts) {
  table.add<OpT>([=](OpT op, OpCall &call) {
    return ::nova::isFloat(call.tensor(0).getDType()) ? mapTwo<double>(call, onFloats) : mapTwo<int64_t>(call, onInts);
  });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// With an exponential that does not overflow where the result is tiny.
static double sigmoid(double x) {
  double e = std::exp(-std::fabs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

/// The argument of the logistic function in gelu's tanh form, (1 + tanh(u)) / 2 = sigmoid(2 u), and its derivative.
static constexpr double geluScale = 2 * 0.79788456080286535588; // 2 sqrt(2 / pi)
static constexpr double geluCubic = 0.044715;
static double geluInner(double x) { return geluScale * (x + geluCubic * x * x * x); }
static double geluInnerSlope(double x) { return geluScale * (1 + 3 * geluCubic * x * x); }

/// The distribution function of the normal distribution, exact in its left tail too.
static double normalCdf(double x) { return std::erfc(-x * M_SQRT1_2) / 2; }
static double normalDensity(double x) { return std::exp(-x * x / 2) * (M_2_SQRTPI * M_SQRT1_2 / 2); }

static double gelu(GeluForm form, double x) {
  return x * (form == GeluForm::Exact ? normalCdf(x) : sigmoid(geluInner(x)));
}

static double geluSlope(GeluForm form, double x) {
  if (form == GeluForm::Exact)
    return normalCdf(x) + x * normalDensity(x);
  double s = sigmoid(geluInner(x));
  // The square of a large number would be infinite where the other factor is 0.
  double bounded = std::fabs(x) < 1e100 ? x : 1e100;
  return s + x * (s * (1 - s)) * geluInnerSlope(bounded);
}

static int64_t wrap(uint64_t x) { return static_cast<int64_t>(x); }

/// Towards zero; x / 0 is 0, and the smallest integer over -1 wraps to itself.
static int64_t divide(int64_t x, int64_t y) {
  if (y == 0)
    return 0;
  return y == -1 ? wrap(0 - uint64_t(x)) : x / y;
}

/// The remainder of the division that rounds down.
static double modulo(double x, double y) {
  double remainder = std::fmod(x, y);
  return remainder != 0 && (remainder < 0) != (y < 0) ? remainder + y : remainder;
}
static int64_t modulo(int64_t x, int64_t y) {
  if (y == 0 || y == -1) // -1 divides everything, but not on machines.
    return y == 0 ? x : 0;
  int64_t remainder = x % y;
  return remainder != 0 && (remainder < 0) != (y < 0) ? remainder + y : remainder;
}

/// 0 for NaN.
template <typename Number> static Number sign(Number x) { return Number(x > 0) - Number(x < 0); }

/// -0.0 is below 0.0, and NaN stays, as in IEEE 754's maximum and minimum.
static double larger(double x, double y) {
  if (x == y)
    return std::signbit(x) ? y : x;
  return std::isnan(x) || x > y ? x : y;
}
static double smaller(double x, double y) {
  if (x == y)
    return std::signbit(x) ? x : y;
  return std::isnan(x) || x < y ? x : y;
}

template <typename Number> static bool compare(CompareKind kind, Number x, Number y) {
  switch (kind) {
  case CompareKind::EQ:
    return x == y;
  case CompareKind::NE:
    return x != y;
  case CompareKind::LT:
    return x < y;
  case CompareKind::LE:
    return x <= y;
  case CompareKind::GT:
    return x > y;
  case CompareKind::GE:
    return x >= y;
  }
  llvm_unreachable("not a kind of comparison");
}

//===----------------------------------------------------------------------===//
// Ops that are no plain function of numbers of one type
//===----------------------------------------------------------------------===//

template <typename Number> static LogicalResult evaluateCompareOf(CompareKind kind, OpCall &call) {
  std::vector<Number> lhs = numbersOf<Number>(call.tensor(0)), rhs = numbersOf<Number>(call.tensor(1));
  ArrayRef<int64_t> shape = call.resultShape();
  std::vector<int64_t> values(elementCount(shape));
  forEachIndex<2>(shape, {broadcastStrides(call.tensor(0), shape), broadcastStrides(call.tensor(1), shape)},
                  [&](int64_t i, auto at) { values[i] = compare(kind, lhs[at[0]], rhs[at[1]]); });
  call.yield(0, values);
  return success();
}

static LogicalResult evaluateCompare(CompareOp op, OpCall &call) {
  bool isFloat = ::nova::isFloat(call.tensor(0).getDType());
  return isFloat ? evaluateCompareOf<double>(op.getKind(), call) : evaluateCompareOf<int64_t>(op.getKind(), call);
}

static LogicalResult evaluateClamp(ClampOp op, OpCall &call) {
  if (::nova::isFloat(call.tensor(0).getDType()))
    return mapThree<double>(call, [](double x, double low, double high) { return smaller(larger(x, low), high); });
  return mapThree<int64_t>(call, [](int64_t x, int64_t low, int64_t high) { return std::min(std::max(x, low), high); });
}

static LogicalResult evaluateSelect(SelectOp op, OpCall &call) {
  ArrayRef<int64_t> shape = call.resultShape();
  auto repeated = [&](unsigned operand) {
    return readStrided(call.tensor(operand), 0, broadcastStrides(call.tensor(operand), shape), shape);
  };
  Tensor condition = repeated(0), result = repeated(1), onFalse = repeated(2);
  size_t width = ::nova::sizeOf(result.getDType());
  char *to = result.getMutableData();
  for (int64_t i = 0, count = result.getNumElements(); i < count; ++i)
    if (!condition.getData()[i])
      std::copy_n(onFalse.getData() + i * width, width, to + i * width);
  call.yield(std::move(result));
  return success();
}

static LogicalResult evaluateCast(CastOp op, OpCall &call) {
  call.yield(call.tensor(0).castTo(call.resultType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

static void registerUnary(EvaluatorTable &table) {
  addUnary<AbsOp>(
      table, [](double x) { return std::fabs(x); }, [](int64_t x) { return x < 0 ? wrap(0 - uint64_t(x)) : x; });
  addUnary<NegOp>(table, [](double x) { return -x; }, [](int64_t x) { return wrap(0 - uint64_t(x)); });
  addUnary<StopGradientOp>(table, [](double x) { return x; }, [](int64_t x) { return x; });
  addUnary<SignOp>(table, sign<double>, sign<int64_t>);
  addUnary<SquareOp>(table, [](double x) { return x * x; }, [](int64_t x) { return wrap(uint64_t(x) * uint64_t(x)); });
  addUnary<ReluOp>(table, [](double x) { return larger(x, 0.0); }, [](int64_t x) { return std::max(x, int64_t(0)); });
  addUnary<SqrtOp>(table, [](double x) { return std::sqrt(x); });
  addUnary<RsqrtOp>(table, [](double x) { return 1 / std::sqrt(x); });
  addUnary<ReciprocalOp>(table, [](double x) { return 1 / x; });
  addUnary<FloorOp>(table, [](double x) { return std::floor(x); });
  addUnary<CeilOp>(table, [](double x) { return std::ceil(x); });
  addUnary<RoundOp>(table, [](double x) { return std::nearbyint(x); });
  addUnary<SigmoidOp>(table, sigmoid);
  addUnary<SiluOp>(table, [](double x) { return x * sigmoid(x); });
  table.add<NotOp>([](NotOp op, OpCall &call) {
    bool isBool = call.resultType() == DType::I1;
    return mapOne<int64_t>(call, [=](int64_t x) { return isBool ? int64_t(!x) : ~x; });
  });
  table.add<GeluOp>([](GeluOp op, OpCall &call) {
    return mapOne<double>(call, [form = op.getForm()](double x) { return gelu(form, x); });
  });
}

/// The functions of C's library.
static void registerFunctions(EvaluatorTable &table) {
  addUnary<ExpOp>(table, [](double x) { return std::exp(x); });
  addUnary<Exp2Op>(table, [](double x) { return std::exp2(x); });
  addUnary<Expm1Op>(table, [](double x) { return std::expm1(x); });
  addUnary<LogOp>(table, [](double x) { return std::log(x); });
  addUnary<Log2Op>(table, [](double x) { return std::log2(x); });
  addUnary<Log10Op>(table, [](double x) { return std::log10(x); });
  addUnary<Log1pOp>(table, [](double x) { return std::log1p(x); });
  addUnary<SinOp>(table, [](double x) { return std::sin(x); });
  addUnary<CosOp>(table, [](double x) { return std::cos(x); });
  addUnary<TanOp>(table, [](double x) { return std::tan(x); });
  addUnary<AsinOp>(table, [](double x) { return std::asin(x); });
  addUnary<AcosOp>(table, [](double x) { return std::acos(x); });
  addUnary<AtanOp>(table, [](double x) { return std::atan(x); });
  addUnary<SinhOp>(table, [](double x) { return std::sinh(x); });
  addUnary<CoshOp>(table, [](double x) { return std::cosh(x); });
  addUnary<TanhOp>(table, [](double x) { return std::tanh(x); });
  addUnary<AsinhOp>(table, [](double x) { return std::asinh(x); });
  addUnary<AcoshOp>(table, [](double x) { return std::acosh(x); });
  addUnary<AtanhOp>(table, [](double x) { return std::atanh(x); });
  addUnary<ErfOp>(table, [](double x) { return std::erf(x); });
}

static void registerBinary(EvaluatorTable &table) {
  addBinary<AddOp>(
      table, [](double x, double y) { return x + y; },
      [](int64_t x, int64_t y) { return wrap(uint64_t(x) + uint64_t(y)); });
  addBinary<SubOp>(
      table, [](double x, double y) { return x - y; },
      [](int64_t x, int64_t y) { return wrap(uint64_t(x) - uint64_t(y)); });
  addBinary<MulOp>(
      table, [](double x, double y) { return x * y; },
      [](int64_t x, int64_t y) { return wrap(uint64_t(x) * uint64_t(y)); });
  addBinary<ModOp>(
      table, [](double x, double y) { return modulo(x, y); }, [](int64_t x, int64_t y) { return modulo(x, y); });
  addBinary<DivOp>(table, [](double x, double y) { return x / y; }, divide);
  addBinary<MaxOp>(table, larger, [](int64_t x, int64_t y) { return std::max(x, y); });
  addBinary<MinOp>(table, smaller, [](int64_t x, int64_t y) { return std::min(x, y); });
  addBitwise<AndOp>(table, [](int64_t x, int64_t y) { return x & y; });
  addBitwise<OrOp>(table, [](int64_t x, int64_t y) { return x | y; });
  addBitwise<XorOp>(table, [](int64_t x, int64_t y) { return x ^ y; });
  table.add<PowOp>(
      [](PowOp op, OpCall &call) { return mapTwo<double>(call, [](double x, double y) { return std::pow(x, y); }); });
  table.add<GeluGradOp>([](GeluGradOp op, OpCall &call) {
    return mapTwo<double>(call, [form = op.getForm()](double dy, double x) { return dy * geluSlope(form, x); });
  });
}

void reference::registerElementwise(EvaluatorTable &table) {
  registerUnary(table);
  registerFunctions(table);
  registerBinary(table);
  table.add<ClampOp>(evaluateClamp);
  table.add<CompareOp>(evaluateCompare);
  table.add<SelectOp>(evaluateSelect);
  table.add<CastOp>(evaluateCast);
}
