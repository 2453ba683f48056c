//===- Elements.cpp - Reading and converting elements ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Elements.h"

#include "Nova/Support/Half.h"

#include <cassert>
#include <cstring>

using namespace nova;

template <typename T> static T load(const void *data, uint64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T> static void store(void *data, uint64_t index, T value) {
  std::memcpy(static_cast<char *>(data) + index * sizeof(T), &value, sizeof(T));
}

double nova::floatAt(DType type, const void *data, uint64_t index) {
  switch (type) {
  case DType::F64:
    return load<double>(data, index);
  case DType::F32:
    return load<float>(data, index);
  case DType::F16:
    return f16ToFloat(load<uint16_t>(data, index));
  case DType::BF16:
    return bf16ToFloat(load<uint16_t>(data, index));
  default:
    assert(false && "expected a float type");
    return 0;
  }
}

int64_t nova::integerAt(DType type, const void *data, uint64_t index) {
  switch (type) {
  case DType::I1:
    return load<uint8_t>(data, index) != 0;
  case DType::I8:
    return load<int8_t>(data, index);
  case DType::I32:
    return load<int32_t>(data, index);
  case DType::I64:
    return load<int64_t>(data, index);
  default:
    assert(false && "expected an integer type");
    return 0;
  }
}

void nova::storeFloat(DType type, void *data, uint64_t index, double value) {
  switch (type) {
  case DType::F64:
    return store(data, index, value);
  case DType::F32:
    return store(data, index, static_cast<float>(value));
  case DType::F16:
    return store(data, index, floatToF16(static_cast<float>(value)));
  case DType::BF16:
    return store(data, index, floatToBf16(static_cast<float>(value)));
  default:
    assert(false && "expected a float type");
  }
}

/// Whether the type holds the value; stores it if so.
static bool storeInteger(DType type, void *data, uint64_t index, int64_t value) {
  switch (type) {
  case DType::I1:
    store(data, index, static_cast<uint8_t>(value));
    return value == 0 || value == 1;
  case DType::I8:
    store(data, index, static_cast<int8_t>(value));
    return value == static_cast<int8_t>(value);
  case DType::I32:
    store(data, index, static_cast<int32_t>(value));
    return value == static_cast<int32_t>(value);
  default:
    store(data, index, value);
    return true;
  }
}

Result<void> nova::convertElements(const TensorRef &from, DType to, void *out) {
  const DType type = from.info.dtype;
  Result<uint64_t> count = elementCount(from.info);
  if (!count)
    return count.error();
  if (type == to && type != DType::I1) {
    std::memcpy(out, from.data, *count * sizeOf(type));
    return {};
  }
  if (isFloat(type) != isFloat(to))
    return inputError("tensor '" + from.info.name + "': expected " + std::string(nameOf(to)) + " or a type that " +
                      "converts to it, found " + std::string(nameOf(type)));
  for (uint64_t i = 0; i < *count; ++i) {
    if (isFloat(type))
      storeFloat(to, out, i, floatAt(type, from.data, i));
    else if (int64_t value = integerAt(type, from.data, i); !storeInteger(to, out, i, value))
      return inputError("tensor '" + from.info.name + "': expected values that " + std::string(nameOf(to)) +
                        " can hold, found " + std::to_string(value) + " at " +
                        toString(coordinatesOf(i, from.info.shape)));
  }
  return {};
}
