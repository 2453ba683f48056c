//===- Pipeline.cpp - --nova-pipeline: stages of a loop's copies ----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nova/Dialect/Schedule.h"
#include "Nova/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"

namespace mlir::nova {
#define GEN_PASS_DEF_PIPELINEPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

static const auto kRemark = remark::RemarkOpts::name("pipeline").category("nova-pipeline");

namespace {
/// A loop of copies, a commit, a wait for them with a barrier, computation, and a barrier.
struct Parts {
  SmallVector<AllocateOp> rooms;
  SmallVector<Operation *> copies; // all of the body before the commit but the rooms
  CommitOp commit;
  WaitOp wait;
  BarrierOp arrived, done;
};

class LoopPipeliner {
public:
  LoopPipeliner(scf::ForOp loop, int64_t stages, const Parts &parts)
      : b(loop), loop(loop), stages(stages), parts(parts), roomCount(parts.rooms.size()) {
    lower = *getConstantIntValue(loop.getLowerBound());
    upper = *getConstantIntValue(loop.getUpperBound());
    step = *getConstantIntValue(loop.getStep());
  }

  void build() {
    Location loc = loop.getLoc();
    SmallVector<Value> carried(loop.getInitArgs());
    // First the tiles of the iterations under way, oldest first, then a room that is free.
    SmallVector<SmallVector<Value>> tiles;
    for (int64_t stage = 0; stage < stages; ++stage) {
      tiles.emplace_back();
      for (AllocateOp room : parts.rooms)
        tiles.back().push_back(AllocateOp::create(b, room.getLoc(), room.getRoom().getType()));
    }
    for (int64_t stage = 0; stage + 1 < stages; ++stage) {
      if (lower + stage * step < upper)
        tiles[stage] = copy(arith::ConstantIndexOp::create(b, loc, lower + stage * step), tiles[stage]);
      CommitOp::create(b, loc);
    }
    for (ArrayRef<Value> set : tiles)
      llvm::append_range(carried, set);
    auto next = scf::ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), carried);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(next.getBody());
    buildBody(next);
    for (auto [old, result] : llvm::zip(loop.getResults(), next.getResults()))
      old.replaceAllUsesWith(result);
    loop.erase();
  }

private:
  /// The copies of an iteration, into these rooms.
  SmallVector<Value> copy(Value at, ArrayRef<Value> rooms) {
    IRMapping map;
    map.map(loop.getInductionVar(), at);
    for (auto [room, own] : llvm::zip(parts.rooms, rooms))
      map.map(AllocateOp(room).getRoom(), own);
    for (Operation *op : parts.copies)
      b.clone(*op, map);
    return llvm::map_to_vector(parts.rooms, [&](AllocateOp room) { return map.lookup(tileIn(room)); });
  }

  static Value tileIn(AllocateOp room) { return room->user_begin()->getResult(0); }

  void buildBody(scf::ForOp next) {
    Location loc = loop.getLoc();
    unsigned others = loop.getNumRegionIterArgs();
    ValueRange arguments = next.getRegionIterArgs();
    auto set = [&](int64_t stage) { return arguments.slice(others + stage * roomCount, roomCount); };
    WaitOp::create(b, loc, b.getI64IntegerAttr(stages - 2));
    BarrierOp::create(b, loc);

    Value at = arith::AddIOp::create(b, loc, next.getInductionVar(),
                                     arith::ConstantIndexOp::create(b, loc, (stages - 1) * step));
    Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, at, next.getUpperBound());
    SmallVector<Value> freeRooms(set(stages - 1));
    auto choice = scf::IfOp::create(b, loc, ValueRange(freeRooms).getTypes(), more, /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(choice.thenBlock());
      scf::YieldOp::create(b, loc, copy(at, freeRooms));
      b.setInsertionPointToStart(choice.elseBlock());
      scf::YieldOp::create(b, loc, freeRooms);
    }
    CommitOp::create(b, loc);

