// RUN: nova-run %s --device=reference --inputs %S/Inputs/op-values-attention-f32.safetensors --expect %S/Inputs/op-values-attention-f32.safetensors --rtol 3e-6 --atol 1e-6 --quiet
// RUN: nova-run %s --device=cpu --inputs %S/Inputs/op-values-attention-f32.safetensors --expect %S/Inputs/op-values-attention-f32.safetensors --rtol 3e-6 --atol 1e-6 --quiet
// RUN: nova-run %s --device=cpu --mode=eager --inputs %S/Inputs/op-values-attention-f32.safetensors \
// RUN:   --expect %S/Inputs/op-values-attention-f32.safetensors --rtol 3e-6 --atol 1e-6 --quiet
// RUN: nova-run %s --device=emulator --inputs %S/Inputs/op-values-attention-f32.safetensors \
// RUN:   --expect %S/Inputs/op-values-attention-f32.safetensors --rtol 3e-6 --atol 1e-6 --quiet
// RUN: nova-run %s --device=emulator --mode=eager --inputs %S/Inputs/op-values-attention-f32.safetensors \
// RUN:   --expect %S/Inputs/op-values-attention-f32.safetensors --rtol 3e-6 --atol 1e-6 --quiet

// Made by scripts/make_value_goldens.py: what PyTorch gives for every op.

