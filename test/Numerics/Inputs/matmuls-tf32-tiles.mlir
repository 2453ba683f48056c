// Tiles of tf32 that are written by hand: several warps each way, a warp of one product, edges that none of them
// divides, several matrices a block, both layouts of a panel, no depth, and work before and after.
func.func @tiles(%x: tensor<150x70xf32>, %w: tensor<70x140xf32>, %xt: tensor<70x150xf32>, %wt: tensor<140x70xf32>,
                 %batch: tensor<5x20x70xf32>)
    -> (tensor<150x140xf32>, tensor<150x140xf32>, tensor<150x140xf32>, tensor<5x20x140xf32>, tensor<5x6xf32>) {
  %none = nova.constant dense<1.0> : tensor<5x0xf32>
  %0 = nova.launch @large(%x, %w) : (tensor<150x70xf32>, tensor<70x140xf32>) -> tensor<150x140xf32>
  %1 = nova.launch @small(%xt, %wt) : (tensor<70x150xf32>, tensor<140x70xf32>) -> tensor<150x140xf32>
  %2 = nova.launch @flat(%xt, %w) : (tensor<70x150xf32>, tensor<70x140xf32>) -> tensor<150x140xf32>
  %3 = nova.launch @batched(%batch, %wt) : (tensor<5x20x70xf32>, tensor<140x70xf32>) -> tensor<5x20x140xf32>
  %4 = nova.launch @no_depth(%none) : (tensor<5x0xf32>) -> tensor<5x6xf32>
  return %0, %1, %2, %3, %4
    : tensor<150x140xf32>, tensor<150x140xf32>, tensor<150x140xf32>, tensor<5x20x140xf32>, tensor<5x6xf32>
}

nova.kernel @large(%x: tensor<150x70xf32>, %w: tensor<70x140xf32>) -> tensor<150x140xf32> family matmul
    config #nova.kernel_config<tile = [128, 128], lanes = 1, micro = [64, 32], threads = 256, tf32> {
  %y = nova.matmul %x, %w : tensor<150x70xf32>, tensor<70x140xf32>
  nova.return %y : tensor<150x140xf32>
}
nova.kernel @small(%x: tensor<70x150xf32>, %w: tensor<140x70xf32>) -> tensor<150x140xf32> family matmul
    config #nova.kernel_config<tile = [16, 8], lanes = 1, micro = [16, 8], threads = 32, tf32> {
  %y = nova.matmul %x, %w {transpose_lhs, transpose_rhs} : tensor<70x150xf32>, tensor<140x70xf32>
  nova.return %y : tensor<150x140xf32>
}
nova.kernel @flat(%x: tensor<70x150xf32>, %w: tensor<70x140xf32>) -> tensor<150x140xf32> family matmul
    config #nova.kernel_config<tile = [48, 40], lanes = 1, micro = [16, 40], threads = 96, tf32> {
  %y = nova.matmul %x, %w {transpose_lhs} : tensor<70x150xf32>, tensor<70x140xf32>
  nova.return %y : tensor<150x140xf32>
}
nova.kernel @batched(%x: tensor<5x20x70xf32>, %w: tensor<140x70xf32>) -> tensor<5x20x140xf32> family matmul
    config #nova.kernel_config<tile = [2, 32, 64], lanes = 1, micro = [32, 16], threads = 128, tf32> {
  %p = nova.relu %x : tensor<5x20x70xf32>
  %y = nova.matmul %p, %w {transpose_rhs} : tensor<5x20x70xf32>, tensor<140x70xf32>
  %g = nova.gelu tanh %y : tensor<5x20x140xf32>
  nova.return %g : tensor<5x20x140xf32>
}
nova.kernel @no_depth(%x: tensor<5x0xf32>) -> tensor<5x6xf32> family matmul
    config #nova.kernel_config<tile = [16, 8], lanes = 1, micro = [16, 8], threads = 32, tf32> {
  %w = nova.constant dense<1.0> : tensor<0x6xf32>
  %y = nova.matmul %x, %w : tensor<5x0xf32>, tensor<0x6xf32>
  %z = nova.add %y, %y : tensor<5x6xf32>, tensor<5x6xf32>
  nova.return %z : tensor<5x6xf32>
}
