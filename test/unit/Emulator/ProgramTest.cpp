//===- ProgramTest.cpp - Memory, control flow and lanes together ----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionTest.h"

using namespace nova::emulator;

static const char kShared[] = ".shared .align 16 .b8 s[4096];";
static const char kOwnOut[] = "mul.wide.u32 %d0, %tid, 4; add.s64 %d1, %out, %d0;\n";

/// What each thread stores of %r0, after a body.
static std::vector<uint32_t> perThread(const std::string &body, uint32_t threads = 32, const std::string &before = "") {
  noteTested(body);
  Ran ran = runPtx(kernelText(kOwnOut + body + "\nst.global.u32 [%d1], %r0;", before), {}, {threads}, threads);
  EXPECT_EQ(ran.error, "");
  for (const Finding &finding : ran.findings)
    ADD_FAILURE() << finding.message;
  ran.out.resize(threads);
  return ran.out;
}

TEST(Programs, LoadsExtendAndStoresTruncate) {
  std::string init = "mov.u32 %r5, s; st.shared.u32 [%r5], 0x80ff8081;\n";
  EXPECT_EQ(perThread(init + "ld.shared.s8 %r0, [%r5];", 1, kShared)[0], 0xffffff81u);
  EXPECT_EQ(perThread(init + "ld.shared.u8 %r0, [%r5+1];", 1, kShared)[0], 0x80u);
  EXPECT_EQ(perThread(init + "ld.shared.s16 %r0, [%r5+2];", 1, kShared)[0], 0xffff80ffu);
  EXPECT_EQ(perThread(init + "ld.shared.s32 %d5, [%r5]; shr.u64 %d5, %d5, 32; cvt.u32.u64 %r0, %d5;", 1, kShared)[0],
            0xffffffffu);
  EXPECT_EQ(perThread(init + "ld.shared.u32 %d5, [%r5]; shr.u64 %d5, %d5, 32; cvt.u32.u64 %r0, %d5;", 1, kShared)[0],
            0u);
  EXPECT_EQ(
      perThread(init + "mov.u32 %r6, 0x1234; st.shared.u8 [%r5+3], %r6; ld.shared.u32 %r0, [%r5];", 1, kShared)[0],
      0x34ff8081u);
}

TEST(Programs, VectorsOfEveryWidth) {
  EXPECT_EQ(perThread("mov.u32 %r5, s; st.shared.v4.u32 [%r5], {1, 2, 3, 4}; ld.shared.v2.u64 {%d5, %d6}, [%r5];\n"
                      "shr.u64 %d6, %d6, 32; cvt.u32.u64 %r0, %d6;",
                      1, kShared)[0],
            4u);
  EXPECT_EQ(
      perThread("mov.u32 %r5, s; st.shared.v2.u16 [%r5], {%h1, %h1}; st.shared.v4.b8 [%r5+4], {%h1, %h1, %h1, %h1};\n"
                "ld.shared.v2.b32 {_, %r0}, [%r5];",
                1, kShared)[0],
      0u);
}

TEST(Programs, GenericAddressesReachEverySpace) {
  std::string body =
      ".local .align 8 .b8 l[8]; mov.u64 %d2, s; cvta.shared.u64 %d3, %d2; st.u32 [%d3], 5;\n"
      "mov.u64 %d4, l; cvta.local.u64 %d5, %d4; st.u32 [%d5+4], 6; isspacep.shared %p0, %d3;\n"
      "isspacep.local %p1, %d5; and.pred %p0, %p0, %p1; ld.shared.u32 %r1, [s]; ld.local.u32 %r2, [l+4];\n"
      "add.s32 %r0, %r1, %r2; @!%p0 mov.u32 %r0, 0;\n"
      "cvta.to.shared.u64 %d6, %d3; setp.ne.u64 %p2, %d6, %d2; @%p2 mov.u32 %r0, 1;";
  EXPECT_EQ(perThread(body, 1, kShared)[0], 11u);
}

TEST(Programs, ConstantsAndGlobalsHaveTheirInitialValues) {
  std::string before = ".const .align 4 .b32 c[3] = {7, -1, 0x10};\n.global .align 8 .f64 g = 2.5;\n"
                       ".global .align 8 .u64 p[2] = {c, generic(g)+0};\n.global .b8 zeros[8];\n";
  EXPECT_EQ(perThread("ld.const.u32 %r0, [c+8];", 1, before)[0], 16u);
  EXPECT_EQ(perThread("ld.global.u64 %d5, [p]; ld.global.u32 %r0, [%d5];", 1, before)[0], 7u);
  EXPECT_EQ(perThread("ld.global.u64 %d5, [p+8]; ld.f64 %d6, [%d5]; cvt.rzi.u32.f64 %r0, %d6;", 1, before)[0], 2u);
  EXPECT_EQ(perThread("ld.global.u32 %r0, [zeros+4];", 1, before)[0], 0u);
}

