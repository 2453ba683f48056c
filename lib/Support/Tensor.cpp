//===- Tensor.cpp - Name, element type and shape of a tensor --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Tensor.h"

#include "Nova/Support/CheckedMath.h"

using namespace nova;

Result<uint64_t> nova::elementCount(const TensorInfo &tensor) {
  // A zero anywhere makes the tensor empty, but the other sizes must be sane all the same: the product is taken
  // without the zeros, so that the order of the sizes does not matter.
  uint64_t product = 1;
  bool isEmpty = false;
  for (int64_t size : tensor.shape) {
    if (size < 0)
      return inputError("tensor '" + tensor.name + "': expected sizes of 0 and more, found shape " +
                        toString(tensor.shape));
    isEmpty |= size == 0;
    auto next = checkedMul(product, size == 0 ? 1 : static_cast<uint64_t>(size));
    // Signed 64-bit positions must reach every byte of the widest element.
    if (!next || *next > static_cast<uint64_t>(INT64_MAX) / 8)
      return inputError("tensor '" + tensor.name + "': shape " + toString(tensor.shape) +
                        " has more elements than 64-bit addresses can reach");
    product = *next;
  }
  return isEmpty ? 0 : product;
}

Result<uint64_t> nova::byteCount(const TensorInfo &tensor) {
  Result<uint64_t> count = elementCount(tensor);
  if (!count)
    return count;
  return *count * sizeOf(tensor.dtype);
}

std::string nova::toString(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

std::string nova::typeToString(const TensorInfo &tensor) {
  std::string text = "tensor<";
  for (int64_t size : tensor.shape)
    text += std::to_string(size) + "x";
  return text.append(nameOf(tensor.dtype)) + ">";
}

std::vector<int64_t> nova::coordinatesOf(uint64_t position, const std::vector<int64_t> &shape) {
  std::vector<int64_t> coordinates(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    coordinates[axis] = static_cast<int64_t>(position % static_cast<uint64_t>(shape[axis]));
    position /= static_cast<uint64_t>(shape[axis]);
  }
  return coordinates;
}
