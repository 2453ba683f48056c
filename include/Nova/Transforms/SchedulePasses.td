//===- SchedulePasses.td - The inside of a GPU's blocks ----*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NOVA_TRANSFORMS_SCHEDULEPASSES_TD
#define NOVA_TRANSFORMS_SCHEDULEPASSES_TD

include "Nova/Transforms/PassBase.td"

class Nova_SchedulePass<string flag> : Nova_Pass<flag, "::mlir::nova::KernelOp"> {
  let dependentDialects = ["::mlir::nova::NovaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SchedulePass : Nova_SchedulePass<"nova-schedule"> {
  let summary = "Says where a block's tiles live and when they move";
  let description = [{
    Builds the inside of a tiled kernel's blocks by the strategy that its configuration names. A strategy (`lib/Transforms`,
    `Schedule*.cpp`) says which kernels it applies to, verifies its parameters, and builds tiles with layouts, copies,
    conversions and contractions; the kernel means what it meant. A kernel without a strategy stays as it is. A strategy
    that does not apply to the kernel, or whose parameters don't fit, is an error at the kernel.

    Strategies:
    - `tensor_cores`: a product on matrix instructions, operands by way of shared memory. A warp has a tile of `micro`
      elements, `depth` is a multiple of the instruction's.

    Before:

    ```mlir
    nova.kernel @product(%arg0: tensor<16x64xbf16>, %arg1: tensor<64x16xbf16>) -> tensor<16x16xf32> family matmul config #nova.kernel_config<tile = [16, 16], lanes = 1, micro = [16, 16], threads = 32, strategy = tensor_cores, intrinsic = "mma.m16n8k16.bf16", depth = 16, stages = 2> {
      %0 = tensor.empty() : tensor<16x16xf32>
      %1 = scf.forall (%arg2) in (1) shared_outs(%arg3 = %0) -> (tensor<16x16xf32>) {
        %extracted_slice = tensor.extract_slice %arg0[0, 0] [16, 64] [1, 1] : tensor<16x64xbf16> to tensor<16x64xbf16>
        %2 = nova.cast %extracted_slice : tensor<16x64xbf16> -> tensor<16x64xf32>
        %extracted_slice_0 = tensor.extract_slice %arg1[0, 0] [64, 16] [1, 1] : tensor<64x16xbf16> to tensor<64x16xbf16>
        %3 = nova.cast %extracted_slice_0 : tensor<64x16xbf16> -> tensor<64x16xf32>
        %4 = nova.matmul %2, %3 : tensor<16x64xf32>, tensor<64x16xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %4 into %arg3[0, 0] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<16x16xf32>
        }
      }
      nova.return %1 : tensor<16x16xf32>
    }
    ```

    After, and after `--cse`:

    ```mlir
    #lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
    #rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
    #shared = #nova.shared<order = [0, 1], swizzle = [1, 3, 3]>
    #sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
    #threads = #nova.threads<elements = [1, 8], threads = [16, 2]>
    nova.kernel @product(%arg0: tensor<16x64xbf16>, %arg1: tensor<64x16xbf16>) -> tensor<16x16xf32> family matmul config #nova.kernel_config<tile = [16, 16], lanes = 1, micro = [16, 16], threads = 32, strategy = tensor_cores, intrinsic = "mma.m16n8k16.bf16", depth = 16, stages = 2> {
      %0 = tensor.empty() : tensor<16x16xf32>
      %1 = scf.forall (%arg2) in (1) shared_outs(%arg3 = %0) -> (tensor<16x16xf32>) {
        %2 = nova.constant dense<0.000000e+00> : tensor<16x16xf32, #sums>
        %c0 = arith.constant 0 : index
        %c64 = arith.constant 64 : index
        %c16 = arith.constant 16 : index
        %3 = scf.for %arg4 = %c0 to %c64 step %c16 iter_args(%arg5 = %2) -> (tensor<16x16xf32, #sums>) {
          %4 = nova.allocate : tensor<16x16xbf16, #shared>
          %5 = nova.copy_async %arg0[%c0, %arg4] into %4 by #threads in_bounds [true, true] : tensor<16x64xbf16>, tensor<16x16xbf16, #shared>
          %6 = nova.allocate : tensor<16x16xbf16, #shared>
          %7 = nova.copy_async %arg1[%arg4, %c0] into %6 by #threads in_bounds [true, true] : tensor<64x16xbf16>, tensor<16x16xbf16, #shared>
          nova.commit
          nova.wait 0
          nova.barrier
          %8 = nova.convert_layout %5 : tensor<16x16xbf16, #shared> -> tensor<16x16xbf16, #lhs>
          %9 = nova.convert_layout %7 : tensor<16x16xbf16, #shared> -> tensor<16x16xbf16, #rhs>
          %10 = nova.contract %8, %9, %arg5 : tensor<16x16xbf16, #lhs>, tensor<16x16xbf16, #rhs>, tensor<16x16xf32, #sums>
          nova.barrier
          scf.yield %10 : tensor<16x16xf32, #sums>
        } {nova.stages = 2 : i64}
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %3 into %arg3[0, 0] [16, 16] [1, 1] : tensor<16x16xf32, #sums> into tensor<16x16xf32>
        }
      }
      nova.return %1 : tensor<16x16xf32>
    }
    ```
  }];
}

