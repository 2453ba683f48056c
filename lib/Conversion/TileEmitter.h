//===- TileEmitter.h - What family emitters are written with ----*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the body of one grid block of a tiled kernel (L4): slices are addresses, tiles are values computed on demand at
// a position, an anchor's result is in registers (`bind`) or in a local buffer (`place`). Prologues, epilogues, masks
// at edges and element types are dealt with here, once; a family's emitter is only the schedule inside a block.
//
// On the CPU a position may run along `lanes` neighbouring elements of an axis. On a GPU there is one lane, and
// `vectors` hands neighbouring elements to neighbouring threads of the block.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_CONVERSION_TILEEMITTER_H
#define NOVA_LIB_CONVERSION_TILEEMITTER_H

#include "Nova/Dialect/Nova.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include <map>

namespace mlir::nova {

enum class Device { Cpu, Gpu };

/// The type in which elements are computed: f16 and bf16 in f32, all others as they are.
Type computeType(Type element);
/// The type of elements in memory: i1 takes a byte.
Type storageType(Type element);

/// One axis of a position in a tile: an index, or a vector of them, and how far apart lanes lie along the axis (0: the
/// lanes don't run along it).
struct Coord {
  Value at;
  int64_t step = 0;
};
using Coords = SmallVector<Coord>;

class TileEmitter {
public:
  /// Where the code of one block goes: the pointer of each of the kernel's arguments, then results, the status, and
  /// the linear block number. `scratch` is the worker's memory (CPU).
  struct Entry {
    SmallVector<Value> pointers;
    Value status, scratch, block;
  };

  /// Shared memory that every GPU gives a block without being asked for more.
  static constexpr int64_t kSharedBytes = 48 << 10;

  TileEmitter(OpBuilder &builder, KernelOp kernel, Device device, const Entry &entry);

  // --- Values -----------------------------------------------------------------------------------------------------

  /// The tile's elements at a position: a vector if lanes run along an axis, else a scalar. Lanes that are off in
  /// `mask` have any value, and are not read from memory.
  Value eval(Value tile, const Coords &at, Value mask = {});
  /// Computes every output of the block whose shape is that of the first, at a position, and stores it.
  void store(const Coords &at, Value mask = {});
  /// Stores `value` as the outputs that `tile` becomes, by itself or by transposes and casts between floats.
  void storeOutput(Value tile, Value value, const Coords &at, Value mask = {});
  /// The element of an output that the block has stored before.
  Value loadOutput(Value tile, const Coords &at, Value mask = {});
  /// Asks for the cache lines that `store` is going to read and write at a position; `at` has lanes along the last
  /// axis, `offset` elements from where asking began: what lies in a line that was asked for is left out.
  void prefetchStore(const Coords &at, int64_t offset);
  /// Whether `storeOutput` stores it.
  bool isOutput(Value tile);
  /// Gives an anchor's result its value at the positions evaluated from now on.
  void bind(Value tile, Value value) { memo.clear(), bound[tile] = value; }
  void unbind() { memo.clear(), bound.clear(); }
  /// Says that `tile`, from element `origin` on, lies in a local row-major buffer of its compute type.
  void place(Value tile, Value buffer, ArrayRef<int64_t> shape, ArrayRef<Value> origin);
  void unplace(Value tile) { memo.clear(), local.erase(tile); }
  /// Checks the indices of the gathers that lie outside the last axis, once for a row of positions.
  void enterRow(ArrayRef<Value> row);

  /// `index` if it is valid, else 0 after the error is noted in the status.
  Value checkedIndex(Value index, Value bound, Value tile, const Coords &at, Value valid = {});
  /// Where loops at these positions reach a tensor.
  Coords project(AffineMap map, const Coords &at);
  /// The absolute index of a positional op's loop for a coordinate of its tile.
  Value absolute(IndexedOp op, unsigned positional, Value at);

  // --- The block --------------------------------------------------------------------------------------------------

  SmallVector<Value> sizes(Value tile);
  /// The most elements that a block has along an axis of the kernel's first result.
  int64_t blockExtent(unsigned axis) {
    int64_t extent = kernel.getConfigAttr().getTile()[axis];
    return extent ? extent : cast<RankedTensorType>(kernel.getResultTypes()[0]).getDimSize(axis);
  }
  /// The position in the tile of the kernel's first result, and its sizes.
  SmallVector<Value> outputSizes();
  /// Memory of the worker (CPU) or of the thread block (GPU, shared).
  Value buffer(int64_t elements, Type element);
  int64_t scratchBytes() const { return scratchUsed; }
  /// Whether a buffer of that many bytes can be had, and one for combineLanes: a CPU's worker has what it needs.
  bool fits(int64_t bytes) const { return device == Device::Cpu || scratchUsed + bytes + 512 <= kSharedBytes; }

  // --- Control ----------------------------------------------------------------------------------------------------

