//===- BulkCopyTest.cpp - Bulk copies, mbarriers, clusters --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionTest.h"

#include "Nova/Emulator/TensorMap.h"

#include <cstring>

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// Every form, lane by lane
//===----------------------------------------------------------------------===//

// An mbarrier of one arrival at [%shared], bytes 1, 2, ... at [%own], memory behind the mbarrier for what is copied.
static const char kBarrier[] = "mbarrier.init.shared.b64 [%shared], 1; ";
static const char kSource[] = "st.global.b32 [%own], r1; st.global.b32 [%own+4], r2; st.global.b64 [%own+8], 9; ";
static const char kExpect[] = "mbarrier.arrive.expect_tx.shared.b64 _, [%shared], 16; ";
static const char kArrived[] = "mbarrier.try_wait.parity.shared.b64 p9, [%shared], 0; ";

TEST(Instructions, OnBulkCopies) {
  std::vector<Row> rows;
  std::string load = std::string(kBarrier) + kSource + kExpect;
  std::string read = std::string(kArrived) + "ld.shared.b32 r9, [%shared+20]; selp.b32 r0, r9, 0, p9;";
  for (const char *copy :
       {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%shared+16], [%own], 16, [%shared]; ",
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%shared+16], [%own], r3, [%shared]; ",
        "mov.b16 h9, 1; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%shared+16], "
        "[%own], 16, [%shared], h9; ",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%shared+16], [%own], 16, "
        "[%shared], d9; "})
    rows.push_back({load + copy + read, {5, 6, 16}, 6});
  rows.push_back({load +
                      "st.shared.b64 [%shared+32], 7; st.shared.b32 [%shared+40], r1; st.shared.b32 [%shared+44], r2; "
                      "fence.proxy.async; cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                      "[%shared+16], [%shared+32], 16, [%shared]; " +
                      kArrived + "ld.shared.b32 r9, [%shared+28]; selp.b32 r0, r9, 0, p9;",
                  {5, 6},
                  6});
  // Back to global memory.
  std::string fill = "st.shared.b32 [%shared+16], r1; st.shared.b32 [%shared+20], r2; st.shared.b64 [%shared+24], 3; "
                     "fence.proxy.async.shared::cta; ";
  for (const char *wait : {"cp.async.bulk.wait_group 0; ", "cp.async.bulk.wait_group.read 0; "})
    for (const char *copy :
         {"cp.async.bulk.global.shared::cta.bulk_group [%own+16], [%shared+16], 16; ",
          "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%own+16], [%shared+16], r3, d9; "})
      rows.push_back(
          {fill + copy + "cp.async.bulk.commit_group; " + wait + "ld.global.b32 r0, [%own+20];", {5, 6, 16}, 6});
  for (const char *hint :
       {"cp.async.bulk.prefetch.L2.global [%own], 16", "griddepcontrol.launch_dependents", "griddepcontrol.wait",
        "prefetch.const.tensormap [c]", "prefetch.param.tensormap [pa]", "fence.mbarrier_init.release.cluster",
        "cp.async.bulk.prefetch.L2.global.L2::cache_hint [%own], 16, d9"})
    rows.push_back({std::string(hint) + "; mov.b32 r0, r1;", {7}, 7});
  // Transactions by hand.
  for (const char *order : {"", ".relaxed", ".relaxed.cta", ".relaxed.cluster"})
    for (const char *space : {".shared", ".shared::cta", ".shared::cluster", ""}) {
      std::string at = *space ? "[%shared]" : "[d8]", of = std::string(order) + space + ".b64 ";
      std::string start = std::string("cvta.shared.u64 d8, %shared; ") + kBarrier;
      std::string test = kArrived + std::string("selp.b32 r0, 1, 0, p9;");
      std::string expect = "mbarrier.expect_tx" + of + at + ", r1; ";
      std::string complete = "mbarrier.complete_tx" + of + at + ", r2; ",
                  arrive = "mbarrier.arrive.shared.b64 d9, [%shared]; ";
      rows.push_back({start + expect + arrive + complete + test, {48, 48}, 1});
      rows.push_back({start + expect + arrive + complete + test, {48, 47}, 0});
      rows.push_back({start + complete + arrive + test, {0, 16}, 0}); // what comes early counts as well
      rows.push_back({start + complete + arrive + expect + test, {16, 16}, 1});
    }
  for (const char *order : {"", ".release.cta", ".relaxed.cluster", ".release", ".relaxed"})
    for (const char *space : {".shared", ".shared::cluster", ""})
      for (const char *drop : {"", "_drop"}) {
        std::string at = *space ? "[%shared]" : "[d8]";
        std::string arrive = "mbarrier.arrive" + std::string(drop) + ".expect_tx" + order + space + ".b64 ";
        std::string start = std::string("cvta.shared.u64 d8, %shared; mbarrier.init.shared.b64 [%shared], 2; ");
        std::string complete = "mbarrier.complete_tx.shared.b64 [%shared], r2; ";
        std::string both = arrive + "d9, " + at + ", r1; " + arrive + "_, " + at + ", r1; ";
        rows.push_back({start + both + complete + kArrived + "selp.b32 r0, 1, 0, p9;", {8, 16}, 1});
        rows.push_back({start + both + complete + kArrived + "selp.b32 r0, 1, 0, p9;", {8, 8}, 0});
        rows.push_back({start + both + "mbarrier.pending_count.b64 r0, d9;", {8, 0}, 2});
      }
  rows.push_back(
      {std::string("mbarrier.init.shared.b64 [%shared], 3; mbarrier.arrive.noComplete.release.cta.shared.b64 "
                   "d9, [%shared], 1; mbarrier.arrive.shared.b64 d9, [%shared]; "
                   "mbarrier.pending_count.b64 r0, d9;"),
       {},
       2});
  expectRows(rows);
}

