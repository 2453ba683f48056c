//===- Random.cpp - Counter-based random numbers --------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Random.h"

#include "Nova/Support/Hash.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace nova;

// Multipliers and key increments (golden ratio, sqrt(3) - 1) of the paper.
static constexpr uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
static constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;

PhiloxBlock nova::philox(PhiloxBlock counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = kMultiplier0 * counter[0];
    uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

static PhiloxBlock blockOf(uint64_t block, uint64_t seed, uint64_t stream) {
  return philox({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), static_cast<uint32_t>(stream),
                 static_cast<uint32_t>(stream >> 32)},
                {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//
//
// Plain f32 arithmetic, compiled without contraction to fma: the same bits on every machine and in every version of
// the C library, and loops over it become vector code.

static float uniformFrom(uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }

/// -log((bits + 1) / 2^32), to about 2 ulp.
static float negativeLog(uint32_t bits) {
  // x = m * 2^e with m around 1. Close to 1, x - 1 comes from the bits themselves: rounding x first would lose it.
  float x = (static_cast<float>(bits) + 1.0f) * 0x1p-32f;
  int32_t pattern;
  std::memcpy(&pattern, &x, sizeof(pattern));
  constexpr int32_t kSqrtHalf = 0x3f3504f3;
  int32_t exponent = (pattern - kSqrtHalf) >> 23;
  pattern -= exponent * (1 << 23);
  float m;
  std::memcpy(&m, &pattern, sizeof(m));
  float f = exponent == 0 ? static_cast<float>(~bits) * -0x1p-32f : m - 1.0f;
  // log m = 2 artanh(s), s = f / (2 + f), |s| < 0.172.
  float s = f / (2.0f + f), s2 = s * s;
  float series = 2.0f + s2 * (2.0f / 3 + s2 * (2.0f / 5 + s2 * (2.0f / 7 + s2 * (2.0f / 9))));
  return -(static_cast<float>(exponent) * 0.693147182f + s * series);
}

/// Two independent standard normal numbers from two words, by Box and Muller: the first gives the radius (at most
/// sqrt(2 log 2^32), 6.7 standard deviations), the second the angle.
static void normalsFrom(uint32_t radiusBits, uint32_t angleBits, float &first, float &second) {
  float radius = std::sqrt(2.0f * negativeLog(radiusBits));
  // The two high bits are the quadrant, the others an angle t in [-pi/4, pi/4).
  int32_t quadrant = static_cast<int32_t>(angleBits >> 30);
  float t = static_cast<float>(static_cast<int32_t>(angleBits & 0x3fffffff) - 0x20000000) * (1.57079637f * 0x1p-30f);
  float t2 = t * t;
  float sine = t * (1.0f + t2 * (-1.0f / 6 + t2 * (1.0f / 120 + t2 * (-1.0f / 5040 + t2 * (1.0f / 362880)))));
  float cosine = 1.0f + t2 * (-0.5f + t2 * (1.0f / 24 + t2 * (-1.0f / 720 + t2 * (1.0f / 40320))));
  // Turned by quadrant * pi/2.
  float along = quadrant & 1 ? sine : cosine, across = quadrant & 1 ? cosine : sine;
  first = radius * ((quadrant + 1) & 2 ? -along : along);
  second = radius * (quadrant & 2 ? -across : across);
}

uint64_t nova::streamOf(std::string_view name) { return hash64(name); }

uint64_t nova::streamOf(uint32_t op, uint64_t step) {
  return static_cast<uint64_t>(op) << 40 | (step & ((uint64_t(1) << 40) - 1));
}

uint32_t nova::randomBits(uint64_t seed, uint64_t stream, uint64_t index) {
  return blockOf(index / 4, seed, stream)[index % 4];
}

float nova::randomUniform(uint64_t seed, uint64_t stream, uint64_t index) {
  return uniformFrom(randomBits(seed, stream, index));
}

float nova::randomNormal(uint64_t seed, uint64_t stream, uint64_t index) {
  PhiloxBlock block = blockOf(index / 4, seed, stream);
  unsigned pair = index % 4 & 2;
  float first, second;
  normalsFrom(block[pair], block[pair + 1], first, second);
  return index % 2 ? second : first;
}

uint64_t nova::randomBelow(uint64_t bound, uint64_t seed, uint64_t stream, uint64_t index) {
  PhiloxBlock block = blockOf(index / 2, seed, stream);
  unsigned pair = index % 2 * 2;
  uint64_t bits = static_cast<uint64_t>(block[pair + 1]) << 32 | block[pair];
  // The high half of the product: uniform to within bound / 2^64.
  return static_cast<uint64_t>(static_cast<unsigned __int128>(bits) * bound >> 64);
}

//===----------------------------------------------------------------------===//
// Many elements
//===----------------------------------------------------------------------===//

static constexpr unsigned kLanes = 16;

namespace {
/// kLanes consecutive blocks, word by word, so that the loops over lanes become vector code.
struct Batch {
  uint32_t words[4][kLanes];
  float values[4][kLanes];
};
} // namespace

static void makeWords(Batch &batch, uint64_t firstBlock, uint64_t seed, uint64_t stream) {
  uint32_t key0 = static_cast<uint32_t>(seed), key1 = static_cast<uint32_t>(seed >> 32);
  auto &words = batch.words;
  for (unsigned i = 0; i < kLanes; ++i) {
    words[0][i] = static_cast<uint32_t>(firstBlock + i);
    words[1][i] = static_cast<uint32_t>((firstBlock + i) >> 32);
    words[2][i] = static_cast<uint32_t>(stream);
    words[3][i] = static_cast<uint32_t>(stream >> 32);
  }
  for (int round = 0; round < 10; ++round, key0 += kWeyl0, key1 += kWeyl1)
    for (unsigned i = 0; i < kLanes; ++i) {
      uint64_t product0 = kMultiplier0 * words[0][i], product1 = kMultiplier1 * words[2][i];
      words[0][i] = static_cast<uint32_t>(product1 >> 32) ^ words[1][i] ^ key0;
      words[1][i] = static_cast<uint32_t>(product1);
      words[2][i] = static_cast<uint32_t>(product0 >> 32) ^ words[3][i] ^ key1;
      words[3][i] = static_cast<uint32_t>(product0);
    }
}

/// Fills `out` batch by batch; `makeValues` turns the words of a batch into values.
template <typename MakeValuesFn>
static void fillBatches(float *out, uint64_t first, uint64_t count, uint64_t seed, uint64_t stream,
                        MakeValuesFn makeValues) {
  constexpr uint64_t kElements = 4 * kLanes;
  Batch batch;
  for (uint64_t done = 0; done < count;) {
    uint64_t start = first + done;
    makeWords(batch, start / kElements * kLanes, seed, stream);
    makeValues(batch);
    uint64_t begin = start % kElements, end = std::min(kElements, begin + (count - done));
    for (uint64_t element = begin; element < end; ++element)
      out[done + element - begin] = batch.values[element % 4][element / 4];
    done += end - begin;
  }
}

void nova::fillUniform(float *out, uint64_t first, uint64_t count, uint64_t seed, uint64_t stream) {
  fillBatches(out, first, count, seed, stream, [](Batch &batch) {
    for (unsigned word = 0; word < 4; ++word)
      for (unsigned i = 0; i < kLanes; ++i)
        batch.values[word][i] = uniformFrom(batch.words[word][i]);
  });
}

void nova::fillNormal(float *out, uint64_t first, uint64_t count, uint64_t seed, uint64_t stream) {
  fillBatches(out, first, count, seed, stream, [](Batch &batch) {
    for (unsigned word = 0; word < 4; word += 2)
      for (unsigned i = 0; i < kLanes; ++i)
        normalsFrom(batch.words[word][i], batch.words[word + 1][i], batch.values[word][i], batch.values[word + 1][i]);
  });
}
