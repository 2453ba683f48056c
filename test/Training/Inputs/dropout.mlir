// While all weights are 1, the loss counts the elements that two dropouts kept: 4 for each of them.
module @dropout {
  nova.parameter @table : tensor<256x24xf32> = #nova.constant<1.0>
  func.func @loss(%tokens: tensor<2x16xi32>, %targets: tensor<2x16xi32>, %seed: tensor<i64> {nova.role = "seed"},
                  %step: tensor<i64> {nova.role = "step"}) -> tensor<f32> {
    %table = nova.read @table : tensor<256x24xf32>
    %x = nova.gather %table[%tokens] : tensor<256x24xf32>, tensor<2x16xi32>
    %y = nova.gather %table[%targets] : tensor<256x24xf32>, tensor<2x16xi32>
    %kept = nova.dropout %x, %seed, %step {p = 0.5, stream = 1} : tensor<2x16x24xf32>
    %product = nova.mul %kept, %y : tensor<2x16x24xf32>, tensor<2x16x24xf32>
    %again = nova.dropout %product, %seed, %step {p = 0.5, stream = 2} : tensor<2x16x24xf32>
    %loss = nova.reduce sum %again over [0, 1, 2] : tensor<2x16x24xf32>
    return %loss : tensor<f32>
  }
}