TEST(Instructions, OnClusters) {
  std::vector<Row> rows;
  for (const char *text :
       {"mapa.u64 d9, %shared, r2; ld.shared.b32 r0, [d9];",
        "mapa.shared::cluster.u64 d9, %shared, 0; ld.shared::cluster.b32 r0, [d9];",
        "cvt.u32.u64 r9, %shared; mapa.u32 r8, r9, r2; ld.shared.b32 r0, [r8];",
        "getctarank.u64 r9, %shared; add.s32 r0, r1, r9;",
        "cvt.u32.u64 r9, %shared; getctarank.shared::cluster.u32 r8, r9; add.s32 r0, r1, r8;",
        "getctarank.shared::cluster.u64 r9, %shared; add.s32 r0, r1, r9;",
        "cvt.u32.u64 r9, %shared; getctarank.u32 r8, r9; add.s32 r0, r1, r8;",
        "mov.u32 r8, %cluster_nctarank; mov.u32 r9, %cluster_ctarank; sub.u32 r8, r8, r9; mul.lo.u32 r0, "
        "r8, r1;",
        "mov.u32 r8, %nclusterid.x; mov.u32 r9, %clusterid.x; sub.u32 r8, r8, r9; mul.lo.u32 r0, r8, "
        "r1;"})
    rows.push_back({std::string("st.shared.b32 [%shared], r1; ") + text, {7, 0}, 7});
  expectRows(rows);
}

TEST(Instructions, OnWholeWarps) {
  std::vector<WarpRow> rows;
  std::vector<uint64_t> sevens(32, 7);
  std::vector<std::string> texts = {"setmaxnreg.inc.sync.aligned.u32 240", "setmaxnreg.dec.sync.aligned.u32 24"};
  for (const char *arrive : {"", ".release", ".relaxed"})
    for (const char *wait : {"", ".acquire"})
      for (const char *aligned : {"", ".aligned"})
        texts.push_back("barrier.cluster.arrive" + std::string(arrive) + aligned + "; barrier.cluster.wait" + wait +
                        aligned);
  for (const std::string &text : texts)
    rows.push_back({text + "; mov.b32 r0, r1;", {sevens}, sevens});
  expectWarpRows(rows);
}

