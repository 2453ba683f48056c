//===- Float.cpp - f32 and f64 arithmetic ---------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Rounding.h"

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// One lane
//===----------------------------------------------------------------------===//

namespace {

// To nearest the host computes what PTX asks for.
struct Add {
  template <typename T> static NOVA_LANES T of(T a, T b) { return a + b; }
};
struct Subtract {
  template <typename T> static NOVA_LANES T of(T a, T b) { return a - b; }
};
struct Multiply {
  template <typename T> static NOVA_LANES T of(T a, T b) { return a * b; }
};
struct Divide {
  template <typename T> static NOVA_LANES T of(T a, T b) { return a / b; }
};
struct FusedMultiplyAdd {
  static NOVA_LANES float of(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static NOVA_LANES double of(double a, double b, double c) { return __builtin_fma(a, b, c); }
};
struct Reciprocal {
  template <typename T> static NOVA_LANES T of(T a) { return T(1) / a; }
};
struct SquareRoot {
  static NOVA_LANES float of(float a) { return __builtin_sqrtf(a); }
  static NOVA_LANES double of(double a) { return __builtin_sqrt(a); }
};
// abs and neg keep a NaN's payload undefined for f32; they change the sign alone.
struct Negate {
  template <typename T> static NOVA_LANES T of(T a) { return -a; }
};
struct Absolute {
  static NOVA_LANES float of(float a) { return __builtin_fabsf(a); }
  static NOVA_LANES double of(double a) { return __builtin_fabs(a); }
};

/// f32: flushed operands and results, saturation, and the one NaN.
template <typename F, bool Ftz, bool Sat> struct Single {
  static NOVA_LANES float in(float value) { return Ftz ? flushed(value) : value; }
  static NOVA_LANES float out(float value) {
    value = Ftz ? flushed(value) : value;
    return Sat ? saturated(value) : canonical(value);
  }
  static NOVA_LANES float of(float a) { return out(F::of(in(a))); }
  static NOVA_LANES float of(float a, float b) { return out(F::of(in(a), in(b))); }
  static NOVA_LANES float of(float a, float b, float c) { return out(F::of(in(a), in(b), in(c))); }
};

/// fma.relu does not exist for f32; min and max have .NaN, .xorsign.abs. -0 is less than +0.
template <bool IsMaximum, bool PropagatesNan, bool XorSign> struct Extremum {
  template <typename T> static NOVA_LANES T of(T x, T y) {
    using U = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr U signBit = U(1) << (8 * sizeof(T) - 1);
    constexpr U nan = sizeof(T) == 4 ? U(kNan32) : U(kNan64);
    U sign = (bitsAs<U>(x) ^ bitsAs<U>(y)) & signBit;
    T a = XorSign ? bitsAs<T>(static_cast<U>(bitsAs<U>(x) & ~signBit)) : x;
    T b = XorSign ? bitsAs<T>(static_cast<U>(bitsAs<U>(y) & ~signBit)) : y;
    bool firstIsLess = a < b || (a == b && (bitsAs<U>(a) & signBit));
    T result = firstIsLess != IsMaximum ? a : b;
    result = a != a ? b : b != b ? a : result;
    bool isNan = PropagatesNan ? a != a || b != b : a != a && b != b;
    T signedResult = XorSign ? bitsAs<T>(static_cast<U>(bitsAs<U>(result) | sign)) : result;
    return isNan ? bitsAs<T>(nan) : signedResult;
  }
};

/// copysign: the magnitude of the second with the sign of the first.
struct CopySign {
  static NOVA_LANES uint32_t of(uint32_t a, uint32_t b) { return (a & 0x80000000u) | (b & 0x7fffffffu); }
  static NOVA_LANES uint64_t of(uint64_t a, uint64_t b) {
    return (a & (uint64_t(1) << 63)) | (b & ~(uint64_t(1) << 63));
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Other rounding modes
//===----------------------------------------------------------------------===//

// The lower three bits of the flags are the rounding mode.
enum RoundedFlags : uint8_t { ModeMask = 7, FlagFtz = 8, FlagSat = 16 };

template <typename T> static void executeRounded(Warp &warp, const Instruction &instruction, uint32_t active) {
  const T *a = lanesOf<T>(warp, instruction.operands[1]), *b = lanesOf<T>(warp, instruction.operands[2]);
  const T *c = lanesOf<T>(warp, instruction.operands[3]);
  auto mode = static_cast<Rounding>(instruction.flags & ModeMask);
  auto operation = static_cast<Arithmetic>(instruction.immediate);
  T values[kLanes] = {};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(active >> lane & 1))
      continue;
    T x = a[lane], y = b[lane], z = c[lane];
    if constexpr (sizeof(T) == 4) {
      if (instruction.flags & FlagFtz)
        x = flushed(x), y = flushed(y), z = flushed(z);
      float result = computeRounded(operation, mode, x, y, z);
      if (instruction.flags & FlagFtz)
        result = flushed(result);
      values[lane] = instruction.flags & FlagSat ? saturated(result) : canonical(result);
    } else {
      values[lane] = computeRounded(operation, mode, x, y, z);
    }
  }
  setLanes(warp, instruction.operands[0], values, active);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static void takeOperands(Builder &builder, Type type, size_t sources) {
  builder.expectOperands(sources + 1);
  for (size_t i = 1; i <= sources; ++i)
    builder.out.operands[i] = builder.source(i, type);
  // Rounded arithmetic reads three operands whatever it uses.
  for (size_t i = sources + 1; i <= 3; ++i)
    builder.out.operands[i] = builder.out.operands[1];
  builder.out.operands[0] = builder.destination(0, type);
}

template <typename F, size_t Sources> static ExecuteFn singleLanes(bool flush, bool saturate) {
  auto pick = [](auto f) -> ExecuteFn {
    using G = decltype(f);
    if constexpr (Sources == 1)
      return unaryLanes<float, G>();
    else if constexpr (Sources == 2)
      return binaryLanes<float, G>();
    else
      return ternaryLanes<float, G>();
  };
  if (flush)
    return saturate ? pick(Single<F, true, true>()) : pick(Single<F, true, false>());
  return saturate ? pick(Single<F, false, true>()) : pick(Single<F, false, false>());
}

template <typename F, size_t Sources> static ExecuteFn doubleLanes() {
  if constexpr (Sources == 1)
    return unaryLanes<double, F>();
  else if constexpr (Sources == 2)
    return binaryLanes<double, F>();
  else
    return ternaryLanes<double, F>();
}

/// Sums and products round to nearest where they do not say how; the others have to.
template <typename F, size_t Sources> static void finish(Builder &builder, Type type, Arithmetic operation) {
  bool isSimple =
      operation == Arithmetic::Add || operation == Arithmetic::Subtract || operation == Arithmetic::Multiply;
  int mode = isSimple ? builder.takeOneOf({"rn", "rz", "rm", "rp"}) : builder.expectOneOf({"rn", "rz", "rm", "rp"});
  bool isSingle = type == Type::F32, flush = isSingle && builder.take("ftz");
  bool saturate = isSingle && (isSimple || operation == Arithmetic::Fma) && builder.take("sat");
  takeOperands(builder, type, Sources);
  if (mode <= 0) {
    builder.out.execute = isSingle ? singleLanes<F, Sources>(flush, saturate) : doubleLanes<F, Sources>();
    return;
  }
  builder.out.flags = static_cast<uint8_t>(mode | (flush ? FlagFtz : 0) | (saturate ? FlagSat : 0));
  builder.out.immediate = static_cast<int64_t>(operation);
  builder.out.execute = isSingle ? executeRounded<float> : executeRounded<double>;
}

template <typename F> static void finishSign(Builder &builder, Type type) {
  bool flush = type == Type::F32 && builder.take("ftz");
  takeOperands(builder, type, 1);
  struct Flush {
    static NOVA_LANES float of(float a) { return F::of(flushed(a)); }
  };
  builder.out.execute = type == Type::F64 ? unaryLanes<double, F>()
                        : flush           ? unaryLanes<float, Flush>()
                                          : unaryLanes<float, F>();
}

template <typename F> static ExecuteFn extremumLanes(Type type, bool flush) {
  struct Flush {
    static NOVA_LANES float of(float a, float b) { return flushed(F::of(flushed(a), flushed(b))); }
  };
  return type == Type::F64 ? binaryLanes<double, F>() : flush ? binaryLanes<float, Flush>() : binaryLanes<float, F>();
}

template <bool IsMaximum> static void finishExtremum(Builder &builder, Type type) {
  bool isSingle = type == Type::F32, flush = isSingle && builder.take("ftz"), nan = isSingle && builder.take("NaN");
  bool xorSign = isSingle && builder.take("xorsign");
  if (xorSign)
    builder.expectOneOf({"abs"});
  takeOperands(builder, type, 2);
  if (xorSign)
    builder.out.execute = nan ? extremumLanes<Extremum<IsMaximum, true, true>>(type, flush)
                              : extremumLanes<Extremum<IsMaximum, false, true>>(type, flush);
  else
    builder.out.execute = nan ? extremumLanes<Extremum<IsMaximum, true, false>>(type, flush)
                              : extremumLanes<Extremum<IsMaximum, false, false>>(type, flush);
}

void nova::emulator::decodeFloatArithmetic(Builder &builder, Type type) {
  std::string_view name = builder.name();
  if (name == "add")
    finish<Add, 2>(builder, type, Arithmetic::Add);
  else if (name == "sub")
    finish<Subtract, 2>(builder, type, Arithmetic::Subtract);
  else if (name == "mul")
    finish<Multiply, 2>(builder, type, Arithmetic::Multiply);
  else if (name == "fma" || name == "mad") // mad is fused on every chip that Nova knows
    finish<FusedMultiplyAdd, 3>(builder, type, Arithmetic::Fma);
  else if (name == "neg")
    finishSign<Negate>(builder, type);
  else if (name == "abs")
    finishSign<Absolute>(builder, type);
  else if (name == "min")
    finishExtremum<false>(builder, type);
  else if (name == "max")
    finishExtremum<true>(builder, type);
  else if (decodeApproximate(builder, type))
    return;
  else if (name == "div")
    finish<Divide, 2>(builder, type, Arithmetic::Divide);
  else if (name == "rcp")
    finish<Reciprocal, 1>(builder, type, Arithmetic::Reciprocal);
  else
    finish<SquareRoot, 1>(builder, type, Arithmetic::SquareRoot);
}

static void decodeByType(Builder &builder) {
  Type type = builder.takeType();
  if (isHalf(type))
    return decodeHalfArithmetic(builder, type);
  if (type != Type::F32 && type != Type::F64)
    builder.fail("unexpected type ." + std::string(nameOf(type)));
  decodeFloatArithmetic(builder, type);
}

static void decodeCopySign(Builder &builder) {
  Type type = builder.takeType();
  if (type != Type::F32 && type != Type::F64)
    builder.fail("expected .f32 or .f64, found ." + std::string(nameOf(type)));
  takeOperands(builder, type, 2);
  builder.out.execute = type == Type::F32 ? binaryLanes<uint32_t, CopySign>() : binaryLanes<uint64_t, CopySign>();
}

void nova::emulator::addFloatInstructions(InstructionTable &table) {
  table["fma"] = table["rcp"] = table["sqrt"] = decodeByType;
  table["copysign"] = decodeCopySign;
}
