//===- InPlace.h - Which operand a launch may write over --------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_INPLACE_H
#define NOVA_LIB_TRANSFORMS_INPLACE_H

#include "Nova/Dialect/Nova.h"

namespace mlir::nova {

/// Whether the launch's kernel, which must be tiled, reads the operand only at the element that it is about to write of
/// the result (for rows: at the row), so that both may lie in one place.
bool canWriteInPlace(LaunchOp launch, unsigned operand, unsigned result);

/// Whether `tensor` is a result of `launch`, or a view of one.
bool isDerivedFrom(Value tensor, LaunchOp launch);

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_INPLACE_H
