//===- Random.h - Counter-based random numbers ------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every number is a pure function of (seed, stream, index): no state to save, any order, any number of threads, the
// same bits everywhere. The generator is Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy
// as 1, 2, 3", SC 2011): the key is the seed, the counter is (block, stream), and element `index` of a stream is word
// index % 4 of block index / 4.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_SUPPORT_RANDOM_H
#define NOVA_SUPPORT_RANDOM_H

#include <array>
#include <cstdint>
#include <string_view>

namespace nova {

using PhiloxBlock = std::array<uint32_t, 4>;

/// One block of Philox4x32-10.
PhiloxBlock philox(PhiloxBlock counter, std::array<uint32_t, 2> key);

/// The stream that belongs to a name, such as a parameter's; the same in every version of Nova.
uint64_t streamOf(std::string_view name);

/// The stream of a random op of a program at a step: `op` is below 2^24, and steps from 2^40 on repeat.
uint64_t streamOf(uint32_t op, uint64_t step);

/// 32 random bits.
uint32_t randomBits(uint64_t seed, uint64_t stream, uint64_t index);
/// Uniform in [0, 1): a multiple of 2^-24, so that it is exact in f32.
float randomUniform(uint64_t seed, uint64_t stream, uint64_t index);
/// Standard normal, by Box and Muller from the pair of words that holds `index`; in f32 arithmetic that is the same on
/// every machine.
float randomNormal(uint64_t seed, uint64_t stream, uint64_t index);
/// Uniform in [0, bound), for bound > 0; from words 2 * index and 2 * index + 1.
uint64_t randomBelow(uint64_t bound, uint64_t seed, uint64_t stream, uint64_t index);

/// Elements [first, first + count) of a stream: what the functions above give, several times faster.
void fillUniform(float *out, uint64_t first, uint64_t count, uint64_t seed, uint64_t stream);
void fillNormal(float *out, uint64_t first, uint64_t count, uint64_t seed, uint64_t stream);

} // namespace nova

#endif // NOVA_SUPPORT_RANDOM_H
