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

// expected-error @+1 {{expected pairs only on a CPU, found 128 threads; on a GPU the strategy tensor_cores multiplies them}}
#config = #nova.kernel_config<tile = [64, 64], lanes = 1, micro = [32, 32], threads = 128, pairs>

// -----

// expected-error @+1 {{expected threads with a strategy, which is for GPUs, found none}}
#config = #nova.kernel_config<tile = [64, 64], lanes = 16, micro = [4, 4], strategy = tensor_cores>

// -----

// expected-error @+1 {{expected intrinsic, depth and stages only with a strategy, found none}}
#config = #nova.kernel_config<tile = [64, 64], lanes = 1, micro = [4, 4], threads = 256, stages = 2>

// -----

// expected-error @+1 {{expected a depth up to 1024 and up to 16 stages, found 2048 and 2}}
#config = #nova.kernel_config<tile = [64, 64], lanes = 1, threads = 256, strategy = tensor_cores, depth = 2048, stages = 2>

// -----

// More parts than 64 bits count.
// expected-error@+1 {{expected on tensor cores a register tile of at most 2048 elements}}
nova.kernel @large(%x: tensor<64x64xf32>) -> tensor<64x64xf32> family matmul
    config #nova.kernel_config<tile = [1152921504606846976, 1152921504606846976], lanes = 1, micro = [16, 8],
                               threads = 128, tf32> {
  %y = nova.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %y : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{unknown strategy magic; expected one of tensor_cores}}
nova.kernel @unknown(%x: tensor<64x64xbf16>) -> tensor<64x64xf32> family matmul
    config #nova.kernel_config<tile = [64, 64], lanes = 1, micro = [32, 32], threads = 128, strategy = magic> {
  %a = nova.cast %x : tensor<64x64xbf16> -> tensor<64x64xf32>
  %y = nova.matmul %a, %a : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %y : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{is none for the strategy tensor_cores; leave it out of the #nova.kernel_config, and the family's emitter takes the kernel}}
nova.kernel @computed(%x: tensor<64x64xf32>) -> tensor<64x64xf32> family matmul
    config #nova.kernel_config<tile = [64, 64], lanes = 1, micro = [32, 32], threads = 128, strategy = tensor_cores,
                               intrinsic = "mma.m16n8k8.tf32", depth = 32, stages = 3> {
  %a = nova.neg %x : tensor<64x64xf32>
  %y = nova.matmul %a, %x : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %y : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{expected an intrinsic for factors of 'bf16', found 'mma.m16n8k16.f16'}}
nova.kernel @other(%x: tensor<64x64xbf16>) -> tensor<64x64xf32> family matmul
    config #nova.kernel_config<tile = [64, 64], lanes = 1, micro = [32, 32], threads = 128, strategy = tensor_cores,
                               intrinsic = "mma.m16n8k16.f16", depth = 32, stages = 3> {
  %a = nova.cast %x : tensor<64x64xbf16> -> tensor<64x64xf32>
  %y = nova.matmul %a, %a : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %y : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{expected powers of two that the instruction's 16x8x16 divides, and a warp for each part of the tile, found tile = [64, 64], micro = [32, 32], depth = 24 and 128 threads}}
nova.kernel @depth(%x: tensor<64x64xbf16>) -> tensor<64x64xf32> family matmul
    config #nova.kernel_config<tile = [64, 64], lanes = 1, micro = [32, 32], threads = 128, strategy = tensor_cores,
                               intrinsic = "mma.m16n8k16.bf16", depth = 24, stages = 3> {
  %a = nova.cast %x : tensor<64x64xbf16> -> tensor<64x64xf32>
  %y = nova.matmul %a, %a : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %y : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{needs 131072 bytes of shared memory for 4 stages, but a block has 101376; a smaller tile or fewer stages need less}}
nova.kernel @stages(%x: tensor<128x128xbf16>) -> tensor<128x128xf32> family matmul
    config #nova.kernel_config<tile = [128, 128], lanes = 1, micro = [64, 32], threads = 256, strategy = tensor_cores,
                               intrinsic = "mma.m16n8k16.bf16", depth = 64, stages = 4> {
  %a = nova.cast %x : tensor<128x128xbf16> -> tensor<128x128xf32>
  %y = nova.matmul %a, %a : tensor<128x128xf32>, tensor<128x128xf32>
  nova.return %y : tensor<128x128xf32>
}

// -----

// expected-error@+1 {{expected at most 128 sums for each thread, found micro = [128, 64]}}
nova.kernel @sums(%x: tensor<128x128xbf16>) -> tensor<128x128xf32> family matmul
    config #nova.kernel_config<tile = [128, 128], lanes = 1, micro = [128, 64], threads = 64, strategy = tensor_cores,
                               intrinsic = "mma.m16n8k16.bf16", depth = 32, stages = 2> {
  %a = nova.cast %x : tensor<128x128xbf16> -> tensor<128x128xf32>
  %y = nova.matmul %a, %a : tensor<128x128xf32>, tensor<128x128xf32>
  nova.return %y : tensor<128x128xf32>
}
