// RUN: nova-opt %s > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: nova-opt %t.mlir | diff %t.mlir -
// RUN: nova-opt %t.mlir --mlir-print-op-generic | nova-opt | diff %t.mlir -
// RUN: nova-opt %t.mlir --emit-bytecode | nova-opt | diff %t.mlir -

// Every op in its assembly format, which reads and prints alike; the generic form and bytecode keep everything too.

// Parameters and their initial values.
// CHECK: nova.parameter @w : tensor<64x10xf32> = #nova.normal<mean = 0.0, std = 0.02>
nova.parameter @w : tensor<64x10xf32> = #nova.normal<mean = 0.0, std = 0.02>
// CHECK: nova.parameter @u : tensor<3xbf16> = #nova.uniform<low = -0.1, high = 0.1>
nova.parameter @u : tensor<3xbf16> = #nova.uniform<low = -0.1, high = 0.1>
// CHECK: nova.parameter @b : tensor<10xf64> = #nova.constant<1.0> {decay = false}
nova.parameter @b : tensor<10xf64> = #nova.constant<1.0> {decay = false}
// CHECK: nova.parameter @f : tensor<2xf32> = #nova.constant<1.0> {decay = 5.000000e-01 : f64, lr_factor = 2.000000e+00 : f64}
nova.parameter @f : tensor<2xf32> = #nova.constant<1.0> {decay = 5.000000e-01 : f64, lr_factor = 2.000000e+00 : f64}
// CHECK: nova.parameter @z : tensor<2xf32> = #nova.constant<1.0> {frozen}
nova.parameter @z : tensor<2xf32> = #nova.constant<1.0> {frozen}

func.func @parameters() -> tensor<64x10xf32> {
  // CHECK: nova.read @w : tensor<64x10xf32>
  %w = nova.read @w : tensor<64x10xf32>
  return %w : tensor<64x10xf32>
}

func.func @one_operand(%f: tensor<2x3xf32>, %i: tensor<4xi8>, %p: tensor<2xi1>, %d: tensor<?x3xf64>, %s: tensor<f16>) {
  // CHECK: nova.abs %{{.+}} : tensor<2x3xf32>
  %abs = nova.abs %f : tensor<2x3xf32>
  // CHECK: nova.abs %{{.+}} : tensor<4xi8>
  %abs_i = nova.abs %i : tensor<4xi8>
  // CHECK: nova.neg %{{.+}} : tensor<f16>
  %neg = nova.neg %s : tensor<f16>
  // CHECK: nova.sign %{{.+}} : tensor<?x3xf64>
  %sign = nova.sign %d : tensor<?x3xf64>
  // CHECK: nova.stop_gradient %{{.+}} : tensor<2x3xf32>
  %stop = nova.stop_gradient %f : tensor<2x3xf32>
  // CHECK: nova.square %{{.+}} : tensor<4xi8>
  %square = nova.square %i : tensor<4xi8>
  // CHECK: nova.sqrt %{{.+}} : tensor<2x3xf32>
  %sqrt = nova.sqrt %f : tensor<2x3xf32>
  // CHECK: nova.rsqrt %{{.+}} : tensor<2x3xf32>
  %rsqrt = nova.rsqrt %f : tensor<2x3xf32>
  // CHECK: nova.reciprocal %{{.+}} : tensor<2x3xf32>
  %reciprocal = nova.reciprocal %f : tensor<2x3xf32>
  // CHECK: nova.exp %{{.+}} : tensor<?x3xf64>
  %exp = nova.exp %d : tensor<?x3xf64>
  // CHECK: nova.log %{{.+}} : tensor<2x3xf32>
  %log = nova.log %f : tensor<2x3xf32>
  // CHECK: nova.tanh %{{.+}} : tensor<2x3xf32>
  %tanh = nova.tanh %f : tensor<2x3xf32>
  // CHECK: nova.erf %{{.+}} : tensor<2x3xf32>
  %erf = nova.erf %f : tensor<2x3xf32>
  // CHECK: nova.relu %{{.+}} : tensor<4xi8>
  %relu = nova.relu %i : tensor<4xi8>
  // CHECK: nova.sigmoid %{{.+}} : tensor<2x3xf32>
  %sigmoid = nova.sigmoid %f : tensor<2x3xf32>
  // CHECK: nova.silu %{{.+}} : tensor<2x3xf32>
  %silu = nova.silu %f : tensor<2x3xf32>
  // CHECK: nova.not %{{.+}} : tensor<2xi1>
  %not = nova.not %p : tensor<2xi1>
  // CHECK: nova.gelu exact %{{.+}} : tensor<2x3xf32>
  %gelu = nova.gelu exact %f : tensor<2x3xf32>
  // CHECK: nova.gelu tanh %{{.+}} : tensor<?x3xf64>
  %gelu_tanh = nova.gelu tanh %d : tensor<?x3xf64>
  // CHECK: nova.cast %{{.+}} : tensor<2x3xf32> -> tensor<2x3xi1>
  %cast = nova.cast %f : tensor<2x3xf32> -> tensor<2x3xi1>
  // CHECK: nova.cast %{{.+}} : tensor<?x3xf64> -> tensor<?x3xbf16>
  %cast_d = nova.cast %d : tensor<?x3xf64> -> tensor<?x3xbf16>
  return
}