TEST(Programs, DivergedLanesMeetAgain) {
  std::string body = "mov.u32 %r0, 0; and.b32 %r1, %tid, 1; setp.eq.u32 %p0, %r1, 0; @%p0 bra even;\n"
                     "add.s32 %r0, %r0, 100; bra join; even: add.s32 %r0, %r0, 200; join: activemask.b32 %r2;\n"
                     "setp.ne.u32 %p1, %r2, 0xffffffff; @%p1 mov.u32 %r0, 0;";
  auto out = perThread(body);
  EXPECT_EQ(out[0], 200u);
  EXPECT_EQ(out[31], 100u);
}

TEST(Programs, LoopsOfDifferentLength) {
  auto out = perThread("mov.u32 %r0, 0; mov.u32 %r1, 0;\nloop: setp.ge.u32 %p0, %r1, %tid; @%p0 bra done;\n"
                       "add.s32 %r0, %r0, %r1; add.s32 %r1, %r1, 1; bra loop; done:");
  EXPECT_EQ(out[31], 465u);
  EXPECT_EQ(out[0], 0u);
}

TEST(Programs, ALaneThatHoldsALockGetsItsTurn) {
  // Each lane takes the lock in turn, while the others of its warp spin.
  std::string body =
      "mov.u32 %r5, s; setp.eq.u32 %p1, %tid, 0; @%p1 st.volatile.shared.v2.u32 [%r5], {0, 0};\n"
      "bar.sync 0; mov.u32 %r6, 0;\nspin: atom.shared.cas.b32 %r1, [%r5], 0, 1; setp.ne.u32 %p0, %r1, 0;\n"
      "@%p0 bra spin; ld.volatile.shared.u32 %r0, [%r5+4]; add.s32 %r2, %r0, 1;\n"
      "st.volatile.shared.u32 [%r5+4], %r2; atom.shared.exch.b32 %r1, [%r5], 0;";
  auto out = perThread(body, 32, kShared);
  std::sort(out.begin(), out.end());
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i);
}

TEST(Programs, BranchesByIndex) {
  auto out = perThread("and.b32 %r1, %tid, 3;\nlist: .branchtargets a, b, c, a;\nbrx.idx %r1, list;\n"
                       "a: mov.u32 %r0, 10; bra end; b: mov.u32 %r0, 20; bra end; c: mov.u32 %r0, 30; end:");
  EXPECT_EQ(out[0], 10u);
  EXPECT_EQ(out[1], 20u);
  EXPECT_EQ(out[6], 30u);
  EXPECT_EQ(out[7], 10u);
}

TEST(Programs, EndsAndUniformBranches) {
  std::string before = ".func twice()\n{\nret.uni;\n}\n";
  noteTested("ret.uni;");
  auto out =
      perThread("mov.u32 %r0, 1; call twice; call.uni twice; bra.uni skip; mov.u32 %r0, 2; skip: bra over; over:\n"
                "list: .branchtargets here, there;\nbrx.idx.uni 1, list; here: mov.u32 %r0, 3; there:",
                32, before);
  EXPECT_EQ(out[31], 1u);
  // Those that leave store nothing.
  for (const char *end : {"exit;", "ret;"}) {
    out = perThread("mov.u32 %r0, 7; setp.gt.u32 %p0, %tid, 3; @%p0 " + std::string(end));
    EXPECT_EQ(out[3], 7u);
    EXPECT_EQ(out[4], 0u);
  }
  noteTested("trap;");
  EXPECT_TRUE(found(runPtx(kernelText("setp.eq.u32 %p0, %tid, 9; @%p0 trap;"), {}, {32}, 1), Finding::Kind::Trap,
                    "thread (9, 0, 0)"));
}

