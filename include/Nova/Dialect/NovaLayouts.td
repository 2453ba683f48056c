//===- NovaLayouts.td - Where the elements of a tile are ---*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Encodings of tiles in a scheduled kernel. All of them are linear maps over bits, see Layout.h, so sizes are powers of two.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LAYOUTS_TD
#define NOVA_LAYOUTS_TD

include "Nova/Dialect/NovaAttributes.td"

def Nova_MatrixOperand : Nova_Enum<"MatrixOperand", "operand of a matrix instruction", [
  I32EnumAttrCase<"Lhs", 0, "lhs">, I32EnumAttrCase<"Rhs", 1, "rhs">, I32EnumAttrCase<"Sums", 2, "sums">]>;

def Nova_ThreadsAttr : Nova_Attr<"Threads", "threads"> {
  let summary = "layout: threads and their elements side by side";
  let description = [{
    A grid of the block's threads, the last axis fastest; each has a box of elements. Where the tile is larger the pattern is
    repeated in further registers, the last axis first; where it is smaller several threads have the same elements.

    Example: `#nova.threads<elements = [1, 8], threads = [32, 4]>`: four threads to a row of 32 elements.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$elements, ArrayRefParameter<"int64_t">:$threads);
  let assemblyFormat = "`<` `elements` `=` `[` $elements `]` `,` `threads` `=` `[` $threads `]` `>`";
  let genVerifyDecl = 1;
}

def Nova_FragmentAttr : Nova_Attr<"Fragment", "fragment"> {
  let summary = "layout: registers as a matrix instruction has its operands";
  let description = [{
    The tile of an operand of `nova.contract`: [M, K] of `lhs`, [K, N] of `rhs`, [M, N] of `sums`. `warps` cut M and N into
    one part each; in a warp's part the instruction's own tile is repeated, along K, then N, then M. Warps that differ in an
    axis that the operand lacks have the same elements. The intrinsics are a table, `matrixIntrinsics` in Layout.h.

    Example: `#nova.fragment<"mma.m16n8k16.bf16", sums, warps = [2, 2]>`
  }];
  let parameters = (ins StringRefParameter<>:$intrinsic, EnumParameter<Nova_MatrixOperand>:$operand,
                        ArrayRefParameter<"int64_t">:$warps);
  let assemblyFormat = "`<` $intrinsic `,` $operand `,` `warps` `=` `[` $warps `]` `>`";
  let genVerifyDecl = 1;
}

def Nova_PartAttr : Nova_Attr<"Part", "part"> {
  let summary = "layout: the elements that meet those of another tile";
  let description = [{
    A tile that is broadcast to one of shape `shape` in the layout `whole`: every thread has the elements that its own ones of
    the other tile need. `axes` has the axis of the other tile that each axis runs along, -1 for one of size 1; a scalar has
    none.

    Example, a bias beside sums: `#nova.part<#sums, shape = [128, 128], axes = [1]>`
  }];
  let parameters = (ins "::mlir::Attribute":$whole, ArrayRefParameter<"int64_t">:$shape,
                        OptionalArrayRefParameter<"int64_t">:$axes);
  let assemblyFormat = "`<` $whole `,` `shape` `=` `[` $shape `]` (`,` `axes` `=` `[` $axes^ `]`)? `>`";
  let genVerifyDecl = 1;
}

def Nova_SharedAttr : Nova_Attr<"Shared", "shared"> {
  let summary = "layout: shared memory of the block";
  let description = [{
    - `order`: the tile's axes from the slowest to the one along which elements are neighbours.
    - `swizzle = [bits, base, shift]`: in the element's number, `bits` bits from bit `base` on are combined by XOR with those
      `shift` bits higher. Runs of 2^base elements stay together, and columns of them are spread over the banks.
    - `padding = [every, elements]`: after each `every` elements some are left out.

    Example: `#nova.shared<order = [0, 1], swizzle = [2, 3, 3]>` for rows of 32 elements of 16 bits.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$order, OptionalArrayRefParameter<"int64_t">:$swizzle,
                        OptionalArrayRefParameter<"int64_t">:$padding);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // NOVA_LAYOUTS_TD
