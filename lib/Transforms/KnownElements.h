//===- KnownElements.h - Numbers behind known values ------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of KnownValue.cpp that look at single numbers: element types, literals, and one element of an op.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_KNOWNELEMENTS_H
#define NOVA_LIB_TRANSFORMS_KNOWNELEMENTS_H

#include "KnownValue.h"

#include "mlir/IR/BuiltinAttributeInterfaces.h"

namespace mlir::nova {

/// Whether an element type holds this integer, and all that are nearer to 0, exactly.
bool isExact(int64_t value, Type element);

/// One element of an elementwise op from those of its operands, as a number of the result's element type.
std::optional<double> computeElement(Operation *op, ArrayRef<double> operands);

/// What a literal is: uniform, a line, or a triangle in its last two axes.
std::optional<KnownValue> readElements(ElementsAttr elements);

/// For a reshape that only adds and removes axes of size 1: where each axis goes, -1 for those of size 1.
std::optional<SmallVector<int64_t>> getUnitReshapeAxes(ArrayRef<int64_t> from, ArrayRef<int64_t> to);

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_KNOWNELEMENTS_H
