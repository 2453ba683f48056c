module {
  nova.parameter @w : tensor<16x4xf32> = #nova.normal<mean = 0.0, std = 0.1>
  func.func @loss(%x: tensor<?x3xi32> {nova.name = "x", nova.bound = 16 : i64}) -> tensor<f32> {
    %w = nova.read @w : tensor<16x4xf32>
    %rows = nova.gather %w[%x] : tensor<16x4xf32>, tensor<?x3xi32>
    %square = nova.square %rows : tensor<?x3x4xf32>
    %loss = nova.reduce mean %square over [0, 1, 2] : tensor<?x3x4xf32>
    return %loss : tensor<f32>
  }
}
