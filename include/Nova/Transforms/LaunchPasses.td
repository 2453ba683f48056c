//===- LaunchPasses.td - Passes from a train step to kernels -*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order in which a pipeline runs them. The IR before and after that a description shows is run by a test.
//
//===----------------------------------------------------------------------===//
#ifndef NOVA_TRANSFORMS_LAUNCHPASSES_TD
#define NOVA_TRANSFORMS_LAUNCHPASSES_TD

include "Nova/Transforms/PassBase.td"

def PackParametersPass : Nova_Pass<"nova-pack-parameters", "::mlir::func::FuncOp"> {
  let summary = "Updates all parameters of one class by one optimizer op";
  let description = [{
    `nova.adamw` ops with the same attributes, scalars and element types become one on tensors of rank 1: the
    parameters, gradients and moments one after another. A `nova.global_norm` over the same gradients takes them
    packed too. The concats and slices are views: the memory plan puts the tensors side by side, and nothing is
    copied.

    Before:

    ```mlir
    func.func @step(%w: tensor<2x8xf32>, %b: tensor<8xf32>, %dw: tensor<2x8xf32>, %db: tensor<8xf32>,
                    %mw: tensor<2x8xf32>, %mb: tensor<8xf32>, %vw: tensor<2x8xf32>, %vb: tensor<8xf32>,
                    %lr: tensor<f32>, %step: tensor<i64>, %s: tensor<f32>) -> (tensor<2x8xf32>, tensor<8xf32>) {
      %w1, %mw1, %vw1 = nova.adamw %w, %dw, %mw, %vw, lr %lr, step %step, scale %s
        {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : tensor<2x8xf32>, tensor<2x8xf32>
      %b1, %mb1, %vb1 = nova.adamw %b, %db, %mb, %vb, lr %lr, step %step, scale %s
        {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : tensor<8xf32>, tensor<8xf32>
      return %w1, %b1 : tensor<2x8xf32>, tensor<8xf32>
    }
    ```

    After, and after `--canonicalize`, which removes the slices of moments that nothing needs here:

    ```mlir
    func.func @step(%w: tensor<2x8xf32>, %b: tensor<8xf32>, %dw: tensor<2x8xf32>, %db: tensor<8xf32>,
                    %mw: tensor<2x8xf32>, %mb: tensor<8xf32>, %vw: tensor<2x8xf32>, %vb: tensor<8xf32>,
                    %lr: tensor<f32>, %step: tensor<i64>, %s: tensor<f32>) -> (tensor<2x8xf32>, tensor<8xf32>) {
      %flat_vw = nova.reshape %vw : tensor<2x8xf32> -> tensor<16xf32>
      %v = nova.concat %flat_vw, %vb axis = 0 : (tensor<16xf32>, tensor<8xf32>) -> tensor<24xf32>
      %flat_mw = nova.reshape %mw : tensor<2x8xf32> -> tensor<16xf32>
      %m = nova.concat %flat_mw, %mb axis = 0 : (tensor<16xf32>, tensor<8xf32>) -> tensor<24xf32>
      %flat_w = nova.reshape %w : tensor<2x8xf32> -> tensor<16xf32>
      %p = nova.concat %flat_w, %b axis = 0 : (tensor<16xf32>, tensor<8xf32>) -> tensor<24xf32>
      %flat_dw = nova.reshape %dw : tensor<2x8xf32> -> tensor<16xf32>
      %g = nova.concat %flat_dw, %db axis = 0 : (tensor<16xf32>, tensor<8xf32>) -> tensor<24xf32>
      %p1, %m1, %v1 = nova.adamw %p, %g, %m, %v, lr %lr, step %step, scale %s
        {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : tensor<24xf32>, tensor<24xf32>
      %flat_w1 = nova.slice %p1 starts = [0] limits = [16] strides = [1] : tensor<24xf32> -> tensor<16xf32>
      %w1 = nova.reshape %flat_w1 : tensor<16xf32> -> tensor<2x8xf32>
      %b1 = nova.slice %p1 starts = [16] limits = [24] strides = [1] : tensor<24xf32> -> tensor<8xf32>
      return %w1, %b1 : tensor<2x8xf32>, tensor<8xf32>
    }
    ```
  }];
}

