// RUN: nova-opt %s > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: nova-opt %t.mlir | diff %t.mlir -
// RUN: nova-opt %t.mlir --mlir-print-op-generic | nova-opt | diff %t.mlir -
// RUN: nova-opt %t.mlir --emit-bytecode | nova-opt | diff %t.mlir -

// The rest of ops.mlir: functions, parts at run time, random numbers, lines, convolution, masks, losses, optimizers.

func.func @functions(%f: tensor<2x3xf32>, %d: tensor<?x3xf64>, %h: tensor<0xbf16>) {
  // CHECK: nova.exp2 %{{.+}} : tensor<2x3xf32>
  %exp2 = nova.exp2 %f : tensor<2x3xf32>
  // CHECK: nova.expm1 %{{.+}} : tensor<?x3xf64>
  %expm1 = nova.expm1 %d : tensor<?x3xf64>
  // CHECK: nova.log2 %{{.+}} : tensor<0xbf16>
  %log2 = nova.log2 %h : tensor<0xbf16>
  // CHECK: nova.log10 %{{.+}} : tensor<2x3xf32>
  %log10 = nova.log10 %f : tensor<2x3xf32>
  // CHECK: nova.log1p %{{.+}} : tensor<?x3xf64>
  %log1p = nova.log1p %d : tensor<?x3xf64>
  // CHECK: nova.sin %{{.+}} : tensor<0xbf16>
  %sin = nova.sin %h : tensor<0xbf16>
  // CHECK: nova.cos %{{.+}} : tensor<2x3xf32>
  %cos = nova.cos %f : tensor<2x3xf32>
  // CHECK: nova.tan %{{.+}} : tensor<?x3xf64>
  %tan = nova.tan %d : tensor<?x3xf64>
  // CHECK: nova.asin %{{.+}} : tensor<0xbf16>
  %asin = nova.asin %h : tensor<0xbf16>
  // CHECK: nova.acos %{{.+}} : tensor<2x3xf32>
  %acos = nova.acos %f : tensor<2x3xf32>
  // CHECK: nova.atan %{{.+}} : tensor<?x3xf64>
  %atan = nova.atan %d : tensor<?x3xf64>
  // CHECK: nova.sinh %{{.+}} : tensor<0xbf16>
  %sinh = nova.sinh %h : tensor<0xbf16>
  // CHECK: nova.cosh %{{.+}} : tensor<2x3xf32>
  %cosh = nova.cosh %f : tensor<2x3xf32>
  // CHECK: nova.asinh %{{.+}} : tensor<?x3xf64>
  %asinh = nova.asinh %d : tensor<?x3xf64>
  // CHECK: nova.acosh %{{.+}} : tensor<0xbf16>
  %acosh = nova.acosh %h : tensor<0xbf16>
  // CHECK: nova.atanh %{{.+}} : tensor<2x3xf32>
  %atanh = nova.atanh %f : tensor<2x3xf32>
  // CHECK: nova.floor %{{.+}} : tensor<?x3xf64>
  %floor = nova.floor %d : tensor<?x3xf64>
  // CHECK: nova.ceil %{{.+}} : tensor<0xbf16>
  %ceil = nova.ceil %h : tensor<0xbf16>
  // CHECK: nova.round %{{.+}} : tensor<2x3xf32>
  %round = nova.round %f : tensor<2x3xf32>
  return
}

func.func @remainders_and_bounds(%x: tensor<2x3xf32>, %row: tensor<3xf32>, %s: tensor<f32>, %i: tensor<4xi8>, %j: tensor<i8>) {
  // CHECK: nova.mod %{{.+}}, %{{.+}} : tensor<2x3xf32>, tensor<3xf32>
  %mod = nova.mod %x, %row : tensor<2x3xf32>, tensor<3xf32>
  // CHECK: nova.mod %{{.+}}, %{{.+}} : tensor<4xi8>, tensor<i8>
  %mod_i = nova.mod %i, %j : tensor<4xi8>, tensor<i8>
  // CHECK: nova.clamp %{{.+}}, %{{.+}}, %{{.+}} : tensor<3xf32>, tensor<2x3xf32>, tensor<f32>
  %clamp = nova.clamp %row, %x, %s : tensor<3xf32>, tensor<2x3xf32>, tensor<f32>
  %use = nova.neg %clamp : tensor<2x3xf32>
  // CHECK: nova.clamp %{{.+}}, %{{.+}}, %{{.+}} : tensor<4xi8>, tensor<i8>, tensor<i8>
  %clamp_i = nova.clamp %i, %j, %j : tensor<4xi8>, tensor<i8>, tensor<i8>
  return
}

