//===- NovaScheduleOps.td - Inside a block of a GPU kernel -*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The level "scheduled": where tiles live, and when they move. Tiles stay values: with every op of this file an evaluator that
// ignores layouts, storage and order gets what the tiled kernel gave.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_SCHEDULE_OPS_TD
#define NOVA_SCHEDULE_OPS_TD

include "Nova/Dialect/NovaBase.td"
include "Nova/Dialect/NovaLayouts.td"

class Nova_TileIn<string predicate, string what>
  : Type<And<[Nova_Tensor.predicate, CPred<"::mlir::nova::" # predicate # "($_self)">]>, what, "::mlir::RankedTensorType">;
def Nova_SharedTile : Nova_TileIn<"isInSharedMemory", "tile in shared memory">;
def Nova_RegisterTile : Nova_TileIn<"isInRegisters", "tile in registers">;
def Nova_Tile : AnyTypeOf<[Nova_SharedTile, Nova_RegisterTile], "tile with a layout", "::mlir::RankedTensorType">;

def Nova_SharedMemory : Resource<"::mlir::nova::SharedMemory">;
def Nova_CopyQueue : Resource<"::mlir::nova::CopyQueue">;

class Nova_ScheduleOp<string mnemonic, list<Trait> traits = []>
  : Nova_Op<mnemonic, !listconcat([Nova_StructureTrait], traits)>;

def Nova_AllocateOp : Nova_ScheduleOp<"allocate"> {
  let summary = "room for a tile in shared memory";
  let description = [{
    Its elements have no value yet. A copy into the room makes a tile that takes it over: the value that had it before may
    not be read afterwards. Rooms whose tiles are not in use at the same time may share memory.

    ```mlir
    %room = nova.allocate : tensor<128x32xbf16, #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>>
    ```
  }];
  let results = (outs Res<Nova_SharedTile, "", [MemAlloc<Nova_SharedMemory>]>:$room);
  let assemblyFormat = "attr-dict `:` type($room)";
}

def Nova_CopyAsyncOp : Nova_ScheduleOp<"copy_async", [MemoryEffects<[MemWrite<Nova_SharedMemory>,
    MemWrite<Nova_CopyQueue>]>, TypesMatchWith<"a tile takes over the room", "room", "tile", "$_self">]> {
  let summary = "a tile of an argument, copied into shared memory while the block goes on";
  let description = [{
    The elements from `offsets` on along the argument's axes; the tile has its last axes. Elements outside the argument are
    0, along an axis that is `in_bounds` there are none. `by` is the layout by which threads copy: each moves the elements
    that lie side by side in its registers by one access of 4, 8 or 16 bytes, to which both sides must be aligned.

    The copy belongs to the next group that `nova.commit` closes. Before the tile is read a `nova.wait` must have waited for
    the group, and a `nova.barrier` for the other threads' parts.

    ```mlir
    %a = nova.copy_async %x[%i, %k] into %room by #nova.threads<elements = [1, 8], threads = [32, 4]> in_bounds [true, true]
      : tensor<8192x768xbf16>, tensor<128x32xbf16, #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>>
    ```
  }];
  let arguments = (ins Nova_Tensor:$source, Nova_SharedTile:$room, Variadic<Index>:$offsets, Nova_ThreadsAttr:$by,
                       DenseBoolArrayAttr:$in_bounds);
  let results = (outs Nova_SharedTile:$tile);
  let assemblyFormat = "$source `[` $offsets `]` `into` $room `by` $by `in_bounds` $in_bounds attr-dict `:` "
                       "type($source) `,` type($room)";
  let hasVerifier = 1;
}

def Nova_LoadOp : Nova_ScheduleOp<"load", [Pure]> {
  let summary = "a tile of an argument in registers";
  let description = [{
    The elements from `offsets` on, as for `nova.copy_async`: 0 outside the argument.

    ```mlir
    %b = nova.load %bias[%j] in_bounds [true]
      : tensor<768xf32> -> tensor<128xf32, #nova.threads<elements = [1], threads = [128]>>
    ```
  }];
  let arguments = (ins Nova_Tensor:$source, Variadic<Index>:$offsets, DenseBoolArrayAttr:$in_bounds);
  let results = (outs Nova_RegisterTile:$tile);
  let assemblyFormat = "$source `[` $offsets `]` `in_bounds` $in_bounds attr-dict `:` type($source) `->` type($tile)";
  let hasVerifier = 1;
}

def Nova_ConvertLayoutOp : Nova_ScheduleOp<"convert_layout", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the same tile in another layout";
  let description = [{
    From shared memory to registers it is loads, of whole matrices where the layouts allow; from registers into a room of
    shared memory it is stores; between registers each thread must have its elements already.

    ```mlir
    %f = nova.convert_layout %a : tensor<128x32xbf16, #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>>
      -> tensor<128x32xbf16, #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [2, 2]>>
    ```
  }];
  let arguments = (ins Nova_Tile:$x, Optional<Nova_SharedTile>:$room);
  let results = (outs Nova_Tile:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Nova_ContractOp : Nova_ScheduleOp<"contract", [Pure, AllTypesMatch<["sums", "result"]>]> {
  let summary = "sums + lhs x rhs, by a matrix instruction";
  let description = [{
    Matrices [M, K] and [K, N] and sums [M, N], as fragments of one intrinsic, which the layouts name. A tf32 intrinsic takes
    f32 and rounds factors to tf32.

    ```mlir
    %d = nova.contract %a, %b, %c
      : tensor<128x32xbf16, #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [2, 2]>>,
        tensor<32x128xbf16, #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [2, 2]>>,
        tensor<128x128xf32, #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [2, 2]>>
    ```
  }];
  let arguments = (ins Nova_RegisterTile:$lhs, Nova_RegisterTile:$rhs, Nova_RegisterTile:$sums);
  let results = (outs Nova_RegisterTile:$result);
  let assemblyFormat = "$lhs `,` $rhs `,` $sums attr-dict `:` type($lhs) `,` type($rhs) `,` type($sums)";
  let hasVerifier = 1;
}

def Nova_CommitOp : Nova_ScheduleOp<"commit", [MemoryEffects<[MemWrite<Nova_CopyQueue>, MemRead<Nova_CopyQueue>]>]> {
  let summary = "closes a group of asynchronous copies";
  let description = [{
    ```mlir
    nova.commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Nova_WaitOp : Nova_ScheduleOp<"wait", [MemoryEffects<[MemWrite<Nova_CopyQueue>, MemRead<Nova_CopyQueue>,
    MemWrite<Nova_SharedMemory>]>]> {
  let summary = "waits for the thread's asynchronous copies";
  let description = [{
    Until at most `pending` of the groups committed last are under way.

    ```mlir
    nova.wait 1
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$pending);
  let assemblyFormat = "$pending attr-dict";
}

def Nova_BarrierOp : Nova_ScheduleOp<"barrier", [MemoryEffects<[MemRead<Nova_SharedMemory>,
    MemWrite<Nova_SharedMemory>]>]> {
  let summary = "waits for the block's other threads";
  let description = [{
    What they have put into shared memory before can be read after it, and rooms that they have read can be filled again.

    ```mlir
    nova.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // NOVA_SCHEDULE_OPS_TD
