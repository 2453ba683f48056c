//===- FloatInstructionsTest.cpp - Float instructions ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionTest.h"

#include <cmath>

using namespace nova::emulator;

static constexpr uint64_t kInf = 0x7f800000, kNegInf = 0xff800000, kNan = 0x7fffffff, kOtherNan = 0xffc12345;
static constexpr uint64_t kOne = 0x3f800000, kTiny = 1 /* the least subnormal */, kNegZero = 0x80000000;
static constexpr uint64_t kLargest = 0x7f7fffff, kLeastNormal = 0x00800000;

TEST(FloatInstructions, SumsAndProducts) {
  expectRows({
      {"add.f32 r0, r1, r2;", {kOne, kOne}, bits(2.0f)},
      {"add.f32 r0, r1, r2;", {kInf, kNegInf}, kNan},
      {"add.f32 r0, r1, r2;", {kOtherNan, kOne}, kNan},
      {"add.f32 r0, r1, r2;", {kNegZero, kNegZero}, kNegZero},
      {"add.rn.f32 r0, r1, r2;", {kOne, bits(0x1p-24f)}, kOne},
      {"add.rz.f32 r0, r1, r2;", {kOne, bits(0x1.8p-24f)}, kOne},
      {"add.rp.f32 r0, r1, r2;", {kOne, kTiny}, kOne + 1},
      {"add.rm.f32 r0, r1, r2;", {kOne, bits(-0x1p-40f)}, kOne - 1},
      {"add.rm.f32 r0, r1, r2;", {kOne, bits(-1.0f)}, kNegZero}, // an exact zero is negative downwards
      {"add.f32 r0, r1, r2;", {kTiny, kTiny}, 2},
      {"add.ftz.f32 r0, r1, r2;", {kTiny, kTiny}, 0},
      {"add.ftz.f32 r0, r1, r2;", {kLeastNormal, 0x80000001}, kLeastNormal},
      {"add.sat.f32 r0, r1, r2;", {kOne, kOne}, kOne},
      {"add.sat.f32 r0, r1, r2;", {kNan, kOne}, 0},
      {"add.sat.f32 r0, r1, r2;", {bits(-3.0f), kOne}, 0},
      {"sub.f32 r0, r1, r2;", {kOne, bits(0.25f)}, bits(0.75f)},
      {"sub.ftz.sat.f32 r0, r1, r2;", {bits(2.0f), bits(1.5f)}, bits(0.5f)},
      {"mul.f32 r0, r1, r2;", {kLargest, bits(2.0f)}, kInf},
      {"mul.rz.f32 r0, r1, r2;", {kLargest, bits(2.0f)}, kLargest},
      {"mul.rm.f32 r0, r1, r2;", {bits(0x1p-149f), bits(-0.5f)}, 0x80000001},
      {"mul.rp.f32 r0, r1, r2;", {bits(0x1p-149f), bits(-0.5f)}, kNegZero},
      {"mul.f32 r0, r1, r2;", {kInf, 0}, kNan},
      {"mul.ftz.f32 r0, r1, r2;", {bits(0x1p-100f), bits(-0x1p-30f)}, kNegZero},
      {"fma.rn.f32 r0, r1, r2, r3;", {bits(0x1.000002p0f), bits(0x1.000002p0f), bits(-0x1.000004p0f)}, bits(0x1p-46f)},
      {"fma.rz.f32 r0, r1, r2, r3;", {kOne, kOne, bits(0x1.8p-24f)}, kOne},
      {"fma.rp.f32 r0, r1, r2, r3;", {kOne, kOne, kTiny}, kOne + 1},
      {"fma.rn.sat.f32 r0, r1, r2, r3;", {kOne, kOne, kOne}, kOne},
      {"fma.rn.ftz.f32 r0, r1, r2, r3;", {kTiny, kOne, 0}, 0},
      {"mad.rn.f32 r0, r1, r2, r3;", {bits(2.0f), bits(3.0f), bits(4.0f)}, bits(10.0f)},
      {"add.f64 d0, d1, d2;", {bits(1.0), bits(0x1p-53)}, bits(1.0)},
      {"add.rp.f64 d0, d1, d2;", {bits(1.0), bits(0x1p-53)}, bits(1.0) + 1},
      {"sub.rm.f64 d0, d1, d2;", {bits(1.0), bits(0x1p-60)}, bits(1.0) - 1},
      {"mul.rz.f64 d0, d1, d2;", {bits(0x1.fffffffffffffp1023), bits(2.0)}, bits(0x1.fffffffffffffp1023)},
      {"fma.rn.f64 d0, d1, d2, d3;", {bits(3.0), bits(5.0), bits(-15.0)}, 0},
      {"fma.rm.f64 d0, d1, d2, d3;", {bits(1.0), bits(1.0), bits(-0x1p-80)}, bits(1.0) - 1},
  });
}

