//===- ScheduledEmitter.h - A scheduled block, op by op ---------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers the block of a scheduled kernel. It knows ops and layouts, and no strategy: a tile in registers is a value for
// each of a thread's registers, a tile in shared memory an address, and every place follows from the layouts' maps.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_CONVERSION_SCHEDULEDEMITTER_H
#define NOVA_LIB_CONVERSION_SCHEDULEDEMITTER_H

#include "Nova/Dialect/Schedule.h"
#include "TileEmitter.h"

namespace mlir::nova {

/// A thread's part of a tile.
struct RegisterTile {
  enum Form {
    Computed, ///< a value of the compute type for each register
    Stored,   ///< a value of the type that memory has for each register
    Packed,   ///< 32 bits for each register or each two neighbours of 16 bits, as matrix instructions have them
  };
  SmallVector<Value> values;
  Form form = Computed;
};

class ScheduledEmitter {
public:
  ScheduledEmitter(OpBuilder &builder, KernelOp kernel, const TileEmitter::Entry &entry);

  LogicalResult emit();
  int64_t sharedBytes() const { return allocation.bytes; }

private:
  // --- Walking (ScheduledEmitter.cpp) --------------------------------------------------------------------------------

  LogicalResult emit(Block &block);
  LogicalResult emit(Operation *op);
  LogicalResult emit(scf::ForOp loop);
  LogicalResult emit(scf::IfOp choice);
  LogicalResult emitElementwise(Operation *op);
  void emitConstant(ConstantOp constant);
  /// What a loop or choice passes on for a value: its registers, its address, or itself.
  SmallVector<Value> flatten(Value value);
  /// The reverse: takes as many of `values` as the value has.
  void unflatten(Value value, ValueRange &values);
  Value indexOf(OpFoldResult value);

  RegisterTile::Form formOf(RankedTensorType type);
  /// The tile's registers in that form.
  SmallVector<Value> registersOf(Value tile, RegisterTile::Form form);
  RegisterTile convert(const RegisterTile &tile, Type element, RegisterTile::Form form);
  Value widen(Value value, Type element);
  Value narrow(Value value, Type element);

  // --- Places (ScheduledPlaces.cpp) ----------------------------------------------------------------------------------

  /// The map's value for the bits of the thread's number, an i32.
  Value ofThread(const BitMap &map);
  /// `map` for the thread, and a constant that belongs to registers: the XOR of both, the constant's bits that no
  /// thread has added last, where they are an address' immediate.
  struct Place {
    Value varying;    // i32
    int64_t constant; // to add
  };
  Place placeOf(const BitMap &threads, uint32_t registers);
  /// The address in a room of an element's place, by thread and register.
  Value sharedPointer(Value room, const SharedLayout &layout, Type element, const BitMap &threads, uint32_t registers);

  /// An argument's or result's elements as a tile has them.
  struct GlobalTile {
    RankedTensorType type;          // of the whole tensor
    Value base, origin;             // pointers to its first element, and to the tile's first for this thread
    SmallVector<int64_t> strides;   // of the tile's axes, in elements
    SmallVector<Value> bounds;      // of the tile's axes; null: all elements exist
    SmallVector<int64_t> shape;     // of the tile
    BitMap threads;                 // to the element's number
    SmallVector<Value> coordinates; // of the thread's first element, i32
  };
  GlobalTile globalTile(Value pointer, RankedTensorType type, ArrayRef<int64_t> shape, const RegisterLayout &layout,
                        ArrayRef<OpFoldResult> offsets, ArrayRef<Value> bounds);
  /// Bounds of the tile's axes where it may lie across the tensor's end.
  SmallVector<Value> boundsOf(RankedTensorType type, ArrayRef<OpFoldResult> offsets, ArrayRef<bool> inBounds);
  Value globalPointer(const GlobalTile &tile, uint32_t registers);
  /// Whether the element exists; null: it does.
  Value exists(const GlobalTile &tile, uint32_t registers);
  /// Runs the body on one of the threads that have the same elements.
  void onceFor(const BitMap &threads, function_ref<void()> body);

  // --- Movement (ScheduledMemory.cpp) --------------------------------------------------------------------------------

  LogicalResult emit(CopyAsyncOp copy);
  LogicalResult emit(LoadOp load);
  LogicalResult emit(ConvertLayoutOp convert);
  void loadMatrices(ConvertLayoutOp convert, const SharedLayout &from, const RegisterLayout &to,
                    const MatrixLoad &load);
  void loadShared(ConvertLayoutOp convert, const SharedLayout &from, const RegisterLayout &to);
  void storeShared(ConvertLayoutOp convert);
  void moveRegisters(ConvertLayoutOp convert);
  void emitStore(tensor::ParallelInsertSliceOp insert);

  // --- Contraction (ScheduledContract.cpp) ---------------------------------------------------------------------------

  LogicalResult emit(ContractOp contract);

  Value cst(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value i32(int64_t value) { return arith::ConstantIntOp::create(b, b.getI32Type(), value); }
  Value offsetPointer(Value pointer, Value elements, Type element);
  Value offsetPointer(Value pointer, int64_t elements, Type element);

  ImplicitLocOpBuilder b;
  KernelOp kernel;
  scf::ForallOp grid;
  SharedAllocation allocation;
  IRMapping map;                           // index arithmetic and scalars
  DenseMap<Value, Value> pointers;         // arguments and shared_outs
  DenseMap<Value, Value> rooms;            // tiles in shared memory
  DenseMap<Value, RegisterTile> registers; // tiles in registers
  Value shared, thread;                    // the block's shared memory; the thread's number, i32
};

} // namespace mlir::nova

#endif // NOVA_LIB_CONVERSION_SCHEDULEDEMITTER_H
