//===- Scalars.cpp - Index arithmetic -------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Passes on an integer as its type holds it: cut to its width and sign-extended, i1 as 0 or 1.
static LogicalResult yieldInteger(Operation *op, OpCall &call, int64_t value) {
  auto type = dyn_cast<IntegerType>(op->getResult(0).getType());
  if (!type)
    call.yield(value);
  else if (type.getWidth() == 1)
    call.yield(value & 1);
  else if (type.getWidth() <= 64)
    call.yield(llvm::SignExtend64(value, type.getWidth()));
  else
    return op->emitOpError("expected integers of at most 64 bits, found ") << type;
  return success();
}

static LogicalResult yieldFloat(Operation *op, OpCall &call, double value) {
  std::optional<DType> dtype = dtypeOf(op->getResult(0).getType());
  if (!dtype)
    return op->emitOpError("expected f64, f32, f16 or bf16, found ") << op->getResult(0).getType();
  call.yield(Tensor::fromDoubles(*dtype, {}, value).getDouble(0));
  return success();
}

/// arith works on tensors as well; those are nova's in the programs that we evaluate.
static LogicalResult requireScalars(Operation *op) {
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  if (llvm::all_of(op->getOperandTypes(), isScalar) && llvm::all_of(op->getResultTypes(), isScalar))
    return success();
  return op->emitOpError("has a reference evaluation on scalars only: use an op of the nova dialect on tensors");
}

//===----------------------------------------------------------------------===//
// arith
//===----------------------------------------------------------------------===//

template <typename OpT, typename Function> static void addInteger(EvaluatorTable &table, Function function) {
  table.add<OpT>([=](OpT op, OpCall &call) -> LogicalResult {
    if (failed(requireScalars(op)))
      return failure();
    return yieldInteger(op, call, function(call.integer(0), call.integer(1)));
  });
}

/// An integer division, signed: `function` sees no divisor 0 and, as its result could not be held, no divisor -1 of
/// which it would be the smallest integer.
template <typename OpT, typename Function> static void addDivision(EvaluatorTable &table, Function function) {
  table.add<OpT>([=](OpT op, OpCall &call) -> LogicalResult {
    if (failed(requireScalars(op)))
      return failure();
    int64_t x = call.integer(0), y = call.integer(1);
    if (y == 0 || (y == -1 && x == std::numeric_limits<int64_t>::min()))
      return op.emitOpError("expected a quotient that exists, found ") << x << " over " << y;
    return yieldInteger(op, call, function(x, y));
  });
}

template <typename OpT, typename Function> static void addFloat(EvaluatorTable &table, Function function) {
  table.add<OpT>([=](OpT op, OpCall &call) -> LogicalResult {
    if (failed(requireScalars(op)))
      return failure();
    return yieldFloat(op, call, function(call.real(0), call.real(1)));
  });
}

static LogicalResult evaluateConstant(arith::ConstantOp op, OpCall &call) {
  if (failed(requireScalars(op)))
    return failure();
  if (auto value = dyn_cast<FloatAttr>(op.getValue()))
    return yieldFloat(op, call, value.getValueAsDouble());
  APInt value = cast<IntegerAttr>(op.getValue()).getValue();
  return yieldInteger(op, call, value.getSExtValue());
}

static LogicalResult evaluateCompare(arith::CmpIOp op, OpCall &call) {
  if (failed(requireScalars(op)))
    return failure();
  Type type = op.getLhs().getType();
  auto number = [&](unsigned operand) {
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    return APInt(width, call.integer(operand), /*isSigned=*/true, /*implicitTrunc=*/true);
  };
  call.yield(int64_t(arith::applyCmpPredicate(op.getPredicate(), number(0), number(1))));
  return success();
}

static LogicalResult evaluateSelect(arith::SelectOp op, OpCall &call) {
  if (!op.getCondition().getType().isInteger(1))
    return op.emitOpError("has a reference evaluation with one condition only: use nova.select on tensors");
  call.yield(std::move(call.data()[call.integer(0) ? 1 : 2]));
  return success();
}

