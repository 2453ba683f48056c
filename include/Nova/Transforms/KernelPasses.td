//===- KernelPasses.td - Passes from a train step to a plan -*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order in which a pipeline runs them. The IR before and after that a description shows is run by a test.
//
//===----------------------------------------------------------------------===//
#ifndef NOVA_TRANSFORMS_KERNELPASSES_TD
#define NOVA_TRANSFORMS_KERNELPASSES_TD

include "Nova/Transforms/PassBase.td"
//===----------------------------------------------------------------------===//
// Train step to kernels
//===----------------------------------------------------------------------===//

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

def FormKernelsPass : Nova_Pass<"nova-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Puts every computation into a nova.kernel and launches it";
  let description = [{
    A matmul takes the elementwise ops that follow it, a reduction the elementwise ops before it whose result nothing
    else needs; every other op is a kernel of its own. Kernels see as few axes as their meaning allows, and equal
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

//===----------------------------------------------------------------------===//
// Kernels to tiles
//===----------------------------------------------------------------------===//

def SelectKernelConfigPass : Nova_Pass<"nova-select-kernel-config", "::mlir::nova::KernelOp"> {
  let summary = "Chooses how a kernel is cut into blocks and vectors";
  let description = [{
    The choice depends on the kernel and the target table alone, never on the number of threads. A configuration that
    is there already, such as one written by hand, is kept. Either is verified: a configuration that the kernel or the
    target cannot take is an error. With `matmul-precision=tf32` matmuls of f32 on GPUs are cut for tensor cores, and
    say so by `tf32`; those of other types, and attention, are exact.

    Before:

    ```mlir
    nova.kernel @double(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise {
      %y = nova.add %x, %x : tensor<64xf32>, tensor<64xf32>
      nova.return %y : tensor<64xf32>
    }
    ```

    After, with `target=avx512`:

    ```mlir
    nova.kernel @double(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise
        config #nova.kernel_config<tile = [64], lanes = 16> {
      %y = nova.add %x, %x : tensor<64xf32>, tensor<64xf32>
      nova.return %y : tensor<64xf32>
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"avx512\"", "avx512, avx512_bf16, amx_bf16, avx2, sm_80 to sm_90">,
    Option<"precision", "matmul-precision", "MatmulPrecision", "MatmulPrecision::Exact", "Products of f32 on GPUs",
           [{::llvm::cl::values(clEnumValN(MatmulPrecision::Exact, "exact", "In f32"),
                                clEnumValN(MatmulPrecision::Tf32, "tf32", "Of factors rounded to tf32"))}]>,
  ];
}

def TilePass : Nova_Pass<"nova-tile", "::mlir::nova::KernelOp"> {
  let summary = "Turns a kernel into a grid of blocks";
  let description = [{
    The body becomes one `scf.forall` over tiles of the first result, sized by the kernel's configuration. What a tile
    needs of each operand follows from the ops' indexing maps; loops of kind `reduction` are whole. Ops that depend on
    their position get the tile's origin as operands after `at`.

    Before:

    ```mlir
    nova.kernel @double(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise
        config #nova.kernel_config<tile = [32], lanes = 16> {
      %y = nova.add %x, %x : tensor<64xf32>, tensor<64xf32>
      nova.return %y : tensor<64xf32>
    }
    ```

    After:

    ```mlir
    nova.kernel @double(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise
        config #nova.kernel_config<tile = [32], lanes = 16> {
      %init = tensor.empty() : tensor<64xf32>
      %r = scf.forall (%i) = (0) to (64) step (32) shared_outs(%out = %init) -> (tensor<64xf32>) {
        %t = tensor.extract_slice %x[%i] [32] [1] : tensor<64xf32> to tensor<32xf32>
        %y = nova.add %t, %t : tensor<32xf32>, tensor<32xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %y into %out[%i] [32] [1] : tensor<32xf32> into tensor<64xf32>
        }
      }
      nova.return %r : tensor<64xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::nova::NovaDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Tiles to a plan
//===----------------------------------------------------------------------===//

def PlanMemoryPass : Nova_Pass<"nova-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Gives every tensor an address";
  let description = [{
    Four regions, one allocation each: the state, which entries share and update in place, the module's constants, the
    inputs and outputs of an entry, and an arena for what lives inside one run of it. `nova.address` (on parameters,
    constants, arguments and results) and `nova.addresses` (on launches, operands first) hold the places,
    `nova.region_bytes` of the module the sizes.

    Views cost nothing: a slice lies in its operand, and the operands of a concat lie side by side. A result that
    replaces an argument of the state lies where the argument does. In the arena, tensors that are not needed at the
    same time share memory (gradients that lie side by side leave their places to others until they are written), and
    a result is written over an operand that nothing needs later, if the tiled kernel reads the operand only where it
    writes the result. The pass verifies that no launch writes over what is still read. A remark says how large an
    arena is.

    Before:

    ```mlir
    nova.kernel @exp(%x: tensor<16xf32>) -> tensor<16xf32> family elementwise
        config #nova.kernel_config<tile = [16], lanes = 16> {
      %init = tensor.empty() : tensor<16xf32>
      %r = scf.forall (%i) = (0) to (1) step (1) shared_outs(%out = %init) -> (tensor<16xf32>) {
        %t = tensor.extract_slice %x[0] [16] [1] : tensor<16xf32> to tensor<16xf32>
        %y = nova.exp %t : tensor<16xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %y into %out[0] [16] [1] : tensor<16xf32> into tensor<16xf32>
        }
      }
      nova.return %r : tensor<16xf32>
    }
    func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
      %0 = nova.launch @exp(%x) : (tensor<16xf32>) -> tensor<16xf32>
      %1 = nova.launch @exp(%0) : (tensor<16xf32>) -> tensor<16xf32>
      %2 = nova.launch @exp(%1) : (tensor<16xf32>) -> tensor<16xf32>
      return %2 : tensor<16xf32>
    }
    ```

    After:

    ```mlir
    module attributes {nova.region_bytes = array<i64: 0, 64, 0, 128>} {
      nova.kernel @exp(%x: tensor<16xf32>) -> tensor<16xf32> family elementwise
          config #nova.kernel_config<tile = [16], lanes = 16> {
        %init = tensor.empty() : tensor<16xf32>
        %r = scf.forall (%i) = (0) to (1) step (1) shared_outs(%out = %init) -> (tensor<16xf32>) {
          %t = tensor.extract_slice %x[0] [16] [1] : tensor<16xf32> to tensor<16xf32>
          %y = nova.exp %t : tensor<16xf32>
          scf.forall.in_parallel {
            tensor.parallel_insert_slice %y into %out[0] [16] [1] : tensor<16xf32> into tensor<16xf32>
          }
        }
        nova.return %r : tensor<16xf32>
      }
      func.func @f(%x: tensor<16xf32> {nova.address = #nova.address<io + 0>})
          -> (tensor<16xf32> {nova.address = #nova.address<io + 64>}) {
        %0 = nova.launch @exp(%x) {nova.addresses = [#nova.address<io + 0>, #nova.address<arena + 0>]}
          : (tensor<16xf32>) -> tensor<16xf32>
        %1 = nova.launch @exp(%0) {nova.addresses = [#nova.address<arena + 0>, #nova.address<arena + 0>]}
          : (tensor<16xf32>) -> tensor<16xf32>
        %2 = nova.launch @exp(%1) {nova.addresses = [#nova.address<arena + 0>, #nova.address<io + 64>]}
          : (tensor<16xf32>) -> tensor<16xf32>
        return %2 : tensor<16xf32>
      }
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Between levels
//===----------------------------------------------------------------------===//

def VerifyLevelPass : Nova_Pass<"nova-verify-level", "::mlir::ModuleOp"> {
  let summary = "Verifies what may remain at a level of the IR";
  let description = [{
    An error names the first op that may not remain, and the pass that would have made it go away.

    - `program`: ops of the dialect on whole tensors, in functions.
    - `train-step`: the same without `nova.value_and_grad`.
    - `kernels`: functions hold launches, views and constants; kernels hold computations on whole tensors.
    - `tiled`: every kernel has a configuration and is one `scf.forall` over blocks.

    Before:

    ```mlir
    func.func @f(%x: tensor<2x2xf32>) -> tensor<4xf32> {
      %flat = nova.reshape %x : tensor<2x2xf32> -> tensor<4xf32>
      return %flat : tensor<4xf32>
    }
    ```

    After, with `level=kernels`, the same, since a view may remain:

    ```mlir
    func.func @f(%x: tensor<2x2xf32>) -> tensor<4xf32> {
      %flat = nova.reshape %x : tensor<2x2xf32> -> tensor<4xf32>
      return %flat : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"level", "level", "Level", "Level::Program", "Level of the IR",
           [{::llvm::cl::values(clEnumValN(Level::Program, "program", "The program as written or raised"),
                                clEnumValN(Level::TrainStep, "train-step", "Forward, backward and optimizer"),
                                clEnumValN(Level::Kernels, "kernels", "Launches of kernels on whole tensors"),
                                clEnumValN(Level::Tiled, "tiled", "Launches of kernels on tiles"),
                                clEnumValN(Level::Scheduled, "scheduled", "Some kernels with tiles in layouts"))}]>,
  ];
}

#endif // NOVA_TRANSFORMS_KERNELPASSES_TD
