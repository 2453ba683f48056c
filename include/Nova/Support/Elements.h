//===- Elements.h - Reading and converting elements -------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data may be unaligned: it often lies in a mapped file.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_SUPPORT_ELEMENTS_H
#define NOVA_SUPPORT_ELEMENTS_H

#include "Nova/Support/Tensor.h"

namespace nova {

/// An element of a float type, exactly.
double floatAt(DType type, const void *data, uint64_t index);
/// An element of an integer type.
int64_t integerAt(DType type, const void *data, uint64_t index);

/// Rounds to the float type.
void storeFloat(DType type, void *data, uint64_t index, double value);

/// Copies all elements of `from` to `out` as type `to`: floats to floats with rounding, integers to integers when every
/// value fits. The error names the tensor, and the element that does not fit.
Result<void> convertElements(const TensorRef &from, DType to, void *out);

} // namespace nova

#endif // NOVA_SUPPORT_ELEMENTS_H
