//===- SynchronisationTest.cpp - Who waits for whom, and what that orders --===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunPtx.h"

using namespace nova::emulator;

static Ran runInOrder(const std::string &text, WarpOrder order, unsigned threads, uint32_t words) {
  Options options;
  options.order = order;
  return runPtx(text, {}, {threads}, words, options);
}

//===----------------------------------------------------------------------===//
// Member masks
//===----------------------------------------------------------------------===//

// %r10 = lane, %r1 = lane % 3, %r2 = the lanes of the same remainder, found by match.any; %r9 is the result.
static std::string groups(const std::string &body) {
  return kernelText("mul.wide.u32 %d0, %tid, 4; add.s64 %d1, %out, %d0; and.b32 %r10, %tid, 31; rem.u32 %r1, %r10, 3;\n"
                    "match.any.sync.b32 %r2, %r1, 0xffffffff;\n" +
                    body + "\nst.global.u32 [%d1], %r9;");
}

static uint32_t membersOf(uint32_t remainder) {
  uint32_t mask = 0;
  for (uint32_t lane = 0; lane < 32; ++lane)
    mask |= static_cast<uint32_t>(lane % 3 == remainder) << lane;
  return mask;
}

namespace {
struct GroupCase {
  const char *name, *body;
  uint32_t (*expected)(uint32_t lane);
};
} // namespace

static uint32_t countOf(uint32_t lane) { return static_cast<uint32_t>(__builtin_popcount(membersOf(lane % 3))); }
static uint32_t sumOf(uint32_t lane) {
  uint32_t sum = 0;
  for (uint32_t other = lane % 3; other < 32; other += 3)
    sum += other;
  return sum;
}
static uint32_t lastOf(uint32_t lane) { return lane % 3 == 2 ? 29 : 30 + lane % 3; }

static const GroupCase kGroupCases[] = {
    {"shfl.idx", "shfl.sync.idx.b32 %r9, %r10, %r1, 31, %r2;", [](uint32_t lane) { return lane % 3; }},
    {"shfl.up", "shfl.sync.up.b32 %r9|%p1, %r10, 3, 0, %r2;", [](uint32_t lane) { return lane < 3 ? lane : lane - 3; }},
    {"shfl.down", "shfl.sync.down.b32 %r9, %r10, 3, 31, %r2;",
     [](uint32_t lane) { return lane > 28 ? lane : lane + 3; }},
    {"vote.ballot", "setp.ge.u32 %p1, %r10, 0; vote.sync.ballot.b32 %r9, %p1, %r2;",
     [](uint32_t lane) { return membersOf(lane % 3); }},
    {"vote.any", "setp.eq.u32 %p1, %r10, 4; vote.sync.any.pred %p2, %p1, %r2; selp.u32 %r9, 1, 0, %p2;",
     [](uint32_t lane) { return uint32_t(lane % 3 == 1); }},
    {"vote.all", "setp.ne.u32 %p1, %r10, 4; vote.sync.all.pred %p2, %p1, %r2; selp.u32 %r9, 1, 0, %p2;",
     [](uint32_t lane) { return uint32_t(lane % 3 != 1); }},
    {"vote.uni", "setp.eq.u32 %p1, %r1, 0; vote.sync.uni.pred %p2, %p1, %r2; selp.u32 %r9, 1, 0, %p2;",
     [](uint32_t) { return 1u; }},
    {"match.all", "match.all.sync.b32 %r9|%p1, %r1, %r2;", [](uint32_t lane) { return membersOf(lane % 3); }},
    {"match.any", "match.any.sync.b32 %r8, %r1, %r2; popc.b32 %r9, %r8;", countOf},
    {"redux.add", "redux.sync.add.u32 %r9, %r10, %r2;", sumOf},
    {"redux.max", "redux.sync.max.u32 %r9, %r10, %r2;", lastOf},
    {"elect", "elect.sync %r9|%p1, %r2;", [](uint32_t lane) { return lane % 3; }},
    {"bar.warp", "bar.warp.sync %r2; mov.u32 %r9, %r1;", [](uint32_t lane) { return lane % 3; }},
    // The groups come one after the other, each from a branch of its own.
    {"branches",
     "setp.eq.u32 %p1, %r1, 1; @%p1 bra odd; bar.warp.sync %r2; bra.uni join; odd: add.u32 %r5, %r1, 1;\n"
     "bar.warp.sync %r2; join: redux.sync.add.u32 %r9, %r10, %r2;",
     sumOf},
    {"activemask",
     "setp.eq.u32 %p1, %r1, 1; @%p1 bra odd; activemask.b32 %r3; bra.uni join; odd: activemask.b32 %r3;\n"
     "join: vote.sync.ballot.b32 %r4, !%p9, %r3; setp.eq.u32 %p2, %r3, %r4; selp.u32 %r9, 1, 0, %p2;",
     [](uint32_t) { return 1u; }},
};

