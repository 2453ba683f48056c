// Matmuls of f32 are cut for tensor cores where that is asked for, and on GPUs alone.
// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=sm_80 matmul-precision=tf32}))' \
// RUN:   | FileCheck %s
// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=sm_80}))' \
// RUN:   | FileCheck %s --check-prefix=EXACT --implicit-check-not='threads = 256, tf32'
// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=avx512 matmul-precision=tf32}))' \
// RUN:   | FileCheck %s --check-prefix=CPU --implicit-check-not=', tf32'

// A warp has 32 x 32 elements.
// CHECK-LABEL: nova.kernel @matmul(
// CHECK-SAME: <tile = [64, 64], lanes = 1, micro = [32, 32], threads = 128, tf32>
// EXACT-LABEL: nova.kernel @matmul(
// EXACT-SAME: <tile = [64, 64], lanes = 1, micro = [4, 4], threads = 256>
// CPU-LABEL: nova.kernel @matmul(
nova.kernel @matmul(%x: tensor<512x64xf32>, %w: tensor<64x192xf32>) -> tensor<512x192xf32> family matmul {
  %y = nova.matmul %x, %w : tensor<512x64xf32>, tensor<64x192xf32>
  nova.return %y : tensor<512x192xf32>
}

// CHECK-LABEL: nova.kernel @large(
// CHECK-SAME: <tile = [128, 64], lanes = 1, micro = [32, 32], threads = 256, tf32>
nova.kernel @large(%x: tensor<4096x768xf32>, %w: tensor<768x3072xf32>) -> tensor<4096x3072xf32> family matmul {
  %y = nova.matmul %x, %w : tensor<4096x768xf32>, tensor<768x3072xf32>
  nova.return %y : tensor<4096x3072xf32>
}

// bf16 in memory is tf32 already.
// CHECK-LABEL: nova.kernel @widened(
// CHECK-SAME: threads = 128, tf32>
nova.kernel @widened(%x: tensor<32x64xbf16>, %w: tensor<64x192xbf16>) -> tensor<32x192xf32> family matmul {
  %a = nova.cast %x : tensor<32x64xbf16> -> tensor<32x64xf32>
  %b = nova.cast %w : tensor<64x192xbf16> -> tensor<64x192xf32>
  %y = nova.matmul %a, %b : tensor<32x64xf32>, tensor<64x192xf32>
  nova.return %y : tensor<32x192xf32>
}

// CHECK-LABEL: nova.kernel @wide(
// CHECK-SAME: micro = [4, 4], threads = 256>
nova.kernel @wide(%x: tensor<32x64xf64>, %w: tensor<64x192xf64>) -> tensor<32x192xf64> family matmul {
  %y = nova.matmul %x, %w : tensor<32x64xf64>, tensor<64x192xf64>
  nova.return %y : tensor<32x192xf64>
}

// CHECK-LABEL: nova.kernel @attention(
// CHECK-SAME: <tile = [1, 1, 8, 0], lanes = 1, threads = 256>
nova.kernel @attention(%q: tensor<2x3x33x20xf32>, %k: tensor<2x3x33x20xf32>, %v: tensor<2x3x33x20xf32>)
    -> (tensor<2x3x33x20xf32>, tensor<2x3x33xf32>) family attention {
  %y, %lse = nova.attention %q, %k, %v : tensor<2x3x33x20xf32>, tensor<2x3x33x20xf32>, tensor<2x3x33x20xf32>
  nova.return %y, %lse : tensor<2x3x33x20xf32>, tensor<2x3x33xf32>
}
