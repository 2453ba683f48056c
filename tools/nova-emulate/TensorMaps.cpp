//===- TensorMaps.cpp - Tensor maps as arguments --------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "Options.h"

#include "Nova/Emulator/TensorMap.h"

#include <cstring>

using namespace nova;
using namespace nova::emulator;

/// "256x128" as numbers of 1 to 2^32; empty when it is none.
static std::vector<uint64_t> parseExtents(const std::string &text) {
  std::vector<uint64_t> extents;
  for (const std::string &part : split(text, 'x')) {
    bool isNumber = !part.empty() && part.size() < 11 && part.find_first_not_of("0123456789") == std::string::npos;
    uint64_t value = isNumber ? std::stoull(part) : 0;
    if (value < 1 || value > uint64_t(1) << 32)
      return {};
    extents.push_back(value);
  }
  return extents;
}

static bool parseSwizzle(const std::string &name, TensorSwizzle &swizzle) {
  constexpr std::pair<const char *, TensorSwizzle> names[] = {{"none", TensorSwizzle::None},
                                                              {"32B", TensorSwizzle::B32},
                                                              {"64B", TensorSwizzle::B64},
                                                              {"128B", TensorSwizzle::B128}};
  for (const auto &[known, value] : names)
    if (name == known) {
      swizzle = value;
      return true;
    }
  return false;
}

static bool parseElement(const std::string &dtype, TensorElement &element) {
  constexpr std::pair<const char *, TensorElement> names[] = {
      {"F64", TensorElement::F64},   {"F32", TensorElement::F32}, {"F16", TensorElement::F16},
      {"BF16", TensorElement::BF16}, {"I64", TensorElement::S64}, {"U64", TensorElement::U64},
      {"I32", TensorElement::S32},   {"U32", TensorElement::U32}, {"I16", TensorElement::U16},
      {"U16", TensorElement::U16},   {"I8", TensorElement::U8},   {"U8", TensorElement::U8}};
  for (const auto &[known, value] : names)
    if (dtype == known) {
      element = value;
      return true;
    }
  return false;
}

Result<std::vector<uint8_t>> Buffers::tensorMap(const std::string &description) {
  auto fail = [&](const std::string &message) {
    return usageError("argument 'tensormap:" + description + "': " + message);
  };
  std::vector<std::string> parts = split(description, ':');
  if (parts.size() != 3 && parts.size() != 4)
    return fail("expected tensormap:NAME:DIMS:BOX:SWIZZLE, as in tensormap:a:256x128:64x64:128B");
  Result<uint64_t> address = find(parts[0]);
  if (!address)
    return fail(address.error().message);
  std::vector<uint64_t> dims = parseExtents(parts[1]), box = parseExtents(parts[2]);
  if (dims.empty() || dims.size() > TensorMap::kMaxRank || box.size() != dims.size())
    return fail("expected one to five dimensions and as many of the box, with an x between");
  TensorMap map;
  const SafetensorsEntry &entry = lookUp(parts[0])->entry;
  if (!parseElement(entry.dtype, map.element))
    return fail("expected a buffer of numbers, found type " + entry.dtype);
  if (parts.size() == 4 && !parseSwizzle(parts[3], map.swizzle))
    return fail("expected a swizzle of none, 32B, 64B or 128B, found '" + parts[3] + "'");
  map.address = *address;
  map.rankMinus1 = static_cast<uint32_t>(dims.size() - 1);
  uint64_t bytes = emulator::bytesOf(map.element);
  for (size_t i = 0; i < dims.size(); ++i) {
    map.dims[i] = static_cast<uint32_t>(dims[i]);
    map.box[i] = static_cast<uint32_t>(box[i]);
    map.elementStrides[i] = 1;
    if (i > 0)
      map.strides[i - 1] = bytes;
    if (bytes > entry.bytes / dims[i])
      return fail("expected a tensor that fits in the buffer of " + std::to_string(entry.bytes) + " bytes");
    bytes *= dims[i];
  }
  if (Result<void> good = map.check(); !good)
    return fail(good.error().message);
  std::vector<uint8_t> raw(sizeof(map));
  std::memcpy(raw.data(), &map, sizeof(map));
  return raw;
}
