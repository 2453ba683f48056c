//===- InstructionRowsTest.cpp - Rows that a script computes --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows/rows.py writes tens of thousands of rows when tests are built: every form of every instruction that computes,
// with values at the edges, its results by exact arithmetic.
//
//===----------------------------------------------------------------------===//

#include "InstructionTest.h"

#include <fstream>
#include <sstream>

using namespace nova::emulator;

static std::vector<uint64_t> lanesFrom(const std::string &word) {
  std::vector<uint64_t> lanes;
  std::istringstream values(word);
  for (std::string value; std::getline(values, value, ',');)
    lanes.push_back(std::stoull(value, nullptr, 16));
  return lanes;
}

TEST(Instructions, GiveWhatTheirDefinitionsSay) {
  std::ifstream file(NOVA_EMULATOR_ROWS);
  std::vector<Row> rows;
  std::vector<WarpRow> warpRows;
  for (std::string line; std::getline(file, line);) {
    size_t first = line.find('|'), second = line.find('|', first + 1);
    // A '|' between two results belongs to the instruction.
    while (line.find('|', second + 1) != std::string::npos)
      first = second, second = line.find('|', second + 1);
    WarpRow row = {line.substr(0, first), {}, lanesFrom(line.substr(second + 1))};
    std::istringstream words(line.substr(first + 1, second - first - 1));
    for (std::string word; words >> word;)
      row.inputs.push_back(lanesFrom(word));
    if (row.expected.size() == 32) {
      warpRows.push_back(std::move(row));
      continue;
    }
    std::vector<uint64_t> inputs;
    for (const std::vector<uint64_t> &input : row.inputs)
      inputs.push_back(input.front());
    rows.push_back({row.text, inputs, row.expected.front()});
  }
  EXPECT_GT(rows.size(), 40000u) << "expected rows in " << NOVA_EMULATOR_ROWS;
  EXPECT_GT(warpRows.size(), 200u);
  expectRows(rows);
  expectWarpRows(warpRows);
}

TEST(Instructions, ThatChangeNoValue) {
  std::vector<Row> rows;
  for (const char *text : {"brkpt",
                           "nanosleep.u32 r1",
                           "pmevent 3",
                           "pmevent.mask 5",
                           "griddepcontrol.wait",
                           "griddepcontrol.launch_dependents",
                           "prefetch [%own]",
                           "prefetch.L1 [%own]",
                           "prefetch.global.L1 [%own]",
                           "prefetch.L2 [%own]",
                           "prefetch.global.L2 [%own]",
                           "prefetch.local.L1 [%local]",
                           "prefetch.local.L2 [%local]",
                           "prefetch.global.L2::evict_last [%own]",
                           "prefetch.local [%local]",
                           "prefetch.global [%own]",
                           "prefetchu.L1 [%own]",
                           "prefetchu.global.L1 [%own]",
                           "prefetchu.local.L1 [%local]",
                           "applypriority.global.L2::evict_normal [%own], 128",
                           "applypriority.L2::evict_normal [%own], 128",
                           "applypriority.global [%own], 128",
                           "applypriority [%own], 128",
                           "membar.cta",
                           "membar.gl",
                           "membar.sys",
                           "membar.proxy.alias",
                           "membar.proxy.async",
                           "fence.proxy.alias",
                           "fence.proxy.async",
                           "fence.proxy.async.global",
                           "fence.proxy.async.shared::cta",
                           "fence.mbarrier_init.release.cluster"})
    rows.push_back({std::string(text) + "; mov.b32 r0, r1;", {7}, 7});
  for (const char *order : {"", ".sc", ".acq_rel", ".acquire", ".release"})
    for (const char *scope : {".cta", ".cluster", ".gpu", ".sys"})
      rows.push_back({std::string("fence") + order + scope + "; mov.b32 r0, r1;", {7}, 7});
  // Scopes, hints for caches, and the longer names of spaces.
  const char *put = "st.global.b32 [%own], r1; st.shared.b32 [%shared], r1; ";
  for (const char *load :
       {"ld.weak.global.u32 r0, [%own]", "ld.relaxed.gpu.global.u32 r0, [%own]", "ld.acquire.sys.global.u32 r0, [%own]",
        "ld.global.ca.u32 r0, [%own]", "ld.global.cg.u32 r0, [%own]", "ld.global.cs.u32 r0, [%own]",
        "ld.global.lu.u32 r0, [%own]", "ld.global.cv.u32 r0, [%own]", "ld.global.nc.u32 r0, [%own]",
        "ld.global.nc.L1::no_allocate.L2::128B.u32 r0, [%own]", "ld.global.L2::cache_hint.u32 r0, [%own], %own",
        "ld.shared::cta.u32 r0, [%shared]", "ld.shared::cluster.u32 r0, [%shared]",
        "atom.relaxed.gpu.global.L2::cache_hint.exch.b32 r0, [%own], r2, %own"})
    rows.push_back({std::string(put) + load + ";", {7, 8}, 7});
  for (const char *store :
       {"st.weak.global.u32 [%own], r2", "st.relaxed.cta.global.u32 [%own], r2",
        "st.release.cluster.global.u32 [%own], r2", "st.global.wb.u32 [%own], r2", "st.global.cg.u32 [%own], r2",
        "st.global.cs.u32 [%own], r2", "st.global.wt.u32 [%own], r2", "st.global.L1::evict_last.u32 [%own], r2"})
    rows.push_back({std::string(put) + store + "; ld.global.u32 r0, [%own];", {7, 8}, 8});
  for (const char *policy :
       {"createpolicy.fractional.L2::evict_last.b64 d9, 0f3F000000", "createpolicy.fractional.L2::evict_first.b64 d9",
        "createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 d9, [%own], 64, 128",
        "createpolicy.cvt.L2.b64 d9, %own"})
    rows.push_back(
        {std::string(put) + policy + "; ld.global.L1::evict_last.L2::cache_hint.b32 {r0}, [%own], d9;", {7}, 7});
  rows.push_back({".param .b32 pf; st.param::func.b32 [pf], r1; ld.param::func.b32 r0, [pf];", {9}, 9});
  expectRows(rows);
}

