//===- ScheduleVerifier.cpp - Waits cover what is read --------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows each tile in shared memory through the block, in the order of its ops: when it was copied, committed, waited
// for and passed a barrier, and whether it was read since the last one. Loops are followed until what their values have
// in common no longer changes.
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Schedule.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
/// How far a tile has come. In the order of progress; Empty is a room without elements.
enum class Stage { Empty, Open, Pending, Arrived, Visible };

struct State {
  Stage stage = Stage::Empty;
  int64_t age = 0;      // Pending: groups committed after its own
  bool isRead = false;  // since the last barrier
  bool isTaken = false; // its room belongs to another value

  bool operator==(const State &other) const {
    return stage == other.stage && age == other.age && isRead == other.isRead && isTaken == other.isTaken;
  }
};

/// What is known of a value that is one of two. Nobody waits for a room without elements.
State join(State x, State y) {
  State both = x.stage == Stage::Empty || (y.stage != Stage::Empty && y.stage < x.stage) ? y : x;
  if (x.stage == Stage::Pending && y.stage == Stage::Pending)
    both.age = std::min(x.age, y.age);
  both.isRead = x.isRead || y.isRead;
  both.isTaken = x.isTaken || y.isTaken;
  return both;
}

class ScheduleVerifier {
public:
  LogicalResult verify(Block &block) {
    for (Operation &op : block.without_terminator())
      if (failed(verify(&op)))
        return failure();
    return success();
  }

private:
  LogicalResult verify(Operation *op) {
    using Result = LogicalResult;
    return llvm::TypeSwitch<Operation *, Result>(op)
        .Case([&](AllocateOp allocate) { return states[allocate] = State(), success(); })
        .Case([&](CopyAsyncOp copy) { return fill(copy, copy.getRoom(), copy.getTile(), Stage::Open); })
        .Case([&](ConvertLayoutOp convert) {
          if (isInSharedMemory(convert.getX().getType()) && failed(read(convert, convert.getX())))
            return failure();
          return convert.getRoom() ? fill(convert, convert.getRoom(), convert.getResult(), Stage::Arrived) : success();
        })
        .Case([&](CommitOp) {
          for (auto &[value, state] : states)
            if (state.stage == Stage::Open)
              state.stage = Stage::Pending, state.age = 0;
            else if (state.stage == Stage::Pending)
              ++state.age;
          return success();
        })
        .Case([&](WaitOp wait) {
          for (auto &[value, state] : states)
            if (state.stage == Stage::Pending && state.age >= int64_t(wait.getPending()))
              state.stage = Stage::Arrived;
          return success();
        })
        .Case([&](BarrierOp) {
          for (auto &[value, state] : states) {
            state.isRead = false;
            if (state.stage == Stage::Arrived)
              state.stage = Stage::Visible;
          }
          return success();
        })
        .Case([&](scf::ForOp loop) { return follow(loop); })
        .Case([&](scf::IfOp choice) { return follow(choice); })
        .Default([](Operation *) { return success(); });
  }

  /// A transposed tile is the tile itself.
  static Value rootOf(Value tile) {
    while (auto transpose = tile.getDefiningOp<TransposeOp>())
      tile = transpose.getX();
    return tile;
  }

  LogicalResult fill(Operation *op, Value room, Value tile, Stage stage) {
    State &state = states[rootOf(room)];
    if (state.isTaken)
      return op->emitOpError("fills a room that another tile has taken over");
    if (state.stage == Stage::Open || state.stage == Stage::Pending)
      return op->emitOpError("fills a room into which a copy is under way; nova.wait before it");
    if (state.isRead)
      return op->emitOpError("fills a room that other threads may still read; nova.barrier before it");
    state.isTaken = true;
    states[tile] = {stage};
    return success();
  }

  LogicalResult read(Operation *op, Value tile) {
    State &state = states[rootOf(tile)];
    if (state.isTaken)
      return op->emitOpError("reads a tile whose room another one has taken over");
    switch (state.stage) {
    case Stage::Empty:
      return op->emitOpError("reads a room into which nothing was copied");
    case Stage::Open:
      return op->emitOpError("reads a copy that may be under way; nova.commit, nova.wait and nova.barrier before it");
    case Stage::Pending:
      return op->emitOpError("reads a copy that may be under way; nova.wait ")
             << state.age << " or less, and nova.barrier, before it";
    case Stage::Arrived:
      return op->emitOpError("reads what other threads may still write; nova.barrier before it");
    case Stage::Visible:
      state.isRead = true;
    }
    return success();
  }

  LogicalResult follow(scf::ForOp loop) {
    auto carried =
        llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues(), loop.getResults());
    for (auto [initial, argument, yielded, result] : carried)
      if (isInSharedMemory(argument.getType()))
        states[argument] = states[rootOf(initial)];
    for (bool isStable = false; !isStable;) {
      llvm::MapVector<Value, State> before = states;
      if (failed(verify(*loop.getBody())))
        return failure();
      isStable = true;
      SmallVector<std::pair<Value, State>> next;
      for (auto [initial, argument, yielded, result] : carried)
        if (isInSharedMemory(argument.getType()))
          next.push_back({argument, join(before[argument], states[rootOf(yielded)])});
      for (auto [argument, state] : next)
        isStable &= state == before[argument];
      for (auto &[value, state] : states) // the same room again in the next iteration
        if (auto allocate = value.getDefiningOp<AllocateOp>(); allocate && allocate->getParentOp() == loop)
          for (Operation *user : value.getUsers())
            for (Value tile : user->getResults())
              if (states.count(tile) && states[tile].isRead)
                return user->emitOpError("fills a room that other threads may still read in the loop's last iteration; "
                                         "nova.barrier at the loop's end");
      for (auto [argument, state] : next)
        states[argument] = state;
    }
    for (auto [initial, argument, yielded, result] : carried)
      if (isInSharedMemory(argument.getType())) {
        states[result] = join(states[rootOf(initial)], states[rootOf(yielded)]);
        states[rootOf(initial)].isTaken = true;
      }
    return success();
  }

  LogicalResult follow(scf::IfOp choice) {
    if (failed(verify(*choice.thenBlock())))
      return failure();
    if (choice.elseBlock() && failed(verify(*choice.elseBlock())))
      return failure();
    for (auto [i, result] : llvm::enumerate(choice.getResults()))
      if (isInSharedMemory(result.getType())) {
        Value x = rootOf(choice.thenYield().getOperand(i)), y = rootOf(choice.elseYield().getOperand(i));
        State left = states[x], right = states[y];
        right.isTaken = left.isTaken = false; // by the other one of the two
        states[result] = join(left, right);
        states[x].isTaken = states[y].isTaken = true;
      }
    return success();
  }

  llvm::MapVector<Value, State> states;
};
} // namespace

LogicalResult nova::verifySchedule(KernelOp kernel) {
  if (!isScheduled(kernel))
    return success();
  for (scf::ForallOp grid : kernel.getBody().getOps<scf::ForallOp>())
    if (failed(ScheduleVerifier().verify(*grid.getBody())))
      return failure();
  int64_t bytes = allocateSharedMemory(kernel).bytes;
  if (bytes > kMostSharedBytes)
    return kernel.emitOpError("needs ") << bytes << " bytes of shared memory, but no block has more than "
                                        << kMostSharedBytes << "; a smaller tile or fewer stages need less";
  return success();
}
