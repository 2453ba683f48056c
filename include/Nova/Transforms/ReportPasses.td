//===- ReportPasses.td - Passes that note facts for reports -*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRANSFORMS_REPORTPASSES_TD
#define NOVA_TRANSFORMS_REPORTPASSES_TD

include "Nova/Transforms/PassBase.td"

def CountWorkPass : Nova_Pass<"nova-count-work", "::mlir::nova::KernelOp"> {
  let summary = "Notes the arithmetic and the memory traffic of a kernel";
  let description = [{
    On formed kernels, before tiles hide the extents of loops. `nova.flops` is what reports compare times with: two for
    each product of a contraction, one for each step of another op's loops, one for each update of a scatter, nothing
    for what only moves elements. `nova.bytes` is the least that a launch reads and writes: of a table and of what is
    sliced, the rows that are taken.

    Before:

    ```mlir
    nova.kernel @product(%x: tensor<8x64xf32>, %w: tensor<64x4xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32>
        family matmul {
      %y = nova.matmul %x, %w : tensor<8x64xf32>, tensor<64x4xf32>
      %z = nova.add %y, %b : tensor<8x4xf32>, tensor<4xf32>
      nova.return %z : tensor<8x4xf32>
    }
    ```

    After:

    ```mlir
    nova.kernel @product(%x: tensor<8x64xf32>, %w: tensor<64x4xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32>
        family matmul attributes {nova.bytes = 3216.0 : f64, nova.flops = 4128.0 : f64} {
      %y = nova.matmul %x, %w : tensor<8x64xf32>, tensor<64x4xf32>
      %z = nova.add %y, %b : tensor<8x4xf32>, tensor<4xf32>
      nova.return %z : tensor<8x4xf32>
    }
    ```
  }];
}

#endif // NOVA_TRANSFORMS_REPORTPASSES_TD
