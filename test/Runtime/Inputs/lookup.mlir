func.func @lookup(%table: tensor<10x4xf32> {nova.name = "table"}, %tokens: tensor<5xi32> {nova.name = "tokens"})
    -> tensor<5x4xf32> {
  %y = nova.gather %table[%tokens] : tensor<10x4xf32>, tensor<5xi32>
  return %y : tensor<5x4xf32>
}
