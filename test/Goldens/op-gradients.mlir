// RUN: nova-opt %s --nova-autodiff -o %t.mlir
// RUN: nova-run %t.mlir --entry=gradients --device=reference \
// RUN:   --inputs %S/Inputs/op-gradients.safetensors --expect %S/Inputs/op-gradients.safetensors \
// RUN:   --rtol 1e-9 --atol 1e-12 --quiet
// RUN: nova-run %t.mlir --entry=gradients --device=cpu \
// RUN:   --inputs %S/Inputs/op-gradients.safetensors --expect %S/Inputs/op-gradients.safetensors \
// RUN:   --rtol 1e-9 --atol 1e-11 --quiet
// RUN: nova-run %t.mlir --entry=gradients --device=cpu --mode=eager \
// RUN:   --inputs %S/Inputs/op-gradients.safetensors --expect %S/Inputs/op-gradients.safetensors \
// RUN:   --rtol 1e-9 --atol 1e-11 --quiet
// RUN: nova-run %t.mlir --entry=gradients --device=emulator \
// RUN:   --inputs %S/Inputs/op-gradients.safetensors --expect %S/Inputs/op-gradients.safetensors \
// RUN:   --rtol 1e-9 --atol 1e-11 --quiet
// RUN: nova-run %t.mlir --entry=gradients --device=emulator --mode=eager \
// RUN:   --inputs %S/Inputs/op-gradients.safetensors --expect %S/Inputs/op-gradients.safetensors \
// RUN:   --rtol 1e-9 --atol 1e-11 --quiet

// Made by scripts/make_op_goldens.py: gradients of every differentiable op, as PyTorch computes them.

