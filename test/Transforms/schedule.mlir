// Products by the strategy tensor_cores: how operands come into shared memory, and what follows the product.
// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-tile,nova-schedule,cse))' | FileCheck %s
// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-tile,nova-schedule,nova-pipeline,cse))' \
// RUN:   | FileCheck %s --check-prefix=STAGES --implicit-check-not=nova.stages

#square = #nova.kernel_config<tile = [64, 64], lanes = 1, micro = [32, 32], threads = 128, strategy = tensor_cores,
                              intrinsic = "mma.m16n8k16.bf16", depth = 32, stages = 3>

// Operands stay as memory has them; what an instruction wants otherwise is a transposed view. Rows end within a tile.
// CHECK-LABEL: nova.kernel @tn(
// CHECK: scf.for
// CHECK: nova.copy_async %{{.*}} in_bounds [true, false] : tensor<64x104xbf16>, tensor<32x64xbf16, #shared>
// CHECK: nova.copy_async %{{.*}} in_bounds [true, true] : tensor<64x128xbf16>, tensor<32x64xbf16, #shared>
// CHECK: nova.transpose {{.*}} : tensor<32x64xbf16, #shared>
// CHECK: nova.convert_layout {{.*}} -> tensor<64x32xbf16, #lhs>
// CHECK: nova.convert_layout {{.*}} -> tensor<32x64xbf16, #rhs>
// CHECK: nova.contract
// CHECK: nova.stages = 3
// CHECK: nova.load {{.*}} in_bounds [true] : tensor<128xf32> -> tensor<64xf32, #part>
// CHECK: nova.add {{.*}} : tensor<64x64xf32, #sums>, tensor<64xf32, #part>
// Results of 16 bits go through shared memory.
// CHECK: nova.cast {{.*}} -> tensor<64x64xbf16, #sums>
// CHECK: nova.barrier
// CHECK: nova.convert_layout %{{.*}} into %{{.*}} : tensor<64x64xbf16, #sums> -> tensor<64x64xbf16, #shared>
// CHECK: nova.barrier
// CHECK: nova.convert_layout %{{.*}} : tensor<64x64xbf16, #shared> -> tensor<64x64xbf16, #threads{{[0-9]*}}>
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [%{{.*}}, 64] [1, 1] : tensor<64x64xbf16
// CHECK: tensor.parallel_insert_slice

// Three stages: two copied before the loop, and the third while it computes.
// STAGES-LABEL: nova.kernel @tn(
// STAGES-COUNT-6: nova.allocate
// STAGES-COUNT-4: nova.copy_async
// STAGES: scf.for
// STAGES-NEXT: nova.wait 1
// STAGES-NEXT: nova.barrier
// STAGES: scf.if
// STAGES-COUNT-2: nova.copy_async
// STAGES: nova.commit
// STAGES: nova.contract
// STAGES-NEXT: scf.yield
nova.kernel @tn(%x: tensor<64x104xbf16>, %w: tensor<64x128xbf16>, %bias: tensor<128xf32>) -> tensor<104x128xbf16>
    family matmul config #square {
  %a = nova.cast %x : tensor<64x104xbf16> -> tensor<64x104xf32>
  %b = nova.cast %w : tensor<64x128xbf16> -> tensor<64x128xf32>
  %p = nova.matmul %a, %b {transpose_lhs} : tensor<64x104xf32>, tensor<64x128xf32>
  %q = nova.add %p, %bias : tensor<104x128xf32>, tensor<128xf32>
  %y = nova.cast %q : tensor<104x128xf32> -> tensor<104x128xbf16>
  nova.return %y : tensor<104x128xbf16>
}

// Rows of 100 bytes are aligned to 4, those of 106 to 2, which no asynchronous copy is.
// CHECK-LABEL: nova.kernel @narrow(
// CHECK: nova.copy_async %{{.*}} by #threads{{[0-9]*}} in_bounds [true, false] : tensor<64x50xbf16>
// CHECK: nova.load %{{.*}} in_bounds [false, false] : tensor<50x53xbf16>
// CHECK: nova.convert_layout %{{.*}} into
// The loop is made of stages all the same.
// STAGES-LABEL: nova.kernel @narrow(
// STAGES: nova.load
// STAGES: scf.for
// STAGES: nova.load
nova.kernel @narrow(%x: tensor<64x50xbf16>, %w: tensor<50x53xbf16>) -> tensor<64x53xf32> family matmul config #square {
  %a = nova.cast %x : tensor<64x50xbf16> -> tensor<64x50xf32>
  %b = nova.cast %w : tensor<50x53xbf16> -> tensor<50x53xf32>
  %p = nova.matmul %a, %b : tensor<64x50xf32>, tensor<50x53xf32>
  nova.return %p : tensor<64x53xf32>
}

// Without a strategy a kernel stays as it is.
// CHECK-LABEL: nova.kernel @plain(
// CHECK-NOT: nova.copy_async
// CHECK: nova.matmul {{.*}} : tensor<64x64xf32>, tensor<64x64xf32>
nova.kernel @plain(%x: tensor<64x64xf32>) -> tensor<64x64xf32>
    family matmul config #nova.kernel_config<tile = [64, 64], lanes = 1, micro = [4, 4], threads = 256> {
  %p = nova.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %p : tensor<64x64xf32>
}
