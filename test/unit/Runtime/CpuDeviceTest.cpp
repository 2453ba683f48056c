//===- CpuDeviceTest.cpp --------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/Executable.h"
#include "Nova/Runtime/HostCpu.h"
#include "Nova/Support/Random.h"
#include "TempFolder.h"
#include "TestProgram/TestProgram.h"

#include <cstring>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace nova;

static std::unique_ptr<Executable> load(Bundle bundle, unsigned threads = 2, const std::string &folder = "") {
  auto executable = loadOnCpu(std::make_shared<Bundle>(std::move(bundle)), {threads, folder});
  EXPECT_TRUE(executable) << executable.error().message;
  return std::move(*executable);
}

static Error loadError(Bundle bundle, const std::string &folder = "") {
  auto executable = loadOnCpu(std::make_shared<Bundle>(std::move(bundle)), {1, folder});
  EXPECT_FALSE(executable);
  return executable ? Error() : executable.error();
}

static size_t entryNamed(const Executable &executable, const std::string &name) {
  const std::vector<Entry> &entries = executable.tables().entries;
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries[i].name == name)
      return i;
  return SIZE_MAX;
}

TEST(CpuDevice, TestProgramIsAValidBundle) {
  auto parsed = parseBundle(serialize(testProgram()), "b");
  EXPECT_TRUE(parsed) << parsed.error().message;
}

TEST(CpuDevice, RunsAnEntry) {
  auto executable = load(testProgram());
  const float a[6] = {0, 1, 2, 3, 4, 5};
  float result[6] = {};
  ASSERT_TRUE(executable->run(entryNamed(*executable, "affine"), {a}, {result}));
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(result[i], 2 * a[i] + 1);
  ASSERT_TRUE(executable->run(entryNamed(*executable, "affine"), {a}, {nullptr}));
}

/// Bits of everything that 20 steps leave behind.
static std::vector<float> trainedState(unsigned threads) {
  auto executable = load(testProgram(), threads);
  EXPECT_TRUE(initializeState(*executable, 7));
  std::vector<int32_t> x(kBatch * kLength), y(kBatch * kLength);
  float lr = 0.1f;
  int64_t seed = 7;
  std::vector<float> trace;
  for (int64_t step = 0; step < 20; ++step) {
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<int32_t>(randomBelow(kVocabulary, 1, step, i));
      y[i] = (x[i] * 3 + 1) % kVocabulary;
    }
    float loss = 0, norm = 0;
    EXPECT_TRUE(executable->run(entryNamed(*executable, "train_step"), {x.data(), y.data(), &lr, &step, &seed},
                                {&loss, &norm}));
    trace.insert(trace.end(), {loss, norm});
  }
  std::vector<float> table(kVocabulary);
  EXPECT_TRUE(executable->readState(0, table.data()));
  trace.insert(trace.end(), table.begin(), table.end());
  return trace;
}

TEST(CpuDevice, TrainsWithTheSameBitsForEveryNumberOfThreads) {
  std::vector<float> one = trainedState(1);
  EXPECT_LT(one[38], one[0]);
  EXPECT_EQ(one, trainedState(1));
  EXPECT_EQ(one, trainedState(2));
  EXPECT_EQ(one, trainedState(5));
}

TEST(CpuDevice, StateStartsAtZeroAndCanBeCopied) {
  auto executable = load(testProgram());
  std::vector<float> table(kVocabulary, 1.0f), zero(kVocabulary);
  ASSERT_TRUE(executable->readState(2, table.data()));
  EXPECT_EQ(table, zero);
  table.assign(kVocabulary, 3.0f);
  ASSERT_TRUE(executable->writeState(0, table.data()));
  std::vector<float> back(kVocabulary);
  ASSERT_TRUE(executable->readState(0, back.data()));
  EXPECT_EQ(back, table);
}

TEST(CpuDevice, InitialValuesDependOnSeedNameAndIndexOnly) {
  auto executable = load(testProgram());
  ASSERT_TRUE(initializeState(*executable, 7));
  std::vector<float> table(kVocabulary);
  ASSERT_TRUE(executable->readState(0, table.data()));
  for (int64_t i = 0; i < kVocabulary; ++i)
    EXPECT_EQ(table[i], 0.02f * randomNormal(7, streamOf("transformer.wte.weight"), i));
  float bias = 0;
  ASSERT_TRUE(executable->readState(1, &bias));
  EXPECT_EQ(bias, 0.5f);
}

