//===- ConversionInstructionsTest.cpp - Comparisons, selections and conversions -===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionTest.h"

#include <cmath>

using namespace nova::emulator;

static constexpr uint64_t kNan = 0x7fffffff, kInf = 0x7f800000, kTiny = 1;

TEST(ConversionInstructions, Comparisons) {
  expectRows({
      {"setp.eq.s32 p0, r1, r2;", {5, 5}, 1},
      {"setp.ne.b32 p0, r1, r2;", {5, 5}, 0},
      {"setp.lt.s32 p0, r1, r2;", {0xffffffff, 0}, 1},
      {"setp.lt.u32 p0, r1, r2;", {0xffffffff, 0}, 0},
      {"setp.lo.u32 p0, r1, r2;", {1, 2}, 1},
      {"setp.ls.u32 p0, r1, r2;", {2, 2}, 1},
      {"setp.hi.u32 p0, r1, r2;", {2, 2}, 0},
      {"setp.hs.u32 p0, r1, r2;", {2, 2}, 1},
      {"setp.le.s16 p0, h1, h2;", {0x8000, 0}, 1},
      {"setp.gt.u16 p0, h1, h2;", {0x8000, 0}, 1},
      {"setp.ge.s64 p0, d1, d2;", {0x8000000000000000, 0}, 0},
      {"setp.ge.u64 p0, d1, d2;", {0x8000000000000000, 0}, 1},
      {"setp.eq.b64 p0, d1, d2;", {1, 1}, 1},
      {"setp.eq.f32 p0, r1, r2;", {0, 0x80000000}, 1},
      {"setp.eq.f32 p0, r1, r2;", {kNan, kNan}, 0},
      {"setp.ne.f32 p0, r1, r2;", {kNan, 0}, 0}, // false for NaN
      {"setp.neu.f32 p0, r1, r2;", {kNan, 0}, 1},
      {"setp.equ.f32 p0, r1, r2;", {kNan, 0}, 1},
      {"setp.lt.f32 p0, r1, r2;", {kNan, 0}, 0},
      {"setp.ltu.f32 p0, r1, r2;", {kNan, 0}, 1},
      {"setp.leu.f32 p0, r1, r2;", {bits(1.0f), bits(2.0f)}, 1},
      {"setp.gtu.f32 p0, r1, r2;", {bits(1.0f), bits(2.0f)}, 0},
      {"setp.geu.f32 p0, r1, r2;", {bits(1.0f), kNan}, 1},
      {"setp.num.f32 p0, r1, r2;", {0, 0}, 1},
      {"setp.num.f32 p0, r1, r2;", {0, kNan}, 0},
      {"setp.nan.f32 p0, r1, r2;", {kNan, 0}, 1},
      {"setp.gt.f32 p0, r1, r2;", {kTiny, 0}, 1},
      {"setp.gt.ftz.f32 p0, r1, r2;", {kTiny, 0}, 0},
      {"setp.le.f64 p0, d1, d2;", {bits(1.0), bits(1.0)}, 1},
      {"setp.lt.f16 p0, h1, h2;", {0xbc00, 0x3c00}, 1},
      {"setp.gt.bf16 p0, h1, h2;", {0x3f80, 0xbf80}, 1},
      {"setp.eq.f16x2 p9|p0, r1, r2;", {0x3c000000, 0x3c003c00}, 1},
      {"setp.eq.f16x2 p0|p9, r1, r2;", {0x3c000000, 0x3c003c00}, 0},
      {"setp.lt.and.s32 p0, r1, r2, p3;", {1, 2, 0}, 0},
      {"setp.lt.or.s32 p0, r1, r2, !p3;", {2, 1, 0}, 1},
      {"setp.lt.xor.s32 p0, r1, r2, p3;", {1, 2, 1}, 0},
      {"setp.lt.s32 p9|p0, r1, r2;", {1, 2}, 0},
      {"setp.lt.and.s32 p9|p0, r1, r2, p3;", {2, 1, 1}, 1},
      {"set.lt.u32.s32 r0, r1, r2;", {1, 2}, 0xffffffff},
      {"set.lt.f32.f32 r0, r1, r2;", {bits(1.0f), bits(2.0f)}, bits(1.0f)},
      {"set.gt.and.s32.f64 r0, d1, d2, p3;", {bits(2.0), bits(1.0), 0}, 0},
  });
}

