//===- InlineCalls.h - Function bodies without calls ------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_INLINECALLS_H
#define NOVA_LIB_TRANSFORMS_INLINECALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::nova {

/// Clones the body of a function at the builder, with the functions that it calls in place of the calls, and returns
/// the values that the function returns. Fails with a diagnostic where a body is not one block or functions call each
/// other in a circle, and where the result has no practical end.
FailureOr<SmallVector<Value>> cloneInlined(OpBuilder &builder, func::FuncOp function, ValueRange arguments,
                                           SymbolTableCollection &symbols);

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_INLINECALLS_H
