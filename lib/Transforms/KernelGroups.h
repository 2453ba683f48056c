//===- KernelGroups.h - Which ops make a kernel -----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_KERNELGROUPS_H
#define NOVA_LIB_TRANSFORMS_KERNELGROUPS_H

#include "KernelShapes.h"

namespace mlir::nova {

/// An op and its form in the kernel.
struct KernelMember {
  Operation *op;
  KernelShape shape;
};

/// The ops of one kernel, in program order. It is launched where the last of them is.
struct KernelGroup {
  SmallVector<KernelMember> members;
  Operation *anchor; ///< What the others are prologue or epilogue of.
  Family family;

  bool contains(Operation *op) const {
    return llvm::any_of(members, [&](const KernelMember &member) { return member.op == op; });
  }
  Operation *getLast() const { return members.back().op; }
};

/// Every computation of a function in one group.
class KernelGroups {
public:
  /// One op each; fails with a diagnostic where an op can be in no kernel.
  static FailureOr<KernelGroups> create(Block &block);

  /// Grows the groups around anchors: a matmul takes the elementwise ops that follow it, a reduction those before it.
  void fuse();

  /// Casts that narrow join what makes their operand, casts that widen join their reader: memory holds the narrow type.
  /// A cast that widens for several readers joins none, nor does one that narrows after other readers: see PlaceCasts.h.
  void joinCasts();

  /// Attention takes the slices and transposes that only it reads, and the transposes that alone read its results. After
  /// the casts, which may stand between.
  void joinMovement();

  /// A group for one more op.
  LogicalResult add(Operation *op);

  /// The groups in the order of their launches.
  SmallVector<KernelGroup *> inOrder();
  /// The group that holds an op; null for views and constants.
  KernelGroup *lookup(Operation *op) const { return groupOf.lookup(op); }

private:
  void takeEpilogue(KernelGroup &group);
  LogicalResult tryEpilogue(KernelGroup &group, Operation *op);
  void takePrologue(KernelGroup &group);
  void takeNarrowings(KernelGroup &group);
  void takeWidenings(KernelGroup &group);
  void takeMovementBefore(KernelGroup &group);
  void takeMovementBehind(KernelGroup &group);
  bool isAlone(Operation *op);
  void join(KernelGroup &group, Operation *op, const KernelShape &shape);

  SmallVector<std::unique_ptr<KernelGroup>> groups;
  DenseMap<Operation *, KernelGroup *> groupOf;
};

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_KERNELGROUPS_H
