//===- IntegerInstructionsTest.cpp - Integer instructions -----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionTest.h"

using namespace nova::emulator;

static constexpr uint64_t kMin32 = 0x80000000, kMax32 = 0x7fffffff, kOnes32 = 0xffffffff;
static constexpr uint64_t kMin64 = 0x8000000000000000, kMax64 = 0x7fffffffffffffff, kOnes64 = ~uint64_t(0);

TEST(IntegerInstructions, AddAndSubtract) {
  expectRows({
      {"add.s32 r0, r1, r2;", {kMax32, 1}, kMin32},
      {"add.u32 r0, r1, r2;", {kOnes32, 1}, 0},
      {"add.s16 h0, h1, h2;", {0x7fff, 1}, 0x8000},
      {"add.u16 h0, h1, h2;", {0xffff, 2}, 1},
      {"add.s64 d0, d1, d2;", {kMax64, 1}, kMin64},
      {"add.u64 d0, d1, d2;", {kOnes64, 1}, 0},
      {"add.sat.s32 r0, r1, r2;", {kMax32, 1}, kMax32},
      {"add.sat.s32 r0, r1, r2;", {kMin32, kOnes32}, kMin32},
      {"add.u16x2 r0, r1, r2;", {0xffff0001, 0x0001ffff}, 0},
      {"add.s16x2 r0, r1, r2;", {0x7fff8000, 0x0001ffff}, 0x80007fff},
      {"sub.s32 r0, r1, r2;", {kMin32, 1}, kMax32},
      {"sub.u16 h0, h1, h2;", {0, 1}, 0xffff},
      {"sub.s64 d0, d1, d2;", {kMin64, 1}, kMax64},
      {"sub.sat.s32 r0, r1, r2;", {kMin32, 1}, kMin32},
      {"sub.sat.s32 r0, r1, r2;", {kMax32, kOnes32}, kMax32},
  });
}

TEST(IntegerInstructions, Multiply) {
  expectRows({
      {"mul.lo.s32 r0, r1, r2;", {0x10001, 0x10001}, 0x20001},
      {"mul.lo.u16 h0, h1, h2;", {0xffff, 0xffff}, 1},
      {"mul.lo.s64 d0, d1, d2;", {kMin64, 3}, kMin64},
      {"mul.hi.s32 r0, r1, r2;", {kMin32, kMin32}, 0x40000000},
      {"mul.hi.s32 r0, r1, r2;", {kOnes32, 1}, kOnes32},
      {"mul.hi.u32 r0, r1, r2;", {kOnes32, kOnes32}, 0xfffffffe},
      {"mul.hi.s64 d0, d1, d2;", {kOnes64, 1}, kOnes64},
      {"mul.hi.u64 d0, d1, d2;", {kOnes64, kOnes64}, 0xfffffffffffffffe},
      {"mul.hi.s16 h0, h1, h2;", {0x8000, 0x8000}, 0x4000},
      {"mul.hi.u16 h0, h1, h2;", {0xffff, 0xffff}, 0xfffe},
      {"mul.wide.s32 d0, r1, r2;", {kOnes32, kMax32}, 0xffffffff80000001},
      {"mul.wide.u32 d0, r1, r2;", {kOnes32, kOnes32}, 0xfffffffe00000001},
      {"mul.wide.s16 r0, h1, h2;", {0x8000, 0x7fff}, 0xc0008000},
      {"mul.wide.u16 r0, h1, h2;", {0xffff, 0xffff}, 0xfffe0001},
      {"mad.lo.s32 r0, r1, r2, r3;", {kMax32, 2, 3}, 1},
      {"mad.lo.u16 h0, h1, h2, h3;", {0x100, 0x100, 7}, 7},
      {"mad.lo.s64 d0, d1, d2, d3;", {kOnes64, 5, 6}, 1},
      {"mad.hi.s32 r0, r1, r2, r3;", {kMin32, kMin32, 0xc0000000}, 0},
      {"mad.hi.u32 r0, r1, r2, r3;", {kOnes32, kOnes32, 3}, 1},
      {"mad.hi.sat.s32 r0, r1, r2, r3;", {kMax32, kMax32, kMax32}, kMax32},
      {"mad.wide.s32 d0, r1, r2, d3;", {kOnes32, 1, 1}, 0},
      {"mad.wide.u32 d0, r1, r2, d3;", {kOnes32, kOnes32, 1}, 0xfffffffe00000002},
      {"mad.wide.u16 r0, h1, h2, r3;", {0xffff, 0xffff, 0x1ffff}, 0},
      {"mul24.lo.s32 r0, r1, r2;", {0xff800000, 2}, 0xff000000},
      {"mul24.lo.u32 r0, r1, r2;", {0xff800000, 2}, 0x01000000},
      {"mul24.hi.u32 r0, r1, r2;", {0xffffff, 0xffffff}, 0xfffffe00},
      {"mad24.lo.s32 r0, r1, r2, r3;", {0xffffff, 5, 6}, 1},
      {"sad.s32 r0, r1, r2, r3;", {kOnes32, 1, 10}, 12},
      {"sad.u32 r0, r1, r2, r3;", {1, 5, 10}, 14},
      {"sad.u16 h0, h1, h2, h3;", {9, 2, 1}, 8},
      {"sad.s64 d0, d1, d2, d3;", {kOnes64, 1, 0}, 2},
  });
}

