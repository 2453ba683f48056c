//===- Dot.cpp - Dot products of bytes and half words ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"

using namespace nova::emulator;

namespace {

/// dp4a: four products of bytes. Sums wrap around.
template <typename A, typename B> struct Dot4 {
  static NOVA_LANES uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    for (unsigned i = 0; i < 4; ++i)
      c += static_cast<uint32_t>(static_cast<int32_t>(static_cast<A>(a >> 8 * i)) *
                                 static_cast<int32_t>(static_cast<B>(b >> 8 * i)));
    return c;
  }
};

/// dp2a: two half words by the lower or upper two bytes.
template <typename A, typename B, bool IsHigh> struct Dot2 {
  static NOVA_LANES uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    for (unsigned i = 0; i < 2; ++i)
      c += static_cast<uint32_t>(static_cast<int32_t>(static_cast<A>(a >> 16 * i)) *
                                 static_cast<int32_t>(static_cast<B>(b >> (8 * i + (IsHigh ? 16 : 0)))));
    return c;
  }
};

} // namespace

template <typename F> static ExecuteFn lanes() { return ternaryLanes<uint32_t, F>(); }

template <typename A, typename B> static ExecuteFn dotLanes(bool isFour, bool isHigh) {
  using Half = std::conditional_t<std::is_signed_v<A>, int16_t, uint16_t>;
  return isFour ? lanes<Dot4<A, B>>() : isHigh ? lanes<Dot2<Half, B, true>>() : lanes<Dot2<Half, B, false>>();
}

static void decodeDot(Builder &builder) {
  bool isFour = builder.name() == "dp4a";
  bool isHigh = !isFour && builder.expectOneOf({"lo", "hi"}) == 1;
  Type a = builder.takeType(), b = builder.takeType();
  for (Type type : {a, b})
    if (type != Type::U32 && type != Type::S32)
      builder.fail("expected .u32 or .s32, found ." + std::string(nameOf(type)));
  builder.expectOperands(4);
  for (size_t i = 1; i <= 3; ++i)
    builder.out.operands[i] = builder.source(i, Type::B32);
  builder.out.operands[0] = builder.destination(0, Type::B32);
  using S = int8_t;
  using U = uint8_t;
  if (isSigned(a))
    builder.out.execute = isSigned(b) ? dotLanes<S, S>(isFour, isHigh) : dotLanes<S, U>(isFour, isHigh);
  else
    builder.out.execute = isSigned(b) ? dotLanes<U, S>(isFour, isHigh) : dotLanes<U, U>(isFour, isHigh);
}

void nova::emulator::addDotInstructions(InstructionTable &table) { table["dp4a"] = table["dp2a"] = decodeDot; }
