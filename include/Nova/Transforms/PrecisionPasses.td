//===- PrecisionPasses.td - What has how many bits ---------*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The IR before and after that a description shows is run by a test.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRANSFORMS_PRECISIONPASSES_TD
#define NOVA_TRANSFORMS_PRECISIONPASSES_TD

include "Nova/Transforms/PassBase.td"

def MixedPrecisionPass : Nova_Pass<"nova-mixed-precision", "::mlir::func::FuncOp"> {
  let summary = "Rounds what products read, and what is kept between kernels, to a narrow type";
  let description = [{
    Every op goes on computing in f32. What is narrow is memory: a value that is rounded is cast to the narrow type where
    it is made, and those who read it cast it back. `--nova-form-kernels` puts the first cast into the kernel that makes the
    value and the second into each kernel that reads it.

    Rounded are the operands of products (matmul, convolution, attention and its gradient), parameters too: one cast for
    all products of a weight; and what a product, a norm or a softmax makes and another kernel reads. Ops that only move
    elements move narrow ones. What may be rounded of an op that is neither elementwise nor moves elements is said by
    `MixedPrecisionOp`.

    Never rounded, but as an operand of a product: arguments (parameters, moments, data), what the function returns and
    what only the optimizer and the global norm read (gradients of parameters), reductions and statistics (an attention's
    log-sum-exp), losses, positions, random numbers, and both terms and result of a sum of two tensors of one shape: the
    residual stream and its gradient would collect a rounding error for every layer. What is computed from statistics,
    positions, integers, constants and frozen parameters of at most 2^20 elements alone is not rounded either, whatever ops
    lie between, nor are the operands of a product of them that takes at most 2^28 multiplications: an angle that is
    rounded says nothing any more. The elementwise op that comes next reads the value before rounding: it will be in the
    same kernel.

    A function whose types are chosen has the attribute `nova.dtype`; it is not rounded again.

    Before:

    ```mlir
    func.func @f(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %u: tensor<32x16xf32>) -> tensor<8x16xf32> {
      %0 = nova.matmul %x, %w : tensor<8x16xf32>, tensor<16x32xf32>
      %1 = nova.gelu tanh %0 : tensor<8x32xf32>
      %2 = nova.matmul %1, %u : tensor<8x32xf32>, tensor<32x16xf32>
      %3 = nova.add %x, %2 : tensor<8x16xf32>, tensor<8x16xf32>
      return %3 : tensor<8x16xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %u: tensor<32x16xf32>) -> tensor<8x16xf32>
        attributes {nova.dtype = "bf16"} {
      %u_narrow = nova.cast %u : tensor<32x16xf32> -> tensor<32x16xbf16>
      %w_narrow = nova.cast %w : tensor<16x32xf32> -> tensor<16x32xbf16>
      %x_narrow = nova.cast %x : tensor<8x16xf32> -> tensor<8x16xbf16>
      %x_wide = nova.cast %x_narrow : tensor<8x16xbf16> -> tensor<8x16xf32>
      %w_wide = nova.cast %w_narrow : tensor<16x32xbf16> -> tensor<16x32xf32>
      %0 = nova.matmul %x_wide, %w_wide : tensor<8x16xf32>, tensor<16x32xf32>
      %1 = nova.gelu tanh %0 : tensor<8x32xf32>
      %y_narrow = nova.cast %1 : tensor<8x32xf32> -> tensor<8x32xbf16>
      %y_wide = nova.cast %y_narrow : tensor<8x32xbf16> -> tensor<8x32xf32>
      %u_wide = nova.cast %u_narrow : tensor<32x16xbf16> -> tensor<32x16xf32>
      %2 = nova.matmul %y_wide, %u_wide : tensor<8x32xf32>, tensor<32x16xf32>
      %3 = nova.add %x, %2 : tensor<8x16xf32>, tensor<8x16xf32>
      return %3 : tensor<8x16xf32>
    }
    ```
  }];
  let options = [
    Option<"dtype", "dtype", "std::string", "\"bf16\"", "The narrow type: bf16">,
  ];
}

def KeepNarrowWeightsPass : Nova_Pass<"nova-keep-narrow-weights", "::mlir::ModuleOp"> {
  let summary = "Has the optimizer write the narrow copy of a weight that the next step reads";
  let description = [{
    Where a function updates a parameter that functions cast to a narrow type, the narrow copy becomes state: an argument of
    the role `narrow` and the parameter's name takes the cast's place, and what updates the parameter returns the copy anew.
    A step then reads 2 bytes of a weight where a cast would read 4 and write 2. Checkpoints don't have the copies; who sets
    a parameter makes its copy.

    Before:

    ```mlir
    func.func @step(%x: tensor<4x8xf32>, %w: tensor<8x8xf32> {nova.role = "parameter", nova.name = "w", nova.donated = 0 : i64})
        -> (tensor<8x8xf32> {nova.role = "parameter", nova.name = "w"}, tensor<4x8xbf16>) {
      %0 = nova.cast %w : tensor<8x8xf32> -> tensor<8x8xbf16>
      %1 = nova.cast %x : tensor<4x8xf32> -> tensor<4x8xbf16>
      %2 = nova.matmul %1, %0 : tensor<4x8xbf16>, tensor<8x8xbf16>
      %3 = nova.neg %w : tensor<8x8xf32>
      return %3, %2 : tensor<8x8xf32>, tensor<4x8xbf16>
    }
    ```

    After:

    ```mlir
    func.func @step(%x: tensor<4x8xf32>, %w: tensor<8x8xf32> {nova.role = "parameter", nova.name = "w", nova.donated = 0 : i64},
                    %n: tensor<8x8xbf16> {nova.role = "narrow", nova.name = "w", nova.donated = 2 : i64})
        -> (tensor<8x8xf32> {nova.role = "parameter", nova.name = "w"}, tensor<4x8xbf16>,
            tensor<8x8xbf16> {nova.role = "narrow", nova.name = "w"}) {
      %1 = nova.cast %x : tensor<4x8xf32> -> tensor<4x8xbf16>
      %2 = nova.matmul %1, %n : tensor<4x8xbf16>, tensor<8x8xbf16>
      %3 = nova.neg %w : tensor<8x8xf32>
      %4 = nova.cast %3 : tensor<8x8xf32> -> tensor<8x8xbf16>
      return %3, %2, %4 : tensor<8x8xf32>, tensor<4x8xbf16>, tensor<8x8xbf16>
    }
    ```
  }];
}

#endif // NOVA_TRANSFORMS_PRECISIONPASSES_TD