TEST(CpuDevice, AValueBeyondTheVocabularyIsNamed) {
  for (unsigned threads : {1u, 2u, 4u}) {
    auto executable = load(testProgram(), threads);
    std::vector<int32_t> x(kBatch * kLength, 5), y(kBatch * kLength, 5);
    x[13] = 200;
    x[27] = -1;
    float loss;
    size_t entry = entryNamed(*executable, "loss");
    auto done = executable->run(entry, {x.data(), y.data()}, {&loss});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message, "test.mlir:2:3: kernel 'predict': expected 0 <= value < 128 in input 'x', found "
                                    "200 at position 13");
    EXPECT_EQ(done.error().kind, ErrorKind::Input);
    auto fault = executable->dataFault();
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->input, 0u);
    EXPECT_EQ(fault->position, 13);
    // The error does not stick.
    x.assign(x.size(), 5);
    EXPECT_TRUE(executable->run(entry, {x.data(), y.data()}, {&loss}));
    EXPECT_FALSE(executable->dataFault());
  }
}

TEST(CpuDevice, NamesTheFeaturesThatTheCpuLacks) {
  Bundle bundle = testProgram();
  bundle.images[0].features = {"sse2", "avx1024", "fma9"};
  Error error = loadError(bundle);
  EXPECT_EQ(error.kind, ErrorKind::Device);
  EXPECT_EQ(error.message, "the bundle has no image that runs on this CPU (" + hostCpu().model +
                               "); an image needs avx1024 fma9; make one for it with nova-translate --cpu");
  bundle.images[0].target = "sm_89";
  EXPECT_EQ(loadError(bundle).message, "the bundle has no image for the CPU; make it with --targets=cpu");
}

TEST(CpuDevice, TakesTheImageWithMostFeatures) {
  Bundle bundle = testProgram();
  Image poor = bundle.images[0];
  poor.features = {};
  poor.bytes = "no shared object";
  bundle.images.insert(bundle.images.begin(), poor);
  load(bundle);
}

TEST(CpuDevice, BrokenImagesAreErrors) {
  Bundle bundle = testProgram();
  bundle.images[0].bytes = "no shared object";
  EXPECT_NE(loadError(bundle).message.find("cannot load the kernels"), std::string::npos);
  bundle = testProgram();
  bundle.kernels[0].name = "missing";
  EXPECT_NE(loadError(bundle).message.find("expected a kernel named 'missing', found none"), std::string::npos);
}

TEST(CpuDevice, TooMuchMemoryIsAnError) {
  Bundle bundle = testProgram();
  bundle.regionBytes[static_cast<size_t>(Region::Arena)] = uint64_t(1) << 46;
  Error error = loadError(bundle);
  EXPECT_EQ(error.message, "cannot allocate 70368744177664 bytes for activations: Cannot allocate memory; use a "
                           "smaller batch or model");
  EXPECT_EQ(error.kind, ErrorKind::Device);
}

TEST(CpuDevice, KernelsAreOnlyLoadedFromPrivateFolders) {
  TempFolder folder;
  std::string inside = folder.path("images");
  load(testProgram(), 1, inside);
  struct stat info;
  ASSERT_EQ(stat(inside.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  ASSERT_EQ(chmod(inside.c_str(), 0770), 0);
  Error error = loadError(testProgram(), inside);
  EXPECT_EQ(error.message, inside + ": expected a folder that only its owner can write; use chmod go-w, as kernels are "
                                    "loaded from it");
  EXPECT_EQ(loadError(testProgram(), folder.write("file", "")).message,
            folder.path("file") + ": expected a folder, found a file");
}

TEST(CpuDevice, ADamagedImageFileIsWrittenAgain) {
  TempFolder folder;
  load(testProgram(), 1, folder.root);
  ASSERT_EQ(folder.names().size(), 1u);
  std::string name = folder.names()[0], good = folder.read(name);
  folder.write(name, "damaged");
  load(testProgram(), 1, folder.root);
  EXPECT_EQ(folder.read(name), good);
}

TEST(HostCpu, ReadsTheFirstProcessor) {
  HostCpu cpu = parseCpuInfo("processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\nflags\t\t: fpu avx2 fma\n\n"
                             "processor\t: 1\nmodel name\t: Other\nflags\t: none\n");
  EXPECT_EQ(cpu.model, "Some CPU @ 2 GHz");
  EXPECT_EQ(cpu.features, (std::set<std::string>{"avx2", "fma", "fpu"}));
  EXPECT_EQ(parseCpuInfo("").model, "unknown processor");
  EXPECT_TRUE(hostCpu().features.count("sse2"));
}
