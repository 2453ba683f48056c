//===- ParametersTest.cpp -------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Parameters.h"
#include "FakeExecutable.h"
#include "Nova/Support/Safetensors.h"
#include "TempFolder.h"

#include <gtest/gtest.h>

using namespace nova;

static FakeExecutable executableWith(const std::vector<std::pair<std::string, std::vector<int64_t>>> &parameters) {
  Bundle bundle;
  for (const auto &[name, shape] : parameters) {
    bundle.state.push_back({{name, DType::F32, shape}, StateTensor::Role::Parameter, {}, {}});
    bundle.state.push_back({{name, DType::F32, shape}, StateTensor::Role::Moment1, {}, {}});
  }
  return FakeExecutable(std::move(bundle));
}

static FakeExecutable gpt2() {
  return executableWith({{"transformer.wte.weight", {3, 2}}, {"transformer.h.0.ln_1.bias", {2}}});
}

static std::vector<float> valuesOf(const FakeExecutable &executable, size_t index) {
  std::vector<float> values(executable.storage[index].size() / sizeof(float));
  std::memcpy(values.data(), executable.storage[index].data(), executable.storage[index].size());
  return values;
}

static const float kValues[] = {1, 2, 3, 4, 5, 6, 7, 8};

TEST(Parameters, ComeBackAsSaved) {
  TempFolder folder;
  FakeExecutable executable = gpt2();
  ASSERT_TRUE(executable.writeState(0, kValues));
  ASSERT_TRUE(executable.writeState(2, kValues + 6));
  ASSERT_TRUE(saveParameters(executable, folder.path("m.safetensors")));
  auto file = SafetensorsFile::open(folder.path("m.safetensors"));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->metadata().at("format"), "pt");
  ASSERT_EQ(file->entries().size(), 2u); // No moments.
  EXPECT_EQ(file->entries()[0].name, "transformer.wte.weight");

  FakeExecutable other = gpt2();
  ASSERT_TRUE(loadParameters(other, folder.path("m.safetensors")));
  EXPECT_EQ(other.storage, executable.storage);
}

TEST(Parameters, ThePrefixMayBeMissingOnEitherSide) {
  TempFolder folder;
  std::string bare = folder.path("bare"), prefixed = folder.path("prefixed");
  ASSERT_TRUE(writeSafetensors(
      bare, {{{"wte.weight", DType::F32, {3, 2}}, kValues}, {{"h.0.ln_1.bias", DType::F32, {2}}, kValues + 6}}));
  FakeExecutable executable = gpt2();
  ASSERT_TRUE(loadParameters(executable, bare));
  EXPECT_EQ(valuesOf(executable, 2), (std::vector<float>{7, 8}));
  ASSERT_TRUE(saveParameters(executable, prefixed));
  FakeExecutable without = executableWith({{"wte.weight", {3, 2}}, {"h.0.ln_1.bias", {2}}});
  ASSERT_TRUE(loadParameters(without, prefixed));
  EXPECT_EQ(valuesOf(without, 0), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Parameters, HalfPrecisionConverts) {
  TempFolder folder;
  const uint16_t bf16[] = {0x3f80, 0x4000};
  const uint16_t f16[] = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600};
  ASSERT_TRUE(writeSafetensors(
      folder.path("f"), {{{"wte.weight", DType::F16, {3, 2}}, f16}, {{"h.0.ln_1.bias", DType::BF16, {2}}, bf16}}));
  FakeExecutable executable = gpt2();
  ASSERT_TRUE(loadParameters(executable, folder.path("f")));
  EXPECT_EQ(valuesOf(executable, 0), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(valuesOf(executable, 2), (std::vector<float>{1, 2}));
}

TEST(Parameters, WhatCheckpointsHoldBesideIsIgnored) {
  TempFolder folder;
  ASSERT_TRUE(writeSafetensors(folder.path("f"), {{{"wte.weight", DType::F32, {3, 2}}, kValues},
                                                  {{"h.0.ln_1.bias", DType::F32, {2}}, kValues},
                                                  {{"h.0.attn.bias", DType::F32, {1, 1, 2, 2}}, kValues},
                                                  {{"h.0.attn.masked_bias", DType::F32, {}}, kValues}}));
  FakeExecutable executable = gpt2();
  EXPECT_TRUE(loadParameters(executable, folder.path("f")));
}

TEST(Parameters, TheHeadOfAnUntiedProgramIsRead) {
  TempFolder folder;
  ASSERT_TRUE(writeSafetensors(folder.path("f"), {{{"lm_head.weight", DType::F32, {2}}, kValues}}));
  FakeExecutable executable = executableWith({{"lm_head.weight", {2}}});
  ASSERT_TRUE(loadParameters(executable, folder.path("f")));
  EXPECT_EQ(valuesOf(executable, 0), (std::vector<float>{1, 2}));
}

static FakeExecutable tied() {
  Bundle bundle;
  bundle.state.push_back({{"e.weight", DType::F32, {3, 2}}, StateTensor::Role::Parameter, {}, {}, {"h.weight"}});
  return FakeExecutable(std::move(bundle));
}

TEST(Parameters, EitherNameOfATiedTensorIsRead) {
  TempFolder folder;
  for (const char *name : {"e.weight", "h.weight"}) {
    ASSERT_TRUE(writeSafetensors(folder.path("f"), {{{name, DType::F32, {3, 2}}, kValues}}));
    FakeExecutable executable = tied();
    ASSERT_TRUE(loadParameters(executable, folder.path("f"))) << name;
    EXPECT_EQ(valuesOf(executable, 0), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  }
}

TEST(Parameters, ATiedTensorIsSavedUnderAllItsNames) {
  TempFolder folder;
  FakeExecutable executable = tied(), other = tied();
  ASSERT_TRUE(executable.writeState(0, kValues));
  ASSERT_TRUE(saveParameters(executable, folder.path("f")));
  auto file = SafetensorsFile::open(folder.path("f"));
  ASSERT_TRUE(file);
  ASSERT_EQ(file->entries().size(), 2u);
  EXPECT_TRUE(file->find("e.weight") && file->find("h.weight"));
  ASSERT_TRUE(loadParameters(other, folder.path("f")));
  EXPECT_EQ(other.storage, executable.storage);
}

TEST(Parameters, TheNamesOfATiedTensorHaveOneValue) {
  TempFolder folder;
  ASSERT_TRUE(writeSafetensors(folder.path("f"), {{{"e.weight", DType::F32, {3, 2}}, kValues},
                                                  {{"h.weight", DType::F32, {3, 2}}, kValues + 1}}));
  FakeExecutable executable = tied();
  auto loaded = loadParameters(executable, folder.path("f"));
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("names of one tensor with different values: e.weight, h.weight"),
            std::string::npos);
  ASSERT_TRUE(writeSafetensors(folder.path("f"), {}));
  loaded = loadParameters(executable, folder.path("f"));
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("missing: e.weight or h.weight [3, 2]"), std::string::npos);
}

