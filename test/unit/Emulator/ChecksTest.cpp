//===- ChecksTest.cpp - Planted faults are found --------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunPtx.h"

using namespace nova::emulator;

static const char kShared[] = ".shared .align 16 .b8 s[4096];";
/// %r1: address of this thread's word in s.
static const char kOwnWord[] = "mov.u32 %r0, s; shl.b32 %r2, %tid, 2; add.s32 %r1, %r0, %r2;\n";
/// %d1: address of this thread's word in the buffer.
static const char kOwnOut[] = "mul.wide.u32 %d0, %tid, 4; add.s64 %d1, %out, %d0;\n";

static std::string neighbours(const std::string &barrier) {
  return kernelText(std::string(kOwnWord) + kOwnOut + "st.shared.u32 [%r1], %tid;\n" + barrier +
                        "\nsub.s32 %r3, 63, %tid; shl.b32 %r3, %r3, 2; add.s32 %r3, %r3, %r0;\n"
                        "ld.shared.u32 %r4, [%r3]; st.global.u32 [%d1], %r4;",
                    kShared);
}

TEST(Checks, ARemovedBarrierIsARace) {
  Ran ran = runPtx(neighbours("bar.sync 0;"), {}, {64}, 64);
  EXPECT_TRUE(ran.findings.empty() && ran.error.empty());
  EXPECT_EQ(ran.out[10], 53u);
  for (WarpOrder order : {WarpOrder::Normal, WarpOrder::Reversed, WarpOrder::RoundRobin}) {
    Options options;
    options.order = order;
    Ran without = runPtx(neighbours(""), {}, {64}, 64, options);
    ASSERT_FALSE(without.findings.empty());
    bool hasRace = false;
    for (const Finding &finding : without.findings)
      hasRace |= finding.kind == Finding::Kind::SharedRace &&
                 finding.message.find("no barrier between") != std::string::npos &&
                 finding.message.find("block (0, 0, 0), thread (") != std::string::npos;
    EXPECT_TRUE(hasRace);
  }
}

TEST(Checks, ChecksCanBeTurnedOff) {
  Options options;
  options.checks = Checks::none();
  EXPECT_TRUE(runPtx(neighbours(""), {}, {64}, 64, options).findings.empty());
}

TEST(Checks, EqualValuesAreNoRaceUnlessStrict) {
  std::string text = kernelText("mov.u32 %r0, s; st.shared.u32 [%r0], 7; bar.sync 0;", kShared);
  EXPECT_TRUE(runPtx(text, {}, {128}, 1).findings.empty());
  Options strict;
  strict.checks.strictRaces = true;
  EXPECT_TRUE(found(runPtx(text, {}, {128}, 1, strict), Finding::Kind::SharedRace, "writes byte 0"));
}

TEST(Checks, AtomicsRaceOnlyWithPlainAccesses) {
  std::string atomics = "red.shared.add.u32 [%r0], 1;\n";
  std::string start = "mov.u32 %r0, s; setp.ne.u32 %p0, %tid, 0; @!%p0 st.shared.u32 [%r0], 0;\n";
  EXPECT_TRUE(runPtx(kernelText(start + "bar.sync 0;" + atomics + atomics, kShared), {}, {128}, 1).findings.empty());
  EXPECT_TRUE(found(runPtx(kernelText(start + atomics, kShared), {}, {64}, 1), Finding::Kind::SharedRace, "updates"));
}

TEST(Checks, AnOffByOneStoreIsOutOfBounds) {
  std::string text = kernelText("add.s32 %r0, %tid, 1; mul.wide.u32 %d0, %r0, 4; add.s64 %d1, %out, %d0;\n"
                                "st.global.u32 [%d1], %tid;");
  EXPECT_TRUE(found(runPtx(text, {}, {64}, 64), Finding::Kind::Bounds, "writes 4 bytes at address 0x"));
  EXPECT_TRUE(found(runPtx(text, {}, {64}, 64), Finding::Kind::Bounds, "byte 256 of an allocation of 256 bytes"));
  EXPECT_TRUE(found(runPtx(text, {}, {64}, 64), Finding::Kind::Bounds, "thread (63, 0, 0)"));
}

