// What PyTorch gives at special numbers (scripts/make_special_goldens.py), and what is documented where it gives nothing.
// RUN: nova-run %s --device=reference --inputs %S/Inputs/special-f16.safetensors --outputs %t.reference.safetensors --quiet
// RUN: nova-run %s --device=cpu --inputs %S/Inputs/special-f16.safetensors --outputs %t.cpu.safetensors --quiet
// RUN: nova-run %s --device=cpu --mode=eager --inputs %S/Inputs/special-f16.safetensors --outputs %t.eager.safetensors --quiet
// RUN: nova-run %s --device=emulator --inputs %S/Inputs/special-f16.safetensors --outputs %t.gpu.safetensors --quiet
// RUN: nova-run %s --device=emulator --mode=eager --inputs %S/Inputs/special-f16.safetensors --outputs %t.gpu-eager.safetensors --quiet
// RUN: %python %S/special.py check %S/Inputs/special-f16.safetensors %t.reference.safetensors \
// RUN:   %t.cpu.safetensors %t.eager.safetensors %t.gpu.safetensors %t.gpu-eager.safetensors
// Constants in place of inputs fold to the same values.
// RUN: %python %S/special.py fold %S/Inputs/special-f16.safetensors > %t.fold.mlir
// RUN: nova-opt %t.fold.mlir --canonicalize -o %t.folded.mlir
// RUN: nova-run %t.folded.mlir --device=reference --outputs %t.folded.safetensors --quiet
// RUN: %python %S/special.py check-fold %t.reference.safetensors %t.folded.safetensors