func.func @dynamic_parts(%x: tensor<4x8xf32>, %at: tensor<2xi64>, %u: tensor<2x3xf32>, %s: tensor<f32>, %none: tensor<0xi32>, %i: index, %j: index) {
  // CHECK: nova.dynamic_slice %{{.+}}[%{{.+}}] sizes = [2, 3] : tensor<4x8xf32>, tensor<2xi64> -> tensor<2x3xf32>
  %slice = nova.dynamic_slice %x[%at] sizes = [2, 3] : tensor<4x8xf32>, tensor<2xi64> -> tensor<2x3xf32>
  // CHECK: nova.dynamic_slice %{{.+}}[%{{.+}}] sizes = [2, 3] at %{{.+}}, %{{.+}} : tensor<4x8xf32>, tensor<2xi64> -> tensor<1x?xf32>
  %slice_tile = nova.dynamic_slice %x[%at] sizes = [2, 3] at %i, %j : tensor<4x8xf32>, tensor<2xi64> -> tensor<1x?xf32>
  // CHECK: nova.dynamic_slice %{{.+}}[%{{.+}}] sizes = [] : tensor<f32>, tensor<0xi32> -> tensor<f32>
  %scalar = nova.dynamic_slice %s[%none] sizes = [] : tensor<f32>, tensor<0xi32> -> tensor<f32>
  // CHECK: nova.dynamic_update_slice %{{.+}}[%{{.+}}], %{{.+}} : tensor<4x8xf32>, tensor<2xi64>, tensor<2x3xf32> -> tensor<4x8xf32>
  %update = nova.dynamic_update_slice %x[%at], %u : tensor<4x8xf32>, tensor<2xi64>, tensor<2x3xf32> -> tensor<4x8xf32>
  // CHECK: nova.dynamic_update_slice %{{.+}}[%{{.+}}], %{{.+}} at %{{.+}}, %{{.+}} : tensor<4x8xf32>, tensor<2xi64>, tensor<2x3xf32> -> tensor<?x8xf32>
  %update_tile = nova.dynamic_update_slice %x[%at], %u at %i, %j : tensor<4x8xf32>, tensor<2xi64>, tensor<2x3xf32> -> tensor<?x8xf32>
  return
}

func.func @random(%x: tensor<2x3xbf16>, %seed: tensor<i64>, %step: tensor<i64>, %i: index) {
  // CHECK: nova.random_uniform %{{.+}}, %{{.+}} {stream = 3 : i64} : tensor<2x3xf32>
  %uniform = nova.random_uniform %seed, %step {stream = 3 : i64} : tensor<2x3xf32>
  // CHECK: nova.random_normal %{{.+}}, %{{.+}} {stream = 16777215 : i64} : tensor<f64>
  %normal = nova.random_normal %seed, %step {stream = 16777215 : i64} : tensor<f64>
  // CHECK: nova.random_uniform %{{.+}}, %{{.+}} at %{{.+}} {stream = 3 : i64} : tensor<?xf32>
  %tile = nova.random_uniform %seed, %step at %i {stream = 3 : i64} : tensor<?xf32>
  // CHECK: nova.dropout %{{.+}}, %{{.+}}, %{{.+}} {p = 2.500000e-01 : f64, stream = 0 : i64} : tensor<2x3xbf16>
  %dropout = nova.dropout %x, %seed, %step {p = 2.500000e-01 : f64, stream = 0 : i64} : tensor<2x3xbf16>
  return
}

func.func @lines(%x: tensor<2x3x4xf32>, %n: tensor<3x?xi32>) {
  // CHECK: nova.argmax %{{.+}} : tensor<2x3x4xf32>
  %argmax = nova.argmax %x : tensor<2x3x4xf32>
  %use_argmax = nova.neg %argmax : tensor<2x3xi64>
  // CHECK: nova.argmin %{{.+}} {axis = 0 : i64, keep_dims} : tensor<3x?xi32>
  %argmin = nova.argmin %n {axis = 0 : i64, keep_dims} : tensor<3x?xi32>
  %use_argmin = nova.neg %argmin : tensor<1x?xi64>
  // CHECK: nova.cumsum %{{.+}} : tensor<3x?xi32>
  %cumsum = nova.cumsum %n : tensor<3x?xi32>
  // CHECK: nova.cumsum %{{.+}} {axis = 1 : i64, reverse} : tensor<2x3x4xf32>
  %reverse = nova.cumsum %x {axis = 1 : i64, reverse} : tensor<2x3x4xf32>
  // CHECK: nova.log_softmax %{{.+}} {axis = 0 : i64} : tensor<2x3x4xf32>
  %log_softmax = nova.log_softmax %x {axis = 0 : i64} : tensor<2x3x4xf32>
  // CHECK: nova.logsumexp %{{.+}} over [0, 2] : tensor<2x3x4xf32>
  %logsumexp = nova.logsumexp %x over [0, 2] : tensor<2x3x4xf32>
  %use_logsumexp = nova.neg %logsumexp : tensor<3xf32>
  // CHECK: nova.logsumexp %{{.+}} over [1] {keep_dims} : tensor<2x3x4xf32>
  %kept = nova.logsumexp %x over [1] {keep_dims} : tensor<2x3x4xf32>
  %use_kept = nova.neg %kept : tensor<2x1x4xf32>
  return
}

