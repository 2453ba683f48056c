// The GPT-2 of gpt2-tiny.mlir with a third layer, written in primitives: no attention, norm or activation is one op
// here. Every layer spells them in another way, as programs found in the wild do; the comments say how.
//
//   nova-opt examples/gpt2-primitive.mlir --nova-fuse-attention --nova-fuse-norm --nova-fuse-activation
//
// gives 3 nova.attention, 7 nova.layer_norm and 3 nova.gelu, and leaves none of their parts.

module @gpt2_primitive {
  // Embeddings of tokens and positions; the token embedding is the classifier's weight too.
  nova.parameter @transformer.wte.weight : tensor<256x64xf32> = #nova.normal<mean = 0.0, std = 0.02> {aliases = ["lm_head.weight"]}
  nova.parameter @transformer.wpe.weight : tensor<64x64xf32> = #nova.normal<mean = 0.0, std = 0.02>

  // Layer 0.
  nova.parameter @transformer.h.0.ln_1.weight : tensor<64xf32> = #nova.constant<1.0>
  nova.parameter @transformer.h.0.ln_1.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.0.attn.c_attn.weight : tensor<64x192xf32> = #nova.normal<mean = 0.0, std = 0.02>
  nova.parameter @transformer.h.0.attn.c_attn.bias : tensor<192xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.0.attn.c_proj.weight : tensor<64x64xf32> = #nova.normal<mean = 0.0, std = 0.0081649658>
  nova.parameter @transformer.h.0.attn.c_proj.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.0.ln_2.weight : tensor<64xf32> = #nova.constant<1.0>
  nova.parameter @transformer.h.0.ln_2.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.0.mlp.c_fc.weight : tensor<64x256xf32> = #nova.normal<mean = 0.0, std = 0.02>
  nova.parameter @transformer.h.0.mlp.c_fc.bias : tensor<256xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.0.mlp.c_proj.weight : tensor<256x64xf32> = #nova.normal<mean = 0.0, std = 0.0081649658>
  nova.parameter @transformer.h.0.mlp.c_proj.bias : tensor<64xf32> = #nova.constant<0.0>

  // Layer 1.
  nova.parameter @transformer.h.1.ln_1.weight : tensor<64xf32> = #nova.constant<1.0>
  nova.parameter @transformer.h.1.ln_1.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.1.attn.c_attn.weight : tensor<64x192xf32> = #nova.normal<mean = 0.0, std = 0.02>
  nova.parameter @transformer.h.1.attn.c_attn.bias : tensor<192xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.1.attn.c_proj.weight : tensor<64x64xf32> = #nova.normal<mean = 0.0, std = 0.0081649658>
  nova.parameter @transformer.h.1.attn.c_proj.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.1.ln_2.weight : tensor<64xf32> = #nova.constant<1.0>
  nova.parameter @transformer.h.1.ln_2.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.1.mlp.c_fc.weight : tensor<64x256xf32> = #nova.normal<mean = 0.0, std = 0.02>
  nova.parameter @transformer.h.1.mlp.c_fc.bias : tensor<256xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.1.mlp.c_proj.weight : tensor<256x64xf32> = #nova.normal<mean = 0.0, std = 0.0081649658>
  nova.parameter @transformer.h.1.mlp.c_proj.bias : tensor<64xf32> = #nova.constant<0.0>

  // Layer 2.
  nova.parameter @transformer.h.2.ln_1.weight : tensor<64xf32> = #nova.constant<1.0>
  nova.parameter @transformer.h.2.ln_1.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.2.attn.c_attn.weight : tensor<64x192xf32> = #nova.normal<mean = 0.0, std = 0.02>
  nova.parameter @transformer.h.2.attn.c_attn.bias : tensor<192xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.2.attn.c_proj.weight : tensor<64x64xf32> = #nova.normal<mean = 0.0, std = 0.0081649658>
  nova.parameter @transformer.h.2.attn.c_proj.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.2.ln_2.weight : tensor<64xf32> = #nova.constant<1.0>
  nova.parameter @transformer.h.2.ln_2.bias : tensor<64xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.2.mlp.c_fc.weight : tensor<64x256xf32> = #nova.normal<mean = 0.0, std = 0.02>
  nova.parameter @transformer.h.2.mlp.c_fc.bias : tensor<256xf32> = #nova.constant<0.0>
  nova.parameter @transformer.h.2.mlp.c_proj.weight : tensor<256x64xf32> = #nova.normal<mean = 0.0, std = 0.0081649658>
  nova.parameter @transformer.h.2.mlp.c_proj.bias : tensor<64xf32> = #nova.constant<0.0>

  // The norm before the classifier.
  nova.parameter @transformer.ln_f.weight : tensor<64xf32> = #nova.constant<1.0>
  nova.parameter @transformer.ln_f.bias : tensor<64xf32> = #nova.constant<0.0>

  func.func @loss(%tokens: tensor<8x64xi32> {nova.name = "tokens"},
                  %targets: tensor<8x64xi32> {nova.name = "targets"}) -> tensor<f32> {
    // Numbers.
    %zero = nova.constant dense<0.0> : tensor<f32>
    %half = nova.constant dense<0.5> : tensor<f32>
    %one = nova.constant dense<1.0> : tensor<f32>
    %two = nova.constant dense<2.0> : tensor<f32>
    %three = nova.constant dense<3.0> : tensor<f32>
    %eps = nova.constant dense<1.0e-05> : tensor<f32>
    %width = nova.constant dense<64.0> : tensor<f32>
    %root_depth = nova.constant dense<5.65685425> : tensor<f32>
    %scale = nova.constant dense<0.176776695> : tensor<f32>
    %root_2_over_pi = nova.constant dense<0.797884561> : tensor<f32>
    %cubic = nova.constant dense<0.044715> : tensor<f32>
    %minus_infinity = nova.constant dense<0xFF800000> : tensor<f32>
    %minus_1e9 = nova.constant dense<-1.0e+09> : tensor<f32>
    %minus_max = nova.constant dense<-3.40282347E+38> : tensor<f32>

    // Every token's embedding, plus that of its position.
    %wte = nova.read @transformer.wte.weight : tensor<256x64xf32>
    %wpe = nova.read @transformer.wpe.weight : tensor<64x64xf32>
    %token_embedding = nova.gather %wte[%tokens] : tensor<256x64xf32>, tensor<8x64xi32>
    %x0 = nova.add %token_embedding, %wpe : tensor<8x64x64xf32>, tensor<64x64xf32>

    // Layer 0: the norm by the mean of squares and rsqrt.
    %ln_1_0_w = nova.read @transformer.h.0.ln_1.weight : tensor<64xf32>
    %ln_1_0_b = nova.read @transformer.h.0.ln_1.bias : tensor<64xf32>
    %ln_1_0_mean = nova.reduce mean %x0 over [2] {keep_dims} : tensor<8x64x64xf32>
    %ln_1_0_difference = nova.sub %x0, %ln_1_0_mean : tensor<8x64x64xf32>, tensor<8x64x1xf32>
    %ln_1_0_squares = nova.square %ln_1_0_difference : tensor<8x64x64xf32>
    %ln_1_0_variance = nova.reduce mean %ln_1_0_squares over [2] {keep_dims} : tensor<8x64x64xf32>
    %ln_1_0_stable = nova.add %ln_1_0_variance, %eps : tensor<8x64x1xf32>, tensor<f32>
    %ln_1_0_inverse = nova.rsqrt %ln_1_0_stable : tensor<8x64x1xf32>
    %ln_1_0_normal = nova.mul %ln_1_0_difference, %ln_1_0_inverse : tensor<8x64x64xf32>, tensor<8x64x1xf32>
    %ln_1_0_scaled = nova.mul %ln_1_0_normal, %ln_1_0_w : tensor<8x64x64xf32>, tensor<64xf32>
    %ln_1_0 = nova.add %ln_1_0_scaled, %ln_1_0_b : tensor<8x64x64xf32>, tensor<64xf32>

    // Layer 0: attention. The scores are divided by sqrt(32), hidden ones are minus infinity; softmax is one op.
    %c_attn_w_0 = nova.read @transformer.h.0.attn.c_attn.weight : tensor<64x192xf32>
    %c_attn_b_0 = nova.read @transformer.h.0.attn.c_attn.bias : tensor<192xf32>
    %qkv_product_0 = nova.matmul %ln_1_0, %c_attn_w_0 : tensor<8x64x64xf32>, tensor<64x192xf32>
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
    %scores_0 = nova.matmul %q_0, %k_0 {transpose_rhs} : tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>
    %scaled_0 = nova.div %scores_0, %root_depth : tensor<8x2x64x64xf32>, tensor<f32>
    %query_0 = nova.iota 0 : tensor<64x64xi32>
    %key_0 = nova.iota 1 : tensor<64x64xi32>
    %visible_0 = nova.compare ge %query_0, %key_0 : tensor<64x64xi32>, tensor<64x64xi32>
    %masked_0 = nova.select %visible_0, %scaled_0, %minus_infinity
      : tensor<64x64xi1>, tensor<8x2x64x64xf32>, tensor<f32>
    %probabilities_0 = nova.softmax %masked_0 : tensor<8x2x64x64xf32>
    %attention_0 = nova.matmul %probabilities_0, %v_0 : tensor<8x2x64x64xf32>, tensor<8x2x64x32xf32>
    %attention_heads_0 = nova.transpose %attention_0 [0, 2, 1, 3] : tensor<8x2x64x32xf32>
    %attention_columns_0 = nova.reshape %attention_heads_0 : tensor<8x64x2x32xf32> -> tensor<8x64x64xf32>
    %attention_proj_w_0 = nova.read @transformer.h.0.attn.c_proj.weight : tensor<64x64xf32>
    %attention_proj_b_0 = nova.read @transformer.h.0.attn.c_proj.bias : tensor<64xf32>
    %proj_product_0 = nova.matmul %attention_columns_0, %attention_proj_w_0 : tensor<8x64x64xf32>, tensor<64x64xf32>
    %attention_output_0 = nova.add %proj_product_0, %attention_proj_b_0 : tensor<8x64x64xf32>, tensor<64xf32>
    %y0 = nova.add %x0, %attention_output_0 : tensor<8x64x64xf32>, tensor<8x64x64xf32>

    // Layer 0: the perceptron. The norm by sums over the number of elements, sqrt and division;
    // gelu by x * x * x, and x / 2 first.
    %ln_2_0_w = nova.read @transformer.h.0.ln_2.weight : tensor<64xf32>
    %ln_2_0_b = nova.read @transformer.h.0.ln_2.bias : tensor<64xf32>
    %ln_2_0_sum = nova.reduce sum %y0 over [2] {keep_dims} : tensor<8x64x64xf32>
    %ln_2_0_mean = nova.div %ln_2_0_sum, %width : tensor<8x64x1xf32>, tensor<f32>
    %ln_2_0_difference = nova.sub %y0, %ln_2_0_mean : tensor<8x64x64xf32>, tensor<8x64x1xf32>
    %ln_2_0_squares = nova.mul %ln_2_0_difference, %ln_2_0_difference : tensor<8x64x64xf32>, tensor<8x64x64xf32>
    %ln_2_0_square_sum = nova.reduce sum %ln_2_0_squares over [2] {keep_dims} : tensor<8x64x64xf32>
    %ln_2_0_variance = nova.div %ln_2_0_square_sum, %width : tensor<8x64x1xf32>, tensor<f32>
    %ln_2_0_stable = nova.add %eps, %ln_2_0_variance : tensor<f32>, tensor<8x64x1xf32>
    %ln_2_0_deviation = nova.sqrt %ln_2_0_stable : tensor<8x64x1xf32>
    %ln_2_0_normal = nova.div %ln_2_0_difference, %ln_2_0_deviation : tensor<8x64x64xf32>, tensor<8x64x1xf32>
    %ln_2_0_scaled = nova.mul %ln_2_0_w, %ln_2_0_normal : tensor<64xf32>, tensor<8x64x64xf32>
    %ln_2_0 = nova.add %ln_2_0_scaled, %ln_2_0_b : tensor<8x64x64xf32>, tensor<64xf32>
    %fc_w_0 = nova.read @transformer.h.0.mlp.c_fc.weight : tensor<64x256xf32>
    %fc_b_0 = nova.read @transformer.h.0.mlp.c_fc.bias : tensor<256xf32>
    %fc_product_0 = nova.matmul %ln_2_0, %fc_w_0 : tensor<8x64x64xf32>, tensor<64x256xf32>
    %fc_0 = nova.add %fc_product_0, %fc_b_0 : tensor<8x64x256xf32>, tensor<256xf32>
    %square_0 = nova.mul %fc_0, %fc_0 : tensor<8x64x256xf32>, tensor<8x64x256xf32>
    %cube_0 = nova.mul %square_0, %fc_0 : tensor<8x64x256xf32>, tensor<8x64x256xf32>
    %small_0 = nova.mul %cube_0, %cubic : tensor<8x64x256xf32>, tensor<f32>
    %polynomial_0 = nova.add %fc_0, %small_0 : tensor<8x64x256xf32>, tensor<8x64x256xf32>
    %argument_0 = nova.mul %polynomial_0, %root_2_over_pi : tensor<8x64x256xf32>, tensor<f32>
    %tanh_0 = nova.tanh %argument_0 : tensor<8x64x256xf32>
    %gate_0 = nova.add %tanh_0, %one : tensor<8x64x256xf32>, tensor<f32>
    %halved_0 = nova.mul %fc_0, %half : tensor<8x64x256xf32>, tensor<f32>
    %gelu_0 = nova.mul %halved_0, %gate_0 : tensor<8x64x256xf32>, tensor<8x64x256xf32>
    %mlp_proj_w_0 = nova.read @transformer.h.0.mlp.c_proj.weight : tensor<256x64xf32>
    %mlp_proj_b_0 = nova.read @transformer.h.0.mlp.c_proj.bias : tensor<64xf32>
    %mlp_product_0 = nova.matmul %gelu_0, %mlp_proj_w_0 : tensor<8x64x256xf32>, tensor<256x64xf32>
    %mlp_output_0 = nova.add %mlp_product_0, %mlp_proj_b_0 : tensor<8x64x64xf32>, tensor<64xf32>
    %x1 = nova.add %y0, %mlp_output_0 : tensor<8x64x64xf32>, tensor<8x64x64xf32>

    // Layer 1: the norm by sums over the number of elements, sqrt and division.
    %ln_1_1_w = nova.read @transformer.h.1.ln_1.weight : tensor<64xf32>
    %ln_1_1_b = nova.read @transformer.h.1.ln_1.bias : tensor<64xf32>
    %ln_1_1_sum = nova.reduce sum %x1 over [2] {keep_dims} : tensor<8x64x64xf32>
    %ln_1_1_mean = nova.div %ln_1_1_sum, %width : tensor<8x64x1xf32>, tensor<f32>
    %ln_1_1_difference = nova.sub %x1, %ln_1_1_mean : tensor<8x64x64xf32>, tensor<8x64x1xf32>
    %ln_1_1_squares = nova.mul %ln_1_1_difference, %ln_1_1_difference : tensor<8x64x64xf32>, tensor<8x64x64xf32>
    %ln_1_1_square_sum = nova.reduce sum %ln_1_1_squares over [2] {keep_dims} : tensor<8x64x64xf32>
    %ln_1_1_variance = nova.div %ln_1_1_square_sum, %width : tensor<8x64x1xf32>, tensor<f32>
    %ln_1_1_stable = nova.add %eps, %ln_1_1_variance : tensor<f32>, tensor<8x64x1xf32>
    %ln_1_1_deviation = nova.sqrt %ln_1_1_stable : tensor<8x64x1xf32>
    %ln_1_1_normal = nova.div %ln_1_1_difference, %ln_1_1_deviation : tensor<8x64x64xf32>, tensor<8x64x1xf32>
    %ln_1_1_scaled = nova.mul %ln_1_1_w, %ln_1_1_normal : tensor<64xf32>, tensor<8x64x64xf32>
    %ln_1_1 = nova.add %ln_1_1_scaled, %ln_1_1_b : tensor<8x64x64xf32>, tensor<64xf32>

    // Layer 1: attention. Q is scaled; a mask of 0 and -1e9 is added; softmax subtracts the largest score.
    %c_attn_w_1 = nova.read @transformer.h.1.attn.c_attn.weight : tensor<64x192xf32>
    %c_attn_b_1 = nova.read @transformer.h.1.attn.c_attn.bias : tensor<192xf32>
    %qkv_product_1 = nova.matmul %ln_1_1, %c_attn_w_1 : tensor<8x64x64xf32>, tensor<64x192xf32>
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
    %scaled_q_1 = nova.mul %q_1, %scale : tensor<8x2x64x32xf32>, tensor<f32>
    %scores_1 = nova.matmul %scaled_q_1, %k_1 {transpose_rhs} : tensor<8x2x64x32xf32>, tensor<8x2x64x32xf32>
    %position_1 = nova.iota 0 : tensor<64xi32>
    %query_1 = nova.reshape %position_1 : tensor<64xi32> -> tensor<64x1xi32>
    %hidden_1 = nova.compare gt %position_1, %query_1 : tensor<64xi32>, tensor<64x1xi32>
    %mask_1 = nova.select %hidden_1, %minus_1e9, %zero : tensor<64x64xi1>, tensor<f32>, tensor<f32>
    %masked_1 = nova.add %scores_1, %mask_1 : tensor<8x2x64x64xf32>, tensor<64x64xf32>
    %largest_1 = nova.reduce max %masked_1 over [3] {keep_dims} : tensor<8x2x64x64xf32>
    %shifted_1 = nova.sub %masked_1, %largest_1 : tensor<8x2x64x64xf32>, tensor<8x2x64x1xf32>
    %exp_1 = nova.exp %shifted_1 : tensor<8x2x64x64xf32>
    %exp_sum_1 = nova.reduce sum %exp_1 over [3] {keep_dims} : tensor<8x2x64x64xf32>
    %probabilities_1 = nova.div %exp_1, %exp_sum_1 : tensor<8x2x64x64xf32>, tensor<8x2x64x1xf32>
    %attention_1 = nova.matmul %probabilities_1, %v_1 : tensor<8x2x64x64xf32>, tensor<8x2x64x32xf32>
    %attention_heads_1 = nova.transpose %attention_1 [0, 2, 1, 3] : tensor<8x2x64x32xf32>
    %attention_columns_1 = nova.reshape %attention_heads_1 : tensor<8x64x2x32xf32> -> tensor<8x64x64xf32>
    %attention_proj_w_1 = nova.read @transformer.h.1.attn.c_proj.weight : tensor<64x64xf32>
    %attention_proj_b_1 = nova.read @transformer.h.1.attn.c_proj.bias : tensor<64xf32>
    %proj_product_1 = nova.matmul %attention_columns_1, %attention_proj_w_1 : tensor<8x64x64xf32>, tensor<64x64xf32>
    %attention_output_1 = nova.add %proj_product_1, %attention_proj_b_1 : tensor<8x64x64xf32>, tensor<64xf32>
    %y1 = nova.add %x1, %attention_output_1 : tensor<8x64x64xf32>, tensor<8x64x64xf32>

    // Layer 1: the perceptron. The norm by reductions that drop their axis, a power and a factor that holds the weight;
    // gelu by pow(x, 3), and the half last.
    %ln_2_1_w = nova.read @transformer.h.1.ln_2.weight : tensor<64xf32>
    %ln_2_1_b = nova.read @transformer.h.1.ln_2.bias : tensor<64xf32>
    %ln_2_1_means = nova.reduce mean %y1 over [2] : tensor<8x64x64xf32>
    %ln_2_1_mean = nova.reshape %ln_2_1_means : tensor<8x64xf32> -> tensor<8x64x1xf32>
    %ln_2_1_difference = nova.sub %y1, %ln_2_1_mean : tensor<8x64x64xf32>, tensor<8x64x1xf32>
    %ln_2_1_squares = nova.pow %ln_2_1_difference, %two : tensor<8x64x64xf32>, tensor<f32>
    %ln_2_1_variances = nova.reduce mean %ln_2_1_squares over [2] : tensor<8x64x64xf32>
    %ln_2_1_stable = nova.add %ln_2_1_variances, %eps : tensor<8x64xf32>, tensor<f32>
    %ln_2_1_inverses = nova.rsqrt %ln_2_1_stable : tensor<8x64xf32>
    %ln_2_1_inverse = nova.broadcast_in_dim %ln_2_1_inverses dims = [0, 1] : tensor<8x64xf32> -> tensor<8x64x64xf32>
    %ln_2_1_factor = nova.mul %ln_2_1_inverse, %ln_2_1_w : tensor<8x64x64xf32>, tensor<64xf32>
    %ln_2_1_scaled = nova.mul %ln_2_1_difference, %ln_2_1_factor : tensor<8x64x64xf32>, tensor<8x64x64xf32>
    %ln_2_1 = nova.add %ln_2_1_scaled, %ln_2_1_b : tensor<8x64x64xf32>, tensor<64xf32>
    %fc_w_1 = nova.read @transformer.h.1.mlp.c_fc.weight : tensor<64x256xf32>
    %fc_b_1 = nova.read @transformer.h.1.mlp.c_fc.bias : tensor<256xf32>
    %fc_product_1 = nova.matmul %ln_2_1, %fc_w_1 : tensor<8x64x64xf32>, tensor<64x256xf32>
    %fc_1 = nova.add %fc_product_1, %fc_b_1 : tensor<8x64x256xf32>, tensor<256xf32>
    %cube_1 = nova.pow %fc_1, %three : tensor<8x64x256xf32>, tensor<f32>
    %small_1 = nova.mul %cubic, %cube_1 : tensor<f32>, tensor<8x64x256xf32>
    %polynomial_1 = nova.add %small_1, %fc_1 : tensor<8x64x256xf32>, tensor<8x64x256xf32>
    %argument_1 = nova.mul %root_2_over_pi, %polynomial_1 : tensor<f32>, tensor<8x64x256xf32>
    %tanh_1 = nova.tanh %argument_1 : tensor<8x64x256xf32>
    %gate_1 = nova.add %one, %tanh_1 : tensor<f32>, tensor<8x64x256xf32>
    %gated_1 = nova.mul %gate_1, %fc_1 : tensor<8x64x256xf32>, tensor<8x64x256xf32>
    %gelu_1 = nova.div %gated_1, %two : tensor<8x64x256xf32>, tensor<f32>
    %mlp_proj_w_1 = nova.read @transformer.h.1.mlp.c_proj.weight : tensor<256x64xf32>
    %mlp_proj_b_1 = nova.read @transformer.h.1.mlp.c_proj.bias : tensor<64xf32>
    %mlp_product_1 = nova.matmul %gelu_1, %mlp_proj_w_1 : tensor<8x64x256xf32>, tensor<256x64xf32>
    %mlp_output_1 = nova.add %mlp_product_1, %mlp_proj_b_1 : tensor<8x64x64xf32>, tensor<64xf32>
    %x2 = nova.add %y1, %mlp_output_1 : tensor<8x64x64xf32>, tensor<8x64x64xf32>

    // Layer 2: the norm by reductions that drop their axis, a power and a factor that holds the weight.
    %ln_1_2_w = nova.read @transformer.h.2.ln_1.weight : tensor<64xf32>
    %ln_1_2_b = nova.read @transformer.h.2.ln_1.bias : tensor<64xf32>
    %ln_1_2_means = nova.reduce mean %x2 over [2] : tensor<8x64x64xf32>
    %ln_1_2_mean = nova.reshape %ln_1_2_means : tensor<8x64xf32> -> tensor<8x64x1xf32>
    %ln_1_2_difference = nova.sub %x2, %ln_1_2_mean : tensor<8x64x64xf32>, tensor<8x64x1xf32>
    %ln_1_2_squares = nova.pow %ln_1_2_difference, %two : tensor<8x64x64xf32>, tensor<f32>
    %ln_1_2_variances = nova.reduce mean %ln_1_2_squares over [2] : tensor<8x64x64xf32>
    %ln_1_2_stable = nova.add %ln_1_2_variances, %eps : tensor<8x64xf32>, tensor<f32>
    %ln_1_2_inverses = nova.rsqrt %ln_1_2_stable : tensor<8x64xf32>
    %ln_1_2_inverse = nova.broadcast_in_dim %ln_1_2_inverses dims = [0, 1] : tensor<8x64xf32> -> tensor<8x64x64xf32>
    %ln_1_2_factor = nova.mul %ln_1_2_inverse, %ln_1_2_w : tensor<8x64x64xf32>, tensor<64xf32>
    %ln_1_2_scaled = nova.mul %ln_1_2_difference, %ln_1_2_factor : tensor<8x64x64xf32>, tensor<8x64x64xf32>
    %ln_1_2 = nova.add %ln_1_2_scaled, %ln_1_2_b : tensor<8x64x64xf32>, tensor<64xf32>

    // Layer 2: attention. One batch of 16 heads, k transposed; hidden scores are the
    // least number before the scale comes in; softmax is exp over its sum.
    %c_attn_w_2 = nova.read @transformer.h.2.attn.c_attn.weight : tensor<64x192xf32>
    %c_attn_b_2 = nova.read @transformer.h.2.attn.c_attn.bias : tensor<192xf32>
    %qkv_product_2 = nova.matmul %ln_1_2, %c_attn_w_2 : tensor<8x64x64xf32>, tensor<64x192xf32>
    %qkv_2 = nova.add %qkv_product_2, %c_attn_b_2 : tensor<8x64x192xf32>, tensor<192xf32>
    %q_columns_2 = nova.slice %qkv_2 starts = [0, 0, 0] limits = [8, 64, 64] strides = [1, 1, 1]
      : tensor<8x64x192xf32> -> tensor<8x64x64xf32>
    %q_heads_2 = nova.reshape %q_columns_2 : tensor<8x64x64xf32> -> tensor<8x64x2x32xf32>
    %q_2 = nova.transpose %q_heads_2 [0, 2, 1, 3] : tensor<8x64x2x32xf32>
    %k_columns_2 = nova.slice %qkv_2 starts = [0, 0, 64] limits = [8, 64, 128] strides = [1, 1, 1]
      : tensor<8x64x192xf32> -> tensor<8x64x64xf32>
    %k_heads_2 = nova.reshape %k_columns_2 : tensor<8x64x64xf32> -> tensor<8x64x2x32xf32>
    %k_2 = nova.transpose %k_heads_2 [0, 2, 1, 3] : tensor<8x64x2x32xf32>
    %v_columns_2 = nova.slice %qkv_2 starts = [0, 0, 128] limits = [8, 64, 192] strides = [1, 1, 1]
      : tensor<8x64x192xf32> -> tensor<8x64x64xf32>
    %v_heads_2 = nova.reshape %v_columns_2 : tensor<8x64x64xf32> -> tensor<8x64x2x32xf32>
    %v_2 = nova.transpose %v_heads_2 [0, 2, 1, 3] : tensor<8x64x2x32xf32>
    %transposed_k_2 = nova.transpose %k_2 [0, 1, 3, 2] : tensor<8x2x64x32xf32>
    %folded_q_2 = nova.reshape %q_2 : tensor<8x2x64x32xf32> -> tensor<16x64x32xf32>
    %folded_k_2 = nova.reshape %transposed_k_2 : tensor<8x2x32x64xf32> -> tensor<16x32x64xf32>
    %folded_v_2 = nova.reshape %v_2 : tensor<8x2x64x32xf32> -> tensor<16x64x32xf32>
    %scores_2 = nova.matmul %folded_q_2, %folded_k_2 : tensor<16x64x32xf32>, tensor<16x32x64xf32>
    %query_2 = nova.iota 1 : tensor<1x64x64xi64>
    %key_2 = nova.iota 2 : tensor<1x64x64xi64>
    %distance_2 = nova.sub %key_2, %query_2 : tensor<1x64x64xi64>, tensor<1x64x64xi64>
    %first_hidden_2 = nova.constant dense<1> : tensor<i64>
    %hidden_2 = nova.compare ge %distance_2, %first_hidden_2 : tensor<1x64x64xi64>, tensor<i64>
    %visible_2 = nova.not %hidden_2 : tensor<1x64x64xi1>
    %masked_2 = nova.select %visible_2, %scores_2, %minus_max : tensor<1x64x64xi1>, tensor<16x64x64xf32>, tensor<f32>
    %scaled_2 = nova.mul %scale, %masked_2 : tensor<f32>, tensor<16x64x64xf32>
    %exp_2 = nova.exp %scaled_2 : tensor<16x64x64xf32>
    %exp_sums_2 = nova.reduce sum %exp_2 over [2] : tensor<16x64x64xf32>
    %exp_sum_2 = nova.reshape %exp_sums_2 : tensor<16x64xf32> -> tensor<16x64x1xf32>
    %inverse_sum_2 = nova.reciprocal %exp_sum_2 : tensor<16x64x1xf32>
    %probabilities_2 = nova.mul %exp_2, %inverse_sum_2 : tensor<16x64x64xf32>, tensor<16x64x1xf32>
    %folded_attention_2 = nova.matmul %probabilities_2, %folded_v_2 : tensor<16x64x64xf32>, tensor<16x64x32xf32>
    %attention_2 = nova.reshape %folded_attention_2 : tensor<16x64x32xf32> -> tensor<8x2x64x32xf32>
    %attention_heads_2 = nova.transpose %attention_2 [0, 2, 1, 3] : tensor<8x2x64x32xf32>
    %attention_columns_2 = nova.reshape %attention_heads_2 : tensor<8x64x2x32xf32> -> tensor<8x64x64xf32>
    %attention_proj_w_2 = nova.read @transformer.h.2.attn.c_proj.weight : tensor<64x64xf32>
    %attention_proj_b_2 = nova.read @transformer.h.2.attn.c_proj.bias : tensor<64xf32>
    %proj_product_2 = nova.matmul %attention_columns_2, %attention_proj_w_2 : tensor<8x64x64xf32>, tensor<64x64xf32>
    %attention_output_2 = nova.add %proj_product_2, %attention_proj_b_2 : tensor<8x64x64xf32>, tensor<64xf32>
    %y2 = nova.add %x2, %attention_output_2 : tensor<8x64x64xf32>, tensor<8x64x64xf32>

    // Layer 2: the perceptron. The norm by the mean of squares and rsqrt;
    // gelu by sqrt(2 / pi) x (1 + a x^2), and a half of 1 + tanh.
    %ln_2_2_w = nova.read @transformer.h.2.ln_2.weight : tensor<64xf32>
    %ln_2_2_b = nova.read @transformer.h.2.ln_2.bias : tensor<64xf32>
    %ln_2_2_mean = nova.reduce mean %y2 over [2] {keep_dims} : tensor<8x64x64xf32>
    %ln_2_2_difference = nova.sub %y2, %ln_2_2_mean : tensor<8x64x64xf32>, tensor<8x64x1xf32>
    %ln_2_2_squares = nova.square %ln_2_2_difference : tensor<8x64x64xf32>
    %ln_2_2_variance = nova.reduce mean %ln_2_2_squares over [2] {keep_dims} : tensor<8x64x64xf32>
    %ln_2_2_stable = nova.add %ln_2_2_variance, %eps : tensor<8x64x1xf32>, tensor<f32>
    %ln_2_2_inverse = nova.rsqrt %ln_2_2_stable : tensor<8x64x1xf32>
    %ln_2_2_normal = nova.mul %ln_2_2_difference, %ln_2_2_inverse : tensor<8x64x64xf32>, tensor<8x64x1xf32>
    %ln_2_2_scaled = nova.mul %ln_2_2_normal, %ln_2_2_w : tensor<8x64x64xf32>, tensor<64xf32>
    %ln_2_2 = nova.add %ln_2_2_scaled, %ln_2_2_b : tensor<8x64x64xf32>, tensor<64xf32>
    %fc_w_2 = nova.read @transformer.h.2.mlp.c_fc.weight : tensor<64x256xf32>
    %fc_b_2 = nova.read @transformer.h.2.mlp.c_fc.bias : tensor<256xf32>
    %fc_product_2 = nova.matmul %ln_2_2, %fc_w_2 : tensor<8x64x64xf32>, tensor<64x256xf32>
    %fc_2 = nova.add %fc_product_2, %fc_b_2 : tensor<8x64x256xf32>, tensor<256xf32>
    %square_2 = nova.square %fc_2 : tensor<8x64x256xf32>
    %small_2 = nova.mul %square_2, %cubic : tensor<8x64x256xf32>, tensor<f32>
    %bracket_2 = nova.add %small_2, %one : tensor<8x64x256xf32>, tensor<f32>
    %linear_2 = nova.mul %fc_2, %root_2_over_pi : tensor<8x64x256xf32>, tensor<f32>
    %argument_2 = nova.mul %linear_2, %bracket_2 : tensor<8x64x256xf32>, tensor<8x64x256xf32>
    %tanh_2 = nova.tanh %argument_2 : tensor<8x64x256xf32>
    %gate_2 = nova.add %tanh_2, %one : tensor<8x64x256xf32>, tensor<f32>
    %half_gate_2 = nova.mul %gate_2, %half : tensor<8x64x256xf32>, tensor<f32>
    %gelu_2 = nova.mul %fc_2, %half_gate_2 : tensor<8x64x256xf32>, tensor<8x64x256xf32>
    %mlp_proj_w_2 = nova.read @transformer.h.2.mlp.c_proj.weight : tensor<256x64xf32>
    %mlp_proj_b_2 = nova.read @transformer.h.2.mlp.c_proj.bias : tensor<64xf32>
    %mlp_product_2 = nova.matmul %gelu_2, %mlp_proj_w_2 : tensor<8x64x256xf32>, tensor<256x64xf32>
    %mlp_output_2 = nova.add %mlp_product_2, %mlp_proj_b_2 : tensor<8x64x64xf32>, tensor<64xf32>
    %x3 = nova.add %y2, %mlp_output_2 : tensor<8x64x64xf32>, tensor<8x64x64xf32>

    // The scores of every next token, and how surprising the right ones are on average.
    %ln_f_w = nova.read @transformer.ln_f.weight : tensor<64xf32>
    %ln_f_b = nova.read @transformer.ln_f.bias : tensor<64xf32>
    %ln_f_mean = nova.reduce mean %x3 over [2] {keep_dims} : tensor<8x64x64xf32>
    %ln_f_difference = nova.sub %x3, %ln_f_mean : tensor<8x64x64xf32>, tensor<8x64x1xf32>
    %ln_f_squares = nova.square %ln_f_difference : tensor<8x64x64xf32>
    %ln_f_variance = nova.reduce mean %ln_f_squares over [2] {keep_dims} : tensor<8x64x64xf32>
    %ln_f_stable = nova.add %ln_f_variance, %eps : tensor<8x64x1xf32>, tensor<f32>
    %ln_f_inverse = nova.rsqrt %ln_f_stable : tensor<8x64x1xf32>
    %ln_f_normal = nova.mul %ln_f_difference, %ln_f_inverse : tensor<8x64x64xf32>, tensor<8x64x1xf32>
    %ln_f_scaled = nova.mul %ln_f_normal, %ln_f_w : tensor<8x64x64xf32>, tensor<64xf32>
    %ln_f = nova.add %ln_f_scaled, %ln_f_b : tensor<8x64x64xf32>, tensor<64xf32>
    %logits = nova.matmul %ln_f, %wte {transpose_rhs} : tensor<8x64x64xf32>, tensor<256x64xf32>
    %loss = nova.cross_entropy %logits, %targets : tensor<8x64x256xf32>, tensor<8x64xi32>
    return %loss : tensor<f32>
  }
}
