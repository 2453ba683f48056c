// How kernels are cut for a GPU.
// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=sm_89}))' | FileCheck %s

// 64 x 64 elements by threads of 4 x 4.
// CHECK-LABEL: nova.kernel @matmul(
// CHECK-SAME: <tile = [64, 64], lanes = 1, micro = [4, 4], threads = 256>
nova.kernel @matmul(%x: tensor<512x64xf32>, %w: tensor<64x192xf32>) -> tensor<512x192xf32> family matmul {
  %y = nova.matmul %x, %w : tensor<512x64xf32>, tensor<64x192xf32>
  nova.return %y : tensor<512x192xf32>
}

// Taller register tiles where there are blocks enough.
// CHECK-LABEL: nova.kernel @large_matmul(
// CHECK-SAME: <tile = [128, 64], lanes = 1, micro = [8, 4], threads = 256>
nova.kernel @large_matmul(%x: tensor<4096x768xf32>, %w: tensor<768x3072xf32>) -> tensor<4096x3072xf32> family matmul {
  %y = nova.matmul %x, %w : tensor<4096x768xf32>, tensor<768x3072xf32>
  nova.return %y : tensor<4096x3072xf32>
}

// A warp for each row.
// CHECK-LABEL: nova.kernel @attention(
// CHECK-SAME: <tile = [1, 1, 8, 0], lanes = 1, threads = 256>
nova.kernel @attention(%q: tensor<2x3x33x20xf32>, %k: tensor<2x3x33x20xf32>, %v: tensor<2x3x33x20xf32>)
    -> (tensor<2x3x33x20xf32>, tensor<2x3x33xf32>) family attention {
  %y, %lse = nova.attention %q, %k, %v {causal}
    : tensor<2x3x33x20xf32>, tensor<2x3x33x20xf32>, tensor<2x3x33x20xf32>
  nova.return %y, %lse : tensor<2x3x33x20xf32>, tensor<2x3x33xf32>
}

// Short rows: one warp, and several rows of it only where there are blocks enough.
// CHECK-LABEL: nova.kernel @few_rows(
// CHECK-SAME: <tile = [4, 0], lanes = 1, threads = 32>
nova.kernel @few_rows(%x: tensor<512x64xf32>) -> tensor<512x64xf32> family row {
  %y = nova.softmax %x : tensor<512x64xf32>
  nova.return %y : tensor<512x64xf32>
}
// CHECK-LABEL: nova.kernel @many_rows(
// CHECK-SAME: <tile = [128, 0], lanes = 1, threads = 32>
nova.kernel @many_rows(%x: tensor<1048576x64xf32>) -> tensor<1048576x64xf32> family row {
  %y = nova.softmax %x : tensor<1048576x64xf32>
  nova.return %y : tensor<1048576x64xf32>
}
// CHECK-LABEL: nova.kernel @long_rows(
// CHECK-SAME: <tile = [1], lanes = 1, threads = 256>
nova.kernel @long_rows(%x: tensor<256x50257xf32>, %t: tensor<256xi32>) -> tensor<256xf32> family row {
  %y = nova.cross_entropy %x, %t {reduction = #nova.reduction<none>} : tensor<256x50257xf32>, tensor<256xi32>
  nova.return %y : tensor<256xf32>
}

// A thread for each column.
// CHECK-LABEL: nova.kernel @layer_norm_grad(
// CHECK-SAME: <tile = [1, 0, 0], lanes = 1, threads = 64>
nova.kernel @layer_norm_grad(%dy: tensor<4x9x60xf32>, %x: tensor<4x9x60xf32>, %w: tensor<60xf32>)
    -> (tensor<4x9x60xf32>, tensor<4x60xf32>, tensor<4x60xf32>) family row {
  %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w {partials = 1 : i64}
    : tensor<4x9x60xf32>, tensor<4x9x60xf32>, tensor<60xf32>
  nova.return %dx, %dw, %db : tensor<4x9x60xf32>, tensor<4x60xf32>, tensor<4x60xf32>
}
// CHECK-LABEL: nova.kernel @column(
// CHECK-SAME: <tile = [1, 256], lanes = 1, threads = 256>
nova.kernel @column(%x: tensor<3x50x768xf32>) -> tensor<3x768xf32> family column {
  %y = nova.reduce sum %x over [1] : tensor<3x50x768xf32>
  nova.return %y : tensor<3x768xf32>
}

// Blocks grow with the tensor, up to 8192 elements.
// CHECK-LABEL: nova.kernel @few_elements(
// CHECK-SAME: <tile = [256], lanes = 1, threads = 256>
nova.kernel @few_elements(%x: tensor<32768xf32>) -> tensor<32768xf32> family elementwise {
  %y = nova.exp %x : tensor<32768xf32>
  nova.return %y : tensor<32768xf32>
}
// CHECK-LABEL: nova.kernel @many_elements(
// CHECK-SAME: <tile = [8192], lanes = 1, threads = 256>
nova.kernel @many_elements(%x: tensor<124439808xf32>) -> tensor<124439808xf32> family elementwise {
  %y = nova.exp %x : tensor<124439808xf32>
  nova.return %y : tensor<124439808xf32>
}

// CHECK-LABEL: nova.kernel @scatter(
// CHECK-SAME: <tile = [393, 0], lanes = 1, threads = 256>
nova.kernel @scatter(%t: tensor<50257x768xf32>, %i: tensor<256xi32>, %u: tensor<256x768xf32>)
    -> tensor<50257x768xf32> family index {
  %y = nova.scatter_add %t[%i], %u : tensor<50257x768xf32>, tensor<256xi32>, tensor<256x768xf32>
  nova.return %y : tensor<50257x768xf32>
}