TEST(Programs, CallsWithParametersAndResults) {
  std::string before = ".func (.param .b32 result) twice(.param .b32 value)\n{\n.reg .b32 %a<3>;\n.reg .pred %q;\n"
                       "ld.param.u32 %a1, [value]; setp.gt.u32 %q, %a1, 15; @%q bra big; add.s32 %a2, %a1, %a1;\n"
                       "st.param.b32 [result], %a2; ret;\nbig: st.param.b32 [result], 99; ret;\n}\n"
                       ".func (.reg .b32 sum) add(.reg .b32 x, .reg .b32 y)\n{\nadd.s32 sum, x, y;\nret;\n}\n";
  std::string body = "{\n.param .b32 argument; .param .b32 got;\nst.param.b32 [argument], %tid;\n"
                     "call.uni (got), twice, (argument);\nld.param.b32 %r1, [got];\n}\ncall (%r0), add, (%r1, 1);";
  auto out = perThread(body, 32, before);
  EXPECT_EQ(out[3], 7u);
  EXPECT_EQ(out[20], 100u);
}

TEST(Programs, WhatLanesTellEachOther) {
  EXPECT_EQ(perThread("shfl.sync.bfly.b32 %r0, %tid, 5, 31, 0xffffffff;")[6], 3u);
  EXPECT_EQ(
      perThread(
          "shfl.sync.up.b32 %r0|%p0, %tid, 3, 0, 0xffffffff; selp.u32 %r1, 100, 0, %p0; add.s32 %r0, %r0, %r1;")[5],
      102u);
  EXPECT_EQ(
      perThread(
          "shfl.sync.up.b32 %r0|%p0, %tid, 3, 0, 0xffffffff; selp.u32 %r1, 100, 0, %p0; add.s32 %r0, %r0, %r1;")[2],
      2u);
  EXPECT_EQ(perThread("shfl.sync.down.b32 %r0, %tid, 4, 0x181f, 0xffffffff;")[6], 6u); // segments of 8
  EXPECT_EQ(perThread("shfl.sync.idx.b32 %r0, %tid, 3, 0x181f, 0xffffffff;")[13], 11u);
  EXPECT_EQ(perThread("shfl.bfly.b32 %r0, %tid, 1, 31;")[4], 5u);
  EXPECT_EQ(perThread("setp.lt.u32 %p0, %tid, 4; vote.sync.ballot.b32 %r0, %p0, 0xffffffff;")[9], 15u);
  EXPECT_EQ(perThread("setp.lt.u32 %p0, %tid, 4; vote.sync.any.pred %p1, %p0, 0xffffffff; selp.u32 %r0, 1, 0, %p1;")[9],
            1u);
  EXPECT_EQ(
      perThread("setp.lt.u32 %p0, %tid, 4; vote.sync.all.pred %p1, !%p0, 0xffffffff; selp.u32 %r0, 1, 0, %p1;")[9], 0u);
  EXPECT_EQ(
      perThread("setp.lt.u32 %p0, %tid, 40; vote.sync.uni.pred %p1, %p0, 0xffffffff; selp.u32 %r0, 1, 0, %p1;")[9], 1u);
  EXPECT_EQ(perThread("shr.u32 %r1, %tid, 3; match.any.sync.b32 %r0, %r1, 0xffffffff;")[9], 0xff00u);
  EXPECT_EQ(perThread("mov.u64 %d5, 4; match.all.sync.b64 %r0|%p0, %d5, 0xffffffff;")[0], 0xffffffffu);
  EXPECT_EQ(perThread("redux.sync.add.s32 %r0, %tid, 0xffffffff;")[0], 496u);
  EXPECT_EQ(perThread("sub.s32 %r1, %tid, 10; redux.sync.min.s32 %r0, %r1, 0xffffffff;")[0], 0xfffffff6u);
  EXPECT_EQ(perThread("sub.s32 %r1, %tid, 10; redux.sync.max.u32 %r0, %r1, 0xffffffff;")[0], 0xffffffffu);
  EXPECT_EQ(perThread("redux.sync.xor.b32 %r0, %tid, 0xffffffff;")[0], 0u);
  EXPECT_EQ(perThread("redux.sync.or.b32 %r0, %tid, 0xffffffff;")[0], 31u);
  EXPECT_EQ(perThread("redux.sync.and.b32 %r0, %tid, 0xffffffff;")[0], 0u);
  EXPECT_EQ(perThread("mov.u32 %r0, 0; elect.sync %r1|%p0, 0xffffffff; @%p0 add.s32 %r0, %r1, 7;")[0], 7u);
  EXPECT_EQ(perThread("mov.u32 %r0, %lanemask_lt;")[5], 31u);
  EXPECT_EQ(perThread("mov.u32 %r0, %lanemask_ge;")[31], 0x80000000u);
}

