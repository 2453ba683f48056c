// Kernels of a GPU module: what they take, which memory may be shared, and how threads divide a block.
// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=sm_80},nova-tile),nova-emit-gpu)' | FileCheck %s

// The kernels stay, for launches and for a bundle's tables.
// CHECK: nova.kernel @bias
// CHECK: gpu.module @kernels

// An operand of another type than every result is in memory of its own; the others may be where a result goes.
// CHECK-LABEL: llvm.func @bias(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr<1> {llvm.readonly}, %[[B:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[Y:.*]]: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1> {llvm.noalias})
// CHECK-SAME: gpu.kernel, nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 256>
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: scf.for
// CHECK: llvm.load
// CHECK: llvm.load
// CHECK: arith.addf
// CHECK: llvm.store
nova.kernel @bias(%x: tensor<100x33xf32>, %b: tensor<33xf32>) -> tensor<100x33xf32> family elementwise {
  %y = nova.add %x, %b : tensor<100x33xf32>, tensor<33xf32>
  nova.return %y : tensor<100x33xf32>
}

// One thread writes a scalar: others would read what it may have written over.
// CHECK-LABEL: llvm.func @scalar(
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK-NEXT: scf.if %[[FIRST]]
// CHECK: llvm.load
nova.kernel @scalar(%x: tensor<f32>) -> tensor<f32> family elementwise {
  %y = nova.add %x, %x : tensor<f32>, tensor<f32>
  nova.return %y : tensor<f32>
}

// What follows from scalars alone, as AdamW's bias correction, is computed once for a block.
// CHECK-LABEL: llvm.func @adamw(
// CHECK: scf.while
// CHECK: scf.while
// CHECK: scf.for
// CHECK-NOT: scf.while
nova.kernel @adamw(%p: tensor<999xf32>, %g: tensor<999xf32>, %m: tensor<999xf32>, %v: tensor<999xf32>,
                   %lr: tensor<f32>, %step: tensor<i64>, %scale: tensor<f32>)
    -> (tensor<999xf32>, tensor<999xf32>, tensor<999xf32>) family elementwise {
  %a, %b, %c = nova.adamw %p, %g, %m, %v, lr %lr, step %step, scale %scale
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.1} : tensor<999xf32>, tensor<999xf32>
  nova.return %a, %b, %c : tensor<999xf32>, tensor<999xf32>, tensor<999xf32>
}

// A short row is a warp's: shuffles, and no barrier.
// CHECK-LABEL: llvm.func @short_rows(
// CHECK-SAME: nvvm.reqntid = array<i32: 32>
// CHECK: nvvm.shfl.sync
// CHECK-NOT: nvvm.barrier0
nova.kernel @short_rows(%x: tensor<100x33xf32>) -> tensor<100x33xf32> family row {
  %y = nova.softmax %x : tensor<100x33xf32>
  nova.return %y : tensor<100x33xf32>
}

// A long one is a block's: the warps' results meet in shared memory.
// CHECK-LABEL: llvm.func @long_rows(
// CHECK-SAME: nvvm.reqntid = array<i32: 256>
// CHECK: nvvm.shfl.sync
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
nova.kernel @long_rows(%x: tensor<3x5000xf32>) -> tensor<3x5000xf32> family row {
  %y = nova.softmax %x : tensor<3x5000xf32>
  nova.return %y : tensor<3x5000xf32>
}

// A warp has a query, its lanes the depth: of 40 elements the second register of a lane is masked. No buffer.
// CHECK-LABEL: llvm.func @attention(
// CHECK: scf.for
// CHECK: nvvm.shfl.sync bfly
// CHECK: nvvm.shfl.sync idx
// CHECK-NOT: !llvm.ptr<3>
nova.kernel @attention(%q: tensor<2x3x33x40xf32>, %k: tensor<2x3x33x40xf32>, %v: tensor<2x3x33x40xf32>)
    -> (tensor<2x3x33x40xf32>, tensor<2x3x33xf32>) family attention {
  %y, %lse = nova.attention %q, %k, %v {causal}
    : tensor<2x3x33x40xf32>, tensor<2x3x33x40xf32>, tensor<2x3x33x40xf32>
  nova.return %y, %lse : tensor<2x3x33x40xf32>, tensor<2x3x33xf32>
}

// Both operands pass through shared memory.
// CHECK-LABEL: llvm.func @matmul(
// CHECK-COUNT-2: llvm.mlir.addressof @matmul_shared
// CHECK: nvvm.barrier0
// CHECK: math.fma
// CHECK: nvvm.barrier0
// CHECK: llvm.store
nova.kernel @matmul(%x: tensor<99x60xf32>, %w: tensor<60x131xf32>) -> tensor<99x131xf32> family matmul {
  %y = nova.matmul %x, %w : tensor<99x60xf32>, tensor<60x131xf32>
  nova.return %y : tensor<99x131xf32>
}

// Sums for weights lie in shared memory, and where a row is too wide for that, in the result.
// CHECK-LABEL: llvm.func @layer_norm_grad(
// CHECK: llvm.mlir.addressof @layer_norm_grad_shared
nova.kernel @layer_norm_grad(%dy: tensor<4x9x768xf32>, %x: tensor<4x9x768xf32>, %w: tensor<768xf32>)
    -> (tensor<4x9x768xf32>, tensor<4x768xf32>, tensor<4x768xf32>) family row {
  %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w {partials = 1 : i64}
    : tensor<4x9x768xf32>, tensor<4x9x768xf32>, tensor<768xf32>
  nova.return %dx, %dw, %db : tensor<4x9x768xf32>, tensor<4x768xf32>, tensor<4x768xf32>
}
// CHECK-LABEL: llvm.func @wide_layer_norm_grad(
// CHECK: llvm.mlir.addressof @wide_layer_norm_grad_shared_0
// CHECK-NOT: llvm.mlir.addressof @wide_layer_norm_grad_shared
nova.kernel @wide_layer_norm_grad(%dy: tensor<4x9x20000xf32>, %x: tensor<4x9x20000xf32>, %w: tensor<20000xf32>)
    -> (tensor<4x9x20000xf32>, tensor<4x20000xf32>, tensor<4x20000xf32>) family row {
  %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w {partials = 1 : i64}
    : tensor<4x9x20000xf32>, tensor<4x9x20000xf32>, tensor<20000xf32>
  nova.return %dx, %dw, %db : tensor<4x9x20000xf32>, tensor<4x20000xf32>, tensor<4x20000xf32>
}
