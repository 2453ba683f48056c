//===- LoadTest.cpp - Errors of loading and launching ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunPtx.h"

using namespace nova::emulator;

static bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

static std::string errorOf(const std::string &body, const std::string &before = "") {
  return runPtx(kernelText(body, before), {}, {1}, 1).error;
}

TEST(Loading, AnUnknownInstructionIsAnErrorWithLineAndText) {
  EXPECT_EQ(errorOf("\nfrobnicate.b32 %r0, %r1;"),
            "test.ptx:15: unknown instruction 'frobnicate.b32': 'frobnicate.b32 %r0, %r1;'");
  EXPECT_PRED2(contains, errorOf("add.wrong.s32 %r0, %r1, %r2;"), "modifier '.wrong' is not known here");
  EXPECT_PRED2(contains, errorOf("add.rn.s32 %r0, %r1, %r2;"), "modifier '.rn' is not known here");
  EXPECT_PRED2(contains, errorOf("wgmma.mma_async.sp.sync.aligned;"), "unknown instruction");
  EXPECT_PRED2(contains, errorOf("cp.async.bulk.ignore_oob;"), "unknown instruction");
}

TEST(Loading, OperandsAreChecked) {
  EXPECT_PRED2(contains, errorOf("add.s32 %r0, %r1;"), "expected 3 operands, found 2");
  EXPECT_PRED2(contains, errorOf("add.s32 %r0, %r1, %d2;"), "expected a register of 32 bits, found '%d2' of type .b64");
  EXPECT_PRED2(contains, errorOf("add.s32 %r0, %r1, %r99;"), "unknown name '%r99'");
  EXPECT_PRED2(contains, errorOf("add.s32 %r0, %r1, %p1;"), "found '%p1'");
  EXPECT_PRED2(contains, errorOf("add.s32 5, %r1, %r2;"), "as destination");
  EXPECT_PRED2(contains, errorOf("@%r1 add.s32 %r0, %r1, %r2;"), "expected a predicate as guard");
  EXPECT_PRED2(contains, errorOf("bra nowhere;"), "expected a label, found 'nowhere'");
  EXPECT_PRED2(contains, errorOf("call nobody;"), "expected a function, found 'nobody'");
  EXPECT_PRED2(contains, errorOf("ld.global.v2.u32 {%r0}, [%out];"), "expected 2 values, found 1");
  EXPECT_PRED2(contains, errorOf("ld.shared.u32 %r0, [g];", ".global .u32 g;"),
               "expected a variable in .shared memory");
  EXPECT_PRED2(contains, errorOf("mma.sync.aligned.m16n8k16.row.col.f32.f32.f32.f32 {%r0}, {%r0}, {%r0}, {%r0};"),
               "unknown shape or types of mma");
}

TEST(Loading, WhatIsNotThereIsNamed) {
  for (const char *instruction :
       {"tcgen05.fence::before_thread_sync",
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r0], 1, [%r1]",
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r0], 1, [%r1]",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d0], [%r0], 16",
        "multimem.ld_reduce.global.add.f32 %r0, [%out]",
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%r0}, %d0, %d1, %r1, 0, 1, 1, 1, 0, 0",
        "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r0], [%d0, {%r0, %r1, "
        "%r2}], [%r1]",
        "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r0}, [%out], %r1"})
    EXPECT_PRED2(contains, errorOf(std::string(instruction) + ";"), "unknown instruction");
  EXPECT_PRED2(contains, errorOf("call f;", ".extern .func f();\n"), "which this module does not define");
  EXPECT_PRED2(contains, errorOf("mov.u64 %d0, f;", ".func f()\n{\nret;\n}\n"), "the address of function 'f'");
}

TEST(Loading, WhatCompilersWriteBesideInstructions) {
  std::string before = "// made by hand\n.file 1 \"a.cu\", 1234, 56\n.weak .global .align 4 .b32 w = 7;\n"
                       ".weak .func nothing()\n{\nret;\n}\n.extern .func never(.param .b64 a);\n";
  std::string body = ".loc 1 2 3\n.pragma \"nounroll\";\n.loc 1 4 5, function_name $L_name0, inlined_at 1 6 7\n"
                     "{.reg.b16 a,b; mov.b16 a, 5; mov.b16 b, a; cvt.u32.u16 %r0, b;}\ncall nothing;\n"
                     "ld.global.nc.L2::128B.u32 %r1, [w]; add.s32 %r0, %r0, %r1; st.global.u32 [%out], %r0;";
  std::string after = "\n.section .debug_str\n{\n$L_name0:\n.b8 97\n.b8 0\n}\n.section\t.debug_macinfo\t{\t}\n";
  Ran ran = runPtx(kernelText(body, before) + after, {}, {1}, 1);
  EXPECT_EQ(ran.error, "");
  EXPECT_TRUE(ran.findings.empty());
  EXPECT_EQ(ran.out.empty() ? 0 : ran.out[0], 12u);
}