// The type of the result follows by broadcasting: it isn't printed.
func.func @more_operands(%x: tensor<2x3xf32>, %row: tensor<3xf32>, %column: tensor<2x1xf32>, %scalar: tensor<f32>,
                         %dynamic: tensor<?x3xf32>, %empty: tensor<0x3xf32>, %i: tensor<4xi64>, %p: tensor<2x3xi1>) {
  // CHECK: nova.add %{{.+}}, %{{.+}} : tensor<2x3xf32>, tensor<3xf32>
  %add = nova.add %x, %row : tensor<2x3xf32>, tensor<3xf32>
  // CHECK: nova.sub %{{.+}}, %{{.+}} : tensor<2x1xf32>, tensor<3xf32>
  %sub = nova.sub %column, %row : tensor<2x1xf32>, tensor<3xf32>
  // CHECK: nova.mul %{{.+}}, %{{.+}} : tensor<f32>, tensor<2x3xf32>
  %mul = nova.mul %scalar, %sub : tensor<f32>, tensor<2x3xf32>
  // CHECK: nova.div %{{.+}}, %{{.+}} : tensor<4xi64>, tensor<4xi64>
  %div = nova.div %i, %i : tensor<4xi64>, tensor<4xi64>
  // CHECK: nova.pow %{{.+}}, %{{.+}} : tensor<2x3xf32>, tensor<f32>
  %pow = nova.pow %x, %scalar : tensor<2x3xf32>, tensor<f32>
  // CHECK: nova.max %{{.+}}, %{{.+}} : tensor<?x3xf32>, tensor<3xf32>
  %max = nova.max %dynamic, %row : tensor<?x3xf32>, tensor<3xf32>
  // CHECK: nova.min %{{.+}}, %{{.+}} : tensor<0x3xf32>, tensor<3xf32>
  %min = nova.min %empty, %row : tensor<0x3xf32>, tensor<3xf32>
  // CHECK: nova.add %{{.+}}, %{{.+}} : tensor<?x3xf32>, tensor<2x3xf32>
  %known = nova.add %dynamic, %x : tensor<?x3xf32>, tensor<2x3xf32>
  %use_known = nova.neg %known : tensor<2x3xf32>
  %use_max = nova.neg %max : tensor<?x3xf32>
  %use_min = nova.neg %min : tensor<0x3xf32>
  // CHECK: nova.and %{{.+}}, %{{.+}} : tensor<2x3xi1>, tensor<2x3xi1>
  %and = nova.and %p, %p : tensor<2x3xi1>, tensor<2x3xi1>
  // CHECK: nova.or %{{.+}}, %{{.+}} : tensor<4xi64>, tensor<4xi64>
  %or = nova.or %i, %i : tensor<4xi64>, tensor<4xi64>
  // CHECK: nova.xor %{{.+}}, %{{.+}} : tensor<2x3xi1>, tensor<2x3xi1>
  %xor = nova.xor %p, %p : tensor<2x3xi1>, tensor<2x3xi1>
  // CHECK: nova.gelu_grad tanh %{{.+}}, %{{.+}} : tensor<2x3xf32>, tensor<2x3xf32>
  %gelu_grad = nova.gelu_grad tanh %x, %x : tensor<2x3xf32>, tensor<2x3xf32>
  // CHECK: nova.compare eq %{{.+}}, %{{.+}} : tensor<2x3xf32>, tensor<f32>
  %eq = nova.compare eq %x, %scalar : tensor<2x3xf32>, tensor<f32>
  // CHECK: nova.compare ne %{{.+}}, %{{.+}} : tensor<2x3xi1>, tensor<2x3xi1>
  %ne = nova.compare ne %p, %p : tensor<2x3xi1>, tensor<2x3xi1>
  // CHECK: nova.compare lt %{{.+}}, %{{.+}} : tensor<4xi64>, tensor<4xi64>
  %lt = nova.compare lt %i, %i : tensor<4xi64>, tensor<4xi64>
  // CHECK: nova.compare le %{{.+}}, %{{.+}} : tensor<2x3xf32>, tensor<3xf32>
  %le = nova.compare le %x, %row : tensor<2x3xf32>, tensor<3xf32>
  // CHECK: nova.compare gt %{{.+}}, %{{.+}} : tensor<2x3xf32>, tensor<3xf32>
  %gt = nova.compare gt %x, %row : tensor<2x3xf32>, tensor<3xf32>
  // CHECK: nova.compare ge %{{.+}}, %{{.+}} : tensor<2x3xf32>, tensor<3xf32>
  %ge = nova.compare ge %x, %row : tensor<2x3xf32>, tensor<3xf32>
  // CHECK: nova.select %{{.+}}, %{{.+}}, %{{.+}} : tensor<2x3xi1>, tensor<3xf32>, tensor<f32>
  %select = nova.select %eq, %row, %scalar : tensor<2x3xi1>, tensor<3xf32>, tensor<f32>
  %use_select = nova.neg %select : tensor<2x3xf32>
  return
}

