//===- Compare.h - Comparing and printing tensors ---------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_SUPPORT_COMPARE_H
#define NOVA_SUPPORT_COMPARE_H

#include "Nova/Support/Tensor.h"

namespace nova {

/// An element is good when |found - expected| <= absolute + relative * |expected|. NaN equals NaN; integers must be
/// equal.
struct Tolerance {
  double relative = 1e-5;
  double absolute = 1e-6;
};

/// Compares with values that may be of another float type or integer type. The error has kind Numerics and names the
/// worst element, or kind Input when shapes or kinds of type differ.
Result<void> compareTensors(const TensorRef &found, const TensorRef &expected, Tolerance tolerance);

/// "worst difference 3.1e-08 at [1, 2]", or "equal", for tensors that compareTensors has found good.
std::string describeDifference(const TensorRef &found, const TensorRef &expected);

/// "tensor<2x3xf32> [[1, 2, 3], [4, 5, 6]]"; long axes show their first and last three elements.
std::string toText(const TensorRef &tensor);

} // namespace nova

#endif // NOVA_SUPPORT_COMPARE_H
