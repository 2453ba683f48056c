//===- RandomOps.cpp - Verifiers and inference of random ops ------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"

using namespace mlir;
using namespace mlir::nova;

/// The position of an element follows from a tile's origin only where the tile's axes are the tensor's: with one axis.
template <typename Op> static LogicalResult verifyRandom(Op op) {
  if (!op.getOrigin().empty() && op.getType().getRank() > 1)
    return op.emitOpError("expected a tile of rank 0 or 1, found ") << op.getType();
  return success();
}
LogicalResult RandomUniformOp::verify() { return verifyRandom(*this); }
LogicalResult RandomNormalOp::verify() { return verifyRandom(*this); }

LogicalResult DropoutOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getX().getType());
  return success();
}
LogicalResult DropoutOp::verify() {
  double p = getP().convertToDouble();
  if (!(p >= 0 && p <= 1))
    return emitOpError("expected a probability p between 0 and 1, found ") << p;
  return success();
}
