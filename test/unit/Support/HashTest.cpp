//===- HashTest.cpp -------------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Hash.h"

#include <gtest/gtest.h>

using namespace nova;

TEST(Hash, MatchesTheReferenceImplementation) {
  EXPECT_EQ(hash64(""), 0xEF46DB3751D8E999u);
  EXPECT_EQ(hash64("a"), 0xD24EC4F1A98C6E5Bu);
  EXPECT_EQ(hash64("abc"), 0x44BC2CF5AD770999u);
}

// Values of python-xxhash 4.1: every tail length, with and without the 32-byte lanes, and a seed.
TEST(Hash, MatchesTheReferenceImplementationForEveryTail) {
  std::string bytes;
  for (int i = 0; i < 101; ++i)
    bytes += static_cast<char>(i * 7);
  uint64_t combined = 0;
  for (size_t size = 0; size <= bytes.size(); ++size)
    combined = combined * 31 + hash64(std::string_view(bytes).substr(0, size), size);
  EXPECT_EQ(combined, 0x53DB9B9E4F5BABB3u);
}

TEST(Hash, PiecesGiveTheHashOfTheWhole) {
  std::string bytes;
  for (int i = 0; i < 101; ++i)
    bytes += static_cast<char>(i * 7);
  for (size_t first = 0; first <= bytes.size(); ++first)
    for (size_t second : {size_t(0), size_t(1), size_t(31), size_t(32), size_t(40)}) {
      Hash64 hash(3);
      hash.update(std::string_view(bytes).substr(0, first));
      hash.update(std::string_view(bytes).substr(first, second));
      hash.update(std::string_view(bytes).substr(std::min(bytes.size(), first + second)));
      ASSERT_EQ(hash.digest(), hash64(bytes, 3)) << first << ", " << second;
    }
}

TEST(Hash, HexIsPadded) {
  EXPECT_EQ(toHex(0), "0000000000000000");
  EXPECT_EQ(toHex(0xDEADBEEF), "00000000deadbeef");
}
