//===- SharedMemory.cpp - Where rooms lie in shared memory ----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Schedule.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
struct Room {
  AllocateOp op;
  int64_t bytes, offset = 0;
  int64_t first, last; // ops of the block's body, by number, within which it is in use
};
} // namespace

/// All values that may lie in the room: copies into it, transposes, and what loops and choices pass on.
static llvm::SetVector<Value> valuesIn(AllocateOp room) {
  llvm::SetVector<Value> values;
  values.insert(room.getRoom());
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      unsigned number = use.getOperandNumber();
      if (auto loop = dyn_cast<scf::ForOp>(user)) {
        values.insert(loop.getTiedLoopRegionIterArg(&use));
        values.insert(loop.getTiedLoopResult(&use));
      } else if (isa<scf::YieldOp>(user)) {
        values.insert(user->getParentOp()->getResult(number));
        if (auto loop = dyn_cast<scf::ForOp>(user->getParentOp()))
          values.insert(loop.getRegionIterArg(number));
      } else {
        for (Value result : user->getResults())
          if (isInSharedMemory(result.getType()))
            values.insert(result);
      }
    }
  return values;
}

SharedAllocation nova::allocateSharedMemory(KernelOp kernel) {
  constexpr int64_t kAlignment = 128;
  SharedAllocation allocation;
  for (scf::ForallOp grid : kernel.getBody().getOps<scf::ForallOp>()) {
    DenseMap<Operation *, int64_t> numbers;
    for (Operation &op : *grid.getBody())
      numbers[&op] = numbers.size();
    auto numberOf = [&](Operation *op) { return numbers.lookup(grid.getBody()->findAncestorOpInBlock(*op)); };
    SmallVector<Room> rooms;
    grid.walk([&](AllocateOp op) {
      auto layout = getSharedLayout(op.getRoom().getType());
      if (failed(layout)) // reported by the op that uses it
        return;
      int64_t bytes = layout->extent() * std::max<int64_t>(op.getRoom().getType().getElementTypeBitWidth() / 8, 1);
      Room room{op, int64_t(llvm::alignTo(bytes, kAlignment)), 0, numberOf(op), numberOf(op)};
      for (Value value : valuesIn(op))
        for (Operation *user : value.getUsers())
          room.last = std::max(room.last, numberOf(user));
      // The lowest place that no room in use at the same time overlaps.
      for (bool moved = true; moved;) {
        moved = false;
        for (const Room &other : rooms)
          if (room.first <= other.last && other.first <= room.last && room.offset < other.offset + other.bytes &&
              other.offset < room.offset + room.bytes)
            room.offset = other.offset + other.bytes, moved = true;
      }
      allocation.offsets[op] = room.offset;
      allocation.bytes = std::max(allocation.bytes, room.offset + room.bytes);
      rooms.push_back(room);
    });
  }
  return allocation;
}
