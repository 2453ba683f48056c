//===- KernelShapes.h - The shapes in which kernels see tensors -*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel works on as few axes as its meaning allows: neighbouring axes that it treats alike are one axis to it, and
// the function around it reshapes. This is what makes kernels of equal meaning equal.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_KERNELSHAPES_H
#define NOVA_LIB_TRANSFORMS_KERNELSHAPES_H

#include "Nova/Dialect/Nova.h"

namespace mlir::nova {

using Shape = SmallVector<int64_t>;

/// An op as its kernel holds it.
struct KernelShape {
  Family family = Family::Generic;
  SmallVector<Shape> operands, results;
  /// Attributes that depend on the shape; null removes one.
  SmallVector<std::pair<StringAttr, Attribute>> attributes;
};

/// The kernel's form of an op that makes or moves elements: neighbouring axes that it moves together are one. Nullopt
/// for other ops.
std::optional<KernelShape> getMovementShape(Operation *op);

/// The kernel's form of an op. Fails with a diagnostic for ops that take more than one launch.
FailureOr<KernelShape> getKernelShape(IndexedOp op);

/// The op with the shapes that it has in the program.
KernelShape getUnchangedShape(IndexedOp op, Family family);

/// Whether the op is elementwise with one result: what an anchor can take as prologue or epilogue.
bool isFusible(Operation *op);

/// Whether the op rounds floats to fewer bits, or makes more bits of f16 or bf16. Both belong to what is before or after
/// them: they cost no memory traffic there.
bool isNarrowing(Operation *op);
bool isWidening(Operation *op);

/// The kernel's form of a fusible op whose result has the elements of `folded`, in that order. Nullopt if an operand
/// repeats along a part of one of these axes.
std::optional<KernelShape> getFusedShape(Operation *op, ArrayRef<int64_t> folded);

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_KERNELSHAPES_H
