// A classifier of small images: 64 pixels, one hidden layer of 32, 10 classes, batches of 32.
//
//   scripts/make_mlp_data.py digits.safetensors
//   nova-run examples/mlp.mlir --steps 300 --lr=1e-2 --data digits.safetensors
//
// Arguments are fed from the arrays of their names, sampled along the first axis.

module @mlp {
  // Weights are [in, out], with standard deviation 1 / sqrt(in).
  nova.parameter @hidden.weight : tensor<64x32xf32> = #nova.normal<mean = 0.0, std = 0.125>
  nova.parameter @hidden.bias : tensor<32xf32> = #nova.constant<0.0>
  nova.parameter @output.weight : tensor<32x10xf32> = #nova.normal<mean = 0.0, std = 0.177>
  nova.parameter @output.bias : tensor<10xf32> = #nova.constant<0.0>

  func.func @logits(%x: tensor<32x64xf32> {nova.name = "x"}) -> tensor<32x10xf32> {
    %hidden_w = nova.read @hidden.weight : tensor<64x32xf32>
    %hidden_b = nova.read @hidden.bias : tensor<32xf32>
    %hidden_product = nova.matmul %x, %hidden_w : tensor<32x64xf32>, tensor<64x32xf32>
    %hidden_sum = nova.add %hidden_product, %hidden_b : tensor<32x32xf32>, tensor<32xf32>
    %hidden = nova.relu %hidden_sum : tensor<32x32xf32>

    %output_w = nova.read @output.weight : tensor<32x10xf32>
    %output_b = nova.read @output.bias : tensor<10xf32>
    %output_product = nova.matmul %hidden, %output_w : tensor<32x32xf32>, tensor<32x10xf32>
    %logits = nova.add %output_product, %output_b : tensor<32x10xf32>, tensor<10xf32>
    return %logits : tensor<32x10xf32>
  }

  func.func @loss(%x: tensor<32x64xf32> {nova.name = "x"}, %y: tensor<32xi32> {nova.name = "y"}) -> tensor<f32> {
    %logits = call @logits(%x) : (tensor<32x64xf32>) -> tensor<32x10xf32>
    %loss = nova.cross_entropy %logits, %y : tensor<32x10xf32>, tensor<32xi32>
    return %loss : tensor<f32>
  }
}
