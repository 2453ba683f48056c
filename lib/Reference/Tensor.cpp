//===- Tensor.cpp - Tensors of the reference evaluator --------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Reference/Tensor.h"
#include "Nova/Support/Half.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <unistd.h>

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

//===----------------------------------------------------------------------===//
// Elements in memory
//===----------------------------------------------------------------------===//

namespace {
struct BFloat16 {
  uint16_t bits;
};
struct Float16 {
  uint16_t bits;
};
struct Bool {
  uint8_t byte;
};
} // namespace

/// Calls `body` with a value of the type that elements of `dtype` have in memory.
template <typename Body> static auto visitStorage(DType dtype, Body body) {
  switch (dtype) {
  case DType::F64:
    return body(double());
  case DType::F32:
    return body(float());
  case DType::F16:
    return body(Float16());
  case DType::BF16:
    return body(BFloat16());
  case DType::I1:
    return body(Bool());
  case DType::I8:
    return body(int8_t());
  case DType::I32:
    return body(int32_t());
  case DType::I64:
    return body(int64_t());
  }
  llvm_unreachable("not an element type");
}

/// Rounds to the 24 bits of f32 such that rounding the result again, to a narrower float, gives what rounding once
/// would: an inexact value becomes the neighbour with an odd last bit, which is never half-way between two narrower
/// ones.
static float roundToOdd(double value) {
  float rounded = static_cast<float>(value);
  if (std::isnan(value) || rounded == value)
    return rounded;
  if (std::fabs(rounded) > std::fabs(value))
    rounded = std::nextafter(rounded, 0.0f);
  return llvm::bit_cast<float>(llvm::bit_cast<uint32_t>(rounded) | 1);
}

/// An f64 that rounds to every narrower float as `value` does: what doesn't fit in 53 bits shows in the last one only.
static double roundToOdd(int64_t value) {
  uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : value;
  if (magnitude >> 53) {
    bool isInexact = magnitude & 0x7ff;
    magnitude = (magnitude & ~uint64_t(0x7ff)) | (isInexact ? 0x400 : 0);
  }
  double result = static_cast<double>(magnitude);
  return value < 0 ? -result : result;
}

// From a float to an integer type: towards zero, NaN to 0, what is out of range to the nearest.
template <typename T> static T saturate(double x) {
  constexpr double limit = -static_cast<double>(std::numeric_limits<T>::min()); // One more than the largest.
  if (std::isnan(x))
    return 0;
  if (x >= limit)
    return std::numeric_limits<T>::max();
  return x < -limit ? std::numeric_limits<T>::min() : static_cast<T>(x);
}

// To a number. Doubles hold every element but large i64s, which ops take as integers.
template <typename T> static double toDouble(T x) { return static_cast<double>(x); }
static double toDouble(Float16 x) { return ::nova::f16ToFloat(x.bits); }
static double toDouble(BFloat16 x) { return ::nova::bf16ToFloat(x.bits); }
static double toDouble(Bool x) { return x.byte != 0; }
template <typename T> static int64_t toInt(T x) {
  if constexpr (std::is_integral_v<T>)
    return x;
  else
    return saturate<int64_t>(toDouble(x));
}

// From a number, as `nova.cast` does.
static void assign(double &to, double x) { to = x; }
static void assign(float &to, double x) { to = static_cast<float>(x); }
static void assign(Float16 &to, double x) { to.bits = ::nova::floatToF16(roundToOdd(x)); }
static void assign(BFloat16 &to, double x) { to.bits = ::nova::floatToBf16(roundToOdd(x)); }
static void assign(Bool &to, double x) { to.byte = x != 0; }
template <typename T> static void assign(T &to, double x) { to = saturate<T>(x); }

static void assign(double &to, int64_t x) { to = static_cast<double>(x); }
static void assign(float &to, int64_t x) { to = static_cast<float>(x); }
static void assign(Float16 &to, int64_t x) { assign(to, roundToOdd(x)); }
static void assign(BFloat16 &to, int64_t x) { assign(to, roundToOdd(x)); }
static void assign(Bool &to, int64_t x) { to.byte = x != 0; }
template <typename T> static void assign(T &to, int64_t x) { to = static_cast<T>(static_cast<uint64_t>(x)); }

//===----------------------------------------------------------------------===//
// Shapes and types
//===----------------------------------------------------------------------===//

std::optional<DType> reference::dtypeOf(Type type) {
  if (type.isF64())
    return DType::F64;
  if (type.isF32())
    return DType::F32;
  if (type.isF16())
    return DType::F16;
  if (type.isBF16())
    return DType::BF16;
  if (type.isSignlessInteger(1))
    return DType::I1;
  if (type.isSignlessInteger(8))
    return DType::I8;
  if (type.isSignlessInteger(32))
    return DType::I32;
  if (type.isSignlessInteger(64))
    return DType::I64;
  return std::nullopt;
}