//===----------------------------------------------------------------------===//
// Pipelines, and what breaks them
//===----------------------------------------------------------------------===//

/// Warp 0 loads eight times 512 bytes through two stages, the three others add them up: %r9. Parts can be replaced by
/// ones with a fault.
struct Pipeline {
  std::string expect = "mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 512;\n";
  std::string waitFull = "full: mbarrier.try_wait.parity.acquire.cta.shared.b64 %p1, [%r4], %r6; @!%p1 bra full;\n";
  std::string waitEmpty = "empty: mbarrier.try_wait.parity.shared.b64 %p1, [%r5], %r7; @!%p1 bra empty;\n";
  std::string release = "mbarrier.arrive.shared.b64 _, [%r5];\n";
  std::string start = "bar.sync 0;\n";

  std::string text() const {
    // %r4, %r5: the full and the empty barrier of the stage, %r3 its bytes, %r6 the parity, %r7 the other one.
    const std::string stage = "and.b32 %r8, %r2, 1; shl.b32 %r3, %r8, 9; add.u32 %r3, %r3, %r0; shl.b32 %r8, %r8, 3;\n"
                              "add.u32 %r4, %r1, %r8; add.u32 %r5, %r4, 16; shr.u32 %r6, %r2, 1; and.b32 %r6, %r6, 1; "
                              "xor.b32 %r7, %r6, 1;\n";
    return kernelText(
        "mov.u32 %r0, s; mov.u32 %r1, b; mov.u32 %r2, 0; mov.u32 %r9, 0; setp.eq.u32 %p0, %tid, 0; @!%p0 bra made;\n"
        "mbarrier.init.shared.b64 [%r1], 1; mbarrier.init.shared.b64 [%r1+8], 1;\n"
        "mbarrier.init.shared.b64 [%r1+16], 96; mbarrier.init.shared.b64 [%r1+24], 96;\n"
        "made: " +
            start +
            "setp.ge.u32 %p2, %tid, 32; @%p2 bra consume; @!%p0 bra end;\n"
            "produce: " +
            stage + waitEmpty + expect +
            "mul.wide.u32 %d1, %r2, 512; add.u64 %d1, %d1, %out;\n"
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%d1], 512, [%r4];\n"
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 8; @%p3 bra produce; bra.uni end;\n"
            "consume: " +
            stage + waitFull +
            "sub.u32 %r8, %tid, 32; shl.b32 %r8, %r8, 2; add.u32 %r8, %r8, %r3; ld.shared.b32 %r10, [%r8]; add.u32 "
            "%r9, %r9, "
            "%r10;\n" +
            release +
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 8; @%p3 bra consume;\n"
            "mul.wide.u32 %d1, %tid, 4; add.u64 %d1, %d1, %out; st.global.b32 [%d1+4096], %r9; end:",
        ".shared .align 128 .b8 s[1024];\n.shared .align 8 .b64 b[4];");
  }
  Ran run(WarpOrder order = WarpOrder::Normal) const {
    Options options;
    options.order = order;
    return runPtx(text(), {}, {128}, 1024 + 128, options, 0, [](uint64_t, std::vector<uint32_t> &words) {
      for (uint32_t i = 0; i < 1024; ++i)
        words[i] = i;
    });
  }
};

TEST(BulkCopies, APipelineOfStages) {
  for (WarpOrder order : kOrders) {
    Ran ran = Pipeline().run(order);
    ASSERT_TRUE(isClean(ran));
    for (uint32_t thread = 32; thread < 128; ++thread)
      EXPECT_EQ(ran.out[1024 + thread], 8 * (thread - 32) + 128 * 28);
    EXPECT_EQ(ran.counters.bulkCopies, 8u);
    EXPECT_EQ(ran.counters.bulkBytes, 4096u);
  }
}

