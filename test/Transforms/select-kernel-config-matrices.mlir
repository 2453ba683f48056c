// Matrices of widened bf16 on a CPU that has AMX: tiles of 32 rows and up to 128 columns. Few rows are multiplied as floats.
// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=amx_bf16}))' | FileCheck %s

// CHECK: nova.kernel @large
// CHECK-SAME: config #nova.kernel_config<tile = [512, 128], lanes = 16, micro = [32, 8], pairs>
nova.kernel @large(%a: tensor<1024x64xbf16>, %b: tensor<64x300xbf16>) -> tensor<1024x300xf32> family matmul {
  %0 = nova.cast %a : tensor<1024x64xbf16> -> tensor<1024x64xf32>
  %1 = nova.cast %b : tensor<64x300xbf16> -> tensor<64x300xf32>
  %2 = nova.matmul %0, %1 : tensor<1024x64xf32>, tensor<64x300xf32>
  nova.return %2 : tensor<1024x300xf32>
}

// CHECK: nova.kernel @narrow
// CHECK-SAME: config #nova.kernel_config<tile = [32, 48], lanes = 16, micro = [32, 3], pairs>
nova.kernel @narrow(%a: tensor<20x64xbf16>, %b: tensor<64x40xbf16>) -> tensor<20x40xf32> family matmul {
  %0 = nova.cast %a : tensor<20x64xbf16> -> tensor<20x64xf32>
  %1 = nova.cast %b : tensor<64x40xbf16> -> tensor<64x40xf32>
  %2 = nova.matmul %0, %1 : tensor<20x64xf32>, tensor<64x40xf32>
  nova.return %2 : tensor<20x40xf32>
}

// CHECK: nova.kernel @few
// CHECK-SAME: config #nova.kernel_config<tile = [4, 64], lanes = 16, micro = [4, 4]>
nova.kernel @few(%a: tensor<4x64xbf16>, %b: tensor<64x300xbf16>) -> tensor<4x300xf32> family matmul {
  %0 = nova.cast %a : tensor<4x64xbf16> -> tensor<4x64xf32>
  %1 = nova.cast %b : tensor<64x300xbf16> -> tensor<64x300xf32>
  %2 = nova.matmul %0, %1 : tensor<4x64xf32>, tensor<64x300xf32>
  nova.return %2 : tensor<4x300xf32>
}