TEST(Programs, Atomics) {
  auto shared = [](const std::string &instruction) {
    Ran ran = runPtx(
        kernelText(
            "mov.u32 %r5, s; setp.eq.u32 %p1, %tid, 0; @%p1 st.shared.v4.u32 [%r5], {10, 0, 0, 0}; bar.sync 0;\n" +
                instruction + "\nbar.sync 0; ld.shared.u64 %d3, [%r5]; @%p1 st.global.u64 [%out], %d3;",
            kShared),
        {}, {32}, 2);
    EXPECT_TRUE(ran.error.empty() && ran.findings.empty()) << ran.error;
    return ran.out.empty() ? 0 : ran.out[0] | static_cast<uint64_t>(ran.out[1]) << 32;
  };
  EXPECT_EQ(shared("red.shared.add.u32 [%r5], 2;"), 74u);
  EXPECT_EQ(shared("atom.shared.add.u64 %d5, [%r5], 1;"), 42u);
  EXPECT_EQ(shared("atom.shared.min.s32 %r1, [%r5], -1;"), 0xffffffffu);
  EXPECT_EQ(shared("atom.shared.min.u32 %r1, [%r5], -1;"), 10u);
  EXPECT_EQ(shared("red.shared.max.u32 [%r5], %tid;"), 31u);
  EXPECT_EQ(shared("red.shared.and.b32 [%r5], 3;"), 2u);
  EXPECT_EQ(shared("red.shared.or.b32 [%r5], %tid;"), 31u);
  EXPECT_EQ(shared("red.shared.xor.b32 [%r5], %tid;"), 10u);
  EXPECT_EQ(shared("atom.shared.exch.b32 %r1, [%r5], 6;"), 6u);
  EXPECT_EQ(shared("atom.shared.cas.b32 %r1, [%r5], 10, 11;"), 11u);
  EXPECT_EQ(shared("atom.shared.inc.u32 %r1, [%r5], 12;"), 3u); // 11, 12, 0, 1, ...
  EXPECT_EQ(shared("atom.shared.dec.u32 %r1, [%r5], 12;"), 4u);
  EXPECT_EQ(shared("st.shared.u32 [%r5], 0; red.shared.add.f32 [%r5], 0f3F800000;"), 0x42000000u);
  EXPECT_EQ(shared("st.shared.u64 [%r5], 0; red.shared.add.f64 [%r5], 0d3FF0000000000000;"), 0x4040000000000000u);
  EXPECT_EQ(shared("st.shared.u32 [%r5], 0; mov.b32 %r6, 0x3c003c00; red.shared.add.noftz.f16x2 [%r5], %r6;"),
            0x50005000u);
  EXPECT_EQ(shared("st.shared.u32 [%r5], 0; mov.b16 %h1, 0x3f80; atom.shared.add.noftz.bf16 %h2, [%r5], %h1;"),
            0x4200u);
}

TEST(Programs, BarriersOfSomeWarpsAndReductions) {
  Ran ran = runPtx(kernelText(std::string(kOwnOut) +
                              "setp.lt.u32 %p0, %tid, 5; bar.red.popc.u32 %r0, 0, %p0;\n"
                              "bar.red.or.pred %p1, 0, %p0; bar.red.and.pred %p2, 0, %p0;\n"
                              "selp.u32 %r1, 100, 0, %p1; selp.u32 %r2, 1000, 0, %p2;\n"
                              "add.s32 %r0, %r0, %r1; add.s32 %r0, %r0, %r2; st.global.u32 [%d1], %r0;"),
                   {}, {96}, 96);
  EXPECT_EQ(ran.out[80], 105u);
  // Warp 0 hands a value to warp 1 through a barrier of 64 threads; warp 2 takes no part.
  std::string text =
      kernelText(std::string(kOwnOut) + "mov.u32 %r5, s; shr.u32 %r6, %tid, 5; setp.eq.u32 %p0, %r6, 0;\n"
                                        "setp.eq.u32 %p1, %r6, 1; @%p0 st.shared.u32 [%r5], 77;\n"
                                        "@%p0 bar.arrive 3, 64; @%p1 bar.sync 3, 64;\n"
                                        "@%p1 ld.shared.u32 %r0, [%r5]; @%p1 st.global.u32 [%d1], %r0;",
                 kShared);
  for (WarpOrder order : {WarpOrder::Normal, WarpOrder::Reversed, WarpOrder::RoundRobin}) {
    Options options;
    options.order = order;
    Ran handed = runPtx(text, {}, {96}, 96, options);
    EXPECT_TRUE(handed.findings.empty() && handed.error.empty());
    EXPECT_EQ(handed.out[40], 77u);
  }
}

