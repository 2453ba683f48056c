//===- Half.h - bf16 and f16 to and from f32 --------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Narrowing rounds to nearest, ties to even; overflow gives infinity; a NaN stays a (quiet) NaN. Widening is exact.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_SUPPORT_HALF_H
#define NOVA_SUPPORT_HALF_H

#include <cstdint>

namespace nova {

float bf16ToFloat(uint16_t bits);
uint16_t floatToBf16(float value);
float f16ToFloat(uint16_t bits);
uint16_t floatToF16(float value);

} // namespace nova

#endif // NOVA_SUPPORT_HALF_H
