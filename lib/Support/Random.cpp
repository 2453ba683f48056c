//===- Random.cpp - Counter-based random numbers --------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Random.h"

#include "Nova/Support/Hash.h"

#include <cmath>

using namespace nova;

PhiloxBlock nova::philox(PhiloxBlock counter, std::array<uint32_t, 2> key) {
  // Multipliers and key increments (golden ratio, sqrt(3) - 1) of the paper.
  constexpr uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
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

static float uniformFrom(uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }

/// Two independent standard normal numbers from two words.
static std::array<float, 2> normalsFrom(uint32_t bits0, uint32_t bits1) {
  // In (0, 1]: the logarithm is finite, and the tail ends at sqrt(2 log 2^32), 6.7 standard deviations.
  double radius = std::sqrt(-2.0 * std::log((bits0 + 1.0) * 0x1p-32));
  double angle = 2.0 * M_PI * 0x1p-32 * bits1;
  return {static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle))};
}

uint64_t nova::streamOf(std::string_view name) { return hash64(name); }

uint32_t nova::randomBits(uint64_t seed, uint64_t stream, uint64_t index) {
  return blockOf(index / 4, seed, stream)[index % 4];
}

float nova::randomUniform(uint64_t seed, uint64_t stream, uint64_t index) {
  return uniformFrom(randomBits(seed, stream, index));
}

float nova::randomNormal(uint64_t seed, uint64_t stream, uint64_t index) {
  PhiloxBlock block = blockOf(index / 4, seed, stream);
  unsigned pair = index % 4 & 2;
  return normalsFrom(block[pair], block[pair + 1])[index % 2];
}

uint64_t nova::randomBelow(uint64_t bound, uint64_t seed, uint64_t stream, uint64_t index) {
  PhiloxBlock block = blockOf(index / 2, seed, stream);
  unsigned pair = index % 2 * 2;
  uint64_t bits = static_cast<uint64_t>(block[pair + 1]) << 32 | block[pair];
  // The high half of the product: uniform to within bound / 2^64.
  return static_cast<uint64_t>(static_cast<unsigned __int128>(bits) * bound >> 64);
}

/// Calls `store(words, out, begin, end)` for every block that [first, first + count) touches: words [begin, end) of it
/// belong to out[0], out[1], ...
template <typename StoreFn>
static void forEachBlock(float *out, uint64_t first, uint64_t count, uint64_t seed, uint64_t stream, StoreFn store) {
  for (uint64_t done = 0; done < count;) {
    unsigned begin = (first + done) % 4;
    unsigned end = count - done < 4 - begin ? begin + static_cast<unsigned>(count - done) : 4;
    store(blockOf((first + done) / 4, seed, stream), out + done, begin, end);
    done += end - begin;
  }
}

void nova::fillUniform(float *out, uint64_t first, uint64_t count, uint64_t seed, uint64_t stream) {
  forEachBlock(out, first, count, seed, stream, [](PhiloxBlock block, float *to, unsigned begin, unsigned end) {
    for (unsigned word = begin; word < end; ++word)
      to[word - begin] = uniformFrom(block[word]);
  });
}

void nova::fillNormal(float *out, uint64_t first, uint64_t count, uint64_t seed, uint64_t stream) {
  forEachBlock(out, first, count, seed, stream, [](PhiloxBlock block, float *to, unsigned begin, unsigned end) {
    std::array<float, 2> low = normalsFrom(block[0], block[1]), high = normalsFrom(block[2], block[3]);
    const float values[4] = {low[0], low[1], high[0], high[1]};
    for (unsigned word = begin; word < end; ++word)
      to[word - begin] = values[word];
  });
}