def SplitLaunchesPass : Nova_Pass<"nova-split-launches", "::mlir::func::FuncOp"> {
  let summary = "Turns ops that take several launches into ops that take one each";
  let description = [{
    - A mean or sum of `cross_entropy` becomes the losses of the rows, their sum, and a division by the number of rows
      that count; its gradient gets a gradient for every row.
    - `layer_norm_grad` gives a row of weight and bias gradients for each of some parts of the rows; sums over them
      follow.
    - `attention_grad` becomes a launch over queries and one over keys, with the sums of dy * y that both need.
    - `global_norm` becomes the root of a sum of sums of squares.
    - A reduction becomes reductions over the last axis of [M, N] or the middle one of [P, R, N], one after another
      where the axes don't lie side by side.
    - Where few results come from many elements, partial results come first, so that blocks can work side by side. How
      many depends on the shape alone, so that the bits don't depend on threads.
    - `softmax` over another axis than the last is transposed there and back; `matmul` that accumulates in f64 gets casts.

    Equal parts that several ops need (the number of rows that count) are left to `--cse`.

    Before:

    ```mlir
    func.func @loss(%logits: tensor<8x64x256xf32>, %targets: tensor<8x64xi32>) -> tensor<f32> {
      %loss = nova.cross_entropy %logits, %targets {reduction = #nova.reduction<sum>}
        : tensor<8x64x256xf32>, tensor<8x64xi32>
      return %loss : tensor<f32>
    }
    ```

    After:

    ```mlir
    func.func @loss(%logits: tensor<8x64x256xf32>, %targets: tensor<8x64xi32>) -> tensor<f32> {
      %rows = nova.cross_entropy %logits, %targets {reduction = #nova.reduction<none>}
        : tensor<8x64x256xf32>, tensor<8x64xi32>
      %flat = nova.reshape %rows : tensor<8x64xf32> -> tensor<1x512xf32>
      %sum = nova.reduce sum %flat over [1] : tensor<1x512xf32>
      %loss = nova.reshape %sum : tensor<1xf32> -> tensor<f32>
      return %loss : tensor<f32>
    }
    ```
  }];
}

def SinkMovementPass : Nova_Pass<"nova-sink-movement", "::mlir::func::FuncOp"> {
  let summary = "Brings slices and transposes to the attention that reads and writes through them";
  let description = [{
    A kernel of attention reads rows of a head wherever they lie, and writes them where the next product reads them.
    So each op of attention (and of its gradient, after `--nova-split-launches`) gets its own copy of the transposes and
    slices between its operands and where they come from, with reshapes that split an axis moved before them, and
    transposes of its results stand right behind it. `--nova-form-kernels` then takes them into the kernel.

    Results are all transposed by one permutation or stay as they are. Who reads a result as it was reads the
    transpose of its transpose, which moves down through elementwise ops whose operands are all transposed alike, and
    through reductions: the sums of dy * y are made in the order in which y lies.

    Before:

    ```mlir
    func.func @heads(%qkv: tensor<2x16x96xf32>) -> tensor<2x16x32xf32> {
      %0 = nova.slice %qkv starts = [0, 0, 0] limits = [2, 16, 32] strides = [1, 1, 1]
        : tensor<2x16x96xf32> -> tensor<2x16x32xf32>
      %1 = nova.reshape %0 : tensor<2x16x32xf32> -> tensor<2x16x4x8xf32>
      %q = nova.transpose %1 [0, 2, 1, 3] : tensor<2x16x4x8xf32>
      %2 = nova.slice %qkv starts = [0, 0, 32] limits = [2, 16, 64] strides = [1, 1, 1]
        : tensor<2x16x96xf32> -> tensor<2x16x32xf32>
      %3 = nova.reshape %2 : tensor<2x16x32xf32> -> tensor<2x16x4x8xf32>
      %k = nova.transpose %3 [0, 2, 1, 3] : tensor<2x16x4x8xf32>
      %4 = nova.slice %qkv starts = [0, 0, 64] limits = [2, 16, 96] strides = [1, 1, 1]
        : tensor<2x16x96xf32> -> tensor<2x16x32xf32>
      %5 = nova.reshape %4 : tensor<2x16x32xf32> -> tensor<2x16x4x8xf32>
      %v = nova.transpose %5 [0, 2, 1, 3] : tensor<2x16x4x8xf32>
      %y, %lse = nova.attention %q, %k, %v {causal}
        : tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>
      %6 = nova.transpose %y [0, 2, 1, 3] : tensor<2x4x16x8xf32>
      %7 = nova.reshape %6 : tensor<2x16x4x8xf32> -> tensor<2x16x32xf32>
      return %7 : tensor<2x16x32xf32>
    }
    ```

    After, and after `--cse`, which makes one reshape of three:

    ```mlir
    func.func @heads(%qkv: tensor<2x16x96xf32>) -> tensor<2x16x32xf32> {
      %0 = nova.reshape %qkv : tensor<2x16x96xf32> -> tensor<2x16x12x8xf32>
      %1 = nova.slice %0 starts = [0, 0, 0, 0] limits = [2, 16, 4, 8] strides = [1, 1, 1, 1]
        : tensor<2x16x12x8xf32> -> tensor<2x16x4x8xf32>
      %q = nova.transpose %1 [0, 2, 1, 3] : tensor<2x16x4x8xf32>
      %2 = nova.slice %0 starts = [0, 0, 4, 0] limits = [2, 16, 8, 8] strides = [1, 1, 1, 1]
        : tensor<2x16x12x8xf32> -> tensor<2x16x4x8xf32>
      %k = nova.transpose %2 [0, 2, 1, 3] : tensor<2x16x4x8xf32>
      %3 = nova.slice %0 starts = [0, 0, 8, 0] limits = [2, 16, 12, 8] strides = [1, 1, 1, 1]
        : tensor<2x16x12x8xf32> -> tensor<2x16x4x8xf32>
      %v = nova.transpose %3 [0, 2, 1, 3] : tensor<2x16x4x8xf32>
      %y, %lse = nova.attention %q, %k, %v {causal}
        : tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>
      %4 = nova.transpose %y [0, 2, 1, 3] : tensor<2x4x16x8xf32>
      %5 = nova.reshape %4 : tensor<2x16x4x8xf32> -> tensor<2x16x32xf32>
      return %5 : tensor<2x16x32xf32>
    }
    ```
  }];
}

