//===- DType.cpp - Element types ------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/DType.h"

using namespace nova;

/// In the order of the enum.
static constexpr std::string_view kNames[] = {"f64", "f32", "f16", "bf16", "i1", "i8", "i32", "i64"};

std::string_view nova::nameOf(DType type) { return kNames[static_cast<size_t>(type)]; }

std::optional<DType> nova::dtypeFromName(std::string_view name) {
  for (size_t i = 0; i < std::size(kNames); ++i)
    if (kNames[i] == name)
      return static_cast<DType>(i);
  return std::nullopt;
}