TEST(Checks, EverySpaceHasBounds) {
  EXPECT_TRUE(found(runPtx(kernelText("mov.u32 %r0, s; ld.shared.u32 %r1, [%r0+4096];", kShared), {}, {1}, 1),
                    Finding::Kind::Bounds, ".shared memory, which has 4096 bytes"));
  EXPECT_TRUE(
      found(runPtx(kernelText(".local .align 8 .b8 l[16]; mov.u64 %d0, l; st.local.u64 [%d0+16], %d1;"), {}, {1}, 1),
            Finding::Kind::Bounds, ".local memory"));
  EXPECT_TRUE(found(runPtx(kernelText("mov.u64 %d0, 64; ld.param.u32 %r0, [%d0];"), {}, {1}, 1), Finding::Kind::Bounds,
                    ".param memory"));
  EXPECT_TRUE(found(runPtx(kernelText("mov.u64 %d0, 64; ld.u32 %r0, [%d0];"), {}, {1}, 1), Finding::Kind::Bounds,
                    "address 0x40 of .global memory"));
}

TEST(Checks, NothingOutOfBoundsIsExecutedWithoutChecks) {
  Options options;
  options.checks = Checks::none();
  EXPECT_TRUE(found(runPtx(kernelText("mov.u64 %d0, 64; st.global.u32 [%d0], 1;"), {}, {1}, 1, options),
                    Finding::Kind::Bounds, "writes 4 bytes"));
}

TEST(Checks, AMisalignedVectorLoadIsFound) {
  EXPECT_TRUE(found(runPtx(kernelText("ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%out+8];"), {}, {1}, 16),
                    Finding::Kind::Misaligned, "expected a multiple of 16"));
}

TEST(Checks, AReadOfNeverWrittenSharedMemoryIsFound) {
  EXPECT_TRUE(found(runPtx(kernelText(std::string(kOwnWord) + "ld.shared.u32 %r3, [%r1];", kShared), {}, {32}, 1),
                    Finding::Kind::Uninitialised, "byte 0 of them was never written"));
  EXPECT_TRUE(found(runPtx(kernelText(".local .b32 l; ld.local.u32 %r3, [l];"), {}, {1}, 1),
                    Finding::Kind::Uninitialised, ".local memory"));
}

TEST(Checks, ACopyThatIsNotWaitedForHasNotArrived) {
  std::string copy = "mov.u32 %r0, s; cp.async.ca.shared.global [%r0], [%out], 16; cp.async.commit_group;\n";
  std::string load = "ld.shared.u32 %r1, [%r0];";
  EXPECT_TRUE(
      found(runPtx(kernelText(copy + load, kShared), {}, {1}, 4), Finding::Kind::Uninitialised, "was not waited for"));
  EXPECT_TRUE(runPtx(kernelText(copy + "cp.async.wait_group 0;" + load, kShared), {}, {1}, 4).findings.empty());
  EXPECT_FALSE(runPtx(kernelText(copy + "cp.async.wait_group 1;" + load, kShared), {}, {1}, 4).findings.empty());
}

TEST(Checks, ABarrierInADivergentBranchIsFound) {
  std::string text = kernelText(std::string(kOwnOut) + "setp.lt.u32 %p0, %tid, 16; @!%p0 bra after; bar.sync 0;\n"
                                                       "after: st.global.u32 [%d1], 1;");
  EXPECT_TRUE(found(runPtx(text, {}, {32}, 32), Finding::Kind::Barrier, "went past barrier 0"));
  EXPECT_TRUE(found(runPtx(text, {}, {64}, 64), Finding::Kind::Barrier, "went past barrier 0"));
}

TEST(Checks, AnEarlyExitIsNoDivergentBarrier) {
  std::string text = kernelText(std::string(kOwnOut) + "setp.lt.u32 %p0, %tid, 40; @!%p0 bra end; bar.sync 0;\n"
                                                       "st.global.u32 [%d1], 1; end:");
  EXPECT_TRUE(runPtx(text, {}, {64}, 64).findings.empty());
}

TEST(Checks, BarriersOfBothSidesOfABranchAreDivergent) {
  std::string text = kernelText("setp.lt.u32 %p0, %tid, 16; @%p0 bra other; bar.sync 0; bra end;\n"
                                "other: bar.sync 0; end:");
  EXPECT_TRUE(found(runPtx(text, {}, {32}, 1), Finding::Kind::Barrier, "lanes of the same warp wait at"));
}

