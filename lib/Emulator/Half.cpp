//===- Half.cpp - f16 and bf16 arithmetic ---------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Approximate.h"
#include "Decoder.h"

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// One lane
//===----------------------------------------------------------------------===//

namespace {

struct F16 {
  static NOVA_LANES float widen(uint16_t value) { return f16ToF32(value); }
  static NOVA_LANES uint16_t narrow(float value) { return f32ToF16(value); }
  /// .ftz: subnormal numbers count as zero.
  static NOVA_LANES uint16_t flush(uint16_t value) { return (value & 0x7c00) == 0 ? value & 0x8000 : value; }
};
struct BF16 {
  static NOVA_LANES float widen(uint16_t value) { return bf16ToF32(value); }
  static NOVA_LANES uint16_t narrow(float value) { return f32ToBf16(value); }
  static NOVA_LANES uint16_t flush(uint16_t value) { return (value & 0x7f80) == 0 ? value & 0x8000 : value; }
};

// Sums and products of two halves are rounded twice, to f32 and then to 16 bits, by way of odd numbers: as if once.
struct Add {
  static NOVA_LANES float of(float a, float b) { return narrowToOdd(addToOdd(a, b)); }
};
struct Subtract {
  static NOVA_LANES float of(float a, float b) { return narrowToOdd(addToOdd(a, -b)); }
};
struct Multiply {
  static NOVA_LANES float of(float a, float b) { return narrowToOdd(static_cast<double>(a) * static_cast<double>(b)); }
};
struct FusedMultiplyAdd {
  static NOVA_LANES float of(float a, float b, float c) {
    return narrowToOdd(addToOdd(static_cast<double>(a) * static_cast<double>(b), c));
  }
};
struct Exp2 {
  static NOVA_LANES float of(float a) { return exp2Of(a); }
};
struct Tanh {
  static NOVA_LANES float of(float a) { return tanhOf(a); }
};

enum class After : uint8_t { Nothing, Saturate, Relu };

/// A float function on halves.
template <typename H, typename F, bool Ftz, After After> struct OnHalf {
  static NOVA_LANES uint16_t out(float value) {
    if (After == After::Saturate)
      value = saturated(value);
    if (After == After::Relu)
      value = value > 0.0f || value != value ? value : 0.0f;
    uint16_t result = H::narrow(value);
    return Ftz ? H::flush(result) : result;
  }
  static NOVA_LANES float in(uint16_t value) { return H::widen(Ftz ? H::flush(value) : value); }
  static NOVA_LANES uint16_t of(uint16_t a) { return out(F::of(in(a))); }
  static NOVA_LANES uint16_t of(uint16_t a, uint16_t b) { return out(F::of(in(a), in(b))); }
  static NOVA_LANES uint16_t of(uint16_t a, uint16_t b, uint16_t c) { return out(F::of(in(a), in(b), in(c))); }
};

template <typename H, bool Ftz> struct NegateHalf {
  static NOVA_LANES uint16_t of(uint16_t a) { return static_cast<uint16_t>((Ftz ? H::flush(a) : a) ^ 0x8000); }
};
template <typename H, bool Ftz> struct AbsoluteHalf {
  static NOVA_LANES uint16_t of(uint16_t a) { return static_cast<uint16_t>((Ftz ? H::flush(a) : a) & 0x7fff); }
};

template <typename H, bool IsMaximum, bool PropagatesNan, bool XorSign, bool Ftz> struct ExtremumHalf {
  static NOVA_LANES uint16_t of(uint16_t x, uint16_t y) {
    uint16_t sign = (x ^ y) & 0x8000;
    uint16_t a = Ftz ? H::flush(x) : x, b = Ftz ? H::flush(y) : y;
    a = XorSign ? a & 0x7fff : a;
    b = XorSign ? b & 0x7fff : b;
    float first = H::widen(a), second = H::widen(b);
    bool firstIsLess = first < second || (first == second && (a & 0x8000));
    uint16_t result = firstIsLess != IsMaximum ? a : b;
    bool firstNan = first != first, secondNan = second != second;
    result = firstNan ? b : secondNan ? a : result;
    bool isNan = PropagatesNan ? firstNan || secondNan : firstNan && secondNan;
    return isNan ? kNan16 : XorSign ? result | sign : result;
  }
};

/// F on both halves of 32 bits.
template <typename F> struct Both {
  static NOVA_LANES uint32_t join(uint16_t low, uint16_t high) { return low | static_cast<uint32_t>(high) << 16; }
  static NOVA_LANES uint16_t low(uint32_t value) { return static_cast<uint16_t>(value); }
  static NOVA_LANES uint16_t high(uint32_t value) { return static_cast<uint16_t>(value >> 16); }
  static NOVA_LANES uint32_t of(uint32_t a) { return join(F::of(low(a)), F::of(high(a))); }
  static NOVA_LANES uint32_t of(uint32_t a, uint32_t b) { return join(F::of(low(a), low(b)), F::of(high(a), high(b))); }
  static NOVA_LANES uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    return join(F::of(low(a), low(b), low(c)), F::of(high(a), high(b), high(c)));
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

template <typename F, size_t Sources> static ExecuteFn halfLanes(bool isPacked) {
  if constexpr (Sources == 1)
    return isPacked ? unaryLanes<uint32_t, Both<F>>() : unaryLanes<uint16_t, F>();
  else if constexpr (Sources == 2)
    return isPacked ? binaryLanes<uint32_t, Both<F>>() : binaryLanes<uint16_t, F>();
  else
    return isPacked ? ternaryLanes<uint32_t, Both<F>>() : ternaryLanes<uint16_t, F>();
}

template <typename H, typename F, size_t Sources> static ExecuteFn arithmetic(bool isPacked, bool flush, After after) {
  switch (after) {
  case After::Saturate:
    return flush ? halfLanes<OnHalf<H, F, true, After::Saturate>, Sources>(isPacked)
                 : halfLanes<OnHalf<H, F, false, After::Saturate>, Sources>(isPacked);
  case After::Relu:
    return flush ? halfLanes<OnHalf<H, F, true, After::Relu>, Sources>(isPacked)
                 : halfLanes<OnHalf<H, F, false, After::Relu>, Sources>(isPacked);
  case After::Nothing:
    break;
  }
  return flush ? halfLanes<OnHalf<H, F, true, After::Nothing>, Sources>(isPacked)
               : halfLanes<OnHalf<H, F, false, After::Nothing>, Sources>(isPacked);
}

template <typename H, bool IsMaximum, bool Ftz> static ExecuteFn extremum(bool isPacked, bool nan, bool xorSign) {
  if (xorSign)
    return nan ? halfLanes<ExtremumHalf<H, IsMaximum, true, true, Ftz>, 2>(isPacked)
               : halfLanes<ExtremumHalf<H, IsMaximum, false, true, Ftz>, 2>(isPacked);
  return nan ? halfLanes<ExtremumHalf<H, IsMaximum, true, false, Ftz>, 2>(isPacked)
             : halfLanes<ExtremumHalf<H, IsMaximum, false, false, Ftz>, 2>(isPacked);
}
template <typename H, bool IsMaximum> static ExecuteFn extremum(bool isPacked, bool flush, bool nan, bool xorSign) {
  return flush ? extremum<H, IsMaximum, true>(isPacked, nan, xorSign)
               : extremum<H, IsMaximum, false>(isPacked, nan, xorSign);
}

template <typename H> static ExecuteFn handlerFor(Builder &builder, bool isPacked) {
  std::string_view name = builder.name();
  constexpr bool isBrain = std::is_same_v<H, BF16>;
  // bf16 is flushed by ex2 alone, and always; tanh flushes nothing.
  bool flush = isBrain ? name == "ex2" && builder.expectOneOf({"ftz"}) == 0 : name != "tanh" && builder.take("ftz");
  if (name == "neg")
    return flush ? halfLanes<NegateHalf<H, true>, 1>(isPacked) : halfLanes<NegateHalf<H, false>, 1>(isPacked);
  if (name == "abs")
    return flush ? halfLanes<AbsoluteHalf<H, true>, 1>(isPacked) : halfLanes<AbsoluteHalf<H, false>, 1>(isPacked);
  if (name == "min" || name == "max") {
    bool nan = builder.take("NaN"), xorSign = builder.take("xorsign");
    if (xorSign)
      builder.expectOneOf({"abs"});
    return name == "min" ? extremum<H, false>(isPacked, flush, nan, xorSign)
                         : extremum<H, true>(isPacked, flush, nan, xorSign);
  }
  if (name == "ex2")
    return arithmetic<H, Exp2, 1>(isPacked, flush, After::Nothing);
  if (name == "tanh")
    return arithmetic<H, Tanh, 1>(isPacked, flush, After::Nothing);
  if (name == "fma")
    builder.expectOneOf({"rn"});
  else
    builder.take("rn");
  After after = !isBrain && builder.take("sat")         ? After::Saturate
                : name == "fma" && builder.take("relu") ? After::Relu
                                                        : After::Nothing;
  if (name == "add")
    return arithmetic<H, Add, 2>(isPacked, flush, after);
  if (name == "sub")
    return arithmetic<H, Subtract, 2>(isPacked, flush, after);
  if (name == "mul")
    return arithmetic<H, Multiply, 2>(isPacked, flush, after);
  if (name == "fma")
    return arithmetic<H, FusedMultiplyAdd, 3>(isPacked, flush, after);
  builder.fail("unexpected 16-bit type of '" + std::string(name) + "'");
}

void nova::emulator::decodeHalfArithmetic(Builder &builder, Type type) {
  bool isPacked = type == Type::F16x2 || type == Type::BF16x2;
  bool isBrain = type == Type::BF16 || type == Type::BF16x2;
  builder.out.execute = isBrain ? handlerFor<BF16>(builder, isPacked) : handlerFor<F16>(builder, isPacked);
  std::string_view name = builder.name();
  size_t sources = name == "fma" ? 3 : name == "neg" || name == "abs" || name == "ex2" || name == "tanh" ? 1 : 2;
  builder.expectOperands(sources + 1);
  for (size_t i = 1; i <= sources; ++i)
    builder.out.operands[i] = builder.source(i, type);
  builder.out.operands[0] = builder.destination(0, type);
}
