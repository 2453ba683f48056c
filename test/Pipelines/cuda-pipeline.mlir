// Kernels to code: the kernels stay, for the launches and for a bundle's tables; their code is in a GPU module.
// RUN: nova-opt %s --nova-cuda-pipeline | FileCheck %s
// RUN: nova-opt %s --nova-cuda-pipeline="chip=sm_90" | nova-translate --nova-to-ptx --chip=sm_90 | FileCheck %s --check-prefix=PTX

// CHECK: nova.kernel @f
// CHECK: scf.forall
// CHECK: gpu.module @kernels
// CHECK: llvm.func @f(%{{.*}}: !llvm.ptr<1> {llvm.readonly}, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1> {llvm.noalias})
// CHECK-SAME: nvvm.reqntid
// CHECK: llvm.fadd %{{.*}} : f32
// Functions are polynomials: there is no library to call.
// CHECK-NOT: llvm.call

// PTX: .target sm_90
// PTX: .visible .entry f(
// PTX: .reqntid 256
// PTX: ld.global.b32
// PTX: fma.rn.f32
// PTX: st.global.b32
nova.kernel @f(%x: tensor<100xf32>) -> tensor<100xf32> family elementwise {
  %y = nova.add %x, %x : tensor<100xf32>, tensor<100xf32>
  %z = nova.exp %y : tensor<100xf32>
  nova.return %z : tensor<100xf32>
}
