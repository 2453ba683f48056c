//===- PlaceCasts.cpp - Casts beside what they belong to ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaceCasts.h"
#include "KernelShapes.h"
#include "Views.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::nova;

static SmallVector<CastOp> collect(Block &block, function_ref<bool(Operation *)> isWanted) {
  SmallVector<CastOp> casts;
  llvm::copy_if(block.getOps<CastOp>(), std::back_inserter(casts), [&](CastOp cast) { return isWanted(cast); });
  return casts;
}

static void placeBehindMaker(CastOp narrowing) {
  Value source = skipReshapes(narrowing.getX());
  if (!source.getDefiningOp())
    return;
  OpBuilder b(narrowing);
  b.setInsertionPointAfterValue(source);
  Type narrow = tensorType(source).clone(narrowing.getType().getElementType());
  Value value = CastOp::create(b, narrowing.getLoc(), narrow, source);
  b.setInsertionPoint(narrowing);
  if (narrow != narrowing.getType())
    value = ReshapeOp::create(b, narrowing.getLoc(), narrowing.getType(), value);
  narrowing.replaceAllUsesWith(value);
  narrowing.erase();
}

/// What widens to the operand: what it is a cast of, or the splat whose element the narrow type has too. Others than
/// floats are what they are.
static Value getNarrow(OpBuilder &b, Value operand, FloatType element) {
  if (!isa<FloatType>(getElementTypeOrSelf(operand)))
    return operand;
  if (auto cast = operand.getDefiningOp<CastOp>(); cast && cast.getX().getType().getElementType() == element)
    return cast.getX();
  DenseElementsAttr elements;
  if (!matchPattern(operand, m_Constant(&elements)) || !elements.isSplat())
    return Value();
  APFloat number = elements.getSplatValue<APFloat>();
  bool losesInfo;
  number.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  if (losesInfo)
    return Value();
  return ConstantOp::create(b, operand.getLoc(), DenseElementsAttr::get(tensorType(operand).clone(element), number));
}

/// Moves narrow elements instead of wide ones: the cast comes behind the op that moves them.
static CastOp placeBehindMovement(CastOp widening, Operation *reader) {
  if (!reader->hasTrait<NovaMovement>())
    return CastOp();
  auto element = cast<FloatType>(widening.getX().getType().getElementType());
  OpBuilder b(reader);
  SmallVector<Value> operands;
  for (Value operand : reader->getOperands()) {
    operands.push_back(getNarrow(b, operand, element));
    if (!operands.back())
      return CastOp();
  }
  RankedTensorType wide = tensorType(reader->getResult(0));
  Value moved = clone(b, reader, wide.clone(element), operands)->getResult(0);
  auto behind = CastOp::create(b, widening.getLoc(), wide, moved);
  reader->replaceAllUsesWith(behind);
  reader->erase();
  return behind;
}

/// A cast for every reader. One that comes behind an op that moves elements has to be placed too.
static void placeBeforeReaders(CastOp widening, SmallVectorImpl<CastOp> &rest) {
  llvm::SetVector<Operation *> readers(widening->user_begin(), widening->user_end());
  for (Operation *reader : readers) {
    if (CastOp behind = placeBehindMovement(widening, reader)) {
      rest.push_back(behind);
      continue;
    }
    OpBuilder b(reader);
    Value own = CastOp::create(b, widening.getLoc(), widening.getType(), widening.getX());
    reader->replaceUsesOfWith(widening, own);
  }
  widening.erase();
}

void nova::placeCasts(Block &block) {
  for (CastOp cast : collect(block, isNarrowing))
    placeBehindMaker(cast);
  SmallVector<CastOp> rest = collect(block, isWidening);
  while (!rest.empty())
    placeBeforeReaders(rest.pop_back_val(), rest);
  // A reader that moves narrow elements once all of its operands have them leaves the casts that it had until then.
  for (CastOp cast : collect(block, isWidening))
    if (cast->use_empty())
      cast.erase();
}