TEST(Instructions, OnAddressesAndMemory) {
  std::vector<Row> rows;
  for (const char *space : {"global", "shared", "local"}) {
    std::string name = space == std::string("global") ? "%own" : std::string("%") + space, s = std::string(".") + space;
    rows.push_back(
        {"cvta" + s + ".u64 d9, " + name + "; st.b32 [d9], r1; ld" + s + ".b32 r0, [" + name + "];", {5}, 5});
    rows.push_back(
        {"cvta" + s + ".u64 d9, " + name + "; cvta.to" + s + ".u64 d8, d9; sub.s64 d0, d8, " + name + ";", {}, 0});
    for (const char *other : {"global", "shared", "local", "param"})
      rows.push_back({"cvta" + s + ".u64 d9, " + name + "; isspacep." + other + " p0, d9;", {}, s.substr(1) == other});
  }
  rows.push_back({"mov.u64 d9, c; cvta.const.u64 d8, d9; ld.u8 r0, [d8+3];", {}, 21});
  rows.push_back({"mov.u64 d9, c; cvta.const.u64 d8, d9; cvta.to.const.u64 d7, d8; sub.s64 d0, d7, d9;", {}, 0});
  rows.push_back({"mov.u64 d9, out; cvta.param.u64 d8, d9; ld.u64 d7, [d8]; sub.s64 d0, d7, %out;", {}, 0});
  rows.push_back({"mov.u64 d9, out; cvta.param.u64 d8, d9; cvta.to.param.u64 d7, d8; sub.s64 d0, d7, d9;", {}, 0});
  rows.push_back({"mov.u64 d9, out; cvta.param.u64 d8, d9; isspacep.param p0, d8;", {}, 1});
  rows.push_back({"ld.param::entry.u64 d9, [out]; sub.s64 d0, d9, %out;", {}, 0});
  // Parts of registers.
  rows.push_back({"mov.b32 r0, {h1, h2};", {0x1234, 0xabcd}, 0xabcd1234});
  rows.push_back({"mov.b32 {h0, h9}, r1;", {0xabcd1234}, 0x1234});
  rows.push_back({"mov.b32 {_, h0}, r1;", {0xabcd1234}, 0xabcd});
  rows.push_back({"mov.b64 d0, {r1, r2};", {1, 2}, 0x200000001});
  rows.push_back({"mov.b64 {r9, r0}, d1;", {0x200000001}, 2});
  rows.push_back({"mov.b64 d0, {h1, h2, h3, h4};", {1, 2, 3, 4}, 0x4000300020001});
  rows.push_back({"mov.b64 {h9, h8, h0, h7}, d1;", {0x4000300020001}, 3});
  rows.push_back({"mov.b32 r0, {h1, h2, h3, h4};", {0x11, 0x22, 0x33, 0x44}, 0x44332211});
  rows.push_back({"mov.b16 h0, {h1, h2};", {0x11, 0x22}, 0x2211});
  for (const char *name : {"and", "or", "xor"})
    for (uint64_t a : {0, 1})
      for (uint64_t b : {0, 1})
        rows.push_back({std::string(name) + ".pred p0, p1, p2;",
                        {a, b},
                        *name == 'a'   ? a & b
                        : *name == 'o' ? a | b
                                       : a ^ b});
  // Copies that arrive late.
  std::string put = "st.global.b32 [%own], r1; st.global.b32 [%own+4], r2; st.global.b64 [%own+8], 9; ";
  std::string get = "cp.async.commit_group; cp.async.wait_group 0; ld.shared.b32 r0, [%shared+4];";
  for (const char *kind : {"ca.shared.global", "cg.shared.global", "ca.shared::cta.global", "cg.shared::cta.global",
                           "cg.shared.global.L2::128B"}) {
    std::string copy = std::string("cp.async.") + kind;
    rows.push_back({put + copy + " [%shared], [%own], 16; " + get, {5, 6}, 6});
    rows.push_back({put + copy + " [%shared], [%own], 16, 4; " + get, {5, 6}, 0});
    rows.push_back({put + copy + " [%shared], [%own], 16, p3; " + get, {5, 6, 1}, 0});
    rows.push_back({put + copy + " [%shared], [%own], 16, p3; " + get, {5, 6, 0}, 6});
  }
  rows.push_back(
      {put + "cp.async.ca.shared.global [%shared+4], [%own], 4; cp.async.wait_all; ld.shared.b32 r0, [%shared+4];",
       {5, 6},
       5});
  rows.push_back(
      {put + "cp.async.ca.shared.global [%shared], [%own], 8; cp.async.wait_all; ld.shared.b32 r0, [%shared+4];",
       {5, 6},
       6});
  expectRows(rows);
}

