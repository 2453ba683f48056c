//===- Schedule.h - Ops inside a block of a scheduled kernel ----*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_DIALECT_SCHEDULE_H
#define NOVA_DIALECT_SCHEDULE_H

#include "Nova/Dialect/Layout.h"

namespace mlir::nova {

/// What ops of a block order: its shared memory, and each thread's asynchronous copies.
struct SharedMemory : SideEffects::Resource::Base<SharedMemory> {
  StringRef getName() final { return "nova.shared_memory"; }
};
struct CopyQueue : SideEffects::Resource::Base<CopyQueue> {
  StringRef getName() final { return "nova.copy_queue"; }
};

/// The number of shared memory's bytes that no block can have more of, on any target.
constexpr int64_t kMostSharedBytes = 227 << 10;

/// Whether the inside of the kernel's blocks is scheduled: it has tiles with layouts.
bool isScheduled(KernelOp kernel);

/// Where the rooms of a scheduled kernel lie. Rooms that are never in use at the same time share memory.
struct SharedAllocation {
  DenseMap<Operation *, int64_t> offsets; ///< nova.allocate to bytes from the start
  int64_t bytes = 0;
};
SharedAllocation allocateSharedMemory(KernelOp kernel);

/// Verifies what no op sees alone: that a copy is waited for before it is read, that rooms are read by all before they
/// are filled again, that no value is read whose room was given away, and that shared memory suffices.
LogicalResult verifySchedule(KernelOp kernel);

/// The largest number, up to 1024, that is known to divide an index.
int64_t knownDivisor(OpFoldResult index);
/// A tensor that lies in memory beside others begins at a multiple of this many of its elements: the power of two in
/// their number, up to what one access of 16 bytes moves.
int64_t startAlignment(RankedTensorType type);
/// Bytes to which the start of each run of `elements` neighbours of a copy or load is aligned, from the argument's
/// shape and the offsets.
int64_t knownAlignment(RankedTensorType source, ArrayRef<OpFoldResult> offsets, int64_t elements);

/// The layout that an operand of an elementwise op must have for its result's one: the operand's elements by the
/// result's hardware numbers.
BitMap projectLayout(const RegisterLayout &result, ArrayRef<int64_t> resultShape, AffineMap operandMap,
                     ArrayRef<int64_t> operandShape);
LogicalResult verifyTileLayouts(IndexedOp op);

} // namespace mlir::nova

#define GET_OP_CLASSES
#include "Nova/Dialect/NovaScheduleOps.h.inc"

#endif // NOVA_DIALECT_SCHEDULE_H
