// RUN: nova-opt %s --canonicalize --split-input-file | FileCheck %s

// Every fold and pattern, and those that must not happen: where NaN, infinity, -0.0 or broadcasting makes them wrong.
// The sum of padded neighbours has a file of its own, add-of-pads.mlir.

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @abs_of_abs
// CHECK-SAME: ([[X:%.+]]: tensor<4xf32>)
// CHECK-NEXT: [[ABS:%.+]] = nova.abs [[X]]
// CHECK-NEXT: return [[ABS]]
func.func @abs_of_abs(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = nova.abs %x : tensor<4xf32>
  %b = nova.abs %a : tensor<4xf32>
  return %b : tensor<4xf32>
}

// CHECK-LABEL: @involutions
// CHECK-SAME: ([[X:%.+]]: tensor<4xf32>, [[P:%.+]]: tensor<4xi1>)
// CHECK-NEXT: return [[X]], [[P]]
func.func @involutions(%x: tensor<4xf32>, %p: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xi1>) {
  %a = nova.neg %x : tensor<4xf32>
  %b = nova.neg %a : tensor<4xf32>
  %q = nova.not %p : tensor<4xi1>
  %r = nova.not %q : tensor<4xi1>
  return %b, %r : tensor<4xf32>, tensor<4xi1>
}

// The smallest integer has no positive counterpart.
// CHECK-LABEL: @of_constants
// CHECK-DAG: [[ABS:%.+]] = nova.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-DAG: [[NEG:%.+]] = nova.constant dense<-128> : tensor<4xi8>
// CHECK: return [[ABS]], [[NEG]], [[NEG]]
func.func @of_constants() -> (tensor<4xf32>, tensor<4xi8>, tensor<4xi8>) {
  %x = nova.constant dense<-2.0> : tensor<4xf32>
  %i = nova.constant dense<-128> : tensor<4xi8>
  %a = nova.abs %x : tensor<4xf32>
  %b = nova.neg %i : tensor<4xi8>
  %c = nova.abs %i : tensor<4xi8>
  return %a, %b, %c : tensor<4xf32>, tensor<4xi8>, tensor<4xi8>
}

// -----

//===----------------------------------------------------------------------===//
// Neutral elements
//===----------------------------------------------------------------------===//

// x + -0.0 is x for every x.
// CHECK-LABEL: @add_negative_zero
// CHECK-SAME: ([[X:%.+]]: tensor<4xf32>, [[N:%.+]]: tensor<4xi32>)
// CHECK-NEXT: return [[X]], [[X]], [[N]], [[N]]
func.func @add_negative_zero(%x: tensor<4xf32>, %n: tensor<4xi32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xi32>) {
  %z = nova.constant dense<-0.0> : tensor<f32>
  %a = nova.add %x, %z : tensor<4xf32>, tensor<f32>
  %b = nova.add %z, %x : tensor<f32>, tensor<4xf32>
  %i = nova.constant dense<0> : tensor<4xi32>
  %c = nova.add %n, %i : tensor<4xi32>, tensor<4xi32>
  %d = nova.add %i, %n : tensor<4xi32>, tensor<4xi32>
  return %a, %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xi32>
}

// -0.0 + 0.0 is 0.0.
// CHECK-LABEL: @keep_add_positive_zero
// CHECK: nova.add
func.func @keep_add_positive_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = nova.constant dense<0.0> : tensor<f32>
  %a = nova.add %x, %z : tensor<4xf32>, tensor<f32>
  return %a : tensor<4xf32>
}

// CHECK-LABEL: @subtract_zero
// CHECK-SAME: ([[X:%.+]]: tensor<4xf32>)
// CHECK-NEXT: return [[X]]
func.func @subtract_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = nova.constant dense<0.0> : tensor<f32>
  %a = nova.sub %x, %z : tensor<4xf32>, tensor<f32>
  return %a : tensor<4xf32>
}