func.func @making(%at: index) {
  // CHECK: nova.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %constant = nova.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: nova.constant dense<true> : tensor<4x4xi1>
  %splat = nova.constant dense<true> : tensor<4x4xi1>
  // CHECK: nova.constant dense<7> : tensor<i64>
  %scalar = nova.constant dense<7> : tensor<i64>
  // CHECK: nova.constant dense<> : tensor<0x2xf32>
  %none = nova.constant dense<> : tensor<0x2xf32>
  // CHECK: nova.iota 0 : tensor<64x8xi32>
  %iota = nova.iota 0 : tensor<64x8xi32>
  // CHECK: nova.iota 1 at %{{.+}} : tensor<8x?xf32>
  %tile = nova.iota 1 at %at : tensor<8x?xf32>
  return
}

func.func @moving(%x: tensor<4x8xf32>, %column: tensor<4x1xf32>, %value: tensor<f32>, %table: tensor<16x3xf32>,
                  %ids: tensor<2x5xi32>, %rows: tensor<2x5x3xf32>, %d: tensor<?x8xf32>, %i: index, %j: index) {
  // CHECK: nova.broadcast_in_dim %{{.+}} dims = [0, 2] : tensor<4x1xf32> -> tensor<4x3x8xf32>
  %broadcast = nova.broadcast_in_dim %column dims = [0, 2] : tensor<4x1xf32> -> tensor<4x3x8xf32>
  // CHECK: nova.broadcast_in_dim %{{.+}} dims = [] : tensor<f32> -> tensor<2xf32>
  %scalar = nova.broadcast_in_dim %value dims = [] : tensor<f32> -> tensor<2xf32>
  // CHECK: nova.reshape %{{.+}} : tensor<4x8xf32> -> tensor<2x16xf32>
  %reshape = nova.reshape %x : tensor<4x8xf32> -> tensor<2x16xf32>
  // CHECK: nova.reshape %{{.+}} : tensor<?x8xf32> -> tensor<?xf32>
  %flat = nova.reshape %d : tensor<?x8xf32> -> tensor<?xf32>
  // CHECK: nova.transpose %{{.+}} [1, 0] : tensor<?x8xf32>
  %transpose = nova.transpose %d [1, 0] : tensor<?x8xf32>
  %use_transpose = nova.neg %transpose : tensor<8x?xf32>
  // CHECK: nova.transpose %{{.+}} [] : tensor<f32>
  %none = nova.transpose %value [] : tensor<f32>
  // CHECK: nova.slice %{{.+}} starts = [0, 1] limits = [4, 8] strides = [1, 3] : tensor<4x8xf32> -> tensor<4x3xf32>
  %slice = nova.slice %x starts = [0, 1] limits = [4, 8] strides = [1, 3] : tensor<4x8xf32> -> tensor<4x3xf32>
  // CHECK: nova.slice %{{.+}} starts = [0, 1] limits = [4, 8] strides = [1, 3] at %{{.+}}, %{{.+}} : tensor<4x8xf32> -> tensor<?x2xf32>
  %slice_tile = nova.slice %x starts = [0, 1] limits = [4, 8] strides = [1, 3] at %i, %j : tensor<4x8xf32> -> tensor<?x2xf32>
  // CHECK: nova.pad %{{.+}}, %{{.+}} low = [1, 0] high = [0, 2] interior = [0, 1] : tensor<4x8xf32>, tensor<f32> -> tensor<5x17xf32>
  %pad = nova.pad %x, %value low = [1, 0] high = [0, 2] interior = [0, 1] : tensor<4x8xf32>, tensor<f32> -> tensor<5x17xf32>
  // CHECK: nova.pad %{{.+}}, %{{.+}} low = [1, 0] high = [0, 2] interior = [0, 1] at %{{.+}}, %{{.+}} : tensor<4x8xf32>, tensor<f32> -> tensor<2x?xf32>
  %pad_tile = nova.pad %x, %value low = [1, 0] high = [0, 2] interior = [0, 1] at %i, %j : tensor<4x8xf32>, tensor<f32> -> tensor<2x?xf32>
  // CHECK: nova.concat %{{.+}}, %{{.+}} axis = 1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x9xf32>
  %concat = nova.concat %x, %column axis = 1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x9xf32>
  // CHECK: nova.concat %{{.+}}, %{{.+}} axis = 1 at %{{.+}} : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x?xf32>
  %concat_tile = nova.concat %x, %column axis = 1 at %i : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x?xf32>
  // CHECK: nova.gather %{{.+}}[%{{.+}}] : tensor<16x3xf32>, tensor<2x5xi32>
  %gather = nova.gather %table[%ids] : tensor<16x3xf32>, tensor<2x5xi32>
  %use_gather = nova.neg %gather : tensor<2x5x3xf32>
  // CHECK: nova.gather %{{.+}}[%{{.+}}] {axis = 1 : i64} : tensor<16x3xf32>, tensor<2x5xi32>
  %gather_1 = nova.gather %table[%ids] {axis = 1 : i64} : tensor<16x3xf32>, tensor<2x5xi32>
  %use_gather_1 = nova.neg %gather_1 : tensor<16x2x5xf32>
  // CHECK: nova.scatter_add %{{.+}}[%{{.+}}], %{{.+}} : tensor<16x3xf32>, tensor<2x5xi32>, tensor<2x5x3xf32>
  %scatter = nova.scatter_add %table[%ids], %rows : tensor<16x3xf32>, tensor<2x5xi32>, tensor<2x5x3xf32>
  // CHECK: nova.scatter_add %{{.+}}[%{{.+}}], %{{.+}} at %{{.+}} : tensor<16x3xf32>, tensor<2x5xi32>, tensor<2x5x3xf32>
  %scatter_tile = nova.scatter_add %table[%ids], %rows at %i : tensor<16x3xf32>, tensor<2x5xi32>, tensor<2x5x3xf32>
  return
}

