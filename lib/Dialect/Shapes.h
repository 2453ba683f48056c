//===- Shapes.h - What inference and rules ask of types ---------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_DIALECT_SHAPES_H
#define NOVA_LIB_DIALECT_SHAPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mlir::nova::detail {

/// Statistics and losses are f32, f64 for f64.
inline Type statisticsType(RankedTensorType type) {
  return type.getElementType().isF64() ? type.getElementType() : Float32Type::get(type.getContext());
}

/// Whether two sizes can be equal.
inline bool agree(int64_t a, int64_t b) { return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b); }

/// The numbers first, ..., last - 1.
inline SmallVector<int64_t> axesBetween(int64_t first, int64_t last) {
  return llvm::to_vector(llvm::seq<int64_t>(first, last));
}

} // namespace mlir::nova::detail

#endif // NOVA_LIB_DIALECT_SHAPES_H