func.func @convolution(%x: tensor<?x4x9x7xf32>, %w: tensor<6x2x3x3xf32>) {
  // CHECK: nova.conv2d %{{.+}}, %{{.+}} strides = [2, 1] padding = [1, 0] {dilation = array<i64: 1, 2>, groups = 2 : i64} : tensor<?x4x9x7xf32>, tensor<6x2x3x3xf32>
  %conv = nova.conv2d %x, %w strides = [2, 1] padding = [1, 0] {dilation = array<i64: 1, 2>, groups = 2 : i64} : tensor<?x4x9x7xf32>, tensor<6x2x3x3xf32>
  %use = nova.neg %conv : tensor<?x6x5x3xf32>
  return
}

func.func @masks_and_groups(%q: tensor<2x4x5x8xbf16>, %k: tensor<2x2x6x8xbf16>, %y: tensor<2x4x5x8xbf16>, %all: tensor<2x4x6x8xbf16>,
                            %m: tensor<2x1x1x6xi1>, %bias: tensor<5x6xf32>, %rows: tensor<2x4x5xf32>, %at: index) {
  // CHECK: nova.attention %{{.+}}, %{{.+}}, %{{.+}} mask %{{.+}} : tensor<2x4x5x8xbf16>, tensor<2x2x6x8xbf16>, tensor<2x2x6x8xbf16>, tensor<2x1x1x6xi1>
  %o:2 = nova.attention %q, %k, %k mask %m : tensor<2x4x5x8xbf16>, tensor<2x2x6x8xbf16>, tensor<2x2x6x8xbf16>, tensor<2x1x1x6xi1>
  %use = nova.neg %o#0 : tensor<2x4x5x8xbf16>
  // CHECK: nova.attention %{{.+}}, %{{.+}}, %{{.+}} mask %{{.+}} at %{{.+}} {causal} : tensor<2x4x5x8xbf16>, tensor<2x4x6x8xbf16>, tensor<2x4x6x8xbf16>, tensor<5x6xf32>
  %tile:2 = nova.attention %q, %all, %all mask %bias at %at {causal} : tensor<2x4x5x8xbf16>, tensor<2x4x6x8xbf16>, tensor<2x4x6x8xbf16>, tensor<5x6xf32>
  // CHECK: nova.attention_grad %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : tensor<2x4x5x8xbf16>, tensor<2x4x5x8xbf16>, tensor<2x2x6x8xbf16>, tensor<2x2x6x8xbf16>, tensor<2x4x5x8xbf16>, tensor<2x4x5xf32>, tensor<2x1x1x6xi1>
  %grad:3 = nova.attention_grad %y, %q, %k, %k, %y, %rows, %m : tensor<2x4x5x8xbf16>, tensor<2x4x5x8xbf16>, tensor<2x2x6x8xbf16>, tensor<2x2x6x8xbf16>, tensor<2x4x5x8xbf16>, tensor<2x4x5xf32>, tensor<2x1x1x6xi1>
  // CHECK: nova.attention_grad_query %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} mask %{{.+}} at %{{.+}} : tensor<2x4x5x8xbf16>, tensor<2x4x5x8xbf16>, tensor<2x4x6x8xbf16>, tensor<2x4x6x8xbf16>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<5x6xf32>
  %dq = nova.attention_grad_query %y, %q, %all, %all, %rows, %rows mask %bias at %at : tensor<2x4x5x8xbf16>, tensor<2x4x5x8xbf16>, tensor<2x4x6x8xbf16>, tensor<2x4x6x8xbf16>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<5x6xf32>
  // CHECK: nova.attention_grad_key_value %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} mask %{{.+}} : tensor<2x4x5x8xbf16>, tensor<2x4x5x8xbf16>, tensor<2x4x6x8xbf16>, tensor<2x4x6x8xbf16>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<5x6xf32>
  %dkv:2 = nova.attention_grad_key_value %y, %q, %all, %all, %rows, %rows mask %bias : tensor<2x4x5x8xbf16>, tensor<2x4x5x8xbf16>, tensor<2x4x6x8xbf16>, tensor<2x4x6x8xbf16>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<5x6xf32>
  return
}