TEST(FloatInstructions, QuotientsAndRoots) {
  expectRows({
      {"div.rn.f32 r0, r1, r2;", {kOne, bits(3.0f)}, bits(1.0f / 3.0f)},
      {"div.rz.f32 r0, r1, r2;", {bits(2.0f), bits(3.0f)}, 0x3f2aaaaa},
      {"div.rp.f32 r0, r1, r2;", {kOne, bits(3.0f)}, 0x3eaaaaab},
      {"div.rm.f32 r0, r1, r2;", {kOne, bits(3.0f)}, 0x3eaaaaaa},
      {"div.rn.f32 r0, r1, r2;", {kOne, kNegZero}, kNegInf},
      {"div.rn.f32 r0, r1, r2;", {0, 0}, kNan},
      {"div.rn.ftz.f32 r0, r1, r2;", {kTiny, kOne}, 0},
      {"div.full.f32 r0, r1, r2;", {bits(6.0f), bits(3.0f)}, bits(2.0f)},
      {"div.approx.f32 r0, r1, r2;", {bits(6.0f), bits(3.0f)}, bits(2.0f)},
      {"div.approx.f32 r0, r1, r2;", {kOne, bits(0x1p127f)}, 0}, // beyond 2^126
      {"div.approx.f32 r0, r1, r2;", {kInf, bits(0x1p127f)}, kNan},
      {"rcp.rn.f32 r0, r1;", {bits(3.0f)}, bits(1.0f / 3.0f)},
      {"rcp.rz.f32 r0, r1;", {bits(-3.0f)}, 0xbeaaaaaa},
      {"rcp.rm.f32 r0, r1;", {bits(-3.0f)}, 0xbeaaaaab},
      {"rcp.rn.f32 r0, r1;", {kNegZero}, kNegInf},
      {"rcp.approx.f32 r0, r1;", {bits(4.0f)}, bits(0.25f)},
      {"rcp.approx.ftz.f32 r0, r1;", {kTiny}, kInf},
      {"rcp.rn.f64 d0, d1;", {bits(3.0)}, bits(1.0 / 3.0)},
      {"rcp.approx.ftz.f64 d0, d1;", {bits(2.0)}, bits(0.5)},
      {"rcp.approx.ftz.f64 d0, d1;", {1}, bits(HUGE_VAL)},
      {"sqrt.rn.f32 r0, r1;", {bits(2.0f)}, bits(std::sqrt(2.0f))},
      {"sqrt.rp.f32 r0, r1;", {bits(2.0f)}, 0x3fb504f4},
      {"sqrt.rz.f32 r0, r1;", {bits(2.0f)}, 0x3fb504f3},
      {"sqrt.rn.f32 r0, r1;", {bits(-1.0f)}, kNan},
      {"sqrt.rn.f32 r0, r1;", {kNegZero}, kNegZero},
      {"sqrt.approx.f32 r0, r1;", {bits(9.0f)}, bits(3.0f)},
      {"sqrt.rn.f64 d0, d1;", {bits(2.0)}, bits(std::sqrt(2.0))},
      {"div.rn.f64 d0, d1, d2;", {bits(1.0), bits(3.0)}, bits(1.0 / 3.0)},
      {"div.rp.f64 d0, d1, d2;", {bits(1.0), bits(3.0)}, bits(1.0 / 3.0) + 1},
  });
}

TEST(FloatInstructions, SignsAndExtremes) {
  expectRows({
      {"neg.f32 r0, r1;", {0}, kNegZero},
      {"neg.ftz.f32 r0, r1;", {kTiny}, kNegZero},
      {"abs.f32 r0, r1;", {kNegInf}, kInf},
      {"abs.ftz.f32 r0, r1;", {0x80000001}, 0},
      {"neg.f64 d0, d1;", {bits(1.5)}, bits(-1.5)},
      {"abs.f64 d0, d1;", {bits(-0.0)}, 0},
      {"min.f32 r0, r1, r2;", {kNegZero, 0}, kNegZero},
      {"min.f32 r0, r1, r2;", {0, kNegZero}, kNegZero},
      {"max.f32 r0, r1, r2;", {kNegZero, 0}, 0},
      {"min.f32 r0, r1, r2;", {kOtherNan, kOne}, kOne},
      {"max.f32 r0, r1, r2;", {kOne, kOtherNan}, kOne},
      {"max.f32 r0, r1, r2;", {kOtherNan, kOtherNan}, kNan},
      {"max.NaN.f32 r0, r1, r2;", {kOne, kOtherNan}, kNan},
      {"min.ftz.f32 r0, r1, r2;", {kTiny, kOne}, 0},
      {"max.xorsign.abs.f32 r0, r1, r2;", {bits(-3.0f), bits(2.0f)}, bits(-3.0f)},
      {"min.xorsign.abs.f32 r0, r1, r2;", {bits(-3.0f), bits(-2.0f)}, bits(2.0f)},
      {"min.f64 d0, d1, d2;", {bits(-1.0), bits(2.0)}, bits(-1.0)},
      {"max.f64 d0, d1, d2;", {bits(std::nan("")), bits(2.0)}, bits(2.0)},
      {"copysign.f32 r0, r1, r2;", {kNegZero, kOne}, bits(-1.0f)},
      {"copysign.f64 d0, d1, d2;", {bits(1.0), bits(-2.0)}, bits(2.0)},
      {"testp.finite.f32 p0, r1;", {kInf}, 0},
      {"testp.infinite.f32 p0, r1;", {kNegInf}, 1},
      {"testp.number.f32 p0, r1;", {kNan}, 0},
      {"testp.notanumber.f32 p0, r1;", {kNan}, 1},
      {"testp.normal.f32 p0, r1;", {kTiny}, 0},
      {"testp.subnormal.f32 p0, r1;", {kTiny}, 1},
      {"testp.normal.f64 p0, d1;", {bits(1.0)}, 1},
      {"testp.subnormal.f64 p0, d1;", {1}, 1},
  });
}

