// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=sm_89}))' \
// RUN:   --verify-diagnostics --split-input-file

// expected-error@+1 {{expected a register tile of at most 64 elements, one for each thread of the tile, found tile = [64, 64], micro = [4, 4] and 128 threads}}
nova.kernel @threads(%x: tensor<64x64xf32>) -> tensor<64x64xf32> family matmul
    config #nova.kernel_config<tile = [64, 64], lanes = 1, micro = [4, 4], threads = 128> {
  %y = nova.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %y : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{expected a register tile of at most 64 elements}}
nova.kernel @registers(%x: tensor<64x64xf32>) -> tensor<64x64xf32> family matmul
    config #nova.kernel_config<tile = [128, 128], lanes = 1, micro = [16, 8], threads = 128> {
  %y = nova.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %y : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{expected a register tile of at most 64 elements}}
nova.kernel @whole(%x: tensor<64x64xf32>) -> tensor<64x64xf32> family matmul
    config #nova.kernel_config<tile = [0, 64], lanes = 1, micro = [4, 4], threads = 256> {
  %y = nova.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32>
  nova.return %y : tensor<64x64xf32>
}

// -----

// expected-error@+1 {{expected threads on a GPU, found 0}}
nova.kernel @cpu(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise
    config #nova.kernel_config<tile = [32], lanes = 1> {
  %y = nova.add %x, %x : tensor<64xf32>, tensor<64xf32>
  nova.return %y : tensor<64xf32>
}
