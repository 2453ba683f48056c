// A CPU with AVX-512 BF16 multiplies pairs where both operands are bf16 in memory.
// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=avx512_bf16}))' \
// RUN:   | FileCheck %s
// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=avx512}))' \
// RUN:   | FileCheck %s --check-prefix=WIDENED --implicit-check-not=pairs

// CHECK-LABEL: nova.kernel @both(
// CHECK-SAME: micro = [4, 4], pairs>
// WIDENED-LABEL: nova.kernel @both(
nova.kernel @both(%x: tensor<32x64xbf16>, %w: tensor<64x192xbf16>) -> tensor<32x192xf32> family matmul {
  %a = nova.cast %x : tensor<32x64xbf16> -> tensor<32x64xf32>
  %b = nova.cast %w : tensor<64x192xbf16> -> tensor<64x192xf32>
  %y = nova.matmul %a, %b : tensor<32x64xf32>, tensor<64x192xf32>
  nova.return %y : tensor<32x192xf32>
}

// CHECK-LABEL: nova.kernel @one(
// CHECK-SAME: micro = [4, 4]>
nova.kernel @one(%x: tensor<32x64xbf16>, %b: tensor<64x192xf32>) -> tensor<32x192xf32> family matmul {
  %a = nova.cast %x : tensor<32x64xbf16> -> tensor<32x64xf32>
  %y = nova.matmul %a, %b : tensor<32x64xf32>, tensor<64x192xf32>
  nova.return %y : tensor<32x192xf32>
}

// CHECK-LABEL: nova.kernel @half(
// CHECK-SAME: micro = [4, 4]>
nova.kernel @half(%x: tensor<32x64xf16>, %w: tensor<64x192xf16>) -> tensor<32x192xf32> family matmul {
  %a = nova.cast %x : tensor<32x64xf16> -> tensor<32x64xf32>
  %b = nova.cast %w : tensor<64x192xf16> -> tensor<64x192xf32>
  %y = nova.matmul %a, %b : tensor<32x64xf32>, tensor<64x192xf32>
  nova.return %y : tensor<32x192xf32>
}