TEST(FloatInstructions, ApproximationsAtTheirEdges) {
  expectRows({
      {"ex2.approx.f32 r0, r1;", {0}, kOne},
      {"ex2.approx.f32 r0, r1;", {bits(10.0f)}, bits(1024.0f)},
      {"ex2.approx.f32 r0, r1;", {kNegInf}, 0},
      {"ex2.approx.f32 r0, r1;", {kInf}, kInf},
      {"ex2.approx.f32 r0, r1;", {kOtherNan}, kNan},
      {"ex2.approx.f32 r0, r1;", {bits(-149.0f)}, kTiny},
      {"ex2.approx.ftz.f32 r0, r1;", {bits(-130.0f)}, 0},
      {"lg2.approx.f32 r0, r1;", {kOne}, 0},
      {"lg2.approx.f32 r0, r1;", {bits(8.0f)}, bits(3.0f)},
      {"lg2.approx.f32 r0, r1;", {kTiny}, bits(-149.0f)},
      {"lg2.approx.ftz.f32 r0, r1;", {kTiny}, kNegInf},
      {"lg2.approx.f32 r0, r1;", {kNegZero}, kNegInf},
      {"lg2.approx.f32 r0, r1;", {bits(-1.0f)}, kNan},
      {"lg2.approx.f32 r0, r1;", {kInf}, kInf},
      {"tanh.approx.f32 r0, r1;", {kNegZero}, kNegZero},
      {"tanh.approx.f32 r0, r1;", {kInf}, kOne},
      {"tanh.approx.f32 r0, r1;", {kNan}, kNan},
      {"sin.approx.f32 r0, r1;", {0}, 0},
      {"sin.approx.f32 r0, r1;", {kInf}, kNan},
      {"cos.approx.f32 r0, r1;", {kNegZero}, kOne},
      {"rsqrt.approx.f32 r0, r1;", {bits(4.0f)}, bits(0.5f)},
      {"rsqrt.approx.f32 r0, r1;", {kNegZero}, kNegInf},
      {"rsqrt.approx.f32 r0, r1;", {bits(-1.0f)}, kNan},
      {"rsqrt.approx.f64 d0, d1;", {bits(3.0)}, bits(0x1.279a74590331cp-1)}, // full precision
      {"rsqrt.approx.ftz.f64 d0, d1;", {bits(4.0)}, bits(0.5)},
      {"sin.approx.ftz.f32 r0, r1;", {0x80000001}, kNegZero},
      {"cos.approx.ftz.f32 r0, r1;", {kTiny}, kOne},
      {"rsqrt.approx.ftz.f32 r0, r1;", {kTiny}, kInf},
      {"rcp.approx.ftz.f32 r0, r1;", {kTiny}, kInf},
      {"rcp.approx.ftz.f32 r0, r1;", {bits(0x1p127f)}, 0},
      {"sqrt.approx.ftz.f32 r0, r1;", {0x80000001}, kNegZero},
      {"div.approx.ftz.f32 r0, r1, r2;", {kTiny, kOne}, 0},
      {"div.full.ftz.f32 r0, r1, r2;", {kTiny, kTiny}, kNan},
      {"ex2.approx.ftz.f16 h0, h1;", {0xcc00}, 0}, // 2^-16 is subnormal
      {"ex2.approx.f16 h0, h1;", {0xcc00}, 0x0100},
      {"ex2.approx.f16x2 r0, r1;", {0x7c00fc00}, 0x7c000000},
      {"ex2.approx.ftz.f16x2 r0, r1;", {0x4200cc00}, 0x48000000},
      {"ex2.approx.ftz.bf16x2 r0, r1;", {0xff807fff}, 0x00007fff},
      {"tanh.approx.f16x2 r0, r1;", {0x7c00fc00}, 0x3c00bc00},
      {"tanh.approx.bf16 h0, h1;", {0x8000}, 0x8000},
  });
}