// -0.0 - -0.0 is 0.0, 0.0 - 0.0 is 0.0 and not -0.0, and infinity - infinity is NaN.
// CHECK-LABEL: @keep_subtractions
// CHECK-COUNT-3: nova.sub
func.func @keep_subtractions(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %n = nova.constant dense<-0.0> : tensor<f32>
  %z = nova.constant dense<0.0> : tensor<f32>
  %a = nova.sub %x, %n : tensor<4xf32>, tensor<f32>
  %b = nova.sub %z, %x : tensor<f32>, tensor<4xf32>
  %c = nova.sub %x, %x : tensor<4xf32>, tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @one
// CHECK-SAME: ([[X:%.+]]: tensor<4xbf16>)
// CHECK-NEXT: return [[X]], [[X]], [[X]], [[X]]
func.func @one(%x: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>) {
  %one = nova.constant dense<1.0> : tensor<bf16>
  %a = nova.mul %x, %one : tensor<4xbf16>, tensor<bf16>
  %b = nova.mul %one, %x : tensor<bf16>, tensor<4xbf16>
  %c = nova.div %x, %one : tensor<4xbf16>, tensor<bf16>
  %d = nova.pow %x, %one : tensor<4xbf16>, tensor<bf16>
  return %a, %b, %c, %d : tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>
}

// NaN * 0 and infinity * 0 are NaN, -1 * 0 is -0.0; 0 / 0 is NaN.
// CHECK-LABEL: @keep_products_and_quotients
// CHECK: nova.mul
// CHECK: nova.div
// CHECK: nova.div
func.func @keep_products_and_quotients(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %z = nova.constant dense<0.0> : tensor<f32>
  %a = nova.mul %x, %z : tensor<4xf32>, tensor<f32>
  %b = nova.div %x, %x : tensor<4xf32>, tensor<4xf32>
  %c = nova.div %z, %x : tensor<f32>, tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// The neutral element makes the result larger.
// CHECK-LABEL: @keep_broadcasts
// CHECK: nova.add
// CHECK: nova.mul
// CHECK: nova.sub
func.func @keep_broadcasts(%x: tensor<1xf32>, %d: tensor<?xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %n = nova.constant dense<-0.0> : tensor<4xf32>
  %z = nova.constant dense<0.0> : tensor<4xf32>
  %one = nova.constant dense<1.0> : tensor<4xf32>
  %a = nova.add %x, %n : tensor<1xf32>, tensor<4xf32>
  %b = nova.mul %x, %one : tensor<1xf32>, tensor<4xf32>
  %c = nova.sub %d, %z : tensor<?xf32>, tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

// Integers wrap; x / 0 is 0 and the smallest integer over -1 itself.
// CHECK-LABEL: @integers
// CHECK-DAG: [[MIN:%.+]] = nova.constant dense<-128> : tensor<2xi8>
// CHECK-DAG: [[MINUS:%.+]] = nova.constant dense<-2> : tensor<2xi8>
// CHECK-DAG: [[ZERO:%.+]] = nova.constant dense<0> : tensor<2xi8>
// CHECK-DAG: [[MAX:%.+]] = nova.constant dense<127> : tensor<2xi8>
// CHECK: return [[MINUS]], [[MAX]], [[ZERO]], [[ZERO]], [[MIN]]
func.func @integers() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %min = nova.constant dense<-128> : tensor<2xi8>
  %max = nova.constant dense<127> : tensor<i8>
  %one = nova.constant dense<1> : tensor<2xi8>
  %minus = nova.constant dense<-1> : tensor<2xi8>
  %zero = nova.constant dense<0> : tensor<2xi8>
  %two = nova.constant dense<2> : tensor<2xi8>
  %a = nova.add %max, %max : tensor<i8>, tensor<i8>
  %a2 = nova.broadcast_in_dim %a dims = [] : tensor<i8> -> tensor<2xi8>
  %b = nova.sub %min, %one : tensor<2xi8>, tensor<2xi8>
  %c = nova.mul %min, %two : tensor<2xi8>, tensor<2xi8>
  %d = nova.div %min, %zero : tensor<2xi8>, tensor<2xi8>
  %e = nova.div %min, %minus : tensor<2xi8>, tensor<2xi8>
  return %a2, %b, %c, %d, %e : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// CHECK-LABEL: @floats
// CHECK-DAG: [[SUM:%.+]] = nova.constant dense<5.000000e-01> : tensor<3x2xf16>
// CHECK-DAG: [[NAN:%.+]] = nova.constant dense<0x7E00> : tensor<3x2xf16>
// CHECK-DAG: [[INF:%.+]] = nova.constant dense<0x7C00> : tensor<3x2xf16>
// CHECK: return [[SUM]], [[NAN]], [[INF]]
func.func @floats() -> (tensor<3x2xf16>, tensor<3x2xf16>, tensor<3x2xf16>) {
  %column = nova.constant dense<0.25> : tensor<3x1xf16>
  %row = nova.constant dense<0.25> : tensor<2xf16>
  %zero = nova.constant dense<0.0> : tensor<3x2xf16>
  %large = nova.constant dense<60000.0> : tensor<3x2xf16>
  %a = nova.add %column, %row : tensor<3x1xf16>, tensor<2xf16>
  %b = nova.div %zero, %zero : tensor<3x2xf16>, tensor<3x2xf16>
  %c = nova.mul %large, %large : tensor<3x2xf16>, tensor<3x2xf16>
  return %a, %b, %c : tensor<3x2xf16>, tensor<3x2xf16>, tensor<3x2xf16>
}

// Empty tensors.
// CHECK-LABEL: @empty
// CHECK: [[EMPTY:%.+]] = nova.constant dense<3.000000e+00> : tensor<0x2xf32>
// CHECK: return [[EMPTY]]
func.func @empty() -> tensor<0x2xf32> {
  %a = nova.constant dense<1.0> : tensor<0x2xf32>
  %b = nova.constant dense<2.0> : tensor<2xf32>
  %c = nova.add %a, %b : tensor<0x2xf32>, tensor<2xf32>
  return %c : tensor<0x2xf32>
}

// A tensor of many different numbers stays an op: a second copy of it would cost more than the computation.
// CHECK-LABEL: @keep_unlike_elements
// CHECK: nova.add
func.func @keep_unlike_elements() -> tensor<2xf32> {
  %a = nova.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = nova.add %a, %a : tensor<2xf32>, tensor<2xf32>
  return %b : tensor<2xf32>
}

// -----

//===----------------------------------------------------------------------===//
// Select, cast
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @select
// CHECK-SAME: ([[P:%.+]]: tensor<4xi1>, [[X:%.+]]: tensor<4xf32>, [[Y:%.+]]: tensor<4xf32>)
// CHECK-NEXT: return [[X]], [[X]], [[Y]]
func.func @select(%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %true = nova.constant dense<true> : tensor<i1>
  %false = nova.constant dense<false> : tensor<4xi1>
  %a = nova.select %p, %x, %x : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>
  %b = nova.select %true, %x, %y : tensor<i1>, tensor<4xf32>, tensor<4xf32>
  %c = nova.select %false, %x, %y : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// The condition or the other side makes the result larger than what is taken.
// CHECK-LABEL: @keep_select
// CHECK-COUNT-2: nova.select
func.func @keep_select(%p: tensor<4xi1>, %x: tensor<1xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %true = nova.constant dense<true> : tensor<i1>
  %a = nova.select %p, %x, %x : tensor<4xi1>, tensor<1xf32>, tensor<1xf32>
  %b = nova.select %true, %x, %y : tensor<i1>, tensor<1xf32>, tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @cast
// CHECK-SAME: ([[X:%.+]]: tensor<?xf32>)
// CHECK-NEXT: [[C:%.+]] = nova.constant dense<1.000980e-01> : tensor<4xbf16>
// CHECK-NEXT: return [[X]], [[C]]
func.func @cast(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<4xbf16>) {
  %a = nova.cast %x : tensor<?xf32> -> tensor<?xf32>
  %c = nova.constant dense<0.1> : tensor<4xf32>
  %b = nova.cast %c : tensor<4xf32> -> tensor<4xbf16>
  return %a, %b : tensor<?xf32>, tensor<4xbf16>
}

// The way through bf16 rounds, and the way through i8 cuts.
// CHECK-LABEL: @keep_casts
// CHECK-COUNT-4: nova.cast
func.func @keep_casts(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = nova.cast %x : tensor<4xf32> -> tensor<4xbf16>
  %b = nova.cast %a : tensor<4xbf16> -> tensor<4xf32>
  %c = nova.cast %x : tensor<4xf32> -> tensor<4xi8>
  %d = nova.cast %c : tensor<4xi8> -> tensor<4xf32>
  return %b, %d : tensor<4xf32>, tensor<4xf32>
}

// -----

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @nothing_moves
// CHECK-SAME: ([[X:%.+]]: tensor<2x3xf32>, [[S:%.+]]: tensor<f32>)
// CHECK-NEXT: return [[X]], [[X]], [[X]], [[X]], [[X]], [[X]], [[S]], [[X]]
func.func @nothing_moves(%x: tensor<2x3xf32>, %s: tensor<f32>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>,
        tensor<f32>, tensor<2x3xf32>) {
  %a = nova.broadcast_in_dim %x dims = [0, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  %b = nova.reshape %x : tensor<2x3xf32> -> tensor<2x3xf32>
  %c = nova.transpose %x [0, 1] : tensor<2x3xf32>
  %d = nova.slice %x starts = [0, 0] limits = [2, 3] strides = [1, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  %e = nova.pad %x, %s low = [0, 0] high = [0, 0] interior = [0, 0] : tensor<2x3xf32>, tensor<f32> -> tensor<2x3xf32>
  %f = nova.concat %x axis = 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %g = nova.transpose %s [] : tensor<f32>
  %h = nova.reduce max %x over [] : tensor<2x3xf32>
  return %a, %b, %c, %d, %e, %f, %g, %h : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>,
    tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<2x3xf32>
}

// CHECK-LABEL: @chains
// CHECK-SAME: ([[X:%.+]]: tensor<2x3x4xf32>)
// CHECK-NEXT: [[R:%.+]] = nova.reshape [[X]] : tensor<2x3x4xf32> -> tensor<4x6xf32>
// CHECK-NEXT: [[T:%.+]] = nova.transpose [[X]] [2, 0, 1] : tensor<2x3x4xf32>
// CHECK-NEXT: return [[R]], [[T]]
func.func @chains(%x: tensor<2x3x4xf32>) -> (tensor<4x6xf32>, tensor<4x2x3xf32>) {
  %a = nova.reshape %x : tensor<2x3x4xf32> -> tensor<24xf32>
  %b = nova.reshape %a : tensor<24xf32> -> tensor<4x6xf32>
  %c = nova.transpose %x [1, 2, 0] : tensor<2x3x4xf32>
  %d = nova.transpose %c [1, 2, 0] : tensor<3x4x2xf32>
  return %b, %d : tensor<4x6xf32>, tensor<4x2x3xf32>
}

// Axes of size 1 move without moving an element; of an unknown size they might not be 1.
// CHECK-LABEL: @transpose_of_unit_axes
// CHECK-SAME: ([[X:%.+]]: tensor<4x1x3x1xf32>, [[D:%.+]]: tensor<4x?xf32>)
// CHECK-NEXT: [[A:%.+]] = nova.reshape [[X]] : tensor<4x1x3x1xf32> -> tensor<1x4x1x3xf32>
// CHECK-NEXT: [[B:%.+]] = nova.transpose [[X]] [2, 1, 0, 3]
// CHECK-NEXT: [[C:%.+]] = nova.transpose [[D]] [1, 0]
// CHECK-NEXT: return [[A]], [[B]], [[C]]
func.func @transpose_of_unit_axes(%x: tensor<4x1x3x1xf32>, %d: tensor<4x?xf32>)
    -> (tensor<1x4x1x3xf32>, tensor<3x1x4x1xf32>, tensor<?x4xf32>) {
  %a = nova.transpose %x [3, 0, 1, 2] : tensor<4x1x3x1xf32>
  %b = nova.transpose %x [2, 1, 0, 3] : tensor<4x1x3x1xf32>
  %c = nova.transpose %d [1, 0] : tensor<4x?xf32>
  return %a, %b, %c : tensor<1x4x1x3xf32>, tensor<3x1x4x1xf32>, tensor<?x4xf32>
}

// The shape in between hides that this cannot be: no fold may make an op that is invalid.
// CHECK-LABEL: @keep_reshapes
// CHECK-COUNT-2: nova.reshape
func.func @keep_reshapes(%x: tensor<4xf32>) -> tensor<5xf32> {
  %a = nova.reshape %x : tensor<4xf32> -> tensor<?xf32>
  %b = nova.reshape %a : tensor<?xf32> -> tensor<5xf32>
  return %b : tensor<5xf32>
}

// CHECK-LABEL: @moved_constants
// CHECK-DAG: [[B:%.+]] = nova.constant dense<1.000000e+00> : tensor<3x2xf32>
// CHECK-DAG: [[R:%.+]] = nova.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32>
// CHECK-DAG: [[S:%.+]] = nova.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK: return [[B]], [[R]], [[B]], [[S]]
func.func @moved_constants() -> (tensor<3x2xf32>, tensor<2x2xi32>, tensor<3x2xf32>, tensor<2xf32>) {
  %row = nova.constant dense<1.0> : tensor<2xf32>
  %b = nova.broadcast_in_dim %row dims = [1] : tensor<2xf32> -> tensor<3x2xf32>
  %four = nova.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %r = nova.reshape %four : tensor<4xi32> -> tensor<2x2xi32>
  %matrix = nova.constant dense<1.0> : tensor<2x3xf32>
  %t = nova.transpose %matrix [1, 0] : tensor<2x3xf32>
  %ten = nova.constant dense<1.0> : tensor<10xf32>
  %s = nova.slice %ten starts = [1] limits = [8] strides = [4] : tensor<10xf32> -> tensor<2xf32>
  return %b, %r, %t, %s : tensor<3x2xf32>, tensor<2x2xi32>, tensor<3x2xf32>, tensor<2xf32>
}

// A tile moves its operand by its origin.
// CHECK-LABEL: @keep_tiles
// CHECK: nova.slice
// CHECK: nova.pad
// CHECK: nova.concat
func.func @keep_tiles(%x: tensor<4xf32>, %s: tensor<f32>, %at: index) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = nova.slice %x starts = [0] limits = [4] strides = [1] at %at : tensor<4xf32> -> tensor<4xf32>
  %b = nova.pad %x, %s low = [0] high = [0] interior = [0] at %at : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %c = nova.concat %x axis = 0 at %at : (tensor<4xf32>) -> tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @no_updates
// CHECK-SAME: ([[X:%.+]]: tensor<4x2xf32>
// CHECK-NEXT: return [[X]]
func.func @no_updates(%x: tensor<4x2xf32>, %ids: tensor<0xi32>, %updates: tensor<0x2xf32>) -> tensor<4x2xf32> {
  %a = nova.scatter_add %x[%ids], %updates : tensor<4x2xf32>, tensor<0xi32>, tensor<0x2xf32>
  return %a : tensor<4x2xf32>
}

// CHECK-LABEL: @add_of_scatter_add
// CHECK-SAME: ([[X:%.+]]: tensor<4x2xf32>, [[IDS:%.+]]: tensor<3xi32>, [[U:%.+]]: tensor<3x2xf32>)
// CHECK-NEXT: [[A:%.+]] = nova.scatter_add [[X]][[[IDS]]], [[U]]
// CHECK-NEXT: [[B:%.+]] = nova.scatter_add [[A]][[[IDS]]], [[U]]
// CHECK-NEXT: return [[B]]
func.func @add_of_scatter_add(%x: tensor<4x2xf32>, %ids: tensor<3xi32>, %u: tensor<3x2xf32>) -> tensor<4x2xf32> {
  %zero = nova.constant dense<0.0> : tensor<4x2xf32>
  %s = nova.scatter_add %zero[%ids], %u : tensor<4x2xf32>, tensor<3xi32>, tensor<3x2xf32>
  %a = nova.add %x, %s : tensor<4x2xf32>, tensor<4x2xf32>
  %t = nova.scatter_add %zero[%ids], %u : tensor<4x2xf32>, tensor<3xi32>, tensor<3x2xf32>
  %b = nova.add %t, %a : tensor<4x2xf32>, tensor<4x2xf32>
  return %b : tensor<4x2xf32>
}

// Into something else than zeros, needed elsewhere too, or broadcast.
// CHECK-LABEL: @keep_add_of_scatter_add
// CHECK-COUNT-3: nova.add
func.func @keep_add_of_scatter_add(%x: tensor<4x2xf32>, %ids: tensor<3xi32>, %u: tensor<3x2xf32>, %row: tensor<2xf32>)
    -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %zero = nova.constant dense<0.0> : tensor<4x2xf32>
  %one = nova.constant dense<1.0> : tensor<4x2xf32>
  %s = nova.scatter_add %one[%ids], %u : tensor<4x2xf32>, tensor<3xi32>, tensor<3x2xf32>
  %a = nova.add %x, %s : tensor<4x2xf32>, tensor<4x2xf32>
  %t = nova.scatter_add %zero[%ids], %u : tensor<4x2xf32>, tensor<3xi32>, tensor<3x2xf32>
  %b = nova.add %x, %t : tensor<4x2xf32>, tensor<4x2xf32>
  %v = nova.scatter_add %zero[%ids], %u : tensor<4x2xf32>, tensor<3xi32>, tensor<3x2xf32>
  %c = nova.add %row, %v : tensor<2xf32>, tensor<4x2xf32>
  return %a, %b, %t, %c : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}

// -----

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @matmul_of_transpose
// CHECK-SAME: ([[X:%.+]]: tensor<5x4x3xf32>, [[Y:%.+]]: tensor<6x4xf32>)
// CHECK-NEXT: [[A:%.+]] = nova.matmul [[X]], [[Y]] {transpose_lhs, transpose_rhs} : tensor<5x4x3xf32>, tensor<6x4xf32>
// CHECK-NEXT: [[B:%.+]] = nova.matmul [[Y]], [[X]] : tensor<6x4xf32>, tensor<5x4x3xf32>
// CHECK-NEXT: return [[A]], [[B]]
func.func @matmul_of_transpose(%x: tensor<5x4x3xf32>, %y: tensor<6x4xf32>) -> (tensor<5x3x6xf32>, tensor<5x6x3xf32>) {
  %xt = nova.transpose %x [0, 2, 1] : tensor<5x4x3xf32>
  %yt = nova.transpose %y [1, 0] : tensor<6x4xf32>
  %a = nova.matmul %xt, %yt : tensor<5x3x4xf32>, tensor<4x6xf32>
  %b = nova.matmul %yt, %xt {transpose_lhs, transpose_rhs} : tensor<4x6xf32>, tensor<5x3x4xf32>
  return %a, %b : tensor<5x3x6xf32>, tensor<5x6x3xf32>
}

// Sums of nothing.
// CHECK-LABEL: @no_depth
// CHECK: [[ZERO:%.+]] = nova.constant dense<0.000000e+00> : tensor<7x2x5xbf16>
// CHECK: return [[ZERO]]
func.func @no_depth(%x: tensor<7x0x2xbf16>, %y: tensor<1x5x0xbf16>) -> tensor<7x2x5xbf16> {
  %a = nova.matmul %x, %y {transpose_lhs, transpose_rhs} : tensor<7x0x2xbf16>, tensor<1x5x0xbf16>
  return %a : tensor<7x2x5xbf16>
}

// CHECK-LABEL: @reductions_of_nothing
// CHECK-DAG: [[ZERO:%.+]] = nova.constant dense<0.000000e+00> : tensor<3xf32>
// CHECK-DAG: [[ONE:%.+]] = nova.constant dense<1> : tensor<3x1xi8>
// CHECK-DAG: [[NAN:%.+]] = nova.constant dense<0x7FC00000> : tensor<f32>
// CHECK-DAG: [[FALSE:%.+]] = nova.constant dense<false> : tensor<3xi1>
// CHECK-DAG: [[TRUE:%.+]] = nova.constant dense<true> : tensor<3xi1>
// CHECK: return [[ZERO]], [[ONE]], [[NAN]], [[FALSE]], [[TRUE]]
func.func @reductions_of_nothing(%x: tensor<3x0xf32>, %i: tensor<3x0xi8>, %p: tensor<3x0xi1>)
    -> (tensor<3xf32>, tensor<3x1xi8>, tensor<f32>, tensor<3xi1>, tensor<3xi1>) {
  %a = nova.reduce sum %x over [1] : tensor<3x0xf32>
  %b = nova.reduce product %i over [1] {keep_dims} : tensor<3x0xi8>
  %c = nova.reduce mean %x over [0, 1] : tensor<3x0xf32>
  %d = nova.reduce any %p over [1] : tensor<3x0xi1>
  %e = nova.reduce all %p over [1] : tensor<3x0xi1>
  return %a, %b, %c, %d, %e : tensor<3xf32>, tensor<3x1xi8>, tensor<f32>, tensor<3xi1>, tensor<3xi1>
}

// How many there are is not known.
// CHECK-LABEL: @keep_reductions
// CHECK: nova.reduce
// CHECK: nova.matmul
func.func @keep_reductions(%x: tensor<?x0xf32>, %y: tensor<?x3xf32>) -> (tensor<?xf32>, tensor<3x3xf32>) {
  %a = nova.reduce sum %x over [1] : tensor<?x0xf32>
  %b = nova.matmul %y, %y {transpose_lhs} : tensor<?x3xf32>, tensor<?x3xf32>
  return %a, %b : tensor<?xf32>, tensor<3x3xf32>
}

// CHECK-LABEL: @keep_transpose_of_batches
// CHECK: nova.transpose
func.func @keep_transpose_of_batches(%x: tensor<5x2x3xf32>, %y: tensor<3x6xf32>) -> tensor<2x5x6xf32> {
  %xt = nova.transpose %x [1, 0, 2] : tensor<5x2x3xf32>
  %a = nova.matmul %xt, %y : tensor<2x5x3xf32>, tensor<3x6xf32>
  return %a : tensor<2x5x6xf32>
}

// -----

//===----------------------------------------------------------------------===//
// Whole numbers, parts at run time
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @whole_numbers
// CHECK-SAME: ([[X:%.+]]: tensor<4xf32>)
// CHECK-DAG: [[FLOOR:%.+]] = nova.floor [[X]]
// CHECK-DAG: [[TWO:%.+]] = nova.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-DAG: [[THREE:%.+]] = nova.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK: return [[FLOOR]], [[TWO]], [[TWO]], [[THREE]]
func.func @whole_numbers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = nova.floor %x : tensor<4xf32>
  %b = nova.round %a : tensor<4xf32>
  %half = nova.constant dense<2.5> : tensor<4xf32>
  %c = nova.floor %half : tensor<4xf32>
  %d = nova.round %half : tensor<4xf32>
  %e = nova.ceil %half : tensor<4xf32>
  return %b, %c, %d, %e : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @whole_parts
// CHECK-SAME: ([[X:%.+]]: tensor<4x8xf32>, [[U:%.+]]: tensor<4x8xf32>, [[NONE:%.+]]: tensor<0x8xf32>
// CHECK-NEXT: return [[X]], [[U]], [[X]]
func.func @whole_parts(%x: tensor<4x8xf32>, %u: tensor<4x8xf32>, %none: tensor<0x8xf32>, %i: tensor<2xi64>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = nova.dynamic_slice %x[%i] sizes = [4, 8] : tensor<4x8xf32>, tensor<2xi64> -> tensor<4x8xf32>
  %b = nova.dynamic_update_slice %x[%i], %u : tensor<4x8xf32>, tensor<2xi64>, tensor<4x8xf32> -> tensor<4x8xf32>
  %c = nova.dynamic_update_slice %x[%i], %none : tensor<4x8xf32>, tensor<2xi64>, tensor<0x8xf32> -> tensor<4x8xf32>
  return %a, %b, %c : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
