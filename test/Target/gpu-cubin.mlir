// REQUIRES: ptxas
// RUN: nova-translate %s --nova-to-cubin --chip=sm_80 -o %t.80.cubin 2>&1 | FileCheck %s
// RUN: llvm-readelf -h -s %t.80.cubin | FileCheck %s --check-prefix=ELF
// RUN: nova-translate %s --nova-to-cubin --chip=sm_90 -o %t.90.cubin

// ELF: Machine: NVIDIA CUDA architecture
// ELF: GLOBAL {{.*}} lookup

// An array indexed by data lies in local memory.
// CHECK: gpu-cubin.mlir:[[#@LINE+1]]:1: warning: kernel 'lookup' uses local memory: expected none, found a stack of 256 bytes
module {
  gpu.module @kernels {
    llvm.func @lookup(%x: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %size = llvm.mlir.constant(64 : i32) : i32
      %array = llvm.alloca %size x f32 : (i32) -> !llvm.ptr
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block = nvvm.read.ptx.sreg.ctaid.x : i32
      %v = llvm.load %x : !llvm.ptr<1> -> f32
      %to = llvm.getelementptr %array[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store volatile %v, %to : f32, !llvm.ptr
      %from = llvm.getelementptr %array[%block] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %w = llvm.load volatile %from : !llvm.ptr -> f32
      llvm.store %w, %x : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
