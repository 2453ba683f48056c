//===- KernelPasses.td - Passes from kernels to a plan -----*- tablegen -*-===//
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
