//===- MatmulOperands.h - What a CPU's matmul multiplies ---------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MatmulCpu.cpp has the loops over panels and tiles; here is what lies in registers and local memory inside them. K
// goes by in units: a float, or a pair of bf16 that one instruction multiplies.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_CONVERSION_MATMULOPERANDS_H
#define NOVA_LIB_CONVERSION_MATMULOPERANDS_H

#include "TileEmitter.h"

namespace mlir::nova {

/// The operands of a matmul's block.
class MatmulOperands {
public:
  /// `maxKBlock`: the most elements along K that a K-block may have; a multiple of `unit`.
  MatmulOperands(TileEmitter &e, MatmulOp op, Type stored, int64_t unit, int64_t maxKBlock);
  virtual ~MatmulOperands() = default;

  /// Takes local memory.
  void allocate();
  /// Packs the right operand's part of a K-block: `column` has the first column of each of the panel's vectors, `masks`
  /// (null: all) tells which of its columns exist.
  virtual void packRight(ArrayRef<Value> column, ArrayRef<Value> masks, Value k, Value count) = 0;
  /// Brings the left operand's part of a K-block where `left` reads it.
  virtual void prepareLeft(Value k, Value count) = 0;
  /// The left operand at a row and a unit of the K-block that begins at `k`, in all lanes.
  virtual Value left(Value row, Value k, Value unitAt) = 0;
  virtual Value multiply(Value left, Value right, Value sum) = 0;

  /// Whether sums are made in memory, by `sumTile`, instead of registers, by `left`, `right` and `multiply`.
  virtual bool sumsInMemory() const { return false; }
  /// Around all of a block's work.
  virtual void begin() {}
  virtual void end() {}
  /// The sums of a register tile's rows from `row` on by the panel's columns over the K-block that begins at `k`:
  /// row-major at `sums`, `columns` apart. `accumulate` (null: never) tells whether it adds to what is there. Rows that
  /// don't exist get any value. `ahead(row, height, v, width)` is called before the products of some vectors of some
  /// rows, for what their epilogue needs.
  using Ahead = function_ref<void(Value, int64_t, int64_t, int64_t)>;
  virtual void sumTile(Value row, Value k, Value count, Value accumulate, Value sums, Ahead ahead) {
    (void)row, (void)k, (void)count, (void)accumulate, (void)sums, (void)ahead;
    llvm_unreachable("only of operands whose sums are in memory");
  }

  Value right(Value unitAt, int64_t v) { return e.loadVector(slot(unitAt, v * e.lanes), stored, 64); }
  /// Units of a K-block of `count` elements.
  Value units(Value count);
  int64_t blockRows();

  SmallVector<Value> batch; ///< The current leading coordinates.
  const Type element;       ///< The type of sums.
  int64_t kSize, kBlock;    ///< Elements along K: in all, and of a K-block.
  int64_t vectors, columns; ///< The width of a panel.

protected:
  /// The coordinates in an operand of the loops batch, m, n and k, of which the op's map takes what it needs.
  Coords where(unsigned operand, Coord row, Coord column, Coord k);
  Value slot(Value unitAt, int64_t offset) { return e.pointer(panel, e.add(e.mul(unitAt, columns), offset), stored); }
  /// Packs a right operand that stands as [N, K]: squares of lanes x lanes units are transposed in registers.
  /// `units(column, unit)` loads units of a column; in the place of columns that don't exist the last one is packed.
  void packSquares(Value first, Value n, Value count, function_ref<Value(Value, Value)> units);

  TileEmitter &e;
  ImplicitLocOpBuilder &b;
  MatmulOp op;
  const Type stored;  ///< A unit, as panels hold it.
  const int64_t unit; ///< Elements of a unit.
  Value panel;
};

/// Floats: right operand in whole vectors, left operand broadcast from where it lies.
std::unique_ptr<MatmulOperands> createFloatOperands(TileEmitter &e, MatmulOp op);
/// Pairs of bf16, multiplied and added up by one instruction (AVX-512 BF16); both operands are widened bf16.
std::unique_ptr<MatmulOperands> createVnniOperands(TileEmitter &e, MatmulOp op);
/// The same pairs, multiplied as matrices of 16 x 16 of them (AMX).
std::unique_ptr<MatmulOperands> createAmxOperands(TileEmitter &e, MatmulOp op);

} // namespace mlir::nova

#endif // NOVA_LIB_CONVERSION_MATMULOPERANDS_H