TEST(FloatInstructions, ApproximationsAreCloseEverywhere) {
  for (float x = -20; x < 20; x += 0.37f) {
    EXPECT_NEAR(asFloat(resultOf({"ex2.approx.f32 r0, r1;", {bits(x)}, 0})) / std::exp2(double(x)), 1, 0x1p-22) << x;
    EXPECT_NEAR(asFloat(resultOf({"sin.approx.f32 r0, r1;", {bits(x)}, 0})), std::sin(double(x)), 0x1p-20) << x;
    double tanh = std::tanh(double(x));
    EXPECT_NEAR(asFloat(resultOf({"tanh.approx.f32 r0, r1;", {bits(x)}, 0})), tanh, std::fabs(tanh) * 0x1p-11) << x;
    double log = std::log2(std::fabs(double(x)));
    EXPECT_NEAR(asFloat(resultOf({"lg2.approx.f32 r0, r1;", {bits(std::fabs(x))}, 0})), log,
                std::fmax(std::fabs(log), 1) * 0x1p-22)
        << x;
  }
}

TEST(FloatInstructions, Halves) {
  expectRows({
      {"add.f16 h0, h1, h2;", {0x3c00, 0x3c00}, 0x4000},
      {"add.f16 h0, h1, h2;", {0x7bff, 0x7bff}, 0x7c00},
      {"add.sat.f16 h0, h1, h2;", {0x3c00, 0x3c00}, 0x3c00},
      {"add.f16 h0, h1, h2;", {0x7c00, 0xfc00}, 0x7fff},
      {"sub.f16 h0, h1, h2;", {0x3c00, 0x0001}, 0x3c00},
      {"mul.f16 h0, h1, h2;", {0x0400, 0x3800}, 0x0200},
      {"mul.ftz.f16 h0, h1, h2;", {0x0400, 0x3800}, 0},
      {"fma.rn.f16 h0, h1, h2, h3;", {0x3c01, 0x3c01, 0xbc02}, 0x0010}, // 2^-20: one rounding
      {"fma.rn.relu.f16 h0, h1, h2, h3;", {0x3c00, 0xc000, 0x3c00}, 0},
      {"add.f16x2 r0, r1, r2;", {0x3c004000, 0x3c004000}, 0x40004400},
      {"fma.rn.f16x2 r0, r1, r2, r3;", {0x3c004000, 0x40003c00, 0x00003c00}, 0x40004200},
      {"neg.f16 h0, h1;", {0x3c00}, 0xbc00},
      {"neg.f16x2 r0, r1;", {0x3c00bc00}, 0xbc003c00},
      {"abs.f16 h0, h1;", {0xbc00}, 0x3c00},
      {"abs.bf16x2 r0, r1;", {0xbf80bf80}, 0x3f803f80},
      {"min.f16 h0, h1, h2;", {0x7e00, 0x3c00}, 0x3c00},
      {"max.NaN.f16 h0, h1, h2;", {0x7e00, 0x3c00}, 0x7fff},
      {"max.bf16 h0, h1, h2;", {0xbf80, 0x3f80}, 0x3f80},
      {"min.bf16x2 r0, r1, r2;", {0xbf803f80, 0x3f80bf80}, 0xbf80bf80},
      {"add.bf16 h0, h1, h2;", {0x3f80, 0x3b80}, 0x3f80}, // 1 + 2^-8: a tie to even
      {"add.bf16 h0, h1, h2;", {0x3f81, 0x3b80}, 0x3f82},
      {"mul.bf16 h0, h1, h2;", {0x4040, 0x4040}, 0x4110},
      {"sub.bf16x2 r0, r1, r2;", {0x40003f80, 0x3f803f80}, 0x3f800000},
      {"fma.rn.bf16 h0, h1, h2, h3;", {0x3f80, 0x3f80, 0x0001}, 0x3f80},
      {"fma.rn.bf16x2 r0, r1, r2, r3;", {0x40003f80, 0x40004000, 0x3f803f80}, 0x40a04040},
      {"fma.rn.relu.bf16 h0, h1, h2, h3;", {0xbf80, 0x3f80, 0}, 0},
      {"ex2.approx.f16 h0, h1;", {0x4200}, 0x4800},
      {"ex2.approx.ftz.bf16 h0, h1;", {0x4000}, 0x4080},
      {"tanh.approx.f16 h0, h1;", {0x7c00}, 0x3c00},
      {"tanh.approx.bf16x2 r0, r1;", {0x7f80ff80}, 0x3f80bf80},
  });
}