TEST(Loading, RecursionIsRefused) {
  EXPECT_PRED2(contains, errorOf("call f;", ".func f()\n{\ncall f;\nret;\n}\n"), "recursion of 'f'");
}

TEST(Loading, WhatIsNoPtxIsRefused) {
  EXPECT_PRED2(contains,
               runPtx("\x7f"
                      "ELF",
                      {}, {1}, 1)
                   .error,
               "found a cubin; hand the emulator the PTX");
  EXPECT_PRED2(contains, runPtx("", {}, {1}, 1).error, "expected '.version' at the start of PTX text");
  EXPECT_PRED2(contains, errorOf("", ".bogus x;\n"), "unknown directive '.bogus'");
  EXPECT_PRED2(contains, errorOf("{"), "expected '}', found the end of the file");
  EXPECT_PRED2(contains, errorOf("", ".global .align 3 .b8 x[4];\n"), "expected a power of two");
  EXPECT_PRED2(contains, errorOf("", ".global .b8 x[2] = {1, 2, 3};\n"), "expected at most 2 bytes of initial values");
  EXPECT_PRED2(contains, errorOf("", ".global .b8 x[99999999999];\n"), "no room on the device");
  EXPECT_PRED2(contains, errorOf("mov.u32 %r0, s;", ".shared .b8 s[300000];\n"), "bytes of .shared memory");
}

TEST(Launching, SizesAreChecked) {
  std::string text = kernelText("");
  EXPECT_PRED2(contains, runPtx(text, {}, {2000}, 1).error, "expected a block of 1 to 1024 threads");
  EXPECT_PRED2(contains, runPtx(text, {0}, {1}, 1).error, "expected a grid");
  EXPECT_PRED2(contains, runPtx(text, {1, 70000}, {1}, 1).error, "at most 65535 along y and z");
  EXPECT_PRED2(contains, runPtx(text, {}, {1}, 1, {}, 1 << 20).error, "bytes of shared memory");
  std::string limited =
      ".version 8.0\n.target sm_89\n.address_size 64\n.entry k(.param .u64 out)\n.reqntid 64, 1, 1\n{\nret;\n}\n";
  EXPECT_PRED2(contains, runPtx(limited, {}, {32}, 1).error, "expected a block of 64 x 1 x 1 (.reqntid)");
}

TEST(Launching, GridsOfThreeDimensions) {
  std::string body =
      "mov.u32 %r0, %ctaid.z; mov.u32 %r1, %nctaid.y; mov.u32 %r2, %ctaid.y; mad.lo.s32 %r0, %r0, %r1, %r2;\n"
      "mov.u32 %r1, %nctaid.x; mov.u32 %r2, %ctaid.x; mad.lo.s32 %r0, %r0, %r1, %r2;\n"
      "mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.y; mov.u32 %r5, %tid.y; mad.lo.s32 %r3, %r3, %r4, %r5;\n"
      "mov.u32 %r4, %ntid.x; mad.lo.s32 %r3, %r3, %r4, %tid; mad.lo.s32 %r6, %r0, 24, %r3;\n"
      "mul.wide.u32 %d0, %r6, 4; add.s64 %d0, %out, %d0; add.s32 %r6, %r6, 1; st.global.u32 [%d0], %r6;";
  Ran ran = runPtx(kernelText(body), {2, 3, 4}, {4, 3, 2}, 24 * 24);
  EXPECT_TRUE(ran.error.empty() && ran.findings.empty());
  for (uint32_t i = 0; i < 24 * 24; ++i)
    ASSERT_EQ(ran.out[i], i + 1);
}

TEST(Launching, DynamicSharedMemoryFollowsTheStaticOne) {
  std::string before = ".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 fixed[20];\n";
  std::string body =
      "mov.u32 %r0, dynamic; mov.u32 %r1, fixed; st.shared.u32 [%r1+16], 5; st.shared.u32 [%r0+60], 6;\n"
      "sub.s32 %r2, %r0, %r1; st.global.u32 [%out], %r2; mov.u32 %r3, %dynamic_smem_size; st.global.u32 [%out+4], %r3;";
  Ran ran = runPtx(kernelText(body, before), {}, {1}, 2, {}, 64);
  EXPECT_TRUE(ran.error.empty() && ran.findings.empty());
  EXPECT_EQ(ran.out[0], 32u);
  EXPECT_EQ(ran.out[1], 64u);
  EXPECT_TRUE(found(runPtx(kernelText("st.shared.u32 [dynamic+64], 6;", before), {}, {1}, 1, {}, 64),
                    Finding::Kind::Bounds, "which has 64 bytes"));
}
