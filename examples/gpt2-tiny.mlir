// A small GPT-2: 2 layers, 2 heads, 64 wide, a vocabulary of 256 (the bytes of a text), batch 8, context 64.
//
//   nova-run examples/gpt2-tiny.mlir --steps 300 --data FILE
//
// Parameters have the names and shapes of Hugging Face's GPT-2 checkpoints: weights of linear layers are [in, out].
// Initial values are GPT-2's: normal with standard deviation 0.02, and in the 4 layers that add to the residual stream
// 0.02 / sqrt(4).

module @gpt2_tiny {
  // Embeddings of tokens and positions; the token embedding is the classifier's weight too.
  nova.parameter @transformer.wte.weight : tensor<256x64xf32> = #nova.normal<mean = 0.0, std = 0.02> {aliases = ["lm_head.weight"]}
  nova.parameter @transformer.wpe.weight : tensor<64x64xf32> = #nova.normal<mean = 0.0, std = 0.02>

  // Layer 0.
  nova.parameter @transformer.h.0.ln_1.weight : tensor<64xf32> = #nova.constant<1.0>
  nova.parameter @transformer.h.0.ln_1.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.0.attn.c_attn.weight : tensor<64x192xf32> = #nova.normal<mean = 0.0, std = 0.02>
  nova.parameter @transformer.h.0.attn.c_attn.bias : tensor<192xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.0.attn.c_proj.weight : tensor<64x64xf32> = #nova.normal<mean = 0.0, std = 0.01>
  nova.parameter @transformer.h.0.attn.c_proj.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.0.ln_2.weight : tensor<64xf32> = #nova.constant<1.0>
  nova.parameter @transformer.h.0.ln_2.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.0.mlp.c_fc.weight : tensor<64x256xf32> = #nova.normal<mean = 0.0, std = 0.02>
  nova.parameter @transformer.h.0.mlp.c_fc.bias : tensor<256xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.0.mlp.c_proj.weight : tensor<256x64xf32> = #nova.normal<mean = 0.0, std = 0.01>
  nova.parameter @transformer.h.0.mlp.c_proj.bias : tensor<64xf32> = #nova.constant<0.0>

  // Layer 1.
  nova.parameter @transformer.h.1.ln_1.weight : tensor<64xf32> = #nova.constant<1.0>
  nova.parameter @transformer.h.1.ln_1.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.1.attn.c_attn.weight : tensor<64x192xf32> = #nova.normal<mean = 0.0, std = 0.02>
  nova.parameter @transformer.h.1.attn.c_attn.bias : tensor<192xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.1.attn.c_proj.weight : tensor<64x64xf32> = #nova.normal<mean = 0.0, std = 0.01>
  nova.parameter @transformer.h.1.attn.c_proj.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.1.ln_2.weight : tensor<64xf32> = #nova.constant<1.0>
  nova.parameter @transformer.h.1.ln_2.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.1.mlp.c_fc.weight : tensor<64x256xf32> = #nova.normal<mean = 0.0, std = 0.02>
  nova.parameter @transformer.h.1.mlp.c_fc.bias : tensor<256xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.1.mlp.c_proj.weight : tensor<256x64xf32> = #nova.normal<mean = 0.0, std = 0.01>
  nova.parameter @transformer.h.1.mlp.c_proj.bias : tensor<64xf32> = #nova.constant<0.0>

  // The norm before the classifier.
  nova.parameter @transformer.ln_f.weight : tensor<64xf32> = #nova.constant<1.0>
  nova.parameter @transformer.ln_f.bias : tensor<64xf32> = #nova.constant<0.0>

  func.func @loss(%tokens: tensor<8x64xi32> {nova.name = "tokens"},
                  %targets: tensor<8x64xi32> {nova.name = "targets"}) -> tensor<f32> {
    // Every token's embedding, plus that of its position: the residual stream, 64 numbers for each of 8 x 64 tokens.
    %wte = nova.read @transformer.wte.weight : tensor<256x64xf32>
    %wpe = nova.read @transformer.wpe.weight : tensor<64x64xf32>
    %token_embedding = nova.gather %wte[%tokens] : tensor<256x64xf32>, tensor<8x64xi32>
    %x0 = nova.add %token_embedding, %wpe : tensor<8x64x64xf32>, tensor<64x64xf32>

    // Layer 0: attention. Queries, keys and values of both heads come from one product.
    %ln_1_w_0 = nova.read @transformer.h.0.ln_1.weight : tensor<64xf32>
    %ln_1_b_0 = nova.read @transformer.h.0.ln_1.bias : tensor<64xf32>
    %c_attn_w_0 = nova.read @transformer.h.0.attn.c_attn.weight : tensor<64x192xf32>
    %c_attn_b_0 = nova.read @transformer.h.0.attn.c_attn.bias : tensor<192xf32>
    %attn_proj_w_0 = nova.read @transformer.h.0.attn.c_proj.weight : tensor<64x64xf32>
    %attn_proj_b_0 = nova.read @transformer.h.0.attn.c_proj.bias : tensor<64xf32>
    %norm_1_0 = nova.layer_norm %x0, %ln_1_w_0, %ln_1_b_0 : tensor<8x64x64xf32>, tensor<64xf32>, tensor<64xf32>
    %qkv_product_0 = nova.matmul %norm_1_0, %c_attn_w_0 : tensor<8x64x64xf32>, tensor<64x192xf32>
    %qkv_0 = nova.add %qkv_product_0, %c_attn_b_0 : tensor<8x64x192xf32>, tensor<192xf32>
    %q_columns_0 = nova.slice %qkv_0 starts = [0, 0, 0] limits = [8, 64, 64] strides = [1, 1, 1]
      : tensor<8x64x192xf32> -> tensor<8x64x64xf32>
    %q_heads_0 = nova.reshape %q_columns_0 : tensor<8x64x64xf32> -> tensor<8x64x2x32xf32>
    %q_0 = nova.transpose %q_heads_0 [0, 2, 1, 3] : tensor<8x64x2x32xf32>
    %k_columns_0 = nova.slice %qkv_0 starts = [0, 0, 64] limits = [8, 64, 128] strides = [1, 1, 1]
      : tensor<8x64x192xf32> -> tensor<8x64x64xf32>
    %k_heads_0 = nova.reshape %k_columns_0 : tensor<8x64x64xf32> -> tensor<8x64x2x32xf32>
    %k_0 = nova.transpose %k_heads_0 [0, 2, 1, 3] : tensor<8x64x2x32xf32>
    %v_columns_0 = nova.slice %qkv_0 starts = [0, 0, 128] limits = [8, 64, 192] strides = [1, 1, 1]
      : tensor<8x64x192xf32> -> tensor<8x64x64xf32>
    %v_heads_0 = nova.reshape %v_columns_0 : tensor<8x64x64xf32> -> tensor<8x64x2x32xf32>
    %v_0 = nova.transpose %v_heads_0 [0, 2, 1, 3] : tensor<8x64x2x32xf32>
    %attention_0, %lse_0 = nova.attention %q_0, %k_0, %v_0 {causal}
      : tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>
    %attention_heads_0 = nova.transpose %attention_0 [0, 2, 1, 3] : tensor<8x2x64x32xf32>
    %attention_columns_0 = nova.reshape %attention_heads_0 : tensor<8x64x2x32xf32> -> tensor<8x64x64xf32>
    %attention_product_0 = nova.matmul %attention_columns_0, %attn_proj_w_0 : tensor<8x64x64xf32>, tensor<64x64xf32>
    %attention_output_0 = nova.add %attention_product_0, %attn_proj_b_0 : tensor<8x64x64xf32>, tensor<64xf32>
    %y0 = nova.add %x0, %attention_output_0 : tensor<8x64x64xf32>, tensor<8x64x64xf32>

    // Layer 0: the perceptron, four times as wide inside.
    %ln_2_w_0 = nova.read @transformer.h.0.ln_2.weight : tensor<64xf32>
    %ln_2_b_0 = nova.read @transformer.h.0.ln_2.bias : tensor<64xf32>
    %fc_w_0 = nova.read @transformer.h.0.mlp.c_fc.weight : tensor<64x256xf32>
    %fc_b_0 = nova.read @transformer.h.0.mlp.c_fc.bias : tensor<256xf32>
    %mlp_proj_w_0 = nova.read @transformer.h.0.mlp.c_proj.weight : tensor<256x64xf32>
    %mlp_proj_b_0 = nova.read @transformer.h.0.mlp.c_proj.bias : tensor<64xf32>
    %norm_2_0 = nova.layer_norm %y0, %ln_2_w_0, %ln_2_b_0 : tensor<8x64x64xf32>, tensor<64xf32>, tensor<64xf32>
    %fc_product_0 = nova.matmul %norm_2_0, %fc_w_0 : tensor<8x64x64xf32>, tensor<64x256xf32>
    %fc_0 = nova.add %fc_product_0, %fc_b_0 : tensor<8x64x256xf32>, tensor<256xf32>
    %gelu_0 = nova.gelu tanh %fc_0 : tensor<8x64x256xf32>
    %mlp_product_0 = nova.matmul %gelu_0, %mlp_proj_w_0 : tensor<8x64x256xf32>, tensor<256x64xf32>
    %mlp_output_0 = nova.add %mlp_product_0, %mlp_proj_b_0 : tensor<8x64x64xf32>, tensor<64xf32>
    %x1 = nova.add %y0, %mlp_output_0 : tensor<8x64x64xf32>, tensor<8x64x64xf32>

    // Layer 1: attention. Queries, keys and values of both heads come from one product.
    %ln_1_w_1 = nova.read @transformer.h.1.ln_1.weight : tensor<64xf32>
    %ln_1_b_1 = nova.read @transformer.h.1.ln_1.bias : tensor<64xf32>
    %c_attn_w_1 = nova.read @transformer.h.1.attn.c_attn.weight : tensor<64x192xf32>
    %c_attn_b_1 = nova.read @transformer.h.1.attn.c_attn.bias : tensor<192xf32>
    %attn_proj_w_1 = nova.read @transformer.h.1.attn.c_proj.weight : tensor<64x64xf32>
    %attn_proj_b_1 = nova.read @transformer.h.1.attn.c_proj.bias : tensor<64xf32>
    %norm_1_1 = nova.layer_norm %x1, %ln_1_w_1, %ln_1_b_1 : tensor<8x64x64xf32>, tensor<64xf32>, tensor<64xf32>
    %qkv_product_1 = nova.matmul %norm_1_1, %c_attn_w_1 : tensor<8x64x64xf32>, tensor<64x192xf32>
    %qkv_1 = nova.add %qkv_product_1, %c_attn_b_1 : tensor<8x64x192xf32>, tensor<192xf32>
    %q_columns_1 = nova.slice %qkv_1 starts = [0, 0, 0] limits = [8, 64, 64] strides = [1, 1, 1]
      : tensor<8x64x192xf32> -> tensor<8x64x64xf32>
    %q_heads_1 = nova.reshape %q_columns_1 : tensor<8x64x64xf32> -> tensor<8x64x2x32xf32>
    %q_1 = nova.transpose %q_heads_1 [0, 2, 1, 3] : tensor<8x64x2x32xf32>
    %k_columns_1 = nova.slice %qkv_1 starts = [0, 0, 64] limits = [8, 64, 128] strides = [1, 1, 1]
      : tensor<8x64x192xf32> -> tensor<8x64x64xf32>
    %k_heads_1 = nova.reshape %k_columns_1 : tensor<8x64x64xf32> -> tensor<8x64x2x32xf32>
    %k_1 = nova.transpose %k_heads_1 [0, 2, 1, 3] : tensor<8x64x2x32xf32>
    %v_columns_1 = nova.slice %qkv_1 starts = [0, 0, 128] limits = [8, 64, 192] strides = [1, 1, 1]
      : tensor<8x64x192xf32> -> tensor<8x64x64xf32>
    %v_heads_1 = nova.reshape %v_columns_1 : tensor<8x64x64xf32> -> tensor<8x64x2x32xf32>
    %v_1 = nova.transpose %v_heads_1 [0, 2, 1, 3] : tensor<8x64x2x32xf32>
    %attention_1, %lse_1 = nova.attention %q_1, %k_1, %v_1 {causal}
      : tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>
    %attention_heads_1 = nova.transpose %attention_1 [0, 2, 1, 3] : tensor<8x2x64x32xf32>
    %attention_columns_1 = nova.reshape %attention_heads_1 : tensor<8x64x2x32xf32> -> tensor<8x64x64xf32>
    %attention_product_1 = nova.matmul %attention_columns_1, %attn_proj_w_1 : tensor<8x64x64xf32>, tensor<64x64xf32>
    %attention_output_1 = nova.add %attention_product_1, %attn_proj_b_1 : tensor<8x64x64xf32>, tensor<64xf32>
    %y1 = nova.add %x1, %attention_output_1 : tensor<8x64x64xf32>, tensor<8x64x64xf32>

    // Layer 1: the perceptron, four times as wide inside.
    %ln_2_w_1 = nova.read @transformer.h.1.ln_2.weight : tensor<64xf32>
    %ln_2_b_1 = nova.read @transformer.h.1.ln_2.bias : tensor<64xf32>
    %fc_w_1 = nova.read @transformer.h.1.mlp.c_fc.weight : tensor<64x256xf32>
    %fc_b_1 = nova.read @transformer.h.1.mlp.c_fc.bias : tensor<256xf32>
    %mlp_proj_w_1 = nova.read @transformer.h.1.mlp.c_proj.weight : tensor<256x64xf32>
    %mlp_proj_b_1 = nova.read @transformer.h.1.mlp.c_proj.bias : tensor<64xf32>
    %norm_2_1 = nova.layer_norm %y1, %ln_2_w_1, %ln_2_b_1 : tensor<8x64x64xf32>, tensor<64xf32>, tensor<64xf32>
    %fc_product_1 = nova.matmul %norm_2_1, %fc_w_1 : tensor<8x64x64xf32>, tensor<64x256xf32>
    %fc_1 = nova.add %fc_product_1, %fc_b_1 : tensor<8x64x256xf32>, tensor<256xf32>
    %gelu_1 = nova.gelu tanh %fc_1 : tensor<8x64x256xf32>
    %mlp_product_1 = nova.matmul %gelu_1, %mlp_proj_w_1 : tensor<8x64x256xf32>, tensor<256x64xf32>
    %mlp_output_1 = nova.add %mlp_product_1, %mlp_proj_b_1 : tensor<8x64x64xf32>, tensor<64xf32>
    %x2 = nova.add %y1, %mlp_output_1 : tensor<8x64x64xf32>, tensor<8x64x64xf32>

    // The scores of every next token, and how surprising the right ones are on average.
    %ln_f_w = nova.read @transformer.ln_f.weight : tensor<64xf32>
    %ln_f_b = nova.read @transformer.ln_f.bias : tensor<64xf32>
    %norm_f = nova.layer_norm %x2, %ln_f_w, %ln_f_b : tensor<8x64x64xf32>, tensor<64xf32>, tensor<64xf32>
    %logits = nova.matmul %norm_f, %wte {transpose_rhs} : tensor<8x64x64xf32>, tensor<256x64xf32>
    %loss = nova.cross_entropy %logits, %targets : tensor<8x64x256xf32>, tensor<8x64xi32>
    return %loss : tensor<f32>
  }
}