TEST(ConversionInstructions, SelectionsAndMoves) {
  expectRows({
      {"selp.b32 r0, r1, r2, p3;", {1, 2, 1}, 1},
      {"selp.b32 r0, r1, r2, !p3;", {1, 2, 1}, 2},
      {"selp.f64 d0, d1, d2, p3;", {1, 2, 0}, 2},
      {"selp.b16 h0, h1, h2, p3;", {1, 2, 0}, 2},
      {"slct.s32.s32 r0, r1, r2, r3;", {1, 2, 0xffffffff}, 2},
      {"slct.u64.s32 d0, d1, d2, r3;", {1, 2, 0}, 1},
      {"slct.f32.f32 r0, r1, r2, r3;", {1, 2, 0x80000000}, 1}, // -0 is not negative
      {"slct.f32.f32 r0, r1, r2, r3;", {1, 2, kNan}, 2},
      {"slct.ftz.f32.f32 r0, r1, r2, r3;", {1, 2, 0x80000001}, 1},
      {"mov.b32 r0, {h1, h2};", {0x1111, 0x2222}, 0x22221111},
      {"mov.b32 {h9, h0}, r1;", {0x22221111}, 0x2222},
      {"mov.b64 d0, {r1, r2};", {1, 2}, 0x200000001},
      {"mov.b64 {r0, _}, d1;", {0x200000001}, 1},
      {"mov.b64 d0, {h1, h2, h3, h4};", {1, 2, 3, 4}, 0x0004000300020001},
      {"mov.b64 {h9, h8, h0, h7}, d1;", {0x0004000300020001}, 3},
      {"mov.b32 r0, 0f3F800000;", {}, 0x3f800000},
      {"mov.f32 r0, 1.5;", {}, bits(1.5f)},
      {"mov.f64 d0, -0d3FF0000000000000;", {}, bits(-1.0)},
      {"mov.u32 r0, WARP_SZ;", {}, 32},
      {"mov.s32 r0, -(3 + 4 * 2);", {}, 0xfffffff5},
      {"mov.u32 r0, %ntid.x;", {}, 32},
      {"mov.u32 r0, %nctaid.y;", {}, 1},
      {"mov.u32 r0, %nwarpid;", {}, 1},
  });
}

TEST(ConversionInstructions, Integers) {
  expectRows({
      {"cvt.u64.u32 d0, r1;", {0xffffffff}, 0xffffffff},
      {"cvt.s64.s32 d0, r1;", {0xffffffff}, 0xffffffffffffffff},
      {"cvt.u32.u64 r0, d1;", {0x123456789abcdef0}, 0x9abcdef0},
      {"cvt.s32.s8 r0, r1;", {0x80}, 0xffffff80},
      {"cvt.u32.u8 r0, r1;", {0x1ff}, 0xff},
      {"cvt.s16.s32 h0, r1;", {0x18000}, 0x8000},
      {"cvt.u16.u32 h0, r1;", {0x12345}, 0x2345},
      {"cvt.s64.s16 d0, h1;", {0x8000}, 0xffffffffffff8000},
      {"cvt.s8.s32 r0, r1;", {0x17f}, 0x7f},
      {"cvt.sat.s8.s32 r0, r1;", {0x17f}, 0x7f},
      {"cvt.sat.s8.s32 r0, r1;", {0xfffffe00}, 0xffffff80},
      {"cvt.sat.u8.s32 r0, r1;", {0xffffffff}, 0},
      {"cvt.sat.u16.u32 h0, r1;", {0x12345}, 0xffff},
      {"cvt.sat.s32.u32 r0, r1;", {0xffffffff}, 0x7fffffff},
      {"cvt.sat.u32.s64 r0, d1;", {0xffffffffffffffff}, 0},
      {"cvt.pack.sat.u16.s32 r0, r1, r2;", {0x12345, 0xffffffff}, 0xffff0000},
      {"cvt.pack.sat.s8.s32.b32 r0, r1, r2, r3;", {1000, 0xfffffc00, 0xabcd1234}, 0x12347f80},
  });
}