  void loop(Value from, Value to, int64_t step, function_ref<void(Value)> body);
  void loops(ArrayRef<Value> sizes, function_ref<void(ArrayRef<Value>)> body);
  SmallVector<Value> carry(Value from, Value to, int64_t step, ValueRange initial,
                           function_ref<SmallVector<Value>(Value, ValueRange)> body);
  /// body(position, mask, carried): the elements 0 to n, lane by lane: on the CPU whole vectors without a mask, then
  /// one masked vector; on a GPU each thread its elements.
  SmallVector<Value> vectors(Value n, ValueRange initial,
                             function_ref<SmallVector<Value>(Value, Value, ValueRange)> body);
  void vectors(Value n, function_ref<void(Value, Value)> body);
  void when(Value condition, function_ref<void()> body);
  /// Combines all lanes (CPU) or the values of all threads (GPU) of a float; every thread gets the result.
  Value combineLanes(vector::CombiningKind kind, Value value);

  // --- Threads of a GPU block (Threads.cpp) ------------------------------------------------------------------------

  static constexpr int64_t kWarp = 32;
  int64_t threadCount() const { return threads; }
  int64_t warpCount() const { return threads / kWarp; }
  Value threadIndex();
  Value warpIndex();
  Value laneIndex(); // in the warp
  /// Waits for the other threads of the block; what they stored before can be loaded after. Nothing on a CPU.
  void barrier();
  /// Runs the body on one thread of the block. On a CPU there is no other.
  void once(function_ref<void()> body);
  /// Calls body at every element of a box, the elements dealt out to threads, neighbours to neighbours.
  void elements(ArrayRef<Value> sizes, function_ref<void(const Coords &)> body);
  /// Combines the values of the warp's lanes; every lane gets the result.
  Value combineWarp(vector::CombiningKind kind, Value value);
  /// The value that a lane of the warp has.
  Value fromLane(Value value, Value lane);

  // --- Arithmetic -------------------------------------------------------------------------------------------------

  Value cst(int64_t value);
  Value add(Value x, Value y);
  Value add(Value x, int64_t y) { return y ? add(x, cst(y)) : x; }
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value mul(Value x, int64_t y) { return y == 1 ? x : mul(x, cst(y)); }
  Value floorTo(Value x, int64_t step);
  Value minimum(Value x, Value y);
  /// A float or integer constant of a compute type; `vector` makes it one per lane.
  Value constant(Type type, double value);
  Value splat(Type element, double value) { return asVector(constant(element, value)); }
  /// A scalar in every lane; vectors are returned as they are. On a GPU the value itself.
  Value asVector(Value value);
  Type vectorOf(Type element);
  /// `value` where the mask is on (no mask: everywhere), else `other`.
  Value masked(Value mask, Value value, Value other);
  /// The mask of the first `count` lanes.
  Value mask(Value count);
  Value fma(Value x, Value y, Value z);
  /// Makes rows of a square of `lanes` vectors columns.
  void transpose(SmallVector<Value> &square);

  // --- Memory -----------------------------------------------------------------------------------------------------

  Value pointer(Value base, Value element, Type type);
  Value loadVector(Value pointer, Type element, int64_t align = 0);
  Value loadScalar(Value pointer, Type element);
  /// The lanes that are on in the mask, zero in the others.
  Value loadMasked(Value pointer, VectorType type, Value mask);
  /// Where an element of a slice of an argument lies, in the type that memory holds.
  Value pointerTo(Value tile, const Coords &at);
  void storeValue(Value value, Value pointer, Value mask = {}, int64_t align = 0);

  ImplicitLocOpBuilder b;
  KernelOp kernel;
  scf::ForallOp grid;
  const Device device;
  const int64_t lanes, threads;
  /// The first op that was evaluated without there being code for it.
  Operation *withoutCode = nullptr;

private:
  /// A tensor in memory and where in it a tile begins.
  struct View {
    Value base;
    SmallVector<int64_t> strides; // of the whole tensor, in elements
    SmallVector<Value> offsets;
    SmallVector<int64_t> steps; // of the slice
    Type element;
    bool isLocal = false; // holds compute types
  };
  View viewOf(Value tile);
  View viewOf(tensor::ParallelInsertSliceOp insert);
  View wholeTensor(Value base, RankedTensorType type);
  void readScalars();
  Value indexValue(OpFoldResult value);
  Value load(const View &view, const Coords &at, Value mask);
  void storeTo(const View &view, Value value, const Coords &at, Value mask);
  void prefetch(const View &view, const Coords &at, int64_t offset, bool write);
  void prefetchOperands(Value result, const Coords &position, int64_t offset, llvm::SmallDenseSet<Value> &seen);
  struct Address {
    Value pointer;
    Value laneOffsets; // vector of element offsets, if lanes don't lie side by side
  };
  Address address(const View &view, const Coords &at, Type element);
  Value widen(Value value, Type element);
  Value narrow(Value value, Type element);
  bool hasLanes(const Coords &at);

