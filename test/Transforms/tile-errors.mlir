// RUN: nova-opt %s --nova-tile --verify-diagnostics --split-input-file
//
// Kernels that no grid of blocks can compute as their configurations say.

nova.kernel @part_of_a_row(%x: tensor<8x64xf32>, %w: tensor<64xf32>) -> tensor<8x64xf32> family row
    config #nova.kernel_config<tile = [4, 16], lanes = 16> {
  // expected-error @+1 {{cannot be made in part along axis 1: choose a tile that holds it whole (0 in the kernel's config)}}
  %y = nova.layer_norm %x, %w, %w {eps = 1.0e-5} : tensor<8x64xf32>, tensor<64xf32>, tensor<64xf32>
  nova.return %y : tensor<8x64xf32>
}

// -----

// expected-error @+1 {{expected a tile of rank 1, found [4, 16]}}
nova.kernel @rank(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise
    config #nova.kernel_config<tile = [4, 16], lanes = 16> {
  %y = nova.add %x, %x : tensor<64xf32>, tensor<64xf32>
  nova.return %y : tensor<64xf32>
}

// -----

// expected-error @+1 {{cannot be tiled: result 1 has another shape than the first and is no result of an op that makes the first}}
nova.kernel @two_shapes(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8xf32>) family row
    config #nova.kernel_config<tile = [4, 0], lanes = 16> {
  %y = nova.exp %x : tensor<8x64xf32>
  %z = nova.reduce sum %x over [1] : tensor<8x64xf32>
  nova.return %y, %z : tensor<8x64xf32>, tensor<8xf32>
}

// -----

nova.kernel @composite(%x: tensor<8x64xf32>) -> tensor<8xf32> family row
    config #nova.kernel_config<tile = [4], lanes = 16> {
  // expected-error @+1 {{cannot be tiled: nova.logsumexp has no indexing maps}}
  %y = nova.logsumexp %x over [1] : tensor<8x64xf32>
  nova.return %y : tensor<8xf32>
}

// -----

// expected-error @+1 {{has no result}}
nova.kernel @nothing(%x: tensor<64xf32>) family elementwise
    config #nova.kernel_config<tile = [64], lanes = 16> {
  nova.return
}