static bool hasRace(const Ran &ran) {
  for (const Finding &finding : ran.findings)
    if (finding.kind == Finding::Kind::SharedRace &&
        finding.message.find("with no wait for it between") != std::string::npos)
      return true;
  return false;
}

TEST(BulkCopies, WhatBreaksAPipeline) {
  for (WarpOrder order : kOrders) {
    Pipeline p;
    p.expect = "mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 528;\n"; // more than comes
    EXPECT_TRUE(found(p.run(order), Finding::Kind::Deadlock, "0 arrivals of 1 and for 16 bytes"));
    p = Pipeline();
    p.release = ""; // nobody empties a stage
    EXPECT_TRUE(found(p.run(order), Finding::Kind::Deadlock, "96 arrivals of 96 and for 0 bytes"));
    p = Pipeline();
    p.release += p.release;
    EXPECT_FALSE(p.run(order).findings.empty()); // phases end too early
    p = Pipeline();
    p.waitEmpty = ""; // the producer overruns the consumers
    Ran ran = p.run(order);
    EXPECT_FALSE(ran.findings.empty());
    p = Pipeline();
    p.start = "";
    EXPECT_FALSE(p.run(order).findings.empty()); // barriers that other warps use before they are made
  }
  Pipeline p;
  p.waitFull = ""; // what is in flight is read
  Options options;
  options.checks.uninitialised = false;
  EXPECT_TRUE(hasRace(runPtx(p.text(), {}, {128}, 1152, options)));
  p = Pipeline();
  p.waitFull = "full: mbarrier.try_wait.parity.relaxed.cta.shared.b64 %p1, [%r4], %r6; @!%p1 bra full;\n";
  EXPECT_TRUE(hasRace(p.run()));
}

namespace {
struct Fault {
  const char *body;
  Finding::Kind kind;
  const char *message;
};
} // namespace

/// One thread: %r0 is memory of 1024 bytes, %r1 an mbarrier of one arrival.
static std::string alone(const std::string &body) {
  return kernelText("mov.u32 %r0, s; mov.u32 %r1, b; mbarrier.init.shared.b64 [%r1], 1; add.u64 %d1, %out, 4096;\n" +
                        body,
                    ".shared .align 1024 .b8 s[1024];\n.shared .align 8 .b64 b[4];");
}