int64_t reference::elementCount(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

Shape reference::rowMajorStrides(ArrayRef<int64_t> shape) {
  Shape strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

std::optional<int64_t> reference::byteCount(DType dtype, ArrayRef<int64_t> shape) {
  int64_t bytes = ::nova::sizeOf(dtype);
  for (int64_t size : shape)
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}

bool reference::fitsMemory(DType dtype, ArrayRef<int64_t> shape) {
  static const int64_t limit = int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  std::optional<int64_t> bytes = byteCount(dtype, shape);
  return bytes && *bytes <= limit;
}

//===----------------------------------------------------------------------===//
// Tensor
//===----------------------------------------------------------------------===//

Tensor::Tensor(DType dtype, ArrayRef<int64_t> shape)
    : dtype(dtype), shape(shape), elements(std::make_shared<std::vector<char>>(getNumBytes())) {}

template <typename Number> static Tensor withNumbers(DType dtype, ArrayRef<int64_t> shape, ArrayRef<Number> values) {
  Tensor result(dtype, shape);
  assert(int64_t(values.size()) == result.getNumElements() && "one number per element");
  visitStorage(dtype, [&](auto element) {
    auto *elements = reinterpret_cast<decltype(element) *>(result.getMutableData());
    for (size_t i = 0; i < values.size(); ++i)
      assign(elements[i], values[i]);
  });
  return result;
}

Tensor Tensor::fromDoubles(DType dtype, ArrayRef<int64_t> shape, ArrayRef<double> values) {
  return withNumbers(dtype, shape, values);
}

Tensor Tensor::fromInts(DType dtype, ArrayRef<int64_t> shape, ArrayRef<int64_t> values) {
  return withNumbers(dtype, shape, values);
}

Tensor Tensor::fromMemory(DType dtype, ArrayRef<int64_t> shape, const void *data) {
  Tensor result(dtype, shape);
  if (result.getNumBytes())
    std::memcpy(result.getMutableData(), data, result.getNumBytes());
  return result;
}

Tensor Tensor::poison(DType dtype, ArrayRef<int64_t> shape) {
  Tensor result(dtype, shape);
  // All ones is a NaN in every float format. Integers get a pattern that is no likely answer.
  std::memset(result.getMutableData(), ::nova::isFloat(dtype) ? 0xff : 0xa5, result.getNumBytes());
  return result;
}

char *Tensor::getMutableData() {
  if (!elements)
    elements = std::make_shared<std::vector<char>>();
  else if (elements.use_count() > 1)
    elements = std::make_shared<std::vector<char>>(*elements);
  return elements->data();
}

double Tensor::getDouble(int64_t position) const {
  assert(position >= 0 && position < getNumElements() && "position in range");
  return visitStorage(
      dtype, [&](auto element) { return toDouble(reinterpret_cast<const decltype(element) *>(getData())[position]); });
}

int64_t Tensor::getInt(int64_t position) const {
  assert(position >= 0 && position < getNumElements() && "position in range");
  return visitStorage(
      dtype, [&](auto element) { return toInt(reinterpret_cast<const decltype(element) *>(getData())[position]); });
}

std::vector<double> Tensor::toDoubles() const {
  std::vector<double> values(getNumElements());
  visitStorage(dtype, [&](auto element) {
    auto *elements = reinterpret_cast<const decltype(element) *>(getData());
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = toDouble(elements[i]);
  });
  return values;
}

std::vector<int64_t> Tensor::toInts() const {
  std::vector<int64_t> values(getNumElements());
  visitStorage(dtype, [&](auto element) {
    auto *elements = reinterpret_cast<const decltype(element) *>(getData());
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = toInt(elements[i]);
  });
  return values;
}

Tensor Tensor::reshaped(ArrayRef<int64_t> newShape) const {
  assert(elementCount(newShape) == getNumElements() && "as many elements");
  Tensor result = *this;
  result.shape.assign(newShape.begin(), newShape.end());
  return result;
}

Tensor Tensor::castTo(DType target) const {
  if (target == dtype)
    return *this;
  if (::nova::isFloat(dtype))
    return fromDoubles(target, shape, toDoubles());
  return fromInts(target, shape, toInts());
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

/// Calls `body` with an unsigned integer as wide as an element: elements that only move need no other type.
template <typename Body> static void visitWidth(DType dtype, Body body) {
  switch (::nova::sizeOf(dtype)) {
  case 1:
    return body(uint8_t());
  case 2:
    return body(uint16_t());
  case 4:
    return body(uint32_t());
  default:
    return body(uint64_t());
  }
}

Tensor reference::readStrided(const Tensor &x, int64_t base, ArrayRef<int64_t> strides, ArrayRef<int64_t> shape) {
  Tensor result(x.getDType(), shape);
  visitWidth(x.getDType(), [&](auto element) {
    auto *from = reinterpret_cast<const decltype(element) *>(x.getData());
    auto *to = reinterpret_cast<decltype(element) *>(result.getMutableData());
    forEachIndex<1>(shape, {Shape(strides)},
                    [&](int64_t position, auto offsets) { to[position] = from[base + offsets[0]]; });
  });
  return result;
}

void reference::writeStrided(Tensor &into, int64_t base, ArrayRef<int64_t> strides, const Tensor &x) {
  assert(into.getDType() == x.getDType() && "elements move without conversion");
  visitWidth(x.getDType(), [&](auto element) {
    auto *from = reinterpret_cast<const decltype(element) *>(x.getData());
    auto *to = reinterpret_cast<decltype(element) *>(into.getMutableData());
    forEachIndex<1>(x.getShape(), {Shape(strides)},
                    [&](int64_t position, auto offsets) { to[base + offsets[0]] = from[position]; });
  });
}
