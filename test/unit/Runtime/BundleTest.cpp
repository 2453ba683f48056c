//===- BundleTest.cpp -----------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/Bundle.h"
#include "Damage.h"
#include "Nova/Support/Hash.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace nova;

/// One of everything.
static Bundle sampleBundle() {
  Bundle bundle;
  bundle.producer = "0.1.0";
  bundle.options = {{"mode", "fused"}, {"dtype", "f32"}};
  bundle.regionBytes[static_cast<size_t>(Region::State)] = 256;
  bundle.regionBytes[static_cast<size_t>(Region::Arena)] = 128;
  bundle.regionBytes[static_cast<size_t>(Region::Io)] = 128;
  bundle.constants = "constant";
  bundle.regionBytes[static_cast<size_t>(Region::Constants)] = bundle.constants.size();
  bundle.state.push_back({{"w", DType::F32, {4, 8}},
                          StateTensor::Role::Parameter,
                          {Region::State, 0},
                          {Initializer::Kind::Normal, 0.0, 0.02}});
  bundle.state.push_back({{"w", DType::F32, {4, 8}}, StateTensor::Role::Moment1, {Region::State, 128}, {}});
  bundle.kernels.push_back({"matmul_0",
                            "matmul",
                            "a.mlir:3:8",
                            4,
                            64,
                            128,
                            1024,
                            Unit::Pairs,
                            256,
                            384,
                            1,
                            {128, 16},
                            {DType::F32, DType::F32}});
  Entry entry;
  entry.name = "train_step";
  entry.inputs.push_back({{"x", DType::I32, {4}}, "data", {Region::Io, 0}, 256});
  entry.inputs.push_back({{"lr", DType::F32, {}}, "lr", {Region::Io, 64}});
  entry.outputs.push_back({{"loss", DType::F32, {}}, "loss", {Region::Arena, 64}});
  entry.launches.push_back({0, {{Region::State, 0}, {Region::Io, 0}}});
  bundle.entries.push_back(entry);
  bundle.images.push_back({"cpu",
                           "elf",
                           {"avx2", "fma"},
                           std::string("\x7f"
                                       "ELF")});
  bundle.images.push_back({"sm_89", "ptx", {}, ".version 8.0"});
  return bundle;
}

static std::string messageOf(const Bundle &bundle) {
  auto parsed = parseBundle(serialize(bundle), "b");
  return parsed ? "" : parsed.error().message;
}

TEST(Bundle, ReadsWhatItWrote) {
  Bundle bundle = sampleBundle();
  std::string bytes = serialize(bundle);
  auto parsed = parseBundle(bytes, "b");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(serialize(*parsed), bytes);
  EXPECT_EQ(tablesToJson(*parsed), tablesToJson(bundle));
  EXPECT_EQ(parsed->constants, "constant");
  EXPECT_EQ(parsed->images[0].bytes, "\x7f"
                                     "ELF");
  EXPECT_EQ(parsed->images[1].features, std::vector<std::string>{});
  EXPECT_EQ(parsed->state[0].init.b, 0.02);
  EXPECT_EQ(parsed->entries[0].inputs[0].bound, 256);
}

TEST(Bundle, AFileHoldsABundlePerTarget) {
  Bundle cpu = sampleBundle(), gpu = sampleBundle();
  gpu.images = {{"sm_89", "ptx", {}, ".version 7.8"}};
  gpu.kernels[0].blocks = 77;
  std::string bytes = serialize({&gpu, &cpu});
  auto all = parseBundles(bytes, "b");
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ(tablesToJson((*all)[0]), tablesToJson(gpu));
  EXPECT_EQ((*all)[0].images[0].bytes, ".version 7.8");
  auto first = parseBundle(bytes, "b");
  ASSERT_TRUE(first);
  EXPECT_EQ(tablesToJson(*first), tablesToJson(cpu));
}

TEST(Bundle, NumbersThatJsonLacksSurvive) {
  Bundle bundle = sampleBundle();
  for (double value : {HUGE_VAL, -HUGE_VAL, double(NAN), 0.1, 1e-320}) {
    bundle.state[0].init = {Initializer::Kind::Constant, value, 0};
    auto parsed = parseBundle(serialize(bundle), "b");
    ASSERT_TRUE(parsed);
    EXPECT_EQ(std::memcmp(&parsed->state[0].init.a, &value, sizeof(value)), 0) << value;
  }
}

TEST(Bundle, NamesThatAreNoUtf8DoNotStopTheWriter) {
  Bundle bundle = sampleBundle();
  bundle.kernels[0].location = "\xff.mlir";
  EXPECT_EQ(messageOf(bundle), "");
}

TEST(Bundle, RefusesOtherFilesAndVersions) {
  EXPECT_EQ(parseBundle("module {}", "b").error().message, "b: not a bundle: expected the magic bytes NOVABNDL");
  std::string bytes = serialize(sampleBundle());
  bytes[8] = 9;
  EXPECT_EQ(parseBundle(bytes, "b").error().message,
            "b: expected bundle version 3, found 9; make it again with this version of nova-translate");
}

TEST(Bundle, AnyChangeIsNoticed) {
  std::string good = serialize(sampleBundle());
  forEachDamage(good, good.size(), [&](const std::string &bad) {
    if (bad != good)
      ASSERT_FALSE(parseBundle(bad, "b"));
  });
}

