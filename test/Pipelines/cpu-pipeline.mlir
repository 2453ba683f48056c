// Kernels to code: the kernels stay, for the launches and for a bundle's tables; their code is in a module of its own.
// RUN: nova-opt %s --nova-cpu-pipeline | FileCheck %s
// RUN: nova-opt %s --nova-cpu-pipeline="target=avx2" | FileCheck %s --check-prefix=AVX2
// RUN: nova-opt %s --nova-cpu-pipeline | nova-translate --nova-to-shared-object -o %t.so

// CHECK: nova.kernel @f
// CHECK: scf.forall
// CHECK: module @kernels
// CHECK: llvm.func @f(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// CHECK-SAME: nova.scratch_bytes
// CHECK: llvm.fadd %{{.*}} : vector<16xf32>
// AVX2: llvm.fadd %{{.*}} : vector<8xf32>
// Functions are polynomials, not calls.
// CHECK-NOT: llvm.call
nova.kernel @f(%x: tensor<100xf32>) -> tensor<100xf32> family elementwise {
  %y = nova.add %x, %x : tensor<100xf32>, tensor<100xf32>
  %z = nova.exp %y : tensor<100xf32>
  nova.return %z : tensor<100xf32>
}
