//===- Convert.cpp - Conversions between types ----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Convert.h"

#include "Decoder.h"

#include <algorithm>

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// Frequent ones, over lanes
//===----------------------------------------------------------------------===//

namespace {

template <typename S, typename D> struct Cast {
  template <typename Lane> static NOVA_LANES D of(Lane a) { return static_cast<D>(static_cast<S>(a)); }
};
struct F16ToF32 {
  static NOVA_LANES float of(uint16_t a) { return f16ToF32(a); }
};
struct BF16ToF32 {
  static NOVA_LANES float of(uint16_t a) { return bf16ToF32(a); }
};
struct F32ToF16 {
  static NOVA_LANES uint16_t of(float a) { return f32ToF16(a); }
};
struct F32ToBF16 {
  static NOVA_LANES uint16_t of(float a) { return f32ToBf16(a); }
};
/// Two floats to packed halves, the first to the upper one.
template <typename F> struct PackHalves {
  static NOVA_LANES uint32_t of(float a, float b) { return static_cast<uint32_t>(F::of(a)) << 16 | F::of(b); }
};
struct DoubleToSingle {
  static NOVA_LANES float of(double a) { return canonical(static_cast<float>(a)); }
};
struct SaturateSingle {
  static NOVA_LANES float of(float a) { return saturated(a); }
};

template <int Mode> struct RoundToInteger { // rni, rzi, rmi, rpi
  static NOVA_LANES float of(float a) {
    return Mode == 0   ? __builtin_rintf(a)
           : Mode == 1 ? __builtin_truncf(a)
           : Mode == 2 ? __builtin_floorf(a)
                       : __builtin_ceilf(a);
  }
};
/// f32 to s32: clamped, NaN to 0.
template <int Mode> struct SingleToInt {
  static NOVA_LANES int32_t of(float a) {
    float whole = RoundToInteger<Mode>::of(a);
    bool isHigh = whole >= 0x1p31f, isLow = whole < -0x1p31f || whole != whole;
    int32_t value = static_cast<int32_t>(isHigh || isLow ? 0.0f : whole);
    return isHigh ? INT32_MAX : whole < -0x1p31f ? INT32_MIN : value;
  }
};

} // namespace