TEST(IntegerInstructions, DivideAndRemainder) {
  expectRows({
      {"div.s32 r0, r1, r2;", {0xfffffff9, 2}, 0xfffffffd}, // -7 / 2
      {"div.s32 r0, r1, r2;", {kMin32, kOnes32}, kMin32},
      {"div.u32 r0, r1, r2;", {kOnes32, 2}, kMax32},
      {"div.u32 r0, r1, r2;", {5, 0}, kOnes32},
      {"div.s64 d0, d1, d2;", {kMin64, kOnes64}, kMin64},
      {"div.u64 d0, d1, d2;", {kOnes64, 10}, 0x1999999999999999},
      {"div.s16 h0, h1, h2;", {0xfff9, 2}, 0xfffd},
      {"rem.s32 r0, r1, r2;", {0xfffffff9, 2}, kOnes32},
      {"rem.s32 r0, r1, r2;", {7, 0xfffffffe}, 1},
      {"rem.s32 r0, r1, r2;", {kMin32, kOnes32}, 0},
      {"rem.u32 r0, r1, r2;", {kOnes32, 10}, 5},
      {"rem.u64 d0, d1, d2;", {kOnes64, 10}, 5},
      {"rem.u16 h0, h1, h2;", {0xffff, 10}, 5},
  });
}

TEST(IntegerInstructions, SignsAndOrder) {
  expectRows({
      {"abs.s32 r0, r1;", {kOnes32}, 1},
      {"abs.s32 r0, r1;", {kMin32}, kMin32},
      {"abs.s16 h0, h1;", {0x8001}, 0x7fff},
      {"abs.s64 d0, d1;", {kMin64 + 1}, kMax64},
      {"neg.s32 r0, r1;", {kMin32}, kMin32},
      {"neg.s16 h0, h1;", {1}, 0xffff},
      {"neg.s64 d0, d1;", {1}, kOnes64},
      {"min.s32 r0, r1, r2;", {kMin32, 1}, kMin32},
      {"min.u32 r0, r1, r2;", {kMin32, 1}, 1},
      {"min.s16 h0, h1, h2;", {0x8000, 1}, 0x8000},
      {"min.u16 h0, h1, h2;", {0x8000, 1}, 1},
      {"min.s64 d0, d1, d2;", {kOnes64, 1}, kOnes64},
      {"min.u64 d0, d1, d2;", {kOnes64, 1}, 1},
      {"max.s32 r0, r1, r2;", {kMin32, 1}, 1},
      {"max.u32 r0, r1, r2;", {kMin32, 1}, kMin32},
      {"max.s64 d0, d1, d2;", {kOnes64, 1}, 1},
      {"max.u64 d0, d1, d2;", {kOnes64, 1}, kOnes64},
      {"min.relu.s32 r0, r1, r2;", {kOnes32, 1}, 0},
      {"max.relu.s32 r0, r1, r2;", {kOnes32, 0xfffffff0}, 0},
      {"min.s16x2 r0, r1, r2;", {0x8000ffff, 0x00010001}, 0x8000ffff},
      {"max.u16x2 r0, r1, r2;", {0x8000ffff, 0x00010001}, 0x8000ffff},
      {"max.relu.s16x2 r0, r1, r2;", {0x80007fff, 0xffff0001}, 0x00007fff},
  });
}

