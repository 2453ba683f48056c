//===- NovaMovementOps.td - Making and moving tensors ------*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_MOVEMENT_OPS_TD
#define NOVA_MOVEMENT_OPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "Nova/Dialect/NovaBase.td"

def Nova_ConstantOp : Nova_Op<"constant", [Pure, ConstantLike, Differentiable, Nova_InferTypes]> {
  let summary = "a tensor of known elements";
  let description = [{
    ```mlir
    %c = nova.constant dense<[1.0, 2.0]> : tensor<2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Nova_Tensor:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Nova_IotaOp : Nova_PositionalOp<"iota", [Nova_NotDifferentiableTrait]> {
  let summary = "the index along one axis";
  let description = [{
    Element (i0, i1, ...) is i_axis, converted to the element type.

    ```mlir
    %i = nova.iota 0 : tensor<64x8xi32>
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$axis, Variadic<Index>:$origin);
  let results = (outs Nova_NumberTensor:$result);
  let assemblyFormat = "$axis (`at` $origin^)? attr-dict `:` type($result)";
  let extraClassDeclaration = NotDifferentiable<"it has no operand">.declaration;
  let hasVerifier = 1;
}

def Nova_BroadcastInDimOp : Nova_TensorOp<"broadcast_in_dim", [Differentiable, Nova_MovementTrait,
    AllElementTypesMatch<["x", "result"]>]> {
  let summary = "a tensor repeated along new axes or axes of size 1";
  let description = [{
    Axis i of the operand becomes axis `dims[i]` of the result (in rising order); its size is 1 or the result's. Axes of
    the result that are not named repeat the operand.

    ```mlir
    %y = nova.broadcast_in_dim %x dims = [0, 2] : tensor<4x1xf32> -> tensor<4x3x8xf32>
    ```
  }];
  let arguments = (ins Nova_Tensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs Nova_Tensor:$result);
  let assemblyFormat = "$x `dims` `=` $dims attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Nova_ReshapeOp : Nova_Op<"reshape", [Pure, Differentiable, Nova_MovementTrait,
    AllElementTypesMatch<["x", "result"]>]> {
  let summary = "the same elements in row-major order under another shape";
  let description = [{
    Of the sizes that the result's type leaves open, the last is what the others leave over, and those before it are the
    operand's on the same axis: `tensor<?x?x256xf32> -> tensor<?x?x4x64xf32>` splits the last axis alone.

    ```mlir
    %y = nova.reshape %x : tensor<4x8xf32> -> tensor<2x16xf32>
    ```
  }];
  let arguments = (ins Nova_Tensor:$x);
  let results = (outs Nova_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let extraClassDeclaration = [{
    /// The result's sizes for an operand of the static shape `from`; failure where the elements don't fit.
    ::mlir::FailureOr<::llvm::SmallVector<int64_t>> resolveShape(::llvm::ArrayRef<int64_t> from);
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Nova_TransposeOp : Nova_TensorOp<"transpose", [Differentiable, Nova_MovementTrait, Nova_InferTypes]> {
  let summary = "the axes in another order";
  let description = [{
    Axis i of the result is axis `permutation[i]` of the operand.

    ```mlir
    %y = nova.transpose %x [0, 2, 1] : tensor<2x3x4xf32>      // tensor<2x4x3xf32>
    ```
  }];
  let arguments = (ins Nova_Tensor:$x, DenseI64ArrayAttr:$permutation);
  let results = (outs Nova_Tensor:$result);
  let assemblyFormat = "$x $permutation attr-dict `:` type($x)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Nova_SliceOp : Nova_PositionalOp<"slice", [Differentiable, Nova_MovementTrait,
    AllElementTypesMatch<["x", "result"]>]> {
  let summary = "every stride-th element between start and limit";
  let description = [{
    Element i of an axis of the result is element `starts + i * strides` of the operand; the result holds those below
    `limits`. Strides are positive.

    ```mlir
    %y = nova.slice %x starts = [0, 64] limits = [8, 128] strides = [1, 1] : tensor<8x192xf32> -> tensor<8x64xf32>
    ```
  }];
  let arguments = (ins Nova_Tensor:$x, DenseI64ArrayAttr:$starts, DenseI64ArrayAttr:$limits,
                       DenseI64ArrayAttr:$strides, Variadic<Index>:$origin);
  let results = (outs Nova_Tensor:$result);
  let assemblyFormat = [{
    $x `starts` `=` $starts `limits` `=` $limits `strides` `=` $strides (`at` $origin^)? attr-dict
    `:` type($x) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::llvm::ArrayRef<int64_t>":$starts,
                                 "::llvm::ArrayRef<int64_t>":$limits)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Nova_DynamicSliceOp : Nova_PositionalOp<"dynamic_slice", [Differentiable, Nova_MovementTrait,
    AllElementTypesMatch<["x", "result"]>]> {
  let summary = "a part of a tensor that begins where another tensor says";
  let description = [{
    `starts` holds an index for each axis, `sizes` the part's size. A start from which the part would leave the tensor is
    moved to the nearest one from which it does not (PyTorch's `narrow` reports an error).

    ```mlir
    %y = nova.dynamic_slice %x[%starts] sizes = [4, 64] : tensor<8x192xf32>, tensor<2xi64> -> tensor<4x64xf32>
    ```
  }];
  let arguments = (ins Nova_Tensor:$x, Nova_IndexTensor:$starts, DenseI64ArrayAttr:$sizes, Variadic<Index>:$origin);
  let results = (outs Nova_Tensor:$result);
  let assemblyFormat = [{
    $x `[` $starts `]` `sizes` `=` $sizes (`at` $origin^)? attr-dict
    `:` type($x) `,` type($starts) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Nova_DynamicUpdateSliceOp : Nova_PositionalOp<"dynamic_update_slice", [Differentiable, Nova_MovementTrait,
    AllElementTypesMatch<["x", "update", "result"]>]> {
  let summary = "a tensor with a part replaced, which begins where another tensor says";
  let description = [{
    `starts` holds an index for each axis, moved as by `dynamic_slice` so that the update lies within the tensor.

    ```mlir
    %y = nova.dynamic_update_slice %x[%starts], %update
      : tensor<8x192xf32>, tensor<2xi64>, tensor<4x64xf32> -> tensor<8x192xf32>
    ```
  }];
  let arguments = (ins Nova_Tensor:$x, Nova_IndexTensor:$starts, Nova_Tensor:$update, Variadic<Index>:$origin);
  let results = (outs Nova_Tensor:$result);
  let assemblyFormat = [{
    $x `[` $starts `]` `,` $update (`at` $origin^)? attr-dict
    `:` type($x) `,` type($starts) `,` type($update) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Nova_PadOp : Nova_PositionalOp<"pad", [Differentiable, Nova_MovementTrait,
    AllElementTypesMatch<["x", "value", "result"]>]> {
  let summary = "a tensor with a value before, after and between its elements";
  let description = [{
    Along each axis: `low` copies of the value, the elements with `interior` copies between neighbours, `high` copies.

    ```mlir
    %y = nova.pad %x, %zero low = [1, 0] high = [0, 2] interior = [0, 1] : tensor<3x4xf32>, tensor<f32> -> tensor<4x9xf32>
    ```
  }];
  let arguments = (ins Nova_Tensor:$x, Nova_Tensor:$value, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       DenseI64ArrayAttr:$interior, Variadic<Index>:$origin);
  let results = (outs Nova_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $value `low` `=` $low `high` `=` $high `interior` `=` $interior (`at` $origin^)? attr-dict
    `:` type($x) `,` type($value) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Nova_ConcatOp : Nova_PositionalOp<"concat", [Differentiable, Nova_MovementTrait, AttrSizedOperandSegments]> {
  let summary = "tensors one after another along an axis";
  let description = [{
    ```mlir
    %z = nova.concat %x, %y axis = 1 : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
    ```
  }];
  let arguments = (ins Variadic<Nova_Tensor>:$inputs, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis,
                       Variadic<Index>:$origin);
  let results = (outs Nova_Tensor:$result);
  let assemblyFormat = [{
    $inputs `axis` `=` $axis (`at` $origin^)? attr-dict `:` functional-type($inputs, results)
  }];
  let extraClassDeclaration = [{
    /// Where each input begins along the axis, and the axis' whole size.
    ::llvm::SmallVector<int64_t> getInputStarts();
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Nova_GatherOp : Nova_TensorOp<"gather", [Differentiable, Nova_MovementTrait, Nova_InferTypes]> {
  let summary = "rows of a table by index";
  let description = [{
    The result has the shape of the table with the axis replaced by the shape of the indices: along axis 0, element
    (i..., j...) is `table[indices[i...], j...]`. An index that is negative or not below the axis' size is an error that
    names its position. The gradient adds up where an index comes more than once.

    ```mlir
    %x = nova.gather %table[%tokens] : tensor<256x64xf32>, tensor<8x32xi32>      // tensor<8x32x64xf32>
    ```
  }];
  let arguments = (ins Nova_Tensor:$table, Nova_IndexTensor:$indices,
                       DefaultValuedOptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$axis);
  let results = (outs Nova_Tensor:$result);
  let assemblyFormat = "$table `[` $indices `]` attr-dict `:` type($table) `,` type($indices)";
}

def Nova_ScatterAddOp : Nova_PositionalOp<"scatter_add", [Differentiable, InferTypeOpAdaptor,
    AllElementTypesMatch<["into", "updates"]>]> {
  let summary = "updates added to rows of a tensor by index";
  let description = [{
    `into` with `updates[i..., j...]` added to `into[indices[i...], j...]`: the gradient of `gather` along axis 0.
    Several updates of one row add up in the order of the indices. An index that is negative or not below the size of axis
    0 is an error that names its position.

    ```mlir
    %dtable = nova.scatter_add %zeros[%tokens], %dx : tensor<256x64xf32>, tensor<8x32xi32>, tensor<8x32x64xf32>
    ```
  }];
  let arguments = (ins Nova_NumberTensor:$into, Nova_IndexTensor:$indices, Nova_NumberTensor:$updates,
                       Variadic<Index>:$origin);
  let results = (outs Nova_NumberTensor:$result);
  let assemblyFormat = [{
    $into `[` $indices `]` `,` $updates (`at` $origin^)? attr-dict
    `:` type($into) `,` type($indices) `,` type($updates)
  }];
  let hasCanonicalizer = 1;
}

#endif // NOVA_MOVEMENT_OPS_TD
