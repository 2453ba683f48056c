//===- Hash.cpp - A 64-bit hash for checksums and cache keys --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Hash.h"

#include <algorithm>
#include <cstring>

using namespace nova;

static constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87, kPrime2 = 0xC2B2AE3D27D4EB4F, kPrime3 = 0x165667B19E3779F9,
                          kPrime4 = 0x85EBCA77C2B2AE63, kPrime5 = 0x27D4EB2F165667C5;

static uint64_t rotateLeft(uint64_t value, unsigned bits) { return value << bits | value >> (64 - bits); }

template <typename T> static T load(const char *at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

static uint64_t mixLane(uint64_t accumulator, uint64_t lane) {
  return rotateLeft(accumulator + lane * kPrime2, 31) * kPrime1;
}

static uint64_t mergeLane(uint64_t accumulator, uint64_t lane) {
  return (accumulator ^ mixLane(0, lane)) * kPrime1 + kPrime4;
}

Hash64::Hash64(uint64_t seed) : seed(seed), lanes{seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1} {}

void Hash64::mixStripe(const char *stripe) {
  for (int i = 0; i < 4; ++i)
    lanes[i] = mixLane(lanes[i], load<uint64_t>(stripe + 8 * i));
}

void Hash64::update(std::string_view bytes) {
  size_t kept = length % sizeof(rest);
  length += bytes.size();
  if (kept != 0) {
    size_t added = std::min(sizeof(rest) - kept, bytes.size());
    std::memcpy(rest + kept, bytes.data(), added);
    bytes.remove_prefix(added);
    if (kept + added < sizeof(rest))
      return;
    mixStripe(rest);
  }
  for (; bytes.size() >= sizeof(rest); bytes.remove_prefix(sizeof(rest)))
    mixStripe(bytes.data());
  if (!bytes.empty())
    std::memcpy(rest, bytes.data(), bytes.size());
}

uint64_t Hash64::digest() const {
  uint64_t hash = seed + kPrime5;
  if (length >= sizeof(rest)) {
    hash = rotateLeft(lanes[0], 1) + rotateLeft(lanes[1], 7) + rotateLeft(lanes[2], 12) + rotateLeft(lanes[3], 18);
    for (uint64_t lane : lanes)
      hash = mergeLane(hash, lane);
  }
  hash += length;

  const char *at = rest;
  size_t left = length % sizeof(rest);
  for (; left >= 8; at += 8, left -= 8)
    hash = rotateLeft(hash ^ mixLane(0, load<uint64_t>(at)), 27) * kPrime1 + kPrime4;
  if (left >= 4) {
    hash = rotateLeft(hash ^ load<uint32_t>(at) * kPrime1, 23) * kPrime2 + kPrime3;
    at += 4;
    left -= 4;
  }
  for (; left > 0; ++at, --left)
    hash = rotateLeft(hash ^ static_cast<uint8_t>(*at) * kPrime5, 11) * kPrime1;

  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

uint64_t nova::hash64(std::string_view bytes, uint64_t seed) {
  Hash64 hash(seed);
  hash.update(bytes);
  return hash.digest();
}

std::string nova::toHex(uint64_t value) {
  std::string text(16, '0');
  for (size_t i = text.size(); i-- > 0; value >>= 4)
    text[i] = "0123456789abcdef"[value & 15];
  return text;
}
