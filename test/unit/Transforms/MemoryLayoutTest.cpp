//===- MemoryLayoutTest.cpp - Tensors side by side and over each other ----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryLayout.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir::nova;

TEST(TiedTensors, DistancesAddUp) {
  TiedTensors tensors;
  unsigned a = tensors.add(16), b = tensors.add(8), c = tensors.add(64);
  EXPECT_NE(tensors.getSet(a), tensors.getSet(b));
  EXPECT_TRUE(tensors.tie(a, b, 16));
  EXPECT_TRUE(tensors.tie(b, c, -32)); // c begins before a.
  EXPECT_EQ(tensors.getSet(a), tensors.getSet(c));
  EXPECT_EQ(tensors.getOffset(c), 0);
  EXPECT_EQ(tensors.getOffset(a), 16);
  EXPECT_EQ(tensors.getOffset(b), 32);
  EXPECT_EQ(tensors.getSetBytes(b), 64);
  EXPECT_EQ(tensors.getBytes(b), 8);
}

TEST(TiedTensors, ContradictionIsRefused) {
  TiedTensors tensors;
  unsigned a = tensors.add(8), b = tensors.add(8);
  EXPECT_TRUE(tensors.tie(a, b, 8));
  EXPECT_TRUE(tensors.tie(b, a, -8)); // The same again.
  EXPECT_FALSE(tensors.tie(a, b, 0));
  EXPECT_EQ(tensors.getOffset(b), 8);
}

static MemoryBlock block(int64_t bytes, int64_t first, int64_t last) { return {bytes, {{0, bytes, first, last}}}; }

TEST(AssignOffsets, DeadBlocksLeaveTheirMemory) {
  MemoryBlock blocks[] = {block(128, 0, 1), block(64, 1, 2), block(128, 2, 3)};
  EXPECT_EQ(assignOffsets(blocks), 192);
  EXPECT_EQ(countLiveBytes(blocks), 192);
  EXPECT_EQ(blocks[0].offset, blocks[2].offset);
}

TEST(AssignOffsets, SmallestGapThatIsLargeEnough) {
  // Between the two that stay, 128 and 64 bytes come free.
  MemoryBlock blocks[] = {block(640, 0, 9), block(512, 0, 1), block(384, 0, 9),
                          block(320, 0, 1), block(256, 0, 9), block(192, 2, 9)};
  assignOffsets(blocks);
  EXPECT_EQ(blocks[5].offset, blocks[3].offset);
}

TEST(AssignOffsets, PartsThatAreNotWrittenYetAreFree) {
  // Two gradients side by side, the second written last; an activation that dies before lies in its place.
  MemoryBlock blocks[] = {{256, {{0, 128, 1, 9}, {128, 256, 5, 9}}}, block(128, 0, 4)};
  EXPECT_EQ(assignOffsets(blocks), 256);
  EXPECT_EQ(blocks[1].offset, 128);
  EXPECT_EQ(countLiveBytes(blocks), 256);
}

TEST(AssignOffsets, BlocksBeginAtCacheLines) {
  MemoryBlock blocks[] = {block(4, 0, 1), block(4, 0, 1), block(65, 0, 1)};
  EXPECT_EQ(assignOffsets(blocks), 256);
  for (const MemoryBlock &block : blocks)
    EXPECT_EQ(block.offset % kBlockAlignment, 0);
}

TEST(AssignOffsets, NoByteIsNeededTwiceAtOneTime) {
  std::mt19937 generator(7);
  auto number = [&](unsigned below) { return int64_t(generator() % below); };
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<MemoryBlock> blocks;
    for (int i = 0; i < 40; ++i) {
      MemoryBlock block{0, {}};
      for (int64_t parts = 1 + number(3); parts > 0; --parts) {
        int64_t begin = block.bytes, first = number(30);
        block.bytes += 1 + number(300);
        block.spans.push_back({begin, block.bytes, first, first + number(10)});
      }
      blocks.push_back(block);
    }
    int64_t total = assignOffsets(blocks);
    EXPECT_GE(total, countLiveBytes(blocks));
    for (size_t i = 0; i < blocks.size(); ++i) {
      EXPECT_LE(blocks[i].offset + blocks[i].bytes, total);
      for (size_t j = 0; j < i; ++j)
        for (const MemorySpan &a : blocks[i].spans)
          for (const MemorySpan &b : blocks[j].spans) {
            bool sameTime = a.first <= b.last && b.first <= a.last;
            bool samePlace = blocks[i].offset + a.begin < blocks[j].offset + b.end &&
                             blocks[j].offset + b.begin < blocks[i].offset + a.end;
            EXPECT_FALSE(sameTime && samePlace);
          }
    }
  }
}
