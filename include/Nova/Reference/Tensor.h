//===- Tensor.h - Tensors of the reference evaluator ------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements are stored in their own type, so that what a tensor holds is what a device's memory would hold. Evaluation
// happens on numbers: `toDoubles` (for floats) and `toInts` (for integers) widen every element without loss, and
// `fromDoubles` and `fromInts` convert each number as `nova.cast` does.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_REFERENCE_TENSOR_H
#define NOVA_REFERENCE_TENSOR_H

#include "Nova/Support/DType.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace mlir::nova::reference {

using ::nova::DType;
using Shape = SmallVector<int64_t, 4>;

/// The element type of a tensor type, if Nova has it.
std::optional<DType> dtypeOf(Type elementType);

/// The product of the sizes, 1 for rank 0.
int64_t elementCount(ArrayRef<int64_t> shape);

/// Elements between neighbours along each axis, in row-major order.
Shape rowMajorStrides(ArrayRef<int64_t> shape);

/// Bytes of a tensor; none when they can't be counted in 63 bits.
std::optional<int64_t> byteCount(DType dtype, ArrayRef<int64_t> shape);

/// Whether a tensor can exist: more than the machine's memory is surely a mistake, and would end the process.
bool fitsMemory(DType dtype, ArrayRef<int64_t> shape);

/// An element type, a shape, and the elements in row-major order. Copies share the elements until one is written.
class Tensor {
public:
  /// No element at all: shape [0].
  Tensor() = default;
  /// All zeros.
  Tensor(DType dtype, ArrayRef<int64_t> shape);
  /// Given numbers, one per element, converted as by `nova.cast` from f64 and i64.
  static Tensor fromDoubles(DType dtype, ArrayRef<int64_t> shape, ArrayRef<double> values);
  static Tensor fromInts(DType dtype, ArrayRef<int64_t> shape, ArrayRef<int64_t> values);
  /// Elements copied from memory.
  static Tensor fromMemory(DType dtype, ArrayRef<int64_t> shape, const void *data);
  /// Elements that show when they are read by mistake: NaN, or a pattern of bits.
  static Tensor poison(DType dtype, ArrayRef<int64_t> shape);

  DType getDType() const { return dtype; }
  ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getSize(int64_t axis) const { return shape[axis]; }
  int64_t getNumElements() const { return elementCount(shape); }
  size_t getNumBytes() const { return getNumElements() * ::nova::sizeOf(dtype); }

  const char *getData() const { return elements ? elements->data() : nullptr; }
  char *getMutableData();

  /// One element by its row-major position, converted as by `nova.cast`.
  double getDouble(int64_t position) const;
  int64_t getInt(int64_t position) const;

  /// Every element. Doubles hold all of them exactly but i64s of more than 53 bits.
  std::vector<double> toDoubles() const;
  std::vector<int64_t> toInts() const;

  /// The same elements under a shape with as many of them.
  Tensor reshaped(ArrayRef<int64_t> newShape) const;
  /// The elements converted by the rules of `nova.cast`.
  Tensor castTo(DType target) const;

private:
  DType dtype = DType::F32;
  Shape shape = {0};
  std::shared_ptr<std::vector<char>> elements;
};

/// The tensor whose element at index (i, j, ...) is `x[base + i * strides[0] + j * strides[1] + ...]`.
Tensor readStrided(const Tensor &x, int64_t base, ArrayRef<int64_t> strides, ArrayRef<int64_t> shape);

/// Writes `x` where `readStrided` would read it.
void writeStrided(Tensor &into, int64_t base, ArrayRef<int64_t> strides, const Tensor &x);

/// Calls `body(position, offsets)` for every index of `shape` in row-major order: its position, and for each set of
/// strides the offset that they give the index.
template <size_t N, typename Body>
void forEachIndex(ArrayRef<int64_t> shape, const std::array<Shape, N> &strides, Body body) {
  Shape index(shape.size(), 0);
  std::array<int64_t, N> offsets{};
  for (int64_t position = 0, count = elementCount(shape); position < count; ++position) {
    body(position, offsets);
    for (size_t axis = shape.size(); axis-- > 0;) {
      for (size_t n = 0; n < N; ++n)
        offsets[n] += strides[n][axis];
      if (++index[axis] < shape[axis])
        break;
      for (size_t n = 0; n < N; ++n)
        offsets[n] -= strides[n][axis] * shape[axis];
      index[axis] = 0;
    }
  }
}

} // namespace mlir::nova::reference

#endif // NOVA_REFERENCE_TENSOR_H