func.func @special(%x: tensor<33xf16> {nova.name = "x"}, %a: tensor<33x1xf16> {nova.name = "a"}, %c: tensor<33xi1> {nova.name = "c"}, %l: tensor<6x1xf16> {nova.name = "l"}, %h: tensor<6x1x1xf16> {nova.name = "h"}, %r: tensor<13x4xf16> {nova.name = "r"}, %t: tensor<13xi32> {nova.name = "t"}, %u: tensor<13x4xf16> {nova.name = "u"}, %g: tensor<13xf32> {nova.name = "g"}, %dy: tensor<13x4xf16> {nova.name = "dy"}, %w: tensor<4xf16> {nova.name = "w"}, %b: tensor<4xf16> {nova.name = "b"}, %co: tensor<13x2xf16> {nova.name = "co"}, %si: tensor<13x2xf16> {nova.name = "si"}, %zero: tensor<13x4xf16> {nova.name = "zero"}, %lr: tensor<f32> {nova.name = "lr"}, %n: tensor<i64> {nova.name = "n"}, %one: tensor<f32> {nova.name = "one"})
    -> (tensor<33xf16> {nova.name = "result.abs"},
        tensor<33xf16> {nova.name = "result.neg"},
        tensor<33xf16> {nova.name = "result.sign"},
        tensor<33xf16> {nova.name = "result.square"},
        tensor<33xf16> {nova.name = "result.relu"},
        tensor<33xf16> {nova.name = "result.sqrt"},
        tensor<33xf16> {nova.name = "result.rsqrt"},
        tensor<33xf16> {nova.name = "result.reciprocal"},
        tensor<33xf16> {nova.name = "result.exp"},
        tensor<33xf16> {nova.name = "result.exp2"},
        tensor<33xf16> {nova.name = "result.expm1"},
        tensor<33xf16> {nova.name = "result.log"},
        tensor<33xf16> {nova.name = "result.log2"},
        tensor<33xf16> {nova.name = "result.log10"},
        tensor<33xf16> {nova.name = "result.log1p"},
        tensor<33xf16> {nova.name = "result.sin"},
        tensor<33xf16> {nova.name = "result.cos"},
        tensor<33xf16> {nova.name = "result.tan"},
        tensor<33xf16> {nova.name = "result.asin"},
        tensor<33xf16> {nova.name = "result.acos"},
        tensor<33xf16> {nova.name = "result.atan"},
        tensor<33xf16> {nova.name = "result.sinh"},
        tensor<33xf16> {nova.name = "result.cosh"},
        tensor<33xf16> {nova.name = "result.tanh"},
        tensor<33xf16> {nova.name = "result.asinh"},
        tensor<33xf16> {nova.name = "result.acosh"},
        tensor<33xf16> {nova.name = "result.atanh"},
        tensor<33xf16> {nova.name = "result.erf"},
        tensor<33xf16> {nova.name = "result.sigmoid"},
        tensor<33xf16> {nova.name = "result.floor"},
        tensor<33xf16> {nova.name = "result.ceil"},
        tensor<33xf16> {nova.name = "result.round"},
        tensor<33xf16> {nova.name = "result.silu"},
        tensor<33xf16> {nova.name = "result.gelu tanh"},
        tensor<33xf16> {nova.name = "result.gelu exact"},
        tensor<33x33xf16> {nova.name = "result.add"},
        tensor<33x33xf16> {nova.name = "result.sub"},
        tensor<33x33xf16> {nova.name = "result.mul"},
        tensor<33x33xf16> {nova.name = "result.max"},
        tensor<33x33xf16> {nova.name = "result.min"},
        tensor<33x33xf16> {nova.name = "result.div"},
        tensor<33x33xf16> {nova.name = "result.mod"},
        tensor<33x33xf16> {nova.name = "result.pow"},
        tensor<33x33xf16> {nova.name = "result.gelu_grad tanh"},
        tensor<33x33xf16> {nova.name = "result.gelu_grad exact"},
        tensor<33x33xi1> {nova.name = "result.compare eq"},
        tensor<33x33xi1> {nova.name = "result.compare ne"},
        tensor<33x33xi1> {nova.name = "result.compare lt"},
        tensor<33x33xi1> {nova.name = "result.compare le"},
        tensor<33x33xi1> {nova.name = "result.compare gt"},
        tensor<33x33xi1> {nova.name = "result.compare ge"},
        tensor<33x33xf16> {nova.name = "result.select"},
        tensor<6x6x33xf16> {nova.name = "result.clamp"},
        tensor<33xf64> {nova.name = "result.cast f64"},
        tensor<33xf32> {nova.name = "result.cast f32"},
        tensor<33xbf16> {nova.name = "result.cast bf16"},
        tensor<33xi1> {nova.name = "result.cast i1"},
        tensor<33xi8> {nova.name = "result.cast i8"},
        tensor<33xi32> {nova.name = "result.cast i32"},
        tensor<33xi64> {nova.name = "result.cast i64"},
        tensor<13x4xf16> {nova.name = "result.softmax"},
        tensor<13x4xf16> {nova.name = "result.softmax_grad"},
        tensor<13x4xf16> {nova.name = "result.log_softmax"},
        tensor<13xf16> {nova.name = "result.logsumexp"},
        tensor<13xf32> {nova.name = "result.cross_entropy 0.0"},
        tensor<13x4xf16> {nova.name = "result.cross_entropy_grad 0.0"},
        tensor<13xf32> {nova.name = "result.cross_entropy 0.25"},
        tensor<13x4xf16> {nova.name = "result.cross_entropy_grad 0.25"},
        tensor<13xf32> {nova.name = "result.cce"},
        tensor<13x4xf32> {nova.name = "result.mse"},
        tensor<13x4xf32> {nova.name = "result.mae"},
        tensor<13x4xf32> {nova.name = "result.bce"},
        tensor<13x4xf16> {nova.name = "result.layer_norm"},
        tensor<13x4xf16> {nova.name = "result.rms_norm"},
        tensor<13x4xf16> {nova.name = "result.layer_norm_grad 0"},
        tensor<4xf16> {nova.name = "result.layer_norm_grad 1"},
        tensor<4xf16> {nova.name = "result.layer_norm_grad 2"},
        tensor<13x4xf16> {nova.name = "result.rms_norm_grad 0"},
        tensor<4xf16> {nova.name = "result.rms_norm_grad 1"},
        tensor<13xf16> {nova.name = "result.reduce sum"},
        tensor<13xf16> {nova.name = "result.reduce mean"},
        tensor<13xf16> {nova.name = "result.reduce product"},
        tensor<13xf16> {nova.name = "result.reduce max"},
        tensor<13xf16> {nova.name = "result.reduce min"},
        tensor<13x4xf16> {nova.name = "result.cumsum"},
        tensor<13x4xf16> {nova.name = "result.rotary"},
        tensor<f32> {nova.name = "result.global_norm"},
        tensor<f32> {nova.name = "result.global_norm tiny"}) {
  %abs.y = nova.abs %x : tensor<33xf16>
  %neg.y = nova.neg %x : tensor<33xf16>
  %sign.y = nova.sign %x : tensor<33xf16>
  %square.y = nova.square %x : tensor<33xf16>
  %relu.y = nova.relu %x : tensor<33xf16>
  %sqrt.y = nova.sqrt %x : tensor<33xf16>
  %rsqrt.y = nova.rsqrt %x : tensor<33xf16>
  %reciprocal.y = nova.reciprocal %x : tensor<33xf16>
  %exp.y = nova.exp %x : tensor<33xf16>
  %exp2.y = nova.exp2 %x : tensor<33xf16>
  %expm1.y = nova.expm1 %x : tensor<33xf16>
  %log.y = nova.log %x : tensor<33xf16>
  %log2.y = nova.log2 %x : tensor<33xf16>
  %log10.y = nova.log10 %x : tensor<33xf16>
  %log1p.y = nova.log1p %x : tensor<33xf16>
  %sin.y = nova.sin %x : tensor<33xf16>
  %cos.y = nova.cos %x : tensor<33xf16>
  %tan.y = nova.tan %x : tensor<33xf16>
  %asin.y = nova.asin %x : tensor<33xf16>
  %acos.y = nova.acos %x : tensor<33xf16>
  %atan.y = nova.atan %x : tensor<33xf16>
  %sinh.y = nova.sinh %x : tensor<33xf16>
  %cosh.y = nova.cosh %x : tensor<33xf16>
  %tanh.y = nova.tanh %x : tensor<33xf16>
  %asinh.y = nova.asinh %x : tensor<33xf16>
  %acosh.y = nova.acosh %x : tensor<33xf16>
  %atanh.y = nova.atanh %x : tensor<33xf16>
  %erf.y = nova.erf %x : tensor<33xf16>
  %sigmoid.y = nova.sigmoid %x : tensor<33xf16>
  %floor.y = nova.floor %x : tensor<33xf16>
  %ceil.y = nova.ceil %x : tensor<33xf16>
  %round.y = nova.round %x : tensor<33xf16>
  %silu.y = nova.silu %x : tensor<33xf16>
  %gelu_tanh.y = nova.gelu tanh %x : tensor<33xf16>
  %gelu_exact.y = nova.gelu exact %x : tensor<33xf16>
  %add.y = nova.add %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %sub.y = nova.sub %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %mul.y = nova.mul %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %max.y = nova.max %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %min.y = nova.min %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %div.y = nova.div %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %mod.y = nova.mod %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %pow.y = nova.pow %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %gelu_grad_tanh.y = nova.gelu_grad tanh %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %gelu_grad_exact.y = nova.gelu_grad exact %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %compare_eq.y = nova.compare eq %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %compare_ne.y = nova.compare ne %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %compare_lt.y = nova.compare lt %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %compare_le.y = nova.compare le %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %compare_gt.y = nova.compare gt %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %compare_ge.y = nova.compare ge %a, %x : tensor<33x1xf16>, tensor<33xf16>
  %select.y = nova.select %c, %a, %x : tensor<33xi1>, tensor<33x1xf16>, tensor<33xf16>
  %clamp.y = nova.clamp %x, %l, %h : tensor<33xf16>, tensor<6x1xf16>, tensor<6x1x1xf16>
  %cast_f64.y = nova.cast %x : tensor<33xf16> -> tensor<33xf64>
  %cast_f32.y = nova.cast %x : tensor<33xf16> -> tensor<33xf32>
  %cast_bf16.y = nova.cast %x : tensor<33xf16> -> tensor<33xbf16>
  %cast_i1.y = nova.cast %x : tensor<33xf16> -> tensor<33xi1>
  %cast_i8.y = nova.cast %x : tensor<33xf16> -> tensor<33xi8>
  %cast_i32.y = nova.cast %x : tensor<33xf16> -> tensor<33xi32>
  %cast_i64.y = nova.cast %x : tensor<33xf16> -> tensor<33xi64>
  %softmax.y = nova.softmax %r : tensor<13x4xf16>
  %softmax_grad.y = nova.softmax_grad %dy, %u : tensor<13x4xf16>, tensor<13x4xf16>
  %log_softmax.y = nova.log_softmax %r : tensor<13x4xf16>
  %logsumexp.y = nova.logsumexp %r over [1] : tensor<13x4xf16>
  %cross_entropy_0.0.y = nova.cross_entropy %r, %t {label_smoothing = 0.0, reduction = #nova.reduction<none>} : tensor<13x4xf16>, tensor<13xi32>
  %cross_entropy_grad_0.0.y = nova.cross_entropy_grad %g, %r, %t {label_smoothing = 0.0, reduction = #nova.reduction<none>} : tensor<13xf32>, tensor<13x4xf16>, tensor<13xi32>
  %cross_entropy_0.25.y = nova.cross_entropy %r, %t {label_smoothing = 0.25, reduction = #nova.reduction<none>} : tensor<13x4xf16>, tensor<13xi32>
  %cross_entropy_grad_0.25.y = nova.cross_entropy_grad %g, %r, %t {label_smoothing = 0.25, reduction = #nova.reduction<none>} : tensor<13xf32>, tensor<13x4xf16>, tensor<13xi32>
  %cce.y = nova.cce %r, %u {reduction = #nova.reduction<none>} : tensor<13x4xf16>, tensor<13x4xf16>
  %mse.y = nova.mse %r, %u {reduction = #nova.reduction<none>} : tensor<13x4xf16>, tensor<13x4xf16>
  %mae.y = nova.mae %r, %u {reduction = #nova.reduction<none>} : tensor<13x4xf16>, tensor<13x4xf16>
  %bce.y = nova.bce %u, %u {reduction = #nova.reduction<none>} : tensor<13x4xf16>, tensor<13x4xf16>
  %layer_norm.y = nova.layer_norm %r, %w, %b : tensor<13x4xf16>, tensor<4xf16>, tensor<4xf16>
  %rms_norm.y = nova.rms_norm %r, %w : tensor<13x4xf16>, tensor<4xf16>
  %layer_norm_grad.y:3 = nova.layer_norm_grad %dy, %r, %w : tensor<13x4xf16>, tensor<13x4xf16>, tensor<4xf16>
  %rms_norm_grad.y:2 = nova.rms_norm_grad %dy, %r, %w : tensor<13x4xf16>, tensor<13x4xf16>, tensor<4xf16>
  %reduce_sum.y = nova.reduce sum %r over [1] : tensor<13x4xf16>
  %reduce_mean.y = nova.reduce mean %r over [1] : tensor<13x4xf16>
  %reduce_product.y = nova.reduce product %r over [1] : tensor<13x4xf16>
  %reduce_max.y = nova.reduce max %r over [1] : tensor<13x4xf16>
  %reduce_min.y = nova.reduce min %r over [1] : tensor<13x4xf16>
  %cumsum.y = nova.cumsum %r : tensor<13x4xf16>
  %rotary.y = nova.rotary_embedding %r, %co, %si : tensor<13x4xf16>, tensor<13x2xf16>, tensor<13x2xf16>
  %global_norm.y = nova.global_norm %r : tensor<13x4xf16>
  %global_norm_tiny.y = nova.global_norm %b : tensor<4xf16>
  return %abs.y, %neg.y, %sign.y, %square.y, %relu.y, %sqrt.y, %rsqrt.y, %reciprocal.y, %exp.y, %exp2.y, %expm1.y, %log.y, %log2.y, %log10.y, %log1p.y, %sin.y, %cos.y, %tan.y, %asin.y, %acos.y, %atan.y, %sinh.y, %cosh.y, %tanh.y, %asinh.y, %acosh.y, %atanh.y, %erf.y, %sigmoid.y, %floor.y, %ceil.y, %round.y, %silu.y, %gelu_tanh.y, %gelu_exact.y, %add.y, %sub.y, %mul.y, %max.y, %min.y, %div.y, %mod.y, %pow.y, %gelu_grad_tanh.y, %gelu_grad_exact.y, %compare_eq.y, %compare_ne.y, %compare_lt.y, %compare_le.y, %compare_gt.y, %compare_ge.y, %select.y, %clamp.y, %cast_f64.y, %cast_f32.y, %cast_bf16.y, %cast_i1.y, %cast_i8.y, %cast_i32.y, %cast_i64.y, %softmax.y, %softmax_grad.y, %log_softmax.y, %logsumexp.y, %cross_entropy_0.0.y, %cross_entropy_grad_0.0.y, %cross_entropy_0.25.y, %cross_entropy_grad_0.25.y, %cce.y, %mse.y, %mae.y, %bce.y, %layer_norm.y, %rms_norm.y, %layer_norm_grad.y#0, %layer_norm_grad.y#1, %layer_norm_grad.y#2, %rms_norm_grad.y#0, %rms_norm_grad.y#1, %reduce_sum.y, %reduce_mean.y, %reduce_product.y, %reduce_max.y, %reduce_min.y, %cumsum.y, %rotary.y, %global_norm.y, %global_norm_tiny.y
    : tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33x33xf16>, tensor<33x33xf16>, tensor<33x33xf16>, tensor<33x33xf16>, tensor<33x33xf16>, tensor<33x33xf16>, tensor<33x33xf16>, tensor<33x33xf16>, tensor<33x33xf16>, tensor<33x33xf16>, tensor<33x33xi1>, tensor<33x33xi1>, tensor<33x33xi1>, tensor<33x33xi1>, tensor<33x33xi1>, tensor<33x33xi1>, tensor<33x33xf16>, tensor<6x6x33xf16>, tensor<33xf64>, tensor<33xf32>, tensor<33xbf16>, tensor<33xi1>, tensor<33xi8>, tensor<33xi32>, tensor<33xi64>, tensor<13x4xf16>, tensor<13x4xf16>, tensor<13x4xf16>, tensor<13xf16>, tensor<13xf32>, tensor<13x4xf16>, tensor<13xf32>, tensor<13x4xf16>, tensor<13xf32>, tensor<13x4xf32>, tensor<13x4xf32>, tensor<13x4xf32>, tensor<13x4xf16>, tensor<13x4xf16>, tensor<13x4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<13x4xf16>, tensor<4xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13xf16>, tensor<13x4xf16>, tensor<13x4xf16>, tensor<f32>, tensor<f32>
}
