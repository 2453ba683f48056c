// RUN: nova-opt %s --nova-mixed-precision --split-input-file | FileCheck %s

nova.parameter @inv : tensor<1x4xf32> = #nova.constant<1.0> {frozen}
nova.parameter @cache : tensor<64x8xf32> = #nova.constant<1.0> {frozen}
nova.parameter @embedding : tensor<65536x32xf32> = #nova.constant<1.0> {frozen}
nova.parameter @scale : tensor<1x4xf32> = #nova.constant<1.0>

// An outer product of positions and frozen frequencies, whatever moves or scales them, and a gather from a frozen cache.
// CHECK-LABEL: func.func @positions
// CHECK-NOT: nova.cast
// CHECK: return
func.func @positions(%ids: tensor<16xi32>) -> (tensor<64x8xf32>, tensor<16x8xf32>) {
  %inv = nova.read @inv : tensor<1x4xf32>
  %cache = nova.read @cache : tensor<64x8xf32>
  %p = nova.iota 0 : tensor<64x1xf32>
  %a = nova.matmul %p, %inv : tensor<64x1xf32>, tensor<1x4xf32>
  %b = nova.mul %a, %inv : tensor<64x4xf32>, tensor<1x4xf32>
  %c = nova.concat %a, %b axis = 1 : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<64x8xf32>
  %d = nova.cos %c : tensor<64x8xf32>
  %e = nova.gather %cache[%ids] : tensor<64x8xf32>, tensor<16xi32>
  %f = nova.sin %e : tensor<16x8xf32>
  return %d, %f : tensor<64x8xf32>, tensor<16x8xf32>
}

// In a train step the frozen parameter is an argument.
// CHECK-LABEL: func.func @argument
// CHECK-NOT: nova.cast
// CHECK: return
func.func @argument(%inv: tensor<1x4xf32> {nova.role = "parameter", nova.name = "inv"}) -> tensor<64x4xf32> {
  %p = nova.iota 0 : tensor<64x1xf32>
  %a = nova.matmul %p, %inv : tensor<64x1xf32>, tensor<1x4xf32>
  %b = nova.cos %a : tensor<64x4xf32>
  return %b : tensor<64x4xf32>
}

// What is trained is rounded, and what is frozen where a product multiplies it by data.
// CHECK-LABEL: func.func @trained
// CHECK: nova.cast {{.*}} : tensor<1x4xf32> -> tensor<1x4xbf16>
func.func @trained() -> tensor<64x4xf32> {
  %w = nova.read @scale : tensor<1x4xf32>
  %p = nova.iota 0 : tensor<64x1xf32>
  %a = nova.matmul %p, %w : tensor<64x1xf32>, tensor<1x4xf32>
  return %a : tensor<64x4xf32>
}

// CHECK-LABEL: func.func @data
// CHECK: nova.cast {{.*}} : tensor<1x4xf32> -> tensor<1x4xbf16>
func.func @data(%x: tensor<64x1xf32>) -> tensor<64x4xf32> {
  %inv = nova.read @inv : tensor<1x4xf32>
  %a = nova.matmul %x, %inv : tensor<64x1xf32>, tensor<1x4xf32>
  return %a : tensor<64x4xf32>
}

// A frozen embedding is no table of positions.
// CHECK-LABEL: func.func @embedding_table
// CHECK: nova.cast {{.*}} : tensor<65536x32xf32> -> tensor<65536x32xbf16>
func.func @embedding_table(%ids: tensor<16xi32>) -> tensor<16x16xf32> {
  %w = nova.read @embedding : tensor<65536x32xf32>
  %x = nova.gather %w[%ids] : tensor<65536x32xf32>, tensor<16xi32>
  %a = nova.matmul %x, %x {transpose_rhs} : tensor<16x32xf32>, tensor<16x32xf32>
  return %a : tensor<16x16xf32>
}