func.func @more_norms_and_losses(%x: tensor<2x3x4xf32>, %w: tensor<4xf32>, %cos: tensor<3x1xf32>, %h: tensor<2x3xbf16>, %ids: tensor<2x3xi64>) {
  // CHECK: nova.rms_norm %{{.+}}, %{{.+}} {eps = 1.000000e-03 : f64} : tensor<2x3x4xf32>, tensor<4xf32>
  %norm = nova.rms_norm %x, %w {eps = 1.000000e-03 : f64} : tensor<2x3x4xf32>, tensor<4xf32>
  // CHECK: nova.rms_norm_grad %{{.+}}, %{{.+}}, %{{.+}} {partials = 1 : i64} : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<4xf32>
  %norm_grad:2 = nova.rms_norm_grad %x, %x, %w {partials = 1 : i64} : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<4xf32>
  %use_partials = nova.neg %norm_grad#1 : tensor<2x4xf32>
  // CHECK: nova.rotary_embedding %{{.+}}, %{{.+}}, %{{.+}} {interleaved} : tensor<2x3x4xf32>, tensor<3x1xf32>, tensor<3x1xf32>
  %rotary = nova.rotary_embedding %x, %cos, %cos {interleaved} : tensor<2x3x4xf32>, tensor<3x1xf32>, tensor<3x1xf32>
  // CHECK: nova.cross_entropy %{{.+}}, %{{.+}} {label_smoothing = 1.000000e-01 : f64} : tensor<2x3x4xf32>, tensor<2x3xi64>
  %smooth = nova.cross_entropy %x, %ids {label_smoothing = 1.000000e-01 : f64} : tensor<2x3x4xf32>, tensor<2x3xi64>
  // CHECK: nova.mse %{{.+}}, %{{.+}} : tensor<2x3xbf16>, tensor<2x3xbf16>
  %mse = nova.mse %h, %h : tensor<2x3xbf16>, tensor<2x3xbf16>
  %use_mse = nova.neg %mse : tensor<f32>
  // CHECK: nova.mae %{{.+}}, %{{.+}} {reduction = #nova.reduction<none>} : tensor<2x3xbf16>, tensor<2x3xbf16>
  %mae = nova.mae %h, %h {reduction = #nova.reduction<none>} : tensor<2x3xbf16>, tensor<2x3xbf16>
  %use_mae = nova.neg %mae : tensor<2x3xf32>
  // CHECK: nova.bce %{{.+}}, %{{.+}} {reduction = #nova.reduction<sum>} : tensor<2x3x4xf32>, tensor<2x3x4xf32>
  %bce = nova.bce %x, %x {reduction = #nova.reduction<sum>} : tensor<2x3x4xf32>, tensor<2x3x4xf32>
  // CHECK: nova.cce %{{.+}}, %{{.+}} {reduction = #nova.reduction<none>} : tensor<2x3x4xf32>, tensor<2x3x4xf32>
  %cce = nova.cce %x, %x {reduction = #nova.reduction<none>} : tensor<2x3x4xf32>, tensor<2x3x4xf32>
  %use_cce = nova.neg %cce : tensor<2x3xf32>
  return
}

func.func @optimizers(%p: tensor<4xf32>, %g: tensor<4xbf16>, %lr: tensor<f32>, %step: tensor<i64>) {
  // CHECK: nova.adam %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, lr %{{.+}}, step %{{.+}}, scale %{{.+}} {beta1 = 9.000000e-01 : f64, beta2 = {{.+}} : f64, eps = 1.000000e-08 : f64, weight_decay = 0.000000e+00 : f64} : tensor<4xf32>, tensor<4xbf16>
  %p1, %m1, %v1 = nova.adam %p, %g, %p, %p, lr %lr, step %step, scale %lr {beta1 = 9.000000e-01 : f64, beta2 = 9.990000e-01 : f64, eps = 1.000000e-08 : f64, weight_decay = 0.000000e+00 : f64} : tensor<4xf32>, tensor<4xbf16>
  // CHECK: nova.sgd %{{.+}}, %{{.+}}, %{{.+}}, lr %{{.+}}, scale %{{.+}} {momentum = 9.000000e-01 : f64, nesterov, weight_decay = 0.000000e+00 : f64} : tensor<4xf32>, tensor<4xbf16>
  %p2, %m2 = nova.sgd %p, %g, %p, lr %lr, scale %lr {momentum = 9.000000e-01 : f64, nesterov, weight_decay = 0.000000e+00 : f64} : tensor<4xf32>, tensor<4xbf16>
  return
}
