// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=sm_89}))' \
// RUN:   --verify-diagnostics --split-input-file

// expected-error@+1 {{expected tf32 only for a product of f32; leave it out}}
nova.kernel @wide(%x: tensor<64x64xf64>) -> tensor<64x64xf64> family matmul
    config #nova.kernel_config<tile = [64, 64], lanes = 1, micro = [32, 32], threads = 128, tf32> {
  %y = nova.matmul %x, %x : tensor<64x64xf64>, tensor<64x64xf64>
  nova.return %y : tensor<64x64xf64>
}

// -----

// expected-error@+1 {{expected tf32 only for a product of f32; leave it out}}
nova.kernel @no_product(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise
    config #nova.kernel_config<tile = [32], lanes = 1, threads = 32, tf32> {
  %y = nova.add %x, %x : tensor<64xf32>, tensor<64xf32>
  nova.return %y : tensor<64xf32>
}

// -----

// expected-error@+1 {{expected on tensor cores a register tile of at most 2048 elements, rows in sixteens and columns in eights, one for each warp of the tile, found tile = [64, 64], micro = [32, 32] and 256 threads}}
nova.kernel @warps(%x: tensor<64x64xf32>) -> tensor<64x64xf32> family matmul
    config #nova.kernel_config<tile = [64, 64], lanes = 1, micro = [32, 32], threads = 256, tf32> {
  %y = nova.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %y : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{expected on tensor cores a register tile of at most 2048 elements, rows in sixteens}}
nova.kernel @rows(%x: tensor<64x64xf32>) -> tensor<64x64xf32> family matmul
    config #nova.kernel_config<tile = [24, 64], lanes = 1, micro = [24, 64], threads = 32, tf32> {
  %y = nova.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %y : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{expected on tensor cores a register tile of at most 2048 elements, rows in sixteens}}
nova.kernel @registers(%x: tensor<64x64xf32>) -> tensor<64x64xf32> family matmul
    config #nova.kernel_config<tile = [64, 64], lanes = 1, micro = [64, 64], threads = 32, tf32> {
  %y = nova.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %y : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{expected on tensor cores a register tile of at most 2048 elements, rows in sixteens}}
nova.kernel @none(%x: tensor<64x64xf32>) -> tensor<64x64xf32> family matmul
    config #nova.kernel_config<tile = [64, 64], lanes = 1, threads = 128, tf32> {
  %y = nova.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %y : tensor<64x64xf32>
}

// -----

// expected-error @+1 {{expected threads with tf32, which is for GPUs, found none}}
#config = #nova.kernel_config<tile = [64, 64], lanes = 16, micro = [4, 4], tf32>

// -----

// expected-error @+1 {{expected pairs or tf32, found both}}
#config = #nova.kernel_config<tile = [64, 64], lanes = 1, micro = [32, 32], threads = 128, pairs, tf32>

// -----

// expected-error@+1 {{expected pairs only for a product of widened bf16 or f16; leave them out}}
nova.kernel @no_pairs(%x: tensor<64x64xf32>) -> tensor<64x64xf32> family matmul
    config #nova.kernel_config<tile = [64, 64], lanes = 1, micro = [32, 32], threads = 128, pairs> {
  %y = nova.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %y : tensor<64x64xf32>
}

// -----

// More parts than 64 bits count.
// expected-error@+1 {{expected on tensor cores a register tile of at most 2048 elements}}
nova.kernel @large(%x: tensor<64x64xf32>) -> tensor<64x64xf32> family matmul
    config #nova.kernel_config<tile = [1152921504606846976, 1152921504606846976], lanes = 1, micro = [16, 8],
                               threads = 128, tf32> {
  %y = nova.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %y : tensor<64x64xf32>
}