TEST(BulkCopies, FaultsAreFound) {
  using Kind = Finding::Kind;
#define LOAD "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
#define WAIT "wait: mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 0; @!%p1 bra wait;"
#define TILE "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
  const Fault faults[] = {
      {"mbarrier.arrive.shared.b64 _, [%r1+8];", Kind::Mbarrier, "found none: mbarrier.init makes one"},
      {"mbarrier.inval.shared.b64 [%r1]; mbarrier.arrive.shared.b64 _, [%r1];", Kind::Mbarrier, "found none"},
      {"st.shared.b32 [%r1+4], 5; mbarrier.arrive.shared.b64 _, [%r1];", Kind::Mbarrier, "was overwritten"},
      {"mbarrier.init.shared.b64 [%r1+8], 0;", Kind::Mbarrier, "expected a count of 1 to 1048575, found 0"},
      {"mbarrier.arrive.shared.b64 _, [%r1], 2;", Kind::Mbarrier, "arrives 2 times"},
      {"mbarrier.arrive.noComplete.shared.b64 %d3, [%r1], 1;", Kind::Mbarrier, "which .noComplete rules out"},
      {"mbarrier.expect_tx.shared.b64 [%r1], 1048576;", Kind::Mbarrier, "expected at most 1048575 bytes in flight"},
      {"mbarrier.arrive.shared.b64 %d3, [%r1]; mbarrier.arrive.shared.b64 _, [%r1];\n"
       "mbarrier.test_wait.shared.b64 %p1, [%r1], %d3;",
       Kind::Mbarrier, "expected a state of the current phase"},
      {"mbarrier.arrive.shared.b64 _, [%r1+4];", Kind::Misaligned, "expected a multiple of 8"},
      {WAIT, Kind::Deadlock, "waits in vain for phase 0 of the mbarrier at byte"},
      {LOAD "[%r0], [%out], 24, [%r1];", Kind::Misaligned, "expected a number of bytes that 16 divides, found 24"},
      {LOAD "[%r0+8], [%out], 16, [%r1];", Kind::Misaligned, "expected an address in shared memory that 16 divides"},
      {LOAD "[%r0], [%out+4], 16, [%r1];", Kind::Misaligned, "expected an address at the other end that 16 divides"},
      {LOAD "[%r0+1056], [%out], 64, [%r1];", Kind::Bounds, "writes 16 bytes at address 0x420"},
      {LOAD "[%r0], [%d1+8192], 16, [%r1];", Kind::Bounds, "reads 16 bytes"},
      {LOAD "[%r0], [%out], 16, [%r1+8];", Kind::Mbarrier, "found none"},
      {LOAD "[%r0], [%out], 16, [%r1]; mbarrier.inval.shared.b64 [%r1];", Kind::Mbarrier, "copies are in flight"},
      {LOAD "[%r0], [%out], 16, [%r1]; mbarrier.init.shared.b64 [%r1], 1;", Kind::Mbarrier, "copies are in flight"},
      {LOAD "[%r0], [%out], 32, [%r1]; st.shared.b32 [%r0+16], 1;", Kind::SharedRace, "writes with no wait for it"},
      {LOAD "[%r0], [%out], 32, [%r1]; " LOAD "[%r0+16], [%out], 16, [%r1];", Kind::SharedRace, "with no wait for it"},
      {"st.shared.b32 [%r0], 1; " LOAD "[%r0], [%out], 32, [%r1];", Kind::ProxyFence, "expected fence.proxy.async"},
      {"mov.b16 %h0, 3; " LOAD "[%r0], [%out], 32, [%r1];\n"
       "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r0+32], [%out], 16, "
       "[%r1], "
       "%h0;",
       Kind::Bounds, "a mask of 1, found 3"},
      {"st.shared.v4.b32 [%r0], {1, 1, 1, 1}; cp.async.bulk.global.shared::cta.bulk_group [%out], [%r0], 16;\n"
       "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
       Kind::ProxyFence, "expected fence.proxy.async"},
      {"st.shared.v4.b32 [%r0], {1, 1, 1, 1}; fence.proxy.async; cp.async.bulk.global.shared::cta.bulk_group [%out], "
       "[%r0], "
       "16;\ncp.async.bulk.commit_group;",
       Kind::SharedRace, "expected cp.async.bulk.wait_group.read before the exit"},
      {"st.shared.v4.b32 [%r0], {1, 1, 1, 1}; fence.proxy.async; cp.async.bulk.global.shared::cta.bulk_group [%out], "
       "[%r0], "
       "16;\ncp.async.bulk.commit_group; st.shared.b32 [%r0], 2; cp.async.bulk.wait_group 0;",
       Kind::SharedRace, "reads with no wait for it between"},
      {"cp.async.bulk.global.shared::cta.bulk_group [%out], [%r0], 16; cp.async.bulk.commit_group;\n"
       "cp.async.bulk.wait_group 0;",
       Kind::Uninitialised, "was never written"},
      {TILE "[%r0], [%d1, {0, 0}], [%r1];", Kind::TensorMap, "expected the tensor at an address"},
      {TILE "[%r0], [%d1+32, {0, 0}], [%r1];", Kind::Misaligned, "the address of a tensor map that 64 divides"},
      {TILE "[%r0+16], [%d1+128, {0, 0}], [%r1];", Kind::Misaligned, "a tile in shared memory that 128 divides"},
      {"cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%d1+128, {0, 0, 0}], "
       "[%r1];",
       Kind::TensorMap, "expected a tensor of 3 dimensions, found 2"},
      {"mapa.shared::cluster.u32 %r2, %r0, 1;", Kind::Bounds, "expected block 0, the one of its cluster, found 1"},
      {"barrier.cluster.wait;", Kind::Barrier, "expected barrier.cluster.arrive before"},
      {"barrier.cluster.arrive; barrier.cluster.arrive;", Kind::Barrier,
       "arrives at the barrier of the cluster a second"},
  };
#undef LOAD
#undef WAIT
#undef TILE
  for (const Fault &fault : faults)
    EXPECT_TRUE(found(runPtx(alone(fault.body), {}, {1}, 2048, {}, 0,
                             [](uint64_t address, std::vector<uint32_t> &words) {
                               TensorMap map; // 64 x 8 words
                               map.address = address;
                               map.rankMinus1 = 1;
                               map.element = TensorElement::U32;
                               map.dims[0] = 64;
                               map.dims[1] = 8;
                               map.strides[0] = 256;
                               map.box[0] = 16;
                               map.box[1] = 4;
                               map.elementStrides[0] = map.elementStrides[1] = 1;
                               std::memcpy(&words[1024 + 32], &map, sizeof(map));
                             }),
                      fault.kind, fault.message))
        << fault.body;
}