TEST(Programs, MbarriersOrderWarps) {
  std::string text =
      kernelText(std::string(kOwnOut) + "mov.u32 %r5, s; setp.eq.u32 %p0, %tid, 0;\n"
                                        "@%p0 mbarrier.init.shared.b64 [%r5], 64; bar.sync 0;\n"
                                        "shl.b32 %r6, %tid, 2; add.s32 %r6, %r6, %r5; st.shared.u32 [%r6+64], %tid;\n"
                                        "mbarrier.arrive.shared.b64 %d5, [%r5];\n"
                                        "wait: mbarrier.test_wait.shared.b64 %p1, [%r5], %d5; @!%p1 bra wait;\n"
                                        "xor.b32 %r7, %tid, 32; shl.b32 %r7, %r7, 2; add.s32 %r7, %r7, %r5;\n"
                                        "ld.shared.u32 %r0, [%r7+64]; st.global.u32 [%d1], %r0;",
                 kShared);
  Ran ran = runPtx(text, {}, {64}, 64);
  EXPECT_EQ(ran.error, "");
  for (const Finding &finding : ran.findings)
    ADD_FAILURE() << finding.message;
  EXPECT_EQ(ran.out[3], 35u);
}

TEST(Programs, CopiesPadWithZerosAndKeepTheirOrder) {
  std::string body = "mov.u32 %r5, s; st.global.v4.u32 [%out], {1, 2, 3, 4};\n"
                     "cp.async.ca.shared.global [%r5], [%out], 16, 8; cp.async.commit_group;\n"
                     "cp.async.wait_all; ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r5]; mul.lo.s32 %r2, %r2, 10;\n"
                     "mul.lo.s32 %r3, %r3, 100; add.s32 %r0, %r1, %r2; add.s32 %r0, %r0, %r3;";
  EXPECT_EQ(perThread(body, 4, kShared)[0], 21u);
}

TEST(Programs, MatricesMoveAsWritten) {
  // Row r of matrix 0 holds 8 r, 8 r + 1, ...; a lane gets two neighbours, or two rows of one column.
  std::string fill =
      "mov.u32 %r5, s; shl.b32 %r6, %tid, 2; add.s32 %r6, %r6, %r5; mul.lo.s32 %r7, %tid, 2;\n"
      "add.s32 %r8, %r7, 1; shl.b32 %r8, %r8, 16; or.b32 %r7, %r7, %r8; st.shared.u32 [%r6], %r7; bar.sync 0;\n"
      "and.b32 %r9, %tid, 7; shl.b32 %r9, %r9, 4; add.s32 %r9, %r9, %r5;\n";
  EXPECT_EQ(perThread(fill + "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r9];", 32, kShared)[5], 0x000b000au);
  EXPECT_EQ(perThread(fill + "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r0}, [%r9];", 32, kShared)[5],
            0x00190011u);
  EXPECT_EQ(
      perThread(
          fill +
              "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r9]; movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;",
          32, kShared)[5],
      0x00190011u);
  EXPECT_EQ(perThread(fill + "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r9], {%r7}; bar.warp.sync 0xffffffff;\n"
                             "ld.shared.u32 %r0, [%r6];",
                      32, kShared)[5],
            0x00190011u);
}

