//===- RobustnessTest.cpp - Broken PTX breaks nothing ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Damage.h"
#include "FuzzPtx.h"

#include "Nova/Support/File.h"

#include <gtest/gtest.h>

using namespace nova;
using namespace nova::emulator;

static std::string read(const std::string &name) {
  Result<MappedFile> file = MappedFile::open(NOVA_EMULATOR_CASES "/" + name + ".ptx");
  EXPECT_TRUE(file) << name;
  return file ? std::string(file->bytes()) : "";
}

/// Numbers that are the same every time.
static uint64_t nextNumber(uint64_t &state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 20;
}

static std::vector<std::string> split(const std::string &text, char by) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == by)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

TEST(Robustness, DamagedBytes) {
  uint64_t number = 0;
  forEachDamage(read("bad_missing_barrier"), 300,
                [&](const std::string &text) { surviveText(text, number += 0x10301); });
}

TEST(Robustness, WordsInTheWrongPlace) {
  uint64_t state = 1;
  for (const char *name :
       {"own_diverge", "cuda_mma", "cuda_branches", "cuda_histogram", "own_mma_shapes", "hopper_matmul_maps"}) {
    std::string good = read(name);
    std::vector<std::string> words = split(good, ' ');
    for (int round = 0; round < 60; ++round) {
      std::vector<std::string> bad = words;
      for (int change = 0; change < 3; ++change)
        bad[nextNumber(state) % bad.size()] = words[nextNumber(state) % words.size()];
      std::string text;
      for (const std::string &word : bad)
        text += word + " ";
      surviveText(text, nextNumber(state));
    }
  }
}

TEST(Robustness, LinesInTheWrongPlace) {
  uint64_t state = 2;
  for (const char *name : {"own_diverge", "own_ints", "cuda_reduce", "cuda_scan", "cuda_transpose", "hopper_matmul",
                           "hopper_matmul_own_maps"}) {
    std::vector<std::string> lines = split(read(name), '\n');
    for (int round = 0; round < 60; ++round) {
      std::vector<std::string> bad = lines;
      std::swap(bad[nextNumber(state) % bad.size()], bad[nextNumber(state) % bad.size()]);
      bad.erase(bad.begin() + static_cast<ptrdiff_t>(nextNumber(state) % bad.size()));
      std::string text;
      for (const std::string &line : bad)
        text += line + "\n";
      surviveText(text, nextNumber(state));
    }
  }
}
