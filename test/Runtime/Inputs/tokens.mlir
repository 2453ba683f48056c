// A model of tokens with few kernels: a table of 16 tokens, and one product behind it.
nova.parameter @table : tensor<16x8xf32> = #nova.normal<mean = 0.0, std = 0.5>
nova.parameter @weight : tensor<8x16xf32> = #nova.normal<mean = 0.0, std = 0.5>

func.func @loss(%tokens: tensor<2x8xi32> {nova.name = "tokens"}, %targets: tensor<2x8xi32> {nova.name = "targets"})
    -> tensor<f32> {
  %table = nova.read @table : tensor<16x8xf32>
  %weight = nova.read @weight : tensor<8x16xf32>
  %x = nova.gather %table[%tokens] : tensor<16x8xf32>, tensor<2x8xi32>
  %logits = nova.matmul %x, %weight : tensor<2x8x8xf32>, tensor<8x16xf32>
  %loss = nova.cross_entropy %logits, %targets : tensor<2x8x16xf32>, tensor<2x8xi32>
  return %loss : tensor<f32>
}