TEST(BulkCopies, StoresOfBlocksToOneAddressRace) {
  std::string text =
      alone("mov.u32 %r2, %ctaid.x; st.shared.v4.b32 [%r0], {%r2, %r2, %r2, %r2}; fence.proxy.async;\n"
            "cp.async.bulk.global.shared::cta.bulk_group [%out], [%r0], 16; cp.async.bulk.commit_group;\n"
            "cp.async.bulk.wait_group 0;");
  Options options;
  options.threads = 1;
  EXPECT_TRUE(found(runPtx(text, {2}, {1}, 2048, options), Finding::Kind::GlobalRace, "which block 0 writes"));
}

TEST(Clusters, TheBarrierOrdersAsOneOfTheBlock) {
  // Warp 1 reads what warp 0 writes before it arrives; a warp that has exited is not missed.
  auto text = [](const char *arrive) {
    return kernelText(
        "mov.u32 %r0, s; setp.ge.u32 %p0, %tid, 64; @%p0 exit; setp.eq.u32 %p1, %tid, 0;\n"
        "@%p1 st.shared.b32 [%r0], 5;\n" +
            std::string(arrive) +
            " barrier.cluster.wait.acquire.aligned;\n"
            "setp.eq.u32 %p2, %tid, 32; @!%p2 bra end; ld.shared.b32 %r1, [%r0]; st.global.b32 [%out], %r1; end:",
        ".shared .align 16 .b8 s[16];");
  };
  for (WarpOrder order : kOrders) {
    Options options;
    options.order = order;
    Ran ran = runPtx(text("barrier.cluster.arrive.release.aligned;"), {}, {96}, 1, options);
    ASSERT_TRUE(isClean(ran));
    EXPECT_EQ(ran.out[0], 5u);
    EXPECT_TRUE(found(runPtx(text("barrier.cluster.arrive.relaxed.aligned;"), {}, {96}, 1, options),
                      Finding::Kind::SharedRace, "no barrier between"));
  }
}

TEST(Clusters, OfSeveralBlocksAreRefused) {
  std::string text = kernelText("mov.u32 %r0, %cluster_ctarank;");
  size_t body = text.find("\n{\n");
  Ran ran =
      runPtx(text.substr(0, body) + "\n.explicitcluster\n.reqnctapercluster 2, 1, 1" + text.substr(body), {2}, {32}, 1);
  EXPECT_NE(ran.error.find("expected clusters of one block, found 2 x 1 x 1 (.reqnctapercluster)"), std::string::npos)
      << ran.error;
}