TEST(ConversionInstructions, FloatsToIntegers) {
  expectRows({
      {"cvt.rni.s32.f32 r0, r1;", {bits(2.5f)}, 2},
      {"cvt.rni.s32.f32 r0, r1;", {bits(-3.5f)}, 0xfffffffc},
      {"cvt.rzi.s32.f32 r0, r1;", {bits(-2.7f)}, 0xfffffffe},
      {"cvt.rmi.s32.f32 r0, r1;", {bits(-2.1f)}, 0xfffffffd},
      {"cvt.rpi.s32.f32 r0, r1;", {bits(2.1f)}, 3},
      {"cvt.rzi.s32.f32 r0, r1;", {bits(3e9f)}, 0x7fffffff},
      {"cvt.rzi.s32.f32 r0, r1;", {bits(-3e9f)}, 0x80000000},
      {"cvt.rzi.s32.f32 r0, r1;", {kNan}, 0},
      {"cvt.rzi.u32.f32 r0, r1;", {bits(-1.0f)}, 0},
      {"cvt.rzi.u32.f32 r0, r1;", {kInf}, 0xffffffff},
      {"cvt.rzi.s64.f32 d0, r1;", {kNan}, 0x8000000000000000},
      {"cvt.rzi.u64.f64 d0, d1;", {bits(0x1p70)}, 0xffffffffffffffff},
      {"cvt.rzi.s32.f64 r0, d1;", {bits(std::nan(""))}, 0x80000000},
      {"cvt.rzi.s64.f64 d0, d1;", {bits(-0x1p63)}, 0x8000000000000000},
      {"cvt.rni.s16.f32 h0, r1;", {bits(40000.0f)}, 0x7fff},
      {"cvt.rzi.u8.f32 r0, r1;", {bits(300.0f)}, 255},
      {"cvt.rpi.ftz.s32.f32 r0, r1;", {kTiny}, 0},
      {"cvt.rpi.s32.f32 r0, r1;", {kTiny}, 1},
      {"cvt.rni.s32.f16 r0, h1;", {0x4100}, 2},
      {"cvt.rni.f32.f32 r0, r1;", {bits(2.5f)}, bits(2.0f)},
      {"cvt.rmi.f32.f32 r0, r1;", {bits(-0.5f)}, bits(-1.0f)},
      {"cvt.rpi.f32.f32 r0, r1;", {bits(-0.5f)}, 0x80000000},
      {"cvt.rzi.f64.f64 d0, d1;", {bits(-2.5)}, bits(-2.0)},
  });
}

TEST(ConversionInstructions, IntegersToFloats) {
  expectRows({
      {"cvt.rn.f32.s32 r0, r1;", {0xffffffff}, bits(-1.0f)},
      {"cvt.rn.f32.u32 r0, r1;", {0xffffffff}, bits(4294967296.0f)},
      {"cvt.rz.f32.u32 r0, r1;", {0xffffffff}, 0x4f7fffff},
      {"cvt.rp.f32.s32 r0, r1;", {0x1000001}, 0x4b800001},
      {"cvt.rm.f32.s32 r0, r1;", {0xfeffffff}, 0xcb800001},
      {"cvt.rn.f32.s64 r0, d1;", {0x7fffffffffffffff}, bits(0x1p63f)},
      {"cvt.rz.f32.s64 r0, d1;", {0x7fffffffffffffff}, 0x5effffff},
      {"cvt.rn.f32.u64 r0, d1;", {0x8000008000000001}, 0x5f000001}, // just above a tie
      {"cvt.rn.f64.s32 d0, r1;", {0x80000000}, bits(-0x1p31)},
      {"cvt.rn.f64.u64 d0, d1;", {0xffffffffffffffff}, bits(0x1p64)},
      {"cvt.rz.f64.u64 d0, d1;", {0xffffffffffffffff}, bits(0x1.fffffffffffffp63)},
      {"cvt.rn.f16.s32 h0, r1;", {0x10000}, 0x7c00},
      {"cvt.rz.f16.s32 h0, r1;", {0x10000}, 0x7bff},
      {"cvt.rn.f16.u16 h0, h1;", {2049}, 0x6800},
  });
}

