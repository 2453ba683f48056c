//===- BarrierFlags.h - Flags of barriers -----------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_BARRIERFLAGS_H
#define NOVA_LIB_EMULATOR_BARRIERFLAGS_H

#include <cstdint>

namespace nova::emulator {

/// Flags of instructions whose control is Barrier. Operand 0 is the number, 1 the threads when there are two, 2 the
/// result and 3 the predicate of a reduction.
enum BarrierFlags : uint8_t { IsArrive = 1, IsAligned = 2, CountVotes = 4, AllVotes = 8, AnyVote = 16 };

/// Flags of instructions whose control is WarpSync. Lanes may come to bar.warp.sync at different places.
enum WarpSyncFlags : uint8_t { AnyPlace = 128 };

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_BARRIERFLAGS_H