TEST(Synchronisation, GroupsOfAWarpMeetByThemselves) {
  for (const GroupCase &test : kGroupCases)
    for (WarpOrder order : kOrders) {
      Ran ran = runInOrder(groups(test.body), order, 64, 64);
      ASSERT_TRUE(isClean(ran)) << test.name;
      for (uint32_t thread = 0; thread < 64; ++thread)
        EXPECT_EQ(ran.out[thread], test.expected(thread % 32)) << test.name << ", thread " << thread;
    }
}

TEST(Synchronisation, ALaneOutsideItsOwnMaskIsFound) {
  for (WarpOrder order : kOrders)
    EXPECT_TRUE(found(runInOrder(groups("xor.b32 %r3, %r2, 1; setp.ne.u32 %p1, %r10, 0; selp.b32 %r3, %r2, %r3, %p1;\n"
                                        "setp.eq.u32 %p2, %r10, 0; @%p2 redux.sync.add.u32 %r9, %r10, 0;"),
                                 order, 32, 32),
                      Finding::Kind::Barrier, "takes part without being a member of the mask"));
}

TEST(Synchronisation, MasksThatContradictEachOtherAreFound) {
  // Lane 0 names lane 1, which names only itself and lane 2.
  for (WarpOrder order : kOrders)
    EXPECT_TRUE(found(runInOrder(groups("setp.eq.u32 %p1, %r10, 0; selp.b32 %r3, 3, 6, %p1; setp.lt.u32 %p2, %r10, 3;\n"
                                        "@%p2 redux.sync.add.u32 %r9, %r10, %r3;"),
                                 order, 32, 32),
                      Finding::Kind::Barrier, "waits for lane 1, which came with another member mask and exited"));
  // Lanes 1 and 2 wait for lane 3, which waits at a barrier.
  std::string stuck = groups("setp.eq.u32 %p1, %r10, 0; selp.b32 %r3, 3, 14, %p1; setp.lt.u32 %p2, %r10, 3;\n"
                             "@%p2 redux.sync.add.u32 %r9, %r10, %r3; barrier.sync 0;");
  EXPECT_TRUE(found(runPtx(stuck, {}, {32}, 32), Finding::Kind::Deadlock,
                    "waits for lane 1, which waits there with the member mask 0xe instead of 0x3"));
}