TEST(Parameters, EverythingWrongIsOneMessage) {
  TempFolder folder;
  std::string path = folder.path("f");
  ASSERT_TRUE(writeSafetensors(path, {{{"wte.weight", DType::F32, {2, 3}}, kValues},
                                      {{"transformer.wpe.weight", DType::F32, {2}}, kValues},
                                      {{"h.0.mlp.bias", DType::F32, {1}}, kValues}}));
  FakeExecutable executable = gpt2();
  auto loaded = loadParameters(executable, path);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message, path + ": expected the parameters of the program, found a file that differs\n"
                                           "  misshapen: transformer.wte.weight: expected [3, 2], found [2, 3]\n"
                                           "  missing: transformer.h.0.ln_1.bias [2]\n"
                                           "  unknown: h.0.mlp.bias [1]\n"
                                           "  unknown: transformer.wpe.weight [2]");
  EXPECT_EQ(valuesOf(executable, 0), std::vector<float>(6)); // Nothing was written.
}

TEST(Parameters, ANameWithAndWithoutThePrefixIsRefused) {
  TempFolder folder;
  ASSERT_TRUE(writeSafetensors(folder.path("f"), {{{"wte.weight", DType::F32, {3, 2}}, kValues},
                                                  {{"transformer.wte.weight", DType::F32, {3, 2}}, kValues},
                                                  {{"h.0.ln_1.bias", DType::F32, {2}}, kValues}}));
  FakeExecutable executable = gpt2();
  auto loaded = loadParameters(executable, folder.path("f"));
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("given twice, with and without the prefix: wte.weight"), std::string::npos);
}

TEST(Parameters, MayLieInShards) {
  TempFolder folder;
  std::filesystem::create_directories(folder.path("model"));
  ASSERT_TRUE(writeSafetensors(folder.path("model/model-00001-of-00002.safetensors"),
                               {{{"transformer.wte.weight", DType::F32, {3, 2}}, kValues}}));
  ASSERT_TRUE(writeSafetensors(folder.path("model/model-00002-of-00002.safetensors"),
                               {{{"transformer.h.0.ln_1.bias", DType::F32, {2}}, kValues + 6}}));
  std::string index =
      folder.write("model/model.safetensors.index.json", R"({"metadata": {"total_size": 32}, "weight_map": {
    "transformer.wte.weight": "model-00001-of-00002.safetensors",
    "transformer.h.0.ln_1.bias": "model-00002-of-00002.safetensors"}})");
  for (const std::string &path : {index, folder.path("model")}) {
    FakeExecutable executable = gpt2();
    auto loaded = loadParameters(executable, path);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(valuesOf(executable, 0), (std::vector<float>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(valuesOf(executable, 2), (std::vector<float>{7, 8}));
  }

  FakeExecutable executable = gpt2();
  auto errorOf = [&](const std::string &path) {
    auto loaded = loadParameters(executable, path);
    EXPECT_FALSE(loaded);
    return loaded ? "" : loaded.error().message;
  };
  folder.write("model/model.safetensors.index.json", R"({"weight_map": {"a": "../../etc/passwd"}})");
  EXPECT_EQ(errorOf(index), index + ": expected the name of a file beside it for 'a', found \"../../etc/passwd\"");
  folder.write("model/model.safetensors.index.json", R"({"weight_map": {"a": "missing.safetensors"}})");
  EXPECT_NE(errorOf(index).find("missing.safetensors: cannot open"), std::string::npos);
  folder.write("model/model.safetensors.index.json", "[]");
  EXPECT_EQ(errorOf(index), index +
                                ": expected an object with a weight_map from names to files, as transformers writes "
                                "it");
  EXPECT_EQ(errorOf(folder.root), folder.root + ": expected model.safetensors or model.safetensors.index.json in the "
                                                "folder, found neither");
}
