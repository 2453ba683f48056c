// RUN: nova-opt %s --nova-fuse-attention=hidden-below=-1e4 | FileCheck %s
// RUN: nova-opt %s --canonicalize --nova-fuse-attention=hidden-below=-1e4 | FileCheck %s
//
// Spellings of the causal mask. Every function must become a causal attention and nothing else.

// A select of the visible scores, the hidden ones minus infinity.
// CHECK-LABEL: func @select_visible(
// CHECK-NOT:     nova.softmax
// CHECK-NOT:     nova.select
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @select_visible(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %x = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %k : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// A select of the hidden scores (masked_fill), -1e9, from row and column vectors.
// CHECK-LABEL: func @select_hidden(
// CHECK-NOT:     nova.softmax
// CHECK-NOT:     nova.select
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @select_hidden(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %j = nova.iota 0 : tensor<8xi64>
  %i = nova.broadcast_in_dim %j dims = [0] : tensor<8xi64> -> tensor<8x1xi64>
  %m = nova.compare lt %i, %j : tensor<8x1xi64>, tensor<8xi64>
  %m4 = nova.reshape %m : tensor<8x8xi1> -> tensor<1x1x8x8xi1>
  %h = nova.constant dense<-1.0e9> : tensor<1x2x8x8xf32>
  %x = nova.select %m4, %h, %s : tensor<1x1x8x8xi1>, tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %k : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// tril written as a literal of booleans.
// CHECK-LABEL: func @tril_literal_bool(
// CHECK-NOT:     nova.softmax
// CHECK-NOT:     nova.select
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @tril_literal_bool(%q: tensor<1x2x4x4xf32>, %k: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
  %m = nova.constant dense<[[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]> : tensor<4x4xi1>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %x = nova.select %m, %s, %h : tensor<4x4xi1>, tensor<1x2x4x4xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x4x4xf32>
  %y = nova.matmul %p, %k : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// nanoGPT's buffer: a slice of a larger tril of floats, compared with 0.
// CHECK-LABEL: func @tril_literal_float(
// CHECK-NOT:     nova.softmax
// CHECK-NOT:     nova.select
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @tril_literal_float(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>
  %b = nova.constant dense<[[[[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]]]]>
    : tensor<1x1x4x4xf32>
  %c = nova.slice %b starts = [0, 0, 0, 0] limits = [1, 1, 3, 3] strides = [1, 1, 1, 1]
    : tensor<1x1x4x4xf32> -> tensor<1x1x3x3xf32>
  %z = nova.constant dense<0.0> : tensor<f32>
  %m = nova.compare eq %c, %z : tensor<1x1x3x3xf32>, tensor<f32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %x = nova.select %m, %h, %s : tensor<1x1x3x3xi1>, tensor<f32>, tensor<1x2x3x3xf32>
  %p = nova.softmax %x : tensor<1x2x3x3xf32>
  %y = nova.matmul %p, %k : tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}

// A mask that is added: (1 - tril) * -10000.
// CHECK-LABEL: func @additive(
// CHECK-NOT:     nova.softmax
// CHECK-NOT:     nova.select
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @additive(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 2 : tensor<1x1x8x8xi32>
  %j = nova.iota 3 : tensor<1x1x8x8xi32>
  %m = nova.compare ge %i, %j : tensor<1x1x8x8xi32>, tensor<1x1x8x8xi32>
  %f = nova.cast %m : tensor<1x1x8x8xi1> -> tensor<1x1x8x8xf32>
  %one = nova.constant dense<1.0> : tensor<f32>
  %big = nova.constant dense<-1.0e4> : tensor<f32>
  %u = nova.sub %one, %f : tensor<f32>, tensor<1x1x8x8xf32>
  %a = nova.mul %u, %big : tensor<1x1x8x8xf32>, tensor<f32>
  %x = nova.add %a, %s : tensor<1x1x8x8xf32>, tensor<1x2x8x8xf32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %k : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// A mask that is subtracted.
// CHECK-LABEL: func @subtracted(
// CHECK-NOT:     nova.softmax
// CHECK-NOT:     nova.select
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @subtracted(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare gt %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %f = nova.cast %m : tensor<8x8xi1> -> tensor<8x8xf32>
  %big = nova.constant dense<1.0e9> : tensor<f32>
  %a = nova.mul %big, %f : tensor<f32>, tensor<8x8xf32>
  %x = nova.sub %s, %a : tensor<1x2x8x8xf32>, tensor<8x8xf32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %k : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// PyTorch's triu(full(min), 1): a difference of positions that is at least 1.
// CHECK-LABEL: func @triu_of_full(
// CHECK-NOT:     nova.softmax
// CHECK-NOT:     nova.select
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @triu_of_full(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %j = nova.iota 1 : tensor<1x8xi64>
  %i = nova.iota 0 : tensor<8x1xi64>
  %d = nova.sub %j, %i : tensor<1x8xi64>, tensor<8x1xi64>
  %one = nova.constant dense<1> : tensor<i64>
  %m = nova.compare ge %d, %one : tensor<8x8xi64>, tensor<i64>
  %full = nova.constant dense<-3.40282347E+38> : tensor<8x8xf32>
  %z = nova.constant dense<0.0> : tensor<f32>
  %a = nova.select %m, %full, %z : tensor<8x8xi1>, tensor<8x8xf32>, tensor<f32>
  %x = nova.add %s, %a : tensor<1x2x8x8xf32>, tensor<8x8xf32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %k : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// Hugging Face's: true and causal, then 0 or the least number, broadcast.
// CHECK-LABEL: func @combined_with_true(
// CHECK-NOT:     nova.softmax
// CHECK-NOT:     nova.select
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @combined_with_true(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %t = nova.constant dense<true> : tensor<i1>
  %i = nova.iota 0 : tensor<8x1xi64>
  %j = nova.iota 1 : tensor<1x8xi64>
  %c = nova.compare le %j, %i : tensor<1x8xi64>, tensor<8x1xi64>
  %m = nova.and %t, %c : tensor<i1>, tensor<8x8xi1>
  %m4 = nova.broadcast_in_dim %m dims = [2, 3] : tensor<8x8xi1> -> tensor<1x2x8x8xi1>
  %z = nova.constant dense<0.0> : tensor<f32>
  %h = nova.constant dense<-3.40282347E+38> : tensor<f32>
  %a = nova.select %m4, %z, %h : tensor<1x2x8x8xi1>, tensor<f32>, tensor<f32>
  %x = nova.add %s, %a : tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %k : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// Positions as floats, and not.
// CHECK-LABEL: func @float_positions(
// CHECK-NOT:     nova.softmax
// CHECK-NOT:     nova.select
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @float_positions(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xf32>
  %j = nova.iota 1 : tensor<8x8xf32>
  %half = nova.constant dense<1.0> : tensor<f32>
  %k1 = nova.sub %j, %half : tensor<8x8xf32>, tensor<f32>
  %u = nova.compare ge %k1, %i : tensor<8x8xf32>, tensor<8x8xf32>
  %m = nova.not %u : tensor<8x8xi1>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %x = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %k : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// A mask built with rows and columns exchanged, then transposed.
// CHECK-LABEL: func @transposed_mask(
// CHECK-NOT:     nova.softmax
// CHECK-NOT:     nova.select
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @transposed_mask(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %i, %j : tensor<8x8xi32>, tensor<8x8xi32>
  %t = nova.transpose %m [1, 0] : tensor<8x8xi1>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %x = nova.select %t, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %k : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// 2 j <= 2 i + 1.
// CHECK-LABEL: func @scaled_positions(
// CHECK-NOT:     nova.softmax
// CHECK-NOT:     nova.select
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @scaled_positions(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %two = nova.constant dense<2> : tensor<i32>
  %one = nova.constant dense<1> : tensor<i32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %i2 = nova.mul %i, %two : tensor<8x8xi32>, tensor<i32>
  %i3 = nova.add %i2, %one : tensor<8x8xi32>, tensor<i32>
  %j2 = nova.mul %two, %j : tensor<i32>, tensor<8x8xi32>
  %m = nova.compare le %j2, %i3 : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %x = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %k : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// More keys than queries: query t sees the keys up to t, as everywhere.
// CHECK-LABEL: func @more_keys(
// CHECK-NOT:     nova.softmax
// CHECK-NOT:     nova.select
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @more_keys(%q: tensor<1x2x5x4xf32>, %k: tensor<1x2x8x4xf32>) -> tensor<1x2x5x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x5x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<5x8xi32>
  %j = nova.iota 1 : tensor<5x8xi32>
  %m = nova.compare le %j, %i : tensor<5x8xi32>, tensor<5x8xi32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %x = nova.select %m, %s, %h : tensor<5x8xi1>, tensor<1x2x5x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x5x8xf32>
  %y = nova.matmul %p, %k : tensor<1x2x5x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x5x4xf32>
}

// The first rows of the square mask.
// CHECK-LABEL: func @sliced_mask(
// CHECK-NOT:     nova.softmax
// CHECK-NOT:     nova.select
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @sliced_mask(%q: tensor<1x2x5x4xf32>, %k: tensor<1x2x8x4xf32>) -> tensor<1x2x5x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x5x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %sq = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %m = nova.slice %sq starts = [0, 0] limits = [5, 8] strides = [1, 1] : tensor<8x8xi1> -> tensor<5x8xi1>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %x = nova.select %m, %s, %h : tensor<5x8xi1>, tensor<1x2x5x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x5x8xf32>
  %y = nova.matmul %p, %k : tensor<1x2x5x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x5x4xf32>
}

// The same mask twice, and a number added to all scores: softmax sees neither.
// CHECK-LABEL: func @twice(
// CHECK-NOT:     nova.softmax
// CHECK-NOT:     nova.select
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @twice(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %five = nova.constant dense<5.0> : tensor<f32>
  %a = nova.add %s, %five : tensor<1x2x8x8xf32>, tensor<f32>
  %b = nova.select %m, %a, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %x = nova.select %m, %b, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %k : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}