func.func @values(
    %attention_none_4.q: tensor<2x4x9x8xf32> {nova.name = "attention_none_4.q"},
    %attention_none_4.k: tensor<2x4x70x8xf32> {nova.name = "attention_none_4.k"},
    %attention_none_4.v: tensor<2x4x70x5xf32> {nova.name = "attention_none_4.v"},
    %attention_none_4_causal.q: tensor<2x4x9x8xf32> {nova.name = "attention_none_4_causal.q"},
    %attention_none_4_causal.k: tensor<2x4x70x8xf32> {nova.name = "attention_none_4_causal.k"},
    %attention_none_4_causal.v: tensor<2x4x70x5xf32> {nova.name = "attention_none_4_causal.v"},
    %attention_none_2.q: tensor<2x4x9x8xf32> {nova.name = "attention_none_2.q"},
    %attention_none_2.k: tensor<2x2x70x8xf32> {nova.name = "attention_none_2.k"},
    %attention_none_2.v: tensor<2x2x70x5xf32> {nova.name = "attention_none_2.v"},
    %attention_none_2_causal.q: tensor<2x4x9x8xf32> {nova.name = "attention_none_2_causal.q"},
    %attention_none_2_causal.k: tensor<2x2x70x8xf32> {nova.name = "attention_none_2_causal.k"},
    %attention_none_2_causal.v: tensor<2x2x70x5xf32> {nova.name = "attention_none_2_causal.v"},
    %attention_none_1.q: tensor<2x4x9x8xf32> {nova.name = "attention_none_1.q"},
    %attention_none_1.k: tensor<2x1x70x8xf32> {nova.name = "attention_none_1.k"},
    %attention_none_1.v: tensor<2x1x70x5xf32> {nova.name = "attention_none_1.v"},
    %attention_none_1_causal.q: tensor<2x4x9x8xf32> {nova.name = "attention_none_1_causal.q"},
    %attention_none_1_causal.k: tensor<2x1x70x8xf32> {nova.name = "attention_none_1_causal.k"},
    %attention_none_1_causal.v: tensor<2x1x70x5xf32> {nova.name = "attention_none_1_causal.v"},
    %attention_keys_4.q: tensor<2x4x9x8xf32> {nova.name = "attention_keys_4.q"},
    %attention_keys_4.k: tensor<2x4x70x8xf32> {nova.name = "attention_keys_4.k"},
    %attention_keys_4.v: tensor<2x4x70x5xf32> {nova.name = "attention_keys_4.v"},
    %attention_keys_4.m: tensor<2x1x9x70xi1> {nova.name = "attention_keys_4.m"},
    %attention_keys_4_causal.q: tensor<2x4x9x8xf32> {nova.name = "attention_keys_4_causal.q"},
    %attention_keys_4_causal.k: tensor<2x4x70x8xf32> {nova.name = "attention_keys_4_causal.k"},
    %attention_keys_4_causal.v: tensor<2x4x70x5xf32> {nova.name = "attention_keys_4_causal.v"},
    %attention_keys_4_causal.m: tensor<2x1x9x70xi1> {nova.name = "attention_keys_4_causal.m"},
    %attention_keys_2.q: tensor<2x4x9x8xf32> {nova.name = "attention_keys_2.q"},
    %attention_keys_2.k: tensor<2x2x70x8xf32> {nova.name = "attention_keys_2.k"},
    %attention_keys_2.v: tensor<2x2x70x5xf32> {nova.name = "attention_keys_2.v"},
    %attention_keys_2.m: tensor<2x1x9x70xi1> {nova.name = "attention_keys_2.m"},
    %attention_keys_2_causal.q: tensor<2x4x9x8xf32> {nova.name = "attention_keys_2_causal.q"},
    %attention_keys_2_causal.k: tensor<2x2x70x8xf32> {nova.name = "attention_keys_2_causal.k"},
    %attention_keys_2_causal.v: tensor<2x2x70x5xf32> {nova.name = "attention_keys_2_causal.v"},
    %attention_keys_2_causal.m: tensor<2x1x9x70xi1> {nova.name = "attention_keys_2_causal.m"},
    %attention_keys_1.q: tensor<2x4x9x8xf32> {nova.name = "attention_keys_1.q"},
    %attention_keys_1.k: tensor<2x1x70x8xf32> {nova.name = "attention_keys_1.k"},
    %attention_keys_1.v: tensor<2x1x70x5xf32> {nova.name = "attention_keys_1.v"},
    %attention_keys_1.m: tensor<2x1x9x70xi1> {nova.name = "attention_keys_1.m"},
    %attention_keys_1_causal.q: tensor<2x4x9x8xf32> {nova.name = "attention_keys_1_causal.q"},
    %attention_keys_1_causal.k: tensor<2x1x70x8xf32> {nova.name = "attention_keys_1_causal.k"},
    %attention_keys_1_causal.v: tensor<2x1x70x5xf32> {nova.name = "attention_keys_1_causal.v"},
    %attention_keys_1_causal.m: tensor<2x1x9x70xi1> {nova.name = "attention_keys_1_causal.m"},
    %attention_padding_4.q: tensor<2x4x9x8xf32> {nova.name = "attention_padding_4.q"},
    %attention_padding_4.k: tensor<2x4x70x8xf32> {nova.name = "attention_padding_4.k"},
    %attention_padding_4.v: tensor<2x4x70x5xf32> {nova.name = "attention_padding_4.v"},
    %attention_padding_4.m: tensor<2x1x1x70xi1> {nova.name = "attention_padding_4.m"},
    %attention_padding_4_causal.q: tensor<2x4x9x8xf32> {nova.name = "attention_padding_4_causal.q"},
    %attention_padding_4_causal.k: tensor<2x4x70x8xf32> {nova.name = "attention_padding_4_causal.k"},
    %attention_padding_4_causal.v: tensor<2x4x70x5xf32> {nova.name = "attention_padding_4_causal.v"},
    %attention_padding_4_causal.m: tensor<2x1x1x70xi1> {nova.name = "attention_padding_4_causal.m"},
    %attention_padding_2.q: tensor<2x4x9x8xf32> {nova.name = "attention_padding_2.q"},
    %attention_padding_2.k: tensor<2x2x70x8xf32> {nova.name = "attention_padding_2.k"},
    %attention_padding_2.v: tensor<2x2x70x5xf32> {nova.name = "attention_padding_2.v"},
    %attention_padding_2.m: tensor<2x1x1x70xi1> {nova.name = "attention_padding_2.m"},
    %attention_padding_2_causal.q: tensor<2x4x9x8xf32> {nova.name = "attention_padding_2_causal.q"},
    %attention_padding_2_causal.k: tensor<2x2x70x8xf32> {nova.name = "attention_padding_2_causal.k"},
    %attention_padding_2_causal.v: tensor<2x2x70x5xf32> {nova.name = "attention_padding_2_causal.v"},
    %attention_padding_2_causal.m: tensor<2x1x1x70xi1> {nova.name = "attention_padding_2_causal.m"},
    %attention_padding_1.q: tensor<2x4x9x8xf32> {nova.name = "attention_padding_1.q"},
    %attention_padding_1.k: tensor<2x1x70x8xf32> {nova.name = "attention_padding_1.k"},
    %attention_padding_1.v: tensor<2x1x70x5xf32> {nova.name = "attention_padding_1.v"},
    %attention_padding_1.m: tensor<2x1x1x70xi1> {nova.name = "attention_padding_1.m"},
    %attention_padding_1_causal.q: tensor<2x4x9x8xf32> {nova.name = "attention_padding_1_causal.q"},
    %attention_padding_1_causal.k: tensor<2x1x70x8xf32> {nova.name = "attention_padding_1_causal.k"},
    %attention_padding_1_causal.v: tensor<2x1x70x5xf32> {nova.name = "attention_padding_1_causal.v"},
    %attention_padding_1_causal.m: tensor<2x1x1x70xi1> {nova.name = "attention_padding_1_causal.m"},
    %attention_added_4.q: tensor<2x4x9x8xf32> {nova.name = "attention_added_4.q"},
    %attention_added_4.k: tensor<2x4x70x8xf32> {nova.name = "attention_added_4.k"},
    %attention_added_4.v: tensor<2x4x70x5xf32> {nova.name = "attention_added_4.v"},
    %attention_added_4.m: tensor<4x9x70xf32> {nova.name = "attention_added_4.m"},
    %attention_added_4_causal.q: tensor<2x4x9x8xf32> {nova.name = "attention_added_4_causal.q"},
    %attention_added_4_causal.k: tensor<2x4x70x8xf32> {nova.name = "attention_added_4_causal.k"},
    %attention_added_4_causal.v: tensor<2x4x70x5xf32> {nova.name = "attention_added_4_causal.v"},
    %attention_added_4_causal.m: tensor<4x9x70xf32> {nova.name = "attention_added_4_causal.m"},
    %attention_added_2.q: tensor<2x4x9x8xf32> {nova.name = "attention_added_2.q"},
    %attention_added_2.k: tensor<2x2x70x8xf32> {nova.name = "attention_added_2.k"},
    %attention_added_2.v: tensor<2x2x70x5xf32> {nova.name = "attention_added_2.v"},
    %attention_added_2.m: tensor<4x9x70xf32> {nova.name = "attention_added_2.m"},
    %attention_added_2_causal.q: tensor<2x4x9x8xf32> {nova.name = "attention_added_2_causal.q"},
    %attention_added_2_causal.k: tensor<2x2x70x8xf32> {nova.name = "attention_added_2_causal.k"},
    %attention_added_2_causal.v: tensor<2x2x70x5xf32> {nova.name = "attention_added_2_causal.v"},
    %attention_added_2_causal.m: tensor<4x9x70xf32> {nova.name = "attention_added_2_causal.m"},
    %attention_added_1.q: tensor<2x4x9x8xf32> {nova.name = "attention_added_1.q"},
    %attention_added_1.k: tensor<2x1x70x8xf32> {nova.name = "attention_added_1.k"},
    %attention_added_1.v: tensor<2x1x70x5xf32> {nova.name = "attention_added_1.v"},
    %attention_added_1.m: tensor<4x9x70xf32> {nova.name = "attention_added_1.m"},
    %attention_added_1_causal.q: tensor<2x4x9x8xf32> {nova.name = "attention_added_1_causal.q"},
    %attention_added_1_causal.k: tensor<2x1x70x8xf32> {nova.name = "attention_added_1_causal.k"},
    %attention_added_1_causal.v: tensor<2x1x70x5xf32> {nova.name = "attention_added_1_causal.v"},
    %attention_added_1_causal.m: tensor<4x9x70xf32> {nova.name = "attention_added_1_causal.m"},
    %attention_depth_1.q: tensor<1x1x3x1xf32> {nova.name = "attention_depth_1.q"},
    %attention_depth_1.k: tensor<1x1x2x1xf32> {nova.name = "attention_depth_1.k"},
    %attention_depth_1.v: tensor<1x1x2x1xf32> {nova.name = "attention_depth_1.v"},
    %attention_depth_37.q: tensor<1x1x3x37xf32> {nova.name = "attention_depth_37.q"},
    %attention_depth_37.k: tensor<1x1x2x37xf32> {nova.name = "attention_depth_37.k"},
    %attention_depth_37.v: tensor<1x1x2x37xf32> {nova.name = "attention_depth_37.v"},
    %attention_no_keys.q: tensor<1x2x3x4xf32> {nova.name = "attention_no_keys.q"},
    %attention_no_keys.k: tensor<1x2x0x4xf32> {nova.name = "attention_no_keys.k"},
    %attention_no_keys.v: tensor<1x2x0x5xf32> {nova.name = "attention_no_keys.v"})
    -> (tensor<2x4x9x5xf32> {nova.name = "result.attention_none_4"},
        tensor<2x4x9xf32> {nova.name = "result.attention_none_4.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_none_4_causal"},
        tensor<2x4x9xf32> {nova.name = "result.attention_none_4_causal.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_none_2"},
        tensor<2x4x9xf32> {nova.name = "result.attention_none_2.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_none_2_causal"},
        tensor<2x4x9xf32> {nova.name = "result.attention_none_2_causal.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_none_1"},
        tensor<2x4x9xf32> {nova.name = "result.attention_none_1.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_none_1_causal"},
        tensor<2x4x9xf32> {nova.name = "result.attention_none_1_causal.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_keys_4"},
        tensor<2x4x9xf32> {nova.name = "result.attention_keys_4.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_keys_4_causal"},
        tensor<2x4x9xf32> {nova.name = "result.attention_keys_4_causal.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_keys_2"},
        tensor<2x4x9xf32> {nova.name = "result.attention_keys_2.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_keys_2_causal"},
        tensor<2x4x9xf32> {nova.name = "result.attention_keys_2_causal.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_keys_1"},
        tensor<2x4x9xf32> {nova.name = "result.attention_keys_1.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_keys_1_causal"},
        tensor<2x4x9xf32> {nova.name = "result.attention_keys_1_causal.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_padding_4"},
        tensor<2x4x9xf32> {nova.name = "result.attention_padding_4.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_padding_4_causal"},
        tensor<2x4x9xf32> {nova.name = "result.attention_padding_4_causal.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_padding_2"},
        tensor<2x4x9xf32> {nova.name = "result.attention_padding_2.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_padding_2_causal"},
        tensor<2x4x9xf32> {nova.name = "result.attention_padding_2_causal.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_padding_1"},
        tensor<2x4x9xf32> {nova.name = "result.attention_padding_1.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_padding_1_causal"},
        tensor<2x4x9xf32> {nova.name = "result.attention_padding_1_causal.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_added_4"},
        tensor<2x4x9xf32> {nova.name = "result.attention_added_4.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_added_4_causal"},
        tensor<2x4x9xf32> {nova.name = "result.attention_added_4_causal.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_added_2"},
        tensor<2x4x9xf32> {nova.name = "result.attention_added_2.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_added_2_causal"},
        tensor<2x4x9xf32> {nova.name = "result.attention_added_2_causal.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_added_1"},
        tensor<2x4x9xf32> {nova.name = "result.attention_added_1.result1"},
        tensor<2x4x9x5xf32> {nova.name = "result.attention_added_1_causal"},
        tensor<2x4x9xf32> {nova.name = "result.attention_added_1_causal.result1"},
        tensor<1x1x3x1xf32> {nova.name = "result.attention_depth_1"},
        tensor<1x1x3xf32> {nova.name = "result.attention_depth_1.result1"},
        tensor<1x1x3x37xf32> {nova.name = "result.attention_depth_37"},
        tensor<1x1x3xf32> {nova.name = "result.attention_depth_37.result1"},
        tensor<1x2x3x5xf32> {nova.name = "result.attention_no_keys"},
        tensor<1x2x3xf32> {nova.name = "result.attention_no_keys.result1"}) {
  %attention_none_4, %attention_none_4.result1 = nova.attention %attention_none_4.q, %attention_none_4.k, %attention_none_4.v {scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x4x70x8xf32>, tensor<2x4x70x5xf32>
  %attention_none_4_causal, %attention_none_4_causal.result1 = nova.attention %attention_none_4_causal.q, %attention_none_4_causal.k, %attention_none_4_causal.v {causal, scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x4x70x8xf32>, tensor<2x4x70x5xf32>
  %attention_none_2, %attention_none_2.result1 = nova.attention %attention_none_2.q, %attention_none_2.k, %attention_none_2.v {scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x2x70x8xf32>, tensor<2x2x70x5xf32>
  %attention_none_2_causal, %attention_none_2_causal.result1 = nova.attention %attention_none_2_causal.q, %attention_none_2_causal.k, %attention_none_2_causal.v {causal, scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x2x70x8xf32>, tensor<2x2x70x5xf32>
  %attention_none_1, %attention_none_1.result1 = nova.attention %attention_none_1.q, %attention_none_1.k, %attention_none_1.v {scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x1x70x8xf32>, tensor<2x1x70x5xf32>
  %attention_none_1_causal, %attention_none_1_causal.result1 = nova.attention %attention_none_1_causal.q, %attention_none_1_causal.k, %attention_none_1_causal.v {causal, scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x1x70x8xf32>, tensor<2x1x70x5xf32>
  %attention_keys_4, %attention_keys_4.result1 = nova.attention %attention_keys_4.q, %attention_keys_4.k, %attention_keys_4.v mask %attention_keys_4.m {scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x4x70x8xf32>, tensor<2x4x70x5xf32>, tensor<2x1x9x70xi1>
  %attention_keys_4_causal, %attention_keys_4_causal.result1 = nova.attention %attention_keys_4_causal.q, %attention_keys_4_causal.k, %attention_keys_4_causal.v mask %attention_keys_4_causal.m {causal, scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x4x70x8xf32>, tensor<2x4x70x5xf32>, tensor<2x1x9x70xi1>
  %attention_keys_2, %attention_keys_2.result1 = nova.attention %attention_keys_2.q, %attention_keys_2.k, %attention_keys_2.v mask %attention_keys_2.m {scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x2x70x8xf32>, tensor<2x2x70x5xf32>, tensor<2x1x9x70xi1>
  %attention_keys_2_causal, %attention_keys_2_causal.result1 = nova.attention %attention_keys_2_causal.q, %attention_keys_2_causal.k, %attention_keys_2_causal.v mask %attention_keys_2_causal.m {causal, scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x2x70x8xf32>, tensor<2x2x70x5xf32>, tensor<2x1x9x70xi1>
  %attention_keys_1, %attention_keys_1.result1 = nova.attention %attention_keys_1.q, %attention_keys_1.k, %attention_keys_1.v mask %attention_keys_1.m {scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x1x70x8xf32>, tensor<2x1x70x5xf32>, tensor<2x1x9x70xi1>
  %attention_keys_1_causal, %attention_keys_1_causal.result1 = nova.attention %attention_keys_1_causal.q, %attention_keys_1_causal.k, %attention_keys_1_causal.v mask %attention_keys_1_causal.m {causal, scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x1x70x8xf32>, tensor<2x1x70x5xf32>, tensor<2x1x9x70xi1>
  %attention_padding_4, %attention_padding_4.result1 = nova.attention %attention_padding_4.q, %attention_padding_4.k, %attention_padding_4.v mask %attention_padding_4.m {scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x4x70x8xf32>, tensor<2x4x70x5xf32>, tensor<2x1x1x70xi1>
  %attention_padding_4_causal, %attention_padding_4_causal.result1 = nova.attention %attention_padding_4_causal.q, %attention_padding_4_causal.k, %attention_padding_4_causal.v mask %attention_padding_4_causal.m {causal, scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x4x70x8xf32>, tensor<2x4x70x5xf32>, tensor<2x1x1x70xi1>
  %attention_padding_2, %attention_padding_2.result1 = nova.attention %attention_padding_2.q, %attention_padding_2.k, %attention_padding_2.v mask %attention_padding_2.m {scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x2x70x8xf32>, tensor<2x2x70x5xf32>, tensor<2x1x1x70xi1>
  %attention_padding_2_causal, %attention_padding_2_causal.result1 = nova.attention %attention_padding_2_causal.q, %attention_padding_2_causal.k, %attention_padding_2_causal.v mask %attention_padding_2_causal.m {causal, scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x2x70x8xf32>, tensor<2x2x70x5xf32>, tensor<2x1x1x70xi1>
  %attention_padding_1, %attention_padding_1.result1 = nova.attention %attention_padding_1.q, %attention_padding_1.k, %attention_padding_1.v mask %attention_padding_1.m {scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x1x70x8xf32>, tensor<2x1x70x5xf32>, tensor<2x1x1x70xi1>
  %attention_padding_1_causal, %attention_padding_1_causal.result1 = nova.attention %attention_padding_1_causal.q, %attention_padding_1_causal.k, %attention_padding_1_causal.v mask %attention_padding_1_causal.m {causal, scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x1x70x8xf32>, tensor<2x1x70x5xf32>, tensor<2x1x1x70xi1>
  %attention_added_4, %attention_added_4.result1 = nova.attention %attention_added_4.q, %attention_added_4.k, %attention_added_4.v mask %attention_added_4.m {scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x4x70x8xf32>, tensor<2x4x70x5xf32>, tensor<4x9x70xf32>
  %attention_added_4_causal, %attention_added_4_causal.result1 = nova.attention %attention_added_4_causal.q, %attention_added_4_causal.k, %attention_added_4_causal.v mask %attention_added_4_causal.m {causal, scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x4x70x8xf32>, tensor<2x4x70x5xf32>, tensor<4x9x70xf32>
  %attention_added_2, %attention_added_2.result1 = nova.attention %attention_added_2.q, %attention_added_2.k, %attention_added_2.v mask %attention_added_2.m {scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x2x70x8xf32>, tensor<2x2x70x5xf32>, tensor<4x9x70xf32>
  %attention_added_2_causal, %attention_added_2_causal.result1 = nova.attention %attention_added_2_causal.q, %attention_added_2_causal.k, %attention_added_2_causal.v mask %attention_added_2_causal.m {causal, scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x2x70x8xf32>, tensor<2x2x70x5xf32>, tensor<4x9x70xf32>
  %attention_added_1, %attention_added_1.result1 = nova.attention %attention_added_1.q, %attention_added_1.k, %attention_added_1.v mask %attention_added_1.m {scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x1x70x8xf32>, tensor<2x1x70x5xf32>, tensor<4x9x70xf32>
  %attention_added_1_causal, %attention_added_1_causal.result1 = nova.attention %attention_added_1_causal.q, %attention_added_1_causal.k, %attention_added_1_causal.v mask %attention_added_1_causal.m {causal, scale = 0.3} : tensor<2x4x9x8xf32>, tensor<2x1x70x8xf32>, tensor<2x1x70x5xf32>, tensor<4x9x70xf32>
  %attention_depth_1, %attention_depth_1.result1 = nova.attention %attention_depth_1.q, %attention_depth_1.k, %attention_depth_1.v : tensor<1x1x3x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>
  %attention_depth_37, %attention_depth_37.result1 = nova.attention %attention_depth_37.q, %attention_depth_37.k, %attention_depth_37.v : tensor<1x1x3x37xf32>, tensor<1x1x2x37xf32>, tensor<1x1x2x37xf32>
  %attention_no_keys, %attention_no_keys.result1 = nova.attention %attention_no_keys.q, %attention_no_keys.k, %attention_no_keys.v : tensor<1x2x3x4xf32>, tensor<1x2x0x4xf32>, tensor<1x2x0x5xf32>
  return %attention_none_4, %attention_none_4.result1, %attention_none_4_causal, %attention_none_4_causal.result1, %attention_none_2, %attention_none_2.result1, %attention_none_2_causal, %attention_none_2_causal.result1, %attention_none_1, %attention_none_1.result1, %attention_none_1_causal, %attention_none_1_causal.result1, %attention_keys_4, %attention_keys_4.result1, %attention_keys_4_causal, %attention_keys_4_causal.result1, %attention_keys_2, %attention_keys_2.result1, %attention_keys_2_causal, %attention_keys_2_causal.result1, %attention_keys_1, %attention_keys_1.result1, %attention_keys_1_causal, %attention_keys_1_causal.result1, %attention_padding_4, %attention_padding_4.result1, %attention_padding_4_causal, %attention_padding_4_causal.result1, %attention_padding_2, %attention_padding_2.result1, %attention_padding_2_causal, %attention_padding_2_causal.result1, %attention_padding_1, %attention_padding_1.result1, %attention_padding_1_causal, %attention_padding_1_causal.result1, %attention_added_4, %attention_added_4.result1, %attention_added_4_causal, %attention_added_4_causal.result1, %attention_added_2, %attention_added_2.result1, %attention_added_2_causal, %attention_added_2_causal.result1, %attention_added_1, %attention_added_1.result1, %attention_added_1_causal, %attention_added_1_causal.result1, %attention_depth_1, %attention_depth_1.result1, %attention_depth_37, %attention_depth_37.result1, %attention_no_keys, %attention_no_keys.result1
    : tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<2x4x9x5xf32>, tensor<2x4x9xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3xf32>, tensor<1x1x3x37xf32>, tensor<1x1x3xf32>, tensor<1x2x3x5xf32>, tensor<1x2x3xf32>
}
