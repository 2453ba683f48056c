// The ops of the level scheduled, read and printed; layouts are named on top.
// RUN: nova-opt %s | nova-opt | FileCheck %s
// RUN: nova-opt %s --mlir-print-op-generic | nova-opt | FileCheck %s

// CHECK-DAG: #threads = #nova.threads<elements = [1, 8], threads = [8, 4]>
// CHECK-DAG: #shared = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
// CHECK-DAG: #{{shared[0-9]*}} = #nova.shared<order = [1, 0], swizzle = [2, 3, 3]>
// CHECK-DAG: #lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
// CHECK-DAG: #part = #nova.part<#sums, shape = [16, 16], axes = [1]>
#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#columns = #nova.shared<order = [1, 0], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#l = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#r = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#s = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
#bias = #nova.part<#s, shape = [16, 16], axes = [1]>

// CHECK-LABEL: nova.kernel @product
nova.kernel @product(%x: tensor<16x32xbf16>, %w: tensor<16x32xbf16>, %b: tensor<16xf32>) -> tensor<16x16xf32> family matmul {
  %init = tensor.empty() : tensor<16x16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16x16xf32>) {
    %c0 = arith.constant 0 : index
    // CHECK: nova.allocate : tensor<16x32xbf16, #shared>
    %room0 = nova.allocate : tensor<16x32xbf16, #rows>
    %room1 = nova.allocate : tensor<16x32xbf16, #rows>
    // CHECK: nova.copy_async %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} by #threads in_bounds [true, true]
    %a = nova.copy_async %x[%i, %c0] into %room0 by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    // CHECK: nova.load
    %loaded = nova.load %w[%c0, %c0] in_bounds [true, true] : tensor<16x32xbf16> -> tensor<16x32xbf16, #by>
    // CHECK: nova.convert_layout %{{.*}} into %{{.*}} : tensor<16x32xbf16, #threads> -> tensor<16x32xbf16, #shared>
    %c = nova.convert_layout %loaded into %room1 : tensor<16x32xbf16, #by> -> tensor<16x32xbf16, #rows>
    // CHECK: nova.commit
    nova.commit
    // CHECK: nova.wait 0
    nova.wait 0
    // CHECK: nova.barrier
    nova.barrier
    // CHECK: nova.transpose {{.*}} : tensor<16x32xbf16, #shared>
    %t = nova.transpose %c [1, 0] : tensor<16x32xbf16, #rows>
    %f = nova.convert_layout %a : tensor<16x32xbf16, #rows> -> tensor<16x32xbf16, #l>
    %g = nova.convert_layout %t : tensor<32x16xbf16, #columns> -> tensor<32x16xbf16, #r>
    %zero = nova.constant dense<0.0> : tensor<16x16xf32, #s>
    // CHECK: nova.contract %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x32xbf16, #lhs>, tensor<32x16xbf16, #rhs>, tensor<16x16xf32, #sums>
    %p = nova.contract %f, %g, %zero : tensor<16x32xbf16, #l>, tensor<32x16xbf16, #r>, tensor<16x16xf32, #s>
    %bias = nova.load %b[%c0] in_bounds [true] : tensor<16xf32> -> tensor<16xf32, #bias>
    // CHECK: nova.add %{{.*}}, %{{.*}} : tensor<16x16xf32, #sums>, tensor<16xf32, #part>
    %q = nova.add %p, %bias : tensor<16x16xf32, #s>, tensor<16xf32, #bias>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %out[%i, 0] [16, 16] [1, 1] : tensor<16x16xf32, #s> into tensor<16x16xf32>
    }
  }
  nova.return %y : tensor<16x16xf32>
}
