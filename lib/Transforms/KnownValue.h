//===- KnownValue.h - Tensors that follow from position alone ---*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model's scale, epsilon and causal mask are known when it is compiled, but their spellings are many: literals, iota
// and compare with any offset, select, casts, arithmetic on them, slices of a larger mask. The passes that raise
// attention and norms therefore ask what such a value is, not how it is written.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_KNOWNVALUE_H
#define NOVA_LIB_TRANSFORMS_KNOWNVALUE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mlir::nova {

/// An integer function of a tensor's index: offset + sum of slope * index. Axes of size 1 have slope 0.
struct Line {
  SmallVector<int64_t, 4> slopes;
  int64_t offset = 0;

  bool operator==(const Line &other) const { return slopes == other.slopes && offset == other.offset; }
};

/// What every element of a tensor is. Exact: values are as the ops compute them in their element types.
struct KnownValue {
  enum Kind {
    Uniform, ///< `inside` everywhere
    Linear,  ///< the value of `line`
    Step     ///< `inside` where line <= 0, else `outside`
  };
  Kind kind = Uniform;
  Line line;
  double inside = 0, outside = 0;
};

/// A value of two parts: `below` where column <= row + diagonal, `above` elsewhere, in the last two axes.
struct Triangle {
  int64_t diagonal;
  double below, above;
};

/// What `value` is at each position, if that follows from constants, iota and ops on them.
std::optional<KnownValue> getKnownValue(Value value);

/// The number that all elements of `value` are.
std::optional<double> getUniformValue(Value value);

/// A step along the diagonal of the last two axes that is the same in all leading axes.
std::optional<Triangle> getTriangle(const KnownValue &known);

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_KNOWNVALUE_H