  Value &remembered(Value tile, const Coords &at, Value mask);
  Value evalOp(OpResult tile, const Coords &at, Value mask);
  Value evalPointwise(OpResult tile, const Coords &at, Value mask);
  Value emitPointwise(OpResult tile, SmallVector<Value> &operands, const Coords &at);
  Value noCode(Value tile, const Coords &at);
  Value evalIota(IotaOp op, const Coords &at);
  Value evalSlice(SliceOp op, const Coords &at, Value mask);
  Value evalDynamicSlice(DynamicSliceOp op, const Coords &at, Value mask);
  Value evalDynamicUpdateSlice(DynamicUpdateSliceOp op, const Coords &at, Value mask);
  template <typename Op> Value evalRandom(Op op, const Coords &at);
  /// Where the part of `whole` that begins as `starts` says does begin along an axis.
  Value dynamicStart(Value starts, unsigned axis, RankedTensorType whole, int64_t size);
  /// The coordinate moved by a number of elements.
  Value moved(Value at, Value by);
  Value evalPad(PadOp op, const Coords &at, Value mask);
  Value evalConcat(ConcatOp op, const Coords &at, Value mask);
  Value evalGather(GatherOp op, const Coords &at, Value mask);
  Value evalReduce(ReduceOp op, const Coords &at, Value mask);
  Value evalMatmul(MatmulOp op, const Coords &at, Value mask);
  Value laneIndices(const Coord &coord);
  Value inRange(const Coord &coord, Value from, Value to, Value mask);
  Value combineThreads(vector::CombiningKind kind, Value value);
  Value shuffle(Value value, Value lane, NVVM::ShflKind kind);

  IRMapping map;                                          // the block's index arithmetic, cloned
  DenseMap<Value, Value> base;                            // kernel argument or shared_out -> pointer
  DenseMap<Value, View> local;                            // tile -> buffer
  DenseMap<Value, Value> bound;                           // anchor's result -> registers
  DenseMap<Value, Value> scalars;                         // tile of rank 0 -> its element
  DenseMap<Operation *, Value> rowIndices;                // gather -> its checked index in this row
  DenseMap<Value, tensor::ParallelInsertSliceOp> outputs; // tile -> where it goes
  std::map<std::vector<const void *>, Value> memo;
  Value status, scratch, reductionBuffer;
  int64_t scratchUsed = 0;
};

/// What a block begins with: pointers of the kernel's arguments and the grid's results, the kernel's constants, and the
/// grid's induction variables, from the linear block number, last axis fastest.
void enterBlock(ImplicitLocOpBuilder &b, KernelOp kernel, scf::ForallOp grid, const TileEmitter::Entry &entry,
                DenseMap<Value, Value> &pointers, IRMapping &map);
/// The element of a splat, in its compute type.
Value emitSplatElement(ImplicitLocOpBuilder &b, DenseElementsAttr elements);

/// THE meaning of the elementwise ops over scalars or vectors of compute types, for every family on every device.
/// `results` is appended one value per result of the op. Fails, without a diagnostic, for any other op.
LogicalResult emitElementwise(ImplicitLocOpBuilder &b, Operation *op, ValueRange operands,
                              SmallVectorImpl<Value> &results);
/// The counterpart of emitElementwise for optimizers.
void emitOptimizer(ImplicitLocOpBuilder &b, Operation *op, ValueRange operands, SmallVectorImpl<Value> &results);
/// Nova's cast between element types, on values in their compute types: floats to integers saturate, NaN gives 0;
/// f16 and bf16 round although they live in f32.
Value emitCast(ImplicitLocOpBuilder &b, Value x, Type from, Type to);

/// The value that leaves the other operand of a reduction as it is, and one step of the reduction.
Value reductionIdentity(TileEmitter &e, ReduceKind kind, Type element);
Value reductionStep(ImplicitLocOpBuilder &b, ReduceKind kind, Value accumulator, Value value);

/// Random numbers in f32 for elements of a stream; `index` is an i64 or a vector of them, the others are scalars.
Value emitRandomUniform(ImplicitLocOpBuilder &b, Value seed, Value stream, Value index);
Value emitRandomNormal(ImplicitLocOpBuilder &b, Value seed, Value stream, Value index);

// One emitter a family: the schedule inside a block.
void emitElementwiseBlock(TileEmitter &e);
LogicalResult emitRowBlock(TileEmitter &e, Operation *anchor);
void emitColumnBlock(TileEmitter &e, ReduceOp reduce);
void emitScatterAddBlock(TileEmitter &e, ScatterAddOp scatter);
void emitGenericBlock(TileEmitter &e);
void emitCpuMatmulBlock(TileEmitter &e, MatmulOp matmul);
void emitCpuAttentionBlock(TileEmitter &e, Operation *anchor);
void emitGpuMatmulBlock(TileEmitter &e, MatmulOp matmul);
void emitGpuAttentionBlock(TileEmitter &e, Operation *anchor);

/// Emits the kernel's block by its family; an error at the kernel or op that no family has code for.
LogicalResult emitBlock(TileEmitter &e);

} // namespace mlir::nova

#endif // NOVA_LIB_CONVERSION_TILEEMITTER_H
