//===- Integer.cpp - Integer arithmetic -----------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// One lane
//===----------------------------------------------------------------------===//

namespace {

// Unsigned types throughout, which wrap around; 16-bit ones are computed in 32 bits, where products fit.
template <typename T> using Wide = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

struct Add {
  template <typename T> static NOVA_LANES T of(T a, T b) { return static_cast<T>(Wide<T>(a) + Wide<T>(b)); }
};
struct Subtract {
  template <typename T> static NOVA_LANES T of(T a, T b) { return static_cast<T>(Wide<T>(a) - Wide<T>(b)); }
};
struct MultiplyLow {
  template <typename T> static NOVA_LANES T of(T a, T b) { return static_cast<T>(Wide<T>(a) * Wide<T>(b)); }
};
struct MultiplyAddLow {
  template <typename T> static NOVA_LANES T of(T a, T b, T c) {
    return static_cast<T>(Wide<T>(a) * Wide<T>(b) + Wide<T>(c));
  }
};
struct AddSaturated {
  static NOVA_LANES int32_t of(int32_t a, int32_t b) {
    int64_t sum = int64_t(a) + b;
    return static_cast<int32_t>(sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum);
  }
};
struct SubtractSaturated {
  static NOVA_LANES int32_t of(int32_t a, int32_t b) {
    int64_t sum = int64_t(a) - b;
    return static_cast<int32_t>(sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum);
  }
};
// Division by zero is unspecified; these are the values that cards give. The least integer by -1 wraps around.
struct Divide {
  template <typename T> static NOVA_LANES T of(T a, T b) {
    if (b == 0)
      return static_cast<T>(~T(0));
    if (std::is_signed_v<T> && b == static_cast<T>(-1))
      return Subtract::of(T(0), a);
    return static_cast<T>(a / b);
  }
};
struct Remainder {
  template <typename T> static NOVA_LANES T of(T a, T b) {
    if (b == 0)
      return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1))
      return 0;
    return static_cast<T>(a % b);
  }
};
struct Absolute {
  template <typename T> static NOVA_LANES T of(T a) { return a < 0 ? Subtract::of(T(0), a) : a; }
};
struct Negate {
  template <typename T> static NOVA_LANES T of(T a) { return Subtract::of(T(0), a); }
};
struct Minimum {
  template <typename T> static NOVA_LANES T of(T a, T b) { return b < a ? b : a; }
};
struct Maximum {
  template <typename T> static NOVA_LANES T of(T a, T b) { return a < b ? b : a; }
};
struct MinimumRelu {
  template <typename T> static NOVA_LANES T of(T a, T b) { return Maximum::of(Minimum::of(a, b), T(0)); }
};
struct MaximumRelu {
  template <typename T> static NOVA_LANES T of(T a, T b) { return Maximum::of(Maximum::of(a, b), T(0)); }
};
struct AbsoluteDifferenceAdd {
  template <typename T> static NOVA_LANES T of(T a, T b, T c) {
    return Add::of(c, a < b ? Subtract::of(b, a) : Subtract::of(a, b));
  }
};