TEST(Programs, ProductsOfMatrices) {
  // All elements 1: each accumulator becomes c + k.
  auto first = [](const std::string &body) { return perThread(body)[7]; };
  EXPECT_EQ(
      first("mov.b32 %r1, 0x3f803f80; mov.f32 %f1, 0f3F800000;\nmma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
            "{%f2, %f3, %f4, %f5}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%f1, %f1, %f1, %f1}; mov.b32 %r0, %f4;"),
      0x41880000u); // 17
  EXPECT_EQ(
      first("mov.b32 %r1, 0x3c003c00; mov.b32 %r2, 0x3c003c00;\nmma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
            "{%r0, %r3}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%r2, %r2};"),
      0x4c404c40u);
  EXPECT_EQ(
      first("mov.b32 %r1, 0x3f800000; mov.f32 %f1, 0f00000000;\nmma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
            "{%f2, %f3, %f4, %f5}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%f1, %f1, %f1, %f1}; mov.b32 %r0, %f5;"),
      0x41000000u);
  EXPECT_EQ(first("mov.b32 %r1, 0x01ff01ff; mov.b32 %r2, 1;\nmma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 "
                  "{%r0, %r3, %r4, %r5}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%r2, %r2, %r2, %r2};"),
            1u + 16 * 1 - 16 * 255);
  EXPECT_EQ(
      first("mov.b32 %r1, 0x38383838; mov.f32 %f1, 0f00000000;\nmma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
            "{%f2, %f3, %f4, %f5}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%f1, %f1, %f1, %f1}; mov.b32 %r0, %f2;"),
      0x42000000u);
  EXPECT_EQ(first("mov.f64 %d2, 0d3FF0000000000000; mov.f64 %d3, "
                  "0d0000000000000000;\nmma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
                  "{%d4, %d5}, {%d2}, {%d2}, {%d3, %d3}; cvt.rzi.u32.f64 %r0, %d5;"),
            4u);
}

//===----------------------------------------------------------------------===//
// What the driver provides
//===----------------------------------------------------------------------===//

static const char kProvided[] =
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
    ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 a);\n.extern .func free(.param .b64 a);\n"
    ".global .align 1 .b8 format[] = {37, 100, 32, 37, 46, 50, 102, 32, 37, 115, 37, 37, 10, 0};\n" // "%d %.2f %s%%\n"
    ".global .align 1 .b8 word[] = {97, 98, 0};\n";

TEST(Programs, PrintAsCDoes) {
  std::string body = ".local .align 8 .b8 buffer[24]; .param .b64 a; .param .b64 b; .param .b32 got;\n"
                     "st.local.u32 [buffer], %tid; mov.f64 %d2, 0d3FF4000000000000; st.local.f64 [buffer+8], %d2;\n"
                     "mov.u64 %d3, word; cvta.global.u64 %d3, %d3; st.local.u64 [buffer+16], %d3;\n"
                     "mov.u64 %d4, format; cvta.global.u64 %d4, %d4; st.param.b64 [a], %d4;\n"
                     "mov.u64 %d5, buffer; cvta.local.u64 %d5, %d5; st.param.b64 [b], %d5;\n"
                     "call.uni (got), vprintf, (a, b); ld.param.b32 %r0, [got];";
  ::testing::internal::CaptureStdout();
  auto out = perThread(body, 2, kProvided);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "0 1.25 ab%\n1 1.25 ab%\n");
  EXPECT_EQ(out[1], 4u);
}

TEST(Programs, AFailedAssertionIsReportedWithItsText) {
  std::string body = ".param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\n"
                     "mov.u64 %d3, word; cvta.global.u64 %d3, %d3; st.param.b64 [a], %d3; st.param.b64 [b], %d3;\n"
                     "st.param.b32 [c], 12; st.param.b64 [d], %d3; st.param.b64 [e], 1;\n"
                     "setp.eq.u32 %p0, %tid, 5; @!%p0 bra end; call.uni __assertfail, (a, b, c, d, e); end:";
  EXPECT_TRUE(found(runPtx(kernelText(body, kProvided), {}, {32}, 1), Finding::Kind::Trap,
                    "thread (5, 0, 0): assertion 'ab' failed at ab:12 in ab"));
}

TEST(Programs, MemoryFromTheHeap) {
  std::string get =
      ".param .b64 a; .param .b64 got; st.param.b64 [a], 8; call (got), malloc, (a); ld.param.b64 %d2, [got];\n";
  std::string give = "st.param.b64 [a], %d2; call free, (a);\n";
  EXPECT_EQ(perThread(get + "st.u32 [%d2+4], %tid; ld.u32 %r0, [%d2+4];" + give, 32, kProvided)[9], 9u);
  auto findings = [&](const std::string &body) { return runPtx(kernelText(body, kProvided), {}, {1}, 1); };
  EXPECT_TRUE(found(findings(get + "ld.u32 %r0, [%d2];"), Finding::Kind::Uninitialised, "never written"));
  EXPECT_TRUE(found(findings(get + "st.u32 [%d2+8], 1;"), Finding::Kind::Bounds, "of 8 bytes"));
  EXPECT_TRUE(found(findings(get + give + "ld.u32 %r0, [%d2];"), Finding::Kind::Bounds, ".global memory"));
  EXPECT_TRUE(found(findings(get + give + give), Finding::Kind::Bounds, "frees what malloc did not give"));
}
