//===- Approximate.cpp - Approximate functions ----------------------------===//
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

struct Exp2 {
  static NOVA_LANES float of(float a) { return exp2Of(a); }
};
struct Log2 {
  static NOVA_LANES float of(float a) { return log2Of(a); }
};
struct Tanh {
  static NOVA_LANES float of(float a) { return tanhOf(a); }
};
struct Sine {
  static NOVA_LANES float of(float a) { return static_cast<float>(std::sin(static_cast<double>(a))); }
};
struct Cosine {
  static NOVA_LANES float of(float a) { return static_cast<float>(std::cos(static_cast<double>(a))); }
};
struct ReciprocalApproximate {
  static NOVA_LANES float of(float a) { return static_cast<float>(1.0 / static_cast<double>(a)); }
};
struct SquareRootApproximate {
  static NOVA_LANES float of(float a) { return __builtin_sqrtf(a); }
};
struct ReciprocalSquareRoot {
  static NOVA_LANES float of(float a) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a))); }
  static NOVA_LANES double of(double a) { return static_cast<double>(1.0L / __builtin_sqrtl(a)); }
};
struct DivideFull {
  static NOVA_LANES float of(float a, float b) { return a / b; }
};
/// div.approx loses what its reciprocal of a very large divisor loses.
struct DivideApproximate {
  static NOVA_LANES float of(float a, float b) {
    float magnitude = __builtin_fabsf(b), quotient = a / b;
    bool isLarge = magnitude > 0x1p126f && magnitude < HUGE_VALF;
    float lost = __builtin_fabsf(a) == HUGE_VALF || a != a
                     ? bitsAs<float>(kNan32)
                     : bitsAs<float>((bitsAs<uint32_t>(a) ^ bitsAs<uint32_t>(b)) & 0x80000000);
    return isLarge ? lost : quotient;
  }
};

template <typename F, bool Ftz> struct Single {
  static NOVA_LANES float in(float value) { return Ftz ? flushed(value) : value; }
  static NOVA_LANES float out(float value) { return canonical(Ftz ? flushed(value) : value); }
  static NOVA_LANES float of(float a) { return out(F::of(in(a))); }
  static NOVA_LANES float of(float a, float b) { return out(F::of(in(a), in(b))); }
};

/// .approx.ftz.f64: the lower words of operand and result count as zero, and subnormal numbers too.
template <typename F> struct UpperWord {
  static NOVA_LANES double upper(double value) {
    uint64_t bits = bitsAs<uint64_t>(value) & 0xffffffff00000000;
    bool isTiny = (bits & 0x7ff0000000000000) == 0;
    return bitsAs<double>(isTiny ? bits & 0x8000000000000000 : bits);
  }
  static NOVA_LANES double of(double a) { return upper(F::of(upper(a))); }
};
struct Reciprocal64 {
  static NOVA_LANES double of(double a) { return 1.0 / a; }
};

} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

template <typename F> static void finishUnary(Builder &builder) {
  bool flush = builder.name() != "tanh" && builder.take("ftz");
  builder.expectOperands(2);
  builder.out.operands[1] = builder.source(1, Type::F32);
  builder.out.operands[0] = builder.destination(0, Type::F32);
  builder.out.execute = flush ? unaryLanes<float, Single<F, true>>() : unaryLanes<float, Single<F, false>>();
}

template <typename F> static void finishBinary(Builder &builder) {
  bool flush = builder.take("ftz");
  builder.expectOperands(3);
  builder.out.operands[1] = builder.source(1, Type::F32);
  builder.out.operands[2] = builder.source(2, Type::F32);
  builder.out.operands[0] = builder.destination(0, Type::F32);
  builder.out.execute = flush ? binaryLanes<float, Single<F, true>>() : binaryLanes<float, Single<F, false>>();
}

template <typename F> static void finishDouble(Builder &builder) {
  builder.expectOperands(2);
  builder.out.operands[1] = builder.source(1, Type::F64);
  builder.out.operands[0] = builder.destination(0, Type::F64);
  builder.out.execute = unaryLanes<double, F>();
}

bool nova::emulator::decodeApproximate(Builder &builder, Type type) {
  std::string_view name = builder.name();
  if (type == Type::F32 && name == "div" && builder.take("full"))
    return finishBinary<DivideFull>(builder), true;
  if (!builder.take("approx"))
    return false;
  if (type == Type::F64) {
    if (name != "rcp")
      builder.fail("expected .rn, .rz, .rm or .rp for .f64");
    builder.expectOneOf({"ftz"});
    return finishDouble<UpperWord<Reciprocal64>>(builder), true;
  }
  if (name == "div")
    finishBinary<DivideApproximate>(builder);
  else if (name == "rcp")
    finishUnary<ReciprocalApproximate>(builder);
  else
    finishUnary<SquareRootApproximate>(builder);
  return true;
}

static void decodeFunction(Builder &builder) {
  std::string_view name = builder.name();
  builder.expectOneOf({"approx"});
  Type type = builder.takeType();
  if (isHalf(type))
    return decodeHalfArithmetic(builder, type);
  if (name == "rsqrt" && type == Type::F64) {
    if (builder.take("ftz"))
      return finishDouble<UpperWord<ReciprocalSquareRoot>>(builder);
    return finishDouble<ReciprocalSquareRoot>(builder);
  }
  if (type != Type::F32)
    builder.fail("expected .f32, found ." + std::string(nameOf(type)));
  if (name == "ex2")
    finishUnary<Exp2>(builder);
  else if (name == "lg2")
    finishUnary<Log2>(builder);
  else if (name == "tanh")
    finishUnary<Tanh>(builder);
  else if (name == "sin")
    finishUnary<Sine>(builder);
  else if (name == "cos")
    finishUnary<Cosine>(builder);
  else
    finishUnary<ReciprocalSquareRoot>(builder);
}

void nova::emulator::addApproximateInstructions(InstructionTable &table) {
  for (std::string_view name : {"ex2", "lg2", "tanh", "sin", "cos", "rsqrt"})
    table[name] = decodeFunction;
}