static LogicalResult evaluateIndexCast(arith::IndexCastOp op, OpCall &call) {
  if (failed(requireScalars(op)))
    return failure();
  // As a signed number i1 is 0 or -1.
  bool isBool = op.getIn().getType().isInteger(1);
  return yieldInteger(op, call, isBool ? -call.integer(0) : call.integer(0));
}

//===----------------------------------------------------------------------===//
// affine
//===----------------------------------------------------------------------===//

template <typename OpT> static FailureOr<SmallVector<int64_t>> applyMap(OpT op, OpCall &call) {
  SmallVector<Attribute> operands, folded;
  Builder b(op.getContext());
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    operands.push_back(b.getIndexAttr(call.integer(i)));
  bool hasPoison = false;
  if (failed(op.getAffineMap().constantFold(operands, folded, &hasPoison)) || hasPoison)
    return op.emitOpError("expected divisors above 0");
  return llvm::map_to_vector(folded, [](Attribute value) { return cast<IntegerAttr>(value).getInt(); });
}

template <typename OpT, typename Choice> static void addAffine(EvaluatorTable &table, Choice choose) {
  table.add<OpT>([=](OpT op, OpCall &call) -> LogicalResult {
    FailureOr<SmallVector<int64_t>> values = applyMap(op, call);
    if (failed(values))
      return failure();
    call.yield(*choose(values->begin(), values->end()));
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

void reference::registerScalars(EvaluatorTable &table) {
  table.add<arith::ConstantOp>(evaluateConstant);
  table.add<arith::CmpIOp>(evaluateCompare);
  table.add<arith::SelectOp>(evaluateSelect);
  table.add<arith::IndexCastOp>(evaluateIndexCast);
  // As unsigned numbers, which wrap.
  addInteger<arith::AddIOp>(table, [](uint64_t x, uint64_t y) { return x + y; });
  addInteger<arith::SubIOp>(table, [](uint64_t x, uint64_t y) { return x - y; });
  addInteger<arith::MulIOp>(table, [](uint64_t x, uint64_t y) { return x * y; });
  addInteger<arith::AndIOp>(table, [](int64_t x, int64_t y) { return x & y; });
  addInteger<arith::OrIOp>(table, [](int64_t x, int64_t y) { return x | y; });
  addInteger<arith::XOrIOp>(table, [](int64_t x, int64_t y) { return x ^ y; });
  addInteger<arith::MinSIOp>(table, [](int64_t x, int64_t y) { return std::min(x, y); });
  addInteger<arith::MaxSIOp>(table, [](int64_t x, int64_t y) { return std::max(x, y); });
  addDivision<arith::DivSIOp>(table, [](int64_t x, int64_t y) { return x / y; });
  addDivision<arith::RemSIOp>(table, [](int64_t x, int64_t y) { return x % y; });
  addDivision<arith::FloorDivSIOp>(table, [](int64_t x, int64_t y) { return llvm::divideFloorSigned(x, y); });
  addDivision<arith::CeilDivSIOp>(table, [](int64_t x, int64_t y) { return llvm::divideCeilSigned(x, y); });
  addFloat<arith::AddFOp>(table, [](double x, double y) { return x + y; });
  addFloat<arith::SubFOp>(table, [](double x, double y) { return x - y; });
  addFloat<arith::MulFOp>(table, [](double x, double y) { return x * y; });
  addFloat<arith::DivFOp>(table, [](double x, double y) { return x / y; });

  using Iterator = int64_t *;
  addAffine<affine::AffineApplyOp>(table, [](Iterator begin, Iterator) { return begin; });
  addAffine<affine::AffineMinOp>(table, [](Iterator begin, Iterator end) { return std::min_element(begin, end); });
  addAffine<affine::AffineMaxOp>(table, [](Iterator begin, Iterator end) { return std::max_element(begin, end); });
}
