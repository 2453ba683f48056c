//===- MatmulPanels.h - The block of a GPU's matmul -------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block goes over K in steps: all threads bring the step's part of both operands into shared memory, then
// each adds its products to the sums that it holds. Here is what goes into memory and out of it; the sums are a
// schedule's, of which there are two: threads with fused multiply-adds (MatmulGpu.cpp), and warps with tensor cores
// (MatmulTensorCores.cpp). K goes by in units: an element, or a pair of them that is stored as one.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_CONVERSION_MATMULPANELS_H
#define NOVA_LIB_CONVERSION_MATMULPANELS_H

#include "TileEmitter.h"

namespace mlir::nova {

class MatmulPanels {
public:
  virtual ~MatmulPanels() = default;

  /// Emits the block.
  void emit();

protected:
  /// A step's part of an operand in shared memory.
  struct Panel {
    unsigned operand;
    int64_t extent;           // rows of the left operand, columns of the right one
    bool kIsLast;             // in the operand: neighbouring threads take neighbours along it
    int64_t strideOfK, along; // from an element to the next one, along K and the extent
    Value base = {};
  };

  /// `step`: elements along K that panels hold. `stored`: an element, as they hold it.
  MatmulPanels(TileEmitter &e, MatmulOp op, int64_t step, Type stored);

  /// A thread's first sums, and the sums with those of a step's products.
  virtual SmallVector<Value> initial() = 0;
  virtual SmallVector<Value> multiply(ValueRange sums) = 0;
  /// The row and column in the block's tile of a thread's sum.
  virtual std::pair<Value, Value> positionOf(size_t sum) = 0;
  /// An element as panels hold it.
  virtual Value toStored(Value element) { return element; }

  /// Takes shared memory for `elements` of the panel.
  void allocate(Panel &panel, int64_t elements);
  Value slot(const Panel &panel, Value k, Value i) {
    return e.pointer(panel.base, e.add(e.mul(k, panel.strideOfK), e.mul(i, panel.along)), stored);
  }

  TileEmitter &e;
  ImplicitLocOpBuilder &b;
  MatmulOp op;
  const Type element; ///< The type of sums.
  const int64_t step;
  const Value thread;
  Panel rows, columns;

private:
  void fill(const Panel &panel, Value extent, Value from);
  Value load(const Panel &panel, Value extent, Value k, Value i);
  void store(ValueRange sums);
  Coords position(Value i, Value j);
  Value isBelow(Value x, Value y) { return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x, y); }

  const Type stored;
  Value m, n, kSize;
  SmallVector<Value> batch;
};

/// A thread has a matrix of sums, of as many rows and columns as the configuration's register tile.
std::unique_ptr<MatmulPanels> createThreadSums(TileEmitter &e, MatmulOp op);
/// A warp has that matrix, of products of tf32, or of pairs of bf16 or f16.
std::unique_ptr<MatmulPanels> createTensorCoreSums(TileEmitter &e, MatmulOp op);

} // namespace mlir::nova

#endif // NOVA_LIB_CONVERSION_MATMULPANELS_H
