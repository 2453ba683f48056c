// Products of tf32 on tensor cores: factors are rounded where they come into shared memory, sums are f32.
// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=sm_80 matmul-precision=tf32},nova-tile),nova-emit-gpu)' | FileCheck %s
// RUN: nova-opt %s --nova-cuda-pipeline="chip=sm_80 matmul-precision=tf32" | nova-translate --nova-to-ptx --chip=sm_80 \
// RUN:   | FileCheck %s --check-prefix=PTX --implicit-check-not=fma.rn
// RUN: nova-opt %s --nova-cuda-pipeline="chip=sm_80" | nova-translate --nova-to-ptx --chip=sm_80 \
// RUN:   | FileCheck %s --check-prefix=EXACT --implicit-check-not=tf32

// The panels have the operands' layouts: 64 lines of 32 + 4 depths of the left one, 32 lines of 64 + 8 columns of the
// right one.
// CHECK: llvm.mlir.global internal @matmul_shared_9216() {addr_space = 3 : i32, alignment = 64 : i64} : !llvm.array<9216 x i8>
// CHECK: llvm.mlir.global internal @matmul_shared_0() {addr_space = 3 : i32, alignment = 64 : i64} : !llvm.array<9216 x i8>
// CHECK-LABEL: llvm.func @matmul(
// CHECK-SAME: nvvm.reqntid = array<i32: 128>
// Each thread brings 16 elements of either operand.
// CHECK-COUNT-32: nvvm.convert.float.to.tf32 %{{.*}} {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK-NOT: nvvm.convert.float.to.tf32
// CHECK: nvvm.barrier0
// A warp's 32 x 32 elements are two by four products.
// CHECK-COUNT-8: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<tf32>{{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 8>
// CHECK-NOT: nvvm.mma.sync
// CHECK: nvvm.barrier0
// CHECK-COUNT-32: llvm.store {{.*}} : f32, !llvm.ptr<1>
// CHECK-NOT: llvm.store

// PTX: cvt.rna.tf32.f32
// PTX: bar.sync
// PTX: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// EXACT: fma.rn.f32
nova.kernel @matmul(%x: tensor<100x70xf32>, %w: tensor<70x90xf32>) -> tensor<100x90xf32> family matmul {
  %y = nova.matmul %x, %w : tensor<100x70xf32>, tensor<70x90xf32>
  nova.return %y : tensor<100x90xf32>
}