def FormKernelsPass : Nova_Pass<"nova-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Puts every computation into a nova.kernel and launches it";
  let description = [{
    A matmul takes the elementwise ops that follow it, a reduction the elementwise ops before it whose result nothing
    else needs, attention the slices and transposes that only it reads and the transposes that alone read it (see
    `--nova-sink-movement`); every other op is a kernel of its own. Kernels see as few axes as their meaning allows, and equal
    kernels are made once. Between launches a function holds views only: reshapes, slices of rank 1, and concats along
    axis 0, which tell the memory plan to put tensors side by side. Splat constants go into kernels.

    A tensor that needs memory of its own gets it by a copy, a `broadcast_in_dim` of a tensor to its own shape: an
    argument or a constant that is returned, one that a concat cannot place, and a result that must replace an
    argument (see `nova.donated`) while other launches still read it.

    With `fuse=false` every op is a kernel of its own.

    Before:

    ```mlir
    func.func @mlp(%x: tensor<8x64x32xf32>, %w: tensor<32x16xf32>, %b: tensor<16xf32>) -> tensor<8x64x16xf32> {
      %0 = nova.matmul %x, %w : tensor<8x64x32xf32>, tensor<32x16xf32>
      %1 = nova.add %0, %b : tensor<8x64x16xf32>, tensor<16xf32>
      %2 = nova.gelu tanh %1 : tensor<8x64x16xf32>
      return %2 : tensor<8x64x16xf32>
    }
    ```

    After:

    ```mlir
    nova.kernel @matmul_bias_gelu_512x16x32(%x: tensor<512x32xf32>, %w: tensor<32x16xf32>, %b: tensor<16xf32>)
        -> tensor<512x16xf32> family matmul {
      %0 = nova.matmul %x, %w : tensor<512x32xf32>, tensor<32x16xf32>
      %1 = nova.add %0, %b : tensor<512x16xf32>, tensor<16xf32>
      %2 = nova.gelu tanh %1 : tensor<512x16xf32>
      nova.return %2 : tensor<512x16xf32>
    }
    func.func @mlp(%x: tensor<8x64x32xf32>, %w: tensor<32x16xf32>, %b: tensor<16xf32>) -> tensor<8x64x16xf32> {
      %rows = nova.reshape %x : tensor<8x64x32xf32> -> tensor<512x32xf32>
      %y = nova.launch @matmul_bias_gelu_512x16x32(%rows, %w, %b)
        : (tensor<512x32xf32>, tensor<32x16xf32>, tensor<16xf32>) -> tensor<512x16xf32>
      %result = nova.reshape %y : tensor<512x16xf32> -> tensor<8x64x16xf32>
      return %result : tensor<8x64x16xf32>
    }
    ```
  }];
  let options = [Option<"fuse", "fuse", "bool", "true", "Let anchors take the elementwise ops around them">];
}

#endif // NOVA_TRANSFORMS_LAUNCHPASSES_TD
