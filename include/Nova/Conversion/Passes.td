//===- Passes.td - Nova to upstream dialects ---------------*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_CONVERSION_PASSES_TD
#define NOVA_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitCpuPass : Pass<"nova-emit-cpu", "::mlir::ModuleOp"> {
  let summary = "Turns tiled kernels into functions over vectors";
  let description = [{
    Each `nova.kernel` gets a function `@k(args: ptr, scratch: ptr, status: ptr, first: i64, last: i64)` in the nested
    module `@kernels` that runs the blocks first to last: `args` points to the pointers of the kernel's arguments, then its
    results. Slices become addresses, tiles become vectors; the schedule inside a block is that of the kernel's family. The
    kernels stay: launches refer to them, and a bundle's tables are made from them.

    ```mlir
    nova.kernel @double(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise config #nova.kernel_config<tile = [32], lanes = 16> {
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
    gets
    ```mlir
    module @kernels {
      func.func @double(%args: !llvm.ptr, %scratch: !llvm.ptr, %status: !llvm.ptr, %first: i64, %last: i64) {
        // the pointers are loaded, then:
        scf.for %block = %first to %last step %c1 {
          scf.for %j = %c0 to %c32 step %c16 {
            // llvm.load of vector<16xf32>, arith.addf, llvm.store
          }
        }
        return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def EmitGpuPass : Pass<"nova-emit-gpu", "::mlir::ModuleOp"> {
  let summary = "Turns tiled kernels into functions of a GPU module";
  let description = [{
    Each `nova.kernel` gets a kernel of the same name in `gpu.module @kernels` that runs the block of the grid that
    blockIdx.x numbers: it takes a pointer for each of the kernel's arguments, then its results, then the status. The
    threads of a block share its elements, neighbours taking neighbours; their number is part of the function. The code is
    the same for every architecture. The kernels stay: launches refer to them, and a bundle's tables are made from them.

    ```mlir
    nova.kernel @double(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise config #nova.kernel_config<tile = [32], lanes = 1, threads = 32> {
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
    adds
    ```mlir
    gpu.module @kernels {
      llvm.func @double(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %status: !llvm.ptr<1>)
          attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
        %block = nvvm.read.ptx.sreg.ctaid.x : i32
        %thread = nvvm.read.ptx.sreg.tid.x : i32
        scf.for %j = %thread to %c32 step %c32 {
          // llvm.load of f32, arith.addf, llvm.store
        }
        llvm.return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ApproximateMathPass : Pass<"nova-approximate-math"> {
  let summary = "Turns functions of f32 into arithmetic";
  let description = [{
    Replaces exp, tanh and erf of f32 scalars and vectors by upstream's polynomial approximations, which vectorise and
    need no library, and all other functions of f32 but powers by arithmetic in f64, which is correct to the last place or
    nearly so. Other types are left to `convert-math-to-libm`, but for expm1 and log1p, which that pass would not see: for
    a device that has no libm, `no-library` expands functions of f64 and powers too, and refuses what is left (sin, cos and
    tan of f64).

    ```mlir
    %y = math.exp %x : vector<16xf32>
    ```
    becomes arithmetic on `vector<16xf32>`.
  }];
  let options = [Option<"noLibrary", "no-library", "bool", "false", "Leave nothing to a math library (off)">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def ExpandBf16Pass : Pass<"nova-expand-bf16"> {
  let summary = "rounding to bf16 by integer arithmetic";
  let description = [{
    Few CPUs have instructions that round to bf16, and those that do take numbers below the normal range for zero. Rounding
    the bits as an integer gives the same bits on all of them.

    ```mlir
    %y = arith.truncf %x : vector<16xf32> to vector<16xbf16>
    ```
    becomes additions and shifts on `vector<16xi32>`, and a select for NaN.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // NOVA_CONVERSION_PASSES_TD