TEST(Checks, ABarrierThatNobodyElseComesToIsADeadlock) {
  EXPECT_TRUE(found(runPtx(kernelText("setp.lt.u32 %p0, %tid, 32; @%p0 bra one; bar.sync 1, 96; bra end;\n"
                                      "one: bar.sync 2, 96; end:"),
                           {}, {64}, 1),
                    Finding::Kind::Deadlock, "waits for barrier"));
}

TEST(Checks, AShuffleOfAnAbsentLaneIsFound) {
  std::string text = kernelText("mov.u32 %r1, %tid; setp.lt.u32 %p0, %tid, 16;\n"
                                "@%p0 shfl.sync.down.b32 %r2, %r1, 8, 31, 0xffff;");
  EXPECT_TRUE(found(runPtx(text, {}, {32}, 1), Finding::Kind::Barrier, "reads lane 16, which does not take part"));
}

TEST(Checks, TwoBlocksThatStoreToOneAddressRace) {
  std::string text = kernelText("mov.u32 %r0, %ctaid.x; add.s32 %r0, %r0, 1; st.global.u32 [%out], %r0;");
  EXPECT_TRUE(found(runPtx(text, {4}, {1}, 1), Finding::Kind::GlobalRace, "which block 0 writes at line"));
  std::string same = kernelText("st.global.u32 [%out], 5;");
  EXPECT_TRUE(runPtx(same, {4}, {1}, 1).findings.empty());
  // Bytes beside each other are not one address.
  std::string bytes =
      kernelText("mov.u32 %r0, %ctaid.x; cvt.u64.u32 %d0, %r0; add.s64 %d1, %out, %d0; st.global.u8 [%d1], %r0;");
  EXPECT_TRUE(runPtx(bytes, {4}, {1}, 1).findings.empty());
}

TEST(Checks, FencesOrderStoresOfBlocks) {
  // The last block to come adds to what the others stored.
  std::string text = kernelText("mov.u32 %r0, %ctaid.x; add.s32 %r0, %r0, 1; st.global.u32 [%out], %r0; membar.gl;\n"
                                "atom.global.inc.u32 %r1, [%out+4], 100; membar.gl;\n"
                                "setp.ne.u32 %p0, %r1, 0; @%p0 st.global.u32 [%out], 9;");
  EXPECT_FALSE(runPtx(text, {2}, {1}, 2).findings.empty()); // the first stores are not ordered
  std::string ordered = kernelText("atom.global.inc.u32 %r1, [%out+4], 100; membar.gl;\n"
                                   "mov.u32 %r0, %ctaid.x; st.global.u32 [%out], %r0; membar.gl;");
  Options one;
  one.threads = 1;
  EXPECT_TRUE(runPtx(ordered, {3}, {1}, 2, one).findings.empty());
}

TEST(Checks, CountersSeeConflictsAndSectors) {
  Options options;
  options.countMemory = true;
  std::string text =
      kernelText("mov.u32 %r0, s; mul.lo.s32 %r1, %tid, 128; add.s32 %r1, %r0, %r1; st.shared.u32 [%r1], 0;\n"
                 "mul.wide.u32 %d0, %tid, 32; add.s64 %d1, %out, %d0; ld.global.u32 %r2, [%d1];",
                 kShared);
  Ran ran = runPtx(text, {}, {32}, 256, options);
  EXPECT_EQ(ran.counters.sharedWavefronts, 32u);
  EXPECT_EQ(ran.counters.sharedIdeal, 1u);
  EXPECT_EQ(ran.counters.globalRequests, 1u);
  EXPECT_EQ(ran.counters.globalSectors, 32u);
  EXPECT_EQ(ran.counters.globalIdeal, 4u);
  EXPECT_EQ(ran.counters.globalDistinct, 32u);
  // Read again by the same block a sector counts once, and once more for another block.
  std::string again = kernelText("ld.global.u32 %r0, [%out]; ld.global.u32 %r1, [%out+4];");
  ran = runPtx(again, {3}, {32}, 2, options);
  EXPECT_EQ(ran.counters.globalSectors, 6u);
  EXPECT_EQ(ran.counters.globalDistinct, 3u);
}
