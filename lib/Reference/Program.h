//===- Program.h - Functions made ready for evaluation ----------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every value of a function gets a slot in the frame of a call. An op knows its evaluator, the slots that it reads and
// writes, and the slots that nobody reads after it.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_REFERENCE_PROGRAM_H
#define NOVA_REFERENCE_PROGRAM_H

#include "OpEvaluators.h"
#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::nova::reference {

struct PreparedOp {
  Operation *op;
  const OpEvaluator *evaluate;
  struct Operand {
    unsigned slot;
    /// Whether the op may have the datum to itself, and so change a tensor in place.
    bool isLastUse;
  };
  SmallVector<Operand> operands;
  /// The first of the results' slots, which are neighbours.
  unsigned results;
  /// Slots that hold nothing of use once the op has run.
  SmallVector<unsigned> dead;
};

struct PreparedBlock {
  std::vector<PreparedOp> ops;
  /// Slots of the arguments.
  SmallVector<unsigned> arguments;
};

class PreparedFunction {
public:
  /// Fails, with a diagnostic per op, if the body holds something that has no evaluator.
  static FailureOr<std::unique_ptr<PreparedFunction>> prepare(FunctionOpInterface function,
                                                              const EvaluatorTable &evaluators);

  unsigned getSlotCount() const { return slots.size(); }
  unsigned getSlot(Value value) const { return slots.at(value); }
  const PreparedBlock &getBlock(Block *block) const { return *blocks.at(block); }

private:
  LogicalResult prepareBlock(Block &block, const EvaluatorTable &evaluators);
  unsigned addSlot(Value value);

  DenseMap<Value, unsigned> slots;
  DenseMap<Block *, std::unique_ptr<PreparedBlock>> blocks;
};

} // namespace mlir::nova::reference

#endif // NOVA_REFERENCE_PROGRAM_H