func.func @reductions(%x: tensor<2x3x4xf32>, %p: tensor<2x3xi1>, %n: tensor<3xi32>, %d: tensor<?x4xf64>) {
  // CHECK: nova.reduce sum %{{.+}} over [0, 2] : tensor<2x3x4xf32>
  %sum = nova.reduce sum %x over [0, 2] : tensor<2x3x4xf32>
  %use_sum = nova.neg %sum : tensor<3xf32>
  // CHECK: nova.reduce mean %{{.+}} over [2] {keep_dims} : tensor<2x3x4xf32>
  %mean = nova.reduce mean %x over [2] {keep_dims} : tensor<2x3x4xf32>
  %use_mean = nova.neg %mean : tensor<2x3x1xf32>
  // CHECK: nova.reduce max %{{.+}} over [0] : tensor<3xi32>
  %max = nova.reduce max %n over [0] : tensor<3xi32>
  // CHECK: nova.reduce min %{{.+}} over [0] : tensor<?x4xf64>
  %min = nova.reduce min %d over [0] : tensor<?x4xf64>
  // CHECK: nova.reduce product %{{.+}} over [] : tensor<2x3x4xf32>
  %product = nova.reduce product %x over [] : tensor<2x3x4xf32>
  // CHECK: nova.reduce any %{{.+}} over [0, 1] : tensor<2x3xi1>
  %any = nova.reduce any %p over [0, 1] : tensor<2x3xi1>
  // CHECK: nova.reduce all %{{.+}} over [1] : tensor<2x3xi1>
  %all = nova.reduce all %p over [1] : tensor<2x3xi1>
  // CHECK: nova.softmax %{{.+}} : tensor<2x3x4xf32>
  %softmax = nova.softmax %x : tensor<2x3x4xf32>
  // CHECK: nova.softmax %{{.+}} {axis = 0 : i64} : tensor<2x3x4xf32>
  %softmax_0 = nova.softmax %x {axis = 0 : i64} : tensor<2x3x4xf32>
  // CHECK: nova.softmax_grad %{{.+}}, %{{.+}} : tensor<2x3x4xf32>, tensor<2x3x4xf32>
  %softmax_grad = nova.softmax_grad %x, %softmax : tensor<2x3x4xf32>, tensor<2x3x4xf32>
  return
}