TEST(Instructions, OnBarriersInMemory) {
  std::vector<Row> rows;
  for (const char *space : {"", ".shared", ".shared::cta"}) {
    std::string s = space, at = s.empty() ? "[d8]" : "[%shared]";
    std::string init = "cvta.shared.u64 d8, %shared; mbarrier.init" + s + ".b64 " + at + ", r1; ";
    // Two arrivals make a phase; the state of the first says which phase it was in.
    for (const char *order : {"", ".release", ".relaxed"}) {
      std::string arrive = "mbarrier.arrive" + std::string(order) + s + ".b64 ";
      for (const char *wait : {"test_wait", "try_wait"})
        for (const char *acquire : {"", ".acquire", ".relaxed"}) {
          std::string test = "mbarrier." + std::string(wait) + acquire + s + ".b64 p0, " + at + ", d9;";
          std::string parity = "mbarrier." + std::string(wait) + ".parity" + acquire + s + ".b64 p0, " + at + ", r2;";
          rows.push_back({init + arrive + "d9, " + at + "; " + test, {2}, 0});
          rows.push_back({init + arrive + "d9, " + at + "; " + arrive + "_, " + at + "; " + test, {2}, 1});
          rows.push_back({init + arrive + "d9, " + at + ", 2; " + test, {2}, 1});
          rows.push_back({init + arrive + "d9, " + at + ", 2; " + parity, {2, 0}, 1});
          rows.push_back({init + arrive + "d9, " + at + ", 2; " + parity, {2, 1}, 0});
        }
      std::string test = "mbarrier.test_wait" + s + ".b64 p0, " + at + ", d9;";
      // What drops out is expected no more: in the second phase one arrival is enough.
      std::string drop = "mbarrier.arrive_drop" + std::string(order) + s + ".b64 ";
      rows.push_back(
          {init + drop + "d9, " + at + "; " + arrive + "d9, " + at + "; " + arrive + "d9, " + at + "; " + test,
           {2},
           1});
      rows.push_back({init + "mbarrier.arrive.noComplete" + order + s + ".b64 d9, " + at +
                          ", 1; mbarrier.pending_count.b64 r0, d9;",
                      {4},
                      4});
      rows.push_back({init + "mbarrier.arrive_drop.noComplete" + order + s + ".b64 d9, " + at + ", 2; " + arrive +
                          "d9, " + at + "; mbarrier.pending_count.b64 r0, d9;",
                      {4},
                      2});
    }
    rows.push_back({init + "mbarrier.inval" + s + ".b64 " + at + "; mov.b32 r0, r1;", {2}, 2});
    // The copies of a lane arrive: counted among those expected, or beside them.
    std::string copy = "st.global.b32 [%own], r2; cp.async.ca.shared.global [%shared+16], [%own], 4; ";
    rows.push_back({init + copy + "cp.async.mbarrier.arrive.noinc" + s + ".b64 " + at + "; mbarrier.test_wait.parity" +
                        s + ".b64 p9, " + at + ", 0; ld.shared.b32 r9, [%shared+16]; selp.b32 r0, r9, 0, p9;",
                    {1, 7},
                    7});
    rows.push_back({init + copy + "cp.async.mbarrier.arrive" + s + ".b64 " + at + "; mbarrier.test_wait.parity" + s +
                        ".b64 p9, " + at + ", 0; ld.shared.b32 r9, [%shared+16]; selp.b32 r0, 1, r9, p9;",
                    {1, 7},
                    7});
  }
  expectRows(rows);
}
