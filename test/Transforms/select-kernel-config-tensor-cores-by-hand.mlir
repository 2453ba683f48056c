// A configuration with tf32 that is there is kept, whatever the precision.
// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=sm_89}))' | FileCheck %s

// CHECK: <tile = [16, 24], lanes = 1, micro = [16, 8], threads = 96, tf32>
nova.kernel @matmul(%x: tensor<512x64xf32>, %w: tensor<64x192xf32>) -> tensor<512x192xf32> family matmul
    config #nova.kernel_config<tile = [16, 24], lanes = 1, micro = [16, 8], threads = 96, tf32> {
  %y = nova.matmul %x, %w : tensor<512x64xf32>, tensor<64x192xf32>
  nova.return %y : tensor<512x192xf32>
}