/// `bytes` with a checksum that fits: what a hostile author writes.
static std::string withChecksum(std::string bytes) {
  FileHeader header;
  if (bytes.size() < sizeof(header))
    return bytes;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.fileBytes = bytes.size();
  header.checksum = 0;
  uint64_t seed = hash64({reinterpret_cast<const char *>(&header), sizeof(header)});
  header.checksum = hash64(std::string_view(bytes).substr(sizeof(header)), seed);
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

TEST(Bundle, NoDamageWithAFittingChecksumCrashes) {
  std::string good = serialize(sampleBundle());
  forEachDamage(good, good.size(), [](const std::string &bad) {
    if (auto parsed = parseBundle(withChecksum(bad), "b"))
      ASSERT_TRUE(verifyBundle(*parsed, "b"));
  });
}

TEST(Bundle, NoDamageOfTheTablesCrashes) {
  std::string good = tablesToJson(sampleBundle());
  forEachDamage(good, good.size(), [](const std::string &bad) { (void)tablesFromJson(bad, "b"); });
  (void)tablesFromJson(std::string(1000000, '['), "b");
  (void)tablesFromJson("{\"state\":" + std::string(1000000, '['), "b");
}

TEST(Bundle, TablesReportTheirPath) {
  EXPECT_EQ(tablesFromJson("{}", "b").error().message, "b: tables: producer: expected a value, found none");
  EXPECT_EQ(tablesFromJson("[1]", "b").error().message, "b: tables: the top: expected an object, found a list of 1");
  std::string json = tablesToJson(sampleBundle());
  std::string from = "\"kernel\":0";
  json.replace(json.find(from), from.size(), "\"kernel\":-1");
  EXPECT_EQ(tablesFromJson(json, "b").error().message,
            "b: tables: entries[0].launches[0].kernel: expected a whole number below 2^32, found -1");
  json = tablesToJson(sampleBundle());
  from = "[\"state\",0]";
  json.replace(json.find(from), from.size(), "[\"stack\",0]");
  EXPECT_EQ(tablesFromJson(json, "b").error().message,
            "b: tables: state[0].address[0]: expected one of state, arena, constants, io, found \"stack\"");
}

TEST(Bundle, RefusesLaunchesThatDoNotFit) {
  Bundle bundle = sampleBundle();
  bundle.entries[0].launches[0].kernel = 1;
  EXPECT_EQ(messageOf(bundle), "b: tables: entry 'train_step': launch 0: expected one of 1 kernels, found number 1");
  bundle = sampleBundle();
  bundle.entries[0].launches[0].arguments.pop_back();
  EXPECT_EQ(messageOf(bundle),
            "b: tables: entry 'train_step': launch 0: expected 2 arguments for kernel 'matmul_0', found 1");
  bundle = sampleBundle();
  bundle.entries[0].launches[0].arguments[1].offset = 120;
  EXPECT_EQ(messageOf(bundle), "b: tables: entry 'train_step': launch 0, argument 1: 16 bytes at offset 120 reach "
                               "beyond a region of 128");
  bundle.entries[0].launches[0].arguments[1].offset = UINT64_MAX - 8;
  EXPECT_NE(messageOf(bundle), "");
}

TEST(Bundle, RefusesStateThatDoesNotFit) {
  Bundle bundle = sampleBundle();
  bundle.state[1].address.offset = 64;
  EXPECT_EQ(messageOf(bundle), "b: tables: state tensors overlap at offset 64");
  bundle.state[1].address.offset = 130;
  EXPECT_NE(messageOf(bundle), "");
  bundle = sampleBundle();
  bundle.state[1].role = StateTensor::Role::Parameter;
  EXPECT_EQ(messageOf(bundle), "b: tables: state 'w' occurs twice");
  bundle = sampleBundle();
  bundle.state[0].tensor.shape = {INT64_MAX, INT64_MAX};
  EXPECT_NE(messageOf(bundle).find("64-bit addresses"), std::string::npos);
}

TEST(Bundle, RefusesTablesThatContradictThemselves) {
  Bundle bundle = sampleBundle();
  bundle.kernels[0].blocks = -1;
  EXPECT_EQ(messageOf(bundle), "b: tables: kernel 'matmul_0': expected 0 or more blocks, found -1");
  bundle = sampleBundle();
  bundle.kernels.push_back(bundle.kernels[0]);
  EXPECT_EQ(messageOf(bundle), "b: tables: kernel 'matmul_0' occurs twice");
  bundle = sampleBundle();
  bundle.regionBytes[0] = UINT64_MAX;
  EXPECT_EQ(messageOf(bundle), "b: tables: expected regions of at most 2^46 bytes, found 18446744073709551615");
  bundle = sampleBundle();
  bundle.entries[0].inputs[1].tensor.dtype = DType::F64;
  EXPECT_EQ(messageOf(bundle), "b: tables: entry 'train_step': input 'lr': expected tensor<f32>, found tensor<f64>");
  bundle = sampleBundle();
  bundle.images[0].format = "exe";
  EXPECT_EQ(messageOf(bundle), "b: tables: image for 'cpu': expected format elf, ptx or cubin, found 'exe'");
}
