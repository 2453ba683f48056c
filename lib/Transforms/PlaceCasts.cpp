//===- PlaceCasts.cpp - Casts beside what they belong to ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaceCasts.h"
#include "KernelShapes.h"
#include "Views.h"

using namespace mlir;
using namespace mlir::nova;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

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
  Type narrow = typeOf(source).clone(narrowing.getType().getElementType());
  Value value = CastOp::create(b, narrowing.getLoc(), narrow, source);
  b.setInsertionPoint(narrowing);
  if (narrow != narrowing.getType())
    value = ReshapeOp::create(b, narrowing.getLoc(), narrowing.getType(), value);
  narrowing.replaceAllUsesWith(value);
  narrowing.erase();
}

/// A cast for every reader; where that is a reshape, one behind it, which has to be placed too.
static void placeBeforeReaders(CastOp widening, SmallVectorImpl<CastOp> &rest) {
  for (OpOperand &use : llvm::make_early_inc_range(widening->getUses())) {
    Operation *reader = use.getOwner();
    OpBuilder b(reader);
    if (getReshapeSource(reader) != widening.getResult()) {
      use.set(CastOp::create(b, widening.getLoc(), widening.getType(), widening.getX()));
      continue;
    }
    RankedTensorType wide = typeOf(reader->getResult(0));
    Value narrow =
        ReshapeOp::create(b, reader->getLoc(), wide.clone(widening.getX().getType().getElementType()), widening.getX());
    rest.push_back(CastOp::create(b, widening.getLoc(), wide, narrow));
    reader->replaceAllUsesWith(rest.back());
    reader->erase();
  }
  widening.erase();
}

void nova::placeCasts(Block &block) {
  for (CastOp cast : collect(block, isNarrowing))
    placeBehindMaker(cast);
  SmallVector<CastOp> rest = collect(block, isWidening);
  while (!rest.empty())
    placeBeforeReaders(rest.pop_back_val(), rest);
}
