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
  }];
}

def PipelinePass : Nova_SchedulePass<"nova-pipeline"> {
  let summary = "Copies what a loop's later iterations need while it computes";
  let description = [{
    A loop with `nova.stages` = S that begins with asynchronous copies into rooms of its own: the rooms become S for each
    tile, which the loop carries, the first S - 1 copies are made before the loop, and each iteration starts that of S - 1
    iterations later. The attribute goes. Loops without it, or whose copies depend on more than the iteration, stay.
  }];
}

#endif // NOVA_TRANSFORMS_SCHEDULEPASSES_TD