TEST(IntegerInstructions, Carries) {
  // The second instruction sees the carry of the first.
  expectRows({
      {"add.cc.u32 r9, r1, r2; addc.u32 r0, r3, r4;", {kOnes32, 1, 0, 0}, 1},
      {"add.cc.u32 r9, r1, r2; addc.u32 r0, r3, r4;", {1, 1, 5, 6}, 11},
      {"add.cc.s64 d9, d1, d2; addc.s64 d0, d3, d4;", {kOnes64, 1, 2, 3}, 6},
      {"add.cc.u32 r9, r1, r2; addc.cc.u32 r8, r3, r4; addc.u32 r0, r5, r6;", {kOnes32, 1, kOnes32, 0, 1, 1}, 3},
      {"sub.cc.u32 r9, r1, r2; subc.u32 r0, r3, r4;", {0, 1, 5, 0}, 4},
      {"sub.cc.u32 r9, r1, r2; subc.cc.u32 r8, r3, r4; subc.u32 r0, r5, r6;", {0, 1, 0, 0, 7, 1}, 5},
      {"mad.lo.cc.u32 r9, r1, r2, r3; madc.hi.u32 r0, r1, r2, r4;", {kOnes32, kOnes32, kOnes32, 1}, 0},
      {"mad.hi.cc.u32 r9, r1, r2, r3; addc.u32 r0, r4, 0;", {kOnes32, kOnes32, 2, 0}, 1},
      {"add.cc.u32 r9, r1, r2; madc.lo.u32 r0, r3, r4, r5;", {kOnes32, 1, 2, 3, 4}, 11},
  });
}

TEST(IntegerInstructions, LogicAndShifts) {
  expectRows({
      {"and.b32 r0, r1, r2;", {0xff00ff00, 0x0ff00ff0}, 0x0f000f00},
      {"and.b16 h0, h1, h2;", {0xff00, 0x0ff0}, 0x0f00},
      {"and.b64 d0, d1, d2;", {kOnes64, 0x123456789abcdef0}, 0x123456789abcdef0},
      {"or.b32 r0, r1, r2;", {0xf0, 0x0f}, 0xff},
      {"or.b64 d0, d1, d2;", {kMin64, 1}, kMin64 + 1},
      {"xor.b32 r0, r1, r2;", {kOnes32, 0x0f0f0f0f}, 0xf0f0f0f0},
      {"xor.b16 h0, h1, h2;", {0xffff, 1}, 0xfffe},
      {"not.b32 r0, r1;", {0}, kOnes32},
      {"not.b16 h0, h1;", {0xff}, 0xff00},
      {"not.b64 d0, d1;", {1}, 0xfffffffffffffffe},
      {"cnot.b32 r0, r1;", {0}, 1},
      {"cnot.b32 r0, r1;", {kMin32}, 0},
      {"and.pred p0, p1, p2;", {1, 0}, 0},
      {"or.pred p0, p1, p2;", {1, 0}, 1},
      {"xor.pred p0, p1, p2;", {1, 1}, 0},
      {"not.pred p0, p1;", {0}, 1},
      {"mov.pred p0, 1;", {}, 1},
      {"shl.b32 r0, r1, r2;", {1, 31}, kMin32},
      {"shl.b32 r0, r1, r2;", {1, 32}, 0},
      {"shl.b32 r0, r1, r2;", {1, kOnes32}, 0},
      {"shl.b16 h0, h1, r2;", {1, 16}, 0},
      {"shl.b64 d0, d1, r2;", {1, 63}, kMin64},
      {"shl.b64 d0, d1, r2;", {1, 64}, 0},
      {"shr.u32 r0, r1, r2;", {kMin32, 31}, 1},
      {"shr.u32 r0, r1, r2;", {kMin32, 32}, 0},
      {"shr.s32 r0, r1, r2;", {kMin32, 32}, kOnes32},
      {"shr.s32 r0, r1, r2;", {kMax32, 40}, 0},
      {"shr.b32 r0, r1, r2;", {kMin32, 4}, 0x08000000},
      {"shr.s16 h0, h1, r2;", {0x8000, 20}, 0xffff},
      {"shr.u16 h0, h1, r2;", {0x8000, 15}, 1},
      {"shr.s64 d0, d1, r2;", {kMin64, 200}, kOnes64},
      {"shr.u64 d0, d1, r2;", {kMin64, 63}, 1},
      {"shf.l.wrap.b32 r0, r1, r2, r3;", {0x80000000, 1, 33}, 3},
      {"shf.l.clamp.b32 r0, r1, r2, r3;", {0x12345678, 1, 33}, 0x12345678},
      {"shf.r.wrap.b32 r0, r1, r2, r3;", {2, 1, 33}, 0x80000001},
      {"shf.r.clamp.b32 r0, r1, r2, r3;", {2, 0x1234, 99}, 0x1234},
      {"shf.r.clamp.b32 r0, r1, r2, r3;", {2, 1, 0}, 2},
  });
}