TEST(ConversionInstructions, FloatsToFloats) {
  expectRows({
      {"cvt.f64.f32 d0, r1;", {bits(1.5f)}, bits(1.5)},
      {"cvt.rn.f32.f64 r0, d1;", {bits(0x1.000001p0)}, bits(1.0f)},
      {"cvt.rp.f32.f64 r0, d1;", {bits(0x1.000001p0)}, bits(0x1.000002p0f)},
      {"cvt.rn.f32.f64 r0, d1;", {bits(1e300)}, kInf},
      {"cvt.rz.f32.f64 r0, d1;", {bits(1e300)}, 0x7f7fffff},
      {"cvt.rn.f32.f64 r0, d1;", {bits(std::nan(""))}, kNan},
      {"cvt.rn.ftz.f32.f64 r0, d1;", {bits(0x1p-140)}, 0},
      {"cvt.rn.f32.f64 r0, d1;", {bits(0x1p-140)}, 0x200},
      {"cvt.sat.f32.f32 r0, r1;", {bits(2.0f)}, bits(1.0f)},
      {"cvt.sat.f32.f32 r0, r1;", {kNan}, 0},
      {"cvt.ftz.f32.f32 r0, r1;", {kTiny}, 0},
      {"cvt.f32.f16 r0, h1;", {0x0001}, bits(0x1p-24f)},
      {"cvt.f32.f16 r0, h1;", {0x7e01}, kNan},
      {"cvt.f32.f16 r0, h1;", {0xfc00}, 0xff800000},
      {"cvt.f64.f16 d0, h1;", {0x3e00}, bits(1.5)},
      {"cvt.f32.bf16 r0, h1;", {0x3fc0}, bits(1.5f)},
      {"cvt.rn.f16.f32 h0, r1;", {bits(65520.0f)}, 0x7c00},
      {"cvt.rn.f16.f32 h0, r1;", {bits(65519.0f)}, 0x7bff},
      {"cvt.rn.f16.f32 h0, r1;", {bits(0x1p-25f)}, 0},
      {"cvt.rn.f16.f32 h0, r1;", {bits(0x1.8p-25f)}, 1},
      {"cvt.rz.f16.f32 h0, r1;", {bits(65520.0f)}, 0x7bff},
      {"cvt.rp.f16.f32 h0, r1;", {bits(0x1p-30f)}, 1},
      {"cvt.rm.f16.f32 h0, r1;", {bits(0x1p-30f)}, 0},
      {"cvt.rn.f16.f64 h0, d1;", {bits(0x1.0020000000001p0)}, 0x3c01}, // one rounding, not by way of f32
      {"cvt.rn.bf16.f32 h0, r1;", {bits(0x1.01p0f)}, 0x3f80},
      {"cvt.rn.bf16.f32 h0, r1;", {bits(0x1.03p0f)}, 0x3f82},
      {"cvt.rn.bf16.f32 h0, r1;", {kNan}, 0x7fff},
      {"cvt.rz.bf16.f32 h0, r1;", {bits(0x1.ffp0f)}, 0x3fff},
      {"cvt.rn.relu.bf16.f32 h0, r1;", {bits(-1.0f)}, 0},
      {"cvt.rn.f16x2.f32 r0, r1, r2;", {bits(1.0f), bits(2.0f)}, 0x3c004000},
      {"cvt.rn.bf16x2.f32 r0, r1, r2;", {bits(1.0f), bits(2.0f)}, 0x3f804000},
      {"cvt.rz.bf16x2.f32 r0, r1, r2;", {bits(0x1.ffp0f), bits(2.0f)}, 0x3fff4000},
      {"cvt.rn.relu.f16x2.f32 r0, r1, r2;", {bits(-1.0f), bits(2.0f)}, 0x00004000},
      {"cvt.rna.tf32.f32 r0, r1;", {0x3f801000}, 0x3f802000}, // a tie goes away from zero
      {"cvt.rna.tf32.f32 r0, r1;", {0xbf800fff}, 0xbf800000},
      {"cvt.rn.tf32.f32 r0, r1;", {0x3f801000}, 0x3f800000},
      {"cvt.rn.satfinite.e4m3x2.f32 h0, r1, r2;", {bits(1.0f), bits(1000.0f)}, 0x387e},
      {"cvt.rn.satfinite.e4m3x2.f32 h0, r1, r2;", {kNan, bits(-0.0f)}, 0x7f80},
      {"cvt.rn.satfinite.e5m2x2.f32 h0, r1, r2;", {bits(1.0f), bits(1e9f)}, 0x3c7b},
      {"cvt.rn.satfinite.relu.e4m3x2.f32 h0, r1, r2;", {bits(-1.0f), bits(2.0f)}, 0x0040},
      {"cvt.rn.satfinite.e4m3x2.f16x2 h0, r1;", {0x3c004000}, 0x3840},
      {"cvt.rn.f16x2.e4m3x2 r0, h1;", {0x3840}, 0x3c004000},
      {"cvt.rn.f16x2.e4m3x2 r0, h1;", {0x7f01}, 0x7fff1800},
      {"cvt.rn.f16x2.e5m2x2 r0, h1;", {0x7c3c}, 0x7c003c00},
  });
}