    IRMapping map;
    map.map(loop.getInductionVar(), next.getInductionVar());
    map.map(loop.getRegionIterArgs(), arguments.take_front(others));
    for (auto [room, tile] : llvm::zip(parts.rooms, set(0)))
      map.map(tileIn(room), tile);
    for (Operation &op : llvm::make_range(std::next(parts.arrived->getIterator()), parts.done->getIterator()))
      b.clone(op, map);
    SmallVector<Value> yielded;
    for (Value value : loop.getYieldedValues())
      yielded.push_back(map.lookupOrDefault(value));
    for (int64_t stage = 1; stage + 1 < stages; ++stage)
      llvm::append_range(yielded, set(stage));
    llvm::append_range(yielded, choice.getResults());
    llvm::append_range(yielded, set(0)); // read by now, once the next iteration's barrier is passed
    scf::YieldOp::create(b, loc, yielded);
  }

  OpBuilder b;
  scf::ForOp loop;
  int64_t stages;
  const Parts &parts;
  int64_t roomCount, lower, upper, step;
};
} // namespace

/// The parts of a loop that has them, in this order, and whose copies depend on nothing that the loop computes.
static FailureOr<Parts> findParts(scf::ForOp loop) {
  auto miss = [&](StringRef reason) {
    remark::missed(loop.getLoc(), kRemark) << remark::add("loop is not pipelined") << remark::reason("{0}", reason);
    return failure();
  };
  if (!getConstantIntValue(loop.getLowerBound()) || !getConstantIntValue(loop.getUpperBound()) ||
      !getConstantIntValue(loop.getStep()))
    return miss("its bounds are not constants");
  Parts parts;
  auto op = loop.getBody()->begin();
  for (; !isa<CommitOp>(*op); ++op) {
    if (isa<scf::YieldOp>(*op))
      return miss("it has no nova.commit");
    if (auto room = dyn_cast<AllocateOp>(*op))
      parts.rooms.push_back(room);
    else
      parts.copies.push_back(&*op);
  }
  parts.commit = cast<CommitOp>(*op++);
  parts.wait = dyn_cast<WaitOp>(*op);
  if (!parts.wait || !(parts.arrived = dyn_cast<BarrierOp>(*++op)))
    return miss("expected nova.wait and nova.barrier after nova.commit");
  parts.done = dyn_cast_or_null<BarrierOp>(loop.getBody()->getTerminator()->getPrevNode());
  if (!parts.done || parts.done == parts.arrived)
    return miss("it does not end with a nova.barrier");
  for (AllocateOp room : parts.rooms)
    if (!room->hasOneUse() || room->user_begin()->getBlock() != loop.getBody())
      return miss("a room takes more than one tile");
  for (Operation *copy : parts.copies) {
    auto isCarried = [&](Value v) { return llvm::is_contained(loop.getRegionIterArgs(), v); };
    if (llvm::any_of(copy->getOperands(), isCarried))
      return miss("a copy depends on what the loop computes");
    auto staysHere = [&](Operation *user) { return llvm::is_contained(parts.copies, user); };
    bool isTile = llvm::any_of(parts.rooms, [&](AllocateOp room) { return *room->user_begin() == copy; });
    if (!isTile && !llvm::all_of(copy->getUsers(), staysHere))
      return miss("its computation needs more than copied tiles");
  }
  return parts;
}

namespace {
struct PipelinePass : nova::impl::PipelinePassBase<PipelinePass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->hasAttr("nova.stages"))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      auto stages = dyn_cast<IntegerAttr>(loop->removeAttr("nova.stages"));
      if (!stages || stages.getInt() < 1) {
        loop.emitOpError("expected nova.stages to be a positive integer");
        return signalPassFailure();
      }
      if (stages.getInt() == 1)
        continue;
      FailureOr<Parts> parts = findParts(loop);
      if (failed(parts))
        continue;
      remark::passed(loop.getLoc(), kRemark) << remark::add("copies in {0} stages", stages.getInt());
      LoopPipeliner(loop, stages.getInt(), *parts).build();
    }
  }
};
} // namespace
