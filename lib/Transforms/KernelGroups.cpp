//===- KernelGroups.cpp - Which ops make a kernel -------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGroups.h"
#include "Views.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::nova;

static constexpr StringLiteral kCategory = "nova-form-kernels";
/// An epilogue is emitted for each vector of a register tile: code, and the time to compile it, grow with both, and a
/// store and a load are little beside so many ops. Nothing else depends on the number: see docs/decisions/matmul.md.
static constexpr size_t kMaxMembers = 128;

//===----------------------------------------------------------------------===//
// One op each
//===----------------------------------------------------------------------===//

FailureOr<KernelGroups> KernelGroups::create(Block &block) {
  KernelGroups result;
  for (Operation &op : block.without_terminator())
    if (!isa<ConstantOp, ReadOp>(op) && !isView(&op) && failed(result.add(&op)))
      return failure();
  return result;
}

LogicalResult KernelGroups::add(Operation *op) {
  auto indexed = dyn_cast<IndexedOp>(op);
  if (!indexed)
    return op->emitOpError("can be in no kernel; run --nova-autodiff and --nova-split-launches first");
  FailureOr<KernelShape> shape = getKernelShape(indexed);
  if (failed(shape))
    return failure();
  groups.push_back(std::make_unique<KernelGroup>(KernelGroup{{{op, *shape}}, op, shape->family}));
  groupOf[op] = groups.back().get();
  return success();
}

