// RUN: nova-run %s --device=reference --inputs %S/Inputs/op-values-f16.safetensors --expect %S/Inputs/op-values-f16.safetensors --rtol 3e-3 --atol 2e-3 --quiet
// RUN: nova-run %s --device=cpu --inputs %S/Inputs/op-values-f16.safetensors --expect %S/Inputs/op-values-f16.safetensors --rtol 3e-3 --atol 2e-3 --quiet
// RUN: nova-run %s --device=cpu --mode=eager --inputs %S/Inputs/op-values-f16.safetensors \
// RUN:   --expect %S/Inputs/op-values-f16.safetensors --rtol 3e-3 --atol 2e-3 --quiet
// RUN: nova-run %s --device=emulator --inputs %S/Inputs/op-values-f16.safetensors \
// RUN:   --expect %S/Inputs/op-values-f16.safetensors --rtol 3e-3 --atol 2e-3 --quiet
// RUN: nova-run %s --device=emulator --mode=eager --inputs %S/Inputs/op-values-f16.safetensors \
// RUN:   --expect %S/Inputs/op-values-f16.safetensors --rtol 3e-3 --atol 2e-3 --quiet

// Made by scripts/make_value_goldens.py: what PyTorch gives for every op.

func.func @values(
    %abs.x: tensor<3x7xf16> {nova.name = "abs.x"},
    %neg.x: tensor<3x7xf16> {nova.name = "neg.x"},
    %sign.x: tensor<3x7xf16> {nova.name = "sign.x"},
    %square.x: tensor<3x7xf16> {nova.name = "square.x"},
    %sqrt.x: tensor<3x7xf16> {nova.name = "sqrt.x"},
    %rsqrt.x: tensor<3x7xf16> {nova.name = "rsqrt.x"},
    %reciprocal.x: tensor<3x7xf16> {nova.name = "reciprocal.x"},
    %exp.x: tensor<3x7xf16> {nova.name = "exp.x"},
    %exp2.x: tensor<3x7xf16> {nova.name = "exp2.x"},
    %expm1.x: tensor<3x7xf16> {nova.name = "expm1.x"},
    %log.x: tensor<3x9xf16> {nova.name = "log.x"},
    %log2.x: tensor<3x9xf16> {nova.name = "log2.x"},
    %log10.x: tensor<3x9xf16> {nova.name = "log10.x"},
    %log1p.x: tensor<3x9xf16> {nova.name = "log1p.x"},
    %sin.x: tensor<3x9xf16> {nova.name = "sin.x"},
    %cos.x: tensor<3x9xf16> {nova.name = "cos.x"},
    %tan.x: tensor<3x7xf16> {nova.name = "tan.x"},
    %asin.x: tensor<14xf16> {nova.name = "asin.x"},
    %acos.x: tensor<14xf16> {nova.name = "acos.x"},
    %atan.x: tensor<3x9xf16> {nova.name = "atan.x"},
    %sinh.x: tensor<3x7xf16> {nova.name = "sinh.x"},
    %cosh.x: tensor<3x7xf16> {nova.name = "cosh.x"},
    %tanh.x: tensor<3x7xf16> {nova.name = "tanh.x"},
    %asinh.x: tensor<3x9xf16> {nova.name = "asinh.x"},
    %acosh.x: tensor<3x9xf16> {nova.name = "acosh.x"},
    %atanh.x: tensor<14xf16> {nova.name = "atanh.x"},
    %erf.x: tensor<3x7xf16> {nova.name = "erf.x"},
    %relu.x: tensor<3x7xf16> {nova.name = "relu.x"},
    %sigmoid.x: tensor<3x7xf16> {nova.name = "sigmoid.x"},
    %silu.x: tensor<2x7xf16> {nova.name = "silu.x"},
    %floor.x: tensor<3x7xf16> {nova.name = "floor.x"},
    %ceil.x: tensor<3x7xf16> {nova.name = "ceil.x"},
    %round.x: tensor<3x7xf16> {nova.name = "round.x"},
    %gelu_tanh.x: tensor<3x7xf16> {nova.name = "gelu_tanh.x"},
    %gelu_exact.x: tensor<3x7xf16> {nova.name = "gelu_exact.x"},
    %add.a: tensor<11x1xf16> {nova.name = "add.a"},
    %add.b: tensor<11xf16> {nova.name = "add.b"},
    %sub.a: tensor<11x1xf16> {nova.name = "sub.a"},
    %sub.b: tensor<11xf16> {nova.name = "sub.b"},
    %mul.a: tensor<11x1xf16> {nova.name = "mul.a"},
    %mul.b: tensor<11xf16> {nova.name = "mul.b"},
    %div.a: tensor<11x1xf16> {nova.name = "div.a"},
    %div.b: tensor<11xf16> {nova.name = "div.b"},
    %mod.a: tensor<11x1xf16> {nova.name = "mod.a"},
    %mod.b: tensor<11xf16> {nova.name = "mod.b"},
    %pow.a: tensor<11x1xf16> {nova.name = "pow.a"},
    %pow.b: tensor<11xf16> {nova.name = "pow.b"},
    %max.a: tensor<11x1xf16> {nova.name = "max.a"},
    %max.b: tensor<11xf16> {nova.name = "max.b"},
    %min.a: tensor<11x1xf16> {nova.name = "min.a"},
    %min.b: tensor<11xf16> {nova.name = "min.b"},
    %clamp.x: tensor<11x1xf16> {nova.name = "clamp.x"},
    %clamp.l: tensor<1x1x11xf16> {nova.name = "clamp.l"},
    %clamp.h: tensor<11x1x1xf16> {nova.name = "clamp.h"},
    %scalar.x: tensor<f16> {nova.name = "scalar.x"},
    %empty.x: tensor<3x0xf16> {nova.name = "empty.x"},
    %rank_6.a: tensor<2x1x3x1x2x2xf16> {nova.name = "rank_6.a"},
    %rank_6.b: tensor<3x1x4x1x2xf16> {nova.name = "rank_6.b"},
    %to_i32.x: tensor<3x4xf16> {nova.name = "to_i32.x"},
    %to_i1.x: tensor<3x7xf16> {nova.name = "to_i1.x"},
    %to_f64.x: tensor<3x8xf16> {nova.name = "to_f64.x"},
    %to_f32.x: tensor<3x8xf16> {nova.name = "to_f32.x"},
    %to_bf16.x: tensor<3x8xf16> {nova.name = "to_bf16.x"},
    %compare_eq.a: tensor<11x1xf16> {nova.name = "compare_eq.a"},
    %compare_eq.b: tensor<11xf16> {nova.name = "compare_eq.b"},
    %compare_ne.a: tensor<11x1xf16> {nova.name = "compare_ne.a"},
    %compare_ne.b: tensor<11xf16> {nova.name = "compare_ne.b"},
    %compare_lt.a: tensor<11x1xf16> {nova.name = "compare_lt.a"},
    %compare_lt.b: tensor<11xf16> {nova.name = "compare_lt.b"},
    %compare_le.a: tensor<11x1xf16> {nova.name = "compare_le.a"},
    %compare_le.b: tensor<11xf16> {nova.name = "compare_le.b"},
    %compare_gt.a: tensor<11x1xf16> {nova.name = "compare_gt.a"},
    %compare_gt.b: tensor<11xf16> {nova.name = "compare_gt.b"},
    %compare_ge.a: tensor<11x1xf16> {nova.name = "compare_ge.a"},
    %compare_ge.b: tensor<11xf16> {nova.name = "compare_ge.b"},
    %sum_0.x: tensor<3x5x4xf16> {nova.name = "sum_0.x"},
    %sum_1.x: tensor<3x5x4xf16> {nova.name = "sum_1.x"},
    %sum_2.x: tensor<3x5x4xf16> {nova.name = "sum_2.x"},
    %sum_02.x: tensor<3x5x4xf16> {nova.name = "sum_02.x"},
    %sum_012.x: tensor<3x5x4xf16> {nova.name = "sum_012.x"},
    %sum_edges.x: tensor<3x7xf16> {nova.name = "sum_edges.x"},
    %mean_0.x: tensor<3x5x4xf16> {nova.name = "mean_0.x"},
    %mean_1.x: tensor<3x5x4xf16> {nova.name = "mean_1.x"},
    %mean_2.x: tensor<3x5x4xf16> {nova.name = "mean_2.x"},
    %mean_02.x: tensor<3x5x4xf16> {nova.name = "mean_02.x"},
    %mean_012.x: tensor<3x5x4xf16> {nova.name = "mean_012.x"},
    %mean_edges.x: tensor<3x7xf16> {nova.name = "mean_edges.x"},
    %max_0.x: tensor<3x5x4xf16> {nova.name = "max_0.x"},
    %max_1.x: tensor<3x5x4xf16> {nova.name = "max_1.x"},
    %max_2.x: tensor<3x5x4xf16> {nova.name = "max_2.x"},
    %max_02.x: tensor<3x5x4xf16> {nova.name = "max_02.x"},
    %max_012.x: tensor<3x5x4xf16> {nova.name = "max_012.x"},
    %max_edges.x: tensor<3x7xf16> {nova.name = "max_edges.x"},
    %min_0.x: tensor<3x5x4xf16> {nova.name = "min_0.x"},
    %min_1.x: tensor<3x5x4xf16> {nova.name = "min_1.x"},
    %min_2.x: tensor<3x5x4xf16> {nova.name = "min_2.x"},
    %min_02.x: tensor<3x5x4xf16> {nova.name = "min_02.x"},
    %min_012.x: tensor<3x5x4xf16> {nova.name = "min_012.x"},
    %min_edges.x: tensor<3x7xf16> {nova.name = "min_edges.x"},
    %product.x: tensor<3x5x4xf16> {nova.name = "product.x"},
    %sum_of_none.x: tensor<3x0xf16> {nova.name = "sum_of_none.x"},
    %product_of_none.x: tensor<3x0xf16> {nova.name = "product_of_none.x"},
    %argmax_0.x: tensor<3x5x4xf16> {nova.name = "argmax_0.x"},
    %argmax_1.x: tensor<3x5x4xf16> {nova.name = "argmax_1.x"},
    %argmax_2.x: tensor<3x5x4xf16> {nova.name = "argmax_2.x"},
    %argmax_edges.x: tensor<3x7xf16> {nova.name = "argmax_edges.x"},
    %argmin_0.x: tensor<3x5x4xf16> {nova.name = "argmin_0.x"},
    %argmin_1.x: tensor<3x5x4xf16> {nova.name = "argmin_1.x"},
    %argmin_2.x: tensor<3x5x4xf16> {nova.name = "argmin_2.x"},
    %argmin_edges.x: tensor<3x7xf16> {nova.name = "argmin_edges.x"},
    %cumsum_0.x: tensor<3x5x4xf16> {nova.name = "cumsum_0.x"},
    %softmax_0.x: tensor<3x5x4xf16> {nova.name = "softmax_0.x"},
    %log_softmax_0.x: tensor<3x5x4xf16> {nova.name = "log_softmax_0.x"},
    %logsumexp_0.x: tensor<3x5x4xf16> {nova.name = "logsumexp_0.x"},
    %cumsum_1.x: tensor<3x5x4xf16> {nova.name = "cumsum_1.x"},
    %softmax_1.x: tensor<3x5x4xf16> {nova.name = "softmax_1.x"},
    %log_softmax_1.x: tensor<3x5x4xf16> {nova.name = "log_softmax_1.x"},
    %logsumexp_1.x: tensor<3x5x4xf16> {nova.name = "logsumexp_1.x"},
    %cumsum_2.x: tensor<3x5x4xf16> {nova.name = "cumsum_2.x"},
    %softmax_2.x: tensor<3x5x4xf16> {nova.name = "softmax_2.x"},
    %log_softmax_2.x: tensor<3x5x4xf16> {nova.name = "log_softmax_2.x"},
    %logsumexp_2.x: tensor<3x5x4xf16> {nova.name = "logsumexp_2.x"},
    %softmax_edges.x: tensor<4x3xf16> {nova.name = "softmax_edges.x"},
    %log_softmax_edges.x: tensor<4x3xf16> {nova.name = "log_softmax_edges.x"},
    %logsumexp_edges.x: tensor<4x3xf16> {nova.name = "logsumexp_edges.x"},
    %logsumexp_all.x: tensor<3x5x4xf16> {nova.name = "logsumexp_all.x"},
    %logsumexp_of_none.x: tensor<3x0xf16> {nova.name = "logsumexp_of_none.x"},
    %softmax_one.x: tensor<5x1xf16> {nova.name = "softmax_one.x"},
    %cumsum_reverse.x: tensor<3x5x4xf16> {nova.name = "cumsum_reverse.x"},
    %broadcast_in_dim.x: tensor<4x1xf16> {nova.name = "broadcast_in_dim.x"},
    %reshape.x: tensor<4x6xf16> {nova.name = "reshape.x"},
    %transpose.x: tensor<2x3x4x2x1x3xf16> {nova.name = "transpose.x"},
    %slice.x: tensor<4x10xf16> {nova.name = "slice.x"},
    %pad.x: tensor<3x4xf16> {nova.name = "pad.x"},
    %pad.v: tensor<f16> {nova.name = "pad.v"},
    %concat.a: tensor<2x3xf16> {nova.name = "concat.a"},
    %concat.b: tensor<2x0xf16> {nova.name = "concat.b"},
    %concat.c: tensor<2x4xf16> {nova.name = "concat.c"},
    %gather.t: tensor<6x3xf16> {nova.name = "gather.t"},
    %gather.i: tensor<2x4xi32> {nova.name = "gather.i"},
    %scatter_add.x: tensor<6x3xf16> {nova.name = "scatter_add.x"},
    %scatter_add.i: tensor<5xi32> {nova.name = "scatter_add.i"},
    %scatter_add.u: tensor<5x3xf16> {nova.name = "scatter_add.u"},
    %select.c: tensor<3x5xi1> {nova.name = "select.c"},
    %select.a: tensor<3x5xf16> {nova.name = "select.a"},
    %select.b: tensor<5xf16> {nova.name = "select.b"},
    %dynamic_slice_inside.x: tensor<4x10xf16> {nova.name = "dynamic_slice_inside.x"},
    %dynamic_slice_inside.i: tensor<2xi64> {nova.name = "dynamic_slice_inside.i"},
    %dynamic_update_slice_inside.x: tensor<4x10xf16> {nova.name = "dynamic_update_slice_inside.x"},
    %dynamic_update_slice_inside.i: tensor<2xi32> {nova.name = "dynamic_update_slice_inside.i"},
    %dynamic_update_slice_inside.u: tensor<2x5xf16> {nova.name = "dynamic_update_slice_inside.u"},
    %dynamic_slice_before.x: tensor<4x10xf16> {nova.name = "dynamic_slice_before.x"},
    %dynamic_slice_before.i: tensor<2xi64> {nova.name = "dynamic_slice_before.i"},
    %dynamic_update_slice_before.x: tensor<4x10xf16> {nova.name = "dynamic_update_slice_before.x"},
    %dynamic_update_slice_before.i: tensor<2xi32> {nova.name = "dynamic_update_slice_before.i"},
    %dynamic_update_slice_before.u: tensor<2x5xf16> {nova.name = "dynamic_update_slice_before.u"},
    %dynamic_slice_behind.x: tensor<4x10xf16> {nova.name = "dynamic_slice_behind.x"},
    %dynamic_slice_behind.i: tensor<2xi64> {nova.name = "dynamic_slice_behind.i"},
    %dynamic_update_slice_behind.x: tensor<4x10xf16> {nova.name = "dynamic_update_slice_behind.x"},
    %dynamic_update_slice_behind.i: tensor<2xi32> {nova.name = "dynamic_update_slice_behind.i"},
    %dynamic_update_slice_behind.u: tensor<2x5xf16> {nova.name = "dynamic_update_slice_behind.u"},
    %layer_norm.x: tensor<2x3x12xf16> {nova.name = "layer_norm.x"},
    %layer_norm.w: tensor<12xf16> {nova.name = "layer_norm.w"},
    %layer_norm.b: tensor<12xf16> {nova.name = "layer_norm.b"},
    %rms_norm.x: tensor<2x3x12xf16> {nova.name = "rms_norm.x"},
    %rms_norm.w: tensor<12xf16> {nova.name = "rms_norm.w"},
    %rotary.x: tensor<2x3x12xf16> {nova.name = "rotary.x"},
    %rotary.c: tensor<3x4xf16> {nova.name = "rotary.c"},
    %rotary.s: tensor<3x4xf16> {nova.name = "rotary.s"},
    %rotary_interleaved.x: tensor<2x3x12xf16> {nova.name = "rotary_interleaved.x"},
    %rotary_interleaved.c: tensor<2x1x6xf16> {nova.name = "rotary_interleaved.c"},
    %rotary_interleaved.s: tensor<2x1x6xf16> {nova.name = "rotary_interleaved.s"},
    %conv2d.x: tensor<2x4x7x6xf16> {nova.name = "conv2d.x"},
    %conv2d.w: tensor<6x2x3x2xf16> {nova.name = "conv2d.w"},
    %conv2d_plain.x: tensor<1x3x5x5xf16> {nova.name = "conv2d_plain.x"},
    %conv2d_plain.w: tensor<2x3x3x3xf16> {nova.name = "conv2d_plain.w"},
    %matmul.a: tensor<3x1x2x4xf16> {nova.name = "matmul.a"},
    %matmul.b: tensor<2x5x4xf16> {nova.name = "matmul.b"},
    %mse_mean.x: tensor<4x5xf16> {nova.name = "mse_mean.x"},
    %mse_mean.t: tensor<4x5xf16> {nova.name = "mse_mean.t"},
    %mae_mean.x: tensor<4x5xf16> {nova.name = "mae_mean.x"},
    %mae_mean.t: tensor<4x5xf16> {nova.name = "mae_mean.t"},
    %bce_mean.x: tensor<4x5xf16> {nova.name = "bce_mean.x"},
    %bce_mean.t: tensor<4x5xf16> {nova.name = "bce_mean.t"},
    %cce_mean.x: tensor<4x5xf16> {nova.name = "cce_mean.x"},
    %cce_mean.t: tensor<4x5xf16> {nova.name = "cce_mean.t"},
    %cross_entropy_mean.x: tensor<4x5xf16> {nova.name = "cross_entropy_mean.x"},
    %cross_entropy_mean.t: tensor<4xi32> {nova.name = "cross_entropy_mean.t"},
    %mse_sum.x: tensor<4x5xf16> {nova.name = "mse_sum.x"},
    %mse_sum.t: tensor<4x5xf16> {nova.name = "mse_sum.t"},
    %mae_sum.x: tensor<4x5xf16> {nova.name = "mae_sum.x"},
    %mae_sum.t: tensor<4x5xf16> {nova.name = "mae_sum.t"},
    %bce_sum.x: tensor<4x5xf16> {nova.name = "bce_sum.x"},
    %bce_sum.t: tensor<4x5xf16> {nova.name = "bce_sum.t"},
    %cce_sum.x: tensor<4x5xf16> {nova.name = "cce_sum.x"},
    %cce_sum.t: tensor<4x5xf16> {nova.name = "cce_sum.t"},
    %cross_entropy_sum.x: tensor<4x5xf16> {nova.name = "cross_entropy_sum.x"},
    %cross_entropy_sum.t: tensor<4xi32> {nova.name = "cross_entropy_sum.t"},
    %mse_none.x: tensor<4x5xf16> {nova.name = "mse_none.x"},
    %mse_none.t: tensor<4x5xf16> {nova.name = "mse_none.t"},
    %mae_none.x: tensor<4x5xf16> {nova.name = "mae_none.x"},
    %mae_none.t: tensor<4x5xf16> {nova.name = "mae_none.t"},
    %bce_none.x: tensor<4x5xf16> {nova.name = "bce_none.x"},
    %bce_none.t: tensor<4x5xf16> {nova.name = "bce_none.t"},
    %cce_none.x: tensor<4x5xf16> {nova.name = "cce_none.x"},
    %cce_none.t: tensor<4x5xf16> {nova.name = "cce_none.t"},
    %cross_entropy_none.x: tensor<4x5xf16> {nova.name = "cross_entropy_none.x"},
    %cross_entropy_none.t: tensor<4xi32> {nova.name = "cross_entropy_none.t"},
    %cross_entropy_none_counts.x: tensor<4x5xf16> {nova.name = "cross_entropy_none_counts.x"},
    %cross_entropy_none_counts.t: tensor<4xi32> {nova.name = "cross_entropy_none_counts.t"},
    %mse_empty.x: tensor<0x3xf16> {nova.name = "mse_empty.x"},
    %mse_empty.t: tensor<0x3xf16> {nova.name = "mse_empty.t"},
    %random_uniform.s: tensor<i64> {nova.name = "random_uniform.s"},
    %random_uniform.t: tensor<i64> {nova.name = "random_uniform.t"},
    %random_scalar.s: tensor<i64> {nova.name = "random_scalar.s"},
    %random_scalar.t: tensor<i64> {nova.name = "random_scalar.t"},
    %dropout.x: tensor<5x13xf16> {nova.name = "dropout.x"},
    %dropout.s: tensor<i64> {nova.name = "dropout.s"},
    %dropout.t: tensor<i64> {nova.name = "dropout.t"},
    %dropout_all.x: tensor<3x7xf16> {nova.name = "dropout_all.x"},
    %dropout_all.s: tensor<i64> {nova.name = "dropout_all.s"},
    %dropout_all.t: tensor<i64> {nova.name = "dropout_all.t"},
    %dropout_none.x: tensor<3x7xf16> {nova.name = "dropout_none.x"},
    %dropout_none.s: tensor<i64> {nova.name = "dropout_none.s"},
    %dropout_none.t: tensor<i64> {nova.name = "dropout_none.t"},
    %adam.p: tensor<4x7xf16> {nova.name = "adam.p"},
    %adam.g: tensor<4x7xf16> {nova.name = "adam.g"},
    %adam.m: tensor<4x7xf16> {nova.name = "adam.m"},
    %adam.v: tensor<4x7xf16> {nova.name = "adam.v"},
    %adam.lr: tensor<f32> {nova.name = "adam.lr"},
    %adam.t: tensor<i64> {nova.name = "adam.t"},
    %adam.s: tensor<f32> {nova.name = "adam.s"},
    %adamw.p: tensor<4x7xf16> {nova.name = "adamw.p"},
    %adamw.g: tensor<4x7xf16> {nova.name = "adamw.g"},
    %adamw.m: tensor<4x7xf16> {nova.name = "adamw.m"},
    %adamw.v: tensor<4x7xf16> {nova.name = "adamw.v"},
    %adamw.lr: tensor<f32> {nova.name = "adamw.lr"},
    %adamw.t: tensor<i64> {nova.name = "adamw.t"},
    %adamw.s: tensor<f32> {nova.name = "adamw.s"},
    %sgd_plain.p: tensor<4x7xf16> {nova.name = "sgd_plain.p"},
    %sgd_plain.g: tensor<4x7xf16> {nova.name = "sgd_plain.g"},
    %sgd_plain.m: tensor<4x7xf16> {nova.name = "sgd_plain.m"},
    %sgd_plain.lr: tensor<f32> {nova.name = "sgd_plain.lr"},
    %sgd_plain.s: tensor<f32> {nova.name = "sgd_plain.s"},
    %sgd_nesterov.p: tensor<4x7xf16> {nova.name = "sgd_nesterov.p"},
    %sgd_nesterov.g: tensor<4x7xf16> {nova.name = "sgd_nesterov.g"},
    %sgd_nesterov.m: tensor<4x7xf16> {nova.name = "sgd_nesterov.m"},
    %sgd_nesterov.lr: tensor<f32> {nova.name = "sgd_nesterov.lr"},
    %sgd_nesterov.s: tensor<f32> {nova.name = "sgd_nesterov.s"},
    %global_norm.a: tensor<4x7xf16> {nova.name = "global_norm.a"},
    %global_norm.b: tensor<3xf16> {nova.name = "global_norm.b"})
    -> (tensor<3x7xf16> {nova.name = "result.abs"},
        tensor<3x7xf16> {nova.name = "result.neg"},
        tensor<3x7xf16> {nova.name = "result.sign"},
        tensor<3x7xf16> {nova.name = "result.square"},
        tensor<3x7xf16> {nova.name = "result.sqrt"},
        tensor<3x7xf16> {nova.name = "result.rsqrt"},
        tensor<3x7xf16> {nova.name = "result.reciprocal"},
        tensor<3x7xf16> {nova.name = "result.exp"},
        tensor<3x7xf16> {nova.name = "result.exp2"},
        tensor<3x7xf16> {nova.name = "result.expm1"},
        tensor<3x9xf16> {nova.name = "result.log"},
        tensor<3x9xf16> {nova.name = "result.log2"},
        tensor<3x9xf16> {nova.name = "result.log10"},
        tensor<3x9xf16> {nova.name = "result.log1p"},
        tensor<3x9xf16> {nova.name = "result.sin"},
        tensor<3x9xf16> {nova.name = "result.cos"},
        tensor<3x7xf16> {nova.name = "result.tan"},
        tensor<14xf16> {nova.name = "result.asin"},
        tensor<14xf16> {nova.name = "result.acos"},
        tensor<3x9xf16> {nova.name = "result.atan"},
        tensor<3x7xf16> {nova.name = "result.sinh"},
        tensor<3x7xf16> {nova.name = "result.cosh"},
        tensor<3x7xf16> {nova.name = "result.tanh"},
        tensor<3x9xf16> {nova.name = "result.asinh"},
        tensor<3x9xf16> {nova.name = "result.acosh"},
        tensor<14xf16> {nova.name = "result.atanh"},
        tensor<3x7xf16> {nova.name = "result.erf"},
        tensor<3x7xf16> {nova.name = "result.relu"},
        tensor<3x7xf16> {nova.name = "result.sigmoid"},
        tensor<2x7xf16> {nova.name = "result.silu"},
        tensor<3x7xf16> {nova.name = "result.floor"},
        tensor<3x7xf16> {nova.name = "result.ceil"},
        tensor<3x7xf16> {nova.name = "result.round"},
        tensor<3x7xf16> {nova.name = "result.gelu_tanh"},
        tensor<3x7xf16> {nova.name = "result.gelu_exact"},
        tensor<11x11xf16> {nova.name = "result.add"},
        tensor<11x11xf16> {nova.name = "result.sub"},
        tensor<11x11xf16> {nova.name = "result.mul"},
        tensor<11x11xf16> {nova.name = "result.div"},
        tensor<11x11xf16> {nova.name = "result.mod"},
        tensor<11x11xf16> {nova.name = "result.pow"},
        tensor<11x11xf16> {nova.name = "result.max"},
        tensor<11x11xf16> {nova.name = "result.min"},
        tensor<11x11x11xf16> {nova.name = "result.clamp"},
        tensor<f16> {nova.name = "result.scalar"},
        tensor<3x0xf16> {nova.name = "result.empty"},
        tensor<2x3x3x4x2x2xf16> {nova.name = "result.rank_6"},
        tensor<3x4xi32> {nova.name = "result.to_i32"},
        tensor<3x7xi1> {nova.name = "result.to_i1"},
        tensor<3x8xf64> {nova.name = "result.to_f64"},
        tensor<3x8xf32> {nova.name = "result.to_f32"},
        tensor<3x8xbf16> {nova.name = "result.to_bf16"},
        tensor<11x11xi1> {nova.name = "result.compare_eq"},
        tensor<11x11xi1> {nova.name = "result.compare_ne"},
        tensor<11x11xi1> {nova.name = "result.compare_lt"},
        tensor<11x11xi1> {nova.name = "result.compare_le"},
        tensor<11x11xi1> {nova.name = "result.compare_gt"},
        tensor<11x11xi1> {nova.name = "result.compare_ge"},
        tensor<5x4xf16> {nova.name = "result.sum_0"},
        tensor<3x4xf16> {nova.name = "result.sum_1"},
        tensor<3x5xf16> {nova.name = "result.sum_2"},
        tensor<5xf16> {nova.name = "result.sum_02"},
        tensor<f16> {nova.name = "result.sum_012"},
        tensor<3x1xf16> {nova.name = "result.sum_edges"},
        tensor<5x4xf16> {nova.name = "result.mean_0"},
        tensor<3x4xf16> {nova.name = "result.mean_1"},
        tensor<3x5xf16> {nova.name = "result.mean_2"},
        tensor<5xf16> {nova.name = "result.mean_02"},
        tensor<f16> {nova.name = "result.mean_012"},
        tensor<3x1xf16> {nova.name = "result.mean_edges"},
        tensor<5x4xf16> {nova.name = "result.max_0"},
        tensor<3x4xf16> {nova.name = "result.max_1"},
        tensor<3x5xf16> {nova.name = "result.max_2"},
        tensor<5xf16> {nova.name = "result.max_02"},
        tensor<f16> {nova.name = "result.max_012"},
        tensor<3x1xf16> {nova.name = "result.max_edges"},
        tensor<5x4xf16> {nova.name = "result.min_0"},
        tensor<3x4xf16> {nova.name = "result.min_1"},
        tensor<3x5xf16> {nova.name = "result.min_2"},
        tensor<5xf16> {nova.name = "result.min_02"},
        tensor<f16> {nova.name = "result.min_012"},
        tensor<3x1xf16> {nova.name = "result.min_edges"},
        tensor<3x4xf16> {nova.name = "result.product"},
        tensor<3xf16> {nova.name = "result.sum_of_none"},
        tensor<3xf16> {nova.name = "result.product_of_none"},
        tensor<5x4xi64> {nova.name = "result.argmax_0"},
        tensor<3x4xi64> {nova.name = "result.argmax_1"},
        tensor<3x5xi64> {nova.name = "result.argmax_2"},
        tensor<3x1xi64> {nova.name = "result.argmax_edges"},
        tensor<5x4xi64> {nova.name = "result.argmin_0"},
        tensor<3x4xi64> {nova.name = "result.argmin_1"},
        tensor<3x5xi64> {nova.name = "result.argmin_2"},
        tensor<3x1xi64> {nova.name = "result.argmin_edges"},
        tensor<3x5x4xf16> {nova.name = "result.cumsum_0"},
        tensor<3x5x4xf16> {nova.name = "result.softmax_0"},
        tensor<3x5x4xf16> {nova.name = "result.log_softmax_0"},
        tensor<5x4xf16> {nova.name = "result.logsumexp_0"},
        tensor<3x5x4xf16> {nova.name = "result.cumsum_1"},
        tensor<3x5x4xf16> {nova.name = "result.softmax_1"},
        tensor<3x5x4xf16> {nova.name = "result.log_softmax_1"},
        tensor<3x4xf16> {nova.name = "result.logsumexp_1"},
        tensor<3x5x4xf16> {nova.name = "result.cumsum_2"},
        tensor<3x5x4xf16> {nova.name = "result.softmax_2"},
        tensor<3x5x4xf16> {nova.name = "result.log_softmax_2"},
        tensor<3x5xf16> {nova.name = "result.logsumexp_2"},
        tensor<4x3xf16> {nova.name = "result.softmax_edges"},
        tensor<4x3xf16> {nova.name = "result.log_softmax_edges"},
        tensor<4x1xf16> {nova.name = "result.logsumexp_edges"},
        tensor<5xf16> {nova.name = "result.logsumexp_all"},
        tensor<3xf16> {nova.name = "result.logsumexp_of_none"},
        tensor<5x1xf16> {nova.name = "result.softmax_one"},
        tensor<3x5x4xf16> {nova.name = "result.cumsum_reverse"},
        tensor<4x3x5xf16> {nova.name = "result.broadcast_in_dim"},
        tensor<3x8xf16> {nova.name = "result.reshape"},
        tensor<4x2x3x3x1x2xf16> {nova.name = "result.transpose"},
        tensor<2x3xf16> {nova.name = "result.slice"},
        tensor<4x9xf16> {nova.name = "result.pad"},
        tensor<2x7xf16> {nova.name = "result.concat"},
        tensor<2x4x3xf16> {nova.name = "result.gather"},
        tensor<6x3xf16> {nova.name = "result.scatter_add"},
        tensor<3x5xf16> {nova.name = "result.select"},
        tensor<2x5xf16> {nova.name = "result.dynamic_slice_inside"},
        tensor<4x10xf16> {nova.name = "result.dynamic_update_slice_inside"},
        tensor<2x5xf16> {nova.name = "result.dynamic_slice_before"},
        tensor<4x10xf16> {nova.name = "result.dynamic_update_slice_before"},
        tensor<2x5xf16> {nova.name = "result.dynamic_slice_behind"},
        tensor<4x10xf16> {nova.name = "result.dynamic_update_slice_behind"},
        tensor<2x3x12xf16> {nova.name = "result.layer_norm"},
        tensor<2x3x12xf16> {nova.name = "result.rms_norm"},
        tensor<2x3x12xf16> {nova.name = "result.rotary"},
        tensor<2x3x12xf16> {nova.name = "result.rotary_interleaved"},
        tensor<2x6x4x8xf16> {nova.name = "result.conv2d"},
        tensor<1x2x3x3xf16> {nova.name = "result.conv2d_plain"},
        tensor<3x2x2x5xf16> {nova.name = "result.matmul"},
        tensor<f32> {nova.name = "result.mse_mean"},
        tensor<f32> {nova.name = "result.mae_mean"},
        tensor<f32> {nova.name = "result.bce_mean"},
        tensor<f32> {nova.name = "result.cce_mean"},
        tensor<f32> {nova.name = "result.cross_entropy_mean"},
        tensor<f32> {nova.name = "result.mse_sum"},
        tensor<f32> {nova.name = "result.mae_sum"},
        tensor<f32> {nova.name = "result.bce_sum"},
        tensor<f32> {nova.name = "result.cce_sum"},
        tensor<f32> {nova.name = "result.cross_entropy_sum"},
        tensor<4x5xf32> {nova.name = "result.mse_none"},
        tensor<4x5xf32> {nova.name = "result.mae_none"},
        tensor<4x5xf32> {nova.name = "result.bce_none"},
        tensor<4xf32> {nova.name = "result.cce_none"},
        tensor<4xf32> {nova.name = "result.cross_entropy_none"},
        tensor<f32> {nova.name = "result.cross_entropy_none_counts"},
        tensor<f32> {nova.name = "result.mse_empty"},
        tensor<7x11xf16> {nova.name = "result.random_uniform"},
        tensor<f16> {nova.name = "result.random_scalar"},
        tensor<5x13xf16> {nova.name = "result.dropout"},
        tensor<3x7xf16> {nova.name = "result.dropout_all"},
        tensor<3x7xf16> {nova.name = "result.dropout_none"},
        tensor<4x7xf16> {nova.name = "result.adam"},
        tensor<4x7xf16> {nova.name = "result.adam.result1"},
        tensor<4x7xf16> {nova.name = "result.adam.result2"},
        tensor<4x7xf16> {nova.name = "result.adamw"},
        tensor<4x7xf16> {nova.name = "result.adamw.result1"},
        tensor<4x7xf16> {nova.name = "result.adamw.result2"},
        tensor<4x7xf16> {nova.name = "result.sgd_plain"},
        tensor<4x7xf16> {nova.name = "result.sgd_plain.result1"},
        tensor<4x7xf16> {nova.name = "result.sgd_nesterov"},
        tensor<4x7xf16> {nova.name = "result.sgd_nesterov.result1"},
        tensor<f32> {nova.name = "result.global_norm"}) {
  %abs = nova.abs %abs.x : tensor<3x7xf16>
  %neg = nova.neg %neg.x : tensor<3x7xf16>
  %sign = nova.sign %sign.x : tensor<3x7xf16>
  %square = nova.square %square.x : tensor<3x7xf16>
  %sqrt = nova.sqrt %sqrt.x : tensor<3x7xf16>
  %rsqrt = nova.rsqrt %rsqrt.x : tensor<3x7xf16>
  %reciprocal = nova.reciprocal %reciprocal.x : tensor<3x7xf16>
  %exp = nova.exp %exp.x : tensor<3x7xf16>
  %exp2 = nova.exp2 %exp2.x : tensor<3x7xf16>
  %expm1 = nova.expm1 %expm1.x : tensor<3x7xf16>
  %log = nova.log %log.x : tensor<3x9xf16>
  %log2 = nova.log2 %log2.x : tensor<3x9xf16>
  %log10 = nova.log10 %log10.x : tensor<3x9xf16>
  %log1p = nova.log1p %log1p.x : tensor<3x9xf16>
  %sin = nova.sin %sin.x : tensor<3x9xf16>
  %cos = nova.cos %cos.x : tensor<3x9xf16>
  %tan = nova.tan %tan.x : tensor<3x7xf16>
  %asin = nova.asin %asin.x : tensor<14xf16>
  %acos = nova.acos %acos.x : tensor<14xf16>
  %atan = nova.atan %atan.x : tensor<3x9xf16>
  %sinh = nova.sinh %sinh.x : tensor<3x7xf16>
  %cosh = nova.cosh %cosh.x : tensor<3x7xf16>
  %tanh = nova.tanh %tanh.x : tensor<3x7xf16>
  %asinh = nova.asinh %asinh.x : tensor<3x9xf16>
  %acosh = nova.acosh %acosh.x : tensor<3x9xf16>
  %atanh = nova.atanh %atanh.x : tensor<14xf16>
  %erf = nova.erf %erf.x : tensor<3x7xf16>
  %relu = nova.relu %relu.x : tensor<3x7xf16>
  %sigmoid = nova.sigmoid %sigmoid.x : tensor<3x7xf16>
  %silu = nova.silu %silu.x : tensor<2x7xf16>
  %floor = nova.floor %floor.x : tensor<3x7xf16>
  %ceil = nova.ceil %ceil.x : tensor<3x7xf16>
  %round = nova.round %round.x : tensor<3x7xf16>
  %gelu_tanh = nova.gelu tanh %gelu_tanh.x : tensor<3x7xf16>
  %gelu_exact = nova.gelu exact %gelu_exact.x : tensor<3x7xf16>
  %add = nova.add %add.a, %add.b : tensor<11x1xf16>, tensor<11xf16>
  %sub = nova.sub %sub.a, %sub.b : tensor<11x1xf16>, tensor<11xf16>
  %mul = nova.mul %mul.a, %mul.b : tensor<11x1xf16>, tensor<11xf16>
  %div = nova.div %div.a, %div.b : tensor<11x1xf16>, tensor<11xf16>
  %mod = nova.mod %mod.a, %mod.b : tensor<11x1xf16>, tensor<11xf16>
  %pow = nova.pow %pow.a, %pow.b : tensor<11x1xf16>, tensor<11xf16>
  %max = nova.max %max.a, %max.b : tensor<11x1xf16>, tensor<11xf16>
  %min = nova.min %min.a, %min.b : tensor<11x1xf16>, tensor<11xf16>
  %clamp = nova.clamp %clamp.x, %clamp.l, %clamp.h : tensor<11x1xf16>, tensor<1x1x11xf16>, tensor<11x1x1xf16>
  %scalar = nova.exp %scalar.x : tensor<f16>
  %empty = nova.exp %empty.x : tensor<3x0xf16>
  %rank_6 = nova.add %rank_6.a, %rank_6.b : tensor<2x1x3x1x2x2xf16>, tensor<3x1x4x1x2xf16>
  %to_i32 = nova.cast %to_i32.x : tensor<3x4xf16> -> tensor<3x4xi32>
  %to_i1 = nova.cast %to_i1.x : tensor<3x7xf16> -> tensor<3x7xi1>
  %to_f64 = nova.cast %to_f64.x : tensor<3x8xf16> -> tensor<3x8xf64>
  %to_f32 = nova.cast %to_f32.x : tensor<3x8xf16> -> tensor<3x8xf32>
  %to_bf16 = nova.cast %to_bf16.x : tensor<3x8xf16> -> tensor<3x8xbf16>
  %compare_eq = nova.compare eq %compare_eq.a, %compare_eq.b : tensor<11x1xf16>, tensor<11xf16>
  %compare_ne = nova.compare ne %compare_ne.a, %compare_ne.b : tensor<11x1xf16>, tensor<11xf16>
  %compare_lt = nova.compare lt %compare_lt.a, %compare_lt.b : tensor<11x1xf16>, tensor<11xf16>
  %compare_le = nova.compare le %compare_le.a, %compare_le.b : tensor<11x1xf16>, tensor<11xf16>
  %compare_gt = nova.compare gt %compare_gt.a, %compare_gt.b : tensor<11x1xf16>, tensor<11xf16>
  %compare_ge = nova.compare ge %compare_ge.a, %compare_ge.b : tensor<11x1xf16>, tensor<11xf16>
  %sum_0 = nova.reduce sum %sum_0.x over [0] : tensor<3x5x4xf16>
  %sum_1 = nova.reduce sum %sum_1.x over [1] : tensor<3x5x4xf16>
  %sum_2 = nova.reduce sum %sum_2.x over [2] : tensor<3x5x4xf16>
  %sum_02 = nova.reduce sum %sum_02.x over [0, 2] : tensor<3x5x4xf16>
  %sum_012 = nova.reduce sum %sum_012.x over [0, 1, 2] : tensor<3x5x4xf16>
  %sum_edges = nova.reduce sum %sum_edges.x over [1] {keep_dims} : tensor<3x7xf16>
  %mean_0 = nova.reduce mean %mean_0.x over [0] : tensor<3x5x4xf16>
  %mean_1 = nova.reduce mean %mean_1.x over [1] : tensor<3x5x4xf16>
  %mean_2 = nova.reduce mean %mean_2.x over [2] : tensor<3x5x4xf16>
  %mean_02 = nova.reduce mean %mean_02.x over [0, 2] : tensor<3x5x4xf16>
  %mean_012 = nova.reduce mean %mean_012.x over [0, 1, 2] : tensor<3x5x4xf16>
  %mean_edges = nova.reduce mean %mean_edges.x over [1] {keep_dims} : tensor<3x7xf16>
  %max_0 = nova.reduce max %max_0.x over [0] : tensor<3x5x4xf16>
  %max_1 = nova.reduce max %max_1.x over [1] : tensor<3x5x4xf16>
  %max_2 = nova.reduce max %max_2.x over [2] : tensor<3x5x4xf16>
  %max_02 = nova.reduce max %max_02.x over [0, 2] : tensor<3x5x4xf16>
  %max_012 = nova.reduce max %max_012.x over [0, 1, 2] : tensor<3x5x4xf16>
  %max_edges = nova.reduce max %max_edges.x over [1] {keep_dims} : tensor<3x7xf16>
  %min_0 = nova.reduce min %min_0.x over [0] : tensor<3x5x4xf16>
  %min_1 = nova.reduce min %min_1.x over [1] : tensor<3x5x4xf16>
  %min_2 = nova.reduce min %min_2.x over [2] : tensor<3x5x4xf16>
  %min_02 = nova.reduce min %min_02.x over [0, 2] : tensor<3x5x4xf16>
  %min_012 = nova.reduce min %min_012.x over [0, 1, 2] : tensor<3x5x4xf16>
  %min_edges = nova.reduce min %min_edges.x over [1] {keep_dims} : tensor<3x7xf16>
  %product = nova.reduce product %product.x over [1] : tensor<3x5x4xf16>
  %sum_of_none = nova.reduce sum %sum_of_none.x over [1] : tensor<3x0xf16>
  %product_of_none = nova.reduce product %product_of_none.x over [1] : tensor<3x0xf16>
  %argmax_0 = nova.argmax %argmax_0.x {axis = 0} : tensor<3x5x4xf16>
  %argmax_1 = nova.argmax %argmax_1.x {axis = 1} : tensor<3x5x4xf16>
  %argmax_2 = nova.argmax %argmax_2.x {axis = -1} : tensor<3x5x4xf16>
  %argmax_edges = nova.argmax %argmax_edges.x {keep_dims} : tensor<3x7xf16>
  %argmin_0 = nova.argmin %argmin_0.x {axis = 0} : tensor<3x5x4xf16>
  %argmin_1 = nova.argmin %argmin_1.x {axis = 1} : tensor<3x5x4xf16>
  %argmin_2 = nova.argmin %argmin_2.x {axis = -1} : tensor<3x5x4xf16>
  %argmin_edges = nova.argmin %argmin_edges.x {keep_dims} : tensor<3x7xf16>
  %cumsum_0 = nova.cumsum %cumsum_0.x {axis = 0} : tensor<3x5x4xf16>
  %softmax_0 = nova.softmax %softmax_0.x {axis = 0} : tensor<3x5x4xf16>
  %log_softmax_0 = nova.log_softmax %log_softmax_0.x {axis = 0} : tensor<3x5x4xf16>
  %logsumexp_0 = nova.logsumexp %logsumexp_0.x over [0] : tensor<3x5x4xf16>
  %cumsum_1 = nova.cumsum %cumsum_1.x {axis = 1} : tensor<3x5x4xf16>
  %softmax_1 = nova.softmax %softmax_1.x {axis = 1} : tensor<3x5x4xf16>
  %log_softmax_1 = nova.log_softmax %log_softmax_1.x {axis = 1} : tensor<3x5x4xf16>
  %logsumexp_1 = nova.logsumexp %logsumexp_1.x over [1] : tensor<3x5x4xf16>
  %cumsum_2 = nova.cumsum %cumsum_2.x {axis = 2} : tensor<3x5x4xf16>
  %softmax_2 = nova.softmax %softmax_2.x {axis = 2} : tensor<3x5x4xf16>
  %log_softmax_2 = nova.log_softmax %log_softmax_2.x {axis = 2} : tensor<3x5x4xf16>
  %logsumexp_2 = nova.logsumexp %logsumexp_2.x over [2] : tensor<3x5x4xf16>
  %softmax_edges = nova.softmax %softmax_edges.x : tensor<4x3xf16>
  %log_softmax_edges = nova.log_softmax %log_softmax_edges.x : tensor<4x3xf16>
  %logsumexp_edges = nova.logsumexp %logsumexp_edges.x over [1] {keep_dims} : tensor<4x3xf16>
  %logsumexp_all = nova.logsumexp %logsumexp_all.x over [0, 2] : tensor<3x5x4xf16>
  %logsumexp_of_none = nova.logsumexp %logsumexp_of_none.x over [1] : tensor<3x0xf16>
  %softmax_one = nova.softmax %softmax_one.x : tensor<5x1xf16>
  %cumsum_reverse = nova.cumsum %cumsum_reverse.x {reverse} : tensor<3x5x4xf16>
  %broadcast_in_dim = nova.broadcast_in_dim %broadcast_in_dim.x dims = [0, 2] : tensor<4x1xf16> -> tensor<4x3x5xf16>
  %reshape = nova.reshape %reshape.x : tensor<4x6xf16> -> tensor<3x8xf16>
  %transpose = nova.transpose %transpose.x [2, 0, 5, 1, 4, 3] : tensor<2x3x4x2x1x3xf16>
  %slice = nova.slice %slice.x starts = [1, 1] limits = [3, 9] strides = [1, 3] : tensor<4x10xf16> -> tensor<2x3xf16>
  %pad = nova.pad %pad.x, %pad.v low = [1, 0] high = [0, 2] interior = [0, 1] : tensor<3x4xf16>, tensor<f16> -> tensor<4x9xf16>
  %concat = nova.concat %concat.a, %concat.b, %concat.c axis = 1 : (tensor<2x3xf16>, tensor<2x0xf16>, tensor<2x4xf16>) -> tensor<2x7xf16>
  %gather = nova.gather %gather.t[%gather.i] : tensor<6x3xf16>, tensor<2x4xi32>
  %scatter_add = nova.scatter_add %scatter_add.x[%scatter_add.i], %scatter_add.u : tensor<6x3xf16>, tensor<5xi32>, tensor<5x3xf16>
  %select = nova.select %select.c, %select.a, %select.b : tensor<3x5xi1>, tensor<3x5xf16>, tensor<5xf16>
  %dynamic_slice_inside = nova.dynamic_slice %dynamic_slice_inside.x[%dynamic_slice_inside.i] sizes = [2, 5] : tensor<4x10xf16>, tensor<2xi64> -> tensor<2x5xf16>
  %dynamic_update_slice_inside = nova.dynamic_update_slice %dynamic_update_slice_inside.x[%dynamic_update_slice_inside.i], %dynamic_update_slice_inside.u : tensor<4x10xf16>, tensor<2xi32>, tensor<2x5xf16> -> tensor<4x10xf16>
  %dynamic_slice_before = nova.dynamic_slice %dynamic_slice_before.x[%dynamic_slice_before.i] sizes = [2, 5] : tensor<4x10xf16>, tensor<2xi64> -> tensor<2x5xf16>
  %dynamic_update_slice_before = nova.dynamic_update_slice %dynamic_update_slice_before.x[%dynamic_update_slice_before.i], %dynamic_update_slice_before.u : tensor<4x10xf16>, tensor<2xi32>, tensor<2x5xf16> -> tensor<4x10xf16>
  %dynamic_slice_behind = nova.dynamic_slice %dynamic_slice_behind.x[%dynamic_slice_behind.i] sizes = [2, 5] : tensor<4x10xf16>, tensor<2xi64> -> tensor<2x5xf16>
  %dynamic_update_slice_behind = nova.dynamic_update_slice %dynamic_update_slice_behind.x[%dynamic_update_slice_behind.i], %dynamic_update_slice_behind.u : tensor<4x10xf16>, tensor<2xi32>, tensor<2x5xf16> -> tensor<4x10xf16>
  %layer_norm = nova.layer_norm %layer_norm.x, %layer_norm.w, %layer_norm.b {eps = 1.0e-3} : tensor<2x3x12xf16>, tensor<12xf16>, tensor<12xf16>
  %rms_norm = nova.rms_norm %rms_norm.x, %rms_norm.w {eps = 1.0e-3} : tensor<2x3x12xf16>, tensor<12xf16>
  %rotary = nova.rotary_embedding %rotary.x, %rotary.c, %rotary.s : tensor<2x3x12xf16>, tensor<3x4xf16>, tensor<3x4xf16>
  %rotary_interleaved = nova.rotary_embedding %rotary_interleaved.x, %rotary_interleaved.c, %rotary_interleaved.s {interleaved} : tensor<2x3x12xf16>, tensor<2x1x6xf16>, tensor<2x1x6xf16>
  %conv2d = nova.conv2d %conv2d.x, %conv2d.w strides = [2, 1] padding = [1, 2] {dilation = array<i64: 1, 2>, groups = 2} : tensor<2x4x7x6xf16>, tensor<6x2x3x2xf16>
  %conv2d_plain = nova.conv2d %conv2d_plain.x, %conv2d_plain.w strides = [1, 1] padding = [0, 0] : tensor<1x3x5x5xf16>, tensor<2x3x3x3xf16>
  %matmul = nova.matmul %matmul.a, %matmul.b {transpose_rhs} : tensor<3x1x2x4xf16>, tensor<2x5x4xf16>
  %mse_mean = nova.mse %mse_mean.x, %mse_mean.t {reduction = #nova.reduction<mean>} : tensor<4x5xf16>, tensor<4x5xf16>
  %mae_mean = nova.mae %mae_mean.x, %mae_mean.t {reduction = #nova.reduction<mean>} : tensor<4x5xf16>, tensor<4x5xf16>
  %bce_mean = nova.bce %bce_mean.x, %bce_mean.t {reduction = #nova.reduction<mean>} : tensor<4x5xf16>, tensor<4x5xf16>
  %cce_mean = nova.cce %cce_mean.x, %cce_mean.t {reduction = #nova.reduction<mean>} : tensor<4x5xf16>, tensor<4x5xf16>
  %cross_entropy_mean = nova.cross_entropy %cross_entropy_mean.x, %cross_entropy_mean.t {label_smoothing = 0.25, reduction = #nova.reduction<mean>} : tensor<4x5xf16>, tensor<4xi32>
  %mse_sum = nova.mse %mse_sum.x, %mse_sum.t {reduction = #nova.reduction<sum>} : tensor<4x5xf16>, tensor<4x5xf16>
  %mae_sum = nova.mae %mae_sum.x, %mae_sum.t {reduction = #nova.reduction<sum>} : tensor<4x5xf16>, tensor<4x5xf16>
  %bce_sum = nova.bce %bce_sum.x, %bce_sum.t {reduction = #nova.reduction<sum>} : tensor<4x5xf16>, tensor<4x5xf16>
  %cce_sum = nova.cce %cce_sum.x, %cce_sum.t {reduction = #nova.reduction<sum>} : tensor<4x5xf16>, tensor<4x5xf16>
  %cross_entropy_sum = nova.cross_entropy %cross_entropy_sum.x, %cross_entropy_sum.t {label_smoothing = 0.25, reduction = #nova.reduction<sum>} : tensor<4x5xf16>, tensor<4xi32>
  %mse_none = nova.mse %mse_none.x, %mse_none.t {reduction = #nova.reduction<none>} : tensor<4x5xf16>, tensor<4x5xf16>
  %mae_none = nova.mae %mae_none.x, %mae_none.t {reduction = #nova.reduction<none>} : tensor<4x5xf16>, tensor<4x5xf16>
  %bce_none = nova.bce %bce_none.x, %bce_none.t {reduction = #nova.reduction<none>} : tensor<4x5xf16>, tensor<4x5xf16>
  %cce_none = nova.cce %cce_none.x, %cce_none.t {reduction = #nova.reduction<none>} : tensor<4x5xf16>, tensor<4x5xf16>
  %cross_entropy_none = nova.cross_entropy %cross_entropy_none.x, %cross_entropy_none.t {label_smoothing = 0.25, reduction = #nova.reduction<none>} : tensor<4x5xf16>, tensor<4xi32>
  %cross_entropy_none_counts = nova.cross_entropy %cross_entropy_none_counts.x, %cross_entropy_none_counts.t {ignore_index = 2} : tensor<4x5xf16>, tensor<4xi32>
  %mse_empty = nova.mse %mse_empty.x, %mse_empty.t : tensor<0x3xf16>, tensor<0x3xf16>
  %random_uniform = nova.random_uniform %random_uniform.s, %random_uniform.t {stream = 3} : tensor<7x11xf16>
  %random_scalar = nova.random_uniform %random_scalar.s, %random_scalar.t {stream = 4} : tensor<f16>
  %dropout = nova.dropout %dropout.x, %dropout.s, %dropout.t {p = 0.25, stream = 9} : tensor<5x13xf16>
  %dropout_all = nova.dropout %dropout_all.x, %dropout_all.s, %dropout_all.t {p = 1.0, stream = 9} : tensor<3x7xf16>
  %dropout_none = nova.dropout %dropout_none.x, %dropout_none.s, %dropout_none.t {p = 0.0, stream = 9} : tensor<3x7xf16>
  %adam, %adam.result1, %adam.result2 = nova.adam %adam.p, %adam.g, %adam.m, %adam.v, lr %adam.lr, step %adam.t, scale %adam.s {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-6, weight_decay = 0.1} : tensor<4x7xf16>, tensor<4x7xf16>
  %adamw, %adamw.result1, %adamw.result2 = nova.adamw %adamw.p, %adamw.g, %adamw.m, %adamw.v, lr %adamw.lr, step %adamw.t, scale %adamw.s {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-6, weight_decay = 0.1} : tensor<4x7xf16>, tensor<4x7xf16>
  %sgd_plain, %sgd_plain.result1 = nova.sgd %sgd_plain.p, %sgd_plain.g, %sgd_plain.m, lr %sgd_plain.lr, scale %sgd_plain.s {momentum = 0.9, weight_decay = 0.1} : tensor<4x7xf16>, tensor<4x7xf16>
  %sgd_nesterov, %sgd_nesterov.result1 = nova.sgd %sgd_nesterov.p, %sgd_nesterov.g, %sgd_nesterov.m, lr %sgd_nesterov.lr, scale %sgd_nesterov.s {momentum = 0.9, weight_decay = 0.1, nesterov} : tensor<4x7xf16>, tensor<4x7xf16>
  %global_norm = nova.global_norm %global_norm.a, %global_norm.b : tensor<4x7xf16>, tensor<3xf16>
  return %abs, %neg, %sign, %square, %sqrt, %rsqrt, %reciprocal, %exp, %exp2, %expm1, %log, %log2, %log10, %log1p, %sin, %cos, %tan, %asin, %acos, %atan, %sinh, %cosh, %tanh, %asinh, %acosh, %atanh, %erf, %relu, %sigmoid, %silu, %floor, %ceil, %round, %gelu_tanh, %gelu_exact, %add, %sub, %mul, %div, %mod, %pow, %max, %min, %clamp, %scalar, %empty, %rank_6, %to_i32, %to_i1, %to_f64, %to_f32, %to_bf16, %compare_eq, %compare_ne, %compare_lt, %compare_le, %compare_gt, %compare_ge, %sum_0, %sum_1, %sum_2, %sum_02, %sum_012, %sum_edges, %mean_0, %mean_1, %mean_2, %mean_02, %mean_012, %mean_edges, %max_0, %max_1, %max_2, %max_02, %max_012, %max_edges, %min_0, %min_1, %min_2, %min_02, %min_012, %min_edges, %product, %sum_of_none, %product_of_none, %argmax_0, %argmax_1, %argmax_2, %argmax_edges, %argmin_0, %argmin_1, %argmin_2, %argmin_edges, %cumsum_0, %softmax_0, %log_softmax_0, %logsumexp_0, %cumsum_1, %softmax_1, %log_softmax_1, %logsumexp_1, %cumsum_2, %softmax_2, %log_softmax_2, %logsumexp_2, %softmax_edges, %log_softmax_edges, %logsumexp_edges, %logsumexp_all, %logsumexp_of_none, %softmax_one, %cumsum_reverse, %broadcast_in_dim, %reshape, %transpose, %slice, %pad, %concat, %gather, %scatter_add, %select, %dynamic_slice_inside, %dynamic_update_slice_inside, %dynamic_slice_before, %dynamic_update_slice_before, %dynamic_slice_behind, %dynamic_update_slice_behind, %layer_norm, %rms_norm, %rotary, %rotary_interleaved, %conv2d, %conv2d_plain, %matmul, %mse_mean, %mae_mean, %bce_mean, %cce_mean, %cross_entropy_mean, %mse_sum, %mae_sum, %bce_sum, %cce_sum, %cross_entropy_sum, %mse_none, %mae_none, %bce_none, %cce_none, %cross_entropy_none, %cross_entropy_none_counts, %mse_empty, %random_uniform, %random_scalar, %dropout, %dropout_all, %dropout_none, %adam, %adam.result1, %adam.result2, %adamw, %adamw.result1, %adamw.result2, %sgd_plain, %sgd_plain.result1, %sgd_nesterov, %sgd_nesterov.result1, %global_norm
    : tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x9xf16>, tensor<3x9xf16>, tensor<3x9xf16>, tensor<3x9xf16>, tensor<3x9xf16>, tensor<3x9xf16>, tensor<3x7xf16>, tensor<14xf16>, tensor<14xf16>, tensor<3x9xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x9xf16>, tensor<3x9xf16>, tensor<14xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<2x7xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<11x11xf16>, tensor<11x11xf16>, tensor<11x11xf16>, tensor<11x11xf16>, tensor<11x11xf16>, tensor<11x11xf16>, tensor<11x11xf16>, tensor<11x11xf16>, tensor<11x11x11xf16>, tensor<f16>, tensor<3x0xf16>, tensor<2x3x3x4x2x2xf16>, tensor<3x4xi32>, tensor<3x7xi1>, tensor<3x8xf64>, tensor<3x8xf32>, tensor<3x8xbf16>, tensor<11x11xi1>, tensor<11x11xi1>, tensor<11x11xi1>, tensor<11x11xi1>, tensor<11x11xi1>, tensor<11x11xi1>, tensor<5x4xf16>, tensor<3x4xf16>, tensor<3x5xf16>, tensor<5xf16>, tensor<f16>, tensor<3x1xf16>, tensor<5x4xf16>, tensor<3x4xf16>, tensor<3x5xf16>, tensor<5xf16>, tensor<f16>, tensor<3x1xf16>, tensor<5x4xf16>, tensor<3x4xf16>, tensor<3x5xf16>, tensor<5xf16>, tensor<f16>, tensor<3x1xf16>, tensor<5x4xf16>, tensor<3x4xf16>, tensor<3x5xf16>, tensor<5xf16>, tensor<f16>, tensor<3x1xf16>, tensor<3x4xf16>, tensor<3xf16>, tensor<3xf16>, tensor<5x4xi64>, tensor<3x4xi64>, tensor<3x5xi64>, tensor<3x1xi64>, tensor<5x4xi64>, tensor<3x4xi64>, tensor<3x5xi64>, tensor<3x1xi64>, tensor<3x5x4xf16>, tensor<3x5x4xf16>, tensor<3x5x4xf16>, tensor<5x4xf16>, tensor<3x5x4xf16>, tensor<3x5x4xf16>, tensor<3x5x4xf16>, tensor<3x4xf16>, tensor<3x5x4xf16>, tensor<3x5x4xf16>, tensor<3x5x4xf16>, tensor<3x5xf16>, tensor<4x3xf16>, tensor<4x3xf16>, tensor<4x1xf16>, tensor<5xf16>, tensor<3xf16>, tensor<5x1xf16>, tensor<3x5x4xf16>, tensor<4x3x5xf16>, tensor<3x8xf16>, tensor<4x2x3x3x1x2xf16>, tensor<2x3xf16>, tensor<4x9xf16>, tensor<2x7xf16>, tensor<2x4x3xf16>, tensor<6x3xf16>, tensor<3x5xf16>, tensor<2x5xf16>, tensor<4x10xf16>, tensor<2x5xf16>, tensor<4x10xf16>, tensor<2x5xf16>, tensor<4x10xf16>, tensor<2x3x12xf16>, tensor<2x3x12xf16>, tensor<2x3x12xf16>, tensor<2x3x12xf16>, tensor<2x6x4x8xf16>, tensor<1x2x3x3xf16>, tensor<3x2x2x5xf16>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<7x11xf16>, tensor<f16>, tensor<5x13xf16>, tensor<3x7xf16>, tensor<3x7xf16>, tensor<4x7xf16>, tensor<4x7xf16>, tensor<4x7xf16>, tensor<4x7xf16>, tensor<4x7xf16>, tensor<4x7xf16>, tensor<4x7xf16>, tensor<4x7xf16>, tensor<4x7xf16>, tensor<4x7xf16>, tensor<f32>
}
