//===- ScheduleStrategy.h - How the inside of a block is built --*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_SCHEDULESTRATEGY_H
#define NOVA_LIB_TRANSFORMS_SCHEDULESTRATEGY_H

#include "Nova/Dialect/Schedule.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::nova {

/// One way to build the inside of a tiled kernel's blocks. A file each.
struct ScheduleStrategy {
  StringRef name; ///< as configurations have it
  /// Whether the kernel, tiled or not, is one for the strategy.
  bool (*applies)(KernelOp kernel);
  /// Whether the configuration's parameters fit the kernel, each other and the shared memory that a block can have; a
  /// diagnostic at the kernel if not.
  LogicalResult (*verify)(KernelOp kernel, int64_t sharedBytes);
  /// Replaces the block's body.
  LogicalResult (*build)(KernelOp kernel, scf::ForallOp grid);
};
/// Null for an unknown name.
const ScheduleStrategy *lookupStrategy(StringRef name);
/// All names, for messages.
std::string strategyNames();

/// Whether the kernel's configuration, if it names a strategy, is one that builds it; a diagnostic if not.
LogicalResult verifyStrategy(KernelOp kernel, int64_t sharedBytes);

extern const ScheduleStrategy kTensorCores;

/// Rebuilds the elementwise ops between an anchor's tile in registers and the block's results, on the anchor's layout.
class EpilogueBuilder {
public:
  /// `anchor` is the anchor's value in the tiled block, `tile` its tile [rows, columns] in registers: the anchor's last
  /// two axes, as many elements as a whole block has.
  EpilogueBuilder(OpBuilder &b, Value anchor, Value tile, int64_t threads);

  /// The tile of a value of the block, in the layout in which it meets the anchor's.
  Value tileOf(Value value);
  /// Stores all results of the grid.
  LogicalResult store(scf::ForallOp grid);

  /// Whether the values that the block stores are made of the anchor by what this builder knows.
  static bool canBuild(Value anchor, ArrayRef<Value> stored);

private:
  /// A tile's type for a value of the block of that shape and element type.
  RankedTensorType typeFor(ArrayRef<int64_t> shape, Type element);
  Value load(tensor::ExtractSliceOp slice);
  Value inRows(Value tile, tensor::ParallelInsertSliceOp insert);

  OpBuilder &b;
  RankedTensorType whole;
  SmallVector<int64_t> anchorShape;
  int64_t threads;
  DenseMap<Value, Value> made;
};

/// The layout by which threads move a tile's rows between memory and shared memory: `width` neighbours each.
ThreadsAttr rowsByThreads(MLIRContext *context, ArrayRef<int64_t> shape, int64_t width, int64_t threads);
/// The layout of a tile in shared memory whose rows of 16 bytes lie in different banks, be it read along rows or
/// columns.
SharedAttr swizzledRows(MLIRContext *context, ArrayRef<int64_t> shape, unsigned elementBits);

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_SCHEDULESTRATEGY_H
