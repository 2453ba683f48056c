nova.parameter @w : tensor<3x4xf32> = #nova.normal<mean = 0.0, std = 0.02>

func.func @scores(%x: tensor<?x3xf32> {nova.name = "x"}) -> (tensor<?x?xf32> {nova.name = "scores"}) {
  %y = nova.matmul %x, %x {transpose_rhs} : tensor<?x3xf32>, tensor<?x3xf32>
  return %y : tensor<?x?xf32>
}

func.func @loss(%x: tensor<?x3xf32> {nova.name = "x"}, %y: tensor<?xi32> {nova.name = "y"}) -> tensor<f32> {
  %w = nova.read @w : tensor<3x4xf32>
  %z = nova.matmul %x, %w : tensor<?x3xf32>, tensor<3x4xf32>
  %l = nova.cross_entropy %z, %y : tensor<?x4xf32>, tensor<?xi32>
  return %l : tensor<f32>
}
