// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=avx512_bf16}))' \
// RUN:   --verify-diagnostics --split-input-file

// expected-error @+1 {{expected pairs only for a product of widened bf16 on avx512_bf16 or amx_bf16; leave them out}}
nova.kernel @wide(%x: tensor<32x64xf32>, %w: tensor<64x192xf32>) -> tensor<32x192xf32> family matmul
    config #nova.kernel_config<tile = [32, 64], lanes = 16, micro = [4, 4], pairs> {
  %y = nova.matmul %x, %w : tensor<32x64xf32>, tensor<64x192xf32>
  nova.return %y : tensor<32x192xf32>
}

// -----

// expected-error @+1 {{expected 16 lanes with pairs, found 8}}
#config = #nova.kernel_config<tile = [32, 64], lanes = 8, pairs>