TEST(IntegerInstructions, BitFields) {
  expectRows({
      {"popc.b32 r0, r1;", {kOnes32}, 32},
      {"popc.b64 r0, d1;", {kMin64 + 1}, 2},
      {"clz.b32 r0, r1;", {0}, 32},
      {"clz.b32 r0, r1;", {1}, 31},
      {"clz.b64 r0, d1;", {0}, 64},
      {"clz.b64 r0, d1;", {kMin64}, 0},
      {"brev.b32 r0, r1;", {1}, kMin32},
      {"brev.b64 d0, d1;", {2}, 0x4000000000000000},
      {"bfind.u32 r0, r1;", {0}, kOnes32},
      {"bfind.u32 r0, r1;", {0x8000}, 15},
      {"bfind.s32 r0, r1;", {kOnes32}, kOnes32},
      {"bfind.s32 r0, r1;", {0xfffffffe}, 0},
      {"bfind.s64 r0, d1;", {0xffff0000ffffffff}, 47},
      {"bfind.u64 r0, d1;", {kMin64}, 63},
      {"bfind.shiftamt.u32 r0, r1;", {1}, 31},
      {"bfind.shiftamt.u64 r0, d1;", {1}, 63},
      {"bfe.u32 r0, r1, r2, r3;", {0x12345678, 8, 8}, 0x56},
      {"bfe.u32 r0, r1, r2, r3;", {0x12345678, 28, 16}, 1},
      {"bfe.u32 r0, r1, r2, r3;", {kOnes32, 5, 0}, 0},
      {"bfe.u32 r0, r1, r2, r3;", {kOnes32, 0, 32}, kOnes32},
      {"bfe.s32 r0, r1, r2, r3;", {0x00000080, 4, 4}, 0xfffffff8},
      {"bfe.s32 r0, r1, r2, r3;", {kMin32, 40, 4}, kOnes32},
      {"bfe.s32 r0, r1, r2, r3;", {0x80000000, 31, 8}, kOnes32},
      {"bfe.s64 d0, d1, r2, r3;", {0x80, 4, 4}, 0xfffffffffffffff8},
      {"bfe.u64 d0, d1, r2, r3;", {kOnes64, 60, 10}, 15},
      {"bfe.u32 r0, r1, r2, r3;", {0x12345678, 0x108, 0x104}, 6}, // only 8 bits of position and length count
      {"bfi.b32 r0, r1, r2, r3, r4;", {0xff, 0, 4, 4}, 0xf0},
      {"bfi.b32 r0, r1, r2, r3, r4;", {0xff, 0x12345678, 28, 8}, 0xf2345678},
      {"bfi.b32 r0, r1, r2, r3, r4;", {0xff, 7, 32, 8}, 7},
      {"bfi.b64 d0, d1, d2, r3, r4;", {1, 0, 63, 1}, kMin64},
      {"bfi.b64 d0, d1, d2, r3, r4;", {5, kOnes64, 0, 64}, 5},
      {"bmsk.clamp.b32 r0, r1, r2;", {4, 8}, 0xff0},
      {"bmsk.clamp.b32 r0, r1, r2;", {28, 100}, 0xf0000000},
      {"bmsk.wrap.b32 r0, r1, r2;", {36, 36}, 0xf0},
      {"szext.clamp.s32 r0, r1, r2;", {0x80, 8}, 0xffffff80},
      {"szext.clamp.u32 r0, r1, r2;", {0xfff, 8}, 0xff},
      {"szext.wrap.u32 r0, r1, r2;", {0xfff, 40}, 0xff},
      {"fns.b32 r0, r1, r2, r3;", {0xaaaaaaaa, 3, 1}, 3},
      {"fns.b32 r0, r1, r2, r3;", {0xaaaaaaaa, 3, 2}, 5},
      {"fns.b32 r0, r1, r2, r3;", {0xaaaaaaaa, 3, 0xffffffff}, 3},
      {"fns.b32 r0, r1, r2, r3;", {0xaaaaaaaa, 31, 2}, kOnes32},
      {"fns.b32 r0, r1, r2, r3;", {0xaaaaaaaa, 2, 0}, kOnes32},
  });
}

