// RUN: nova-opt %s --nova-fuse-norm --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=nova-fuse-norm --remark-format=emitRemark | FileCheck %s
//
// Everything here is nearly a layer norm; each function shows one guard, and the remark says why it holds.

// CHECK-NOT: nova.layer_norm

func.func @other_axis(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %mean = nova.reduce mean %x over [0] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<1x64xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [0] {keep_dims} : tensor<8x64xf32>
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<1x64xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<1x64xf32>
  // expected-remark @below {{the mean runs over the axes [0], layer_norm over the last one, 1}}
  %y = nova.mul %d, %r : tensor<8x64xf32>, tensor<1x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @both_axes(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %mean = nova.reduce mean %x over [0, 1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<1x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [0, 1] {keep_dims} : tensor<8x64xf32>
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<1x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<1x1xf32>
  // expected-remark @below {{the mean runs over the axes [0, 1], layer_norm over the last one, 1}}
  %y = nova.mul %d, %r : tensor<8x64xf32>, tensor<1x1xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @variance_over_other_axis(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [0] {keep_dims} : tensor<8x64xf32>
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<1x64xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<1x64xf32>
  // expected-remark @below {{the variance runs over other axes than the mean}}
  %y = nova.mul %d, %r : tensor<8x64xf32>, tensor<1x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @eps_of_data(%x: tensor<8x64xf32>, %eps: tensor<f32>) -> tensor<8x64xf32> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [1] {keep_dims} : tensor<8x64xf32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  // expected-remark @below {{eps is not known when the program is compiled}}
  %y = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  return %y : tensor<8x64xf32>
}

// -----

// PyTorch's x.var() with its default correction.
func.func @unbiased(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %sum = nova.reduce sum %sq over [1] {keep_dims} : tensor<8x64xf32>
  %n = nova.constant dense<63.0> : tensor<f32>
  %var = nova.div %sum, %n : tensor<8x1xf32>, tensor<f32>
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  // expected-remark @below {{the variance is divided by 63, layer_norm divides by the 64 elements of a row}}
  %y = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @not_the_mean(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %mean = nova.reduce max %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [1] {keep_dims} : tensor<8x64xf32>
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  // expected-remark @below {{what is subtracted is not the mean}}
  %y = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @variance_of_other(%x: tensor<8x64xf32>, %z: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %z : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [1] {keep_dims} : tensor<8x64xf32>
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  // expected-remark @below {{what is under the root is not the variance of the same tensor}}
  %y = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @largest_square(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce max %sq over [1] {keep_dims} : tensor<8x64xf32>
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  // expected-remark @below {{what is under the root is not a mean of squares plus eps}}
  %y = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @root_of_data(%x: tensor<8x64xf32>, %var: tensor<8x1xf32>) -> tensor<8x64xf32> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  // expected-remark @below {{what is under the root is not a mean of squares plus eps}}
  %y = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  return %y : tensor<8x64xf32>
}

// -----

// The difference is rounded to bf16 before it is divided.
func.func @other_element_type(%x: tensor<8x64xf32>) -> tensor<8x64xbf16> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [1] {keep_dims} : tensor<8x64xf32>
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  %db = nova.cast %d : tensor<8x64xf32> -> tensor<8x64xbf16>
  %rb = nova.cast %r : tensor<8x1xf32> -> tensor<8x1xbf16>
  // expected-remark @below {{the element type changes between the mean and the division}}
  %y = nova.mul %db, %rb : tensor<8x64xbf16>, tensor<8x1xbf16>
  return %y : tensor<8x64xbf16>
}

// -----

// Centered by its mean, but divided by something that is no root: no near miss.
func.func @something_else(%x: tensor<8x64xf32>, %r: tensor<8x1xf32>) -> tensor<8x64xf32> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %y = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @negative_eps(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [1] {keep_dims} : tensor<8x64xf32>
  %eps = nova.constant dense<-1.0e-05> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  // expected-remark @below {{eps is -1e-05, layer_norm takes a finite one of at least 0}}
  %y = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @negative_zero_eps(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [1] {keep_dims} : tensor<8x64xf32>
  %eps = nova.constant dense<-0.0> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  // expected-remark @below {{eps is -0, layer_norm takes a finite one of at least 0}}
  %y = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @infinite_eps(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [1] {keep_dims} : tensor<8x64xf32>
  %eps = nova.constant dense<0x7F800000> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  // expected-remark @below {{eps is inf, layer_norm takes a finite one of at least 0}}
  %y = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @nan_eps(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [1] {keep_dims} : tensor<8x64xf32>
  %eps = nova.constant dense<0x7FC00000> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  // expected-remark @below {{eps is nan, layer_norm takes a finite one of at least 0}}
  %y = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  return %y : tensor<8x64xf32>
}

// -----

// The norm without the weight is a result too: it stays a norm, and the weight a product.
// CHECK-LABEL: func @normal_used_elsewhere(
// CHECK:         %[[N:.*]] = nova.layer_norm
// CHECK-NEXT:    %[[Y:.*]] = nova.mul %[[N]], %arg1
// CHECK-NEXT:    return %[[Y]], %[[N]]
func.func @normal_used_elsewhere(%x: tensor<8x64xf32>, %w: tensor<64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
  %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
  %sq = nova.square %d : tensor<8x64xf32>
  %var = nova.reduce mean %sq over [1] {keep_dims} : tensor<8x64xf32>
  %eps = nova.constant dense<1.0e-05> : tensor<f32>
  %ve = nova.add %var, %eps : tensor<8x1xf32>, tensor<f32>
  %r = nova.rsqrt %ve : tensor<8x1xf32>
  %n = nova.mul %d, %r : tensor<8x64xf32>, tensor<8x1xf32>
  // expected-remark @below {{the norm without this factor or summand is used elsewhere too}}
  %y = nova.mul %n, %w : tensor<8x64xf32>, tensor<64xf32>
  return %y, %n : tensor<8x64xf32>, tensor<8x64xf32>
}