func.func @contractions(%x: tensor<8x4x5xf32>, %w: tensor<5x6xf32>, %d: tensor<?x5xf32>, %none: tensor<4x0xf32>,
                        %batch: tensor<2x1x6x5xf32>) {
  // CHECK: nova.matmul %{{.+}}, %{{.+}} : tensor<8x4x5xf32>, tensor<5x6xf32>
  %matmul = nova.matmul %x, %w : tensor<8x4x5xf32>, tensor<5x6xf32>
  %use_matmul = nova.neg %matmul : tensor<8x4x6xf32>
  // CHECK: nova.matmul %{{.+}}, %{{.+}} {transpose_lhs, transpose_rhs} : tensor<5x6xf32>, tensor<?x5xf32>
  %transposed = nova.matmul %w, %d {transpose_lhs, transpose_rhs} : tensor<5x6xf32>, tensor<?x5xf32>
  %use_transposed = nova.neg %transposed : tensor<6x?xf32>
  // CHECK: nova.matmul %{{.+}}, %{{.+}} {transpose_rhs} : tensor<8x4x5xf32>, tensor<2x1x6x5xf32>
  %batched = nova.matmul %x, %batch {transpose_rhs} : tensor<8x4x5xf32>, tensor<2x1x6x5xf32>
  %use_batched = nova.neg %batched : tensor<2x8x4x6xf32>
  // CHECK: nova.matmul %{{.+}}, %{{.+}} {transpose_rhs} : tensor<4x0xf32>, tensor<4x0xf32>
  %zeros = nova.matmul %none, %none {transpose_rhs} : tensor<4x0xf32>, tensor<4x0xf32>
  %use_zeros = nova.neg %zeros : tensor<4x4xf32>
  return
}

