// RUN: nova-opt %s --pass-pipeline='builtin.module(nova.kernel(nova-select-kernel-config{target=amx_bf16}))' \
// RUN:   --verify-diagnostics --split-input-file
//
// What is written by hand and does not fit.

// expected-error @+1 {{expected a tile of rank 2, that of the first result, found [16]}}
nova.kernel @rank(%x: tensor<8x64xf32>) -> tensor<8x64xf32> family elementwise
    config #nova.kernel_config<tile = [16], lanes = 16> {
  %y = nova.add %x, %x : tensor<8x64xf32>, tensor<8x64xf32>
  nova.return %y : tensor<8x64xf32>
}

// -----

// expected-error @+1 {{expected 16 lanes for amx_bf16, found 8}}
nova.kernel @lanes(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise
    config #nova.kernel_config<tile = [64], lanes = 8> {
  %y = nova.add %x, %x : tensor<64xf32>, tensor<64xf32>
  nova.return %y : tensor<64xf32>
}

// -----

// expected-error @+1 {{expected no threads on a CPU, found 256}}
nova.kernel @threads(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise
    config #nova.kernel_config<tile = [64], lanes = 16, threads = 256> {
  %y = nova.add %x, %x : tensor<64xf32>, tensor<64xf32>
  nova.return %y : tensor<64xf32>
}

// -----

// expected-error @+1 {{expected a register tile of at most 24 vectors, found micro = [7, 4]}}
nova.kernel @registers(%x: tensor<28x64xf32>, %w: tensor<64x192xf32>) -> tensor<28x192xf32> family matmul
    config #nova.kernel_config<tile = [28, 64], lanes = 16, micro = [7, 4]> {
  %y = nova.matmul %x, %w : tensor<28x64xf32>, tensor<64x192xf32>
  nova.return %y : tensor<28x192xf32>
}

// -----

// expected-error @+1 {{expected a register tile of 16 or 32 rows, which divide the tile's, and of at most 8 vectors, found tile = [96, 64] and micro = [48, 4]}}
nova.kernel @matrices(%x: tensor<96x64xbf16>, %w: tensor<64x192xbf16>) -> tensor<96x192xf32> family matmul
    config #nova.kernel_config<tile = [96, 64], lanes = 16, micro = [48, 4], pairs> {
  %a = nova.cast %x : tensor<96x64xbf16> -> tensor<96x64xf32>
  %b = nova.cast %w : tensor<64x192xbf16> -> tensor<64x192xf32>
  %y = nova.matmul %a, %b : tensor<96x64xf32>, tensor<64x192xf32>
  nova.return %y : tensor<96x192xf32>
}

// -----

// expected-error @+1 {{has no result}}
nova.kernel @nothing(%x: tensor<64xf32>) family elementwise {
  nova.return
}
