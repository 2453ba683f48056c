// On GPUs matmuls of widened bf16 and f16 are cut for tensor cores, those of f32 where that is asked for.
// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=sm_80 matmul-precision=tf32}))' \
// RUN:   | FileCheck %s
// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=sm_80}))' \
// RUN:   | FileCheck %s --check-prefix=EXACT --implicit-check-not=', tf32'
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

// bf16 in memory is multiplied as such, on tensor cores or not.
// CHECK-LABEL: nova.kernel @widened(
// CHECK-SAME: <tile = [32, 32], lanes = 1, micro = [16, 16], threads = 128, strategy = tensor_cores, intrinsic = "mma.m16n8k16.bf16", depth = 32, stages = 4>
// EXACT-LABEL: nova.kernel @widened(
// EXACT-SAME: strategy = tensor_cores
nova.kernel @widened(%x: tensor<32x64xbf16>, %w: tensor<64x192xbf16>) -> tensor<32x192xf32> family matmul {
  %a = nova.cast %x : tensor<32x64xbf16> -> tensor<32x64xf32>
  %b = nova.cast %w : tensor<64x192xbf16> -> tensor<64x192xf32>
  %y = nova.matmul %a, %b : tensor<32x64xf32>, tensor<64x192xf32>
  nova.return %y : tensor<32x192xf32>
}

// CHECK-LABEL: nova.kernel @large_widened(
// CHECK-SAME: <tile = [128, 128], lanes = 1, micro = [64, 64], threads = 128, strategy = tensor_cores, intrinsic = "mma.m16n8k16.bf16", depth = 32, stages = 3>
nova.kernel @large_widened(%x: tensor<4096x768xbf16>, %w: tensor<768x3072xbf16>) -> tensor<4096x3072xf32> family matmul {
  %a = nova.cast %x : tensor<4096x768xbf16> -> tensor<4096x768xf32>
  %b = nova.cast %w : tensor<768x3072xbf16> -> tensor<768x3072xf32>
  %y = nova.matmul %a, %b : tensor<4096x768xf32>, tensor<768x3072xf32>
  nova.return %y : tensor<4096x3072xf32>
}

// CHECK-LABEL: nova.kernel @few(
// CHECK-SAME: <tile = [64, 64], lanes = 1, micro = [32, 32], threads = 128, strategy = tensor_cores, intrinsic = "mma.m16n8k16.f16", depth = 32, stages = 4>
nova.kernel @few(%x: tensor<256x768xf16>, %w: tensor<768x256xf16>) -> tensor<256x256xf32> family matmul {
  %a = nova.cast %x : tensor<256x768xf16> -> tensor<256x768xf32>
  %b = nova.cast %w : tensor<768x256xf16> -> tensor<768x256xf32>
  %y = nova.matmul %a, %b : tensor<256x768xf32>, tensor<768x256xf32>
  nova.return %y : tensor<256x256xf32>
}

// One factor of bf16 is none for them.
// CHECK-LABEL: nova.kernel @one_widened(
// CHECK-SAME: threads = 128, tf32>
// EXACT-LABEL: nova.kernel @one_widened(
// EXACT-SAME: micro = [4, 4], threads = 256>
nova.kernel @one_widened(%x: tensor<32x64xbf16>, %w: tensor<64x192xf32>) -> tensor<32x192xf32> family matmul {
  %a = nova.cast %x : tensor<32x64xbf16> -> tensor<32x64xf32>
  %y = nova.matmul %a, %w : tensor<32x64xf32>, tensor<64x192xf32>
  nova.return %y : tensor<32x192xf32>
}

// Nor do factors of two types, or one that is computed first.
// CHECK-LABEL: nova.kernel @mixed(
// CHECK-SAME: threads = 128, tf32>
nova.kernel @mixed(%x: tensor<32x64xbf16>, %w: tensor<64x192xf16>) -> tensor<32x192xf32> family matmul {
  %a = nova.cast %x : tensor<32x64xbf16> -> tensor<32x64xf32>
  %b = nova.cast %w : tensor<64x192xf16> -> tensor<64x192xf32>
  %y = nova.matmul %a, %b : tensor<32x64xf32>, tensor<64x192xf32>
  nova.return %y : tensor<32x192xf32>
}
// CHECK-LABEL: nova.kernel @computed(
// CHECK-SAME: threads = 128, tf32>
nova.kernel @computed(%x: tensor<32x64xf16>, %w: tensor<64x192xf16>) -> tensor<32x192xf32> family matmul {
  %a = nova.cast %x : tensor<32x64xf16> -> tensor<32x64xf32>
  %g = nova.gelu tanh %a : tensor<32x64xf32>
  %b = nova.cast %w : tensor<64x192xf16> -> tensor<64x192xf32>
  %y = nova.matmul %g, %b : tensor<32x64xf32>, tensor<64x192xf32>
  nova.return %y : tensor<32x192xf32>
}

// CHECK-LABEL: nova.kernel @halves(
// CHECK-SAME: threads = 128, strategy = tensor_cores
nova.kernel @halves(%x: tensor<32x64xf16>, %w: tensor<64x192xf16>) -> tensor<32x192xf32> family matmul {
  %a = nova.cast %x : tensor<32x64xf16> -> tensor<32x64xf32>
  %b = nova.cast %w : tensor<64x192xf16> -> tensor<64x192xf32>
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