def PipelinePass : Nova_SchedulePass<"nova-pipeline"> {
  let summary = "Copies what a loop's later iterations need while it computes";
  let description = [{
    A loop with `nova.stages` = S that begins with asynchronous copies into rooms of its own: the rooms become S for each
    tile, which the loop carries, the first S - 1 copies are made before the loop, and each iteration starts that of S - 1
    iterations later. The attribute goes. Loops without it, or whose copies depend on more than the iteration, stay.

    Before:

    ```mlir
    #lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
    #rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
    #shared = #nova.shared<order = [0, 1], swizzle = [1, 3, 3]>
    #sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
    #threads = #nova.threads<elements = [1, 8], threads = [16, 2]>
    nova.kernel @product(%arg0: tensor<16x64xbf16>, %arg1: tensor<64x16xbf16>) -> tensor<16x16xf32> family matmul config #nova.kernel_config<tile = [16, 16], lanes = 1, micro = [16, 16], threads = 32, strategy = tensor_cores, intrinsic = "mma.m16n8k16.bf16", depth = 16, stages = 2> {
      %0 = tensor.empty() : tensor<16x16xf32>
      %1 = scf.forall (%arg2) in (1) shared_outs(%arg3 = %0) -> (tensor<16x16xf32>) {
        %2 = nova.constant dense<0.000000e+00> : tensor<16x16xf32, #sums>
        %c0 = arith.constant 0 : index
        %c64 = arith.constant 64 : index
        %c16 = arith.constant 16 : index
        %3 = scf.for %arg4 = %c0 to %c64 step %c16 iter_args(%arg5 = %2) -> (tensor<16x16xf32, #sums>) {
          %4 = nova.allocate : tensor<16x16xbf16, #shared>
          %5 = nova.copy_async %arg0[%c0, %arg4] into %4 by #threads in_bounds [true, true] : tensor<16x64xbf16>, tensor<16x16xbf16, #shared>
          %6 = nova.allocate : tensor<16x16xbf16, #shared>
          %7 = nova.copy_async %arg1[%arg4, %c0] into %6 by #threads in_bounds [true, true] : tensor<64x16xbf16>, tensor<16x16xbf16, #shared>
          nova.commit
          nova.wait 0
          nova.barrier
          %8 = nova.convert_layout %5 : tensor<16x16xbf16, #shared> -> tensor<16x16xbf16, #lhs>
          %9 = nova.convert_layout %7 : tensor<16x16xbf16, #shared> -> tensor<16x16xbf16, #rhs>
          %10 = nova.contract %8, %9, %arg5 : tensor<16x16xbf16, #lhs>, tensor<16x16xbf16, #rhs>, tensor<16x16xf32, #sums>
          nova.barrier
          scf.yield %10 : tensor<16x16xf32, #sums>
        } {nova.stages = 2 : i64}
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %3 into %arg3[0, 0] [16, 16] [1, 1] : tensor<16x16xf32, #sums> into tensor<16x16xf32>
        }
      }
      nova.return %1 : tensor<16x16xf32>
    }
    ```

    After, and after `--cse`:

    ```mlir
    #lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
    #rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
    #shared = #nova.shared<order = [0, 1], swizzle = [1, 3, 3]>
    #sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
    #threads = #nova.threads<elements = [1, 8], threads = [16, 2]>
    nova.kernel @product(%arg0: tensor<16x64xbf16>, %arg1: tensor<64x16xbf16>) -> tensor<16x16xf32> family matmul config #nova.kernel_config<tile = [16, 16], lanes = 1, micro = [16, 16], threads = 32, strategy = tensor_cores, intrinsic = "mma.m16n8k16.bf16", depth = 16, stages = 2> {
      %0 = tensor.empty() : tensor<16x16xf32>
      %1 = scf.forall (%arg2) in (1) shared_outs(%arg3 = %0) -> (tensor<16x16xf32>) {
        %2 = nova.constant dense<0.000000e+00> : tensor<16x16xf32, #sums>
        %c0 = arith.constant 0 : index
        %c64 = arith.constant 64 : index
        %c16 = arith.constant 16 : index
        %3 = nova.allocate : tensor<16x16xbf16, #shared>
        %4 = nova.allocate : tensor<16x16xbf16, #shared>
        %5 = nova.allocate : tensor<16x16xbf16, #shared>
        %6 = nova.allocate : tensor<16x16xbf16, #shared>
        %7 = nova.copy_async %arg0[%c0, %c0] into %3 by #threads in_bounds [true, true] : tensor<16x64xbf16>, tensor<16x16xbf16, #shared>
        %8 = nova.copy_async %arg1[%c0, %c0] into %4 by #threads in_bounds [true, true] : tensor<64x16xbf16>, tensor<16x16xbf16, #shared>
        nova.commit
        %9:5 = scf.for %arg4 = %c0 to %c64 step %c16 iter_args(%arg5 = %2, %arg6 = %7, %arg7 = %8, %arg8 = %5, %arg9 = %6) -> (tensor<16x16xf32, #sums>, tensor<16x16xbf16, #shared>, tensor<16x16xbf16, #shared>, tensor<16x16xbf16, #shared>, tensor<16x16xbf16, #shared>) {
          nova.wait 0
          nova.barrier
          %10 = arith.addi %arg4, %c16 : index
          %11 = arith.cmpi slt, %10, %c64 : index
          %12:2 = scf.if %11 -> (tensor<16x16xbf16, #shared>, tensor<16x16xbf16, #shared>) {
            %16 = nova.copy_async %arg0[%c0, %10] into %arg8 by #threads in_bounds [true, true] : tensor<16x64xbf16>, tensor<16x16xbf16, #shared>
            %17 = nova.copy_async %arg1[%10, %c0] into %arg9 by #threads in_bounds [true, true] : tensor<64x16xbf16>, tensor<16x16xbf16, #shared>
            scf.yield %16, %17 : tensor<16x16xbf16, #shared>, tensor<16x16xbf16, #shared>
          } else {
            scf.yield %arg8, %arg9 : tensor<16x16xbf16, #shared>, tensor<16x16xbf16, #shared>
          }
          nova.commit
          %13 = nova.convert_layout %arg6 : tensor<16x16xbf16, #shared> -> tensor<16x16xbf16, #lhs>
          %14 = nova.convert_layout %arg7 : tensor<16x16xbf16, #shared> -> tensor<16x16xbf16, #rhs>
          %15 = nova.contract %13, %14, %arg5 : tensor<16x16xbf16, #lhs>, tensor<16x16xbf16, #rhs>, tensor<16x16xf32, #sums>
          scf.yield %15, %12#0, %12#1, %arg6, %arg7 : tensor<16x16xf32, #sums>, tensor<16x16xbf16, #shared>, tensor<16x16xbf16, #shared>, tensor<16x16xbf16, #shared>, tensor<16x16xbf16, #shared>
        }
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %9#0 into %arg3[0, 0] [16, 16] [1, 1] : tensor<16x16xf32, #sums> into tensor<16x16xf32>
        }
      }
      nova.return %1 : tensor<16x16xf32>
    }
    ```
  }];
}

#endif // NOVA_TRANSFORMS_SCHEDULEPASSES_TD