SmallVector<KernelGroup *> KernelGroups::inOrder() {
  SmallVector<KernelGroup *> order;
  for (auto &group : groups)
    if (!group->members.empty())
      order.push_back(group.get());
  llvm::sort(order, [](KernelGroup *a, KernelGroup *b) { return a->getLast()->isBeforeInBlock(b->getLast()); });
  return order;
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

void KernelGroups::fuse() {
  // Prologues first: a matmul would store what it makes for a reduction, the reduction doesn't.
  for (auto &group : groups)
    if (isa<ReduceOp>(group->anchor) && group->family != Family::Generic)
      takePrologue(*group);
  for (auto &group : groups)
    if (isa<MatmulOp>(group->anchor))
      takeEpilogue(*group);
}

bool KernelGroups::isAlone(Operation *op) {
  auto found = groupOf.find(op);
  return found != groupOf.end() && found->second->members.size() == 1;
}

/// Moves an op that is alone into the group.
void KernelGroups::join(KernelGroup &group, Operation *op, const KernelShape &shape) {
  groupOf[op]->members.clear();
  groupOf[op] = &group;
  auto *place = llvm::find_if(group.members, [&](auto &member) { return op->isBeforeInBlock(member.op); });
  group.members.insert(place, KernelMember{op, shape});
}

/// The ops that follow join in program order. One that cannot join ends the epilogue: the launch has to come before it.
void KernelGroups::takeEpilogue(KernelGroup &group) {
  while (true) {
    Operation *next = nullptr;
    for (const KernelMember &member : group.members)
      for (Value result : member.op->getResults())
        for (Operation *consumer : getConsumers(result))
          if (!group.contains(consumer) && (!next || consumer->isBeforeInBlock(next)))
            next = consumer;
    if (!next || failed(tryEpilogue(group, next)))
      return;
  }
}

/// Whether a view shows a part of what the group makes.
static bool readsPart(const KernelGroup &group, Operation *view) {
  return llvm::any_of(view->getOperands(), [&](Value operand) {
    Operation *source = operand.getDefiningOp();
    return source && (group.contains(source) || (isView(source) && readsPart(group, source)));
  });
}

LogicalResult KernelGroups::tryEpilogue(KernelGroup &group, Operation *op) {
  auto missed = [&](StringRef reason) {
    remark::missed(op->getLoc(), remark::RemarkOpts::name("epilogue").category(kCategory))
        << remark::add("{0} does not join the product before it", op->getName()) << remark::reason("{0}", reason);
    return failure();
  };
  if (!isFusible(op) || isWidening(op))
    return failure();
  if (group.members.size() == kMaxMembers)
    return missed("the kernel has as many ops as a kernel may have");
  if (!isAlone(op))
    return missed("it is in another kernel already");
  const Shape &folded = group.members.front().shape.results.front();
  std::optional<KernelShape> shape = getFusedShape(op, folded);
  if (!shape)
    return missed("an operand or the result has no place on the axes of the product");
  for (auto [operand, part] : llvm::zip_equal(op->getOperands(), shape->operands)) {
    Operation *source = skipReshapes(operand).getDefiningOp();
    bool isMember = source && group.contains(source);
    if (isMember && part != folded)
      return missed("the product repeats in it");
    if (source && !isMember && isView(source) && readsPart(group, source))
      return missed("it reads a part of the product");
  }
  remark::passed(op->getLoc(), remark::RemarkOpts::name("epilogue").category(kCategory))
      << remark::add("{0} joins the product before it", op->getName());
  join(group, op, *shape);
  return success();
}

/// Whether the group reads what the op makes in no other shape: a norm's weight may be the row itself.
static bool isReadAs(const KernelGroup &group, Operation *op, const Shape &shape) {
  return llvm::all_of(group.members, [&](const KernelMember &member) {
    return llvm::all_of(llvm::zip_equal(member.op->getOperands(), member.shape.operands), [&](auto read) {
      auto [operand, part] = read;
      return skipReshapes(operand).getDefiningOp() != op || part == shape;
    });
  });
}

/// The elementwise ops before a reduction join if nothing else needs them: their results are never stored.
void KernelGroups::takePrologue(KernelGroup &group) {
  SmallVector<KernelMember> reached(group.members);
  while (!reached.empty()) {
    KernelMember after = reached.pop_back_val();
    for (auto [operand, folded] : llvm::zip_equal(after.op->getOperands(), after.shape.operands)) {
      Operation *before = skipReshapes(operand).getDefiningOp();
      if (!before || !isFusible(before) || !isAlone(before) || group.members.size() == kMaxMembers)
        continue;
      if (!allUsersThroughReshapes(before->getResult(0), [&](Operation *op) { return group.contains(op); }) ||
          !isReadAs(group, before, folded))
        continue;
      std::optional<KernelShape> shape = getFusedShape(before, folded);
      if (!shape)
        continue;
      remark::passed(before->getLoc(), remark::RemarkOpts::name("prologue").category(kCategory))
          << remark::add("{0} joins the reduction after it", before->getName());
      join(group, before, *shape);
      reached.push_back({before, *shape});
    }
  }
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

void KernelGroups::joinCasts() {
  for (auto &group : groups)
    if (!group->members.empty() && !isWidening(group->anchor) && !isNarrowing(group->anchor))
      takeNarrowings(*group);
  for (auto &group : groups)
    if (!group->members.empty() && !isWidening(group->anchor))
      takeWidenings(*group);
}

/// The launch moves to the last cast: no other reader may come before it.
void KernelGroups::takeNarrowings(KernelGroup &group) {
  if (isa<ScatterAddOp>(group.anchor)) // It adds to what it has stored.
    return;
  SmallVector<Operation *> readers;
  for (const KernelMember &member : group.members)
    for (Value result : member.op->getResults())
      llvm::copy_if(getConsumers(result), std::back_inserter(readers),
                    [&](Operation *reader) { return !group.contains(reader); });
  llvm::sort(readers, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *reader : readers) {
    if (!isNarrowing(reader) || !isAlone(reader))
      return;
    Value source = skipReshapes(reader->getOperand(0));
    auto *maker = llvm::find_if(group.members, [&](auto &member) { return member.op == source.getDefiningOp(); });
    if (maker == group.members.end()) // It reads a part.
      return;
    // Sums over a block's rows may grow in memory.
    const Shape &lead = maker->shape.results.front();
    if (maker->shape.results[cast<OpResult>(source).getResultNumber()] != lead)
      return;
    std::optional<KernelShape> shape = getFusedShape(reader, lead);
    if (!shape)
      return;
    join(group, reader, *shape);
  }
}

void KernelGroups::takeWidenings(KernelGroup &group) {
  SmallVector<KernelMember> members(group.members);
  for (const KernelMember &member : members)
    for (auto [operand, folded] : llvm::zip_equal(member.op->getOperands(), member.shape.operands)) {
      Operation *cast = skipReshapes(operand).getDefiningOp();
      if (!isWidening(cast) || !isAlone(cast) || cast == group.anchor)
        continue;
      if (!allUsersThroughReshapes(cast->getResult(0), [&](Operation *reader) { return group.contains(reader); }) ||
          !isReadAs(group, cast, folded))
        continue;
      if (std::optional<KernelShape> shape = getFusedShape(cast, folded))
        join(group, cast, *shape);
    }
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

void KernelGroups::joinMovement() {
  for (auto &group : groups)
    if (!group->members.empty() && group->family == Family::Attention) {
      takeMovementBefore(*group);
      takeMovementBehind(*group);
    }
}

void KernelGroups::takeMovementBefore(KernelGroup &group) {
  SmallVector<KernelMember> reached(group.members);
  while (!reached.empty()) {
    KernelMember after = reached.pop_back_val();
    for (auto [operand, folded] : llvm::zip_equal(after.op->getOperands(), after.shape.operands)) {
      Operation *before = operand.getDefiningOp();
      if (!before || !isa<SliceOp, TransposeOp>(before) || !isAlone(before) || group.members.size() == kMaxMembers ||
          shapeOf(operand) != ArrayRef(folded) || !isReadAs(group, before, folded))
        continue;
      if (!allUsersThroughReshapes(operand, [&](Operation *user) { return group.contains(user); }))
        continue;
      remark::passed(before->getLoc(), remark::RemarkOpts::name("movement").category(kCategory))
          << remark::add("{0} joins the attention that reads it", before->getName());
      KernelShape shape = getUnchangedShape(cast<IndexedOp>(before), Family::Attention);
      join(group, before, shape);
      reached.push_back({before, shape});
    }
  }
}

/// All results that have heads move alike or not at all: blocks are cut from the first of them.
void KernelGroups::takeMovementBehind(KernelGroup &group) {
  SmallVector<TransposeOp> transposes;
  for (Value result : group.anchor->getResults()) {
    if (result.use_empty() || tensorType(result).getRank() != 4)
      continue;
    SmallVector<Operation *> readers = getConsumers(result);
    if (readers.size() == 1 && isa<CastOp>(readers.front()) && group.contains(readers.front())) {
      result = readers.front()->getResult(0);
      readers = getConsumers(result);
    }
    auto transpose = readers.size() == 1 ? dyn_cast<TransposeOp>(readers.front()) : TransposeOp();
    if (!transpose || transpose.getX() != result || isView(transpose) || !isAlone(transpose) ||
        (!transposes.empty() && transposes.front().getPermutation() != transpose.getPermutation()))
      return;
    transposes.push_back(transpose);
  }
  for (TransposeOp transpose : transposes) {
    remark::passed(transpose.getLoc(), remark::RemarkOpts::name("movement").category(kCategory))
        << remark::add("{0} joins the attention before it", transpose->getName());
    join(group, transpose, getUnchangedShape(cast<IndexedOp>(transpose.getOperation()), Family::Attention));
  }
}