TEST(IntegerInstructions, BytesAndTables) {
  expectRows({
      {"prmt.b32 r0, r1, r2, r3;", {0x33221100, 0x77665544, 0x7531}, 0x77553311},
      {"prmt.b32 r0, r1, r2, r3;", {0x000000f0, 0, 0x8888}, kOnes32},
      {"prmt.b32 r0, r1, r2, r3;", {0x00000070, 0, 0x8888}, 0},
      {"prmt.b32.f4e r0, r1, r2, r3;", {0x33221100, 0x77665544, 1}, 0x44332211},
      {"prmt.b32.b4e r0, r1, r2, r3;", {0x33221100, 0x77665544, 1}, 0x66770011},
      {"prmt.b32.rc8 r0, r1, r2, r3;", {0x33221100, 0, 2}, 0x22222222},
      {"prmt.b32.ecl r0, r1, r2, r3;", {0x33221100, 0, 1}, 0x33221111},
      {"prmt.b32.ecr r0, r1, r2, r3;", {0x33221100, 0, 1}, 0x11111100},
      {"prmt.b32.rc16 r0, r1, r2, r3;", {0x33221100, 0, 1}, 0x33223322},
      {"lop3.b32 r0, r1, r2, r3, 0x80;", {0xff, 0x0f, 0x3c}, 0x0c},
      {"lop3.b32 r0, r1, r2, r3, 0x96;", {0xff, 0x0f, 0x3c}, 0xcc},
      {"lop3.b32 r0, r1, r2, r3, 0xca;", {0xf0f0f0f0, 0x12345678, 0x9abcdef0}, 0x1a3c5e70},
      {"dp4a.s32.s32 r0, r1, r2, r3;", {0xff02fe01, 0x01010101, 10}, 10},
      {"dp4a.u32.u32 r0, r1, r2, r3;", {kOnes32, kOnes32, 0}, 260100},
      {"dp4a.u32.s32 r0, r1, r2, r3;", {0xff, 0xff, 0}, 0xffffff01},
      {"dp2a.lo.s32.s32 r0, r1, r2, r3;", {0x0002ffff, 0x04030201, 0}, 3},
      {"dp2a.hi.u32.u32 r0, r1, r2, r3;", {0x00020001, 0x04030201, 1}, 12},
  });
}