/// F on both 16-bit halves of 32 bits.
template <typename T, typename F> struct Packed {
  static NOVA_LANES uint32_t of(uint32_t a, uint32_t b) {
    uint16_t low = static_cast<uint16_t>(F::of(static_cast<T>(a), static_cast<T>(b)));
    uint16_t high = static_cast<uint16_t>(F::of(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return low | static_cast<uint32_t>(high) << 16;
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Handlers for 16, 32 and 64 bits where the sign does not matter.
template <typename F> static ExecuteFn binaryBits(Type type) {
  return bytesOf(type) == 2   ? binaryLanes<uint16_t, F>()
         : bytesOf(type) == 4 ? binaryLanes<uint32_t, F>()
                              : binaryLanes<uint64_t, F>();
}
template <typename F> static ExecuteFn binarySigned(Type type) {
  if (!isSigned(type))
    return binaryBits<F>(type);
  return bytesOf(type) == 2   ? binaryLanes<int16_t, F>()
         : bytesOf(type) == 4 ? binaryLanes<int32_t, F>()
                              : binaryLanes<int64_t, F>();
}
template <typename F> static ExecuteFn unarySigned(Type type) {
  return bytesOf(type) == 2   ? unaryLanes<int16_t, F>()
         : bytesOf(type) == 4 ? unaryLanes<int32_t, F>()
                              : unaryLanes<int64_t, F>();
}

static bool isPackedInteger(Type type) { return type == Type::U16x2 || type == Type::S16x2; }

template <typename F> static ExecuteFn packed(Type type) {
  return type == Type::S16x2 ? binaryLanes<uint32_t, Packed<int16_t, F>>()
                             : binaryLanes<uint32_t, Packed<uint16_t, F>>();
}

static void requireInteger(Builder &builder, Type type) {
  if (!isInteger(type) || bytesOf(type) == 1)
    builder.fail("expected an integer type of 16, 32 or 64 bits, found ." + std::string(nameOf(type)));
}

static void takeBinaryOperands(Builder &builder, Type type) {
  builder.expectOperands(3);
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[2] = builder.source(2, type);
  builder.out.operands[0] = builder.destination(0, type);
}

static void decodeAddOrSubtract(Builder &builder) {
  bool isAdd = builder.name() == "add";
  Type type = builder.takeType();
  if (type == Type::F32 || type == Type::F64)
    return decodeFloatArithmetic(builder, type);
  if (isHalf(type))
    return decodeHalfArithmetic(builder, type);
  if (isPackedInteger(type) && isAdd) {
    takeBinaryOperands(builder, type);
    builder.out.execute = packed<Add>(type);
    return;
  }
  requireInteger(builder, type);
  if (bytesOf(type) >= 4 && builder.take("cc"))
    return decodeCarry(builder, type, /*readsCarry=*/false, /*writesCarry=*/true);
  takeBinaryOperands(builder, type);
  if (type == Type::S32 && builder.take("sat"))
    builder.out.execute = isAdd ? binaryLanes<int32_t, AddSaturated>() : binaryLanes<int32_t, SubtractSaturated>();
  else
    builder.out.execute = isAdd ? binaryBits<Add>(type) : binaryBits<Subtract>(type);
}

static void decodeMultiply(Builder &builder) {
  Type type = builder.takeType();
  if (type == Type::F32 || type == Type::F64)
    return decodeFloatArithmetic(builder, type);
  if (isHalf(type))
    return decodeHalfArithmetic(builder, type);
  requireInteger(builder, type);
  int part = builder.expectOneOf({"lo", "hi", "wide"});
  if (part != 0)
    return decodeWideMultiply(builder, type, part == 2);
  takeBinaryOperands(builder, type);
  builder.out.execute = binaryBits<MultiplyLow>(type);
}

static void decodeMultiplyAdd(Builder &builder) {
  Type type = builder.takeType();
  if (type == Type::F32 || type == Type::F64)
    return decodeFloatArithmetic(builder, type);
  requireInteger(builder, type);
  int part = builder.expectOneOf({"lo", "hi", "wide"});
  if (part != 2 && bytesOf(type) >= 4 && builder.take("cc"))
    return decodeCarryMultiply(builder, type, part == 1, /*readsCarry=*/false, /*writesCarry=*/true);
  if (part != 0)
    return decodeWideMultiply(builder, type, part == 2);
  builder.expectOperands(4);
  for (size_t i = 1; i < 4; ++i)
    builder.out.operands[i] = builder.source(i, type);
  builder.out.operands[0] = builder.destination(0, type);
  builder.out.execute = bytesOf(type) == 2   ? ternaryLanes<uint16_t, MultiplyAddLow>()
                        : bytesOf(type) == 4 ? ternaryLanes<uint32_t, MultiplyAddLow>()
                                             : ternaryLanes<uint64_t, MultiplyAddLow>();
}

static void decodeDivide(Builder &builder) {
  bool isDivide = builder.name() == "div";
  Type type = builder.takeType();
  if (isDivide && (type == Type::F32 || type == Type::F64))
    return decodeFloatArithmetic(builder, type);
  requireInteger(builder, type);
  takeBinaryOperands(builder, type);
  builder.out.execute = isDivide ? binarySigned<Divide>(type) : binarySigned<Remainder>(type);
}

static void decodeSign(Builder &builder) {
  bool isNegate = builder.name() == "neg";
  Type type = builder.takeType();
  if (type == Type::F32 || type == Type::F64)
    return decodeFloatArithmetic(builder, type);
  if (isHalf(type))
    return decodeHalfArithmetic(builder, type);
  if (!isSigned(type) || bytesOf(type) == 1)
    builder.fail("expected a signed type, found ." + std::string(nameOf(type)));
  builder.expectOperands(2);
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[0] = builder.destination(0, type);
  builder.out.execute = isNegate ? unarySigned<Negate>(type) : unarySigned<Absolute>(type);
}

static void decodeMinimumOrMaximum(Builder &builder) {
  bool isMinimum = builder.name() == "min";
  Type type = builder.takeType();
  if (type == Type::F32 || type == Type::F64)
    return decodeFloatArithmetic(builder, type);
  if (isHalf(type))
    return decodeHalfArithmetic(builder, type);
  bool isRelu = (type == Type::S16x2 || type == Type::S32) && builder.take("relu");
  if (!isPackedInteger(type))
    requireInteger(builder, type);
  takeBinaryOperands(builder, type);
  if (isPackedInteger(type)) {
    builder.out.execute = isRelu ? (isMinimum ? packed<MinimumRelu>(type) : packed<MaximumRelu>(type))
                                 : (isMinimum ? packed<Minimum>(type) : packed<Maximum>(type));
    return;
  }
  if (isRelu)
    builder.out.execute = isMinimum ? binaryLanes<int32_t, MinimumRelu>() : binaryLanes<int32_t, MaximumRelu>();
  else
    builder.out.execute = isMinimum ? binarySigned<Minimum>(type) : binarySigned<Maximum>(type);
}

static void decodeSad(Builder &builder) {
  Type type = builder.takeType();
  requireInteger(builder, type);
  builder.expectOperands(4);
  for (size_t i = 1; i < 4; ++i)
    builder.out.operands[i] = builder.source(i, type);
  builder.out.operands[0] = builder.destination(0, type);
  using F = AbsoluteDifferenceAdd;
  bool hasSign = isSigned(type);
  if (bytesOf(type) == 2)
    builder.out.execute = hasSign ? ternaryLanes<int16_t, F>() : ternaryLanes<uint16_t, F>();
  else if (bytesOf(type) == 4)
    builder.out.execute = hasSign ? ternaryLanes<int32_t, F>() : ternaryLanes<uint32_t, F>();
  else
    builder.out.execute = hasSign ? ternaryLanes<int64_t, F>() : ternaryLanes<uint64_t, F>();
}

void nova::emulator::addIntegerInstructions(InstructionTable &table) {
  table["add"] = table["sub"] = decodeAddOrSubtract;
  table["mul"] = decodeMultiply;
  table["mad"] = decodeMultiplyAdd;
  table["div"] = table["rem"] = decodeDivide;
  table["abs"] = table["neg"] = decodeSign;
  table["min"] = table["max"] = decodeMinimumOrMaximum;
  table["sad"] = decodeSad;
}