TEST(Synchronisation, MasksMayGrowFromRoundToRound) {
  // Pairs meet first, then fours: one pair is a round ahead of the other.
  std::string text =
      groups("mov.u32 %r9, 0; mov.u32 %r4, %r10; mov.u32 %r5, 2;\n"
             "and.b32 %r6, %r10, 2; setp.ne.u32 %p1, %r6, 0; @%p1 bra loop; add.u32 %r9, %r9, 0;\n"
             "loop: sub.u32 %r6, 0, %r5; and.b32 %r6, %r10, %r6; shl.b32 %r7, 1, %r5; sub.u32 %r7, %r7, 1;\n"
             "shl.b32 %r7, %r7, %r6; redux.sync.add.u32 %r8, %r4, %r7; add.u32 %r9, %r9, %r8;\n"
             "shl.b32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 5; @%p2 bra loop;");
  for (WarpOrder order : kOrders) {
    Ran ran = runInOrder(text, order, 32, 32);
    ASSERT_TRUE(isClean(ran));
    for (uint32_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(ran.out[lane], 2 * (lane & ~1u) + 1 + 4 * (lane & ~3u) + 6);
  }
}

//===----------------------------------------------------------------------===//
// Exits and barriers
//===----------------------------------------------------------------------===//

/// Threads of 64 and more write a word and exit; the others read it behind `barrier`.
static std::string exitsBefore(const std::string &barrier) {
  return kernelText("mov.u32 %r0, s; shl.b32 %r2, %tid, 2; add.s32 %r1, %r0, %r2; st.shared.u32 [%r1], %tid;\n"
                    "setp.ge.u32 %p0, %tid, 64; @%p0 exit;\n" +
                        barrier + "\nsub.s32 %r3, 95, %tid; shl.b32 %r3, %r3, 2; add.s32 %r3, %r3, %r0;\n" +
                        "ld.shared.u32 %r4, [%r3]; mul.wide.u32 %d0, %tid, 4; add.s64 %d1, %out, %d0;\n" +
                        "st.global.u32 [%d1], %r4;",
                    ".shared .align 16 .b8 s[4096];");
}

TEST(Synchronisation, AnExitIsOrderedBeforeABarrier) {
  const char *barriers[] = {"bar.sync 0;",
                            "barrier.sync 3;",
                            "barrier.cta.sync.aligned 2;",
                            "bar.sync 0, 96;",
                            "bar.red.popc.u32 %r7, 0, %p1;",
                            "bar.red.or.pred %p3, 1, 96, %p1;",
                            "bar.red.and.pred %p3, 0, %p1;"};
  for (const char *barrier : barriers)
    for (WarpOrder order : kOrders) {
      Ran ran = runInOrder(exitsBefore(barrier), order, 96, 64);
      ASSERT_TRUE(isClean(ran)) << barrier;
      for (uint32_t thread = 0; thread < 64; ++thread)
        EXPECT_EQ(ran.out[thread], 95 - thread) << barrier;
    }
}

TEST(Synchronisation, WhatNoBarrierWaitsForStaysARace) {
  // There is no barrier; one of the warps that read, which does not wait for the warp that wrote; one of a warp alone.
  for (const char *barrier : {"", "bar.sync 1, 64;", "bar.warp.sync 0xffffffff;"})
    for (WarpOrder order : kOrders) {
      Options options;
      options.order = order;
      options.checks.uninitialised = false; // in some orders the word is read before it is written
      EXPECT_TRUE(
          found(runPtx(exitsBefore(barrier), {}, {96}, 64, options), Finding::Kind::SharedRace, "no barrier between"))
          << barrier;
    }
}

/// The first warp writes, arrives and does `after`; the second waits and reads.
static std::string arrives(const std::string &after) {
  return kernelText("mov.u32 %r0, s; setp.ge.u32 %p0, %tid, 32; @%p0 bra consumer;\n"
                    "st.shared.u32 [%r0], 5; bar.arrive 1, 64;\n" +
                        after + "\nbra.uni end; consumer: bar.sync 1, 64; ld.shared.u32 %r4, [%r0];\n" +
                        "st.global.u32 [%out], %r4; end:",
                    ".shared .align 16 .b8 s[4096];");
}

TEST(Synchronisation, AnArrivalOrdersOnlyWhatCameBefore) {
  for (WarpOrder order : kOrders) {
    Ran ran = runInOrder(arrives(""), order, 64, 1);
    ASSERT_TRUE(isClean(ran));
    EXPECT_EQ(ran.out[0], 5u);
    EXPECT_TRUE(found(runInOrder(arrives("st.shared.u32 [%r0], 6;"), order, 64, 1), Finding::Kind::SharedRace,
                      "no barrier between"));
  }
}

//===----------------------------------------------------------------------===//
// Padding of structs
//===----------------------------------------------------------------------===//

/// A caller that passes a struct of a byte and a word, whose padding nothing writes, to a function.
static std::string passes(const std::string &callee, const std::string &stores) {
  return ".version 8.0\n.target sm_89\n.address_size 64\n"
         ".func (.param .align 4 .b8 result[8]) f(.param .align 4 .b8 s[8])\n{\n.reg .b32 %r<9>; .reg .b16 %h<9>;\n" +
         callee +
         "ret;\n}\n.visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>; .reg .b16 %h<9>; .reg .b64 %d<9>;\n"
         "ld.param.u64 %d0, [out];\n{\n.param .align 4 .b8 s[8]; .param .align 4 .b8 back[8];\n" +
         stores + "call (back), f, (s);\nld.param.b32 %r2, [back+4];\nst.global.u32 [%d0], %r2;\n}\nret;\n}\n";
}

static const char kMembers[] = "st.param.b8 [s+0], 7; st.param.b32 [s+4], 9;\n";

TEST(Synchronisation, PaddingThatIsOnlyMovedIsNoFault) {
  const char *callees[] = {
      // The bytes are moved one by one, packed into a word, and as a word.
      "ld.param.v4.b8 {%h0, %h1, %h2, %h3}, [s]; st.param.v4.b8 [result], {%h0, %h1, %h2, %h3};\n"
      "ld.param.b32 %r1, [s+4]; st.param.b32 [result+4], %r1;\n",
      "ld.param.b8 %h1, [s+1]; cvt.u32.u16 %r0, %h1; shl.b32 %r0, %r0, 8; st.param.b32 [result], %r0;\n"
      "ld.param.b32 %r1, [s+4]; st.param.b32 [result+4], %r1;\n",
      "ld.param.v2.b32 {%r0, %r1}, [s]; mov.b32 %r3, %r0; st.param.v2.b32 [result], {%r3, %r1};\n"};
  for (const char *callee : callees) {
    Ran ran = runPtx(passes(callee, kMembers), {}, {32}, 1);
    ASSERT_TRUE(isClean(ran)) << callee;
    EXPECT_EQ(ran.out[0], 9u);
  }
}

TEST(Synchronisation, PaddingThatIsUsedIsAFault) {
  const char *callees[] = {
      "ld.param.b8 %h1, [s+1]; cvt.u32.u16 %r0, %h1; add.u32 %r0, %r0, 1; st.param.b32 [result+4], %r0;\n",
      "ld.param.b32 %r0, [s]; mov.b32 %r1, %r0; mul.lo.u32 %r3, %r1, %r1; st.param.b32 [result+4], %r3;\n",
      "ld.param.v2.b32 {%r0, %r1}, [s]; add.u32 %r0, %r0, %r1; st.param.b32 [result+4], %r0;\n"};
  for (const char *callee : callees)
    EXPECT_TRUE(found(runPtx(passes(callee, kMembers), {}, {32}, 1), Finding::Kind::Uninitialised, "was never written"))
        << callee;
  // A member that the caller forgets, and the function computes with.
  EXPECT_TRUE(found(runPtx(passes("ld.param.b32 %r1, [s+4]; add.u32 %r1, %r1, 1; st.param.b32 [result+4], %r1;\n",
                                  "st.param.b8 [s+0], 7;\n"),
                           {}, {32}, 1),
                    Finding::Kind::Uninitialised, "was never written"));
}

//===----------------------------------------------------------------------===//
// Parts of a grid
//===----------------------------------------------------------------------===//

TEST(Synchronisation, APartOfAGridRuns) {
  // Each block stores the grid's width at its own number.
  std::string text = kernelText("mov.u32 %r0, %ctaid.y; mov.u32 %r1, %nctaid.x; mov.u32 %r2, %ctaid.x;\n"
                                "mad.lo.u32 %r3, %r0, %r1, %r2; mul.wide.u32 %d0, %r3, 4; add.s64 %d1, %out, %d0;\n"
                                "st.global.u32 [%d1], %r1;");
  Options options;
  options.range = BlockRange{{1, 1, 0}, {2, 2, 0}};
  Ran ran = runPtx(text, {4, 3}, {1}, 12, options);
  ASSERT_TRUE(isClean(ran));
  EXPECT_EQ(ran.out, (std::vector<uint32_t>{0, 0, 0, 0, 0, 4, 4, 0, 0, 4, 4, 0}));
  EXPECT_EQ(ran.counters.blocks, 4u);
  options.range = BlockRange{{0, 0, 0}, {4, 0, 0}};
  EXPECT_NE(
      runPtx(text, {4, 3}, {1}, 12, options).error.find("expected a last block of a grid of 4 x 3 x 1, found 4,0,0"),
      std::string::npos);
  options.range = BlockRange{{2, 0, 0}, {1, 0, 0}};
  EXPECT_NE(runPtx(text, {4, 3}, {1}, 12, options).error.find("expected a first block up to the last one, 1,0,0"),
            std::string::npos);
}