func.func @attention(%q: tensor<2x3x4x8xbf16>, %k: tensor<2x3x6x8xbf16>, %v: tensor<2x3x6x5xbf16>,
                     %y: tensor<2x3x4x5xbf16>, %rows: tensor<2x3x4xf32>, %at: index) {
  // CHECK: nova.attention %{{.+}}, %{{.+}}, %{{.+}} : tensor<2x3x4x8xbf16>, tensor<2x3x6x8xbf16>, tensor<2x3x6x5xbf16>
  %attention, %lse = nova.attention %q, %k, %v : tensor<2x3x4x8xbf16>, tensor<2x3x6x8xbf16>, tensor<2x3x6x5xbf16>
  %use_attention = nova.add %attention, %y : tensor<2x3x4x5xbf16>, tensor<2x3x4x5xbf16>
  %use_lse = nova.add %lse, %rows : tensor<2x3x4xf32>, tensor<2x3x4xf32>
  // CHECK: nova.attention %{{.+}}, %{{.+}}, %{{.+}} at %{{.+}} {causal, scale = 5.000000e-01 : f64} : tensor<2x3x4x8xbf16>, tensor<2x3x6x8xbf16>, tensor<2x3x6x5xbf16>
  %causal:2 = nova.attention %q, %k, %v at %at {causal, scale = 5.000000e-01 : f64} : tensor<2x3x4x8xbf16>, tensor<2x3x6x8xbf16>, tensor<2x3x6x5xbf16>
  // CHECK: nova.attention_grad %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {causal} : tensor<2x3x4x5xbf16>, tensor<2x3x4x8xbf16>, tensor<2x3x6x8xbf16>, tensor<2x3x6x5xbf16>, tensor<2x3x4x5xbf16>, tensor<2x3x4xf32>
  %grad:3 = nova.attention_grad %y, %q, %k, %v, %attention, %lse {causal} : tensor<2x3x4x5xbf16>, tensor<2x3x4x8xbf16>, tensor<2x3x6x8xbf16>, tensor<2x3x6x5xbf16>, tensor<2x3x4x5xbf16>, tensor<2x3x4xf32>
  // CHECK: nova.attention_grad_query %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} at %{{.+}} {causal} : tensor<2x3x4x5xbf16>, tensor<2x3x4x8xbf16>, tensor<2x3x6x8xbf16>, tensor<2x3x6x5xbf16>, tensor<2x3x4xf32>, tensor<2x3x4xf32>
  %grad_query = nova.attention_grad_query %y, %q, %k, %v, %lse, %rows at %at {causal} : tensor<2x3x4x5xbf16>, tensor<2x3x4x8xbf16>, tensor<2x3x6x8xbf16>, tensor<2x3x6x5xbf16>, tensor<2x3x4xf32>, tensor<2x3x4xf32>
  // CHECK: nova.attention_grad_key_value %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : tensor<2x3x4x5xbf16>, tensor<2x3x4x8xbf16>, tensor<2x3x6x8xbf16>, tensor<2x3x6x5xbf16>, tensor<2x3x4xf32>, tensor<2x3x4xf32>
  %grad_key_value:2 = nova.attention_grad_key_value %y, %q, %k, %v, %lse, %rows : tensor<2x3x4x5xbf16>, tensor<2x3x4x8xbf16>, tensor<2x3x6x8xbf16>, tensor<2x3x6x5xbf16>, tensor<2x3x4xf32>, tensor<2x3x4xf32>
  return
}

