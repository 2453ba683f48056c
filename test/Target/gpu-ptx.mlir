// RUN: nova-translate %s --nova-to-ptx --chip=sm_80 | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: nova-translate %s --nova-to-ptx --chip=sm_89 | FileCheck %s --check-prefixes=CHECK,SM89
// RUN: nova-translate %s --nova-to-ptx --chip=sm_90 | FileCheck %s --check-prefixes=CHECK,SM90
// PTX needs nothing of NVIDIA's.
// RUN: env PATH= CUDA_HOME= %build/bin/nova-translate %s --nova-to-ptx | FileCheck %s

// SM80: .version 7.0
// SM80: .target sm_80
// SM89: .version 7.8
// SM89: .target sm_89
// SM90: .version 7.8
// SM90: .target sm_90

// CHECK: .visible .entry twice(
// CHECK: .maxntid 128
// CHECK: ld.global.nc.b32
// CHECK: add.rn.f32
// CHECK: st.global.b32
module {
  gpu.module @kernels {
    llvm.func @twice(%x: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %y: !llvm.ptr<1> {llvm.noalias})
        attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128>} {
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %from = llvm.getelementptr %x[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %v = llvm.load %from : !llvm.ptr<1> -> f32
      %w = llvm.fadd %v, %v : f32
      %to = llvm.getelementptr %y[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %w, %to : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
