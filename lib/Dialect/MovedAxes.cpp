//===- MovedAxes.cpp - Where the axes of a result come from ---------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/MovedAxes.h"

using namespace mlir;
using namespace mlir::nova;

SmallVector<int64_t> nova::getMovedAxes(Value value) {
  if (auto cast = value.getDefiningOp<CastOp>())
    return getMovedAxes(cast.getX());
  auto transpose = value.getDefiningOp<TransposeOp>();
  if (!transpose)
    return llvm::to_vector(llvm::seq<int64_t>(0, tensorType(value).getRank()));
  SmallVector<int64_t> axes = getMovedAxes(transpose.getX());
  return llvm::map_to_vector(transpose.getPermutation(), [&](int64_t axis) { return axes[axis]; });
}
