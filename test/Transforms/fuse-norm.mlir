// RUN: nova-opt %s --nova-fuse-norm | FileCheck %s

// CHECK-LABEL: func @usual(
// CHECK-SAME:    %[[X:.*]]: tensor<8x64xf32>, %[[W:.*]]: tensor<64xf32>, %[[B:.*]]: tensor<64xf32>)
// CHECK-NEXT:    %[[Y:.*]] = nova.layer_norm %[[X]], %[[W]], %[[B]] : tensor
// CHECK-NEXT:    return %[[Y]]
func.func @usual(%x: tensor<8x64xf32>, %w: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<8x64xf32> {
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [1] {keep_dims} : tensor<8x64xf32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  %n = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  %nw = nova.mul %n, %w : tensor<8x64xf32>, tensor<64xf32>
  %y = nova.add %nw, %b : tensor<8x64xf32>, tensor<64xf32>
  return %y : tensor<8x64xf32>
}

// Sums over n, a quotient by sqrt, a difference computed twice, operands exchanged, weight and bias as rows.
// CHECK-LABEL: func @sums_and_sqrt(
// CHECK-SAME:    %[[X:.*]]: tensor<8x64xf32>, %[[W:.*]]: tensor<1x64xf32>, %[[B:.*]]: tensor<1x64xf32>)
// CHECK:         %[[WV:.*]] = nova.reshape %[[W]] : tensor<1x64xf32> -> tensor<64xf32>
// CHECK:         %[[BV:.*]] = nova.reshape %[[B]] : tensor<1x64xf32> -> tensor<64xf32>
// CHECK:         %[[Y:.*]] = nova.layer_norm %[[X]], %[[WV]], %[[BV]] {eps = {{9.9+5E-7|1.0+e-06}} : f64}
// CHECK-NEXT:    return %[[Y]]
func.func @sums_and_sqrt(%x: tensor<8x64xf32>, %w: tensor<1x64xf32>, %b: tensor<1x64xf32>) -> tensor<8x64xf32> {
  %eps = nova.constant dense<1.0e-06> : tensor<8x1xf32>
  %n = nova.constant dense<64.0> : tensor<f32>
  %inverse = nova.constant dense<0.015625> : tensor<f32>
  %sum = nova.reduce sum %x over [1] {keep_dims} : tensor<8x64xf32>
  %mean = nova.div %sum, %n : tensor<8x1xf32>, tensor<f32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %e = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.mul %e, %e : tensor<8x64xf32>, tensor<8x64xf32>
  %squares = nova.reduce sum %sq over [1] : tensor<8x64xf32>
  %vars = nova.mul %inverse, %squares : tensor<f32>, tensor<8xf32>
  %var = nova.reshape %vars : tensor<8xf32> -> tensor<8x1xf32>
  %ve = nova.add %eps, %var : tensor<8x1xf32>, tensor<8x1xf32>
  %s = nova.sqrt %ve : tensor<8x1xf32>
  %normal = nova.div %d, %s : tensor<8x64xf32>, tensor<8x1xf32>
  %nw = nova.mul %w, %normal : tensor<1x64xf32>, tensor<8x64xf32>
  %y = nova.add %b, %nw : tensor<1x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// Reductions that drop the axis, pow, 1 / sqrt, everything broadcast before it is used; the weight joins the root.
// CHECK-LABEL: func @broadcasts(
// CHECK-SAME:    %[[X:.*]]: tensor<2x8x64xf32>, %[[W:.*]]: tensor<64xf32>, %[[B:.*]]: tensor<64xf32>)
// CHECK-NEXT:    nova.layer_norm %[[X]], %[[W]], %[[B]] : tensor
func.func @broadcasts(%x: tensor<2x8x64xf32>, %w: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<2x8x64xf32> {
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %one = nova.constant dense<1.0> : tensor<f32>
  %two = nova.constant dense<2.0> : tensor<f32>
  %mean = nova.reduce mean %x over [2] : tensor<2x8x64xf32>
  %meanb = nova.broadcast_in_dim %mean dims = [0, 1] : tensor<2x8xf32> -> tensor<2x8x64xf32>
  %d = nova.sub %x, %meanb : tensor<2x8x64xf32>, tensor<2x8x64xf32>
  %sq = nova.pow %d, %two : tensor<2x8x64xf32>, tensor<f32>
  %var = nova.reduce mean %sq over [2] : tensor<2x8x64xf32>
  %ve = nova.add %var, %eps : tensor<2x8xf32>, tensor<f32>
  %s = nova.sqrt %ve : tensor<2x8xf32>
  %sr = nova.reshape %s : tensor<2x8xf32> -> tensor<2x8x1xf32>
  %r = nova.div %one, %sr : tensor<f32>, tensor<2x8x1xf32>
  %rb = nova.broadcast_in_dim %r dims = [0, 1, 2] : tensor<2x8x1xf32> -> tensor<2x8x64xf32>
  %wb = nova.broadcast_in_dim %w dims = [2] : tensor<64xf32> -> tensor<2x8x64xf32>
  %rw = nova.mul %wb, %rb : tensor<2x8x64xf32>, tensor<2x8x64xf32>
  %nw = nova.mul %rw, %d : tensor<2x8x64xf32>, tensor<2x8x64xf32>
  %y = nova.add %nw, %b : tensor<2x8x64xf32>, tensor<64xf32>
  return %y : tensor<2x8x64xf32>
}

// Without weight and bias, and what follows is no vector: ones and zeros stand for them.
// CHECK-LABEL: func @no_weight(
// CHECK:         %[[ONE:.*]] = nova.constant dense<1.000000e+00> : tensor<64xf32>
// CHECK:         %[[ZERO:.*]] = nova.constant dense<0.000000e+00> : tensor<64xf32>
// CHECK:         %[[N:.*]] = nova.layer_norm %arg0, %[[ONE]], %[[ZERO]] : tensor
// CHECK-NEXT:    nova.add %[[N]], %arg0
func.func @no_weight(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [1] {keep_dims} : tensor<8x64xf32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  %n = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  %y = nova.add %n, %x : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// A weight without a bias.
// CHECK-LABEL: func @no_bias(
// CHECK:         %[[ZERO:.*]] = nova.constant dense<0.000000e+00> : tensor<64xf32>
// CHECK:         %[[N:.*]] = nova.layer_norm %arg0, %arg1, %[[ZERO]] : tensor
// CHECK-NEXT:    return %[[N]]
func.func @no_bias(%x: tensor<8x64xf32>, %w: tensor<64xf32>) -> tensor<8x64xf32> {
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [1] {keep_dims} : tensor<8x64xf32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  %n = nova.mul %r, %d : tensor<8x1xf32>, tensor<8x64xf32>
  %y = nova.mul %n, %w : tensor<8x64xf32>, tensor<64xf32>
  return %y : tensor<8x64xf32>
}

// In f32 between casts, as programs in bf16 write it.
// CHECK-LABEL: func @between_casts(
// CHECK:         %[[X:.*]] = nova.cast %arg0 : tensor<8x64xbf16> -> tensor<8x64xf32>
// CHECK:         %[[N:.*]] = nova.layer_norm %[[X]]
// CHECK-NEXT:    nova.cast %[[N]] : tensor<8x64xf32> -> tensor<8x64xbf16>
func.func @between_casts(%b: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  %x = nova.cast %b : tensor<8x64xbf16> -> tensor<8x64xf32>
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [1] {keep_dims} : tensor<8x64xf32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  %n = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  %y = nova.cast %n : tensor<8x64xf32> -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}
