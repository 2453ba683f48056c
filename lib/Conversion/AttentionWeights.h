//===- AttentionWeights.h - The weights of scores, hidden ones too -*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the emitters of attention for CPUs and GPUs have in common, on scalars or vectors. The weight of what is hidden
// is -0, which nothing visible has: exponentials are at least 0, and 0 is added to gradients.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_CONVERSION_ATTENTIONWEIGHTS_H
#define NOVA_LIB_CONVERSION_ATTENTIONWEIGHTS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::nova {

/// exp(score - shift), the weight of a score; one that is minus infinity is hidden.
Value emitWeight(ImplicitLocOpBuilder &b, Value score, Value shift);

/// The gradient of a score with a weight, weight * difference * scale; what is hidden has none.
Value emitScoreGradient(ImplicitLocOpBuilder &b, Value weight, Value difference, Value scale);

/// Whether a weight, or the gradient of a score, is of a position that is not hidden.
Value emitIsVisible(ImplicitLocOpBuilder &b, Value weight);

} // namespace mlir::nova

#endif // NOVA_LIB_CONVERSION_ATTENTIONWEIGHTS_H