func.func @norms_and_losses(%x: tensor<2x3x4xf32>, %w: tensor<4xf32>, %ids: tensor<2x3xi64>, %rows: tensor<2x3xf32>,
                            %loss: tensor<f32>) {
  // CHECK: nova.layer_norm %{{.+}}, %{{.+}}, %{{.+}} : tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>
  %norm = nova.layer_norm %x, %w, %w : tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>
  // CHECK: nova.layer_norm %{{.+}}, %{{.+}}, %{{.+}} {eps = 1.000000e-03 : f64} : tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>
  %norm_eps = nova.layer_norm %x, %w, %w {eps = 1.000000e-03 : f64} : tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>
  // CHECK: nova.layer_norm_grad %{{.+}}, %{{.+}}, %{{.+}} : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<4xf32>
  %norm_grad:3 = nova.layer_norm_grad %x, %x, %w : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<4xf32>
  // CHECK: nova.layer_norm_grad %{{.+}}, %{{.+}}, %{{.+}} {partials = 2 : i64} : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<4xf32>
  %partials:3 = nova.layer_norm_grad %x, %x, %w {partials = 2 : i64} : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<4xf32>
  %use_partials = nova.neg %partials#1 : tensor<2x3x4xf32>
  // CHECK: nova.cross_entropy %{{.+}}, %{{.+}} : tensor<2x3x4xf32>, tensor<2x3xi64>
  %mean = nova.cross_entropy %x, %ids : tensor<2x3x4xf32>, tensor<2x3xi64>
  // CHECK: nova.cross_entropy %{{.+}}, %{{.+}} {ignore_index = 0 : i64, reduction = #nova.reduction<none>} : tensor<2x3x4xf32>, tensor<2x3xi64>
  %none = nova.cross_entropy %x, %ids {ignore_index = 0 : i64, reduction = #nova.reduction<none>} : tensor<2x3x4xf32>, tensor<2x3xi64>
  %use_none = nova.neg %none : tensor<2x3xf32>
  // CHECK: nova.cross_entropy_grad %{{.+}}, %{{.+}}, %{{.+}} : tensor<f32>, tensor<2x3x4xf32>, tensor<2x3xi64>
  %grad = nova.cross_entropy_grad %loss, %x, %ids : tensor<f32>, tensor<2x3x4xf32>, tensor<2x3xi64>
  // CHECK: nova.cross_entropy_grad %{{.+}}, %{{.+}}, %{{.+}} {reduction = #nova.reduction<none>} : tensor<2x3xf32>, tensor<2x3x4xf32>, tensor<2x3xi64>
  %grad_none = nova.cross_entropy_grad %rows, %x, %ids {reduction = #nova.reduction<none>} : tensor<2x3xf32>, tensor<2x3x4xf32>, tensor<2x3xi64>
  return
}

func.func @square_sum(%w: tensor<4xf32>, %n: tensor<i32>) -> tensor<f32> {
  // CHECK: nova.square %{{.+}} : tensor<4xf32>
  %square = nova.square %w : tensor<4xf32>
  // CHECK: nova.reduce sum %{{.+}} over [0] : tensor<4xf32>
  %sum = nova.reduce sum %square over [0] : tensor<4xf32>
  return %sum : tensor<f32>
}

func.func @training(%p: tensor<4xf32>, %g: tensor<4xbf16>, %lr: tensor<f32>, %step: tensor<i64>, %n: tensor<i32>) {
  // CHECK: nova.value_and_grad @square_sum(%{{.+}}, %{{.+}}) wrt [0] : (tensor<4xf32>, tensor<i32>) -> (tensor<f32>, tensor<4xf32>)
  %loss, %dw = nova.value_and_grad @square_sum(%p, %n) wrt [0] : (tensor<4xf32>, tensor<i32>) -> (tensor<f32>, tensor<4xf32>)
  // CHECK: nova.adamw %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, lr %{{.+}}, step %{{.+}}, scale %{{.+}} {beta1 = 9.000000e-01 : f64, beta2 = 0.94999999999999996 : f64, eps = 1.000000e-08 : f64, weight_decay = 0.000000e+00 : f64} : tensor<4xf32>, tensor<4xbf16>
  %p1, %m1, %v1 = nova.adamw %p, %g, %p, %p, lr %lr, step %step, scale %lr {beta1 = 9.000000e-01 : f64, beta2 = 0.94999999999999996 : f64, eps = 1.000000e-08 : f64, weight_decay = 0.000000e+00 : f64} : tensor<4xf32>, tensor<4xbf16>
  // CHECK: nova.adam %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, lr %{{.+}}, step %{{.+}}, scale %{{.+}} {beta1 = 9.000000e-01 : f64, beta2 = 5.000000e-01 : f64, eps = 1.000000e-08 : f64, weight_decay = 0.000000e+00 : f64} : tensor<4xf32>, tensor<4xbf16>
  %p2, %m2, %v2 = nova.adam %p, %g, %p, %p, lr %lr, step %step, scale %lr {beta1 = 9.000000e-01 : f64, beta2 = 5.000000e-01 : f64, eps = 1.000000e-08 : f64, weight_decay = 0.000000e+00 : f64} : tensor<4xf32>, tensor<4xbf16>
  // CHECK: nova.sgd %{{.+}}, %{{.+}}, %{{.+}}, lr %{{.+}}, scale %{{.+}} {momentum = 9.000000e-01 : f64, weight_decay = 0.000000e+00 : f64} : tensor<4xf32>, tensor<4xbf16>
  %p3, %m3 = nova.sgd %p, %g, %p, lr %lr, scale %lr {momentum = 9.000000e-01 : f64, weight_decay = 0.000000e+00 : f64} : tensor<4xf32>, tensor<4xbf16>
  // CHECK: nova.global_norm %{{.+}}, %{{.+}} : tensor<4xf32>, tensor<4xbf16>
  %norm = nova.global_norm %dw, %g : tensor<4xf32>, tensor<4xbf16>
  return
}

// CHECK: nova.kernel @bias(%{{.+}}: tensor<64x10xf32>, %{{.+}}: tensor<10xf32>) -> tensor<64x10xf32> family elementwise config #nova.kernel_config<tile = [8, 0], lanes = 16> {
nova.kernel @bias(%x: tensor<64x10xf32>, %b: tensor<10xf32>) -> tensor<64x10xf32> family elementwise config #nova.kernel_config<tile = [8, 0], lanes = 16> {
  // CHECK: nova.add %{{.+}}, %{{.+}} : tensor<64x10xf32>, tensor<10xf32>
  %y = nova.add %x, %b : tensor<64x10xf32>, tensor<10xf32>
  // CHECK: nova.return %{{.+}} : tensor<64x10xf32>
  nova.return %y : tensor<64x10xf32>
}
// CHECK: nova.kernel @swap(%{{.+}}: tensor<2xf32> {nova.name = "x"}, %{{.+}}: tensor<f32>) -> (tensor<f32>, tensor<2xf32>) family generic attributes {sym_visibility = "private"} {
nova.kernel @swap(%x: tensor<2xf32> {nova.name = "x"}, %y: tensor<f32>) -> (tensor<f32>, tensor<2xf32>) family generic attributes {sym_visibility = "private"} {
  // CHECK: nova.return %{{.+}}, %{{.+}} : tensor<f32>, tensor<2xf32>
  nova.return %y, %x : tensor<f32>, tensor<2xf32>
}
func.func @launches(%x: tensor<64x10xf32>, %b: tensor<10xf32>, %y: tensor<2xf32>, %z: tensor<f32>) {
  // CHECK: nova.launch @bias(%{{.+}}, %{{.+}}) : (tensor<64x10xf32>, tensor<10xf32>) -> tensor<64x10xf32>
  %bias = nova.launch @bias(%x, %b) : (tensor<64x10xf32>, tensor<10xf32>) -> tensor<64x10xf32>
  // CHECK: nova.launch @swap(%{{.+}}, %{{.+}}) : (tensor<2xf32>, tensor<f32>) -> (tensor<f32>, tensor<2xf32>)
  %swap:2 = nova.launch @swap(%y, %z) : (tensor<2xf32>, tensor<f32>) -> (tensor<f32>, tensor<2xf32>)
  return
}

// What arguments and results are for.
// CHECK: nova.address = #nova.address<state + 64>, nova.donated = 0 : i64, nova.name = "w", nova.role = "parameter"
// CHECK-SAME: nova.bound = 256 : i64, nova.name = "ids", nova.role = "data"
// CHECK-SAME: -> (tensor<4xf32> {nova.name = "w", nova.role = "parameter"})
func.func @step(%w: tensor<4xf32> {nova.address = #nova.address<state + 64>, nova.donated = 0 : i64, nova.name = "w", nova.role = "parameter"},
                %ids: tensor<2xi32> {nova.bound = 256 : i64, nova.name = "ids", nova.role = "data"})
    -> (tensor<4xf32> {nova.name = "w", nova.role = "parameter"}) {
  return %w : tensor<4xf32>
}
