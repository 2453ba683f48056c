// RUN: nova-opt %s --nova-fuse-norm | FileCheck %s
//
// A factor or summand that lies along another axis than the last is no weight or bias, however its size coincides with
// the width; one along the last axis is, in whatever shape it comes.

// CHECK-LABEL: func @mul_last(
// CHECK:         nova.layer_norm
// CHECK-NEXT:    return
func.func @mul_last(%x: tensor<8x8xf32>, %f: tensor<8xf32>) -> tensor<8x8xf32> {
  %w = nova.constant dense<1.0> : tensor<8xf32>
  %b = nova.constant dense<0.0> : tensor<8xf32>
  %n = nova.layer_norm %x, %w, %b : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = nova.mul %n, %f : tensor<8x8xf32>, tensor<8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @mul_last_1(
// CHECK:         nova.reshape
// CHECK:         nova.layer_norm
// CHECK-NEXT:    return
func.func @mul_last_1(%x: tensor<8x8xf32>, %f: tensor<1x8xf32>) -> tensor<8x8xf32> {
  %w = nova.constant dense<1.0> : tensor<8xf32>
  %b = nova.constant dense<0.0> : tensor<8xf32>
  %n = nova.layer_norm %x, %w, %b : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = nova.mul %n, %f : tensor<8x8xf32>, tensor<1x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @mul_column(
// CHECK:         nova.layer_norm
// CHECK-NEXT:    nova.mul
func.func @mul_column(%x: tensor<8x8xf32>, %f: tensor<8x1xf32>) -> tensor<8x8xf32> {
  %w = nova.constant dense<1.0> : tensor<8xf32>
  %b = nova.constant dense<0.0> : tensor<8xf32>
  %n = nova.layer_norm %x, %w, %b : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = nova.mul %n, %f : tensor<8x8xf32>, tensor<8x1xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @mul_middle(
// CHECK:         nova.layer_norm
// CHECK-NEXT:    nova.mul
func.func @mul_middle(%x: tensor<8x8x8xf32>, %f: tensor<1x8x1xf32>) -> tensor<8x8x8xf32> {
  %w = nova.constant dense<1.0> : tensor<8xf32>
  %b = nova.constant dense<0.0> : tensor<8xf32>
  %n = nova.layer_norm %x, %w, %b : tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = nova.mul %n, %f : tensor<8x8x8xf32>, tensor<1x8x1xf32>
  return %y : tensor<8x8x8xf32>
}

// CHECK-LABEL: func @mul_right_aligned_middle(
// CHECK:         nova.layer_norm
// CHECK-NEXT:    nova.mul
func.func @mul_right_aligned_middle(%x: tensor<8x8x8xf32>, %f: tensor<8x1xf32>) -> tensor<8x8x8xf32> {
  %w = nova.constant dense<1.0> : tensor<8xf32>
  %b = nova.constant dense<0.0> : tensor<8xf32>
  %n = nova.layer_norm %x, %w, %b : tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = nova.mul %n, %f : tensor<8x8x8xf32>, tensor<8x1xf32>
  return %y : tensor<8x8x8xf32>
}

// CHECK-LABEL: func @mul_first(
// CHECK:         nova.layer_norm
// CHECK-NEXT:    nova.mul
func.func @mul_first(%x: tensor<8x8x8xf32>, %f: tensor<8x1x1xf32>) -> tensor<8x8x8xf32> {
  %w = nova.constant dense<1.0> : tensor<8xf32>
  %b = nova.constant dense<0.0> : tensor<8xf32>
  %n = nova.layer_norm %x, %w, %b : tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = nova.mul %n, %f : tensor<8x8x8xf32>, tensor<8x1x1xf32>
  return %y : tensor<8x8x8xf32>
}

// CHECK-LABEL: func @mul_number(
// CHECK:         nova.layer_norm
// CHECK-NEXT:    nova.mul
func.func @mul_number(%x: tensor<8x8xf32>, %f: tensor<1x1xf32>) -> tensor<8x8xf32> {
  %w = nova.constant dense<1.0> : tensor<8xf32>
  %b = nova.constant dense<0.0> : tensor<8xf32>
  %n = nova.layer_norm %x, %w, %b : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = nova.mul %n, %f : tensor<8x8xf32>, tensor<1x1xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @add_last(
// CHECK:         nova.layer_norm
// CHECK-NEXT:    return
func.func @add_last(%x: tensor<8x8xf32>, %f: tensor<8xf32>) -> tensor<8x8xf32> {
  %w = nova.constant dense<1.0> : tensor<8xf32>
  %b = nova.constant dense<0.0> : tensor<8xf32>
  %n = nova.layer_norm %x, %w, %b : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = nova.add %n, %f : tensor<8x8xf32>, tensor<8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @add_last_1(
// CHECK:         nova.reshape
// CHECK:         nova.layer_norm
// CHECK-NEXT:    return
func.func @add_last_1(%x: tensor<8x8xf32>, %f: tensor<1x8xf32>) -> tensor<8x8xf32> {
  %w = nova.constant dense<1.0> : tensor<8xf32>
  %b = nova.constant dense<0.0> : tensor<8xf32>
  %n = nova.layer_norm %x, %w, %b : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = nova.add %n, %f : tensor<8x8xf32>, tensor<1x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @add_column(
// CHECK:         nova.layer_norm
// CHECK-NEXT:    nova.add
func.func @add_column(%x: tensor<8x8xf32>, %f: tensor<8x1xf32>) -> tensor<8x8xf32> {
  %w = nova.constant dense<1.0> : tensor<8xf32>
  %b = nova.constant dense<0.0> : tensor<8xf32>
  %n = nova.layer_norm %x, %w, %b : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = nova.add %n, %f : tensor<8x8xf32>, tensor<8x1xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @add_middle(
// CHECK:         nova.layer_norm
// CHECK-NEXT:    nova.add
func.func @add_middle(%x: tensor<8x8x8xf32>, %f: tensor<1x8x1xf32>) -> tensor<8x8x8xf32> {
  %w = nova.constant dense<1.0> : tensor<8xf32>
  %b = nova.constant dense<0.0> : tensor<8xf32>
  %n = nova.layer_norm %x, %w, %b : tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = nova.add %n, %f : tensor<8x8x8xf32>, tensor<1x8x1xf32>
  return %y : tensor<8x8x8xf32>
}

// CHECK-LABEL: func @add_right_aligned_middle(
// CHECK:         nova.layer_norm
// CHECK-NEXT:    nova.add
func.func @add_right_aligned_middle(%x: tensor<8x8x8xf32>, %f: tensor<8x1xf32>) -> tensor<8x8x8xf32> {
  %w = nova.constant dense<1.0> : tensor<8xf32>
  %b = nova.constant dense<0.0> : tensor<8xf32>
  %n = nova.layer_norm %x, %w, %b : tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = nova.add %n, %f : tensor<8x8x8xf32>, tensor<8x1xf32>
  return %y : tensor<8x8x8xf32>
}

// CHECK-LABEL: func @add_first(
// CHECK:         nova.layer_norm
// CHECK-NEXT:    nova.add
func.func @add_first(%x: tensor<8x8x8xf32>, %f: tensor<8x1x1xf32>) -> tensor<8x8x8xf32> {
  %w = nova.constant dense<1.0> : tensor<8xf32>
  %b = nova.constant dense<0.0> : tensor<8xf32>
  %n = nova.layer_norm %x, %w, %b : tensor<8x8x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = nova.add %n, %f : tensor<8x8x8xf32>, tensor<8x1x1xf32>
  return %y : tensor<8x8x8xf32>
}

// CHECK-LABEL: func @add_number(
// CHECK:         nova.layer_norm
// CHECK-NEXT:    nova.add
func.func @add_number(%x: tensor<8x8xf32>, %f: tensor<1x1xf32>) -> tensor<8x8xf32> {
  %w = nova.constant dense<1.0> : tensor<8xf32>
  %b = nova.constant dense<0.0> : tensor<8xf32>
  %n = nova.layer_norm %x, %w, %b : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>
  %y = nova.add %n, %f : tensor<8x8xf32>, tensor<1x1xf32>
  return %y : tensor<8x8xf32>
}

// A weight that comes before the product with the differences.
// CHECK-LABEL: func @factor_of_the_root(
// CHECK-NOT:     nova.layer_norm
// CHECK:         return
func.func @factor_of_the_root(%x: tensor<8x8xf32>, %f: tensor<8x1xf32>, %e: tensor<8xf32>) -> tensor<8x8xf32> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x8xf32>
  %d = nova.sub %x, %mean : tensor<8x8xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x8xf32>
  %var = nova.reduce mean %sq over [1] {keep_dims} : tensor<8x8xf32>
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  %fr = nova.mul %r, %f : tensor<8x1xf32>, tensor<8x1xf32>
  %y = nova.mul %d, %fr : tensor<8x8xf32>, tensor<8x1xf32>
  return %y : tensor<8x8xf32>
}

// The variances of rows, laid along the columns by broadcasting.
// CHECK-LABEL: func @variance_along_columns(
// CHECK-NOT:     nova.layer_norm
// CHECK:         return
func.func @variance_along_columns(%x: tensor<8x8xf32>, %f: tensor<8x1xf32>, %e: tensor<8xf32>) -> tensor<8x8xf32> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x8xf32>
  %d = nova.sub %x, %mean : tensor<8x8xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x8xf32>
  %var = nova.reduce mean %sq over [1] : tensor<8x8xf32>
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<8xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8xf32>
  %y = nova.mul %d, %r : tensor<8x8xf32>, tensor<8xf32>
  return %y : tensor<8x8xf32>
}

// The same, where the number that is added makes a matrix of it.
// CHECK-LABEL: func @variance_beside_a_matrix(
// CHECK-NOT:     nova.layer_norm
// CHECK:         return
func.func @variance_beside_a_matrix(%x: tensor<8x8xf32>, %f: tensor<8x1xf32>, %e: tensor<8xf32>) -> tensor<8x8xf32> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x8xf32>
  %d = nova.sub %x, %mean : tensor<8x8xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x8xf32>
  %var = nova.reduce mean %sq over [1] : tensor<8x8xf32>
  %eps = nova.constant dense<1.0e-05> : tensor<8x8xf32>
  %ve = nova.add %var, %eps : tensor<8xf32>, tensor<8x8xf32>
  %r = nova.rsqrt %ve : tensor<8x8xf32>
  %y = nova.mul %d, %r : tensor<8x8xf32>, tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
