//===- FiniteCheck.cpp - Which kernel first gave NaN or infinity ----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/FiniteCheck.h"

#include <cstring>

using namespace nova;

/// By the bits: all of the exponent's are set.
template <typename BitsT> static std::optional<uint64_t> find(const void *data, uint64_t count, BitsT exponent) {
  for (uint64_t i = 0; i < count; ++i) {
    BitsT bits;
    std::memcpy(&bits, static_cast<const char *>(data) + i * sizeof(bits), sizeof(bits));
    if ((bits & exponent) == exponent)
      return i;
  }
  return std::nullopt;
}

std::optional<uint64_t> nova::findNotFinite(DType type, const void *data, uint64_t count) {
  switch (type) {
  case DType::F64:
    return find<uint64_t>(data, count, 0x7ff0000000000000);
  case DType::F32:
    return find<uint32_t>(data, count, 0x7f800000);
  case DType::F16:
    return find<uint16_t>(data, count, 0x7c00);
  case DType::BF16:
    return find<uint16_t>(data, count, 0x7f80);
  default:
    return std::nullopt;
  }
}

Result<void> FiniteCheck::launched(const LaunchEvent &event) {
  const Bundle &tables = executable.tables();
  const Kernel &kernel = tables.kernels[tables.entries[event.entry].launches[event.launch].kernel];
  for (size_t argument = kernel.operands; argument < kernel.argumentBytes.size(); ++argument) {
    DType type = kernel.argumentTypes[argument];
    if (!isFloat(type))
      continue;
    data.resize(kernel.argumentBytes[argument]);
    if (Result<void> read = executable.readArgument(event.entry, event.launch, argument, data.data()); !read)
      return read;
    if (std::optional<uint64_t> found = findNotFinite(type, data.data(), data.size() / sizeOf(type)))
      return Error{ErrorKind::Numerics, (kernel.location.empty() ? "" : kernel.location + ": ") + "kernel '" +
                                            kernel.name + "' (" + kernel.family + "), launch " +
                                            std::to_string(event.launch) + " of @" + tables.entries[event.entry].name +
                                            ": expected finite numbers, found NaN or infinity in result " +
                                            std::to_string(argument - kernel.operands) + " at position " +
                                            std::to_string(*found) +
                                            "; --mode=eager tells the op, a smaller --lr or a --warmup may help"};
  }
  return {};
}
