//===- InPlace.h - Results that take an argument's memory -------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_INPLACE_H
#define NOVA_LIB_TRANSFORMS_INPLACE_H

#include "Nova/Dialect/Nova.h"

namespace mlir::nova {

/// Whether a tiled kernel may write a result over an argument: blocks read the argument only where they write the
/// result, and inside a block each element, or row, is read before it is written. Emitters keep to that order: an
/// elementwise op is evaluated element by element, a row op row by row, and the argument is not read again.
bool canWriteOver(KernelOp kernel, unsigned argument, unsigned result);

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_INPLACE_H
