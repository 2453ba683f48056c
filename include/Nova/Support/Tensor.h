//===- Tensor.h - Name, element type and shape of a tensor ------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_SUPPORT_TENSOR_H
#define NOVA_SUPPORT_TENSOR_H

#include "Nova/Support/DType.h"
#include "Nova/Support/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nova {

struct TensorInfo {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
};

/// A tensor whose elements are somewhere in host memory, row major.
struct TensorRef {
  TensorInfo info;
  const void *data = nullptr;
};

/// Elements and bytes of a tensor; an error when a size is negative or the product overflows.
Result<uint64_t> elementCount(const TensorInfo &tensor);
Result<uint64_t> byteCount(const TensorInfo &tensor);

/// "[2, 3]"; for a shape, and for the coordinates of an element.
std::string toString(const std::vector<int64_t> &shape);
/// "tensor<2x3xf32>", as MLIR spells it.
std::string typeToString(const TensorInfo &tensor);
/// Coordinates of the element at a row-major position.
std::vector<int64_t> coordinatesOf(uint64_t position, const std::vector<int64_t> &shape);

} // namespace nova

#endif // NOVA_SUPPORT_TENSOR_H