/// A handler of its own, or null for the general one. Registers hold exactly the types.
static ExecuteFn frequent(const Conversion &c) {
  auto is = [&](Type to, Type from) { return c.to == to && c.from == from; };
  bool isPlain = !c.flush && !c.saturate && !c.relu && !c.finite;
  bool isNearest = c.rounding == Rounding::Nearest;
  if (is(Type::F32, Type::F32) && c.saturate && !c.flush && !c.relu && c.integer < 0)
    return unaryLanes<float, SaturateSingle>();
  if (!isPlain)
    return nullptr;
  if (c.integer >= 0) {
    ExecuteFn toInt[] = {unaryLanes<float, SingleToInt<0>, int32_t>(), unaryLanes<float, SingleToInt<1>, int32_t>(),
                         unaryLanes<float, SingleToInt<2>, int32_t>(), unaryLanes<float, SingleToInt<3>, int32_t>()};
    return is(Type::S32, Type::F32) ? toInt[c.integer] : nullptr;
  }
  if (is(Type::F32, Type::F16))
    return unaryLanes<uint16_t, F16ToF32, float>();
  if (is(Type::F32, Type::BF16))
    return unaryLanes<uint16_t, BF16ToF32, float>();
  if (is(Type::F64, Type::F32))
    return unaryLanes<float, Cast<float, double>, double>();
  if (is(Type::U64, Type::U32) || is(Type::S64, Type::U32))
    return unaryLanes<uint32_t, Cast<uint32_t, uint64_t>, uint64_t>();
  if (is(Type::S64, Type::S32) || is(Type::U64, Type::S32))
    return unaryLanes<int32_t, Cast<int32_t, int64_t>, int64_t>();
  bool fromWide = c.from == Type::U64 || c.from == Type::S64 || c.from == Type::B64;
  if (fromWide && (c.to == Type::U32 || c.to == Type::S32))
    return unaryLanes<uint64_t, Cast<uint64_t, uint32_t>, uint32_t>();
  if (!isNearest)
    return nullptr;
  if (is(Type::F16, Type::F32))
    return unaryLanes<float, F32ToF16, uint16_t>();
  if (is(Type::BF16, Type::F32))
    return unaryLanes<float, F32ToBF16, uint16_t>();
  if (is(Type::F16x2, Type::F32))
    return binaryLanes<float, PackHalves<F32ToF16>, uint32_t>();
  if (is(Type::BF16x2, Type::F32))
    return binaryLanes<float, PackHalves<F32ToBF16>, uint32_t>();
  if (is(Type::F32, Type::S32))
    return unaryLanes<int32_t, Cast<int32_t, float>, float>();
  if (is(Type::F32, Type::U32))
    return unaryLanes<uint32_t, Cast<uint32_t, float>, float>();
  if (is(Type::F32, Type::F64))
    return unaryLanes<double, DoubleToSingle, float>();
  if (is(Type::F64, Type::S32))
    return unaryLanes<int32_t, Cast<int32_t, double>, double>();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static bool isSmallFloat(Type type) { return type == Type::E4M3x2 || type == Type::E5M2x2; }

static bool isFloat(Type type) {
  return type == Type::F16 || type == Type::BF16 || type == Type::F32 || type == Type::F64;
}
static bool isHalves(Type type) { return type == Type::F16x2 || type == Type::BF16x2; }

/// The modifiers that a pair of types has: those that it must have first.
static void takeModifiers(Builder &builder, Conversion &c) {
  bool toSmall = isSmallFloat(c.to), fromSmall = isSmallFloat(c.from);
  if (toSmall || fromSmall) {
    builder.expectOneOf({"rn"});
    if (toSmall)
      builder.expectOneOf({"satfinite"});
    c.finite = toSmall;
    c.relu = builder.take("relu");
    return;
  }
  bool toFloat = isFloat(c.to), fromFloat = isFloat(c.from);
  bool toHalf = isHalf(c.to) && c.from == Type::F32;
  if (c.to == Type::TF32) {
    int mode = builder.expectOneOf({"rn", "rz", "rna"});
    c.rounding = mode == 2 ? Rounding::NearestAway : static_cast<Rounding>(mode);
    c.finite = builder.take("satfinite");
    c.relu = mode != 2 && builder.take("relu");
    return;
  }
  if (isHalves(c.to)) {
    c.rounding = static_cast<Rounding>(builder.expectOneOf({"rn", "rz"}));
  } else if (fromFloat && !toFloat) {
    c.integer = static_cast<int8_t>(builder.expectOneOf({"rni", "rzi", "rmi", "rpi"}));
  } else if (c.to == c.from && toFloat) {
    c.integer = static_cast<int8_t>(builder.takeOneOf({"rni", "rzi", "rmi", "rpi"}));
  } else if (toFloat && (!fromFloat || bytesOf(c.to) <= bytesOf(c.from))) {
    c.rounding = static_cast<Rounding>(builder.expectOneOf({"rn", "rz", "rm", "rp"}));
  }
  // One modifier for what is negative or too large, and none but .ftz beside it.
  bool isNear = c.rounding == Rounding::Nearest || c.rounding == Rounding::Zero;
  if (toHalf && isNear) {
    c.relu = builder.take("relu");
    c.finite = builder.take("satfinite");
  }
  if (!isHalves(c.to) && !c.relu && !c.finite)
    c.saturate = builder.take("sat");
  if (!isHalves(c.to) && (c.from == Type::F32 || c.to == Type::F32))
    c.flush = builder.take("ftz");
}

/// cvt.pack.sat: two 32-bit integers to halves, or to bytes below the upper half of a third.
static void decodePack(Builder &builder) {
  Conversion c;
  builder.expectOneOf({"sat"});
  c.to = builder.takeType();
  c.from = builder.takeType();
  if (!isInteger(c.to) || bytesOf(c.to) > 2 || c.from != Type::S32)
    builder.fail("expected .u8, .s8, .u16 or .s16 from .s32");
  std::optional<Type> third = bytesOf(c.to) == 1 ? builder.takeTypeIfAny() : std::nullopt;
  bool hasThird = third.has_value();
  if (hasThird && *third != Type::B32)
    builder.fail("expected .b32, found ." + std::string(nameOf(*third)));
  builder.expectOperands(hasThird ? 4 : 3);
  builder.out.operands[1] = builder.source(1, Type::S32);
  builder.out.operands[2] = builder.source(2, Type::S32);
  builder.out.operands[3] = hasThird ? builder.source(3, Type::B32) : builder.constant(0, 4);
  builder.out.operands[0] = builder.destination(0, Type::B32);
  c.store(builder.out);
  builder.out.execute = executePack;
}

static void decodeConvert(Builder &builder) {
  if (builder.take("pack"))
    return decodePack(builder);
  Conversion c;
  c.to = builder.takeType();
  c.from = builder.takeType();
  ExecuteFn general = generalConversion(c);
  if (!general)
    builder.fail("unknown conversion from ." + std::string(nameOf(c.from)) + " to ." + std::string(nameOf(c.to)));
  takeModifiers(builder, c);
  bool isPair = (isHalves(c.to) || isSmallFloat(c.to)) && c.from == Type::F32;
  builder.expectOperands(isPair ? 3 : 2);
  Register source = builder.anySource(builder.operand(1), c.from);
  Register result = builder.anyDestination(builder.operand(0), c.to);
  auto width = [](Type type) { return std::max(bytesOf(type), 2u); };
  if (width(source.type) < width(c.from) || width(result.type) < width(c.to))
    builder.fail("expected registers as wide as the types or wider");
  bool isExact = width(source.type) == width(c.from) && width(result.type) == width(c.to);
  builder.out.operands[1] = source.slot;
  builder.out.operands[0] = result.slot;
  builder.out.operands[2] = isPair ? builder.source(2, c.from) : 0;
  c.fromBytes = static_cast<uint8_t>(width(source.type));
  c.toBytes = static_cast<uint8_t>(width(result.type));
  c.store(builder.out);
  ExecuteFn own = isExact ? frequent(c) : nullptr;
  builder.out.execute = own ? own : general;
}

void nova::emulator::addConvertInstructions(InstructionTable &table) { table["cvt"] = decodeConvert; }
