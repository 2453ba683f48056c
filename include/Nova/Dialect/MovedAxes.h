//===- MovedAxes.h - Where the axes of a result come from ------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_DIALECT_MOVEDAXES_H
#define NOVA_DIALECT_MOVEDAXES_H

#include "Nova/Dialect/Nova.h"

namespace mlir::nova {

/// For each axis of a value, the axis of what it is made of by transposes and casts alone.
SmallVector<int64_t> getMovedAxes(Value value);

} // namespace mlir::nova

#endif // NOVA_DIALECT_MOVEDAXES_H
