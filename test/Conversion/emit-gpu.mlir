// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=sm_89},nova-tile,cse),nova-emit-gpu)' | FileCheck %s
// RUN: nova-translate %s --nova-to-ptx --chip=sm_89 | FileCheck %s --check-prefix=PTX

// A kernel gets code beside it: a pointer for each tensor and the status, and as many threads as its configuration says.

// CHECK: nova.kernel @double({{.*}} family elementwise config #nova.kernel_config<tile = [64], lanes = 1, threads = [[THREADS:.*]]>
// CHECK: gpu.module @kernels
// CHECK: llvm.func @double(%{{.*}}: !llvm.ptr<1>{{.*}}, %{{.*}}: !llvm.ptr<1>{{.*}}, %{{.*}}: !llvm.ptr<1>{{.*}})
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: arith.addf

// PTX: .target sm_89
// PTX: .entry double(
// PTX: ld.global
// PTX: add{{(.rn)?}}.f32
// PTX: st.global
nova.kernel @double(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise {
  %y = nova.add %x, %x : tensor<64xf32>, tensor<64xf32>
  nova.return %y : tensor<64xf32>
}