func.func private @loss(
    %abs.x: tensor<3x5xf64>,
    %abs.w: tensor<3x5xf64>,
    %neg.x: tensor<3x5xf64>,
    %neg.w: tensor<3x5xf64>,
    %sign.x: tensor<3x5xf64>,
    %sign.w: tensor<3x5xf64>,
    %square.x: tensor<3x5xf64>,
    %square.w: tensor<3x5xf64>,
    %sqrt.x: tensor<3x5xf64>,
    %sqrt.w: tensor<3x5xf64>,
    %rsqrt.x: tensor<3x5xf64>,
    %rsqrt.w: tensor<3x5xf64>,
    %reciprocal.x: tensor<3x5xf64>,
    %reciprocal.w: tensor<3x5xf64>,
    %exp.x: tensor<3x5xf64>,
    %exp.w: tensor<3x5xf64>,
    %exp2.x: tensor<3x5xf64>,
    %exp2.w: tensor<3x5xf64>,
    %expm1.x: tensor<3x5xf64>,
    %expm1.w: tensor<3x5xf64>,
    %log.x: tensor<3x5xf64>,
    %log.w: tensor<3x5xf64>,
    %log2.x: tensor<3x5xf64>,
    %log2.w: tensor<3x5xf64>,
    %log10.x: tensor<3x5xf64>,
    %log10.w: tensor<3x5xf64>,
    %log1p.x: tensor<3x5xf64>,
    %log1p.w: tensor<3x5xf64>,
    %sin.x: tensor<3x5xf64>,
    %sin.w: tensor<3x5xf64>,
    %cos.x: tensor<3x5xf64>,
    %cos.w: tensor<3x5xf64>,
    %tan.x: tensor<3x5xf64>,
    %tan.w: tensor<3x5xf64>,
    %asin.x: tensor<3x5xf64>,
    %asin.w: tensor<3x5xf64>,
    %acos.x: tensor<3x5xf64>,
    %acos.w: tensor<3x5xf64>,
    %atan.x: tensor<3x5xf64>,
    %atan.w: tensor<3x5xf64>,
    %sinh.x: tensor<3x5xf64>,
    %sinh.w: tensor<3x5xf64>,
    %cosh.x: tensor<3x5xf64>,
    %cosh.w: tensor<3x5xf64>,
    %asinh.x: tensor<3x5xf64>,
    %asinh.w: tensor<3x5xf64>,
    %acosh.x: tensor<3x5xf64>,
    %acosh.w: tensor<3x5xf64>,
    %atanh.x: tensor<3x5xf64>,
    %atanh.w: tensor<3x5xf64>,
    %floor.x: tensor<3x5xf64>,
    %floor.w: tensor<3x5xf64>,
    %ceil.x: tensor<3x5xf64>,
    %ceil.w: tensor<3x5xf64>,
    %round.x: tensor<3x5xf64>,
    %round.w: tensor<3x5xf64>,
    %tanh.x: tensor<3x5xf64>,
    %tanh.w: tensor<3x5xf64>,
    %erf.x: tensor<3x5xf64>,
    %erf.w: tensor<3x5xf64>,
    %relu.x: tensor<3x5xf64>,
    %relu.w: tensor<3x5xf64>,
    %sigmoid.x: tensor<3x5xf64>,
    %sigmoid.w: tensor<3x5xf64>,
    %silu.x: tensor<3x5xf64>,
    %silu.w: tensor<3x5xf64>,
    %gelu_tanh.x: tensor<3x5xf64>,
    %gelu_tanh.w: tensor<3x5xf64>,
    %gelu_exact.x: tensor<3x5xf64>,
    %gelu_exact.w: tensor<3x5xf64>,
    %add.a: tensor<3x5xf64>,
    %add.b: tensor<3x5xf64>,
    %add.w: tensor<3x5xf64>,
    %add_row.a: tensor<3x5xf64>,
    %add_row.b: tensor<5xf64>,
    %add_row.w: tensor<3x5xf64>,
    %sub_column.a: tensor<3x1xf64>,
    %sub_column.b: tensor<3x5xf64>,
    %sub_column.w: tensor<3x5xf64>,
    %mul_outer.a: tensor<3x1xf64>,
    %mul_outer.b: tensor<2x1x5xf64>,
    %mul_outer.w: tensor<2x3x5xf64>,
    %div.a: tensor<3x5xf64>,
    %div.b: tensor<3x5xf64>,
    %div.w: tensor<3x5xf64>,
    %div_scalar.a: tensor<3x5xf64>,
    %div_scalar.b: tensor<f64>,
    %div_scalar.w: tensor<3x5xf64>,
    %pow.a: tensor<3x5xf64>,
    %pow.b: tensor<3x5xf64>,
    %pow.w: tensor<3x5xf64>,
    %pow_zeros.a: tensor<3xf64>,
    %pow_zeros.b: tensor<3xf64>,
    %pow_zeros.w: tensor<3xf64>,
    %mod_column.a: tensor<3x5xf64>,
    %mod_column.b: tensor<3x1xf64>,
    %mod_column.w: tensor<3x5xf64>,
    %clamp.x: tensor<4x6xf64>,
    %clamp.low: tensor<6xf64>,
    %clamp.high: tensor<f64>,
    %clamp.w: tensor<4x6xf64>,
    %max.a: tensor<3x5xf64>,
    %max.b: tensor<3x5xf64>,
    %max.w: tensor<3x5xf64>,
    %min_row.a: tensor<3x5xf64>,
    %min_row.b: tensor<5xf64>,
    %min_row.w: tensor<3x5xf64>,
    %select.c: tensor<3x5xi1>,
    %select.a: tensor<3x5xf64>,
    %select.b: tensor<5xf64>,
    %select.w: tensor<3x5xf64>,
    %broadcast_in_dim.x: tensor<4x1xf64>,
    %broadcast_in_dim.w: tensor<4x3x5xf64>,
    %reshape.x: tensor<4x6xf64>,
    %reshape.w: tensor<3x8xf64>,
    %transpose.x: tensor<2x3x4xf64>,
    %transpose.w: tensor<4x2x3xf64>,
    %slice.x: tensor<4x10xf64>,
    %slice.w: tensor<2x3xf64>,
    %pad.x: tensor<3x4xf64>,
    %pad.v: tensor<f64>,
    %pad.w: tensor<4x9xf64>,
    %concat.a: tensor<2x3xf64>,
    %concat.b: tensor<2x4xf64>,
    %concat.w: tensor<2x7xf64>,
    %gather.t: tensor<6x3xf64>,
    %gather.i: tensor<2x4xi32>,
    %gather.w: tensor<2x4x3xf64>,
    %gather_axis_1.t: tensor<2x6x3xf64>,
    %gather_axis_1.i: tensor<2x4xi32>,
    %gather_axis_1.w: tensor<2x2x4x3xf64>,
    %scatter_add.x: tensor<6x3xf64>,
    %scatter_add.i: tensor<5xi32>,
    %scatter_add.u: tensor<5x3xf64>,
    %scatter_add.w: tensor<6x3xf64>,
    %dynamic_slice.x: tensor<4x10xf64>,
    %dynamic_slice.i: tensor<2xi32>,
    %dynamic_slice.w: tensor<2x5xf64>,
    %dynamic_update_slice.x: tensor<4x10xf64>,
    %dynamic_update_slice.i: tensor<2xi32>,
    %dynamic_update_slice.u: tensor<2x5xf64>,
    %dynamic_update_slice.w: tensor<4x10xf64>,
    %cumsum.x: tensor<3x5xf64>,
    %cumsum.w: tensor<3x5xf64>,
    %cumsum_reverse.x: tensor<3x5xf64>,
    %cumsum_reverse.w: tensor<3x5xf64>,
    %log_softmax.x: tensor<3x5xf64>,
    %log_softmax.w: tensor<3x5xf64>,
    %logsumexp.x: tensor<3x5x2xf64>,
    %logsumexp.w: tensor<5xf64>,
    %logsumexp_none.x: tensor<2x3xf64>,
    %logsumexp_none.w: tensor<2x1xf64>,
    %conv2d.x: tensor<2x4x7x6xf64>,
    %conv2d.f: tensor<6x2x3x2xf64>,
    %conv2d.w: tensor<2x6x4x8xf64>,
    %sum.x: tensor<2x3x4xf64>,
    %sum.w: tensor<3xf64>,
    %mean.x: tensor<2x3x4xf64>,
    %mean.w: tensor<2x1x4xf64>,
    %amax.x: tensor<2x3x4xf64>,
    %amax.w: tensor<3xf64>,
    %amin.x: tensor<2x3x4xf64>,
    %amin.w: tensor<2x3xf64>,
    %product.x: tensor<5x4xf64>,
    %product.w: tensor<5xf64>,
    %softmax.x: tensor<3x5xf64>,
    %softmax.w: tensor<3x5xf64>,
    %matmul.a: tensor<3x4xf64>,
    %matmul.b: tensor<4x5xf64>,
    %matmul.w: tensor<3x5xf64>,
    %matmul_nt.a: tensor<3x4xf64>,
    %matmul_nt.b: tensor<5x4xf64>,
    %matmul_nt.w: tensor<3x5xf64>,
    %matmul_tn.a: tensor<4x3xf64>,
    %matmul_tn.b: tensor<4x5xf64>,
    %matmul_tn.w: tensor<3x5xf64>,
    %matmul_tt.a: tensor<4x3xf64>,
    %matmul_tt.b: tensor<5x4xf64>,
    %matmul_tt.w: tensor<3x5xf64>,
    %matmul_weight.a: tensor<2x3x4xf64>,
    %matmul_weight.b: tensor<4x5xf64>,
    %matmul_weight.w: tensor<2x3x5xf64>,
    %matmul_weight_nt.a: tensor<2x3x4xf64>,
    %matmul_weight_nt.b: tensor<1x5x4xf64>,
    %matmul_weight_nt.w: tensor<2x3x5xf64>,
    %matmul_shared_lhs.a: tensor<3x4xf64>,
    %matmul_shared_lhs.b: tensor<2x4x5xf64>,
    %matmul_shared_lhs.w: tensor<2x3x5xf64>,
    %matmul_batches.a: tensor<3x1x2x4xf64>,
    %matmul_batches.b: tensor<2x5x4xf64>,
    %matmul_batches.w: tensor<3x2x2x5xf64>,
    %attention.q: tensor<2x2x4x3xf64>,
    %attention.k: tensor<2x2x5x3xf64>,
    %attention.v: tensor<2x2x5x2xf64>,
    %attention.w: tensor<2x2x4x2xf64>,
    %attention_causal.q: tensor<1x2x4x3xf64>,
    %attention_causal.k: tensor<1x2x6x3xf64>,
    %attention_causal.v: tensor<1x2x6x3xf64>,
    %attention_causal.w: tensor<1x2x4x3xf64>,
    %attention_long.q: tensor<1x1x5x3xf64>,
    %attention_long.k: tensor<1x1x3x3xf64>,
    %attention_long.v: tensor<1x1x3x3xf64>,
    %attention_long.w: tensor<1x1x5x3xf64>,
    %layer_norm.x: tensor<2x3x8xf64>,
    %layer_norm.g: tensor<8xf64>,
    %layer_norm.b: tensor<8xf64>,
    %layer_norm.w: tensor<2x3x8xf64>,
    %attention_keys.q: tensor<2x2x4x3xf64>,
    %attention_keys.k: tensor<2x2x5x3xf64>,
    %attention_keys.v: tensor<2x2x5x2xf64>,
    %attention_keys.m: tensor<2x1x4x5xi1>,
    %attention_keys.w: tensor<2x2x4x2xf64>,
    %attention_bias.q: tensor<2x2x4x3xf64>,
    %attention_bias.k: tensor<2x2x5x3xf64>,
    %attention_bias.v: tensor<2x2x5x2xf64>,
    %attention_bias.m: tensor<2x4x5xf64>,
    %attention_bias.w: tensor<2x2x4x2xf64>,
    %attention_groups.q: tensor<2x4x4x3xf64>,
    %attention_groups.k: tensor<2x2x5x3xf64>,
    %attention_groups.v: tensor<2x2x5x2xf64>,
    %attention_groups.m: tensor<1x5xf64>,
    %attention_groups.w: tensor<2x4x4x2xf64>,
    %attention_one_group.q: tensor<2x3x4x3xf64>,
    %attention_one_group.k: tensor<2x1x5x3xf64>,
    %attention_one_group.v: tensor<2x1x5x2xf64>,
    %attention_one_group.m: tensor<2x1x4x5xi1>,
    %attention_one_group.w: tensor<2x3x4x2xf64>,
    %rms_norm.x: tensor<2x3x8xf64>,
    %rms_norm.g: tensor<8xf64>,
    %rms_norm.w: tensor<2x3x8xf64>,
    %rotary.x: tensor<2x3x10xf64>,
    %rotary.c: tensor<3x4xf64>,
    %rotary.s: tensor<3x4xf64>,
    %rotary.w: tensor<2x3x10xf64>,
    %rotary_interleaved.x: tensor<2x2x3x8xf64>,
    %rotary_interleaved.c: tensor<2x1x3x4xf64>,
    %rotary_interleaved.s: tensor<2x1x3x4xf64>,
    %rotary_interleaved.w: tensor<2x2x3x8xf64>,
    %mse.x: tensor<4x5xf64>,
    %mse.t: tensor<4x5xf64>,
    %mse.w: tensor<f64>,
    %mae.x: tensor<4x5xf64>,
    %mae.t: tensor<4x5xf64>,
    %mae.w: tensor<f64>,
    %bce.x: tensor<4x5xf64>,
    %bce.t: tensor<4x5xf64>,
    %bce.w: tensor<f64>,
    %bce_each.x: tensor<4x5xf64>,
    %bce_each.t: tensor<4x5xf64>,
    %bce_each.w: tensor<4x5xf64>,
    %cce.x: tensor<4x5xf64>,
    %cce.t: tensor<4x5xf64>,
    %cce.w: tensor<f64>,
    %cce_each.x: tensor<4x5xf64>,
    %cce_each.t: tensor<4x5xf64>,
    %cce_each.w: tensor<4xf64>,
    %cross_entropy_smooth.x: tensor<5x7xf64>,
    %cross_entropy_smooth.t: tensor<5xi32>,
    %cross_entropy_smooth.w: tensor<f64>,
    %cross_entropy.x: tensor<5x7xf64>,
    %cross_entropy.t: tensor<5xi32>,
    %cross_entropy.w: tensor<f64>,
    %cross_entropy_ignore.x: tensor<5x7xf64>,
    %cross_entropy_ignore.t: tensor<5xi32>,
    %cross_entropy_ignore.w: tensor<f64>,
    %cross_entropy_sum.x: tensor<5x7xf64>,
    %cross_entropy_sum.t: tensor<5xi32>,
    %cross_entropy_sum.w: tensor<f64>,
    %cross_entropy_rows.x: tensor<5x7xf64>,
    %cross_entropy_rows.t: tensor<5xi32>,
    %cross_entropy_rows.w: tensor<5xf64>,
    %gelu_grad_tanh.d: tensor<3x5xf64>,
    %gelu_grad_tanh.x: tensor<3x5xf64>,
    %gelu_grad_tanh.w: tensor<3x5xf64>,
    %gelu_grad_exact.d: tensor<3x5xf64>,
    %gelu_grad_exact.x: tensor<3x5xf64>,
    %gelu_grad_exact.w: tensor<3x5xf64>,
    %softmax_grad.d: tensor<3x5xf64>,
    %softmax_grad.y: tensor<3x5xf64>,
    %softmax_grad.w: tensor<3x5xf64>,
    %stop_gradient.x: tensor<3x5xf64>,
    %stop_gradient.w: tensor<3x5xf64>) -> tensor<f64> {
  %0 = nova.constant dense<0.0> : tensor<f64>
  %abs = nova.abs %abs.x : tensor<3x5xf64>
  %abs.z = nova.mul %abs, %abs.w : tensor<3x5xf64>, tensor<3x5xf64>
  %abs.l = nova.reduce sum %abs.z over [0, 1] : tensor<3x5xf64>
  %neg = nova.neg %neg.x : tensor<3x5xf64>
  %neg.z = nova.mul %neg, %neg.w : tensor<3x5xf64>, tensor<3x5xf64>
  %neg.l = nova.reduce sum %neg.z over [0, 1] : tensor<3x5xf64>
  %sign = nova.sign %sign.x : tensor<3x5xf64>
  %sign.z = nova.mul %sign, %sign.w : tensor<3x5xf64>, tensor<3x5xf64>
  %sign.l = nova.reduce sum %sign.z over [0, 1] : tensor<3x5xf64>
  %square = nova.square %square.x : tensor<3x5xf64>
  %square.z = nova.mul %square, %square.w : tensor<3x5xf64>, tensor<3x5xf64>
  %square.l = nova.reduce sum %square.z over [0, 1] : tensor<3x5xf64>
  %sqrt = nova.sqrt %sqrt.x : tensor<3x5xf64>
  %sqrt.z = nova.mul %sqrt, %sqrt.w : tensor<3x5xf64>, tensor<3x5xf64>
  %sqrt.l = nova.reduce sum %sqrt.z over [0, 1] : tensor<3x5xf64>
  %rsqrt = nova.rsqrt %rsqrt.x : tensor<3x5xf64>
  %rsqrt.z = nova.mul %rsqrt, %rsqrt.w : tensor<3x5xf64>, tensor<3x5xf64>
  %rsqrt.l = nova.reduce sum %rsqrt.z over [0, 1] : tensor<3x5xf64>
  %reciprocal = nova.reciprocal %reciprocal.x : tensor<3x5xf64>
  %reciprocal.z = nova.mul %reciprocal, %reciprocal.w : tensor<3x5xf64>, tensor<3x5xf64>
  %reciprocal.l = nova.reduce sum %reciprocal.z over [0, 1] : tensor<3x5xf64>
  %exp = nova.exp %exp.x : tensor<3x5xf64>
  %exp.z = nova.mul %exp, %exp.w : tensor<3x5xf64>, tensor<3x5xf64>
  %exp.l = nova.reduce sum %exp.z over [0, 1] : tensor<3x5xf64>
  %exp2 = nova.exp2 %exp2.x : tensor<3x5xf64>
  %exp2.z = nova.mul %exp2, %exp2.w : tensor<3x5xf64>, tensor<3x5xf64>
  %exp2.l = nova.reduce sum %exp2.z over [0, 1] : tensor<3x5xf64>
  %expm1 = nova.expm1 %expm1.x : tensor<3x5xf64>
  %expm1.z = nova.mul %expm1, %expm1.w : tensor<3x5xf64>, tensor<3x5xf64>
  %expm1.l = nova.reduce sum %expm1.z over [0, 1] : tensor<3x5xf64>
  %log = nova.log %log.x : tensor<3x5xf64>
  %log.z = nova.mul %log, %log.w : tensor<3x5xf64>, tensor<3x5xf64>
  %log.l = nova.reduce sum %log.z over [0, 1] : tensor<3x5xf64>
  %log2 = nova.log2 %log2.x : tensor<3x5xf64>
  %log2.z = nova.mul %log2, %log2.w : tensor<3x5xf64>, tensor<3x5xf64>
  %log2.l = nova.reduce sum %log2.z over [0, 1] : tensor<3x5xf64>
  %log10 = nova.log10 %log10.x : tensor<3x5xf64>
  %log10.z = nova.mul %log10, %log10.w : tensor<3x5xf64>, tensor<3x5xf64>
  %log10.l = nova.reduce sum %log10.z over [0, 1] : tensor<3x5xf64>
  %log1p = nova.log1p %log1p.x : tensor<3x5xf64>
  %log1p.z = nova.mul %log1p, %log1p.w : tensor<3x5xf64>, tensor<3x5xf64>
  %log1p.l = nova.reduce sum %log1p.z over [0, 1] : tensor<3x5xf64>
  %sin = nova.sin %sin.x : tensor<3x5xf64>
  %sin.z = nova.mul %sin, %sin.w : tensor<3x5xf64>, tensor<3x5xf64>
  %sin.l = nova.reduce sum %sin.z over [0, 1] : tensor<3x5xf64>
  %cos = nova.cos %cos.x : tensor<3x5xf64>
  %cos.z = nova.mul %cos, %cos.w : tensor<3x5xf64>, tensor<3x5xf64>
  %cos.l = nova.reduce sum %cos.z over [0, 1] : tensor<3x5xf64>
  %tan = nova.tan %tan.x : tensor<3x5xf64>
  %tan.z = nova.mul %tan, %tan.w : tensor<3x5xf64>, tensor<3x5xf64>
  %tan.l = nova.reduce sum %tan.z over [0, 1] : tensor<3x5xf64>
  %asin = nova.asin %asin.x : tensor<3x5xf64>
  %asin.z = nova.mul %asin, %asin.w : tensor<3x5xf64>, tensor<3x5xf64>
  %asin.l = nova.reduce sum %asin.z over [0, 1] : tensor<3x5xf64>
  %acos = nova.acos %acos.x : tensor<3x5xf64>
  %acos.z = nova.mul %acos, %acos.w : tensor<3x5xf64>, tensor<3x5xf64>
  %acos.l = nova.reduce sum %acos.z over [0, 1] : tensor<3x5xf64>
  %atan = nova.atan %atan.x : tensor<3x5xf64>
  %atan.z = nova.mul %atan, %atan.w : tensor<3x5xf64>, tensor<3x5xf64>
  %atan.l = nova.reduce sum %atan.z over [0, 1] : tensor<3x5xf64>
  %sinh = nova.sinh %sinh.x : tensor<3x5xf64>
  %sinh.z = nova.mul %sinh, %sinh.w : tensor<3x5xf64>, tensor<3x5xf64>
  %sinh.l = nova.reduce sum %sinh.z over [0, 1] : tensor<3x5xf64>
  %cosh = nova.cosh %cosh.x : tensor<3x5xf64>
  %cosh.z = nova.mul %cosh, %cosh.w : tensor<3x5xf64>, tensor<3x5xf64>
  %cosh.l = nova.reduce sum %cosh.z over [0, 1] : tensor<3x5xf64>
  %asinh = nova.asinh %asinh.x : tensor<3x5xf64>
  %asinh.z = nova.mul %asinh, %asinh.w : tensor<3x5xf64>, tensor<3x5xf64>
  %asinh.l = nova.reduce sum %asinh.z over [0, 1] : tensor<3x5xf64>
  %acosh = nova.acosh %acosh.x : tensor<3x5xf64>
  %acosh.z = nova.mul %acosh, %acosh.w : tensor<3x5xf64>, tensor<3x5xf64>
  %acosh.l = nova.reduce sum %acosh.z over [0, 1] : tensor<3x5xf64>
  %atanh = nova.atanh %atanh.x : tensor<3x5xf64>
  %atanh.z = nova.mul %atanh, %atanh.w : tensor<3x5xf64>, tensor<3x5xf64>
  %atanh.l = nova.reduce sum %atanh.z over [0, 1] : tensor<3x5xf64>
  %floor = nova.floor %floor.x : tensor<3x5xf64>
  %floor.z = nova.mul %floor, %floor.w : tensor<3x5xf64>, tensor<3x5xf64>
  %floor.l = nova.reduce sum %floor.z over [0, 1] : tensor<3x5xf64>
  %ceil = nova.ceil %ceil.x : tensor<3x5xf64>
  %ceil.z = nova.mul %ceil, %ceil.w : tensor<3x5xf64>, tensor<3x5xf64>
  %ceil.l = nova.reduce sum %ceil.z over [0, 1] : tensor<3x5xf64>
  %round = nova.round %round.x : tensor<3x5xf64>
  %round.z = nova.mul %round, %round.w : tensor<3x5xf64>, tensor<3x5xf64>
  %round.l = nova.reduce sum %round.z over [0, 1] : tensor<3x5xf64>
  %tanh = nova.tanh %tanh.x : tensor<3x5xf64>
  %tanh.z = nova.mul %tanh, %tanh.w : tensor<3x5xf64>, tensor<3x5xf64>
  %tanh.l = nova.reduce sum %tanh.z over [0, 1] : tensor<3x5xf64>
  %erf = nova.erf %erf.x : tensor<3x5xf64>
  %erf.z = nova.mul %erf, %erf.w : tensor<3x5xf64>, tensor<3x5xf64>
  %erf.l = nova.reduce sum %erf.z over [0, 1] : tensor<3x5xf64>
  %relu = nova.relu %relu.x : tensor<3x5xf64>
  %relu.z = nova.mul %relu, %relu.w : tensor<3x5xf64>, tensor<3x5xf64>
  %relu.l = nova.reduce sum %relu.z over [0, 1] : tensor<3x5xf64>
  %sigmoid = nova.sigmoid %sigmoid.x : tensor<3x5xf64>
  %sigmoid.z = nova.mul %sigmoid, %sigmoid.w : tensor<3x5xf64>, tensor<3x5xf64>
  %sigmoid.l = nova.reduce sum %sigmoid.z over [0, 1] : tensor<3x5xf64>
  %silu = nova.silu %silu.x : tensor<3x5xf64>
  %silu.z = nova.mul %silu, %silu.w : tensor<3x5xf64>, tensor<3x5xf64>
  %silu.l = nova.reduce sum %silu.z over [0, 1] : tensor<3x5xf64>
  %gelu_tanh = nova.gelu tanh %gelu_tanh.x : tensor<3x5xf64>
  %gelu_tanh.z = nova.mul %gelu_tanh, %gelu_tanh.w : tensor<3x5xf64>, tensor<3x5xf64>
  %gelu_tanh.l = nova.reduce sum %gelu_tanh.z over [0, 1] : tensor<3x5xf64>
  %gelu_exact = nova.gelu exact %gelu_exact.x : tensor<3x5xf64>
  %gelu_exact.z = nova.mul %gelu_exact, %gelu_exact.w : tensor<3x5xf64>, tensor<3x5xf64>
  %gelu_exact.l = nova.reduce sum %gelu_exact.z over [0, 1] : tensor<3x5xf64>
  %add = nova.add %add.a, %add.b : tensor<3x5xf64>, tensor<3x5xf64>
  %add.z = nova.mul %add, %add.w : tensor<3x5xf64>, tensor<3x5xf64>
  %add.l = nova.reduce sum %add.z over [0, 1] : tensor<3x5xf64>
  %add_row = nova.add %add_row.a, %add_row.b : tensor<3x5xf64>, tensor<5xf64>
  %add_row.z = nova.mul %add_row, %add_row.w : tensor<3x5xf64>, tensor<3x5xf64>
  %add_row.l = nova.reduce sum %add_row.z over [0, 1] : tensor<3x5xf64>
  %sub_column = nova.sub %sub_column.a, %sub_column.b : tensor<3x1xf64>, tensor<3x5xf64>
  %sub_column.z = nova.mul %sub_column, %sub_column.w : tensor<3x5xf64>, tensor<3x5xf64>
  %sub_column.l = nova.reduce sum %sub_column.z over [0, 1] : tensor<3x5xf64>
  %mul_outer = nova.mul %mul_outer.a, %mul_outer.b : tensor<3x1xf64>, tensor<2x1x5xf64>
  %mul_outer.z = nova.mul %mul_outer, %mul_outer.w : tensor<2x3x5xf64>, tensor<2x3x5xf64>
  %mul_outer.l = nova.reduce sum %mul_outer.z over [0, 1, 2] : tensor<2x3x5xf64>
  %div = nova.div %div.a, %div.b : tensor<3x5xf64>, tensor<3x5xf64>
  %div.z = nova.mul %div, %div.w : tensor<3x5xf64>, tensor<3x5xf64>
  %div.l = nova.reduce sum %div.z over [0, 1] : tensor<3x5xf64>
  %div_scalar = nova.div %div_scalar.a, %div_scalar.b : tensor<3x5xf64>, tensor<f64>
  %div_scalar.z = nova.mul %div_scalar, %div_scalar.w : tensor<3x5xf64>, tensor<3x5xf64>
  %div_scalar.l = nova.reduce sum %div_scalar.z over [0, 1] : tensor<3x5xf64>
  %pow = nova.pow %pow.a, %pow.b : tensor<3x5xf64>, tensor<3x5xf64>
  %pow.z = nova.mul %pow, %pow.w : tensor<3x5xf64>, tensor<3x5xf64>
  %pow.l = nova.reduce sum %pow.z over [0, 1] : tensor<3x5xf64>
  %pow_zeros = nova.pow %pow_zeros.a, %pow_zeros.b : tensor<3xf64>, tensor<3xf64>
  %pow_zeros.z = nova.mul %pow_zeros, %pow_zeros.w : tensor<3xf64>, tensor<3xf64>
  %pow_zeros.l = nova.reduce sum %pow_zeros.z over [0] : tensor<3xf64>
  %mod_column = nova.mod %mod_column.a, %mod_column.b : tensor<3x5xf64>, tensor<3x1xf64>
  %mod_column.z = nova.mul %mod_column, %mod_column.w : tensor<3x5xf64>, tensor<3x5xf64>
  %mod_column.l = nova.reduce sum %mod_column.z over [0, 1] : tensor<3x5xf64>
  %clamp = nova.clamp %clamp.x, %clamp.low, %clamp.high : tensor<4x6xf64>, tensor<6xf64>, tensor<f64>
  %clamp.z = nova.mul %clamp, %clamp.w : tensor<4x6xf64>, tensor<4x6xf64>
  %clamp.l = nova.reduce sum %clamp.z over [0, 1] : tensor<4x6xf64>
  %max = nova.max %max.a, %max.b : tensor<3x5xf64>, tensor<3x5xf64>
  %max.z = nova.mul %max, %max.w : tensor<3x5xf64>, tensor<3x5xf64>
  %max.l = nova.reduce sum %max.z over [0, 1] : tensor<3x5xf64>
  %min_row = nova.min %min_row.a, %min_row.b : tensor<3x5xf64>, tensor<5xf64>
  %min_row.z = nova.mul %min_row, %min_row.w : tensor<3x5xf64>, tensor<3x5xf64>
  %min_row.l = nova.reduce sum %min_row.z over [0, 1] : tensor<3x5xf64>
  %select = nova.select %select.c, %select.a, %select.b : tensor<3x5xi1>, tensor<3x5xf64>, tensor<5xf64>
  %select.z = nova.mul %select, %select.w : tensor<3x5xf64>, tensor<3x5xf64>
  %select.l = nova.reduce sum %select.z over [0, 1] : tensor<3x5xf64>
  %broadcast_in_dim = nova.broadcast_in_dim %broadcast_in_dim.x dims = [0, 2] : tensor<4x1xf64> -> tensor<4x3x5xf64>
  %broadcast_in_dim.z = nova.mul %broadcast_in_dim, %broadcast_in_dim.w : tensor<4x3x5xf64>, tensor<4x3x5xf64>
  %broadcast_in_dim.l = nova.reduce sum %broadcast_in_dim.z over [0, 1, 2] : tensor<4x3x5xf64>
  %reshape = nova.reshape %reshape.x : tensor<4x6xf64> -> tensor<3x8xf64>
  %reshape.z = nova.mul %reshape, %reshape.w : tensor<3x8xf64>, tensor<3x8xf64>
  %reshape.l = nova.reduce sum %reshape.z over [0, 1] : tensor<3x8xf64>
  %transpose = nova.transpose %transpose.x [2, 0, 1] : tensor<2x3x4xf64>
  %transpose.z = nova.mul %transpose, %transpose.w : tensor<4x2x3xf64>, tensor<4x2x3xf64>
  %transpose.l = nova.reduce sum %transpose.z over [0, 1, 2] : tensor<4x2x3xf64>
  %slice = nova.slice %slice.x starts = [1, 1] limits = [3, 9] strides = [1, 3] : tensor<4x10xf64> -> tensor<2x3xf64>
  %slice.z = nova.mul %slice, %slice.w : tensor<2x3xf64>, tensor<2x3xf64>
  %slice.l = nova.reduce sum %slice.z over [0, 1] : tensor<2x3xf64>
  %pad = nova.pad %pad.x, %pad.v low = [1, 0] high = [0, 2] interior = [0, 1] : tensor<3x4xf64>, tensor<f64> -> tensor<4x9xf64>
  %pad.z = nova.mul %pad, %pad.w : tensor<4x9xf64>, tensor<4x9xf64>
  %pad.l = nova.reduce sum %pad.z over [0, 1] : tensor<4x9xf64>
  %concat = nova.concat %concat.a, %concat.b axis = 1 : (tensor<2x3xf64>, tensor<2x4xf64>) -> tensor<2x7xf64>
  %concat.z = nova.mul %concat, %concat.w : tensor<2x7xf64>, tensor<2x7xf64>
  %concat.l = nova.reduce sum %concat.z over [0, 1] : tensor<2x7xf64>
  %gather = nova.gather %gather.t[%gather.i] : tensor<6x3xf64>, tensor<2x4xi32>
  %gather.z = nova.mul %gather, %gather.w : tensor<2x4x3xf64>, tensor<2x4x3xf64>
  %gather.l = nova.reduce sum %gather.z over [0, 1, 2] : tensor<2x4x3xf64>
  %gather_axis_1 = nova.gather %gather_axis_1.t[%gather_axis_1.i] {axis = 1} : tensor<2x6x3xf64>, tensor<2x4xi32>
  %gather_axis_1.z = nova.mul %gather_axis_1, %gather_axis_1.w : tensor<2x2x4x3xf64>, tensor<2x2x4x3xf64>
  %gather_axis_1.l = nova.reduce sum %gather_axis_1.z over [0, 1, 2, 3] : tensor<2x2x4x3xf64>
  %scatter_add = nova.scatter_add %scatter_add.x[%scatter_add.i], %scatter_add.u : tensor<6x3xf64>, tensor<5xi32>, tensor<5x3xf64>
  %scatter_add.z = nova.mul %scatter_add, %scatter_add.w : tensor<6x3xf64>, tensor<6x3xf64>
  %scatter_add.l = nova.reduce sum %scatter_add.z over [0, 1] : tensor<6x3xf64>
  %dynamic_slice = nova.dynamic_slice %dynamic_slice.x[%dynamic_slice.i] sizes = [2, 5] : tensor<4x10xf64>, tensor<2xi32> -> tensor<2x5xf64>
  %dynamic_slice.z = nova.mul %dynamic_slice, %dynamic_slice.w : tensor<2x5xf64>, tensor<2x5xf64>
  %dynamic_slice.l = nova.reduce sum %dynamic_slice.z over [0, 1] : tensor<2x5xf64>
  %dynamic_update_slice = nova.dynamic_update_slice %dynamic_update_slice.x[%dynamic_update_slice.i], %dynamic_update_slice.u : tensor<4x10xf64>, tensor<2xi32>, tensor<2x5xf64> -> tensor<4x10xf64>
  %dynamic_update_slice.z = nova.mul %dynamic_update_slice, %dynamic_update_slice.w : tensor<4x10xf64>, tensor<4x10xf64>
  %dynamic_update_slice.l = nova.reduce sum %dynamic_update_slice.z over [0, 1] : tensor<4x10xf64>
  %cumsum = nova.cumsum %cumsum.x {axis = 0} : tensor<3x5xf64>
  %cumsum.z = nova.mul %cumsum, %cumsum.w : tensor<3x5xf64>, tensor<3x5xf64>
  %cumsum.l = nova.reduce sum %cumsum.z over [0, 1] : tensor<3x5xf64>
  %cumsum_reverse = nova.cumsum %cumsum_reverse.x {reverse} : tensor<3x5xf64>
  %cumsum_reverse.z = nova.mul %cumsum_reverse, %cumsum_reverse.w : tensor<3x5xf64>, tensor<3x5xf64>
  %cumsum_reverse.l = nova.reduce sum %cumsum_reverse.z over [0, 1] : tensor<3x5xf64>
  %log_softmax = nova.log_softmax %log_softmax.x {axis = 0} : tensor<3x5xf64>
  %log_softmax.z = nova.mul %log_softmax, %log_softmax.w : tensor<3x5xf64>, tensor<3x5xf64>
  %log_softmax.l = nova.reduce sum %log_softmax.z over [0, 1] : tensor<3x5xf64>
  %logsumexp = nova.logsumexp %logsumexp.x over [0, 2] : tensor<3x5x2xf64>
  %logsumexp.z = nova.mul %logsumexp, %logsumexp.w : tensor<5xf64>, tensor<5xf64>
  %logsumexp.l = nova.reduce sum %logsumexp.z over [0] : tensor<5xf64>
  %logsumexp_none = nova.logsumexp %logsumexp_none.x over [1] {keep_dims} : tensor<2x3xf64>
  %logsumexp_none.z = nova.mul %logsumexp_none, %logsumexp_none.w : tensor<2x1xf64>, tensor<2x1xf64>
  %logsumexp_none.l = nova.reduce sum %logsumexp_none.z over [0, 1] : tensor<2x1xf64>
  %conv2d = nova.conv2d %conv2d.x, %conv2d.f strides = [2, 1] padding = [1, 2] {dilation = array<i64: 1, 2>, groups = 2} : tensor<2x4x7x6xf64>, tensor<6x2x3x2xf64>
  %conv2d.z = nova.mul %conv2d, %conv2d.w : tensor<2x6x4x8xf64>, tensor<2x6x4x8xf64>
  %conv2d.l = nova.reduce sum %conv2d.z over [0, 1, 2, 3] : tensor<2x6x4x8xf64>
  %sum = nova.reduce sum %sum.x over [0, 2] : tensor<2x3x4xf64>
  %sum.z = nova.mul %sum, %sum.w : tensor<3xf64>, tensor<3xf64>
  %sum.l = nova.reduce sum %sum.z over [0] : tensor<3xf64>
  %mean = nova.reduce mean %mean.x over [1] {keep_dims} : tensor<2x3x4xf64>
  %mean.z = nova.mul %mean, %mean.w : tensor<2x1x4xf64>, tensor<2x1x4xf64>
  %mean.l = nova.reduce sum %mean.z over [0, 1, 2] : tensor<2x1x4xf64>
  %amax = nova.reduce max %amax.x over [0, 2] : tensor<2x3x4xf64>
  %amax.z = nova.mul %amax, %amax.w : tensor<3xf64>, tensor<3xf64>
  %amax.l = nova.reduce sum %amax.z over [0] : tensor<3xf64>
  %amin = nova.reduce min %amin.x over [2] : tensor<2x3x4xf64>
  %amin.z = nova.mul %amin, %amin.w : tensor<2x3xf64>, tensor<2x3xf64>
  %amin.l = nova.reduce sum %amin.z over [0, 1] : tensor<2x3xf64>
  %product = nova.reduce product %product.x over [1] : tensor<5x4xf64>
  %product.z = nova.mul %product, %product.w : tensor<5xf64>, tensor<5xf64>
  %product.l = nova.reduce sum %product.z over [0] : tensor<5xf64>
  %softmax = nova.softmax %softmax.x {axis = 0} : tensor<3x5xf64>
  %softmax.z = nova.mul %softmax, %softmax.w : tensor<3x5xf64>, tensor<3x5xf64>
  %softmax.l = nova.reduce sum %softmax.z over [0, 1] : tensor<3x5xf64>
  %matmul = nova.matmul %matmul.a, %matmul.b : tensor<3x4xf64>, tensor<4x5xf64>
  %matmul.z = nova.mul %matmul, %matmul.w : tensor<3x5xf64>, tensor<3x5xf64>
  %matmul.l = nova.reduce sum %matmul.z over [0, 1] : tensor<3x5xf64>
  %matmul_nt = nova.matmul %matmul_nt.a, %matmul_nt.b {transpose_rhs} : tensor<3x4xf64>, tensor<5x4xf64>
  %matmul_nt.z = nova.mul %matmul_nt, %matmul_nt.w : tensor<3x5xf64>, tensor<3x5xf64>
  %matmul_nt.l = nova.reduce sum %matmul_nt.z over [0, 1] : tensor<3x5xf64>
  %matmul_tn = nova.matmul %matmul_tn.a, %matmul_tn.b {transpose_lhs} : tensor<4x3xf64>, tensor<4x5xf64>
  %matmul_tn.z = nova.mul %matmul_tn, %matmul_tn.w : tensor<3x5xf64>, tensor<3x5xf64>
  %matmul_tn.l = nova.reduce sum %matmul_tn.z over [0, 1] : tensor<3x5xf64>
  %matmul_tt = nova.matmul %matmul_tt.a, %matmul_tt.b {transpose_lhs, transpose_rhs} : tensor<4x3xf64>, tensor<5x4xf64>
  %matmul_tt.z = nova.mul %matmul_tt, %matmul_tt.w : tensor<3x5xf64>, tensor<3x5xf64>
  %matmul_tt.l = nova.reduce sum %matmul_tt.z over [0, 1] : tensor<3x5xf64>
  %matmul_weight = nova.matmul %matmul_weight.a, %matmul_weight.b : tensor<2x3x4xf64>, tensor<4x5xf64>
  %matmul_weight.z = nova.mul %matmul_weight, %matmul_weight.w : tensor<2x3x5xf64>, tensor<2x3x5xf64>
  %matmul_weight.l = nova.reduce sum %matmul_weight.z over [0, 1, 2] : tensor<2x3x5xf64>
  %matmul_weight_nt = nova.matmul %matmul_weight_nt.a, %matmul_weight_nt.b {transpose_rhs} : tensor<2x3x4xf64>, tensor<1x5x4xf64>
  %matmul_weight_nt.z = nova.mul %matmul_weight_nt, %matmul_weight_nt.w : tensor<2x3x5xf64>, tensor<2x3x5xf64>
  %matmul_weight_nt.l = nova.reduce sum %matmul_weight_nt.z over [0, 1, 2] : tensor<2x3x5xf64>
  %matmul_shared_lhs = nova.matmul %matmul_shared_lhs.a, %matmul_shared_lhs.b : tensor<3x4xf64>, tensor<2x4x5xf64>
  %matmul_shared_lhs.z = nova.mul %matmul_shared_lhs, %matmul_shared_lhs.w : tensor<2x3x5xf64>, tensor<2x3x5xf64>
  %matmul_shared_lhs.l = nova.reduce sum %matmul_shared_lhs.z over [0, 1, 2] : tensor<2x3x5xf64>
  %matmul_batches = nova.matmul %matmul_batches.a, %matmul_batches.b {transpose_rhs} : tensor<3x1x2x4xf64>, tensor<2x5x4xf64>
  %matmul_batches.z = nova.mul %matmul_batches, %matmul_batches.w : tensor<3x2x2x5xf64>, tensor<3x2x2x5xf64>
  %matmul_batches.l = nova.reduce sum %matmul_batches.z over [0, 1, 2, 3] : tensor<3x2x2x5xf64>
  %attention, %attention.lse = nova.attention %attention.q, %attention.k, %attention.v : tensor<2x2x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>
  %attention.z = nova.mul %attention, %attention.w : tensor<2x2x4x2xf64>, tensor<2x2x4x2xf64>
  %attention.l = nova.reduce sum %attention.z over [0, 1, 2, 3] : tensor<2x2x4x2xf64>
  %attention_causal, %attention_causal.lse = nova.attention %attention_causal.q, %attention_causal.k, %attention_causal.v {causal, scale = 0.5} : tensor<1x2x4x3xf64>, tensor<1x2x6x3xf64>, tensor<1x2x6x3xf64>
  %attention_causal.z = nova.mul %attention_causal, %attention_causal.w : tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>
  %attention_causal.l = nova.reduce sum %attention_causal.z over [0, 1, 2, 3] : tensor<1x2x4x3xf64>
  %attention_long, %attention_long.lse = nova.attention %attention_long.q, %attention_long.k, %attention_long.v {causal, scale = 0.5} : tensor<1x1x5x3xf64>, tensor<1x1x3x3xf64>, tensor<1x1x3x3xf64>
  %attention_long.z = nova.mul %attention_long, %attention_long.w : tensor<1x1x5x3xf64>, tensor<1x1x5x3xf64>
  %attention_long.l = nova.reduce sum %attention_long.z over [0, 1, 2, 3] : tensor<1x1x5x3xf64>
  %layer_norm = nova.layer_norm %layer_norm.x, %layer_norm.g, %layer_norm.b {eps = 1.0e-3} : tensor<2x3x8xf64>, tensor<8xf64>, tensor<8xf64>
  %layer_norm.z = nova.mul %layer_norm, %layer_norm.w : tensor<2x3x8xf64>, tensor<2x3x8xf64>
  %layer_norm.l = nova.reduce sum %layer_norm.z over [0, 1, 2] : tensor<2x3x8xf64>
  %attention_keys, %attention_keys.lse = nova.attention %attention_keys.q, %attention_keys.k, %attention_keys.v mask %attention_keys.m : tensor<2x2x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<2x1x4x5xi1>
  %attention_keys.z = nova.mul %attention_keys, %attention_keys.w : tensor<2x2x4x2xf64>, tensor<2x2x4x2xf64>
  %attention_keys.l = nova.reduce sum %attention_keys.z over [0, 1, 2, 3] : tensor<2x2x4x2xf64>
  %attention_bias, %attention_bias.lse = nova.attention %attention_bias.q, %attention_bias.k, %attention_bias.v mask %attention_bias.m {causal} : tensor<2x2x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<2x4x5xf64>
  %attention_bias.z = nova.mul %attention_bias, %attention_bias.w : tensor<2x2x4x2xf64>, tensor<2x2x4x2xf64>
  %attention_bias.l = nova.reduce sum %attention_bias.z over [0, 1, 2, 3] : tensor<2x2x4x2xf64>
  %attention_groups, %attention_groups.lse = nova.attention %attention_groups.q, %attention_groups.k, %attention_groups.v mask %attention_groups.m : tensor<2x4x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<1x5xf64>
  %attention_groups.z = nova.mul %attention_groups, %attention_groups.w : tensor<2x4x4x2xf64>, tensor<2x4x4x2xf64>
  %attention_groups.l = nova.reduce sum %attention_groups.z over [0, 1, 2, 3] : tensor<2x4x4x2xf64>
  %attention_one_group, %attention_one_group.lse = nova.attention %attention_one_group.q, %attention_one_group.k, %attention_one_group.v mask %attention_one_group.m {causal} : tensor<2x3x4x3xf64>, tensor<2x1x5x3xf64>, tensor<2x1x5x2xf64>, tensor<2x1x4x5xi1>
  %attention_one_group.z = nova.mul %attention_one_group, %attention_one_group.w : tensor<2x3x4x2xf64>, tensor<2x3x4x2xf64>
  %attention_one_group.l = nova.reduce sum %attention_one_group.z over [0, 1, 2, 3] : tensor<2x3x4x2xf64>
  %rms_norm = nova.rms_norm %rms_norm.x, %rms_norm.g {eps = 1.0e-3} : tensor<2x3x8xf64>, tensor<8xf64>
  %rms_norm.z = nova.mul %rms_norm, %rms_norm.w : tensor<2x3x8xf64>, tensor<2x3x8xf64>
  %rms_norm.l = nova.reduce sum %rms_norm.z over [0, 1, 2] : tensor<2x3x8xf64>
  %rotary = nova.rotary_embedding %rotary.x, %rotary.c, %rotary.s : tensor<2x3x10xf64>, tensor<3x4xf64>, tensor<3x4xf64>
  %rotary.z = nova.mul %rotary, %rotary.w : tensor<2x3x10xf64>, tensor<2x3x10xf64>
  %rotary.l = nova.reduce sum %rotary.z over [0, 1, 2] : tensor<2x3x10xf64>
  %rotary_interleaved = nova.rotary_embedding %rotary_interleaved.x, %rotary_interleaved.c, %rotary_interleaved.s {interleaved} : tensor<2x2x3x8xf64>, tensor<2x1x3x4xf64>, tensor<2x1x3x4xf64>
  %rotary_interleaved.z = nova.mul %rotary_interleaved, %rotary_interleaved.w : tensor<2x2x3x8xf64>, tensor<2x2x3x8xf64>
  %rotary_interleaved.l = nova.reduce sum %rotary_interleaved.z over [0, 1, 2, 3] : tensor<2x2x3x8xf64>
  %mse = nova.mse %mse.x, %mse.t {reduction = #nova.reduction<mean>} : tensor<4x5xf64>, tensor<4x5xf64>
  %mse.z = nova.mul %mse, %mse.w : tensor<f64>, tensor<f64>
  %mse.l = nova.reduce sum %mse.z over [] : tensor<f64>
  %mae = nova.mae %mae.x, %mae.t {reduction = #nova.reduction<sum>} : tensor<4x5xf64>, tensor<4x5xf64>
  %mae.z = nova.mul %mae, %mae.w : tensor<f64>, tensor<f64>
  %mae.l = nova.reduce sum %mae.z over [] : tensor<f64>
  %bce = nova.bce %bce.x, %bce.t {reduction = #nova.reduction<mean>} : tensor<4x5xf64>, tensor<4x5xf64>
  %bce.z = nova.mul %bce, %bce.w : tensor<f64>, tensor<f64>
  %bce.l = nova.reduce sum %bce.z over [] : tensor<f64>
  %bce_each = nova.bce %bce_each.x, %bce_each.t {reduction = #nova.reduction<none>} : tensor<4x5xf64>, tensor<4x5xf64>
  %bce_each.z = nova.mul %bce_each, %bce_each.w : tensor<4x5xf64>, tensor<4x5xf64>
  %bce_each.l = nova.reduce sum %bce_each.z over [0, 1] : tensor<4x5xf64>
  %cce = nova.cce %cce.x, %cce.t {reduction = #nova.reduction<mean>} : tensor<4x5xf64>, tensor<4x5xf64>
  %cce.z = nova.mul %cce, %cce.w : tensor<f64>, tensor<f64>
  %cce.l = nova.reduce sum %cce.z over [] : tensor<f64>
  %cce_each = nova.cce %cce_each.x, %cce_each.t {reduction = #nova.reduction<none>} : tensor<4x5xf64>, tensor<4x5xf64>
  %cce_each.z = nova.mul %cce_each, %cce_each.w : tensor<4xf64>, tensor<4xf64>
  %cce_each.l = nova.reduce sum %cce_each.z over [0] : tensor<4xf64>
  %cross_entropy_smooth = nova.cross_entropy %cross_entropy_smooth.x, %cross_entropy_smooth.t {label_smoothing = 0.25, ignore_index = 3} : tensor<5x7xf64>, tensor<5xi32>
  %cross_entropy_smooth.z = nova.mul %cross_entropy_smooth, %cross_entropy_smooth.w : tensor<f64>, tensor<f64>
  %cross_entropy_smooth.l = nova.reduce sum %cross_entropy_smooth.z over [] : tensor<f64>
  %cross_entropy = nova.cross_entropy %cross_entropy.x, %cross_entropy.t : tensor<5x7xf64>, tensor<5xi32>
  %cross_entropy.z = nova.mul %cross_entropy, %cross_entropy.w : tensor<f64>, tensor<f64>
  %cross_entropy.l = nova.reduce sum %cross_entropy.z over [] : tensor<f64>
  %cross_entropy_ignore = nova.cross_entropy %cross_entropy_ignore.x, %cross_entropy_ignore.t {ignore_index = 3} : tensor<5x7xf64>, tensor<5xi32>
  %cross_entropy_ignore.z = nova.mul %cross_entropy_ignore, %cross_entropy_ignore.w : tensor<f64>, tensor<f64>
  %cross_entropy_ignore.l = nova.reduce sum %cross_entropy_ignore.z over [] : tensor<f64>
  %cross_entropy_sum = nova.cross_entropy %cross_entropy_sum.x, %cross_entropy_sum.t {reduction = #nova.reduction<sum>} : tensor<5x7xf64>, tensor<5xi32>
  %cross_entropy_sum.z = nova.mul %cross_entropy_sum, %cross_entropy_sum.w : tensor<f64>, tensor<f64>
  %cross_entropy_sum.l = nova.reduce sum %cross_entropy_sum.z over [] : tensor<f64>
  %cross_entropy_rows = nova.cross_entropy %cross_entropy_rows.x, %cross_entropy_rows.t {reduction = #nova.reduction<none>, ignore_index = 3} : tensor<5x7xf64>, tensor<5xi32>
  %cross_entropy_rows.z = nova.mul %cross_entropy_rows, %cross_entropy_rows.w : tensor<5xf64>, tensor<5xf64>
  %cross_entropy_rows.l = nova.reduce sum %cross_entropy_rows.z over [0] : tensor<5xf64>
  %gelu_grad_tanh = nova.gelu_grad tanh %gelu_grad_tanh.d, %gelu_grad_tanh.x : tensor<3x5xf64>, tensor<3x5xf64>
  %gelu_grad_tanh.z = nova.mul %gelu_grad_tanh, %gelu_grad_tanh.w : tensor<3x5xf64>, tensor<3x5xf64>
  %gelu_grad_tanh.l = nova.reduce sum %gelu_grad_tanh.z over [0, 1] : tensor<3x5xf64>
  %gelu_grad_exact = nova.gelu_grad exact %gelu_grad_exact.d, %gelu_grad_exact.x : tensor<3x5xf64>, tensor<3x5xf64>
  %gelu_grad_exact.z = nova.mul %gelu_grad_exact, %gelu_grad_exact.w : tensor<3x5xf64>, tensor<3x5xf64>
  %gelu_grad_exact.l = nova.reduce sum %gelu_grad_exact.z over [0, 1] : tensor<3x5xf64>
  %softmax_grad = nova.softmax_grad %softmax_grad.d, %softmax_grad.y {axis = 0} : tensor<3x5xf64>, tensor<3x5xf64>
  %softmax_grad.z = nova.mul %softmax_grad, %softmax_grad.w : tensor<3x5xf64>, tensor<3x5xf64>
  %softmax_grad.l = nova.reduce sum %softmax_grad.z over [0, 1] : tensor<3x5xf64>
  %stop_gradient = nova.stop_gradient %stop_gradient.x : tensor<3x5xf64>
  %stop_gradient.z = nova.mul %stop_gradient, %stop_gradient.w : tensor<3x5xf64>, tensor<3x5xf64>
  %stop_gradient.l = nova.reduce sum %stop_gradient.z over [0, 1] : tensor<3x5xf64>
  %abs.sum = nova.add %0, %abs.l : tensor<f64>, tensor<f64>
  %neg.sum = nova.add %abs.sum, %neg.l : tensor<f64>, tensor<f64>
  %sign.sum = nova.add %neg.sum, %sign.l : tensor<f64>, tensor<f64>
  %square.sum = nova.add %sign.sum, %square.l : tensor<f64>, tensor<f64>
  %sqrt.sum = nova.add %square.sum, %sqrt.l : tensor<f64>, tensor<f64>
  %rsqrt.sum = nova.add %sqrt.sum, %rsqrt.l : tensor<f64>, tensor<f64>
  %reciprocal.sum = nova.add %rsqrt.sum, %reciprocal.l : tensor<f64>, tensor<f64>
  %exp.sum = nova.add %reciprocal.sum, %exp.l : tensor<f64>, tensor<f64>
  %exp2.sum = nova.add %exp.sum, %exp2.l : tensor<f64>, tensor<f64>
  %expm1.sum = nova.add %exp2.sum, %expm1.l : tensor<f64>, tensor<f64>
  %log.sum = nova.add %expm1.sum, %log.l : tensor<f64>, tensor<f64>
  %log2.sum = nova.add %log.sum, %log2.l : tensor<f64>, tensor<f64>
  %log10.sum = nova.add %log2.sum, %log10.l : tensor<f64>, tensor<f64>
  %log1p.sum = nova.add %log10.sum, %log1p.l : tensor<f64>, tensor<f64>
  %sin.sum = nova.add %log1p.sum, %sin.l : tensor<f64>, tensor<f64>
  %cos.sum = nova.add %sin.sum, %cos.l : tensor<f64>, tensor<f64>
  %tan.sum = nova.add %cos.sum, %tan.l : tensor<f64>, tensor<f64>
  %asin.sum = nova.add %tan.sum, %asin.l : tensor<f64>, tensor<f64>
  %acos.sum = nova.add %asin.sum, %acos.l : tensor<f64>, tensor<f64>
  %atan.sum = nova.add %acos.sum, %atan.l : tensor<f64>, tensor<f64>
  %sinh.sum = nova.add %atan.sum, %sinh.l : tensor<f64>, tensor<f64>
  %cosh.sum = nova.add %sinh.sum, %cosh.l : tensor<f64>, tensor<f64>
  %asinh.sum = nova.add %cosh.sum, %asinh.l : tensor<f64>, tensor<f64>
  %acosh.sum = nova.add %asinh.sum, %acosh.l : tensor<f64>, tensor<f64>
  %atanh.sum = nova.add %acosh.sum, %atanh.l : tensor<f64>, tensor<f64>
  %floor.sum = nova.add %atanh.sum, %floor.l : tensor<f64>, tensor<f64>
  %ceil.sum = nova.add %floor.sum, %ceil.l : tensor<f64>, tensor<f64>
  %round.sum = nova.add %ceil.sum, %round.l : tensor<f64>, tensor<f64>
  %tanh.sum = nova.add %round.sum, %tanh.l : tensor<f64>, tensor<f64>
  %erf.sum = nova.add %tanh.sum, %erf.l : tensor<f64>, tensor<f64>
  %relu.sum = nova.add %erf.sum, %relu.l : tensor<f64>, tensor<f64>
  %sigmoid.sum = nova.add %relu.sum, %sigmoid.l : tensor<f64>, tensor<f64>
  %silu.sum = nova.add %sigmoid.sum, %silu.l : tensor<f64>, tensor<f64>
  %gelu_tanh.sum = nova.add %silu.sum, %gelu_tanh.l : tensor<f64>, tensor<f64>
  %gelu_exact.sum = nova.add %gelu_tanh.sum, %gelu_exact.l : tensor<f64>, tensor<f64>
  %add.sum = nova.add %gelu_exact.sum, %add.l : tensor<f64>, tensor<f64>
  %add_row.sum = nova.add %add.sum, %add_row.l : tensor<f64>, tensor<f64>
  %sub_column.sum = nova.add %add_row.sum, %sub_column.l : tensor<f64>, tensor<f64>
  %mul_outer.sum = nova.add %sub_column.sum, %mul_outer.l : tensor<f64>, tensor<f64>
  %div.sum = nova.add %mul_outer.sum, %div.l : tensor<f64>, tensor<f64>
  %div_scalar.sum = nova.add %div.sum, %div_scalar.l : tensor<f64>, tensor<f64>
  %pow.sum = nova.add %div_scalar.sum, %pow.l : tensor<f64>, tensor<f64>
  %pow_zeros.sum = nova.add %pow.sum, %pow_zeros.l : tensor<f64>, tensor<f64>
  %mod_column.sum = nova.add %pow_zeros.sum, %mod_column.l : tensor<f64>, tensor<f64>
  %clamp.sum = nova.add %mod_column.sum, %clamp.l : tensor<f64>, tensor<f64>
  %max.sum = nova.add %clamp.sum, %max.l : tensor<f64>, tensor<f64>
  %min_row.sum = nova.add %max.sum, %min_row.l : tensor<f64>, tensor<f64>
  %select.sum = nova.add %min_row.sum, %select.l : tensor<f64>, tensor<f64>
  %broadcast_in_dim.sum = nova.add %select.sum, %broadcast_in_dim.l : tensor<f64>, tensor<f64>
  %reshape.sum = nova.add %broadcast_in_dim.sum, %reshape.l : tensor<f64>, tensor<f64>
  %transpose.sum = nova.add %reshape.sum, %transpose.l : tensor<f64>, tensor<f64>
  %slice.sum = nova.add %transpose.sum, %slice.l : tensor<f64>, tensor<f64>
  %pad.sum = nova.add %slice.sum, %pad.l : tensor<f64>, tensor<f64>
  %concat.sum = nova.add %pad.sum, %concat.l : tensor<f64>, tensor<f64>
  %gather.sum = nova.add %concat.sum, %gather.l : tensor<f64>, tensor<f64>
  %gather_axis_1.sum = nova.add %gather.sum, %gather_axis_1.l : tensor<f64>, tensor<f64>
  %scatter_add.sum = nova.add %gather_axis_1.sum, %scatter_add.l : tensor<f64>, tensor<f64>
  %dynamic_slice.sum = nova.add %scatter_add.sum, %dynamic_slice.l : tensor<f64>, tensor<f64>
  %dynamic_update_slice.sum = nova.add %dynamic_slice.sum, %dynamic_update_slice.l : tensor<f64>, tensor<f64>
  %cumsum.sum = nova.add %dynamic_update_slice.sum, %cumsum.l : tensor<f64>, tensor<f64>
  %cumsum_reverse.sum = nova.add %cumsum.sum, %cumsum_reverse.l : tensor<f64>, tensor<f64>
  %log_softmax.sum = nova.add %cumsum_reverse.sum, %log_softmax.l : tensor<f64>, tensor<f64>
  %logsumexp.sum = nova.add %log_softmax.sum, %logsumexp.l : tensor<f64>, tensor<f64>
  %logsumexp_none.sum = nova.add %logsumexp.sum, %logsumexp_none.l : tensor<f64>, tensor<f64>
  %conv2d.sum = nova.add %logsumexp_none.sum, %conv2d.l : tensor<f64>, tensor<f64>
  %sum.sum = nova.add %conv2d.sum, %sum.l : tensor<f64>, tensor<f64>
  %mean.sum = nova.add %sum.sum, %mean.l : tensor<f64>, tensor<f64>
  %amax.sum = nova.add %mean.sum, %amax.l : tensor<f64>, tensor<f64>
  %amin.sum = nova.add %amax.sum, %amin.l : tensor<f64>, tensor<f64>
  %product.sum = nova.add %amin.sum, %product.l : tensor<f64>, tensor<f64>
  %softmax.sum = nova.add %product.sum, %softmax.l : tensor<f64>, tensor<f64>
  %matmul.sum = nova.add %softmax.sum, %matmul.l : tensor<f64>, tensor<f64>
  %matmul_nt.sum = nova.add %matmul.sum, %matmul_nt.l : tensor<f64>, tensor<f64>
  %matmul_tn.sum = nova.add %matmul_nt.sum, %matmul_tn.l : tensor<f64>, tensor<f64>
  %matmul_tt.sum = nova.add %matmul_tn.sum, %matmul_tt.l : tensor<f64>, tensor<f64>
  %matmul_weight.sum = nova.add %matmul_tt.sum, %matmul_weight.l : tensor<f64>, tensor<f64>
  %matmul_weight_nt.sum = nova.add %matmul_weight.sum, %matmul_weight_nt.l : tensor<f64>, tensor<f64>
  %matmul_shared_lhs.sum = nova.add %matmul_weight_nt.sum, %matmul_shared_lhs.l : tensor<f64>, tensor<f64>
  %matmul_batches.sum = nova.add %matmul_shared_lhs.sum, %matmul_batches.l : tensor<f64>, tensor<f64>
  %attention.sum = nova.add %matmul_batches.sum, %attention.l : tensor<f64>, tensor<f64>
  %attention_causal.sum = nova.add %attention.sum, %attention_causal.l : tensor<f64>, tensor<f64>
  %attention_long.sum = nova.add %attention_causal.sum, %attention_long.l : tensor<f64>, tensor<f64>
  %layer_norm.sum = nova.add %attention_long.sum, %layer_norm.l : tensor<f64>, tensor<f64>
  %attention_keys.sum = nova.add %layer_norm.sum, %attention_keys.l : tensor<f64>, tensor<f64>
  %attention_bias.sum = nova.add %attention_keys.sum, %attention_bias.l : tensor<f64>, tensor<f64>
  %attention_groups.sum = nova.add %attention_bias.sum, %attention_groups.l : tensor<f64>, tensor<f64>
  %attention_one_group.sum = nova.add %attention_groups.sum, %attention_one_group.l : tensor<f64>, tensor<f64>
  %rms_norm.sum = nova.add %attention_one_group.sum, %rms_norm.l : tensor<f64>, tensor<f64>
  %rotary.sum = nova.add %rms_norm.sum, %rotary.l : tensor<f64>, tensor<f64>
  %rotary_interleaved.sum = nova.add %rotary.sum, %rotary_interleaved.l : tensor<f64>, tensor<f64>
  %mse.sum = nova.add %rotary_interleaved.sum, %mse.l : tensor<f64>, tensor<f64>
  %mae.sum = nova.add %mse.sum, %mae.l : tensor<f64>, tensor<f64>
  %bce.sum = nova.add %mae.sum, %bce.l : tensor<f64>, tensor<f64>
  %bce_each.sum = nova.add %bce.sum, %bce_each.l : tensor<f64>, tensor<f64>
  %cce.sum = nova.add %bce_each.sum, %cce.l : tensor<f64>, tensor<f64>
  %cce_each.sum = nova.add %cce.sum, %cce_each.l : tensor<f64>, tensor<f64>
  %cross_entropy_smooth.sum = nova.add %cce_each.sum, %cross_entropy_smooth.l : tensor<f64>, tensor<f64>
  %cross_entropy.sum = nova.add %cross_entropy_smooth.sum, %cross_entropy.l : tensor<f64>, tensor<f64>
  %cross_entropy_ignore.sum = nova.add %cross_entropy.sum, %cross_entropy_ignore.l : tensor<f64>, tensor<f64>
  %cross_entropy_sum.sum = nova.add %cross_entropy_ignore.sum, %cross_entropy_sum.l : tensor<f64>, tensor<f64>
  %cross_entropy_rows.sum = nova.add %cross_entropy_sum.sum, %cross_entropy_rows.l : tensor<f64>, tensor<f64>
  %gelu_grad_tanh.sum = nova.add %cross_entropy_rows.sum, %gelu_grad_tanh.l : tensor<f64>, tensor<f64>
  %gelu_grad_exact.sum = nova.add %gelu_grad_tanh.sum, %gelu_grad_exact.l : tensor<f64>, tensor<f64>
  %softmax_grad.sum = nova.add %gelu_grad_exact.sum, %softmax_grad.l : tensor<f64>, tensor<f64>
  %stop_gradient.sum = nova.add %softmax_grad.sum, %stop_gradient.l : tensor<f64>, tensor<f64>
  return %stop_gradient.sum : tensor<f64>
}

func.func @gradients(
    %abs.x: tensor<3x5xf64> {nova.name = "abs.x"},
    %abs.w: tensor<3x5xf64> {nova.name = "abs.w"},
    %neg.x: tensor<3x5xf64> {nova.name = "neg.x"},
    %neg.w: tensor<3x5xf64> {nova.name = "neg.w"},
    %sign.x: tensor<3x5xf64> {nova.name = "sign.x"},
    %sign.w: tensor<3x5xf64> {nova.name = "sign.w"},
    %square.x: tensor<3x5xf64> {nova.name = "square.x"},
    %square.w: tensor<3x5xf64> {nova.name = "square.w"},
    %sqrt.x: tensor<3x5xf64> {nova.name = "sqrt.x"},
    %sqrt.w: tensor<3x5xf64> {nova.name = "sqrt.w"},
    %rsqrt.x: tensor<3x5xf64> {nova.name = "rsqrt.x"},
    %rsqrt.w: tensor<3x5xf64> {nova.name = "rsqrt.w"},
    %reciprocal.x: tensor<3x5xf64> {nova.name = "reciprocal.x"},
    %reciprocal.w: tensor<3x5xf64> {nova.name = "reciprocal.w"},
    %exp.x: tensor<3x5xf64> {nova.name = "exp.x"},
    %exp.w: tensor<3x5xf64> {nova.name = "exp.w"},
    %exp2.x: tensor<3x5xf64> {nova.name = "exp2.x"},
    %exp2.w: tensor<3x5xf64> {nova.name = "exp2.w"},
    %expm1.x: tensor<3x5xf64> {nova.name = "expm1.x"},
    %expm1.w: tensor<3x5xf64> {nova.name = "expm1.w"},
    %log.x: tensor<3x5xf64> {nova.name = "log.x"},
    %log.w: tensor<3x5xf64> {nova.name = "log.w"},
    %log2.x: tensor<3x5xf64> {nova.name = "log2.x"},
    %log2.w: tensor<3x5xf64> {nova.name = "log2.w"},
    %log10.x: tensor<3x5xf64> {nova.name = "log10.x"},
    %log10.w: tensor<3x5xf64> {nova.name = "log10.w"},
    %log1p.x: tensor<3x5xf64> {nova.name = "log1p.x"},
    %log1p.w: tensor<3x5xf64> {nova.name = "log1p.w"},
    %sin.x: tensor<3x5xf64> {nova.name = "sin.x"},
    %sin.w: tensor<3x5xf64> {nova.name = "sin.w"},
    %cos.x: tensor<3x5xf64> {nova.name = "cos.x"},
    %cos.w: tensor<3x5xf64> {nova.name = "cos.w"},
    %tan.x: tensor<3x5xf64> {nova.name = "tan.x"},
    %tan.w: tensor<3x5xf64> {nova.name = "tan.w"},
    %asin.x: tensor<3x5xf64> {nova.name = "asin.x"},
    %asin.w: tensor<3x5xf64> {nova.name = "asin.w"},
    %acos.x: tensor<3x5xf64> {nova.name = "acos.x"},
    %acos.w: tensor<3x5xf64> {nova.name = "acos.w"},
    %atan.x: tensor<3x5xf64> {nova.name = "atan.x"},
    %atan.w: tensor<3x5xf64> {nova.name = "atan.w"},
    %sinh.x: tensor<3x5xf64> {nova.name = "sinh.x"},
    %sinh.w: tensor<3x5xf64> {nova.name = "sinh.w"},
    %cosh.x: tensor<3x5xf64> {nova.name = "cosh.x"},
    %cosh.w: tensor<3x5xf64> {nova.name = "cosh.w"},
    %asinh.x: tensor<3x5xf64> {nova.name = "asinh.x"},
    %asinh.w: tensor<3x5xf64> {nova.name = "asinh.w"},
    %acosh.x: tensor<3x5xf64> {nova.name = "acosh.x"},
    %acosh.w: tensor<3x5xf64> {nova.name = "acosh.w"},
    %atanh.x: tensor<3x5xf64> {nova.name = "atanh.x"},
    %atanh.w: tensor<3x5xf64> {nova.name = "atanh.w"},
    %floor.x: tensor<3x5xf64> {nova.name = "floor.x"},
    %floor.w: tensor<3x5xf64> {nova.name = "floor.w"},
    %ceil.x: tensor<3x5xf64> {nova.name = "ceil.x"},
    %ceil.w: tensor<3x5xf64> {nova.name = "ceil.w"},
    %round.x: tensor<3x5xf64> {nova.name = "round.x"},
    %round.w: tensor<3x5xf64> {nova.name = "round.w"},
    %tanh.x: tensor<3x5xf64> {nova.name = "tanh.x"},
    %tanh.w: tensor<3x5xf64> {nova.name = "tanh.w"},
    %erf.x: tensor<3x5xf64> {nova.name = "erf.x"},
    %erf.w: tensor<3x5xf64> {nova.name = "erf.w"},
    %relu.x: tensor<3x5xf64> {nova.name = "relu.x"},
    %relu.w: tensor<3x5xf64> {nova.name = "relu.w"},
    %sigmoid.x: tensor<3x5xf64> {nova.name = "sigmoid.x"},
    %sigmoid.w: tensor<3x5xf64> {nova.name = "sigmoid.w"},
    %silu.x: tensor<3x5xf64> {nova.name = "silu.x"},
    %silu.w: tensor<3x5xf64> {nova.name = "silu.w"},
    %gelu_tanh.x: tensor<3x5xf64> {nova.name = "gelu_tanh.x"},
    %gelu_tanh.w: tensor<3x5xf64> {nova.name = "gelu_tanh.w"},
    %gelu_exact.x: tensor<3x5xf64> {nova.name = "gelu_exact.x"},
    %gelu_exact.w: tensor<3x5xf64> {nova.name = "gelu_exact.w"},
    %add.a: tensor<3x5xf64> {nova.name = "add.a"},
    %add.b: tensor<3x5xf64> {nova.name = "add.b"},
    %add.w: tensor<3x5xf64> {nova.name = "add.w"},
    %add_row.a: tensor<3x5xf64> {nova.name = "add_row.a"},
    %add_row.b: tensor<5xf64> {nova.name = "add_row.b"},
    %add_row.w: tensor<3x5xf64> {nova.name = "add_row.w"},
    %sub_column.a: tensor<3x1xf64> {nova.name = "sub_column.a"},
    %sub_column.b: tensor<3x5xf64> {nova.name = "sub_column.b"},
    %sub_column.w: tensor<3x5xf64> {nova.name = "sub_column.w"},
    %mul_outer.a: tensor<3x1xf64> {nova.name = "mul_outer.a"},
    %mul_outer.b: tensor<2x1x5xf64> {nova.name = "mul_outer.b"},
    %mul_outer.w: tensor<2x3x5xf64> {nova.name = "mul_outer.w"},
    %div.a: tensor<3x5xf64> {nova.name = "div.a"},
    %div.b: tensor<3x5xf64> {nova.name = "div.b"},
    %div.w: tensor<3x5xf64> {nova.name = "div.w"},
    %div_scalar.a: tensor<3x5xf64> {nova.name = "div_scalar.a"},
    %div_scalar.b: tensor<f64> {nova.name = "div_scalar.b"},
    %div_scalar.w: tensor<3x5xf64> {nova.name = "div_scalar.w"},
    %pow.a: tensor<3x5xf64> {nova.name = "pow.a"},
    %pow.b: tensor<3x5xf64> {nova.name = "pow.b"},
    %pow.w: tensor<3x5xf64> {nova.name = "pow.w"},
    %pow_zeros.a: tensor<3xf64> {nova.name = "pow_zeros.a"},
    %pow_zeros.b: tensor<3xf64> {nova.name = "pow_zeros.b"},
    %pow_zeros.w: tensor<3xf64> {nova.name = "pow_zeros.w"},
    %mod_column.a: tensor<3x5xf64> {nova.name = "mod_column.a"},
    %mod_column.b: tensor<3x1xf64> {nova.name = "mod_column.b"},
    %mod_column.w: tensor<3x5xf64> {nova.name = "mod_column.w"},
    %clamp.x: tensor<4x6xf64> {nova.name = "clamp.x"},
    %clamp.low: tensor<6xf64> {nova.name = "clamp.low"},
    %clamp.high: tensor<f64> {nova.name = "clamp.high"},
    %clamp.w: tensor<4x6xf64> {nova.name = "clamp.w"},
    %max.a: tensor<3x5xf64> {nova.name = "max.a"},
    %max.b: tensor<3x5xf64> {nova.name = "max.b"},
    %max.w: tensor<3x5xf64> {nova.name = "max.w"},
    %min_row.a: tensor<3x5xf64> {nova.name = "min_row.a"},
    %min_row.b: tensor<5xf64> {nova.name = "min_row.b"},
    %min_row.w: tensor<3x5xf64> {nova.name = "min_row.w"},
    %select.c: tensor<3x5xi1> {nova.name = "select.c"},
    %select.a: tensor<3x5xf64> {nova.name = "select.a"},
    %select.b: tensor<5xf64> {nova.name = "select.b"},
    %select.w: tensor<3x5xf64> {nova.name = "select.w"},
    %broadcast_in_dim.x: tensor<4x1xf64> {nova.name = "broadcast_in_dim.x"},
    %broadcast_in_dim.w: tensor<4x3x5xf64> {nova.name = "broadcast_in_dim.w"},
    %reshape.x: tensor<4x6xf64> {nova.name = "reshape.x"},
    %reshape.w: tensor<3x8xf64> {nova.name = "reshape.w"},
    %transpose.x: tensor<2x3x4xf64> {nova.name = "transpose.x"},
    %transpose.w: tensor<4x2x3xf64> {nova.name = "transpose.w"},
    %slice.x: tensor<4x10xf64> {nova.name = "slice.x"},
    %slice.w: tensor<2x3xf64> {nova.name = "slice.w"},
    %pad.x: tensor<3x4xf64> {nova.name = "pad.x"},
    %pad.v: tensor<f64> {nova.name = "pad.v"},
    %pad.w: tensor<4x9xf64> {nova.name = "pad.w"},
    %concat.a: tensor<2x3xf64> {nova.name = "concat.a"},
    %concat.b: tensor<2x4xf64> {nova.name = "concat.b"},
    %concat.w: tensor<2x7xf64> {nova.name = "concat.w"},
    %gather.t: tensor<6x3xf64> {nova.name = "gather.t"},
    %gather.i: tensor<2x4xi32> {nova.name = "gather.i"},
    %gather.w: tensor<2x4x3xf64> {nova.name = "gather.w"},
    %gather_axis_1.t: tensor<2x6x3xf64> {nova.name = "gather_axis_1.t"},
    %gather_axis_1.i: tensor<2x4xi32> {nova.name = "gather_axis_1.i"},
    %gather_axis_1.w: tensor<2x2x4x3xf64> {nova.name = "gather_axis_1.w"},
    %scatter_add.x: tensor<6x3xf64> {nova.name = "scatter_add.x"},
    %scatter_add.i: tensor<5xi32> {nova.name = "scatter_add.i"},
    %scatter_add.u: tensor<5x3xf64> {nova.name = "scatter_add.u"},
    %scatter_add.w: tensor<6x3xf64> {nova.name = "scatter_add.w"},
    %dynamic_slice.x: tensor<4x10xf64> {nova.name = "dynamic_slice.x"},
    %dynamic_slice.i: tensor<2xi32> {nova.name = "dynamic_slice.i"},
    %dynamic_slice.w: tensor<2x5xf64> {nova.name = "dynamic_slice.w"},
    %dynamic_update_slice.x: tensor<4x10xf64> {nova.name = "dynamic_update_slice.x"},
    %dynamic_update_slice.i: tensor<2xi32> {nova.name = "dynamic_update_slice.i"},
    %dynamic_update_slice.u: tensor<2x5xf64> {nova.name = "dynamic_update_slice.u"},
    %dynamic_update_slice.w: tensor<4x10xf64> {nova.name = "dynamic_update_slice.w"},
    %cumsum.x: tensor<3x5xf64> {nova.name = "cumsum.x"},
    %cumsum.w: tensor<3x5xf64> {nova.name = "cumsum.w"},
    %cumsum_reverse.x: tensor<3x5xf64> {nova.name = "cumsum_reverse.x"},
    %cumsum_reverse.w: tensor<3x5xf64> {nova.name = "cumsum_reverse.w"},
    %log_softmax.x: tensor<3x5xf64> {nova.name = "log_softmax.x"},
    %log_softmax.w: tensor<3x5xf64> {nova.name = "log_softmax.w"},
    %logsumexp.x: tensor<3x5x2xf64> {nova.name = "logsumexp.x"},
    %logsumexp.w: tensor<5xf64> {nova.name = "logsumexp.w"},
    %logsumexp_none.x: tensor<2x3xf64> {nova.name = "logsumexp_none.x"},
    %logsumexp_none.w: tensor<2x1xf64> {nova.name = "logsumexp_none.w"},
    %conv2d.x: tensor<2x4x7x6xf64> {nova.name = "conv2d.x"},
    %conv2d.f: tensor<6x2x3x2xf64> {nova.name = "conv2d.f"},
    %conv2d.w: tensor<2x6x4x8xf64> {nova.name = "conv2d.w"},
    %sum.x: tensor<2x3x4xf64> {nova.name = "sum.x"},
    %sum.w: tensor<3xf64> {nova.name = "sum.w"},
    %mean.x: tensor<2x3x4xf64> {nova.name = "mean.x"},
    %mean.w: tensor<2x1x4xf64> {nova.name = "mean.w"},
    %amax.x: tensor<2x3x4xf64> {nova.name = "amax.x"},
    %amax.w: tensor<3xf64> {nova.name = "amax.w"},
    %amin.x: tensor<2x3x4xf64> {nova.name = "amin.x"},
    %amin.w: tensor<2x3xf64> {nova.name = "amin.w"},
    %product.x: tensor<5x4xf64> {nova.name = "product.x"},
    %product.w: tensor<5xf64> {nova.name = "product.w"},
    %softmax.x: tensor<3x5xf64> {nova.name = "softmax.x"},
    %softmax.w: tensor<3x5xf64> {nova.name = "softmax.w"},
    %matmul.a: tensor<3x4xf64> {nova.name = "matmul.a"},
    %matmul.b: tensor<4x5xf64> {nova.name = "matmul.b"},
    %matmul.w: tensor<3x5xf64> {nova.name = "matmul.w"},
    %matmul_nt.a: tensor<3x4xf64> {nova.name = "matmul_nt.a"},
    %matmul_nt.b: tensor<5x4xf64> {nova.name = "matmul_nt.b"},
    %matmul_nt.w: tensor<3x5xf64> {nova.name = "matmul_nt.w"},
    %matmul_tn.a: tensor<4x3xf64> {nova.name = "matmul_tn.a"},
    %matmul_tn.b: tensor<4x5xf64> {nova.name = "matmul_tn.b"},
    %matmul_tn.w: tensor<3x5xf64> {nova.name = "matmul_tn.w"},
    %matmul_tt.a: tensor<4x3xf64> {nova.name = "matmul_tt.a"},
    %matmul_tt.b: tensor<5x4xf64> {nova.name = "matmul_tt.b"},
    %matmul_tt.w: tensor<3x5xf64> {nova.name = "matmul_tt.w"},
    %matmul_weight.a: tensor<2x3x4xf64> {nova.name = "matmul_weight.a"},
    %matmul_weight.b: tensor<4x5xf64> {nova.name = "matmul_weight.b"},
    %matmul_weight.w: tensor<2x3x5xf64> {nova.name = "matmul_weight.w"},
    %matmul_weight_nt.a: tensor<2x3x4xf64> {nova.name = "matmul_weight_nt.a"},
    %matmul_weight_nt.b: tensor<1x5x4xf64> {nova.name = "matmul_weight_nt.b"},
    %matmul_weight_nt.w: tensor<2x3x5xf64> {nova.name = "matmul_weight_nt.w"},
    %matmul_shared_lhs.a: tensor<3x4xf64> {nova.name = "matmul_shared_lhs.a"},
    %matmul_shared_lhs.b: tensor<2x4x5xf64> {nova.name = "matmul_shared_lhs.b"},
    %matmul_shared_lhs.w: tensor<2x3x5xf64> {nova.name = "matmul_shared_lhs.w"},
    %matmul_batches.a: tensor<3x1x2x4xf64> {nova.name = "matmul_batches.a"},
    %matmul_batches.b: tensor<2x5x4xf64> {nova.name = "matmul_batches.b"},
    %matmul_batches.w: tensor<3x2x2x5xf64> {nova.name = "matmul_batches.w"},
    %attention.q: tensor<2x2x4x3xf64> {nova.name = "attention.q"},
    %attention.k: tensor<2x2x5x3xf64> {nova.name = "attention.k"},
    %attention.v: tensor<2x2x5x2xf64> {nova.name = "attention.v"},
    %attention.w: tensor<2x2x4x2xf64> {nova.name = "attention.w"},
    %attention_causal.q: tensor<1x2x4x3xf64> {nova.name = "attention_causal.q"},
    %attention_causal.k: tensor<1x2x6x3xf64> {nova.name = "attention_causal.k"},
    %attention_causal.v: tensor<1x2x6x3xf64> {nova.name = "attention_causal.v"},
    %attention_causal.w: tensor<1x2x4x3xf64> {nova.name = "attention_causal.w"},
    %attention_long.q: tensor<1x1x5x3xf64> {nova.name = "attention_long.q"},
    %attention_long.k: tensor<1x1x3x3xf64> {nova.name = "attention_long.k"},
    %attention_long.v: tensor<1x1x3x3xf64> {nova.name = "attention_long.v"},
    %attention_long.w: tensor<1x1x5x3xf64> {nova.name = "attention_long.w"},
    %layer_norm.x: tensor<2x3x8xf64> {nova.name = "layer_norm.x"},
    %layer_norm.g: tensor<8xf64> {nova.name = "layer_norm.g"},
    %layer_norm.b: tensor<8xf64> {nova.name = "layer_norm.b"},
    %layer_norm.w: tensor<2x3x8xf64> {nova.name = "layer_norm.w"},
    %attention_keys.q: tensor<2x2x4x3xf64> {nova.name = "attention_keys.q"},
    %attention_keys.k: tensor<2x2x5x3xf64> {nova.name = "attention_keys.k"},
    %attention_keys.v: tensor<2x2x5x2xf64> {nova.name = "attention_keys.v"},
    %attention_keys.m: tensor<2x1x4x5xi1> {nova.name = "attention_keys.m"},
    %attention_keys.w: tensor<2x2x4x2xf64> {nova.name = "attention_keys.w"},
    %attention_bias.q: tensor<2x2x4x3xf64> {nova.name = "attention_bias.q"},
    %attention_bias.k: tensor<2x2x5x3xf64> {nova.name = "attention_bias.k"},
    %attention_bias.v: tensor<2x2x5x2xf64> {nova.name = "attention_bias.v"},
    %attention_bias.m: tensor<2x4x5xf64> {nova.name = "attention_bias.m"},
    %attention_bias.w: tensor<2x2x4x2xf64> {nova.name = "attention_bias.w"},
    %attention_groups.q: tensor<2x4x4x3xf64> {nova.name = "attention_groups.q"},
    %attention_groups.k: tensor<2x2x5x3xf64> {nova.name = "attention_groups.k"},
    %attention_groups.v: tensor<2x2x5x2xf64> {nova.name = "attention_groups.v"},
    %attention_groups.m: tensor<1x5xf64> {nova.name = "attention_groups.m"},
    %attention_groups.w: tensor<2x4x4x2xf64> {nova.name = "attention_groups.w"},
    %attention_one_group.q: tensor<2x3x4x3xf64> {nova.name = "attention_one_group.q"},
    %attention_one_group.k: tensor<2x1x5x3xf64> {nova.name = "attention_one_group.k"},
    %attention_one_group.v: tensor<2x1x5x2xf64> {nova.name = "attention_one_group.v"},
    %attention_one_group.m: tensor<2x1x4x5xi1> {nova.name = "attention_one_group.m"},
    %attention_one_group.w: tensor<2x3x4x2xf64> {nova.name = "attention_one_group.w"},
    %rms_norm.x: tensor<2x3x8xf64> {nova.name = "rms_norm.x"},
    %rms_norm.g: tensor<8xf64> {nova.name = "rms_norm.g"},
    %rms_norm.w: tensor<2x3x8xf64> {nova.name = "rms_norm.w"},
    %rotary.x: tensor<2x3x10xf64> {nova.name = "rotary.x"},
    %rotary.c: tensor<3x4xf64> {nova.name = "rotary.c"},
    %rotary.s: tensor<3x4xf64> {nova.name = "rotary.s"},
    %rotary.w: tensor<2x3x10xf64> {nova.name = "rotary.w"},
    %rotary_interleaved.x: tensor<2x2x3x8xf64> {nova.name = "rotary_interleaved.x"},
    %rotary_interleaved.c: tensor<2x1x3x4xf64> {nova.name = "rotary_interleaved.c"},
    %rotary_interleaved.s: tensor<2x1x3x4xf64> {nova.name = "rotary_interleaved.s"},
    %rotary_interleaved.w: tensor<2x2x3x8xf64> {nova.name = "rotary_interleaved.w"},
    %mse.x: tensor<4x5xf64> {nova.name = "mse.x"},
    %mse.t: tensor<4x5xf64> {nova.name = "mse.t"},
    %mse.w: tensor<f64> {nova.name = "mse.w"},
    %mae.x: tensor<4x5xf64> {nova.name = "mae.x"},
    %mae.t: tensor<4x5xf64> {nova.name = "mae.t"},
    %mae.w: tensor<f64> {nova.name = "mae.w"},
    %bce.x: tensor<4x5xf64> {nova.name = "bce.x"},
    %bce.t: tensor<4x5xf64> {nova.name = "bce.t"},
    %bce.w: tensor<f64> {nova.name = "bce.w"},
    %bce_each.x: tensor<4x5xf64> {nova.name = "bce_each.x"},
    %bce_each.t: tensor<4x5xf64> {nova.name = "bce_each.t"},
    %bce_each.w: tensor<4x5xf64> {nova.name = "bce_each.w"},
    %cce.x: tensor<4x5xf64> {nova.name = "cce.x"},
    %cce.t: tensor<4x5xf64> {nova.name = "cce.t"},
    %cce.w: tensor<f64> {nova.name = "cce.w"},
    %cce_each.x: tensor<4x5xf64> {nova.name = "cce_each.x"},
    %cce_each.t: tensor<4x5xf64> {nova.name = "cce_each.t"},
    %cce_each.w: tensor<4xf64> {nova.name = "cce_each.w"},
    %cross_entropy_smooth.x: tensor<5x7xf64> {nova.name = "cross_entropy_smooth.x"},
    %cross_entropy_smooth.t: tensor<5xi32> {nova.name = "cross_entropy_smooth.t"},
    %cross_entropy_smooth.w: tensor<f64> {nova.name = "cross_entropy_smooth.w"},
    %cross_entropy.x: tensor<5x7xf64> {nova.name = "cross_entropy.x"},
    %cross_entropy.t: tensor<5xi32> {nova.name = "cross_entropy.t"},
    %cross_entropy.w: tensor<f64> {nova.name = "cross_entropy.w"},
    %cross_entropy_ignore.x: tensor<5x7xf64> {nova.name = "cross_entropy_ignore.x"},
    %cross_entropy_ignore.t: tensor<5xi32> {nova.name = "cross_entropy_ignore.t"},
    %cross_entropy_ignore.w: tensor<f64> {nova.name = "cross_entropy_ignore.w"},
    %cross_entropy_sum.x: tensor<5x7xf64> {nova.name = "cross_entropy_sum.x"},
    %cross_entropy_sum.t: tensor<5xi32> {nova.name = "cross_entropy_sum.t"},
    %cross_entropy_sum.w: tensor<f64> {nova.name = "cross_entropy_sum.w"},
    %cross_entropy_rows.x: tensor<5x7xf64> {nova.name = "cross_entropy_rows.x"},
    %cross_entropy_rows.t: tensor<5xi32> {nova.name = "cross_entropy_rows.t"},
    %cross_entropy_rows.w: tensor<5xf64> {nova.name = "cross_entropy_rows.w"},
    %gelu_grad_tanh.d: tensor<3x5xf64> {nova.name = "gelu_grad_tanh.d"},
    %gelu_grad_tanh.x: tensor<3x5xf64> {nova.name = "gelu_grad_tanh.x"},
    %gelu_grad_tanh.w: tensor<3x5xf64> {nova.name = "gelu_grad_tanh.w"},
    %gelu_grad_exact.d: tensor<3x5xf64> {nova.name = "gelu_grad_exact.d"},
    %gelu_grad_exact.x: tensor<3x5xf64> {nova.name = "gelu_grad_exact.x"},
    %gelu_grad_exact.w: tensor<3x5xf64> {nova.name = "gelu_grad_exact.w"},
    %softmax_grad.d: tensor<3x5xf64> {nova.name = "softmax_grad.d"},
    %softmax_grad.y: tensor<3x5xf64> {nova.name = "softmax_grad.y"},
    %softmax_grad.w: tensor<3x5xf64> {nova.name = "softmax_grad.w"},
    %stop_gradient.x: tensor<3x5xf64> {nova.name = "stop_gradient.x"},
    %stop_gradient.w: tensor<3x5xf64> {nova.name = "stop_gradient.w"})
    -> (tensor<3x5xf64> {nova.name = "gradient.abs.x"},
        tensor<3x5xf64> {nova.name = "gradient.neg.x"},
        tensor<3x5xf64> {nova.name = "gradient.sign.x"},
        tensor<3x5xf64> {nova.name = "gradient.square.x"},
        tensor<3x5xf64> {nova.name = "gradient.sqrt.x"},
        tensor<3x5xf64> {nova.name = "gradient.rsqrt.x"},
        tensor<3x5xf64> {nova.name = "gradient.reciprocal.x"},
        tensor<3x5xf64> {nova.name = "gradient.exp.x"},
        tensor<3x5xf64> {nova.name = "gradient.exp2.x"},
        tensor<3x5xf64> {nova.name = "gradient.expm1.x"},
        tensor<3x5xf64> {nova.name = "gradient.log.x"},
        tensor<3x5xf64> {nova.name = "gradient.log2.x"},
        tensor<3x5xf64> {nova.name = "gradient.log10.x"},
        tensor<3x5xf64> {nova.name = "gradient.log1p.x"},
        tensor<3x5xf64> {nova.name = "gradient.sin.x"},
        tensor<3x5xf64> {nova.name = "gradient.cos.x"},
        tensor<3x5xf64> {nova.name = "gradient.tan.x"},
        tensor<3x5xf64> {nova.name = "gradient.asin.x"},
        tensor<3x5xf64> {nova.name = "gradient.acos.x"},
        tensor<3x5xf64> {nova.name = "gradient.atan.x"},
        tensor<3x5xf64> {nova.name = "gradient.sinh.x"},
        tensor<3x5xf64> {nova.name = "gradient.cosh.x"},
        tensor<3x5xf64> {nova.name = "gradient.asinh.x"},
        tensor<3x5xf64> {nova.name = "gradient.acosh.x"},
        tensor<3x5xf64> {nova.name = "gradient.atanh.x"},
        tensor<3x5xf64> {nova.name = "gradient.floor.x"},
        tensor<3x5xf64> {nova.name = "gradient.ceil.x"},
        tensor<3x5xf64> {nova.name = "gradient.round.x"},
        tensor<3x5xf64> {nova.name = "gradient.tanh.x"},
        tensor<3x5xf64> {nova.name = "gradient.erf.x"},
        tensor<3x5xf64> {nova.name = "gradient.relu.x"},
        tensor<3x5xf64> {nova.name = "gradient.sigmoid.x"},
        tensor<3x5xf64> {nova.name = "gradient.silu.x"},
        tensor<3x5xf64> {nova.name = "gradient.gelu_tanh.x"},
        tensor<3x5xf64> {nova.name = "gradient.gelu_exact.x"},
        tensor<3x5xf64> {nova.name = "gradient.add.a"},
        tensor<3x5xf64> {nova.name = "gradient.add.b"},
        tensor<3x5xf64> {nova.name = "gradient.add_row.a"},
        tensor<5xf64> {nova.name = "gradient.add_row.b"},
        tensor<3x1xf64> {nova.name = "gradient.sub_column.a"},
        tensor<3x5xf64> {nova.name = "gradient.sub_column.b"},
        tensor<3x1xf64> {nova.name = "gradient.mul_outer.a"},
        tensor<2x1x5xf64> {nova.name = "gradient.mul_outer.b"},
        tensor<3x5xf64> {nova.name = "gradient.div.a"},
        tensor<3x5xf64> {nova.name = "gradient.div.b"},
        tensor<3x5xf64> {nova.name = "gradient.div_scalar.a"},
        tensor<f64> {nova.name = "gradient.div_scalar.b"},
        tensor<3x5xf64> {nova.name = "gradient.pow.a"},
        tensor<3x5xf64> {nova.name = "gradient.pow.b"},
        tensor<3xf64> {nova.name = "gradient.pow_zeros.a"},
        tensor<3xf64> {nova.name = "gradient.pow_zeros.b"},
        tensor<3x5xf64> {nova.name = "gradient.mod_column.a"},
        tensor<3x1xf64> {nova.name = "gradient.mod_column.b"},
        tensor<4x6xf64> {nova.name = "gradient.clamp.x"},
        tensor<6xf64> {nova.name = "gradient.clamp.low"},
        tensor<f64> {nova.name = "gradient.clamp.high"},
        tensor<3x5xf64> {nova.name = "gradient.max.a"},
        tensor<3x5xf64> {nova.name = "gradient.max.b"},
        tensor<3x5xf64> {nova.name = "gradient.min_row.a"},
        tensor<5xf64> {nova.name = "gradient.min_row.b"},
        tensor<3x5xf64> {nova.name = "gradient.select.a"},
        tensor<5xf64> {nova.name = "gradient.select.b"},
        tensor<4x1xf64> {nova.name = "gradient.broadcast_in_dim.x"},
        tensor<4x6xf64> {nova.name = "gradient.reshape.x"},
        tensor<2x3x4xf64> {nova.name = "gradient.transpose.x"},
        tensor<4x10xf64> {nova.name = "gradient.slice.x"},
        tensor<3x4xf64> {nova.name = "gradient.pad.x"},
        tensor<f64> {nova.name = "gradient.pad.v"},
        tensor<2x3xf64> {nova.name = "gradient.concat.a"},
        tensor<2x4xf64> {nova.name = "gradient.concat.b"},
        tensor<6x3xf64> {nova.name = "gradient.gather.t"},
        tensor<2x6x3xf64> {nova.name = "gradient.gather_axis_1.t"},
        tensor<6x3xf64> {nova.name = "gradient.scatter_add.x"},
        tensor<5x3xf64> {nova.name = "gradient.scatter_add.u"},
        tensor<4x10xf64> {nova.name = "gradient.dynamic_slice.x"},
        tensor<4x10xf64> {nova.name = "gradient.dynamic_update_slice.x"},
        tensor<2x5xf64> {nova.name = "gradient.dynamic_update_slice.u"},
        tensor<3x5xf64> {nova.name = "gradient.cumsum.x"},
        tensor<3x5xf64> {nova.name = "gradient.cumsum_reverse.x"},
        tensor<3x5xf64> {nova.name = "gradient.log_softmax.x"},
        tensor<3x5x2xf64> {nova.name = "gradient.logsumexp.x"},
        tensor<2x3xf64> {nova.name = "gradient.logsumexp_none.x"},
        tensor<2x4x7x6xf64> {nova.name = "gradient.conv2d.x"},
        tensor<6x2x3x2xf64> {nova.name = "gradient.conv2d.f"},
        tensor<2x3x4xf64> {nova.name = "gradient.sum.x"},
        tensor<2x3x4xf64> {nova.name = "gradient.mean.x"},
        tensor<2x3x4xf64> {nova.name = "gradient.amax.x"},
        tensor<2x3x4xf64> {nova.name = "gradient.amin.x"},
        tensor<5x4xf64> {nova.name = "gradient.product.x"},
        tensor<3x5xf64> {nova.name = "gradient.softmax.x"},
        tensor<3x4xf64> {nova.name = "gradient.matmul.a"},
        tensor<4x5xf64> {nova.name = "gradient.matmul.b"},
        tensor<3x4xf64> {nova.name = "gradient.matmul_nt.a"},
        tensor<5x4xf64> {nova.name = "gradient.matmul_nt.b"},
        tensor<4x3xf64> {nova.name = "gradient.matmul_tn.a"},
        tensor<4x5xf64> {nova.name = "gradient.matmul_tn.b"},
        tensor<4x3xf64> {nova.name = "gradient.matmul_tt.a"},
        tensor<5x4xf64> {nova.name = "gradient.matmul_tt.b"},
        tensor<2x3x4xf64> {nova.name = "gradient.matmul_weight.a"},
        tensor<4x5xf64> {nova.name = "gradient.matmul_weight.b"},
        tensor<2x3x4xf64> {nova.name = "gradient.matmul_weight_nt.a"},
        tensor<1x5x4xf64> {nova.name = "gradient.matmul_weight_nt.b"},
        tensor<3x4xf64> {nova.name = "gradient.matmul_shared_lhs.a"},
        tensor<2x4x5xf64> {nova.name = "gradient.matmul_shared_lhs.b"},
        tensor<3x1x2x4xf64> {nova.name = "gradient.matmul_batches.a"},
        tensor<2x5x4xf64> {nova.name = "gradient.matmul_batches.b"},
        tensor<2x2x4x3xf64> {nova.name = "gradient.attention.q"},
        tensor<2x2x5x3xf64> {nova.name = "gradient.attention.k"},
        tensor<2x2x5x2xf64> {nova.name = "gradient.attention.v"},
        tensor<1x2x4x3xf64> {nova.name = "gradient.attention_causal.q"},
        tensor<1x2x6x3xf64> {nova.name = "gradient.attention_causal.k"},
        tensor<1x2x6x3xf64> {nova.name = "gradient.attention_causal.v"},
        tensor<1x1x5x3xf64> {nova.name = "gradient.attention_long.q"},
        tensor<1x1x3x3xf64> {nova.name = "gradient.attention_long.k"},
        tensor<1x1x3x3xf64> {nova.name = "gradient.attention_long.v"},
        tensor<2x3x8xf64> {nova.name = "gradient.layer_norm.x"},
        tensor<8xf64> {nova.name = "gradient.layer_norm.g"},
        tensor<8xf64> {nova.name = "gradient.layer_norm.b"},
        tensor<2x2x4x3xf64> {nova.name = "gradient.attention_keys.q"},
        tensor<2x2x5x3xf64> {nova.name = "gradient.attention_keys.k"},
        tensor<2x2x5x2xf64> {nova.name = "gradient.attention_keys.v"},
        tensor<2x2x4x3xf64> {nova.name = "gradient.attention_bias.q"},
        tensor<2x2x5x3xf64> {nova.name = "gradient.attention_bias.k"},
        tensor<2x2x5x2xf64> {nova.name = "gradient.attention_bias.v"},
        tensor<2x4x5xf64> {nova.name = "gradient.attention_bias.m"},
        tensor<2x4x4x3xf64> {nova.name = "gradient.attention_groups.q"},
        tensor<2x2x5x3xf64> {nova.name = "gradient.attention_groups.k"},
        tensor<2x2x5x2xf64> {nova.name = "gradient.attention_groups.v"},
        tensor<1x5xf64> {nova.name = "gradient.attention_groups.m"},
        tensor<2x3x4x3xf64> {nova.name = "gradient.attention_one_group.q"},
        tensor<2x1x5x3xf64> {nova.name = "gradient.attention_one_group.k"},
        tensor<2x1x5x2xf64> {nova.name = "gradient.attention_one_group.v"},
        tensor<2x3x8xf64> {nova.name = "gradient.rms_norm.x"},
        tensor<8xf64> {nova.name = "gradient.rms_norm.g"},
        tensor<2x3x10xf64> {nova.name = "gradient.rotary.x"},
        tensor<3x4xf64> {nova.name = "gradient.rotary.c"},
        tensor<3x4xf64> {nova.name = "gradient.rotary.s"},
        tensor<2x2x3x8xf64> {nova.name = "gradient.rotary_interleaved.x"},
        tensor<2x1x3x4xf64> {nova.name = "gradient.rotary_interleaved.c"},
        tensor<2x1x3x4xf64> {nova.name = "gradient.rotary_interleaved.s"},
        tensor<4x5xf64> {nova.name = "gradient.mse.x"},
        tensor<4x5xf64> {nova.name = "gradient.mse.t"},
        tensor<4x5xf64> {nova.name = "gradient.mae.x"},
        tensor<4x5xf64> {nova.name = "gradient.mae.t"},
        tensor<4x5xf64> {nova.name = "gradient.bce.x"},
        tensor<4x5xf64> {nova.name = "gradient.bce.t"},
        tensor<4x5xf64> {nova.name = "gradient.bce_each.x"},
        tensor<4x5xf64> {nova.name = "gradient.bce_each.t"},
        tensor<4x5xf64> {nova.name = "gradient.cce.x"},
        tensor<4x5xf64> {nova.name = "gradient.cce.t"},
        tensor<4x5xf64> {nova.name = "gradient.cce_each.x"},
        tensor<4x5xf64> {nova.name = "gradient.cce_each.t"},
        tensor<5x7xf64> {nova.name = "gradient.cross_entropy_smooth.x"},
        tensor<5x7xf64> {nova.name = "gradient.cross_entropy.x"},
        tensor<5x7xf64> {nova.name = "gradient.cross_entropy_ignore.x"},
        tensor<5x7xf64> {nova.name = "gradient.cross_entropy_sum.x"},
        tensor<5x7xf64> {nova.name = "gradient.cross_entropy_rows.x"},
        tensor<3x5xf64> {nova.name = "gradient.gelu_grad_tanh.d"},
        tensor<3x5xf64> {nova.name = "gradient.gelu_grad_tanh.x"},
        tensor<3x5xf64> {nova.name = "gradient.gelu_grad_exact.d"},
        tensor<3x5xf64> {nova.name = "gradient.gelu_grad_exact.x"},
        tensor<3x5xf64> {nova.name = "gradient.softmax_grad.d"},
        tensor<3x5xf64> {nova.name = "gradient.softmax_grad.y"},
        tensor<3x5xf64> {nova.name = "gradient.stop_gradient.x"}) {
  %loss, %g:164 = nova.value_and_grad @loss(%abs.x, %abs.w, %neg.x, %neg.w, %sign.x, %sign.w, %square.x, %square.w, %sqrt.x, %sqrt.w, %rsqrt.x, %rsqrt.w, %reciprocal.x, %reciprocal.w, %exp.x, %exp.w, %exp2.x, %exp2.w, %expm1.x, %expm1.w, %log.x, %log.w, %log2.x, %log2.w, %log10.x, %log10.w, %log1p.x, %log1p.w, %sin.x, %sin.w, %cos.x, %cos.w, %tan.x, %tan.w, %asin.x, %asin.w, %acos.x, %acos.w, %atan.x, %atan.w, %sinh.x, %sinh.w, %cosh.x, %cosh.w, %asinh.x, %asinh.w, %acosh.x, %acosh.w, %atanh.x, %atanh.w, %floor.x, %floor.w, %ceil.x, %ceil.w, %round.x, %round.w, %tanh.x, %tanh.w, %erf.x, %erf.w, %relu.x, %relu.w, %sigmoid.x, %sigmoid.w, %silu.x, %silu.w, %gelu_tanh.x, %gelu_tanh.w, %gelu_exact.x, %gelu_exact.w, %add.a, %add.b, %add.w, %add_row.a, %add_row.b, %add_row.w, %sub_column.a, %sub_column.b, %sub_column.w, %mul_outer.a, %mul_outer.b, %mul_outer.w, %div.a, %div.b, %div.w, %div_scalar.a, %div_scalar.b, %div_scalar.w, %pow.a, %pow.b, %pow.w, %pow_zeros.a, %pow_zeros.b, %pow_zeros.w, %mod_column.a, %mod_column.b, %mod_column.w, %clamp.x, %clamp.low, %clamp.high, %clamp.w, %max.a, %max.b, %max.w, %min_row.a, %min_row.b, %min_row.w, %select.c, %select.a, %select.b, %select.w, %broadcast_in_dim.x, %broadcast_in_dim.w, %reshape.x, %reshape.w, %transpose.x, %transpose.w, %slice.x, %slice.w, %pad.x, %pad.v, %pad.w, %concat.a, %concat.b, %concat.w, %gather.t, %gather.i, %gather.w, %gather_axis_1.t, %gather_axis_1.i, %gather_axis_1.w, %scatter_add.x, %scatter_add.i, %scatter_add.u, %scatter_add.w, %dynamic_slice.x, %dynamic_slice.i, %dynamic_slice.w, %dynamic_update_slice.x, %dynamic_update_slice.i, %dynamic_update_slice.u, %dynamic_update_slice.w, %cumsum.x, %cumsum.w, %cumsum_reverse.x, %cumsum_reverse.w, %log_softmax.x, %log_softmax.w, %logsumexp.x, %logsumexp.w, %logsumexp_none.x, %logsumexp_none.w, %conv2d.x, %conv2d.f, %conv2d.w, %sum.x, %sum.w, %mean.x, %mean.w, %amax.x, %amax.w, %amin.x, %amin.w, %product.x, %product.w, %softmax.x, %softmax.w, %matmul.a, %matmul.b, %matmul.w, %matmul_nt.a, %matmul_nt.b, %matmul_nt.w, %matmul_tn.a, %matmul_tn.b, %matmul_tn.w, %matmul_tt.a, %matmul_tt.b, %matmul_tt.w, %matmul_weight.a, %matmul_weight.b, %matmul_weight.w, %matmul_weight_nt.a, %matmul_weight_nt.b, %matmul_weight_nt.w, %matmul_shared_lhs.a, %matmul_shared_lhs.b, %matmul_shared_lhs.w, %matmul_batches.a, %matmul_batches.b, %matmul_batches.w, %attention.q, %attention.k, %attention.v, %attention.w, %attention_causal.q, %attention_causal.k, %attention_causal.v, %attention_causal.w, %attention_long.q, %attention_long.k, %attention_long.v, %attention_long.w, %layer_norm.x, %layer_norm.g, %layer_norm.b, %layer_norm.w, %attention_keys.q, %attention_keys.k, %attention_keys.v, %attention_keys.m, %attention_keys.w, %attention_bias.q, %attention_bias.k, %attention_bias.v, %attention_bias.m, %attention_bias.w, %attention_groups.q, %attention_groups.k, %attention_groups.v, %attention_groups.m, %attention_groups.w, %attention_one_group.q, %attention_one_group.k, %attention_one_group.v, %attention_one_group.m, %attention_one_group.w, %rms_norm.x, %rms_norm.g, %rms_norm.w, %rotary.x, %rotary.c, %rotary.s, %rotary.w, %rotary_interleaved.x, %rotary_interleaved.c, %rotary_interleaved.s, %rotary_interleaved.w, %mse.x, %mse.t, %mse.w, %mae.x, %mae.t, %mae.w, %bce.x, %bce.t, %bce.w, %bce_each.x, %bce_each.t, %bce_each.w, %cce.x, %cce.t, %cce.w, %cce_each.x, %cce_each.t, %cce_each.w, %cross_entropy_smooth.x, %cross_entropy_smooth.t, %cross_entropy_smooth.w, %cross_entropy.x, %cross_entropy.t, %cross_entropy.w, %cross_entropy_ignore.x, %cross_entropy_ignore.t, %cross_entropy_ignore.w, %cross_entropy_sum.x, %cross_entropy_sum.t, %cross_entropy_sum.w, %cross_entropy_rows.x, %cross_entropy_rows.t, %cross_entropy_rows.w, %gelu_grad_tanh.d, %gelu_grad_tanh.x, %gelu_grad_tanh.w, %gelu_grad_exact.d, %gelu_grad_exact.x, %gelu_grad_exact.w, %softmax_grad.d, %softmax_grad.y, %softmax_grad.w, %stop_gradient.x, %stop_gradient.w)
    wrt [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 66, 68, 70, 71, 73, 74, 76, 77, 79, 80, 82, 83, 85, 86, 88, 89, 91, 92, 94, 95, 97, 98, 99, 101, 102, 104, 105, 108, 109, 111, 113, 115, 117, 119, 120, 122, 123, 125, 128, 131, 133, 135, 138, 140, 142, 144, 146, 148, 150, 152, 153, 155, 157, 159, 161, 163, 165, 167, 168, 170, 171, 173, 174, 176, 177, 179, 180, 182, 183, 185, 186, 188, 189, 191, 192, 193, 195, 196, 197, 199, 200, 201, 203, 204, 205, 207, 208, 209, 212, 213, 214, 215, 217, 218, 219, 220, 222, 223, 224, 227, 228, 230, 231, 232, 234, 235, 236, 238, 239, 241, 242, 244, 245, 247, 248, 250, 251, 253, 254, 256, 259, 262, 265, 268, 271, 272, 274, 275, 277, 278, 280] : (tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<5xf64>, tensor<3x5xf64>, tensor<3x1xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x1xf64>, tensor<2x1x5xf64>, tensor<2x3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<f64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3x5xf64>, tensor<3x1xf64>, tensor<3x5xf64>, tensor<4x6xf64>, tensor<6xf64>, tensor<f64>, tensor<4x6xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<5xf64>, tensor<3x5xf64>, tensor<3x5xi1>, tensor<3x5xf64>, tensor<5xf64>, tensor<3x5xf64>, tensor<4x1xf64>, tensor<4x3x5xf64>, tensor<4x6xf64>, tensor<3x8xf64>, tensor<2x3x4xf64>, tensor<4x2x3xf64>, tensor<4x10xf64>, tensor<2x3xf64>, tensor<3x4xf64>, tensor<f64>, tensor<4x9xf64>, tensor<2x3xf64>, tensor<2x4xf64>, tensor<2x7xf64>, tensor<6x3xf64>, tensor<2x4xi32>, tensor<2x4x3xf64>, tensor<2x6x3xf64>, tensor<2x4xi32>, tensor<2x2x4x3xf64>, tensor<6x3xf64>, tensor<5xi32>, tensor<5x3xf64>, tensor<6x3xf64>, tensor<4x10xf64>, tensor<2xi32>, tensor<2x5xf64>, tensor<4x10xf64>, tensor<2xi32>, tensor<2x5xf64>, tensor<4x10xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5x2xf64>, tensor<5xf64>, tensor<2x3xf64>, tensor<2x1xf64>, tensor<2x4x7x6xf64>, tensor<6x2x3x2xf64>, tensor<2x6x4x8xf64>, tensor<2x3x4xf64>, tensor<3xf64>, tensor<2x3x4xf64>, tensor<2x1x4xf64>, tensor<2x3x4xf64>, tensor<3xf64>, tensor<2x3x4xf64>, tensor<2x3xf64>, tensor<5x4xf64>, tensor<5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x4xf64>, tensor<4x5xf64>, tensor<3x5xf64>, tensor<3x4xf64>, tensor<5x4xf64>, tensor<3x5xf64>, tensor<4x3xf64>, tensor<4x5xf64>, tensor<3x5xf64>, tensor<4x3xf64>, tensor<5x4xf64>, tensor<3x5xf64>, tensor<2x3x4xf64>, tensor<4x5xf64>, tensor<2x3x5xf64>, tensor<2x3x4xf64>, tensor<1x5x4xf64>, tensor<2x3x5xf64>, tensor<3x4xf64>, tensor<2x4x5xf64>, tensor<2x3x5xf64>, tensor<3x1x2x4xf64>, tensor<2x5x4xf64>, tensor<3x2x2x5xf64>, tensor<2x2x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<2x2x4x2xf64>, tensor<1x2x4x3xf64>, tensor<1x2x6x3xf64>, tensor<1x2x6x3xf64>, tensor<1x2x4x3xf64>, tensor<1x1x5x3xf64>, tensor<1x1x3x3xf64>, tensor<1x1x3x3xf64>, tensor<1x1x5x3xf64>, tensor<2x3x8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<2x3x8xf64>, tensor<2x2x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<2x1x4x5xi1>, tensor<2x2x4x2xf64>, tensor<2x2x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<2x4x5xf64>, tensor<2x2x4x2xf64>, tensor<2x4x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<1x5xf64>, tensor<2x4x4x2xf64>, tensor<2x3x4x3xf64>, tensor<2x1x5x3xf64>, tensor<2x1x5x2xf64>, tensor<2x1x4x5xi1>, tensor<2x3x4x2xf64>, tensor<2x3x8xf64>, tensor<8xf64>, tensor<2x3x8xf64>, tensor<2x3x10xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<2x3x10xf64>, tensor<2x2x3x8xf64>, tensor<2x1x3x4xf64>, tensor<2x1x3x4xf64>, tensor<2x2x3x8xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<f64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<f64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<f64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<f64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4xf64>, tensor<5x7xf64>, tensor<5xi32>, tensor<f64>, tensor<5x7xf64>, tensor<5xi32>, tensor<f64>, tensor<5x7xf64>, tensor<5xi32>, tensor<f64>, tensor<5x7xf64>, tensor<5xi32>, tensor<f64>, tensor<5x7xf64>, tensor<5xi32>, tensor<5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>) -> (tensor<f64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<5xf64>, tensor<3x1xf64>, tensor<3x5xf64>, tensor<3x1xf64>, tensor<2x1x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<f64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3x5xf64>, tensor<3x1xf64>, tensor<4x6xf64>, tensor<6xf64>, tensor<f64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<5xf64>, tensor<3x5xf64>, tensor<5xf64>, tensor<4x1xf64>, tensor<4x6xf64>, tensor<2x3x4xf64>, tensor<4x10xf64>, tensor<3x4xf64>, tensor<f64>, tensor<2x3xf64>, tensor<2x4xf64>, tensor<6x3xf64>, tensor<2x6x3xf64>, tensor<6x3xf64>, tensor<5x3xf64>, tensor<4x10xf64>, tensor<4x10xf64>, tensor<2x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5x2xf64>, tensor<2x3xf64>, tensor<2x4x7x6xf64>, tensor<6x2x3x2xf64>, tensor<2x3x4xf64>, tensor<2x3x4xf64>, tensor<2x3x4xf64>, tensor<2x3x4xf64>, tensor<5x4xf64>, tensor<3x5xf64>, tensor<3x4xf64>, tensor<4x5xf64>, tensor<3x4xf64>, tensor<5x4xf64>, tensor<4x3xf64>, tensor<4x5xf64>, tensor<4x3xf64>, tensor<5x4xf64>, tensor<2x3x4xf64>, tensor<4x5xf64>, tensor<2x3x4xf64>, tensor<1x5x4xf64>, tensor<3x4xf64>, tensor<2x4x5xf64>, tensor<3x1x2x4xf64>, tensor<2x5x4xf64>, tensor<2x2x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<1x2x4x3xf64>, tensor<1x2x6x3xf64>, tensor<1x2x6x3xf64>, tensor<1x1x5x3xf64>, tensor<1x1x3x3xf64>, tensor<1x1x3x3xf64>, tensor<2x3x8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<2x2x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<2x2x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<2x4x5xf64>, tensor<2x4x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<1x5xf64>, tensor<2x3x4x3xf64>, tensor<2x1x5x3xf64>, tensor<2x1x5x2xf64>, tensor<2x3x8xf64>, tensor<8xf64>, tensor<2x3x10xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<2x2x3x8xf64>, tensor<2x1x3x4xf64>, tensor<2x1x3x4xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<5x7xf64>, tensor<5x7xf64>, tensor<5x7xf64>, tensor<5x7xf64>, tensor<5x7xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>)
  return %g#0, %g#1, %g#2, %g#3, %g#4, %g#5, %g#6, %g#7, %g#8, %g#9, %g#10, %g#11, %g#12, %g#13, %g#14, %g#15, %g#16, %g#17, %g#18, %g#19, %g#20, %g#21, %g#22, %g#23, %g#24, %g#25, %g#26, %g#27, %g#28, %g#29, %g#30, %g#31, %g#32, %g#33, %g#34, %g#35, %g#36, %g#37, %g#38, %g#39, %g#40, %g#41, %g#42, %g#43, %g#44, %g#45, %g#46, %g#47, %g#48, %g#49, %g#50, %g#51, %g#52, %g#53, %g#54, %g#55, %g#56, %g#57, %g#58, %g#59, %g#60, %g#61, %g#62, %g#63, %g#64, %g#65, %g#66, %g#67, %g#68, %g#69, %g#70, %g#71, %g#72, %g#73, %g#74, %g#75, %g#76, %g#77, %g#78, %g#79, %g#80, %g#81, %g#82, %g#83, %g#84, %g#85, %g#86, %g#87, %g#88, %g#89, %g#90, %g#91, %g#92, %g#93, %g#94, %g#95, %g#96, %g#97, %g#98, %g#99, %g#100, %g#101, %g#102, %g#103, %g#104, %g#105, %g#106, %g#107, %g#108, %g#109, %g#110, %g#111, %g#112, %g#113, %g#114, %g#115, %g#116, %g#117, %g#118, %g#119, %g#120, %g#121, %g#122, %g#123, %g#124, %g#125, %g#126, %g#127, %g#128, %g#129, %g#130, %g#131, %g#132, %g#133, %g#134, %g#135, %g#136, %g#137, %g#138, %g#139, %g#140, %g#141, %g#142, %g#143, %g#144, %g#145, %g#146, %g#147, %g#148, %g#149, %g#150, %g#151, %g#152, %g#153, %g#154, %g#155, %g#156, %g#157, %g#158, %g#159, %g#160, %g#161, %g#162, %g#163 : tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<5xf64>, tensor<3x1xf64>, tensor<3x5xf64>, tensor<3x1xf64>, tensor<2x1x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<f64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3x5xf64>, tensor<3x1xf64>, tensor<4x6xf64>, tensor<6xf64>, tensor<f64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<5xf64>, tensor<3x5xf64>, tensor<5xf64>, tensor<4x1xf64>, tensor<4x6xf64>, tensor<2x3x4xf64>, tensor<4x10xf64>, tensor<3x4xf64>, tensor<f64>, tensor<2x3xf64>, tensor<2x4xf64>, tensor<6x3xf64>, tensor<2x6x3xf64>, tensor<6x3xf64>, tensor<5x3xf64>, tensor<4x10xf64>, tensor<4x10xf64>, tensor<2x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5x2xf64>, tensor<2x3xf64>, tensor<2x4x7x6xf64>, tensor<6x2x3x2xf64>, tensor<2x3x4xf64>, tensor<2x3x4xf64>, tensor<2x3x4xf64>, tensor<2x3x4xf64>, tensor<5x4xf64>, tensor<3x5xf64>, tensor<3x4xf64>, tensor<4x5xf64>, tensor<3x4xf64>, tensor<5x4xf64>, tensor<4x3xf64>, tensor<4x5xf64>, tensor<4x3xf64>, tensor<5x4xf64>, tensor<2x3x4xf64>, tensor<4x5xf64>, tensor<2x3x4xf64>, tensor<1x5x4xf64>, tensor<3x4xf64>, tensor<2x4x5xf64>, tensor<3x1x2x4xf64>, tensor<2x5x4xf64>, tensor<2x2x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<1x2x4x3xf64>, tensor<1x2x6x3xf64>, tensor<1x2x6x3xf64>, tensor<1x1x5x3xf64>, tensor<1x1x3x3xf64>, tensor<1x1x3x3xf64>, tensor<2x3x8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<2x2x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<2x2x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<2x4x5xf64>, tensor<2x4x4x3xf64>, tensor<2x2x5x3xf64>, tensor<2x2x5x2xf64>, tensor<1x5xf64>, tensor<2x3x4x3xf64>, tensor<2x1x5x3xf64>, tensor<2x1x5x2xf64>, tensor<2x3x8xf64>, tensor<8xf64>, tensor<2x3x10xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<2x2x3x8xf64>, tensor<2x1x3x4xf64>, tensor<2x1x3x4xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<5x7xf64>, tensor<5x7xf64>, tensor<5x7xf64>, tensor<5x7xf64>, tensor<5x7xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>
}
