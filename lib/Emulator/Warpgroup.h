//===- Warpgroup.h - Products in flight of four warps -----------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product (wgmma.mma_async) belongs to the four warps of a warpgroup, each of which executes the instruction. It is
// done when one of them waits for its group, for all four, once all four have come as far.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_WARPGROUP_H
#define NOVA_LIB_EMULATOR_WARPGROUP_H

#include <array>
#include <cstdint>
#include <vector>

namespace nova::emulator {

constexpr unsigned kWarpgroup = 4; ///< warps

struct Product {
  uint32_t pc = 0;
  uint64_t descriptorA = 0, descriptorB = 0;
  bool isScaled = false; ///< D is added to
};

/// A register that products use, as one warp sees it. Groups are counted from 1; 0 is none.
struct WatchedRegister {
  uint32_t writtenBy = 0, readBy = 0; ///< the last group whose products write and read it
  uint32_t writePc = 0, readPc = 0;
  uint32_t shape = 0;     ///< of the product that writes it
  bool isUnfenced = true; ///< written by another instruction after the last wgmma.fence
};

struct WarpgroupMember {
  uint64_t issued = 0;             ///< products
  std::vector<uint64_t> groupEnds; ///< products issued when each group was committed
  uint32_t waited = 0;             ///< groups that are known to be over
  std::vector<WatchedRegister> registers;
};

struct Warpgroup {
  std::vector<Product> products;
  uint64_t executed = 0;
  uint32_t agent = 0; ///< in SharedRaces; 0: none yet
  std::array<WarpgroupMember, kWarpgroup> members;
};

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_WARPGROUP_H
